// Comparison of an implementation's trace with the reference's, statement by statement.
#include "oracle/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "adapters/protocol/names.h"
#include "oracle/compare_message.h"
#include "oracle/compare_reading.h"
#include "oracle/hidden_slots.h"
#include "oracle/lookup.h"
#include "oracle/reading_text.h"
#include "oracle/version_changes.h"
#include "spec/rules/trf.h"

namespace plumbline {

namespace {

bool steers(const StatementKind& kind) {
  return std::holds_alternative<Try>(kind) || std::holds_alternative<EndTry>(kind);
}

/// One comparison under way.
class Comparing {
 public:
  Comparing(const Script& script, const Trace& reference, const Trace& implementation, const Description& description)
      : script_(script),
        reference_(reference),
        implementation_(implementation),
        description_(description),
        words_(release_worded_by(description)),
        changes_(script) {}

  Comparison run() {
    std::size_t r = 0;
    std::size_t g = 0;
    while (go_on_) {
      skip_steering(reference_, r);
      skip_steering(implementation_, g);
      if (r == reference_.outcomes.size() || g == implementation_.outcomes.size()) break;
      statement(reference_.outcomes[r++], implementation_.outcomes[g++]);
    }
    if (go_on_) ends(r, g);
    finish();
    return std::move(result_);
  }

 private:
  /// Try and EndTry do nothing themselves, and an adapter may leave them out of its trace.
  void skip_steering(const Trace& trace, std::size_t& next) const {
    while (next < trace.outcomes.size() && steers(script_.statements.at(trace.outcomes[next].statement).kind)) ++next;
  }

  void statement(const Outcome& expected, const Outcome& got) {
    if (expected.statement != got.statement) {
      differs(expected.statement, fmt::format("the run goes on with statement {}", expected.statement),
              fmt::format("the run goes on with statement {}", got.statement), "order");
      return;
    }
    ++result_.statements;
    free_ = false;
    weighty_ = false;
    const StatementKind& kind = script_.statements.at(expected.statement).kind;
    if (const auto* read = std::get_if<Read>(&kind))
      one_reading(expected, got, read->field, read->tensor);
    else if (const auto* thread = std::get_if<ReadThread>(&kind))
      one_thread_reading(expected, got, thread->field);
    else if (std::holds_alternative<Snapshot>(kind))
      snapshot(expected, got);
    else
      failure(expected, got);
    if (go_on_ && expected.failure.error == ErrorClass::none && !answer_name(kind).empty()) answer(expected, got);
    if (free_) ++result_.unspecified;
    if (weighty_) ++weighty_statements_;
    if (!result_.differences.empty()) go_on_ = false;
  }

  void failure(const Outcome& expected, const Outcome& got) {
    ++result_.readings.errors.compared;
    const ErrorClass wanted = expected.failure.error;
    const ErrorClass found = got.failure.error;
    if (!same_failure(expected.failure, got.failure, description_.errors, words_)) {
      differs(expected.statement, failure_text(expected.failure), failure_text(got.failure),
              wanted == found ? fmt::format("message of {}", name_of(wanted))
                              : fmt::format("error: {} -> {}", name_of(wanted), name_of(found)));
    } else {
      kernels(expected, got);
      stop_where_errors_part(expected, got);
    }
  }

  /// What a statement without an error answers, in the log or to a query.
  void answer(const Outcome& expected, const Outcome& got) {
    const StatementKind& kind = script_.statements.at(expected.statement).kind;
    const ReadingComparison found = compare_answer(expected.reading, got.reading);
    if (found.agreement == Agreement::unsupported)
      return unsupported(fmt::format("{} did not show {}", description_.name, answer_subject(kind)));
    ++result_.readings.answers.compared;
    if (found.agreement != Agreement::differs) return;
    Difference d = difference(expected.statement, answer_text(expected.reading), answer_text(got.reading), "");
    d.blamed = blamed_statement(script_, expected.statement, nullptr);
    d.what = answer_subject(kind);
    d.signature = signature(d.blamed, answer_name(kind), found.shape);
    result_.differences.push_back(std::move(d));
  }

  /// The kernels that a call ran, if the implementation shows them. A difference is reported only if the run has no
  /// other difference: the effect of other kernels is mostly seen later, in something that a program can assert.
  void kernels(const Outcome& expected, const Outcome& got) {
    if (!description_.kernels || expected.kernels.empty() || got.kernels.empty()) return;
    if (expected.kernels == got.kernels || other_kernels_) return;
    other_kernels_ = difference(expected.statement, kernels_text(expected.kernels, " -> "),
                                kernels_text(got.kernels, " -> "), "kernels");
  }

