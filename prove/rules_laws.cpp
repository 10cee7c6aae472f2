// Reading what the sweep has for each law, and writing it as Markdown.
#include "prove/rules_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "prove/rules_page.h"
#include "prove/rules_text.h"
#include "spec/rules/catalogue.h"

namespace plumbline::prove {

namespace {

constexpr const char* kHeaders[] = {"sweep/judging.h", "sweep/judge.h"};
constexpr const char* kJudges[] = {"sweep/judge.cpp", "sweep/judge_elements.cpp"};
constexpr const char* kFaults = "sweep/selftest/faults.py";
constexpr const char* kMeasured = "docs/measured/sweep_2.13.json";

constexpr const char* kSection =
    "A law holds of every operator, whatever it computes. No judge is asked for it: so it has no obligation, no mutant "
    "and no program, and cannot be\nflipped. `plumbline sweep` holds the operators of an implementation to it "
    "([SWEEP.md](SWEEP.md)).\n\n"
    "- **held by**: the function of the sweep that judges by the law.\n"
    "- **planted faults**: kernels of `plumbline selftest --sweep` that break this law and no other; the sweep must "
    "report each.\n";

/// How many operators have a finding of this law.
std::size_t broken_in(const nlohmann::json& findings, const std::string& id) {
  std::set<std::string> operators;
  if (!findings.contains(id)) return 0;
  for (const auto& [what, found] : findings.at(id).items())
    for (const auto& [name, detail] : found.items()) operators.insert(name);
  return operators.size();
}

void read_measured_sweep(const std::string& root, Laws& laws) {
  const std::string path = root + "/" + kMeasured;
  try {
    const nlohmann::json json = nlohmann::json::parse(whole_file(path));
    laws.version = json.at("version").get<std::string>();
    const auto measured = json.at("laws").get<std::map<std::string, std::string>>();
    const auto unjudged = json.at("unjudged").get<std::set<std::string>>();
    for (LawRow& row : laws.rows) {
      const std::string id = row.rule->id();
      row.broken = broken_in(json.at("findings"), id);
      row.unjudged = unjudged.contains(id);
      const auto found = measured.find(id);
      if (found == measured.end() || found->second != row.rule->text().sentence)
        laws.problems.push_back(
            fmt::format("{}: measured before the rule {} had this sentence; run a sweep with --json "
                        "REPORT, then docs/measured/sweep_findings.py REPORT",
                        kMeasured, id));
    }
    for (const auto& [id, sentence] : measured)
      if (std::ranges::none_of(laws.rows, [&](const LawRow& row) { return row.rule->id() == id; }))
        laws.problems.push_back(fmt::format("{}: the rule {} no longer exists", kMeasured, id));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}; docs/measured/sweep_findings.py writes it", path, error.what()));
  }
}

std::string verdict_cell(const LawRow& row) {
  if (row.unjudged) return "not judged: it lacks the setting";
  if (row.broken == 0) return "no operator breaks it";
  return fmt::format("{} operator{} it", row.broken, row.broken == 1 ? " breaks" : "s break");
}

}  // namespace

std::map<std::string, std::string> judges_in(const std::string& header) {
  static const std::regex id(R"(\bOP-[0-9]{2}\b)");
  static const std::regex declared(R"((\w+)\([^)]*\)( const)?;)");
  std::map<std::string, std::string> judges;
  std::vector<std::string> waiting;  // the laws of a comment whose function comes below
  std::istringstream lines(header);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t comment = line.find("///");
    if (comment != std::string::npos)
      for (std::sregex_iterator at(line.begin() + static_cast<std::ptrdiff_t>(comment), line.end(), id), end; at != end;
           ++at)
        waiting.push_back(at->str());
    std::smatch function;
    const std::string code = line.substr(0, comment);
    if (std::regex_search(code, function, declared))
      for (const std::string& law : waiting) judges.emplace(law, function[1].str());
    if (code.find_first_not_of(' ') != std::string::npos) waiting.clear();
  }
  return judges;
}

