// Comparing a trace with the asserts and `pytest.raises` of a test: what pytest would say.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "adapters/protocol/names.h"
#include "language/expectation.h"
#include "oracle/compare.h"
#include "oracle/compare_message.h"
#include "oracle/compare_reading.h"
#include "oracle/lookup.h"
#include "oracle/reading_text.h"
#include "spec/vocabulary/errors.h"
#include "support/python_regex.h"

namespace plumbline {

namespace {

using program::Expectation;
using program::ExpectedError;

struct Inheritance {
  std::string_view exception, base;
};
constexpr std::array kInheritance{
    Inheritance{"NotImplementedError", "RuntimeError"}, Inheritance{"RecursionError", "RuntimeError"},
    Inheritance{"OutOfMemoryError", "RuntimeError"},    Inheritance{"torch.OutOfMemoryError", "RuntimeError"},
    Inheritance{"IndexError", "LookupError"},           Inheritance{"KeyError", "LookupError"},
    Inheritance{"OverflowError", "ArithmeticError"},    Inheritance{"ZeroDivisionError", "ArithmeticError"},
};

/// Whether Python's `except expected` catches `raised`.
bool catches(std::string_view expected, std::string_view raised) {
  if (raised == expected || expected == "Exception" || expected == "BaseException") return true;
  const auto* found = std::ranges::find(kInheritance, raised, &Inheritance::exception);
  return found != kInheritance.end() && catches(expected, found->base);
}

/// The messages of the errors that the script itself raises.
std::vector<std::string> raised_messages(const Script& script) {
  std::vector<std::string> messages;
  const auto collect = [&](const std::vector<Statement>& statements) {
    for (const Statement& statement : statements)
      if (const auto* raise = std::get_if<RaiseError>(&statement.kind)) messages.push_back(raise->message);
  };
  collect(script.statements);
  for (const CustomKernel& kernel : script.kernels) collect(kernel.statements);
  for (const CustomBackward& function : script.functions) collect(function.statements);
  return messages;
}

/// The error class that a block expects, if its pattern fits the messages of only one class; else its exception's name.
std::string class_asked_for(const ExpectedError& block, const Script& script) {
  std::optional<ErrorClass> found;
  if (block.match.empty()) return block.exception;
  const std::vector<std::string> messages = raised_messages(script);
  if (catches(block.exception, "RuntimeError") &&
      std::ranges::any_of(messages, [&](const std::string& one) { return python_search(block.match, one); }))
    found = ErrorClass::raised;
  for (const ErrorText& text : error_texts()) {
    if (!catches(block.exception, text.exception) || !python_search(block.match, fill(text.pattern, {}))) continue;
    if (found && *found != text.error) return block.exception;
    found = text.error;
  }
  return found ? std::string(name_of(*found)) : block.exception;
}

class Checking {
 public:
  Checking(const program::Test& test, const Trace& trace, const Description& description)
      : test_(test), trace_(trace), description_(description) {}

  Comparison run() {
    for (const Outcome& outcome : trace_.outcomes) {
      leave_blocks_before(outcome.statement);
      if (!done_) one(outcome);
      if (done_) break;
    }
    if (!done_ && trace_.completed) leave_blocks_before(test_.script.statements.size());
    return std::move(result_);
  }

 private:
  /// pytest says "DID NOT RAISE" if the run reaches a block's end.
  void leave_blocks_before(std::size_t statement) {
    for (std::size_t i = 0; i < test_.errors.size() && !done_; ++i) {
      const ExpectedError& block = test_.errors[i];
      if (judged_[i] || block.last >= statement) continue;
      judged_[i] = true;
      if (description_.errors == Strictness::ignore) {
        weaker(Verdict::unsupported, block.line, "pytest.raises",
               fmt::format("{} does not show errors", description_.name));
        continue;
      }
      did_not_raise(block);
    }
  }

