// Cutting a script off at its difference, and stating what was expected there.
#include "fuzz/reproducer_test.h"

#include <algorithm>

#include "fuzz/blocks.h"
#include "language/observe.h"
#include "language/slots.h"
#include "oracle/lookup.h"
#include "oracle/minimise.h"
#include "oracle/reading_text.h"

namespace plumbline::fuzz {

namespace {

using program::Expectation;
using program::Test;

/// The longest piece of PyTorch's message that does not vary, as a regular expression; at most this long.
constexpr std::size_t kMatchLength = 60;

std::string fixed_part(const Failure& failure) {
  const auto texts = error_texts();
  const auto text = std::ranges::find_if(
      texts, [&](const ErrorText& t) { return t.error == failure.error && fits(failure.message, t.pattern); });
  std::string_view rest = text == texts.end() ? std::string_view(failure.message) : text->pattern;
  std::string_view longest;
  for (std::size_t hole = 0; hole != std::string_view::npos;) {
    hole = rest.find("{}");
    const std::string_view piece = rest.substr(0, hole);
    if (piece.size() > longest.size()) longest = piece;
    if (hole != std::string_view::npos) rest.remove_prefix(hole + 2);
  }
  return std::string(longest.substr(0, kMatchLength));
}

std::string escaped(const std::string& text) {
  std::string regex;
  for (const char c : text) {
    if (std::string_view("\\.^$*+?()[]{}|").find(c) != std::string_view::npos) regex += '\\';
    regex += c;
  }
  return regex;
}

Reading reading_at(const Trace& trace, const Difference& d) {
  const Outcome* outcome = outcome_of(trace, d.statement);
  if (outcome == nullptr) return {};
  if (outcome->thread.empty()) return reading_of(*outcome);
  if (d.thread) return outcome->thread[static_cast<std::size_t>(*d.thread)];
  const Reading* reading = reading_of(outcome, *d.tensor, *d.field);
  return reading == nullptr ? Reading() : *reading;
}

class Cutter {
 public:
  Cutter(const Script& script, const Held& held, Keep keep)
      : script_(script),
        held_(held),
        keep_(keep),
        difference_(held.comparison.differences.front()),
        got_(std::get_if<Trace>(&held.got)),
        blocks_(script) {}

  Test cut() {
    test_.script.names = script_.names;
    test_.script.functions = script_.functions;
    test_.script.operators = script_.operators;
    test_.script.kernels = script_.kernels;
    const std::size_t end = got_ == nullptr ? script_.statements.size() : difference_.statement;
    if (got_ != nullptr && forward_raises(end)) wrap(*blocks_.forward(end), end);
    for (std::size_t i = 0; i < end; ++i) copy(i, end);
    if (got_ != nullptr) point_of_difference();
    while (!open_.empty()) close();
    drop_unused_parts(test_.script);
    return std::move(test_);
  }

 private:
  enum class Kind : std::uint8_t { guard, attempt, thread, wait, forward, functionalized, transformed };
  /// A block that is open in the new script.
  struct Open {
    Kind kind;
    std::size_t from;  ///< the statement that opens it, in the old script
    std::size_t at;    ///< and in the new one
  };
  /// Statements that are put under one `pytest.raises`: the error is that of a forward, or ends a thread.
  struct Wrapped {
    std::size_t first = 0, last = 0;
    const Outcome* failed = nullptr;
  };

  std::size_t add(StatementKind kind) {
    test_.script.statements.push_back({std::move(kind), 0});
    return test_.script.statements.size() - 1;
  }

  void open(Kind kind, std::size_t from, StatementKind statement) {
    open_.push_back({kind, from, add(std::move(statement))});
  }

  /// Closes the innermost block, which may be cut off.
  void close() {
    const Open block = open_.back();
    open_.pop_back();
    if (block.kind == Kind::guard) add(Exit{});
    if (block.kind == Kind::thread) add(JoinThread{});
    if (block.kind == Kind::wait) add(ResumeThread{});
    if (block.kind == Kind::forward)
      add(cut_off_end<LeaveForward>(block, std::get<EnterForward>(script_.statements[block.from].kind).inputs));
    if (block.kind == Kind::functionalized)
      add(cut_off_end<LeaveFunctionalize>(
          block, std::get<EnterFunctionalize>(script_.statements[block.from].kind).parameters));
    if (block.kind == Kind::transformed)
      add(cut_off_end<LeaveTransform>(block, std::get<EnterTransform>(script_.statements[block.from].kind).parameters));
    if (block.kind == Kind::attempt) test_.errors.push_back({block.at, add(EndTry{}), "RuntimeError", "", 0});
  }

