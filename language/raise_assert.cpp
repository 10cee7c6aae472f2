// Raising readings: bare observations and asserts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "language/observe.h"
#include "language/raiser.h"

namespace plumbline::program {
namespace {

[[noreturn]] void no_assert(std::size_t statement, std::string_view why) {
  throw std::invalid_argument(
      fmt::format("what is expected of statement {} has no form in Python: {}", statement, why));
}

Assert relation(Expression left, bool negated, Expression right) {
  return {std::move(left), negated ? Relation::is_not : Relation::is, std::move(right)};
}

template <class Sequence>
Expression sequence(const Reading& reading, std::size_t statement) {
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&reading);
  if (integers == nullptr) no_assert(statement, "it is not a list of integers");
  Sequence written;
  for (const std::int64_t i : *integers) written.items.push_back({i, {}});
  return {std::move(written), {}};
}

template <class T>
const T& get(const Reading& reading, std::size_t statement, std::string_view what) {
  const auto* value = std::get_if<T>(&reading);
  if (value == nullptr) no_assert(statement, fmt::format("it is not {}", what));
  return *value;
}

}  // namespace

AssertWriter::AssertWriter(const Test& test, const std::vector<std::string>& names, std::string log)
    : test_(test), names_(names), log_(std::move(log)) {
  for (const Expectation& e : test.expectations)
    if (!expectations_.emplace(e.statement, &e).second)
      no_assert(e.statement, "two asserts share one reading; read it twice");
}

const Expectation* AssertWriter::expectation(std::size_t statement) const {
  const auto found = expectations_.find(statement);
  return found == expectations_.end() ? nullptr : found->second;
}

const Read* AssertWriter::read(std::size_t statement) const {
  const auto& statements = test_.script.statements;
  return statement < statements.size() ? std::get_if<Read>(&statements[statement].kind) : nullptr;
}

const std::string& AssertWriter::name(Slot slot) const {
  if (static_cast<std::size_t>(slot) >= names_.size()) throw std::invalid_argument("a slot has no name");
  return names_[static_cast<std::size_t>(slot)];
}

/// Asserts that lower to two readings: `tolist` (sizes, values) and `_is_alias_of` (storage, storage).
bool AssertWriter::is_second_of_pair(std::size_t statement) const {
  const Read* second = read(statement);
  const Read* first = statement == 0 ? nullptr : read(statement - 1);
  const Expectation* e = expectation(statement);
  if (first == nullptr || second == nullptr || e == nullptr) return false;
  if (second->field == Field::values || (second->field == Field::grad && std::holds_alternative<Values>(e->expected)))
    return first->field == Field::sizes && first->tensor == second->tensor;
  return second->field == Field::storage && first->field == Field::storage && e->same_as_statement == statement - 1;
}

std::optional<decltype(Line::node)> AssertWriter::line(std::size_t statement) const {
  if (is_second_of_pair(statement + 1)) return std::nullopt;
  if (const Expectation* e = expectation(statement)) return assertion(statement, *e);
  return Assign{{}, false, reading(statement)};
}

/// What is to the left of an assert's relation.
Expression AssertWriter::reading(std::size_t statement) const {
  const StatementKind& kind = test_.script.statements[statement].kind;
  if (const Read* field = read(statement)) return observe(field->field, name(field->tensor));
  if (const auto* query = std::get_if<QueryKernel>(&kind)) return observe(*query);
  if (const auto* query = std::get_if<QueryThreadKey>(&kind)) return observe(*query);
  if (std::holds_alternative<ReadLog>(kind)) return dotted(log_);
  return observe(std::get<ReadThread>(kind).field);
}