  /// The last statement of the block is the one that should raise.
  void did_not_raise(const ExpectedError& block) {
    const auto ran = std::ranges::find_if(trace_.outcomes.rbegin(), trace_.outcomes.rend(), [&](const Outcome& o) {
      if (o.statement > block.last) return false;
      const StatementKind& kind = test_.script.statements.at(o.statement).kind;
      return !std::holds_alternative<EndTry>(kind) && !std::holds_alternative<Exit>(kind);
    });
    const std::size_t culprit = ran == trace_.outcomes.rend() ? block.first : std::max(block.first, ran->statement);
    const auto* read = std::get_if<Read>(&test_.script.statements.at(culprit).kind);
    if (read != nullptr && description_.fields[static_cast<std::size_t>(read->field)] == Strictness::ignore)
      return weaker(Verdict::unsupported, block.line, "pytest.raises",
                    fmt::format("{} cannot observe {}", description_.name, name_of(read->field)));
    const std::string asked = guarded(block, [&] { return class_asked_for(block, test_.script); });
    if (done_) return;
    const std::string signature =
        read == nullptr
            ? fmt::format("{}/error: {} -> none", name_at(culprit), asked)
            : fmt::format("{}/{}: {} -> value", name_at(blamed_statement(test_.script, culprit, &read->tensor)),
                          name_of(read->field), asked);
    fail(culprit, block.line, subject(culprit), error_text(block), "DID NOT RAISE", signature);
    if (read != nullptr) blame(culprit, read->tensor);
  }

  /// Runs `ask`, which compiles the block's pattern; an invalid pattern is the program's fault, not the
  /// implementation's.
  template <class Ask>
  std::invoke_result_t<Ask> guarded(const ExpectedError& block, Ask ask) {
    try {
      return ask();
    } catch (const std::invalid_argument& error) {
      result_.verdict = Verdict::harness_error;
      result_.message = fmt::format("line {}: {}", block.line, error.what());
      done_ = true;
      return {};
    }
  }

  void one(const Outcome& outcome) {
    ++result_.statements;
    const Reading reading = reading_of(outcome);
    if (const auto* failure = std::get_if<Failure>(&reading)) return raised(outcome.statement, *failure);
    for (const Expectation& e : test_.expectations)
      if (e.statement == outcome.statement && !done_) expectation(e, reading);
  }

  void raised(std::size_t statement, const Failure& failure) {
    const ExpectedError* block = innermost(statement);
    if (block == nullptr) {
      fail(statement, line_of(statement), subject(statement), "no error", raised_text(failure),
           error_signature(statement, "none", failure));
      return;
    }
    for (std::size_t i = 0; i < test_.errors.size(); ++i)  // the blocks inside it that were not reached are skipped
      if (block->first <= test_.errors[i].first && test_.errors[i].last <= block->last) judged_[i] = true;
    if (description_.errors == Strictness::ignore)
      weaker(Verdict::unsupported, block->line, "pytest.raises",
             fmt::format("{} does not show errors", description_.name));
    if (description_.errors == Strictness::exact || (description_.errors == Strictness::classes && words_are(failure)))
      matches(*block, statement, failure);
    else if (description_.errors == Strictness::classes)
      matches_class(*block, statement, failure);
  }

  /// Whether the message is PyTorch's or the program's own: then a pattern is searched in it, as Python does.
  bool words_are(const Failure& failure) const {
    return failure.error == ErrorClass::raised ||
           classify_error(failure.message, release_worded_by(description_)) != ErrorClass::unclassified;
  }

  /// For an implementation with its own words: its class is the one that the pattern asks for, where that is one.
  void matches_class(const ExpectedError& block, std::size_t statement, const Failure& failure) {
    const std::string asked = class_asked_for(block, test_.script);
    if (asked == block.exception || asked == name_of(failure.error)) return;
    fail(statement, block.line, subject(statement), error_text(block), raised_text(failure),
         error_signature(statement, asked, failure));
  }

  void matches(const ExpectedError& block, std::size_t statement, const Failure& failure) {
    const bool known_type = !failure.exception.empty();
    if (known_type && !catches(block.exception, failure.exception)) {
      fail(statement, line_of(statement), subject(statement), error_text(block), raised_text(failure),
           error_signature(statement, block.exception, failure));
      return;
    }
    if (block.match.empty()) return;
    const bool found = guarded(block, [&] { return python_search(block.match, failure.message); });
    if (found || done_) return;
    fail(statement, block.line, subject(statement), error_text(block), raised_text(failure),
         error_signature(statement, class_asked_for(block, test_.script), failure));
  }