  /// The end of a body that has none.
  template <class Leave>
  Leave bare_end(const Open& body, const std::vector<Slot>& known) const {
    Leave leave{};
    if constexpr (std::is_same_v<Leave, LeaveTransform>)
      if (std::holds_alternative<Grad>(std::get<EnterTransform>(script_.statements[body.from].kind).transform))
        leave = {{}, {known.front()}, {}, true};
    return leave;
  }
  /// The end of a body of which only the first statements were copied: it returns what it can.
  template <class Leave>
  Leave cut_off_end(const Open& body, std::vector<Slot> known) const {
    for (std::size_t i = body.at; i < test_.script.statements.size(); ++i)
      visit_slots(test_.script.statements[i].kind, [](Slot) {}, [&](Slot slot) { known.push_back(slot); });
    if (!blocks_.end(body.from)) return bare_end<Leave>(body, known);  // the reference broke in the body
    auto leave = std::get<Leave>(script_.statements[*blocks_.end(body.from)].kind);
    for (Slot& slot : leave.returned)
      if (std::ranges::find(known, slot) == known.end() && !known.empty()) slot = known.front();
    return leave;
  }

  /// Whether the error that is expected at `statement` is one of a forward, or of a functionalized body, as a whole.
  bool forward_raises(std::size_t statement) const {
    const Outcome* expected = outcome_of(held_.expected, statement);
    const auto body = blocks_.forward(statement);
    return expected != nullptr && expected->failure.error != ErrorClass::none && body &&
           (std::holds_alternative<LeaveForward>(script_.statements[statement].kind) ||
            enters_body(script_.statements[*body].kind));
  }
  void wrap(std::size_t first, std::size_t failed) {
    wrapped_.push_back({first, blocks_.end(first).value_or(failed), outcome_of(held_.expected, failed)});
  }

  /// The first error that ends the thread that starts at `start`.
  std::optional<std::size_t> end_of_thread(std::size_t start) const {
    for (const Outcome& o : held_.expected.outcomes)
      if (o.failure.error != ErrorClass::none && blocks_.thread(o.statement) == start && !blocks_.catcher(o.statement))
        return o.statement;
    return std::nullopt;
  }

  void copy(std::size_t i, std::size_t end) {
    if (i < skip_until_ && !goes_on_without_thread(i)) return;
    const StatementKind& kind = script_.statements[i].kind;
    const auto first = std::ranges::find(wrapped_, i, &Wrapped::first);
    if (first != wrapped_.end()) open(Kind::attempt, i, Try{});
    copy_one(i, end, kind);
    const auto last = std::ranges::find(wrapped_, i, &Wrapped::last);
    if (last != wrapped_.end()) end_wrapped(*last);
  }

  /// Whether a statement runs although the thread around it has ended: it is one of the starter's.
  bool goes_on_without_thread(std::size_t i) const {
    const StatementKind& kind = script_.statements[i].kind;
    const bool waits = std::holds_alternative<PauseThread>(kind) || std::holds_alternative<ResumeThread>(kind);
    std::optional<std::size_t> thread = blocks_.thread(i);
    if (waits && thread == ended_) return true;
    while (thread && thread != ended_) thread = blocks_.thread(*thread);
    return thread != ended_;
  }

  void copy_one(std::size_t i, std::size_t end, const StatementKind& kind) {
    if (std::holds_alternative<Snapshot>(kind)) return history(outcome_of(held_.expected, i), kFields);
    if (std::holds_alternative<Try>(kind)) {
      const std::optional<std::size_t> last = blocks_.end(i);
      if (last && *last < end && caught(i) != nullptr) open(Kind::attempt, i, Try{});
      return;
    }
    if (std::holds_alternative<EndTry>(kind)) return end_try(i);
    if (std::holds_alternative<Enter>(kind) || std::holds_alternative<EnterSavedTensorsHooks>(kind))
      return open(Kind::guard, i, kind);
    if (std::holds_alternative<PauseThread>(kind)) return open(Kind::wait, i, kind);
    if (std::holds_alternative<EnterForward>(kind)) return open(Kind::forward, i, kind);
    if (std::holds_alternative<EnterFunctionalize>(kind)) return open(Kind::functionalized, i, kind);
    if (std::holds_alternative<EnterTransform>(kind)) return open(Kind::transformed, i, kind);
    if (std::holds_alternative<StartThread>(kind)) {
      open(Kind::thread, i, kind);
      if (const auto failed = end_of_thread(i); failed && *failed < end)
        wrap(blocks_.forward(*failed).value_or(*failed), *failed);
      return;
    }
    if (closes_block(kind)) open_.pop_back();
    if (!answer_name(kind).empty()) return answer(i, kind);
    add(kind);
  }

