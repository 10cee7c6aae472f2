// Searches on the machine, writes the result as a script, asks the reference, and prints Python.
#include "prove/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "adapters/reference/reference.h"
#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "oracle/compare.h"
#include "oracle/lookup.h"
#include "reference/machine.h"
#include "spec/proofs/properties.h"

namespace plumbline::prove {

namespace {

using proofs::Act;
using C = Concrete;
using Heap = proofs::Heap<C>;
using Machine = proofs::Machine<C>;

/// Splits "heap.CLAIM.MOVE".
struct HeapClaim {
  std::string claim;
  std::string move;
};
std::optional<HeapClaim> heap_claim(const std::string& name) {
  const std::size_t dot = name.find('.', 5);
  if (!name.starts_with("heap.") || dot == std::string::npos) return std::nullopt;
  return HeapClaim{name.substr(5, dot - 5), name.substr(dot + 1)};
}

bool breaks(const proofs::Clause<C>& clause, const reference::Judge& judge, const Heap& heap) {
  const int n = proofs::tensors_in(heap);
  if (n == 0) return !clause.holds(judge, heap, {0}, {0}).v;
  for (int t = 0; t < n; ++t)
    for (int u = 0; u < n; ++u)
      if (!clause.holds(judge, heap, {t}, {u}).v) return true;
  return false;
}

bool breaks(const proofs::Property<C>& property, const Heap& before, const Act& act, const Machine& after) {
  const int next = proofs::tensors_in(before);
  const proofs::Operands<C> of{{act.x}, {act.y}, {act.z}, {{next}, {next}, {next}}, act.asked, act.raises, true};
  for (int t = 0; t < std::max(next, 1); ++t)
    if (!property.holds({before, after, of, {t}}).v) return true;
  return false;
}

/// The condition under which a last statement breaks a claim; null if the search does not support the claim.
proofs::Goal goal_of(const HeapClaim& wanted, const reference::Judge& judge, int move) {
  for (const proofs::Clause<C>& clause : proofs::clauses<C>())
    if (clause.name == wanted.claim)
      return [clause, &judge, move](const Heap&, const Act& act, const Machine& after) {
        return act.move == move && breaks(clause, judge, after.heap);
      };
  for (const proofs::Property<C>& property : proofs::properties<C>())
    if (property.name == wanted.claim)
      return [property, move](const Heap& before, const Act& act, const Machine& after) {
        return act.move == move && breaks(property, before, act, after);
      };
  return nullptr;
}

/// The fields of each tensor that show that a claim is broken.
std::vector<Field> fields_of(const std::string& claim) {
  if (claim == "tls" || claim == "guards-restore") return {};
  if (claim == "no-aliasing" || claim == "kinds-stay" || claim == "kind-by-mode")
    return {Field::is_inference, Field::storage};
  if (claim == "counted" || claim == "one-counter" || claim == "fresh-memory" || claim == "only-writes-count")
    return {Field::is_inference, Field::version, Field::storage};
  if (claim == "views-tracked" || claim == "unrecorded-is-marked" || claim == "known-creation")
    return {Field::is_inference, Field::is_view, Field::storage};
  if (claim == "not-stale" || claim.find("current") != std::string::npos || claim.find("record") != std::string::npos)
    return {Field::requires_grad, Field::grad_fn};
  if (claim == "immutability" || claim == "error-changes-nothing")
    return {Field::is_inference, Field::sizes, Field::values};
  if (claim.find("reason") != std::string::npos || claim.find("may") != std::string::npos ||
      claim.find("never-raise") != std::string::npos)
    return {Field::is_inference};
  return {Field::is_inference, Field::version, Field::requires_grad, Field::sizes, Field::values};
}

/// Builds a test from a script, with the reference's readings at its end.
class TestWriter {
 public:
  TestWriter(const reference::Judge& judge, ActScript acts)
      : judge_(judge), script_(std::move(acts.script)), closed_(acts.closed) {}

  /// Readings are inside the guards that the acts leave open.
  program::Test test(const std::string& name, const std::vector<Field>& fields) {
    const auto end = script_.statements.end() - static_cast<std::ptrdiff_t>(closed_);
    const std::vector<Statement> exits(end, script_.statements.end());
    script_.statements.erase(end, script_.statements.end());
    const Trace trace = reference::run(judge_, script_);
    for (std::size_t slot = 0; slot < script_.names.size(); ++slot) {
      if (!script_.names[slot].starts_with("t") || !bound(trace, static_cast<Slot>(slot))) continue;
      for (const Field field : fields)
        if (field != Field::storage || slot != 0) add(static_cast<Slot>(slot), field);
    }
    script_.statements.insert(script_.statements.end(), exits.begin(), exits.end());
    return write(name);
  }

