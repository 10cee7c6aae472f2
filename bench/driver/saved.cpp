// A saved measurement: its report, and a copy of the runner that made it.
#include "bench/driver/saved.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "bench/driver/launch.h"
#include "support/files.h"
#include "support/siblings.h"

namespace plumbline::bench {

namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr const char* kReport = "report.json";
constexpr const char* kRunner = "runner";
constexpr std::uintmax_t kLongest = std::uintmax_t{256} << 20;
constexpr std::int64_t kNanoseconds = 1'000'000'000;

std::string text_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) throw SavedError(fmt::format("{} cannot be read: {}", path.string(), error.message()));
  if (size > kLongest) throw SavedError(fmt::format("{} is not a saved report: it has {} bytes", path.string(), size));
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw SavedError(fmt::format("{} cannot be read", path.string()));
  return text.str();
}

double number(const Json& json, const char* what) {
  if (!json.is_number() || !std::isfinite(json.get<double>()) || json.get<double>() < 0)
    throw std::runtime_error(fmt::format("{} is {}, not a number of at least 0", what, json.dump().substr(0, 40)));
  return json.get<double>();
}

SavedCase case_of(const Json& json) {
  SavedCase one;
  if (!json.is_object() || !json.contains("ns") || !json["ns"].is_array())
    throw std::runtime_error("it has no list `ns` of nanoseconds");
  for (const Json& ns : json["ns"]) one.ns.push_back(number(ns, "a time in `ns`"));
  if (json.contains("instructions") && !json["instructions"].is_null())
    one.instructions = number(json["instructions"], "`instructions`");
  return one;
}

std::string string_of(const Json& json, const char* key) {
  if (!json.contains(key) || !json[key].is_string())
    throw std::runtime_error(fmt::format("it has no string `{}`", key));
  return json[key];
}

Saved saved_of(const Json& json) {
  if (!json.is_object() || json.value("plumbline_bench", Json()) != kFormat)
    throw std::runtime_error(fmt::format("it has no \"plumbline_bench\": {}", kFormat));
  if (string_of(json, "kind") != "samples")
    throw std::runtime_error(fmt::format("it is a {}; make a report to compare with by `plumbline bench --save NAME`",
                                         string_of(json, "kind")));
  Saved saved;
  saved.implementation = string_of(json, "implementation");
  saved.side = string_of(json, "side");
  saved.cpu = string_of(json, "cpu");
  saved.when = string_of(json, "when");
  saved.libraries = json.value("libraries", Json::array());
  saved.runner = json.value("runner", "");
  if (!json.contains("cases") || !json["cases"].is_object()) throw std::runtime_error("it has no object `cases`");
  for (const auto& [id, one] : json["cases"].items()) {
    try {
      saved.cases[id] = case_of(one);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error(fmt::format("case {}: {}", id, error.what()));
    }
  }
  if (saved.cases.empty()) throw std::runtime_error("it has no case");
  return saved;
}

Json json_of(const Saved& saved) {
  Json cases = Json::object();
  for (const auto& [id, one] : saved.cases) {
    cases[id] = {{"ns", one.ns}};
    if (one.instructions) cases[id]["instructions"] = *one.instructions;
  }
  return {{"plumbline_bench", kFormat},
          {"kind", "samples"},
          {"implementation", saved.implementation},
          {"side", saved.side},
          {"cpu", saved.cpu},
          {"when", saved.when},
          {"runner", saved.runner},
          {"libraries", saved.libraries},
          {"cases", cases}};
}

bool unchanged(const Json& library) {
  struct stat status{};
  const std::string path = library.value("path", "");
  return stat(path.c_str(), &status) == 0 && library.value("bytes", std::int64_t{-1}) == status.st_size &&
         library.value("changed_ns", std::int64_t{-1}) == status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec;
}

}  // namespace

fs::path default_store() { return executable_folder().parent_path() / "bench-saved"; }

void check_name(const std::string& name) {
  const auto fits = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  if (name.empty() || name.size() > 100 || name.front() == '.' || !std::ranges::all_of(name, fits))
    throw SavedError(
        fmt::format("'{}' is not a name to save under; use letters, digits, -, _ and ., as in before-1.2", name));
  if (is_implementation(name) || name.ends_with(".json"))
    throw SavedError(fmt::format("--against would take '{}' for something else; choose another name", name));
}

void save(const fs::path& store, const std::string& name, const Saved& saved, const std::string& runner) {
  const fs::path folder = store / name;
  const fs::path made = store / fmt::format(".{}-{}", name, getpid());
  try {
    fs::create_directories(made);
    Saved kept = saved;
    if (!runner.empty()) {
      fs::copy_file(runner, made / kRunner, fs::copy_options::overwrite_existing);
      kept.runner = kRunner;
    }
    write_file(made / kReport, json_of(kept).dump(1) + "\n");
    fs::remove_all(folder);
    fs::rename(made, folder);
  } catch (const fs::filesystem_error& error) {
    throw std::runtime_error(fmt::format("cannot save to {}: {}; give a folder that you may write with --store",
                                         folder.string(), error.code().message()));
  }
}

Saved load(const fs::path& path) {
  const fs::path file = fs::is_directory(path) ? path / kReport : path;
  const std::string text = text_of(file);
  try {
    Saved saved = saved_of(Json::parse(text));
    if (!saved.runner.empty()) saved.runner = file.parent_path() / fs::path(saved.runner).filename();
    return saved;
  } catch (const std::exception& error) {
    throw SavedError(fmt::format("{} is not a saved report: {}", file.string(), error.what()));
  }
}

std::vector<std::string> saved_names(const fs::path& store) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(store, none))
    if (fs::exists(entry.path() / kReport) && entry.path().filename().string().front() != '.')
      names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

std::string why_not_runnable(const Saved& saved) {
  if (saved.runner.empty()) return "no runner was saved with it";
  if (access(saved.runner.c_str(), X_OK) != 0) return fmt::format("{} is not an executable file", saved.runner);
  for (const Json& library : saved.libraries)
    if (!unchanged(library)) return fmt::format("{} has changed since", library.value("path", "a library"));
  return {};
}

}  // namespace plumbline::bench