  /// If errors are not compared, the comparison stops when only one side raises: the runs continue differently.
  void stop_where_errors_part(const Outcome& expected, const Outcome& got) {
    if ((expected.failure.error == ErrorClass::none) == (got.failure.error == ErrorClass::none)) return;
    unsupported(fmt::format("statement {} raises on one side only, and {} does not show errors", expected.statement,
                            description_.name));
    go_on_ = false;
  }

  void one_reading(const Outcome& expected, const Outcome& got, Field field, Slot tensor) {
    const Measure measure{
        description_.fields[static_cast<std::size_t>(field)], description_.errors, description_.closeness, {}, words_};
    const Reading found = reading_of(got);
    if (measure.field == Strictness::changed)
      return version_change(expected.statement, tensor, reading_of(expected), found, true);
    const Reading wanted = counted_from_first(reading_of(expected), found);
    take(compare_reading(field, wanted, found, measure), true, expected.statement, tensor, field, {}, wanted, found);
    if (result_.differences.empty()) stop_where_errors_part(expected, got);
  }

  void one_thread_reading(const Outcome& expected, const Outcome& got, ThreadField field) {
    const Measure measure{
        description_.thread[static_cast<std::size_t>(field)], description_.errors, description_.closeness, {}, words_};
    const Reading wanted = reading_of(expected);
    const Reading found = reading_of(got);
    take(compare_reading(field, wanted, found, measure), true, expected.statement, {}, {}, field, wanted, found);
    if (result_.differences.empty()) stop_where_errors_part(expected, got);
  }

  void snapshot(const Outcome& expected, const Outcome& got) {
    for (std::size_t i = 0; i < expected.thread.size() && i < got.thread.size(); ++i) {
      const Measure measure{description_.thread[i], description_.errors, description_.closeness, {}, words_};
      const auto field = static_cast<ThreadField>(i);
      take(compare_reading(field, expected.thread[i], got.thread[i], measure), false, expected.statement, {}, {}, field,
           expected.thread[i], got.thread[i]);
    }
    const auto slots = [](const Outcome& o) {
      std::vector<std::int64_t> live;
      for (const TensorReading& t : o.tensors) live.push_back(static_cast<std::int64_t>(t.tensor));
      return live;
    };
    std::optional<Outcome> fewer;  // only where the two differ: most snapshots need no copy
    if (slots(expected) != slots(got)) fewer = without_hidden(expected, got, slots_of_forwards(script_));
    const Outcome& shown = fewer ? *fewer : expected;
    if (slots(shown) != slots(got)) {
      differs(expected.statement, fmt::format("live slots {}", reading_text(slots(expected))),
              fmt::format("live slots {}", reading_text(slots(got))), "live tensors");
      return;
    }
    for (std::size_t i = 0; i < shown.tensors.size(); ++i) tensor(expected.statement, shown.tensors[i], got.tensors[i]);
  }

  void tensor(std::size_t statement, const TensorReading& expected, const TensorReading& got) {
    std::optional<Dtype> dtype;
    if (const auto* name = std::get_if<std::string>(&expected.fields.at(static_cast<std::size_t>(Field::dtype))))
      dtype = dtype_named(*name);
    bool sizes_agree = true;
    for (std::size_t i = 0; i < kFields; ++i) {
      const Measure measure{description_.fields[i], description_.errors, description_.closeness, dtype, words_};
      const auto field = static_cast<Field>(i);
      // Of other sizes, strides and values must differ too: one difference, not three.
      if (!sizes_agree && (field == Field::strides || field == Field::values)) continue;
      if (measure.field == Strictness::changed) {
        version_change(statement, expected.tensor, expected.fields.at(i), got.fields.at(i), false);
        continue;
      }
      const Reading wanted = counted_from_first(expected.fields.at(i), got.fields.at(i));
      const std::size_t before = result_.differences.size();
      take(compare_reading(field, wanted, got.fields.at(i), measure), false, statement, expected.tensor, field, {},
           wanted, got.fields[i]);
      if (field == Field::sizes) sizes_agree = result_.differences.size() == before;
    }
  }