  void expectation(const Expectation& e, const Reading& reading) {
    const StatementKind& kind = test_.script.statements.at(e.statement).kind;
    const auto* read = std::get_if<Read>(&kind);
    const auto* thread = std::get_if<ReadThread>(&kind);
    const Strictness strictness = read != nullptr     ? description_.fields[static_cast<std::size_t>(read->field)]
                                  : thread != nullptr ? description_.thread[static_cast<std::size_t>(thread->field)]
                                                      : Strictness::exact;
    const Reading other = e.same_as_statement ? reading_at(*e.same_as_statement) : Reading();
    const Reading* second = e.same_as_statement ? &other : nullptr;
    if (strictness == Strictness::changed) return;  // the comparison with the reference says whether it changed
    if (strictness != Strictness::exact || std::holds_alternative<std::monostate>(reading))
      return weaker(Verdict::unsupported, e.line, asserted(e), fmt::format("{} cannot observe it", description_.name));
    for (const Reading* r : {&reading, second})
      if (const auto* unspecified = r == nullptr ? nullptr : std::get_if<Unspecified>(r))
        return free(e, unspecified->rule);
    if (program::meets(e, reading, second)) {
      const auto* values = std::get_if<Values>(&reading);
      if (values != nullptr && std::ranges::find(values->known, false) != values->known.end()) free(e, "some elements");
      return;
    }
    const std::string_view answer = answer_name(kind);
    const Field field = read != nullptr ? read->field : answer.empty() ? Field::keys : Field::requires_grad;
    const Reading wanted = e.same_as_statement ? other : e.expected;
    const std::string shape = e.negated || e.prefix || !e.contains.empty() || e.same_as_statement
                                  ? ""
                                  : difference_shape(field, wanted, reading);
    const Slot* slot = read != nullptr ? &read->tensor : nullptr;
    const std::string_view name = read != nullptr     ? name_of(read->field)
                                  : thread != nullptr ? name_of(thread->field)
                                  : answer.empty()    ? "reading"
                                                      : answer;
    const std::string signature = fmt::format("{}/{}{}{}", name_at(blamed_statement(test_.script, e.statement, slot)),
                                              name, shape.empty() ? "" : ": ", shape);
    const auto text = [&](const Reading& one) {
      return answer.empty() ? reading_text(field, one, test_.script) : answer_text(one);
    };
    fail(e.statement, e.line, asserted(e), expected_text(e, text(wanted)), text(reading), signature);
    if (slot != nullptr) result_.differences.back().tensor = *slot;
    if (slot != nullptr) blame(e.statement, *slot);
    if (read != nullptr) result_.differences.back().field = read->field;
    if (thread != nullptr) result_.differences.back().thread = thread->field;
  }

  static std::string expected_text(const Expectation& e, const std::string& text) {
    if (!e.contains.empty()) return fmt::format("{}{}", e.negated ? "a set without " : "a set with ", e.contains);
    return fmt::format("{}{}{}", e.negated ? "anything but " : "", e.prefix ? "a list that begins with " : "", text);
  }

  Reading reading_at(std::size_t statement) const {
    const Outcome* found = outcome_of(trace_, statement);
    return found == nullptr ? Reading() : reading_of(*found);
  }

  void free(const Expectation& e, const std::string& rule) {
    ++result_.unspecified;
    weaker(Verdict::unspecified, e.line, asserted(e), fmt::format("the specification does not define this ({})", rule));
  }

  /// A verdict that does not end the run.
  void weaker(Verdict verdict, int line, std::string_view text, const std::string& why) {
    if (verdict <= result_.verdict) return;
    result_.verdict = verdict;
    result_.message = fmt::format("line {}: {}: {}", line, text, why);
  }

