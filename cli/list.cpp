// `plumbline list`: the rules, programs, ops, profiles, errors or implementations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "adapters/reference/reference.h"
#include "cli/commands.h"
#include "cli/programs.h"
#include "oracle/report/text.h"
#include "oracle/verdict.h"
#include "spec/ops/ops.h"
#include "spec/rules/catalogue.h"
#include "spec/vocabulary/errors.h"
#include "support/siblings.h"

namespace plumbline::cli {

namespace {

using Json = nlohmann::ordered_json;

Json rules() {
  Json list = Json::array();
  for (const Rule* rule : kAllRules) {
    Json variants = Json::array();
    for (const Variant& v : rule->variants)
      if (!v.sentence.empty())
        variants.push_back(
            {{"profile", name_of(v.profile)}, {"sentence", v.sentence}, {"source", v.source}, {"breaks", v.breaks}});
    list.push_back({{"id", rule->id()},
                    {"sentence", rule->sentence},
                    {"source", rule->source},
                    {"misreading", rule->misreading},
                    {"variants", variants}});
  }
  return list;
}

Json ops() {
  constexpr std::array<std::string_view, 6> kKinds{"Factory", "Functional", "View", "Inplace", "InplaceView", "Out"};
  constexpr std::array<std::string_view, 6> kAliases{"never", "always", "may", "self", "argument", "out"};
  Json list = Json::array();
  for (const Op& op : op_table())
    list.push_back({{"name", qualified_name(op)},
                    {"kind", kKinds.at(static_cast<std::size_t>(op.kind))},
                    {"aliases", kAliases.at(static_cast<std::size_t>(op.aliases))},
                    {"schema", op.schema}});
  return list;
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

Json implementations() {
  Json list = Json::array(
      {{{"name", "reference"}, {"description", "the abstract machine that executes the rules of any profile"}}});
  list.push_back({{"name", kReferenceWithoutViews},
                  {"description",
                   "the reference whose functionalized bodies run without any view, as alias removal leaves them"}});
  list.push_back({{"name", "optimized"}, {"description", "Plumbline's fast runtime, written without the rules' code"}});
  for (const std::string& version : libtorch_versions(executable_folder()))
    list.push_back({{"name", fmt::format("libtorch-{}", version)},
                    {"description", fmt::format("PyTorch {}'s C++ library", version)}});
  list.push_back(
      {{"name", "process:CMD"}, {"description", "any command that speaks the protocol of docs/PROTOCOL.md"}});
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

/// An entry as one or more lines.
std::string text_of(const std::string& what, const Json& e) {
  const auto get = [&](const char* name) { return e[name].get<std::string>(); };
  if (what == "rules") {
    std::string text = fmt::format("{}  {}\n         source: {}\n         misreading: {}\n", get("id"), get("sentence"),
                                   get("source"), get("misreading"));
    for (const Json& v : e["variants"])
      text += fmt::format("         in {}: {}\n", v["profile"].get<std::string>(), v["sentence"].get<std::string>());
    return text;
  }
  if (what == "ops")
    return fmt::format("{:<22} {:<11} aliases {:<6}  {}\n", get("name"), get("kind"), get("aliases"), get("schema"));
  if (what == "errors")
    return fmt::format("{:<26} {} {}: {}\n", get("class"), get("versions"), get("exception"), get("message"));
  if (what == "programs")
    return fmt::format("{}:{} {}  {}\n", get("file"), e["line"].get<int>(), get("test"),
                       fmt::join(e["rules"].get<std::vector<std::string>>(), " "));
  return fmt::format("{:<18} {}\n", get("name"), get("description"));
}

}  // namespace

int list_command(const ListOptions& options) {
  LoadedPrograms loaded;
  if (options.what == "programs") loaded = load_programs({options.corpus});
  const Json list = options.what == "rules"      ? rules()
                    : options.what == "ops"      ? ops()
                    : options.what == "profiles" ? profiles()
                    : options.what == "errors"   ? errors()
                    : options.what == "programs" ? programs(loaded)
                                                 : implementations();
  if (options.json) {
    fmt::print("{}\n", list.dump(2));
  } else {
    for (const Json& entry : list) fmt::print("{}", text_of(options.what, entry));
  }
  for (const Problem& problem : loaded.problems) fmt::print(stderr, "{}", problem_text(problem));
  return loaded.problems.empty() ? 0 : kExitUsage;
}

}  // namespace plumbline::cli
