// Replacing a functionalize call by the body's core and epilogue.
#include "functionalization/write_out/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "adapters/reference/reference.h"
#include "language/slots.h"
#include "oracle/compare.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::functionalize {
namespace {

/// Copies a test statement by statement.
class Transformer {
 public:
  Transformer(const reference::Judge& judge, const program::Test& test, passes::Passes which)
      : judge_(judge), test_(test), which_(which), places_(test.script.statements.size()) {
    made_.test = test;
    made_.test.script.statements.clear();
    made_.test.expectations.clear();
    made_.test.errors.clear();
  }

  Transformed run() {
    const auto& statements = test_.script.statements;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (std::holds_alternative<EnterFunctionalize>(statements[i].kind)) {
        const std::size_t end = passes::end_of_body(test_.script, i);
        if (write_out(i, end)) {
          i = end;
          continue;
        }
      }
      Statement statement = statements[i];
      rename(statement);
      places_[i] = script().statements.size();
      script().statements.push_back(std::move(statement));
    }
    for (program::ExpectedError error : test_.errors) {
      error.first = places_[error.first];
      error.last = places_[error.last];
      made_.test.errors.push_back(error);
    }
    keep_expectations();
    forget_names();
    return std::move(made_);
  }

 private:
  Script& script() { return made_.test.script; }

  void rename(Statement& statement) {
    const auto replace = [this](Slot& slot) {
      const auto found = same_.find(slot);
      if (found != same_.end()) slot = found->second;
    };
    visit_slots(statement.kind, replace, [this](Slot slot) { same_.erase(slot); });
  }

  /// Writes out a body. Returns whether it has a functional form.
  bool write_out(std::size_t enter, std::size_t end) {
    const int line = test_.script.statements[enter].line;
    const auto missing = [&](const std::string& why) {
      made_.missing.push_back(fmt::format("line {}: {}", line, why));
      made_.test.remarks[script().statements.size()].push_back("not functionalized: " + why);
      return false;
    };
    const auto state = reference::state_before(judge_, test_.script, enter);
    if (!state) return missing("the program does not get that far");
    try {
      const passes::Body body = passes::body_at(judge_, *state, test_.script, enter);
      passes::Program program = passes::functionalize(judge_, body, which_);
      passes::number_names(program);
      if (const auto broken = passes::broken_promise(program, which_))
        throw std::logic_error("the functionalized body breaks a promise: " + *broken);
      add(program, body, std::get<LeaveFunctionalize>(test_.script.statements[end].kind), line);
    } catch (const reference::Raise& raised) {
      return missing("the body raises: " + raised.failure.message);
    } catch (const passes::NotFunctional& why) {
      return missing(fmt::format("{} ({})", why.what(), why.rule->id()));
    } catch (const reference::ReferenceLimit& limit) {
      return missing(limit.what());
    }
    ++made_.bodies;
    return true;
  }

  void add(const passes::Program& program, const passes::Body& body, const LeaveFunctionalize& leave, int line) {
    std::vector<Slot> slots;  // the script's, by the program's
    for (std::size_t i = 0; i < program.values.size(); ++i)
      slots.push_back(i < body.callers.size() ? current(body.callers[i]) : fresh(program.names[i]));
    name_results(program, body, leave, slots);
    const auto write = [&](const std::vector<Statement>& statements, const std::string& what) {
      if (!statements.empty()) made_.test.remarks[script().statements.size()].push_back(what);
      for (Statement statement : statements) {
        const auto renumber = [&](Slot& slot) { slot = slots[static_cast<std::size_t>(slot)]; };
        visit_slots(statement.kind, renumber, renumber);
        if (statement.line == 0) statement.line = line;
        script().statements.push_back(std::move(statement));
      }
    };
    write(program.core, which_ == passes::Passes::a    ? "core: no view"
                        : which_ == passes::Passes::ab ? "core: no view and no write"
                                                       : "core: no write");
    write(program.epilogue, "epilogue");
    made_.test.remarks[script().statements.size()].emplace_back("end of the body");
    for (std::size_t i = 0; i < leave.results.size(); ++i)
      if (const Slot is = slots[static_cast<std::size_t>(program.returned[i])]; is != leave.results[i])
        same_[leave.results[i]] = is;
      else
        same_.erase(leave.results[i]);
  }

  Slot current(Slot slot) const {
    const auto found = same_.find(slot);
    return found == same_.end() ? slot : found->second;
  }
  Slot fresh(const std::string& name) {
    script().names.push_back(name);
    return static_cast<Slot>(script().names.size() - 1);
  }

  /// A result gets the name that the caller assigns, unless the name was used before.
  void name_results(const passes::Program& program, const passes::Body& body, const LeaveFunctionalize& leave,
                    std::vector<Slot>& slots) {
    for (std::size_t i = 0; i < leave.results.size(); ++i) {
      const auto of = static_cast<std::size_t>(program.returned[i]);
      const Slot result = leave.results[i];
      const bool taken = of < body.callers.size() || std::ranges::find(slots, result) != slots.end() || is_used(result);
      const bool named = std::find(program.returned.begin(), program.returned.begin() + static_cast<std::ptrdiff_t>(i),
                                   program.returned[i]) != program.returned.begin() + static_cast<std::ptrdiff_t>(i);
      if (!taken && !named) slots[of] = result;
    }
  }
  bool is_used(Slot slot) {
    bool used = false;
    const auto look = [&](Slot other) { used = used || other == slot; };
    for (Statement& statement : script().statements) visit_slots(statement.kind, look, look);
    return used;
  }

  /// The body's own variables are gone, so their names can be used again.
  void forget_names() {
    std::vector<bool> used(script().names.size(), false);
    const auto look = [&](Slot slot) { used[static_cast<std::size_t>(slot)] = true; };
    for (Statement& statement : script().statements) visit_slots(statement.kind, look, look);
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) script().names[i].clear();
  }

  /// Keeps expectations that hold in the new program; turns the others into remarks.
  void keep_expectations() {
    ReferenceAdapter reference(Profile::sound);
    const RunResult result = reference::run(judge_, script());
    program::Test alone;  // checks one expectation at a time
    alone.script = script();
    for (program::Expectation moved : test_.expectations) {
      moved.statement = places_[moved.statement];
      if (moved.same_as_statement) moved.same_as_statement = places_[*moved.same_as_statement];
      alone.expectations = {moved};
      const bool holds = check_expectations(alone, result, reference.describe()).verdict != Verdict::divergent;
      if (holds || states_values(moved))
        made_.test.expectations.push_back(std::move(moved));
      else
        made_.test.remarks[moved.statement].push_back("does not hold after functionalization: " + moved.text);
    }
  }

  /// Whether functionalization must keep the expectation: such an assert stays, and fails if it no longer holds.
  bool states_values(const program::Expectation& expectation) const {
    const auto* read = std::get_if<Read>(&made_.test.script.statements[expectation.statement].kind);
    if (read == nullptr) return true;
    switch (read->field) {
      case Field::dtype:
      case Field::sizes:
      case Field::strides:
      case Field::offset:
      case Field::values:
      case Field::storage:
        return true;
      default:
        return false;
    }
  }

  const reference::Judge& judge_;
  const program::Test& test_;
  passes::Passes which_;
  std::vector<std::size_t> places_;  ///< the new indices of the old statements
  std::map<Slot, Slot> same_;        ///< results that are the same tensor as another slot
  Transformed made_;
};

}  // namespace

Transformed transformed(const reference::Judge& judge, const program::Test& test, passes::Passes which) {
  return Transformer(judge, test, which).run();
}

}  // namespace plumbline::functionalize
