// `plumbline list`: the rules, laws, programs, ops, profiles, errors or implementations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "adapters/implementations.h"
#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "cli/programs.h"
#include "oracle/report/text.h"
#include "oracle/verdict.h"
#include "oracle/waivers.h"
#include "reference/kernels.h"
#include "spec/ops/op_ids.h"
#include "spec/ops/ops.h"
#include "spec/rules/catalogue.h"
#include "spec/vocabulary/errors.h"
#include "support/files.h"
#include "support/glob.h"
#include "support/siblings.h"
#include "sweep/laws.h"

namespace plumbline::cli {

namespace {

using Json = nlohmann::ordered_json;

Json rules() {
  Json list = Json::array();
  for (const Rule* rule : kAllRules) {
    Json variants = Json::array();
    for (const Variant& v : rule->text().variants)
      if (!v.sentence.empty())
        variants.push_back(
            {{"profile", name_of(v.profile)}, {"sentence", v.sentence}, {"source", v.source}, {"breaks", v.breaks}});
    list.push_back({{"id", rule->id()},
                    {"sentence", rule->text().sentence},
                    {"source", rule->text().source},
                    {"misreading", rule->text().misreading},
                    {"variants", variants}});
  }
  return list;
}

/// The laws of `plumbline sweep`, in the form of rules.
Json laws() {
  Json list = Json::array();
  for (const sweep::Law& law : sweep::laws()) {
    Json exempt = Json::array();
    for (const sweep::Exemption& one : sweep::exemptions())
      if (one.law == law.id()) exempt.push_back({{"operators", one.operators}, {"why", one.why}});
    list.push_back({{"id", law.id()},
                    {"sentence", law.text().sentence},
                    {"source", law.text().source},
                    {"misreading", law.text().misreading},
                    {"exempt", exempt}});
  }
  return list;
}

Json ops() {
  constexpr std::array<std::string_view, 6> kKinds{"Factory", "Functional", "View", "Inplace", "InplaceView", "Out"};
  constexpr std::array<std::string_view, 6> kAliases{"never", "always", "may", "self", "argument", "out"};
  Json list = Json::array();
  for (std::size_t i = 0; i < kAllOps; ++i) {
    const auto id = static_cast<OpId>(i);
    const Op& one = op(id);
    list.push_back({{"name", qualified_name(one)},
                    {"kind", kKinds.at(static_cast<std::size_t>(one.kind))},
                    {"aliases", kAliases.at(static_cast<std::size_t>(one.aliases))},
                    {"meaning", one.by_schema && !reference::has_meaning(id) ? "by schema" : "own"},
                    {"schema", one.schema}});
  }
  return list;
}

/// How many ops of the list the reference computes itself.
std::string count_of_meanings(const Json& ops) {
  const auto own = std::ranges::count(ops, "own", [](const Json& op) { return op["meaning"].get<std::string>(); });
  return fmt::format("{} ops: {} have a meaning of their own, {} are known by their schema only (docs/BY_SCHEMA.md)\n",
                     ops.size(), own, std::ssize(ops) - own);
}

Json profiles() {
  Json list = Json::array();
  for (const ProfileInfo& p : kProfiles) list.push_back({{"name", p.name}, {"description", p.description}});
  return list;
}

Json errors() {
  Json list = Json::array();
  for (const ErrorText& e : error_texts())
    list.push_back(
        {{"class", name_of(e.error)}, {"versions", e.versions}, {"exception", e.exception}, {"message", e.pattern}});
  return list;
}

/// `why`: why it cannot run here, and what to do; empty if it can.
Json implementation(std::string_view name, std::string_view description, std::string_view why) {
  Json entry{{"name", name}, {"description", description}, {"here", why.empty()}};
  if (!why.empty()) entry["why"] = why;
  return entry;
}

Json implementations() {
  const Places places = places_here();
  const std::string_view why_no_optimized =
      std::filesystem::exists(places.executables / "plumbline-optimized") ? "" : "it is not built; run ./check";
  Json list = Json::array();
  list.push_back(implementation("reference", "the abstract machine that executes the rules of any profile", ""));
  list.push_back(implementation(
      kReferenceWithoutViews,
      "the reference whose functionalized bodies run without any view, as alias removal leaves them", ""));
  list.push_back(
      implementation("optimized", "Plumbline's fast runtime, written without the rules' code", why_no_optimized));
  list.push_back(implementation(kOptimizedCudaHost,
                                "the same runtime on the device CUDA, whose kernels run block by block on the host",
                                why_no_optimized));
  list.push_back(implementation(fmt::format("{}{}", kOptimizedCudaHost, kGraph),
                                "the same, where a functionalized body is one graph with fused kernels",
                                why_no_optimized));
  for (const OfBuffers& one : kOfBuffers) list.push_back(implementation(one.name(), one.description, why_no_optimized));
  const std::string why = why_no_gpu(places);
  list.push_back(implementation(kOptimizedCuda, "the same runtime on a GPU", why));
  list.push_back(implementation(fmt::format("{}{}", kOptimizedCuda, kGraph),
                                "the same on a GPU, where a functionalized body is one CUDA graph", why));
  for (const std::string& version : libtorch_versions(places.executables))
    list.push_back(implementation("libtorch-" + version, fmt::format("PyTorch {}'s C++ library", version), ""));
  for (const NamedImplementation& one : implementations_of(places).implementations)
    list.push_back(implementation(one.name, one.description, why_not_here(one, places)));
  list.push_back(implementation("process:CMD", "any command that speaks the protocol of docs/PROTOCOL.md", ""));
  return list;
}

Json programs(const LoadedPrograms& loaded) {
  Json list = Json::array();
  for (const LoadedTest& t : loaded.tests)
    list.push_back({{"file", t.file},
                    {"line", t.test.line},
                    {"test", t.test.name},
                    {"rules", t.test.rules},
                    {"sentences", t.test.sentences}});
  return list;
}

/// The name by which the command line asks for an entry.
std::string name_of_entry(const std::string& what, const Json& e) {
  return e[what == "rules" || what == "laws" ? "id"
           : what == "errors"                ? "class"
           : what == "programs"              ? "test"
                                             : "name"];
}

/// Whether `asked` names the entry: a rule's id or family in any case, or a glob of any other name.
bool is_named(const std::string& what, const Json& e, std::string asked) {
  const std::string name = name_of_entry(what, e);
  if (what != "rules" && what != "laws") return fits_glob(name, asked);
  for (char& c : asked) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name == asked || name.starts_with(asked + "-");
}

/// Only the entries that `names` names. Throws std::runtime_error for a name that names none.
Json selected(const std::string& what, const Json& list, const std::vector<std::string>& names) {
  Json chosen = Json::array();
  for (const std::string& asked : names)
    if (std::ranges::none_of(list, [&](const Json& e) { return is_named(what, e, asked); }))
      throw std::runtime_error(
          fmt::format("{} has no entry '{}'\n  `plumbline list {}` prints all of them", what, asked, what));
  for (const Json& e : list)
    if (std::ranges::any_of(names, [&](const std::string& asked) { return is_named(what, e, asked); }))
      chosen.push_back(e);
  return chosen;
}

/// Adds to each rule the programs that show it, and the waivers of known departures from it.
void add_evidence(Json& rules, const LoadedPrograms& loaded, const std::vector<Waiver>& waivers) {
  for (Json& rule : rules) {
    rule["programs"] = Json::array();
    for (const LoadedTest& one : loaded.tests)
      if (std::ranges::find(one.test.rules, rule["id"].get<std::string>()) != one.test.rules.end())
        rule["programs"].push_back(fmt::format("{}::{}", one.file, one.test.name));
    rule["waivers"] = Json::array();
    for (const Waiver& waiver : waivers)
      if (std::ranges::find(waiver.rules, rule["id"].get<std::string>()) != waiver.rules.end())
        rule["waivers"].push_back({{"id", waiver.id},
                                   {"implementation", waiver.implementation},
                                   {"reason", waiver.reason},
                                   {"link", waiver.link}});
  }
}

/// A rule with everything that is known of it.
std::string whole_rule(const Json& e) {
  const auto get = [](const Json& from, const char* name) { return from[name].get<std::string>(); };
  std::string text =
      fmt::format("{}\n  {}\n\nsource\n  {}\nmisreading: what the rule is not, planted to see what notices\n  {}\n",
                  get(e, "id"), get(e, "sentence"), get(e, "source"), get(e, "misreading"));
  for (const Json& v : e["variants"]) {
    text +=
        fmt::format("in the profile {}\n  {}\n  source: {}\n", get(v, "profile"), get(v, "sentence"), get(v, "source"));
    if (!get(v, "breaks").empty()) text += fmt::format("  breaks: {}\n", get(v, "breaks"));
  }
  if (!e["programs"].empty()) text += "programs that show it\n";
  for (const Json& program : e["programs"]) text += fmt::format("  {}\n", program.get<std::string>());
  if (!e["waivers"].empty()) text += "known departures (fuzz/corpus/waivers.json and findings.json)\n";
  for (const Json& w : e["waivers"])
    text +=
        fmt::format("  {} {}: {}\n    {}\n", get(w, "id"), get(w, "implementation"), get(w, "reason"), get(w, "link"));
  text += fmt::format("page\n  docs/rules/{}.md\n", get(e, "id"));
  if (const Rule* rule = find_rule(get(e, "id")); rule != nullptr && rule->family == Family::OP)
    return text + fmt::format(
                      "what holds operators to it: plumbline sweep --on NAME; which are exempt: plumbline list "
                      "laws {}\nwhat breaks it: plumbline selftest --sweep\n\n",
                      get(e, "id"));
  return text + fmt::format("what notices the misreading: plumbline run fuzz/corpus --on reference --flip {}\n\n",
                            get(e, "id"));
}

/// An entry as one or more lines.
std::string text_of(const std::string& what, const Json& e) {
  const auto get = [&](const char* name) { return e[name].get<std::string>(); };
  if (what == "rules" || what == "laws") {
    std::string text = fmt::format("{}  {}\n         source: {}\n         misreading: {}\n", get("id"), get("sentence"),
                                   get("source"), get("misreading"));
    for (const Json& v : e.value("variants", Json::array()))
      text += fmt::format("         in {}: {}\n", v["profile"].get<std::string>(), v["sentence"].get<std::string>());
    for (const Json& one : e.value("exempt", Json::array()))
      text += fmt::format("         not {}: {}\n", one["operators"].get<std::string>(), one["why"].get<std::string>());
    return text;
  }
  if (what == "ops")
    return fmt::format("{:<22} {:<11} aliases {:<8}  {:<9}  {}\n", get("name"), get("kind"), get("aliases"),
                       get("meaning"), get("schema"));
  if (what == "errors")
    return fmt::format("{:<26} {} {}: {}\n", get("class"), get("versions"), get("exception"), get("message"));
  if (what == "programs")
    return fmt::format("{}:{} {}  {}\n", get("file"), e["line"].get<int>(), get("test"),
                       fmt::join(e["rules"].get<std::vector<std::string>>(), " "));
  if (what != "implementations") return fmt::format("{:<18} {}\n", get("name"), get("description"));
  const std::string line = fmt::format("{:<35} {}\n", get("name"), get("description"));
  return e["here"].get<bool>() ? line : line + fmt::format("{:<35} not here: {}\n", "", get("why"));
}

}  // namespace

int list_command(const ListOptions& options) {
  LoadedPrograms loaded;
  const bool whole = options.what == "rules" && !options.names.empty();
  if (options.what == "programs" || whole) loaded = load_programs({options.corpus});
  Json list = options.what == "rules"      ? rules()
              : options.what == "laws"     ? laws()
              : options.what == "ops"      ? ops()
              : options.what == "profiles" ? profiles()
              : options.what == "errors"   ? errors()
              : options.what == "programs" ? programs(loaded)
                                           : implementations();
  if (!options.names.empty()) list = selected(options.what, list, options.names);
  if (whole) add_evidence(list, loaded, load_waivers_or(options.waivers, options.corpus, today()));
  std::string text;
  for (const Json& entry : list) text += whole ? whole_rule(entry) : text_of(options.what, entry);
  if (options.what == "ops") text += count_of_meanings(list);
  print_result(text, list.dump(2) + "\n", options.json);
  for (const Problem& problem : loaded.problems) fmt::print(stderr, "{}", problem_text(problem));
  return loaded.problems.empty() ? 0 : kExitUsage;
}

}  // namespace plumbline::cli