  void fail(std::size_t statement, int line, std::string what, std::string expected, std::string got,
            std::string signature) {
    result_.verdict = Verdict::divergent;
    result_.differences.push_back({statement,
                                   line,
                                   {},
                                   {},
                                   {},
                                   std::move(expected),
                                   std::move(got),
                                   std::move(signature),
                                   statement,
                                   std::move(what)});
    result_.message = describe(result_.differences.back());
    done_ = true;
  }

  /// Blames the last difference on the statement that made the tensor that was read.
  void blame(std::size_t reading, Slot tensor) {
    result_.differences.back().blamed = blamed_statement(test_.script, reading, &tensor);
  }

  /// An error in a thread does not reach a block outside the thread.
  const ExpectedError* innermost(std::size_t statement) const {
    const ExpectedError* found = nullptr;
    const std::size_t thread = thread_of(statement);
    for (const ExpectedError& block : test_.errors)
      if (thread_of(block.first) == thread && block.first <= statement && statement <= block.last &&
          (found == nullptr || block.first > found->first))
        found = &block;
    return found;
  }

  /// Where the innermost thread of a statement starts, counted from 1; 0: it runs in no thread.
  std::size_t thread_of(std::size_t statement) const {
    std::vector<std::size_t> threads{0};
    for (std::size_t i = 0; i <= statement && i < test_.script.statements.size(); ++i) {
      const StatementKind& kind = test_.script.statements[i].kind;
      if (std::holds_alternative<StartThread>(kind)) threads.push_back(i + 1);
      if (std::holds_alternative<PauseThread>(kind) && threads.size() > 1)
        threads.push_back(threads[threads.size() - 2]);
      const bool ends = std::holds_alternative<JoinThread>(kind) || std::holds_alternative<ResumeThread>(kind);
      if (ends && threads.size() > 1) threads.pop_back();
    }
    return threads.back();
  }

  /// An error of a reading counts as a difference of the field that is read.
  std::string error_signature(std::size_t statement, std::string_view asked, const Failure& failure) const {
    const auto* read = std::get_if<Read>(&test_.script.statements.at(statement).kind);
    const std::string where =
        read == nullptr ? fmt::format("{}/error", name_at(statement))
                        : fmt::format("{}/{}", name_at(blamed_statement(test_.script, statement, &read->tensor)),
                                      name_of(read->field));
    return fmt::format("{}: {} -> {}", where, read != nullptr && asked == "none" ? "value" : asked,
                       name_of(failure.error));
  }

  static std::string error_text(const ExpectedError& block) {
    return fmt::format("{}{}", block.exception, block.match.empty() ? "" : fmt::format(" matching '{}'", block.match));
  }
  static std::string raised_text(const Failure& failure) {
    return fmt::format("{}: {} ({})", failure.exception.empty() ? "an error" : failure.exception, failure.message,
                       name_of(failure.error));
  }
  static std::string asserted(const Expectation& e) {
    return fmt::format("{}{}", e.text.starts_with("assert") ? "" : "assert ", e.text);
  }
  /// The name of a statement in a message.
  std::string subject(std::size_t statement) const {
    const auto* read = std::get_if<Read>(&test_.script.statements.at(statement).kind);
    return read == nullptr ? name_at(statement)
                           : fmt::format("{} of {}", name_of(read->field), slot_name(test_.script, read->tensor));
  }
  std::string name_at(std::size_t statement) const { return statement_name(test_.script.statements.at(statement)); }
  int line_of(std::size_t statement) const { return test_.script.statements.at(statement).line; }

  const program::Test& test_;
  const Trace& trace_;
  const Description& description_;
  Comparison result_;
  bool done_ = false;
  std::vector<bool> judged_ =
      std::vector<bool>(test_.errors.size());  ///< blocks that raised, were skipped or have been reported
};

}  // namespace

Comparison check_expectations(const program::Test& test, const RunResult& result, const Description& description) {
  if (const auto* broken = std::get_if<Breakdown>(&result)) return breakdown(*broken);
  return Checking(test, std::get<Trace>(result), description).run();
}

}  // namespace plumbline
