// Reading adapters/implementations.json, and where its implementations can run.
#include "adapters/implementations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "support/child.h"
#include "support/json_entry.h"
#include "support/sibling.h"
#include "support/siblings.h"

namespace plumbline {

namespace {

using nlohmann::json;
using Entry = JsonEntry<ImplementationsError>;

constexpr std::string_view kFile = "adapters/implementations.json";
constexpr std::string_view kAdapterOfTheBuild = "adapters/python/adapter.py";  ///< what plumbline-python starts
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::array<std::string_view, 2> kLists{"implementations", "environments"};
constexpr std::array<std::string_view, 5> kImplementationMembers{"name", "description", "command", "environment",
                                                                 "stages"};
constexpr std::array<std::string_view, 4> kEnvironmentMembers{"name", "packages", "index", "python"};

std::string form_of_implementation() {
  return R"({"name": "mine", "description": "…", "command": ["adapters/mine/adapter.py"], "environment": "build"})";
}
std::string form_of_environment() {
  return R"({"name": "mine", "packages": ["torch==2.9.0"], "index": "https://…", "python": "3.10"}; )"
         "'index' and 'python' can be left out";
}

/// "FILE: implementation 3 ('make_fx')".
std::string place_of(const std::string& file, std::string_view kind, std::size_t index, const json& object) {
  const bool named = object.is_object() && object.contains("name") && object["name"].is_string();
  return fmt::format("{}: {} {}{}", file, kind, index + 1,
                     named ? fmt::format(" ('{}')", object["name"].get<std::string>()) : "");
}

std::vector<std::string> texts(const Entry& entry, std::string_view name, const std::string& form) {
  const json& value = entry.member(name, "write it as " + form);
  const auto is_text = [](const json& item) { return item.is_string() && !item.get_ref<const std::string&>().empty(); };
  if (!value.is_array() || !std::ranges::all_of(value, is_text))
    entry.refuse_value(name, value, "it must be a list of strings that are not empty");
  return value.get<std::vector<std::string>>();
}

/// Names are parts of paths and of `--on A,B`, so they have no other characters.
std::string name_of(const Entry& entry, const std::string& form, std::string_view also) {
  std::string name = entry.text("name", "write it as " + form);
  if (name.find_first_not_of(std::string(kLetters).append(also)) != std::string::npos || name.front() == '-')
    entry.refuse(fmt::format("has the name '{}'", name),
                 fmt::format("a name has only letters, digits and {}", fmt::join(std::string("_").append(also), " ")));
  return name;
}

bool is_pinned(const std::string& package) {
  const std::size_t equals = package.find("==");
  return equals != std::string::npos && equals > 0 && package.front() != '-' && equals + 2 < package.size() &&
         package.find_first_of(" \t*;<>~!@/", 0) == std::string::npos;
}

/// "3.10".
bool is_python_version(const std::string& text) {
  const std::size_t point = text.find('.');
  const std::string digits = "0123456789";
  return point != std::string::npos && point > 0 && point + 1 < text.size() &&
         text.find_first_not_of(digits) == point && text.find_first_not_of(digits, point + 1) == std::string::npos;
}

Environment environment_of(const Entry& entry) {
  const std::string form = form_of_environment();
  Environment environment{name_of(entry, form, ""), texts(entry, "packages", form), "", ""};
  if (environment.name == kBuildEnvironment)
    entry.refuse("has the name of the build's own Python", "give it another name");
  for (const std::string& package : environment.packages)
    if (!is_pinned(package))
      entry.refuse(fmt::format("has the package '{}'", package), "pin its version, as in torch==2.9.0");
  if (entry.has("index")) environment.index = entry.text("index", "");
  if (!environment.index.empty() && environment.index.find("://") == std::string::npos)
    entry.refuse_value("index", environment.index,
                       "it must be an address such as https://download.pytorch.org/whl/cpu");
  if (entry.has("python")) environment.python = entry.text("python", "");
  if (!environment.python.empty() && !is_python_version(environment.python))
    entry.refuse_value("python", environment.python, "it must be the oldest version that will do, such as \"3.10\"");
  return environment;
}

/// Whether the harness has another meaning for this name.
bool is_taken(std::string_view name) {
  return name == "reference" || name == "reference-without-views" || name == "optimized" ||
         name.starts_with("optimized-") || name == "none" || name.starts_with("libtorch");
}

NamedImplementation implementation_of(const Entry& entry, const Implementations& known) {
  const std::string form = form_of_implementation();
  NamedImplementation one{name_of(entry, form, "-."),
                          entry.text("description", "write it as " + form),
                          texts(entry, "command", form),
                          entry.text("environment", "write it as " + form),
                          {}};
  if (is_taken(one.name)) entry.refuse("has a name that means something else", "give it another name");
  if (one.description.find('\n') != std::string::npos) entry.refuse("has a long description", "write one line");
  if (one.command.empty() || one.command.front().starts_with("/") || !one.command.front().ends_with(".py"))
    entry.refuse_value("command", one.command,
                       fmt::format("its first word must be a Python script, relative to the checkout, such as {}",
                                   kAdapterOfTheBuild));
  if (entry.has("stages")) one.stages = texts(entry, "stages", form);
  for (const std::string& stage : one.stages)
    if (known.implementation(stage) == nullptr)
      entry.refuse(fmt::format("has the unknown stage '{}'", stage), "name an implementation that stands before it");
  if (one.environment != kBuildEnvironment && known.environment(one.environment) == nullptr)
    entry.refuse(fmt::format("has the unknown environment '{}'", one.environment),
                 fmt::format("write '{}', or add the environment to the list 'environments'", kBuildEnvironment));
  return one;
}

/// Calls `read` with each entry of a list. Refuses a name that an earlier entry has.
template <class Read>
void read_list(const std::string& file, const json& list, std::string_view kind,
               std::span<const std::string_view> members, const std::string& form, const Read& read) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Entry entry(place_of(file, kind, i, list[i]), list[i], members, form);
    if (!names.insert(read(entry)).second)
      entry.refuse("has the name of an earlier entry", "give each entry a name of its own");
  }
}

