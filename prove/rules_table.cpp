// Making the cells of the table of rules, and checking measurements and reasons against the sources.
#include "prove/rules_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace plumbline::prove {

namespace {

constexpr const char* kRefresh = "run docs/measured/refresh.py";
constexpr std::size_t kNamed = 2;  ///< up to this many obligations of a rule are named; more are counted by group

template <class Range, class Value>
bool contains(const Range& range, const Value& value) {
  return std::ranges::find(range, value) != range.end();
}

/// The facts about one rule.
struct OfRule {
  std::string id;
  const Rule* rule = nullptr;
  std::vector<const ObligationFact*> obligations;
  std::vector<const ProgramFact*> programs;
};

OfRule of_rule(const Rule& rule, const Facts& facts) {
  OfRule of{rule.id(), &rule, {}, {}};
  for (const ObligationFact& one : facts.obligations)
    if (contains(one.rules, of.id)) of.obligations.push_back(&one);
  for (const ProgramFact& one : facts.programs)
    if (contains(one.rules, of.id)) of.programs.push_back(&one);
  return of;
}

/// Adds "3 pass" and the like, unless the number is 0.
void add(std::string& text, std::int64_t n, std::string_view what) {
  if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
}

/// "2: lemma.a, lemma.b", or the groups with their numbers: "45: heap 40, refinement 5".
std::string obligations_cell(const OfRule& of) {
  if (of.obligations.empty()) return "";
  std::vector<std::string> parts;
  if (of.obligations.size() <= kNamed) {
    for (const ObligationFact* one : of.obligations) parts.push_back(one->name);
  } else {
    std::vector<std::pair<std::string, std::size_t>> groups;
    for (const ObligationFact* one : of.obligations) {
      const std::string group = one->name.substr(0, one->name.find('.'));
      auto found = std::ranges::find(groups, group, &std::pair<std::string, std::size_t>::first);
      if (found == groups.end()) found = groups.emplace(groups.end(), group, 0);
      ++found->second;
    }
    for (const auto& [group, n] : groups) parts.push_back(fmt::format("{} {}", group, n));
  }
  return fmt::format("{}: {}", of.obligations.size(), fmt::join(parts, ", "));
}

std::string vacuity_cell(const OfRule& of, const Measured& measured) {
  if (of.obligations.empty()) return "";
  std::int64_t vacuous = 0;
  for (const ObligationFact* one : of.obligations) {
    const auto found = measured.proofs.find(one->name);
    vacuous += found != measured.proofs.end() && contains(found->second.vacuous, true) ? 1 : 0;
  }
  return fmt::format("{} of {}", vacuous, of.obligations.size());
}

std::string mutants_cell(const OfRule& of, const Measured& measured) {
  const auto found = measured.mutants.find(of.id);
  if (found == measured.mutants.end() || found->second.mutants == 0) return "";
  std::string text;
  add(text, found->second.killed, "by proof");
  add(text, found->second.falls, "by program");
  add(text, found->second.misreading, "misreading");
  add(text, found->second.explained, "explained");
  add(text, found->second.open(), "OPEN");
  return fmt::format("{}: {}", found->second.mutants, text);
}

std::string hits_cell(const OfRule& of, const Measured& measured) {
  std::string text;
  const auto look = [&](const MeasuredFuzzing& fuzzing, std::string_view what) {
    if (const auto found = fuzzing.rules.find(of.id); found != fuzzing.rules.end()) add(text, found->second.hit, what);
  };
  look(measured.tensors, "tensor");
  look(measured.dispatcher, "dispatcher");
  look(measured.transforms, "mapped");
  look(measured.functionalize, "body");
  return text;
}

/// The verdicts of the solver and the reference on a rule in a profile; equal if all verdicts are.
struct InProfile {
  std::vector<proofs::Verdict> proofs;
  std::vector<Verdict> programs;
  bool varies = false;
  bool operator==(const InProfile&) const = default;
};

InProfile in_profile(const OfRule& of, const Measured& measured, Profile profile) {
  const auto p = static_cast<std::size_t>(profile);
  InProfile in;
  in.varies = of.rule->variant(profile) != nullptr;
  for (const ObligationFact* one : of.obligations)
    if (const auto found = measured.proofs.find(one->name); found != measured.proofs.end())
      in.proofs.push_back(found->second.verdicts.at(p));
  for (const ProgramFact* one : of.programs) in.programs.push_back(one->fared.at(p));
  return in;
}

/// For `sound`, all verdicts; for another profile, the verdicts that differ from `sound`.
std::string profile_cell(const OfRule& of, const Measured& measured, Profile profile) {
  const InProfile sound = in_profile(of, measured, Profile::sound);
  const InProfile in = in_profile(of, measured, profile);
  if (in.proofs.empty() && in.programs.empty() && !in.varies) return "";
  const bool all = profile == Profile::sound;
  if (!all && in == sound) return "as sound";
  std::map<proofs::Verdict, std::int64_t> proofs;
  for (std::size_t i = 0; i < in.proofs.size(); ++i)
    if (all || in.proofs[i] != sound.proofs[i]) ++proofs[in.proofs[i]];
  std::map<Verdict, std::int64_t> programs;
  for (std::size_t i = 0; i < in.programs.size(); ++i)
    if (all || in.programs[i] != sound.programs[i]) ++programs[in.programs[i]];
  std::string text;
  add(text, proofs[proofs::Verdict::proved], all ? "proved" : "hold");
  add(text, proofs[proofs::Verdict::refuted], all ? "refuted" : "fail");
  add(text, proofs[proofs::Verdict::unknown], "unknown");
  add(text, programs[Verdict::pass], "pass");
  add(text, programs[Verdict::unspecified], "free");
  add(text, programs[Verdict::divergent], "departs");
  add(text, programs[Verdict::unsupported], "unsupported");
  add(text, programs[Verdict::unknown], "unknown");
  add(text, programs[Verdict::harness_error], "FAILED");
  return fmt::format("{}{}{}", in.varies ? "**variant**" : "", in.varies && !text.empty() ? " " : "", text);
}

std::string implementation_cell(const std::map<std::string, MeasuredVerdicts>& rules, const std::string& id) {
  const auto found = rules.find(id);
  std::string text;
  if (found == rules.end()) return text;
  for (const std::string_view word : kVerdictWords)
    if (const auto count = found->second.find(std::string(word)); count != found->second.end())
      add(text, count->second, word == "unspecified" ? "free" : word);
  return text;
}

std::vector<std::string> cells_of(const OfRule& of, const Measured& measured) {
  std::vector<std::string> cells{obligations_cell(of), vacuity_cell(of, measured), mutants_cell(of, measured),
                                 of.programs.empty() ? "" : std::to_string(of.programs.size()),
                                 hits_cell(of, measured)};
  for (const ProfileInfo& info : kProfiles) cells.push_back(profile_cell(of, measured, info.profile));
  for (const auto& [name, rules] : measured.verdicts) cells.push_back(implementation_cell(rules, of.id));
  return cells;
}

/// Finds missing numbers in a measured file, and numbers for things that no longer exist.
class Staleness {
 public:
  Staleness(const Facts& facts, std::vector<std::string>& problems) : problems_(problems) {
    for (const Rule* rule : facts.rules) ids_.insert(rule->id());
  }

