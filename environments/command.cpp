// The actions of `plumbline env`.
#include "environments/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "environments/folders.h"
#include "environments/make.h"
#include "language/refusal.h"
#include "support/exit_codes.h"
#include "support/files.h"

namespace plumbline::environments {

namespace {

using Json = nlohmann::ordered_json;

/// Those that the command line names, or all. Throws std::invalid_argument for an unknown one.
std::vector<Environment> asked(const std::vector<std::string>& names, const Implementations& known) {
  std::vector<std::string> all;
  for (const Environment& one : known.environments) all.push_back(one.name);
  std::vector<Environment> found;
  for (const std::string& name : names.empty() ? all : names) {
    const Environment* one = known.environment(name);
    if (one == nullptr)
      throw std::invalid_argument(fmt::format("unknown environment '{}'. {} `plumbline env list` lists them", name,
                                              program::did_you_mean(name, all, "")));
    found.push_back(*one);
  }
  return found;
}

/// The exit code of one.
int add_one(const Environment& environment, const Options& options, const Implementations& known,
            const Places& places) {
  try {
    make(environment, places.environments, options.python);
  } catch (const Interrupted&) {
    fmt::print(stderr, "plumbline env: interrupted; {} is as it was before\n", environment.name);
    return kExitInterrupted;
  } catch (const Failed& failure) {
    fmt::print(stderr, "plumbline env: {} was not made: {}\n", environment.name, failure.what());
    return kExitHarness;
  }
  return start_each(environment, known, places) ? 0 : kExitDivergent;
}

int add(const std::vector<Environment>& wanted, const Options& options, const Implementations& known,
        const Places& places) {
  const Lock lock(places.environments);
  int worst = 0;
  for (const Environment& environment : wanted) {
    worst = std::max(worst, add_one(environment, options, known, places));
    if (worst == kExitInterrupted) break;
  }
  return worst;
}

int remove_each(const std::vector<Environment>& wanted, const Places& places) {
  const Lock lock(places.environments);
  bool removed = false;
  for (const Environment& environment : wanted) {
    const bool was_here = remove(places.environments, environment.name);
    fmt::print("{} {}\n", environment.name, was_here ? "is removed" : "is not here");
    removed = removed || was_here;
  }
  return removed ? 0 : kExitNothing;
}

/// The pinned packages, each with the version that is installed; null where there is none.
Json packages_of(const Environment& environment, const Versions& installed) {
  Json list = Json::array();
  for (const std::string& package : environment.packages) {
    const std::size_t equals = package.find("==");
    const std::string name = package.substr(0, equals);
    const auto found = installed.find(normal(name.substr(0, name.find('['))));
    list.push_back({{"name", name},
                    {"pinned", package.substr(equals + 2)},
                    {"installed", found == installed.end() ? Json() : Json(found->second)}});
  }
  return list;
}

Json json_of(const Environment& environment, const Implementations& known, const Places& places) {
  const auto folder = folder_of(places.environments, environment.name);
  Json one{{"name", environment.name}, {"here", folder.has_value()}};
  if (folder) one.update({{"folder", (places.environments / environment.name).string()}, {"bytes", size_of(*folder)}});
  if (!folder) one["why"] = fmt::format("it was not made yet; make it: plumbline env add {}", environment.name);
  const auto installed = folder ? installed_in(*folder) : std::nullopt;
  if (folder && !installed) one["why"] = "its versions are unknown, because plumbline env did not make it";
  one["packages"] = packages_of(environment, installed.value_or(Versions()));
  one["implementations"] = Json::array();
  for (const NamedImplementation& i : known.implementations)
    if (i.environment == environment.name) one["implementations"].push_back(i.name);
  return one;
}

/// "torch 2.9.0", or what differs from the pinned version.
std::string package_text(const Json& package, bool is_known) {
  const auto name = package["name"].get<std::string>();
  const auto pinned = package["pinned"].get<std::string>();
  if (!is_known) return fmt::format("{} {}", name, pinned);
  if (package["installed"].is_null()) return fmt::format("no {} (pinned: {})", name, pinned);
  const auto installed = package["installed"].get<std::string>();
  // A build for one kind of machine, "2.9.0+cpu", is the version that is pinned.
  if (installed.substr(0, installed.find('+')) == pinned.substr(0, pinned.find('+')))
    return fmt::format("{} {}", name, installed);
  return fmt::format("{} {} (pinned: {})", name, installed, pinned);
}

std::string text_of(const Json& one) {
  constexpr double kMegabyte = 1e6;
  const bool here = one["here"].get<bool>();
  std::vector<std::string> packages;
  const bool is_known = here && !one.contains("why");
  for (const Json& package : one["packages"]) packages.push_back(package_text(package, is_known));
  const std::string size = here ? fmt::format("{:.0f} MB", one["bytes"].get<double>() / kMegabyte) : "";
  return fmt::format("{:<12} {:<9} {:>8}  {}\n", one["name"].get<std::string>(), here ? "here" : "not here", size,
                     fmt::join(packages, ", ")) +
         (here && !is_known ? fmt::format("  {}\n", one["why"].get<std::string>()) : "");
}

int list(const std::vector<Environment>& wanted, const Options& options, const Implementations& known,
         const Places& places) {
  Json json = Json::array();
  std::string text;
  for (const Environment& environment : wanted) {
    json.push_back(json_of(environment, known, places));
    text += text_of(json.back());
  }
  text += fmt::format("  in {}; make one: plumbline env add NAME\n", places.environments.string());
  print_result(text, json.dump(2) + "\n", options.json);
  return 0;
}

}  // namespace

int env_command(const Options& options, const Implementations& known, const Places& places) {
  std::vector<Environment> wanted;
  try {
    wanted = asked(options.names, known);
  } catch (const std::invalid_argument& unknown) {
    fmt::print(stderr, "plumbline env: {}\n", unknown.what());
    return kExitUsage;
  }
  if (options.action == "add") return add(wanted, options, known, places);
  if (options.action == "remove") return remove_each(wanted, places);
  return list(wanted, options, known, places);
}

}  // namespace plumbline::environments
