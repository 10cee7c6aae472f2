// Lowering observations, and the values that asserts expect of them.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

bool is_field(const Observation& o, Field field) {
  const auto* f = std::get_if<Field>(&o.what);
  return f != nullptr && *f == field;
}

bool is_truth(const Observation& o) {
  const bool query = std::holds_alternative<QueryKernel>(o.what) || std::holds_alternative<QueryThreadKey>(o.what);
  if (!o.key.empty() || o.other || query) return true;
  if (const auto* thread = std::get_if<ThreadField>(&o.what))
    return *thread == ThreadField::inference_mode || *thread == ThreadField::grad_mode;
  const Field field = std::get<Field>(o.what);
  return field == Field::is_inference || field == Field::requires_grad || field == Field::is_leaf ||
         field == Field::is_view;
}

/// Whether two observations read the same of their tensors or of the thread.
bool same_kind(const Observation& a, const Observation& b) {
  const auto *x = std::get_if<Field>(&a.what), *y = std::get_if<Field>(&b.what);
  const auto *s = std::get_if<ThreadField>(&a.what), *t = std::get_if<ThreadField>(&b.what);
  return a.as_list == b.as_list &&
         ((x != nullptr && y != nullptr && *x == *y) || (s != nullptr && t != nullptr && *s == *t));
}

std::string text_of(const Assert& assertion) {
  const std::string_view relation = assertion.relation == Relation::equal ? "=="
                                    : assertion.relation == Relation::is  ? "is"
                                                                          : "is not";
  return fmt::format("{} {} {}", print(assertion.left), relation, print(assertion.right));
}

}  // namespace

std::optional<Observation> Lowerer::observed(const Expression& expression) {
  try {
    auto found = observation(expression);
    if (found && start_of(expression).line > 0 && dotted_name(expression).empty()) {
      const auto& call = std::get<Invocation>(expression.node);
      if (dotted_name(*call.callee).starts_with("torch.")) need_import("torch", start_of(expression));
    }
    return found;
  } catch (const BadObservation& bad) {
    fail(bad.place, bad.problem, bad.advice);
  }
}

/// Emits the reading; the expectation belongs to the last statement. `with_sizes`: the values are compared with a
/// nested list, so the sizes are read before them.
Observed Lowerer::read(const Observation& o, bool with_sizes, int line) {
  if (const auto* thread = std::get_if<ThreadField>(&o.what)) return {o, emit(ReadThread{*thread}, line)};
  if (const auto* query = std::get_if<QueryKernel>(&o.what)) return {o, emit(*query, line)};
  if (const auto* query = std::get_if<QueryThreadKey>(&o.what)) return {o, emit(*query, line)};
  const Field field = std::get<Field>(o.what);
  const Slot slot = tensor_or_meta(*o.tensor);
  if (scope_.holds_meta_tensor(slot) && (field == Field::values || field == Field::grad))
    fail(start_of(*o.tensor), fmt::format("'{}' is a meta tensor", print(*o.tensor)),
         "Its elements and its `.grad` are not observed");
  if (o.other) {
    const Slot other = tensor_or_meta(*o.other);
    emit(Read{slot, Field::storage}, line);
    return {o, emit(Read{other, Field::storage}, line)};
  }
  const bool lists = field == Field::values || is_grad_list(o);
  if (lists && with_sizes) emit(Read{slot, Field::sizes}, line);
  return {o, emit(Read{slot, field}, line)};
}

void Lowerer::wrong_right(const Expression& right, const std::string& wanted) {
  fail(start_of(right), fmt::format("found {} on the right of the comparison, expected {}", print(right), wanted),
       "Write what the observation should be");
}