  template <class Map>
  void rules(const std::string& file, const Map& measured) {
    std::set<std::string> keys;
    for (const auto& [id, value] : measured) keys.insert(id);
    names(file, "rule", ids_, keys);
  }
  void names(const std::string& file, const std::string& what, const std::set<std::string>& there,
             const std::set<std::string>& measured) {
    for (const std::string& name : there)
      if (!measured.contains(name)) problem(file, fmt::format("measured before the {} {} existed", what, name));
    for (const std::string& name : measured)
      if (!there.contains(name)) problem(file, fmt::format("the {} {} no longer exists", what, name));
  }
  void problem(const std::string& file, const std::string& what) {
    problems_.push_back(fmt::format("docs/measured/{}: {}; {}", file, what, kRefresh));
  }
  const std::set<std::string>& ids() const { return ids_; }

 private:
  std::vector<std::string>& problems_;
  std::set<std::string> ids_;
};

void check_proofs(const Facts& facts, const Measured& measured, Staleness& staleness) {
  std::set<std::string> there;
  std::set<std::string> keys;
  for (const ObligationFact& one : facts.obligations) there.insert(one.name);
  for (const auto& [name, proof] : measured.proofs) keys.insert(name);
  staleness.names("proofs.json", "obligation", there, keys);
  for (const ObligationFact& one : facts.obligations) {
    const auto found = measured.proofs.find(one.name);
    if (found == measured.proofs.end()) continue;
    for (const ProfileInfo& info : kProfiles) {
      const auto p = static_cast<std::size_t>(info.profile);
      if (found->second.verdicts.at(p) != one.expected.at(p) || found->second.vacuous.at(p))
        staleness.problem("proofs.json",
                          fmt::format("{} is {} in {}", one.name,
                                      found->second.vacuous.at(p) ? "vacuous" : "not as expected", info.name));
    }
  }
}

void check_flips(const Facts& facts, const Measured& measured, Staleness& staleness) {
  staleness.rules("flips.json", measured.flips);
  for (const Rule* rule : facts.rules) {
    const auto found = measured.flips.find(rule->id());
    if (found == measured.flips.end()) continue;
    const std::size_t asked = of_rule(*rule, facts).obligations.size();
    if (static_cast<std::size_t>(found->second.asked) != asked)
      staleness.problem("flips.json", fmt::format("{} obligations asked {} when it was measured, now {}",
                                                  found->second.asked, rule->id(), asked));
    for (const std::string& name : found->second.fallen)
      if (!measured.proofs.contains(name))
        staleness.problem("flips.json", fmt::format("the obligation {} no longer exists", name));
  }
}

void check_measurements(const Facts& facts, const Measured& measured, std::vector<std::string>& problems) {
  Staleness staleness(facts, problems);
  check_proofs(facts, measured, staleness);
  check_flips(facts, measured, staleness);
  auto fuzzed = measured.tensors.rules;
  for (const MeasuredFuzzing* more : {&measured.dispatcher, &measured.transforms, &measured.functionalize})
    fuzzed.insert(more->rules.begin(), more->rules.end());
  staleness.rules("fuzz.json", fuzzed);
  staleness.rules("mutants.json", measured.mutants);
  for (const auto& [id, mutants] : measured.mutants)
    if (mutants.open() > 0)
      problems.push_back(
          fmt::format("docs/measured/mutants.json: {} has {} mutants that nothing notices and no reason explains; see "
                      "plumbline prove --mutants --rule {}",
                      id, mutants.open(), id));
  for (const auto& [name, rules] : measured.verdicts) {
    staleness.rules("verdicts.json", rules);
    for (const Rule* rule : facts.rules) {
      const OfRule of = of_rule(*rule, facts);
      const auto found = rules.find(of.id);
      if (found == rules.end() || found->second.empty()) continue;  // an empty cell: it needs a reason
      std::int64_t n = 0;
      for (const auto& [word, count] : found->second) n += count;
      if (n != static_cast<std::int64_t>(of.programs.size()))
        staleness.problem("verdicts.json", fmt::format("{} programs named {} when {} was measured, now {}", n, of.id,
                                                       name, of.programs.size()));
    }
  }
}

/// The reasons, cell by cell: the written ones and the fuzzer's own.
class Reasons {
 public:
  Reasons(const Facts& facts, const Measured& measured, RulesTable& table) : measured_(measured), table_(table) {
    std::set<std::string> ids;
    for (const Rule* rule : facts.rules) ids.insert(rule->id());
    for (std::size_t i = 0; i < measured.reasons.size(); ++i) {
      for (const std::string& id : measured.reasons[i].rules)
        if (!ids.contains(id)) problem(i, fmt::format("unknown rule {}", id));
      for (const std::string& column : measured.reasons[i].columns)
        if (!contains(table.columns, column))
          problem(i, fmt::format("unknown column '{}'; the columns are {}", column, fmt::join(table.columns, ", ")));
    }
  }