 private:
  /// Whether a statement that did not raise filled the slot.
  bool bound(const Trace& trace, Slot slot) const {
    for (const Outcome& outcome : trace.outcomes) {
      if (outcome.failure.error != ErrorClass::none) continue;
      const StatementKind& kind = script_.statements[outcome.statement].kind;
      if (const auto* made = std::get_if<MakeTensor>(&kind); made != nullptr && made->result == slot) return true;
      if (const auto* got = std::get_if<GetData>(&kind); got != nullptr && got->result == slot) return true;
      if (const auto* call = std::get_if<Call>(&kind);
          call != nullptr && std::ranges::find(call->results, slot) != call->results.end())
        return true;
    }
    return false;
  }

  /// A reading with the reference's value; a reading that raises is inside a Try.
  void add(Slot slot, Field field) {
    Script tried = script_;
    if (field == Field::storage)  // `torch._C._is_alias_of(t0, t)`
      tried.statements.push_back({Read{Slot{0}, Field::storage}, 0});
    tried.statements.push_back({Read{slot, field}, 0});
    const std::size_t place = tried.statements.size() - 1;
    const Trace trace = reference::run(judge_, tried);
    const Outcome* outcome = outcome_of(trace, place);
    if (outcome == nullptr) return;
    if (outcome->failure.error != ErrorClass::none) {
      script_.statements.push_back({Try{}, 0});
      script_.statements.push_back({Read{slot, field}, 0});
      script_.statements.push_back({EndTry{}, 0});
      return;
    }
    if (std::holds_alternative<Unspecified>(outcome->reading) ||
        std::holds_alternative<std::monostate>(outcome->reading))
      return;
    script_ = std::move(tried);
    program::Expectation expectation;
    expectation.statement = place;
    expectation.expected = outcome->reading;
    if (field == Field::storage) {
      const Outcome* first = outcome_of(trace, place - 1);
      expectation.same_as_statement = place - 1;
      const auto* one = first == nullptr ? nullptr : std::get_if<std::int64_t>(&first->reading);
      const auto* other = std::get_if<std::int64_t>(&outcome->reading);
      expectation.negated = one == nullptr || other == nullptr || *one != *other;
    }
    expectations_.push_back(std::move(expectation));
  }

  program::Test write(const std::string& name) {
    program::Test test;
    test.name = "test_" + name;
    const Trace trace = reference::run(judge_, script_);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < script_.statements.size(); ++i) {
      if (std::holds_alternative<Try>(script_.statements[i].kind)) open.push_back(i);
      if (!std::holds_alternative<EndTry>(script_.statements[i].kind)) continue;
      const Outcome* outcome = outcome_of(trace, i - 1);
      const bool raised = outcome != nullptr && outcome->failure.error != ErrorClass::none;
      test.errors.push_back({open.back(), i, raised ? outcome->failure.exception : "RuntimeError", {}, 0});
      open.pop_back();
    }
    test.script = script_;
    test.expectations = expectations_;
    return test;
  }