void Lowerer::assertion(const Assert& a, Place place) {
  std::optional<Observed> left;
  if (std::holds_alternative<Name>(a.left.node)) {
    const Binding binding = look_up(a.left);
    if (const auto* list = std::get_if<EmptyList>(&binding)) return expect_log(*list, a, place);
    const auto* named = std::get_if<Observed>(&binding);
    if (named == nullptr)
      fail(start_of(a.left), fmt::format("'{}' is not an observation", print(a.left)), list_of_observations());
    left = *named;
  } else if (const auto found = observed(a.left)) {
    left = read(*found, true, place.line);
  } else {
    need_no_part(a.left);
    fail(start_of(a.left), fmt::format("{} is not an observation", print(a.left)), list_of_observations());
  }
  Expectation e;
  e.statement = left->statement;
  e.negated = a.relation == Relation::is_not;
  e.line = place.line;
  e.text = text_of(a);
  const Observation& o = left->observation;
  if (const auto* name = std::get_if<Name>(&a.right.node); name != nullptr && !is_field(o, Field::base)) {
    const Binding binding = look_up(a.right);
    if (const auto* other = std::get_if<Observed>(&binding)) {
      if (!same_kind(other->observation, o) || is_truth(o) || is_field(o, Field::grad_fn))
        wrong_right(a.right, "an observation of the same kind, not a truth value");
      if (a.relation != Relation::equal)
        fail(start_of(a.right), "two observations are compared with `is`", "Compare them with ==");
      e.same_as_statement = other->statement;
      if (is_field(o, Field::values)) {
        Expectation sizes = e;
        sizes.statement = e.statement - 1;
        sizes.same_as_statement = other->statement - 1;
        test_.expectations.push_back(std::move(sizes));
      }
      test_.expectations.push_back(std::move(e));
      return;
    }
  }
  if (is_truth(o)) return expect_truth(std::move(e), *left, a);
  const bool whole_grad = is_field(o, Field::grad) && !o.as_list;
  const bool by_identity =
      is_field(o, Field::dtype) || is_field(o, Field::grad_fn) || is_field(o, Field::base) || whole_grad;
  if (a.relation != Relation::equal && !by_identity)
    fail(start_of(a.right), fmt::format("{} is compared with `is`", print(a.left)),
         "Compare numbers, lists and names with ==");
  if (is_field(o, Field::values) || is_grad_list(o)) return expect_values(std::move(e), a.right);
  e.expected = expected(*left, a);
  test_.expectations.push_back(std::move(e));
}

/// `assert log == ["a"]`.
void Lowerer::expect_log(const EmptyList& list, const Assert& a, Place place) {
  take_as_log(list, a.left);
  if (a.relation != Relation::equal)
    fail(start_of(a.right), fmt::format("{} is compared with `is`", print(a.left)),
         "Compare numbers, lists and names with ==");
  const Expression right = literal(a.right);
  const auto* written = std::get_if<List>(&right.node);
  if (written == nullptr) wrong_right(a.right, "a list of texts");
  std::vector<std::string> texts;
  for (const Expression& item : written->items) {
    if (string_in(item) == nullptr) wrong_right(item, "a text");
    texts.push_back(*string_in(item));
  }
  Expectation e;
  e.statement = emit(ReadLog{}, place.line);
  e.expected = std::move(texts);
  e.line = place.line;
  e.text = text_of(a);
  test_.expectations.push_back(std::move(e));
}

void Lowerer::expect_truth(Expectation e, const Observed& observed, const Assert& a) {
  const Expression right = literal(a.right);
  const auto* value = std::get_if<bool>(&right.node);
  if (value == nullptr) wrong_right(a.right, "True or False");
  const Observation& o = observed.observation;
  if (o.other) e.same_as_statement = observed.statement - 1;
  e.contains = o.key;
  if (o.other || !o.key.empty()) {
    e.negated = e.negated == *value;
  } else {
    e.expected = *value;
  }
  test_.expectations.push_back(std::move(e));
}

void Lowerer::expect_values(Expectation e, const Expression& right) {
  const auto nested = flatten(literal(right));
  if (!nested) wrong_right(right, "a list whose rows have the same length");
  Values values;
  bool all_integers = true;
  for (const Expression& number : nested->numbers) {
    if (const auto* complex = std::get_if<ComplexNumber>(&number.node)) {
      all_integers = false;
      values.floats.insert(values.floats.end(), {complex->real, complex->imag});
      continue;
    }
    const auto* truth = std::get_if<bool>(&number.node);  // True == 1 in Python
    const std::int64_t one_or_zero = truth != nullptr && *truth ? 1 : 0;
    const auto* integer = truth != nullptr ? &one_or_zero : std::get_if<std::int64_t>(&number.node);
    const auto* real = std::get_if<double>(&number.node);
    if (integer == nullptr && real == nullptr) wrong_right(number, "a number");
    if (real != nullptr && std::isnan(*real))
      fail(start_of(number), "found nan in an assert", "nan equals nothing, not even itself: choose other values");
    all_integers = all_integers && integer != nullptr;
    values.floats.push_back(integer != nullptr ? static_cast<double>(*integer) : *real);
    values.integers.push_back(integer != nullptr ? *integer : 0);
  }
  (all_integers && !nested->numbers.empty() ? values.floats.clear() : values.integers.clear());
  Expectation sizes = e;
  sizes.statement = e.statement - 1;
  sizes.expected = nested->sizes;
  sizes.prefix = !nested->sizes.empty() && nested->sizes.back() == 0;
  e.expected = std::move(values);
  test_.expectations.push_back(std::move(sizes));
  test_.expectations.push_back(std::move(e));
}

