// The syntax tree's small helpers: equality, places, dotted names, and the error's text.
#include "language/ast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumbline::program {
namespace {

std::string sentence(const std::string& file, Place place, const std::string& problem, const std::string& advice) {
  const std::string where = place.line == 0 ? file : fmt::format("{}:{}:{}", file, place.line, place.column);
  if (advice.empty()) return fmt::format("{}: {}.", where, problem);
  return fmt::format("{}: {}. {}{}", where, problem, advice, advice.ends_with('?') ? "" : ".");
}

}  // namespace

ProgramError::ProgramError(std::string file_, Place place_, std::string what_is_wrong, std::string what_to_do)
    : std::runtime_error(sentence(file_, place_, what_is_wrong, what_to_do)),
      file(std::move(file_)),
      place(place_),
      problem(std::move(what_is_wrong)),
      advice(std::move(what_to_do)) {}

bool operator==(const List& a, const List& b) { return a.items == b.items; }
bool operator==(const Tuple& a, const Tuple& b) { return a.items == b.items; }
bool operator==(const Attribute& a, const Attribute& b) { return a.name == b.name && *a.value == *b.value; }
bool operator==(const KeyMask& a, const KeyMask& b) {
  return a.operation == b.operation && *a.left == *b.left && *a.right == *b.right;
}
bool operator==(const Invocation& a, const Invocation& b) {
  return *a.callee == *b.callee && a.positional == b.positional && a.keywords == b.keywords;
}
bool operator==(const ComplexNumber& a, const ComplexNumber& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return same(a.real, b.real) && same(a.imag, b.imag);
}
bool operator==(const Expression& a, const Expression& b) {
  const auto* x = std::get_if<double>(&a.node);
  const auto* y = std::get_if<double>(&b.node);
  const bool both_nan = x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y);
  return both_nan || a.node == b.node;
}
bool operator==(const With& a, const With& b) { return a.item == b.item && a.body == b.body; }
bool operator==(const Line& a, const Line& b) { return a.node == b.node && a.comment == b.comment; }
bool operator==(const Function& a, const Function& b) {
  return a.name == b.name && a.parameters == b.parameters && a.body == b.body && a.comments_above == b.comments_above &&
         a.comment == b.comment && a.decorators == b.decorators;
}
bool operator==(const Define& a, const Define& b) { return *a.function == *b.function; }
bool operator==(const Class& a, const Class& b) {
  return a.name == b.name && a.methods == b.methods && a.before == b.before && a.comments_above == b.comments_above &&
         a.comment == b.comment && a.comments_below == b.comments_below;
}
bool operator==(const Program& a, const Program& b) {
  return a.header == b.header && a.imports == b.imports && a.thread_errors == b.thread_errors &&
         a.functions == b.functions && a.classes == b.classes && a.registrations == b.registrations &&
         a.footer == b.footer && a.trailer == b.trailer;
}

Place start_of(const Expression& expression) {
  if (const auto* attribute = std::get_if<Attribute>(&expression.node)) return start_of(*attribute->value);
  if (const auto* call = std::get_if<Invocation>(&expression.node)) return start_of(*call->callee);
  if (const auto* mask = std::get_if<KeyMask>(&expression.node)) return start_of(*mask->left);
  return expression.place;
}

std::string dotted_name(const Expression& expression) {
  if (const auto* name = std::get_if<Name>(&expression.node)) return name->id;
  const auto* attribute = std::get_if<Attribute>(&expression.node);
  if (attribute == nullptr) return {};
  const std::string value = dotted_name(*attribute->value);
  return value.empty() ? value : value + "." + attribute->name;
}

bool ends_by_raising(const Block& block) {
  const auto last =
      std::find_if(block.rbegin(), block.rend(), [](const Line& l) { return !std::holds_alternative<Remark>(l.node); });
  if (last == block.rend()) return false;
  if (std::holds_alternative<Raise>(last->node)) return true;
  const auto* with = std::get_if<With>(&last->node);
  const auto* item = with == nullptr ? nullptr : std::get_if<Invocation>(&with->item.node);
  const bool expects = item != nullptr && dotted_name(*item->callee) == "pytest.raises";
  return with != nullptr && !expects && ends_by_raising(with->body);
}

}  // namespace plumbline::program