  /// A statement that reads the log or asks about keys does nothing else, so its answer is asserted.
  void answer(std::size_t i, const StatementKind& kind) {
    const Outcome* expected = outcome_of(held_.expected, i);
    const std::size_t at = add(kind);
    if (expected != nullptr && !std::holds_alternative<std::monostate>(expected->reading))
      expect(at, expected->reading);
  }

  void end_try(std::size_t i) {
    if (open_.empty() || open_.back().kind != Kind::attempt || blocks_.end(open_.back().from) != i) return;
    const Open attempt = open_.back();
    open_.pop_back();
    raises(attempt.at, *caught(attempt.from));
  }

  /// After the error that ends a thread, nothing of the thread runs.
  void end_wrapped(const Wrapped& wrapped) {
    const Open attempt = open_.back();
    open_.pop_back();
    raises(attempt.at, *wrapped.failed);
    const auto thread = blocks_.thread(attempt.from);
    if (!thread || wrapped.failed->statement == difference_.statement) return;
    skip_until_ = *blocks_.end(*thread);
    ended_ = thread;
    while (open_.back().kind != Kind::thread) close();
  }

  /// The error that reaches the Try at `attempt`.
  const Outcome* caught(std::size_t attempt) const {
    const auto found = std::ranges::find_if(held_.expected.outcomes, [&](const Outcome& o) {
      return o.failure.error != ErrorClass::none && blocks_.catcher(o.statement) == attempt;
    });
    return found == held_.expected.outcomes.end() ? nullptr : &*found;
  }

  /// Ends the Try at `first`, which expects what both sides raised, or at the difference what the reference did.
  void raises(std::size_t first, const Outcome& expected) {
    const bool both = got_ != nullptr && expected.statement != difference_.statement;
    const Outcome* got = both ? outcome_of(*got_, expected.statement) : nullptr;
    const std::string part = fixed_part(expected.failure);
    const bool worded_so = got == nullptr || got->failure.message.find(part) != std::string::npos;
    const bool typed = got != nullptr && !got->failure.exception.empty();
    test_.errors.push_back({first, add(EndTry{}), typed ? got->failure.exception : expected.failure.exception,
                            worded_so ? escaped(part) : "", 0});
  }

  /// The readings of a snapshot that ask for a tensor's history, up to the given field of the last tensor.
  void history(const Outcome* snapshot, int fields_of_last) {
    if (keep_ == Keep::nothing || snapshot == nullptr) return;
    for (const TensorReading& tensor : snapshot->tensors) {
      const bool last =
          difference_.tensor && snapshot->statement == difference_.statement && tensor.tensor == *difference_.tensor;
      for (const Field field : {Field::requires_grad, Field::is_leaf, Field::grad_fn}) {
        if (last && static_cast<int>(field) >= fields_of_last) return;
        const Reading& reading = tensor.fields[static_cast<std::size_t>(field)];
        if (const Failure* failure = std::get_if<Failure>(&reading))
          expect_error(Read{tensor.tensor, field}, *failure, "");
        else
          add(Read{tensor.tensor, field});
      }
      if (last) return;
    }
  }

  void expect_error(StatementKind kind, const Failure& failure, std::string match) {
    const std::size_t first = add(Try{});
    add(std::move(kind));
    const std::string exception = failure.exception.empty() ? "RuntimeError" : failure.exception;
    test_.errors.push_back({first, add(EndTry{}), exception, std::move(match), 0});
  }

  void point_of_difference() {
    if (difference_.field || difference_.thread) {
      const Outcome* snapshot = outcome_of(held_.expected, difference_.statement);
      if (snapshot != nullptr && !snapshot->thread.empty() && difference_.field)
        history(snapshot, static_cast<int>(*difference_.field));
      return expected_reading(reading_at(held_.expected, difference_));
    }
    if (difference_.statement >= script_.statements.size()) return;
    const StatementKind& kind = script_.statements[difference_.statement].kind;
    const Outcome* expected = outcome_of(held_.expected, difference_.statement);
    if (std::holds_alternative<Snapshot>(kind)) return expect_all_values(expected);
    if (forward_raises(difference_.statement)) {
      copy(difference_.statement, script_.statements.size());
      const bool in_body = !open_.empty() && open_.back().kind == Kind::functionalized;
      while (!open_.empty() && open_.back().kind == Kind::functionalized) close();
      if (in_body) end_wrapped(wrapped_.back());
      return;
    }
    if (expected != nullptr && expected->failure.error != ErrorClass::none && !opens_block(kind))
      return expect_error(kind, expected->failure, escaped(fixed_part(expected->failure)));
    copy_one(difference_.statement, script_.statements.size(), kind);
  }