Reading Lowerer::expected_sequence(bool as_list, const Expression& written) {
  const auto* call = std::get_if<Invocation>(&written.node);
  if (call != nullptr && dotted_name(*call->callee) == "torch.Size" && call->positional.size() == 1 && !as_list) {
    const Expression inner = literal(call->positional[0]);
    if (const auto* list = std::get_if<List>(&inner.node)) return integers(list->items);
    if (const auto* tuple = std::get_if<Tuple>(&inner.node)) return integers(tuple->items);
  }
  if (call != nullptr) wrong_right(written, "a list or a tuple of ints");
  const Expression right = literal(written);
  const auto* list = std::get_if<List>(&right.node);
  const auto* tuple = std::get_if<Tuple>(&right.node);
  if (list == nullptr && tuple == nullptr) wrong_right(written, as_list ? "a list of ints" : "a tuple of ints");
  if (as_list != (list != nullptr))
    fail(start_of(written), "a list is compared with a tuple, and these are never equal",
         as_list ? "Write [2, 3]" : "Write (2, 3), or list(…) on the left");
  return integers(list != nullptr ? list->items : tuple->items);
}

Reading Lowerer::expected_name(std::string_view prefix, const Expression& right) {
  const std::string name = dotted_name(right);
  constexpr std::array<std::string_view, 5> kMeta{"DEFAULT", "IN_CUSTOM_FUNCTION", "MULTI_OUTPUT_NODE", "NO_GRAD_MODE",
                                                  "INFERENCE_MODE"};
  for (const std::string_view meta : kMeta)
    if (name == fmt::format("{}{}", prefix, meta)) return std::string(meta);
  wrong_right(right, fmt::format("{}INFERENCE_MODE or the like", prefix));
}

/// The number that a reading of `_base` gives for the tensor.
std::int64_t Lowerer::base_slot(const Expression& right) {
  const auto slot = scope_.lowest_with_object_of(tensor(right));
  if (slot) return static_cast<std::int64_t>(*slot);
  fail(start_of(right), fmt::format("whether '{}' is a new tensor depends on the sizes", print(right)),
       "Compare with a tensor that does not come from reshape, contiguous, flatten or to");
}

Reading Lowerer::expected(const Observed& observed, const Assert& a) {
  const auto* field = std::get_if<Field>(&observed.observation.what);
  const bool none = std::holds_alternative<NoneLiteral>(a.right.node);
  switch (field == nullptr ? Field::keys : *field) {
    case Field::dtype: {
      const auto name = dtype(std::holds_alternative<Name>(a.right.node) ? literal(a.right) : a.right);
      if (!name) wrong_right(a.right, "torch.float32 or another dtype");
      return std::string(name_of(*name));
    }
    case Field::sizes:
    case Field::strides:
      return expected_sequence(observed.observation.as_list, a.right);
    case Field::offset:
    case Field::version: {
      const Expression right = literal(a.right);
      const auto* number = std::get_if<std::int64_t>(&right.node);
      if (number == nullptr) wrong_right(a.right, "an int");
      return *number;
    }
    case Field::grad_fn:
      if (!none) wrong_right(a.right, "None");
      return false;
    case Field::base:
      if (a.relation == Relation::equal)
        fail(start_of(a.right), "`_base` is compared with ==, which compares elements",
             "Compare it with `is` or `is not`");
      if (none) return std::int64_t{-1};
      return base_slot(a.right);
    case Field::grad:
      if (!none) wrong_right(a.right, "None; a gradient's values are compared as in `x.grad.tolist() == […]`");
      if (a.relation == Relation::equal)
        fail(start_of(a.right), "`.grad` is compared with ==", "Compare it with `is` or `is not`");
      return None{};
    case Field::creation_meta:
      return expected_name("torch._C._autograd.CreationMeta.", a.right);
    default:
      fail(start_of(a.left), fmt::format("{} is compared as a whole", print(a.left)),
           is_field(observed.observation, Field::storage)
               ? "Compare storages with torch._C._is_alias_of(x, y)"
               : "Ask for one key, as in `.has(torch._C.DispatchKey.AutogradCPU) is True`");
  }
}

}  // namespace plumbline::program