const json& list_in(const Entry& whole, std::string_view name) {
  const json& list = whole.member(name, "write an empty list if there are none");
  if (!list.is_array()) whole.refuse_value(name, list, "it must be a list");
  return list;
}

json parsed(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw ImplementationsError(fmt::format("{}: cannot be read; it belongs to Plumbline's checkout", file));
  try {
    return json::parse(in);
  } catch (const json::parse_error& error) {
    throw ImplementationsError(fmt::format("{}: is not JSON: {}", file, error.what()));
  }
}

template <class List>
auto* named(const List& list, std::string_view name) {
  const auto found = std::ranges::find_if(list, [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

const NamedImplementation* Implementations::implementation(std::string_view name) const {
  return named(implementations, name);
}

const Environment* Implementations::environment(std::string_view name) const { return named(environments, name); }

Implementations load_implementations(const std::filesystem::path& file) {
  const json content = parsed(file);
  const Entry whole(file.string() + ":", content, kLists, R"({"implementations": […], "environments": […]})");
  Implementations all;
  read_list(file, list_in(whole, "environments"), "environment", kEnvironmentMembers, form_of_environment(),
            [&](const Entry& entry) { return all.environments.emplace_back(environment_of(entry)).name; });
  read_list(file, list_in(whole, "implementations"), "implementation", kImplementationMembers, form_of_implementation(),
            [&](const Entry& entry) { return all.implementations.emplace_back(implementation_of(entry, all)).name; });
  return all;
}

std::filesystem::path Places::python_of(std::string_view environment) const {
  return environments / environment / "bin" / "python3";
}

Places places_here() {
  const std::filesystem::path source = PLUMBLINE_SOURCE;
  const char* const chosen = std::getenv("PLUMBLINE_ENVS");
  const bool is_chosen = chosen != nullptr && *chosen != '\0';
  return {source, executable_folder(), is_chosen ? std::filesystem::absolute(chosen) : source / ".envs",
          PLUMBLINE_PYTHON};
}

Implementations implementations_of(const Places& places) { return load_implementations(places.source / kFile); }

std::vector<std::string> stages_of(const std::string& name) {
  const Places places = places_here();
  const Implementations all = implementations_of(places);
  const NamedImplementation* one = all.implementation(name);
  if (one == nullptr) return {};
  std::vector<std::string> here = one->stages;
  std::erase_if(here,
                [&](const std::string& stage) { return !why_not_here(*all.implementation(stage), places).empty(); });
  return here;
}

std::string why_not_here(const NamedImplementation& implementation, const Places& places) {
  if (!std::filesystem::exists(places.source / implementation.command.front()))
    return fmt::format("the checkout has no {}; get it, or remove the entry from {}", implementation.command.front(),
                       kFile);
  if (implementation.environment != kBuildEnvironment)
    return std::filesystem::exists(places.python_of(implementation.environment))
               ? ""
               : fmt::format("no environment '{0}' here; make it: plumbline env add {0}", implementation.environment);
  return has_python(places.executables) ? "" : fmt::format("the build has no PyTorch; {}", kHowToBuildWithTorch);
}

std::vector<std::string> with_graphs(std::vector<std::string> names) {
  bool any = false;
  for (std::string& name : names) {
    if (name == kOptimizedCudaHost || name == kOptimizedCuda) name += kGraph;
    any = any || name.ends_with(kGraph);
  }
  if (!any)
    throw std::runtime_error(fmt::format("--graph: none of these implementations records graphs; {} and {} do",
                                         kOptimizedCudaHost, kOptimizedCuda));
  return names;
}

std::vector<std::string> names_on_devices() {
  std::vector<std::string> names;
  for (const OfBuffers& one : kOfBuffers) names.push_back(one.name());
  for (const std::string_view device : {kOptimizedCudaHost, kOptimizedCuda})
    for (const std::string_view end : {std::string_view(), kGraph}) names.push_back(fmt::format("{}{}", device, end));
  return names;
}

std::string why_no_gpu(const Places& places) {
  if (!std::filesystem::exists(places.executables / kOptimizedCudaAdapter))
    return fmt::format(
        "it is not built; with the CUDA Toolkit 13 or newer (nvcc), configure again and run: cmake --build {} --target "
        "plumbline-cuda",
        places.executables.parent_path().string());
  std::string said;
  const int code = cli::run_sibling(std::string(kOptimizedCudaAdapter), {"--device", "cuda", "--probe"},
                                    [&](std::string_view text) { said += text; });
  while (said.ends_with('\n')) said.pop_back();
  if (code == 0) return "";
  return !said.empty() ? said
                       : fmt::format("{} --device cuda --probe ended with exit code {}", kOptimizedCudaAdapter, code);
}

std::string command_line_of(const NamedImplementation& implementation, const Places& places) {
  const std::string& script = implementation.command.front();
  const bool in_build = implementation.environment == kBuildEnvironment;
  std::vector<std::string> words;
  if (in_build && script == kAdapterOfTheBuild)
    words = {places.executables / "plumbline-python"};
  else
    words = {in_build ? places.build_python : places.python_of(implementation.environment).string(),
             places.source / script};
  words.insert(words.end(), implementation.command.begin() + 1, implementation.command.end());
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted_word(word);
  return line;
}

}  // namespace plumbline