  /// For a snapshot that could not be taken as a whole.
  void expect_all_values(const Outcome* snapshot) {
    if (snapshot == nullptr) return;
    for (const TensorReading& tensor : snapshot->tensors) {
      const auto* values = std::get_if<Values>(&tensor.fields[static_cast<std::size_t>(Field::values)]);
      if (values == nullptr || std::ranges::find(values->known, false) != values->known.end()) continue;
      expect(add(Read{tensor.tensor, Field::sizes}), tensor.fields[static_cast<std::size_t>(Field::sizes)]);
      expect(add(Read{tensor.tensor, Field::values}), *values);
    }
  }

  void expected_reading(const Reading& expected) {
    if (difference_.thread) {
      const std::size_t at = add(ReadThread{*difference_.thread});
      return expect_keys_or_whole(at, expected);
    }
    const Slot tensor = *difference_.tensor;
    const Field field = *difference_.field;
    if (const Failure* failure = std::get_if<Failure>(&expected))
      return expect_error(Read{tensor, field}, *failure, escaped(fixed_part(*failure)));
    if (field == Field::storage) return expected_alias(tensor, expected);
    if (field == Field::values || std::holds_alternative<Values>(expected)) {
      const std::size_t sizes = add(Read{tensor, Field::sizes});
      Difference of_sizes = difference_;
      of_sizes.field = Field::sizes;
      expect(sizes, reading_at(held_.expected, of_sizes));
    }
    expect_keys_or_whole(add(Read{tensor, field}), expected);
  }

  void expect(std::size_t statement, Reading reading) {
    Expectation e;
    e.statement = statement;
    e.expected = std::move(reading);
    test_.expectations.push_back(std::move(e));
  }

  /// Key sets are asserted by one key that the two do not share.
  void expect_keys_or_whole(std::size_t statement, const Reading& expected) {
    const auto* keys = std::get_if<std::vector<std::string>>(&expected);
    if (keys == nullptr) return expect(statement, expected);
    const Reading got = reading_at(*got_, difference_);
    const auto* got_keys = std::get_if<std::vector<std::string>>(&got);
    if (got_keys == nullptr) return;
    Expectation e;
    e.statement = statement;
    const auto lacks = [](const auto& list) {
      return [&](const std::string& key) {
        return std::ranges::find(list, key) == list.end() && program::is_key_name(key);
      };
    };
    const auto missing = std::ranges::find_if(*keys, lacks(*got_keys));
    const auto surplus = std::ranges::find_if(*got_keys, lacks(*keys));
    if (missing != keys->end())
      e.contains = *missing;
    else if (surplus != got_keys->end())
      e.contains = *surplus;
    e.negated = missing == keys->end();
    if (!e.contains.empty()) test_.expectations.push_back(std::move(e));
  }

  /// The storage is read as the lowest slot that shares it: the lower one of the two answers is the one to ask about.
  void expected_alias(Slot tensor, const Reading& expected) {
    const Reading got = reading_at(*got_, difference_);
    const auto* wanted = std::get_if<std::int64_t>(&expected);
    const auto* found = std::get_if<std::int64_t>(&got);
    if (wanted == nullptr || found == nullptr) return;
    Expectation e;
    const std::size_t first = add(Read{tensor, Field::storage});
    e.statement = add(Read{static_cast<Slot>(std::min(*wanted, *found)), Field::storage});
    e.same_as_statement = first;
    e.negated = *found < *wanted;
    test_.expectations.push_back(std::move(e));
  }

  const Script& script_;
  const Held& held_;
  Keep keep_;
  const Difference& difference_;
  const Trace* got_;
  Blocks blocks_;
  Test test_;
  std::vector<Open> open_;
  std::vector<Wrapped> wrapped_;
  std::size_t skip_until_ = 0;
  std::optional<std::size_t> ended_;  ///< the thread that an error has ended, while its statements are skipped
};

}  // namespace

program::Test reproducer_test(const Script& script, const Held& held, Keep keep) {
  return Cutter(script, held, keep).cut();
}

program::Test whole_test(const Script& script, const Trace& expected) {
  Held held{expected, Breakdown{}, {}};  // nothing to cut at
  held.comparison.differences.emplace_back();
  return Cutter(script, held, Keep::nothing).cut();
}

}  // namespace plumbline::fuzz
