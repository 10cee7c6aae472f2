// Checking whether a trace can be one of a script: the checks that need both.
#include <fmt/format.h>

#include "adapters/protocol/names.h"
#include "adapters/protocol/protocol.h"

namespace plumbline {

namespace {

/// The type of a reading, apart from an error, unsupported or unspecified.
enum class Shape : std::uint8_t { truth, integer, text, text_or_none, integers, names, values, values_or_none };

constexpr Shape shape_of(Field field) {
  switch (field) {
    case Field::dtype:
      return Shape::text;
    case Field::sizes:
    case Field::strides:
      return Shape::integers;
    case Field::values:
      return Shape::values;
    case Field::keys:
      return Shape::names;
    case Field::offset:
    case Field::storage:
    case Field::version:
    case Field::base:
      return Shape::integer;
    case Field::is_inference:
    case Field::requires_grad:
    case Field::is_leaf:
    case Field::grad_fn:
    case Field::is_view:
      return Shape::truth;
    case Field::creation_meta:
      return Shape::text_or_none;
    case Field::grad:
      return Shape::values_or_none;
  }
  return Shape::text;
}

constexpr Shape shape_of(ThreadField field) {
  return field == ThreadField::inference_mode || field == ThreadField::grad_mode ? Shape::truth : Shape::names;
}

constexpr std::string_view name_of(Shape shape) {
  constexpr std::array<std::string_view, 8> kNames{"true or false",
                                                   "an integer",
                                                   "a string",
                                                   "a string or null",
                                                   "an array of integers",
                                                   R"({"names": […]})",
                                                   R"({"floats": […]} or {"integers": […]})",
                                                   R"({"floats": […]}, {"integers": […]} or null)"};
  return kNames[static_cast<std::size_t>(shape)];
}

bool has_shape(const Reading& reading, Shape shape) {
  if (std::holds_alternative<std::monostate>(reading) || std::holds_alternative<Failure>(reading) ||
      std::holds_alternative<Unspecified>(reading))
    return true;
  switch (shape) {
    case Shape::truth:
      return std::holds_alternative<bool>(reading);
    case Shape::integer:
      return std::holds_alternative<std::int64_t>(reading);
    case Shape::text_or_none:
      if (std::holds_alternative<None>(reading)) return true;
      [[fallthrough]];
    case Shape::text:
      return std::holds_alternative<std::string>(reading);
    case Shape::integers:
      return std::holds_alternative<std::vector<std::int64_t>>(reading);
    case Shape::names:
      return std::holds_alternative<std::vector<std::string>>(reading);
    case Shape::values_or_none:
      if (std::holds_alternative<None>(reading)) return true;
      [[fallthrough]];
    case Shape::values:
      return std::holds_alternative<Values>(reading);
  }
  return false;
}

struct Checker {
  std::size_t index = 0;

  [[noreturn]] void expected(const std::string& inside, const std::string& what, const std::string& found) const {
    throw ProtocolError(fmt::format("$.trace.outcomes[{}]{}", index, inside), what, found);
  }

  /// `place` gives the reading's path, which only an error needs.
  template <class F, class Place>
  void reading(Place place, const Reading& r, F field) const {
    reading(place, r, shape_of(field), plumbline::name_of(field));
  }
  template <class Place>
  void reading(Place place, const Reading& r, Shape shape, std::string_view what) const {
    if (!has_shape(r, shape)) expected(place(), fmt::format("{} for {}", name_of(shape), what), "another type");
  }

  void snapshot(const Outcome& o, std::size_t slots) const {
    if (!o.kernels.empty()) expected(".kernels", "no kernels: the statement calls no op", "some");
    if (o.failure.error != ErrorClass::none)
      expected("", "no error: the errors of a snapshot are readings", "an error");
    if (o.thread.size() != kThreadFields) expected(".thread", "the readings of a snapshot", "none");
    for (std::size_t i = 0; i < kThreadFields; ++i)
      reading([i] { return fmt::format(".thread[{}]", i); }, o.thread[i], static_cast<ThreadField>(i));
    std::int64_t before = -1;
    for (std::size_t t = 0; t < o.tensors.size(); ++t) {
      const auto slot = static_cast<std::int64_t>(o.tensors[t].tensor);
      if (slot <= before || slot >= static_cast<std::int64_t>(slots))
        expected(fmt::format(".tensors[{}].tensor", t), fmt::format("slots below {}, in rising order", slots),
                 std::to_string(slot));
      before = slot;
      if (o.tensors[t].fields.size() != kFields)
        expected(fmt::format(".tensors[{}].fields", t), fmt::format("{} readings", kFields), "another number");
      for (std::size_t i = 0; i < kFields; ++i)
        reading([t, i] { return fmt::format(".tensors[{}].fields[{}]", t, i); }, o.tensors[t].fields[i],
                static_cast<Field>(i));
    }
  }

  void outcome(const Outcome& o, const StatementKind& kind, std::size_t slots) const {
    if (std::holds_alternative<Snapshot>(kind)) return snapshot(o, slots);
    if (!o.thread.empty()) expected(".thread", "no snapshot: the statement is not a snapshot", "one");
    if (!o.kernels.empty() && !std::holds_alternative<Call>(kind))
      expected(".kernels", "no kernels: the statement calls no op", "some");
    const auto place = [] { return std::string(".reading"); };
    if (const auto* read = std::get_if<Read>(&kind))
      reading(place, o.reading, read->field);
    else if (const auto* thread = std::get_if<ReadThread>(&kind))
      reading(place, o.reading, thread->field);
    else if (std::holds_alternative<ReadLog>(kind))
      reading(place, o.reading, Shape::names, "the log");
    else if (std::holds_alternative<QueryKernel>(kind) || std::holds_alternative<QueryThreadKey>(kind))
      reading(place, o.reading, Shape::truth, "a question");
    else if (!std::holds_alternative<std::monostate>(o.reading))
      expected(".reading", "no reading: the statement reads nothing", "one");
  }
};

}  // namespace

void check_trace(const Trace& trace, const Script& script) {
  Checker check;
  for (; check.index < trace.outcomes.size(); ++check.index) {
    const Outcome& o = trace.outcomes[check.index];
    if (o.statement >= script.statements.size() ||
        (check.index > 0 && o.statement <= trace.outcomes[check.index - 1].statement))
      check.expected(".statement", fmt::format("statements below {}, in rising order", script.statements.size()),
                     std::to_string(o.statement));
    check.outcome(o, script.statements[o.statement].kind, script.names.size());
  }
  if (!trace.completed && (trace.outcomes.empty() || trace.outcomes.back().failure.error == ErrorClass::none))
    throw ProtocolError("$.trace.completed", "true, or a last outcome with an error", "false");
}

}  // namespace plumbline