Assert AssertWriter::assertion(std::size_t statement, const Expectation& e) const {
  const Read* field = read(statement);
  const bool pair = is_second_of_pair(statement);
  if (field != nullptr && field->field == Field::storage && pair)
    return relation(call_of("torch._C._is_alias_of",
                            {{Name{name(read(statement - 1)->tensor)}, {}}, {Name{name(field->tensor)}, {}}}),
                    false, {!e.negated, {}});
  if (e.same_as_statement) no_assert(statement, "it is compared with another reading");
  Expression left = reading(statement);
  if (!e.contains.empty()) {
    Attribute has{std::make_shared<const Expression>(std::move(left)), "has"};
    Invocation call{std::make_shared<const Expression>(Expression{std::move(has), {}}),
                    {dotted("torch._C.DispatchKey." + e.contains)},
                    {}};
    return relation({std::move(call), {}}, false, {!e.negated, {}});
  }
  if (e.prefix) no_assert(statement, "the start of a list is compared");
  if (field != nullptr && (field->field == Field::values || std::holds_alternative<Values>(e.expected)))
    return of_values(statement, e);
  if (const auto* truth = std::get_if<bool>(&e.expected)) {
    if (field != nullptr && field->field == Field::grad_fn)
      return relation(std::move(left), *truth != e.negated, {NoneLiteral{}, {}});
    return relation(std::move(left), e.negated, {*truth, {}});
  }
  if (std::holds_alternative<ReadLog>(test_.script.statements[statement].kind)) {
    if (e.negated) no_assert(statement, "asserts cannot use `!=`");
    List texts;
    for (const std::string& text : get<std::vector<std::string>>(e.expected, statement, "a list of texts"))
      texts.items.push_back({text, {}});
    return {std::move(left), Relation::equal, {std::move(texts), {}}};
  }
  if (field == nullptr) no_assert(statement, "the readings of the thread and of kernels are truth values and keys");
  if (field->field == Field::dtype || field->field == Field::base || field->field == Field::grad)
    return relation(std::move(left), e.negated, right(field->field, e));
  if (e.negated) no_assert(statement, "asserts cannot use `!=`");
  return {std::move(left), Relation::equal, right(field->field, e)};
}

Expression AssertWriter::right(Field field, const Expectation& e) const {
  const std::size_t at = e.statement;
  switch (field) {
    case Field::dtype:
      return dotted("torch." + get<std::string>(e.expected, at, "the name of a dtype"));
    case Field::sizes:
      return sequence<List>(e.expected, at);
    case Field::strides:
      return sequence<Tuple>(e.expected, at);
    case Field::offset:
    case Field::version:
      return {get<std::int64_t>(e.expected, at, "an integer"), {}};
    case Field::base: {
      const std::int64_t slot = get<std::int64_t>(e.expected, at, "a slot");
      if (slot == -1) return {NoneLiteral{}, {}};
      if (slot < 0) no_assert(at, "the base has no name");
      return {Name{name(Slot{static_cast<std::int32_t>(slot)})}, {}};
    }
    case Field::grad:
      get<None>(e.expected, at, "None");
      return {NoneLiteral{}, {}};
    case Field::creation_meta:
      return dotted("torch._C._autograd.CreationMeta." + get<std::string>(e.expected, at, "creation metadata"));
    default:
      no_assert(at, "this field is not compared as a whole");
  }
}

/// The sizes come from the expectation of the previous reading.
Assert AssertWriter::of_values(std::size_t statement, const Expectation& e) const {
  const Expectation* sizes = is_second_of_pair(statement) ? expectation(statement - 1) : nullptr;
  if (sizes == nullptr) no_assert(statement, "the sizes are not read and expected right before the values");
  const auto& values = get<Values>(e.expected, statement, "values");
  const auto& list = get<std::vector<std::int64_t>>(sizes->expected, statement, "sizes");
  if (e.negated || sizes->negated) no_assert(statement, "asserts cannot use `!=`");
  for (const bool known : values.known)
    if (!known) no_assert(statement, "an element is unspecified");
  Expressions items;
  std::size_t numbers = 1;
  for (const std::int64_t size : list) numbers *= static_cast<std::size_t>(size);
  const bool complex = values.floats.size() == 2 * numbers && numbers > 0;  // each element is two numbers
  for (std::size_t i = 0; complex && i + 1 < values.floats.size(); i += 2)
    items.push_back({ComplexNumber{values.floats[i], values.floats[i + 1]}, {}});
  if (!complex)
    for (const double value : values.floats) items.push_back({value, {}});
  for (const std::int64_t value : values.integers) items.push_back({value, {}});
  std::size_t elements = 1;
  for (const std::int64_t size : list) elements *= static_cast<std::size_t>(size);
  if (items.size() != elements) no_assert(statement, "there are not as many values as the sizes say");
  const bool grad = read(statement)->field == Field::grad;
  return {observe(Field::values, name(read(statement)->tensor) + (grad ? ".grad" : "")), Relation::equal,
          nested_list(items, list)};
}

Expression expected_error(const Test& test, std::size_t statement) {
  const auto found = std::ranges::find(test.errors, statement, &ExpectedError::first);
  Expression call =
      call_of("pytest.raises", {{Name{found == test.errors.end() ? "RuntimeError" : found->exception}, {}}});
  if (found != test.errors.end() && !found->match.empty())
    std::get<Invocation>(call.node).keywords.push_back({"match", Expression{found->match, {}}});
  return call;
}

}  // namespace plumbline::program