  /// Where only changes of versions are compared.
  void version_change(std::size_t statement, Slot slot, const Reading& expected, const Reading& got, bool asked) {
    if (!VersionChanges::comparable(expected, got)) {
      const Measure measure{Strictness::kind, description_.errors, {}, {}, words_};
      return take(compare_reading(Field::version, expected, got, measure), asked, statement, slot, Field::version, {},
                  expected, got);
    }
    const auto change = changes_.read(statement, slot, expected, got);
    if (!change) return;
    const std::size_t before = result_.differences.size();
    take(compare_reading(Field::version, change->expected, change->got, {}), asked, statement, slot, Field::version, {},
         change->expected, change->got);
    if (result_.differences.size() > before)
      result_.differences.back().what =
          fmt::format("change of the version of {} since line {}", slot_name(script_, slot), line_of(change->since));
  }

  /// The expected version if it counts from an unspecified one: an earlier reading of the same counter determines it.
  Reading counted_from_first(const Reading& expected, const Reading& got) {
    const auto* free = std::get_if<Unspecified>(&expected);
    const auto* version = std::get_if<std::int64_t>(&got);
    if (free == nullptr || free->counter < 0 || version == nullptr) return expected;
    const auto [first, is_new] = first_versions_.emplace(free->counter, *version - free->counted);
    return is_new ? expected : Reading(first->second + free->counted);
  }

  /// `asked`: a statement of the program reads this field, so the report says if it is ignored.
  void take(const ReadingComparison& found, bool asked, std::size_t statement, std::optional<Slot> tensor,
            std::optional<Field> field, std::optional<ThreadField> thread, const Reading& expected,
            const Reading& got) {
    const std::string_view name = field ? name_of(*field) : name_of(*thread);
    const auto what = [&] {
      return tensor ? fmt::format("{} of {}", name, slot_name(script_, *tensor)) : fmt::format("the thread's {}", name);
    };
    ReadingCount& count = field ? result_.readings.fields[static_cast<std::size_t>(*field)] : result_.readings.thread;
    if (found.agreement != Agreement::ignored && found.agreement != Agreement::unsupported) ++count.compared;
    switch (found.agreement) {
      case Agreement::same:
        return;
      case Agreement::unspecified:
        ++count.free;
        free_ = true;
        if (!asked && is_set_aside(expected)) return;
        weighty_ = true;
        if (first_free_.empty()) first_free_ = free_text(what(), expected);
        return;
      case Agreement::ignored:
        ++count.left_out;
        if (asked) unsupported(fmt::format("{} cannot observe {}", description_.name, name));
        return;
      case Agreement::unsupported:
        if (std::holds_alternative<std::monostate>(expected)) return;  // the values of a meta tensor
        unsupported(fmt::format("{} says that it shows {}, but did not", description_.name, name));
        return;
      case Agreement::differs:
        break;
    }
    const Slot* slot = tensor ? &*tensor : nullptr;
    const std::size_t blamed = blamed_statement(script_, statement, slot);
    Difference d{statement, line_of(statement), tensor, field, thread, "", "", "", blamed, ""};
    d.what = what();
    d.expected = field ? reading_text(*field, expected, script_) : reading_text(expected);
    d.got = field ? reading_text(*field, got, script_) : reading_text(got);
    d.signature = signature(blamed, name, found.shape);
    result_.differences.push_back(std::move(d));
  }

  std::string signature(std::size_t blamed, std::string_view name, std::string_view shape) const {
    return fmt::format("{}/{}{}{}", culprit(blamed), name, shape.empty() ? "" : ": ", shape);
  }

  /// The statement's name; "graph" for a call that ran in a graph, where no observation tells the calls apart.
  std::string culprit(std::size_t statement) const {
    const Statement& blamed = script_.statements.at(statement);
    return description_.programs == Programs::captured && std::holds_alternative<Call>(blamed.kind)
               ? "graph"
               : statement_name(blamed);
  }

  /// What is unspecified and leaves what follows defined: a version whose counter is known, because later versions of
  /// that counter are compared with it, and what TRF-16 and TRF-28 leave open.
  static bool is_set_aside(const Reading& expected) {
    const auto* free = std::get_if<Unspecified>(&expected);
    return free != nullptr && (free->counter >= 0 || free->rule == TRF_16.id() || free->rule == TRF_28.id());
  }

  static std::string free_text(const std::string& what, const Reading& expected) {
    const auto* unspecified = std::get_if<Unspecified>(&expected);
    return unspecified != nullptr ? fmt::format("{} ({})", what, unspecified->rule)
                                  : fmt::format("some elements in {}", what);
  }