std::map<std::string, std::vector<std::string>> faults_in(const std::string& python) {
  static const std::regex kernel(R"(^def fault_([0-9]{2})_(\w+)\()");
  std::map<std::string, std::vector<std::string>> faults;
  std::istringstream lines(python);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (!std::regex_search(line, found, kernel)) continue;
    std::string words = found[2].str();
    std::ranges::replace(words, '_', ' ');
    faults["OP-" + found[1].str()].push_back(words);
  }
  return faults;
}

Laws read_laws(const std::string& root) {
  std::map<std::string, std::string> judges;
  for (const char* header : kHeaders) judges.merge(judges_in(whole_file(root + "/" + header)));
  const auto faults = faults_in(whole_file(root + "/" + kFaults));
  Laws laws;
  for (const Rule* rule : kLawRules) {
    LawRow row{rule, judges[rule->id()], {}, {}};
    for (const char* file : kJudges)
      if (row.code.text.empty()) row.code = cut_function(file, whole_file(root + "/" + file), row.function);
    if (row.code.text.empty())
      laws.problems.push_back(fmt::format(
          "{}: the comment of no function that {} defines names the law; see 'Each function judges by the laws'",
          rule->id(), fmt::join(kJudges, " or ")));
    if (const auto found = faults.find(rule->id()); found != faults.end()) row.faults = found->second;
    if (row.faults.empty())
      laws.problems.push_back(fmt::format("{}: {} plants no fault that breaks the law", rule->id(), kFaults));
    laws.rows.push_back(std::move(row));
  }
  read_measured_sweep(root, laws);
  return laws;
}

std::string laws_markdown(const Laws& laws) {
  std::string text = fmt::format(
      "\n## OP: {}\n\n{}- **libtorch-{}**: how many of its public operators break the law "
      "([FINDINGS.md](FINDINGS.md)), "
      "as `{}` has it.\n\n| rule | sentence | held by | planted faults | libtorch-{} |\n|---|---|---|---|---|\n",
      subject_of(Family::OP), kSection, laws.version, kMeasured, laws.version);
  for (const LawRow& row : laws.rows) {
    const std::string id = row.rule->id();
    text += fmt::format("| [{}](rules/{}.md) | {} | the sweep: [`{}`](../{}) | {} | {} |\n", id, id,
                        escaped_cell(row.rule->text().sentence), row.function, row.code.file, row.faults.size(),
                        verdict_cell(row));
  }
  return text;
}

std::string law_page(const Laws& laws, const LawRow& row, const PageSources& sources) {
  const std::string id = row.rule->id();
  std::string text = rule_head(*row.rule, sources, "Misreading, which the sweep tells from the law");
  text += fmt::format("{} The sweep judges by it in {}:\n\n```cpp\n{}```\n", defined_in(sources, id),
                      file_link(row.code.file), row.code.text);
  text += fmt::format(
      "\n## What holds it\n\nThe sweep: no judge is asked for a law, so there is no obligation, no mutant, no program "
      "and "
      "no `--flip {}`.\n`plumbline sweep --on NAME` holds the operators of an implementation to it "
      "([SWEEP.md](../SWEEP.md)), and\n`plumbline list laws {}` prints the operators that are exempt, and why. "
      "`plumbline selftest --sweep` must report each of\nthese kernels of {} under this law alone:\n\n",
      id, id, file_link(kFaults));
  for (const std::string& fault : row.faults) text += fmt::format("- {}\n", fault);
  text += fmt::format(
      "\n## Verdicts\n\nOf the public operators ([FINDINGS.md](../FINDINGS.md) has the causes):\n\n"
      "| implementation | verdict |\n|---|---|\n| libtorch-{} | {} |\n",
      laws.version, verdict_cell(row));
  return text;
}

}  // namespace plumbline::prove
