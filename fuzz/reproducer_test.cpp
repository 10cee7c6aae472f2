// Cutting a script off at its difference, and stating what was expected there.
#include "fuzz/reproducer_test.h"

#include <algorithm>

#include "oracle/lookup.h"

namespace plumbline::fuzz {

namespace {

using program::Expectation;
using program::ExpectedError;
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
        got_(std::get_if<Trace>(&held.got)) {}

  Test cut() {
    test_.script.names = script_.names;
    const std::size_t end = got_ == nullptr ? script_.statements.size() : difference_.statement;
    for (std::size_t i = 0; i < end; ++i) copy(i, end);
    if (got_ != nullptr) point_of_difference();
    while (guards_ > 0) {
      add(Exit{});
      --guards_;
    }
    return std::move(test_);
  }

 private:
  std::size_t add(StatementKind kind) {
    test_.script.statements.push_back({std::move(kind), 0});
    return test_.script.statements.size() - 1;
  }

  /// Whether the Try at `from` is closed before `end`.
  std::optional<std::size_t> closed_at(std::size_t from, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = from + 1; i < end; ++i) {
      if (std::holds_alternative<Try>(script_.statements[i].kind)) ++depth;
      if (std::holds_alternative<EndTry>(script_.statements[i].kind) && depth-- == 0) return i;
    }
    return std::nullopt;
  }

  void copy(std::size_t i, std::size_t end) {
    const StatementKind& kind = script_.statements[i].kind;
    if (std::holds_alternative<Snapshot>(kind)) return history(outcome_of(held_.expected, i), kFields);
    if (std::holds_alternative<Try>(kind)) {
      const std::optional<std::size_t> last = closed_at(i, end);
      if (last && raised_in(i, *last)) open_.push_back({add(Try{}), i, *last, guards_});
      return;
    }
    if (std::holds_alternative<EndTry>(kind)) {
      if (open_.empty() || open_.back().last != i) return;
      const Open open = open_.back();
      open_.pop_back();
      guards_ = open.guards;
      const ExpectedError error = earlier_error(open.from, i);
      test_.errors.push_back({open.at, add(EndTry{}), error.exception, error.match, 0});
      return;
    }
    if (std::holds_alternative<Enter>(kind)) ++guards_;
    if (std::holds_alternative<Exit>(kind)) --guards_;
    add(kind);
  }

  bool raised_in(std::size_t first, std::size_t last) const {
    return std::ranges::any_of(held_.expected.outcomes, [&](const Outcome& o) {
      return o.statement > first && o.statement < last && o.failure.error != ErrorClass::none;
    });
  }

  /// What both sides raised between `first` and `last`.
  ExpectedError earlier_error(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      const Outcome* expected = outcome_of(held_.expected, i);
      const Outcome* got = got_ == nullptr ? nullptr : outcome_of(*got_, i);
      if (expected == nullptr || expected->failure.error == ErrorClass::none) continue;
      if (std::holds_alternative<Snapshot>(script_.statements[i].kind)) continue;
      const std::string part = fixed_part(expected->failure);
      const bool worded_so = got == nullptr || got->failure.message.find(part) != std::string::npos;
      const bool typed = got != nullptr && !got->failure.exception.empty();
      return {0, 0, typed ? got->failure.exception : expected->failure.exception, worded_so ? escaped(part) : "", 0};
    }
    return {0, 0, "RuntimeError", "", 0};
  }

  /// The readings of a snapshot that ask for a tensor's history, for tensors in front of the `before`-th field of the
  /// last one asked.
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
    if (std::holds_alternative<Enter>(kind)) ++guards_;
    if (std::holds_alternative<Exit>(kind)) --guards_;
    if (expected != nullptr && expected->failure.error != ErrorClass::none)
      expect_error(kind, expected->failure, escaped(fixed_part(expected->failure)));
    else
      add(kind);
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
    if (field == Field::values) {
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
      return [&](const std::string& key) { return std::ranges::find(list, key) == list.end(); };
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

  struct Open {
    std::size_t at;    ///< of the Try, in the new script
    std::size_t from;  ///< of the Try, in the old one
    std::size_t last;  ///< of the EndTry, in the old one
    int guards;        ///< open around it
  };

  const Script& script_;
  const Held& held_;
  Keep keep_;
  const Difference& difference_;
  const Trace* got_;
  Test test_;
  std::vector<Open> open_;
  int guards_ = 0;
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