  void fill(RulesRow& row) {
    const std::string id = row.rule->id();
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      RulesCell& cell = row.cells[c];
      const std::string& column = table_.columns[c];
      const std::vector<std::size_t> written = written_for(id, column);
      if (!cell.text.empty()) {
        for (const std::size_t i : written)
          problem(i, fmt::format("{}'s {} is not empty ({}), so it needs no reason", id, column, cell.text));
        continue;
      }
      const std::string own = column == "hits" ? out_of_reach(id) : "";
      for (std::size_t n = own.empty() ? 1 : 0; n < written.size(); ++n)
        problem(written[n], fmt::format("{}'s {} already has a reason", id, column));
      if (!own.empty())
        cell.reason = number_of(own);
      else if (!written.empty())
        take(row, cell, measured_.reasons[written.front()]);
      else
        table_.problems.push_back(
            fmt::format("docs/RULES.md: {}'s {} is empty; docs/measured/refresh.py measures it. If it stays empty, "
                        "write the reason into docs/measured/reasons.json",
                        id, column));
    }
  }

 private:
  void take(RulesRow& row, RulesCell& cell, const Reason& reason) {
    cell.reason = number_of(reason.reason);
    if (!reason.unproved || row.unproved) return;
    row.unproved = reason.unproved;
    const std::string_view name = text_of(*reason.unproved).name;
    const std::string_view choice = row.rule->text().choice;
    if (choice.empty() ? is_choice(*reason.unproved) : name != fmt::format("{}'s choice", choice))
      problem(static_cast<std::size_t>(&reason - measured_.reasons.data()),
              fmt::format("the reason '{}' of {} does not fit its text, whose .choice is \"{}\"", name, row.rule->id(),
                          choice));
  }
  std::vector<std::size_t> written_for(const std::string& id, const std::string& column) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < measured_.reasons.size(); ++i)
      if (contains(measured_.reasons[i].rules, id) && contains(measured_.reasons[i].columns, column))
        found.push_back(i);
    return found;
  }
  std::string out_of_reach(const std::string& id) const {
    for (const MeasuredFuzzing* fuzzing :
         {&measured_.tensors, &measured_.dispatcher, &measured_.transforms, &measured_.functionalize})
      if (const auto found = fuzzing->rules.find(id); found != fuzzing->rules.end())
        if (!found->second.out_of_reach.empty()) return found->second.out_of_reach;
    return "";
  }
  std::size_t number_of(const std::string& reason) {
    const auto found = std::ranges::find(table_.reasons, reason);
    if (found != table_.reasons.end()) return static_cast<std::size_t>(found - table_.reasons.begin());
    table_.reasons.push_back(reason);
    return table_.reasons.size() - 1;
  }
  void problem(std::size_t entry, const std::string& what) {
    table_.problems.push_back(fmt::format("docs/measured/reasons.json: entry {}: {}", entry + 1, what));
  }

  const Measured& measured_;
  RulesTable& table_;
};

}  // namespace

RulesTable rules_table(const Facts& facts, const Measured& measured) {
  RulesTable table;
  for (const std::string_view column : kFixedColumns) table.columns.emplace_back(column);
  for (const ProfileInfo& info : kProfiles) table.columns.emplace_back(info.name);
  for (const auto& [name, rules] : measured.verdicts) table.columns.push_back(name);
  check_measurements(facts, measured, table.problems);
  Reasons reasons(facts, measured, table);
  for (const Rule* rule : facts.rules) {
    RulesRow row{rule, {}, {}};
    for (std::string& text : cells_of(of_rule(*rule, facts), measured)) row.cells.push_back({std::move(text), {}});
    reasons.fill(row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace plumbline::prove
