// Running the reference statement by statement, and trying what the misreading of each rule changes.
#include "oracle/explain/steps.h"

#include <algorithm>
#include <bitset>
#include <exception>
#include <optional>

#include "adapters/protocol/protocol.h"
#include "language/lower.h"
#include "language/parse.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"

namespace plumbline::explain {

namespace {

using reference::Judge;
using reference::State;
using Rules = std::bitset<Rule::kIndices>;

/// The state before a statement: everything that is needed to run it again.
struct Beginning {
  std::size_t statement = 0;
  State state;
  std::size_t depth = 0;  ///< the number of open guards that an error does not leave
};

std::vector<Reading> thread_of(const State& state) {
  std::vector<Reading> readings;
  for (int field = 0; field < kThreadFields; ++field)
    readings.push_back(reference::read_thread({}, state, static_cast<ThreadField>(field)));
  return readings;
}

/// A statement's outcome, and the state after it.
struct Ran {
  Outcome outcome;
  State state;
};

Ran rerun(const Judge& judge, const Script& script, const Beginning& from) {
  Ran ran{{}, from.state};
  ran.outcome = reference::step(judge, ran.state, script.statements[from.statement]);
  ran.outcome.statement = from.statement;
  if (ran.outcome.failure.error != ErrorClass::none) reference::unwind(judge, ran.state, from.depth);
  return ran;
}

/// Everything that can be seen of a statement: its outcome, and a snapshot and the log after it under `judge`.
std::string seen(const Judge& judge, Ran ran) {
  Trace trace;
  trace.outcomes.push_back(std::move(ran.outcome));
  trace.outcomes.push_back(reference::step(judge, ran.state, {Snapshot{}, 0}));
  trace.outcomes.push_back(reference::step(judge, ran.state, {ReadLog{}, 0}));
  return encode(trace);
}

/// Whether the misreading of a rule would have shown.
bool shows(const Rule& rule, const Judge& judge, const Script& script, const Beginning& from,
           const std::string& right) {
  Judge misread = judge;
  misread.decisions = nullptr;
  misread.flipped = &rule;
  try {
    return seen(judge, rerun(misread, script, from)) != right;
  } catch (const std::exception&) {  // the misreading reaches a state that no rule allows
    return true;
  }
}

Step step_of(Judge judge, const Script& script, const Beginning& from, const Rules& everyday) {
  Step step{from.statement, script.statements[from.statement].line, {}, {}, thread_of(from.state), {}, {}};
  Decisions decisions;
  decisions.calls = &step.calls;
  Judge recording = judge;
  recording.decisions = &decisions;
  Ran ran = rerun(recording, script, from);
  step.outcome = ran.outcome;
  step.behind = thread_of(ran.state);
  const std::string right = seen(judge, std::move(ran));
  for (const Rule* rule : kAskedRules) {
    if (!decisions.consulted.test(rule->index())) continue;
    Weight weight = Weight::agreed;
    if (decisions.mattered.test(rule->index())) {
      const bool seen_at_once = shows(*rule, judge, script, from, right);
      const bool everyday_too = everyday.test(rule->index());
      weight = !seen_at_once ? Weight::weighed : everyday_too ? Weight::everyday : Weight::decided;
    }
    step.rulings.push_back({rule, weight});
  }
  return step;
}

std::vector<Step> steps_of(const Judge& judge, const Script& script, const Rules& everyday, Trace& trace,
                           std::string& limit) {
  std::vector<Step> steps;
  try {
    trace = reference::run(judge, script, [&](std::size_t statement, const State& state, std::size_t depth) {
      steps.push_back(step_of(judge, script, {statement, state, depth}, everyday));
    });
  } catch (const reference::ReferenceLimit& reached) {
    limit = reached.what();
  }
  return steps;
}

/// The rules that decide in the everyday program.
const Rules& everyday_rules() {
  static const Rules rules = [] {
    const std::string source = "import torch\n\n\n" + std::string(everyday_program());
    const program::Test test = program::lower(program::parse(source, "the everyday program")).at(0);
    Trace trace;
    std::string limit;
    Rules decided;
    for (const Step& step : steps_of({}, test.script, {}, trace, limit))
      for (const Ruling& ruling : step.rulings)
        if (ruling.weight == Weight::decided) decided.set(ruling.rule->index());
    return decided;
  }();
  return rules;
}

/// The first outcome in which two runs differ; nothing: they are equal, or one is a part of the other.
std::optional<std::size_t> first_difference(const Trace& one, const Trace& other) {
  const auto same = [](const Outcome& a, const Outcome& b) { return encode(Trace{{a}}) == encode(Trace{{b}}); };
  const auto [at, there] = std::ranges::mismatch(one.outcomes, other.outcomes, same);
  if (at == one.outcomes.end() || there == other.outcomes.end()) return std::nullopt;
  return at->statement;
}

/// The ruling of a rule at a step; null: the step does not ask it.
const Ruling* ruling_of(const Step& step, const Rule* rule) {
  const auto at = std::ranges::find(step.rulings, rule, &Ruling::rule);
  return at == step.rulings.end() ? nullptr : &*at;
}

/// Gives each rule of the dispatcher that only weighed to the first statement that shows its misreading: what a table
/// holds is decided where a kernel is registered, and shown where an operator is called.
void add_late_rulings(Explanation& explanation, const Judge& judge, const Script& script) {
  for (const Rule* rule : kDispatchRules) {
    const auto has = [&](Weight weight) {
      return std::ranges::any_of(explanation.steps, [&](const Step& step) {
        const Ruling* ruling = ruling_of(step, rule);
        return ruling != nullptr && ruling->weight == weight;
      });
    };
    if (has(Weight::decided) || !has(Weight::weighed)) continue;
    Judge misread = judge;
    misread.flipped = rule;
    try {
      const auto shown = first_difference(explanation.trace, reference::run(misread, script));
      if (!shown) continue;
      Step& step = *std::ranges::find(explanation.steps, *shown, &Step::statement);
      std::erase_if(step.rulings, [&](const Ruling& ruling) { return ruling.rule == rule; });
      step.rulings.push_back({rule, Weight::decided});
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no rule allows the state, so it shows nothing
    }
  }
}

}  // namespace

Explanation explain(const Script& script, Profile profile) {
  Explanation explanation{.profile = profile, .steps = {}, .trace = {}, .limit = {}};
  explanation.steps = steps_of({.profile = profile}, script, everyday_rules(), explanation.trace, explanation.limit);
  if (explanation.limit.empty()) add_late_rulings(explanation, {.profile = profile}, script);
  return explanation;
}

std::vector<std::string> names_of_keys(std::uint64_t word) { return reference::key_names(KeySet<Concrete>::raw(word)); }

std::string_view everyday_program() {
  return "def test_everyday(device):\n"
         "    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)\n"
         "    y = torch.ones([2, 2], device=device)\n"
         "    z = x.add(y)\n"
         "    v = z.view([4])\n"
         "    v.add_(1)\n"
         "    assert z._version == 1\n"
         "    assert z.requires_grad is False\n"
         "    assert z.is_leaf is True\n"
         "    assert z.is_inference() is False\n";
}

}  // namespace plumbline::explain