  Difference difference(std::size_t statement, std::string expected, std::string got, std::string_view what) const {
    const std::string name = statement_name(script_.statements.at(statement));
    const std::string signature = fmt::format("{}/{}", culprit(statement), what);
    return {statement, line_of(statement), {}, {}, {}, std::move(expected), std::move(got), signature, statement, name};
  }
  void differs(std::size_t statement, std::string expected, std::string got, std::string_view what) {
    result_.differences.push_back(difference(statement, std::move(expected), std::move(got), what));
    go_on_ = false;
  }

  /// Both traces should end together.
  void ends(std::size_t r, std::size_t g) {
    if (r < reference_.outcomes.size())
      differs(reference_.outcomes[r].statement, "the run goes on here", "the run ended before", "ended");
    else if (g < implementation_.outcomes.size())
      differs(implementation_.outcomes[g].statement, "the run ended before", "the run goes on here", "went on");
    else if (reference_.completed != implementation_.completed && !script_.statements.empty())
      differs(script_.statements.size() - 1, reference_.completed ? "the run completes" : "an error ends the run",
              implementation_.completed ? "the run completes" : "an error ends the run", "completed");
  }

  void unsupported(std::string why) {
    if (why_unsupported_.empty()) why_unsupported_ = std::move(why);
  }

  void finish() {
    if (result_.differences.empty() && other_kernels_) result_.differences.push_back(std::move(*other_kernels_));
    if (!result_.differences.empty()) {
      result_.verdict = Verdict::divergent;
      result_.message = describe(result_.differences.front());
    } else if (weighty_statements_ > 0) {
      result_.verdict = Verdict::unspecified;
      result_.message =
          fmt::format("{} of {} statements have a value that the specification does not define, the first: {}",
                      weighty_statements_, result_.statements, first_free_);
    } else if (!why_unsupported_.empty()) {
      result_.verdict = Verdict::unsupported;
      result_.message = why_unsupported_;
    }
  }

  int line_of(std::size_t statement) const { return script_.statements.at(statement).line; }

  const Script& script_;
  const Trace& reference_;
  const Trace& implementation_;
  const Description& description_;
  std::string_view words_;  ///< the release that words the implementation's errors
  Comparison result_;
  std::string why_unsupported_;
  std::string first_free_;
  std::optional<Difference> other_kernels_;  ///< the first difference of kernels
  bool go_on_ = true;
  bool free_ = false;     ///< this statement has an unspecified value
  bool weighty_ = false;  ///< it has one that is not just a version in a snapshot
  std::size_t weighty_statements_ = 0;
  VersionChanges changes_;
  std::map<std::int32_t, std::int64_t> first_versions_;  ///< by the reference's counter
};

}  // namespace

void ReadingCount::add(const ReadingCount& more) {
  compared += more.compared;
  free += more.free;
  left_out += more.left_out;
}

void ReadingCounts::add(const ReadingCounts& more) {
  for (std::size_t i = 0; i < kFields; ++i) fields[i].add(more.fields[i]);
  thread.add(more.thread);
  answers.add(more.answers);
  errors.add(more.errors);
}

ReadingCount ReadingCounts::sum() const {
  ReadingCount all = thread;
  all.add(answers);
  all.add(errors);
  for (const ReadingCount& field : fields) all.add(field);
  return all;
}

std::string describe(const Difference& difference) {
  const std::string where = difference.line > 0 ? fmt::format("line {}: ", difference.line) : std::string();
  return fmt::format("{}{}: expected {}, got {}", where, difference.what, difference.expected, difference.got);
}

Comparison breakdown(const Breakdown& breakdown) {
  if (breakdown.kind == Breakdown::Kind::unsupported)
    return {Verdict::unsupported,
            breakdown.message.empty() ? "it says that it cannot run this program" : breakdown.message,
            {},
            0,
            0,
            {}};
  if (breakdown.kind == Breakdown::Kind::limit) return {Verdict::unknown, breakdown.message, {}, 0, 0, {}};
  const std::string_view name = name_of(breakdown.kind);
  Difference d;
  d.expected = "a trace";
  d.got = fmt::format("{}{}{}", name, breakdown.message.empty() ? "" : ": ", breakdown.message);
  d.signature = fmt::format("run/{}", name);
  d.what = "the run";
  const std::string message = describe(d);
  return {Verdict::divergent, message, {std::move(d)}, 0, 0, {}};
}

Comparison compare(const Script& script, const Trace& reference, const RunResult& implementation,
                   const Description& description) {
  if (const auto* broken = std::get_if<Breakdown>(&implementation)) return breakdown(*broken);
  return Comparing(script, reference, std::get<Trace>(implementation), description).run();
}

}  // namespace plumbline