  const reference::Judge& judge_;
  Script script_;
  std::size_t closed_;
  std::vector<program::Expectation> expectations_;
};

/// Runs tests on the reference; returns the failure, or an empty string.
std::string failure_of(const std::vector<program::Test>& tests, const reference::Judge& judge) {
  for (const program::Test& test : tests) {
    const Comparison comparison = check_expectations(test, RunResult(reference::run(judge, test.script)),
                                                     ReferenceAdapter(judge.profile).describe());
    if (comparison.verdict != Verdict::pass) return test.name + ": " + comparison.message;
  }
  return {};
}

/// Tests as one pytest file, read back and run.
ShownProgram shown_tests(const std::vector<program::Test>& tests, const reference::Judge& judge,
                         const std::vector<std::string>& header) {
  ShownProgram shown;
  program::Program whole;
  for (const program::Test& test : tests) {
    const program::Program one = program::raise(test);
    for (const std::string& import : one.imports)
      if (std::ranges::find(whole.imports, import) == whole.imports.end()) whole.imports.push_back(import);
    whole.functions.insert(whole.functions.end(), one.functions.begin(), one.functions.end());
  }
  std::ranges::sort(whole.imports);
  for (const std::string& line : header) shown.text += "# " + line + "\n";
  shown.text += program::print(whole);
  const bool readable = shown.text.find("# C++ only") == std::string::npos;
  const std::string failure = failure_of(readable ? program::lower(program::parse(shown.text, "prove")) : tests, judge);
  shown.confirmed = failure.empty();
  if (!readable) shown.note = "it uses a C++-only guard, so `plumbline run` cannot read it";
  if (!shown.confirmed) shown.note = "the reference does something else: " + failure;
  return shown;
}

/// "test_heap_no_aliasing_view" without the "test_".
std::string test_name(std::string name) {
  std::ranges::replace_if(name, [](char c) { return c == '.' || c == '-'; }, '_');
  return name;
}

ShownProgram nothing_found(const proofs::SearchLimits& limits, const proofs::SearchResult& search) {
  return {{},
          false,
          fmt::format("no program with at most {} statements and {} tensors shows it{}", limits.length, limits.tensors,
                      search.complete ? "" : "; the search did not finish")};
}

constexpr std::string_view kPremise = "refinement.premise.";
constexpr std::string_view kIdeal = "refinement.ideal-";

/// One program as two tests: under inference mode and under no_grad.
ShownProgram parting_program(const proofs::Obligation& obligation, const reference::Judge& judge) {
  const std::string_view dropped = std::string_view(obligation.name).substr(kPremise.size());
  const proofs::SearchLimits limits;
  const proofs::Split split = proofs::shortest_parting(judge, limits, dropped);
  if (!split.search.found) return nothing_found(limits, split.search);
  const std::vector<Field> fields{Field::requires_grad, Field::grad_fn, Field::sizes};
  const std::string name = test_name(obligation.name);
  try {
    ShownProgram shown =
        shown_tests({TestWriter(judge, script_of(split.search.acts, judge)).test(name + "_inference_mode", fields),
                     TestWriter(judge, script_of(split.other, judge)).test(name + "_no_grad", fields)},
                    judge,
                    {fmt::format("Why the theorem has this premise: {}.", dropped),
                     fmt::format("The same program under inference mode and under no_grad: {}.", split.what),
                     fmt::format("Each assert holds under the profile {}.", name_of(judge.profile))});
    return shown;
  } catch (const std::invalid_argument& error) {
    return {{}, false, fmt::format("Python cannot express it: {}", error.what())};
  }
}

/// The shortest program that `sound` and `ideal` run differently, apart from key sets. The asserts are those of
/// `ideal`.
ShownProgram ideal_program(const proofs::Obligation& obligation, const reference::Judge& judge) {
  reference::Judge sound = judge;
  sound.profile = Profile::sound;
  reference::Judge ideal = judge;
  ideal.profile = Profile::ideal;
  const proofs::SearchLimits limits;
  const std::string_view move = std::string_view(obligation.name).substr(obligation.name.rfind('.') + 1);
  const proofs::Split split = proofs::shortest_difference_by(sound, ideal, limits, move);
  if (!split.search.found) return nothing_found(limits, split.search);
  return as_program(split.search.acts, ideal, test_name(obligation.name),
                    {split.what + ".", "Each assert holds under the profile ideal."},
                    {Field::is_inference, Field::requires_grad, Field::grad_fn});
}

}  // namespace

ShownProgram as_program(std::span<const Act> acts, const reference::Judge& judge, const std::string& name,
                        const std::vector<std::string>& header, const std::vector<Field>& fields) {
  try {
    return shown_tests({TestWriter(judge, script_of(acts, judge)).test(name, fields)}, judge, header);
  } catch (const std::invalid_argument& error) {
    return {{}, false, fmt::format("Python cannot express it: {}", error.what())};
  }
}

std::optional<ShownProgram> program_of(const proofs::Obligation& obligation, const reference::Judge& judge) {
  if (obligation.name.starts_with(kPremise)) return parting_program(obligation, judge);
  if (obligation.name.starts_with(kIdeal)) return ideal_program(obligation, judge);
  const auto wanted = heap_claim(obligation.name);
  if (!wanted) return std::nullopt;
  const auto moves = proofs::moves<C>();
  const auto found = std::ranges::find(moves, wanted->move, &proofs::Move<C>::name);
  if (found == moves.end()) return std::nullopt;
  const proofs::Goal goal = goal_of(*wanted, judge, static_cast<int>(found - moves.begin()));
  if (!goal) return std::nullopt;
  proofs::SearchLimits limits;
  if (found->unsafe) limits.unsafe = {wanted->move};
  const proofs::SearchResult search = proofs::shortest(judge, limits, goal);
  if (!search.found) return nothing_found(limits, search);
  std::vector<std::string> header{fmt::format("Breaks {}: {}", obligation.name, obligation.sentence),
                                  fmt::format("Each assert holds under the profile {}.", name_of(judge.profile))};
  return as_program(search.acts, judge, test_name(obligation.name), header, fields_of(wanted->claim));
}

ShownProgram difference_program(Profile profile) {
  reference::Judge sound;
  reference::Judge other;
  other.profile = profile;
  proofs::SearchLimits limits;
  limits.length = 5;
  const proofs::Split split = proofs::shortest_difference(sound, other, limits);
  if (!split.search.found) return {{}, false, "no program with at most 5 statements distinguishes it from sound"};
  ShownProgram shown =
      as_program(split.search.acts, other, test_name("difference_" + std::string(name_of(profile))), {split.what + "."},
                 {Field::is_inference, Field::version, Field::requires_grad, Field::is_view, Field::keys});
  if (shown.note.empty()) shown.note = split.what;
  return shown;
}

}  // namespace plumbline::prove
