// The walk over every expression of a text, for facts that may stand anywhere in it.
#include "language/facts.h"

namespace plumbline::program {

namespace {

class Walk {
 public:
  explicit Walk(const SeeExpression& see) : see_(see) {}

  void of(const Block& lines) const {
    for (const Line& line : lines) std::visit([this](const auto& node) { of(node); }, line.node);
  }
  void of(const Expression& e) const {
    see_(e);
    if (const auto* list = std::get_if<List>(&e.node)) return of(list->items);
    if (const auto* tuple = std::get_if<Tuple>(&e.node)) return of(tuple->items);
    if (const auto* attribute = std::get_if<Attribute>(&e.node)) return of(*attribute->value);
    const auto* call = std::get_if<Invocation>(&e.node);
    if (call == nullptr) return;
    of(call->positional);
    for (const auto& [keyword, value] : call->keywords) of(value);
    of(*call->callee);
  }

 private:
  void of(const Expressions& items) const {
    for (const Expression& item : items) of(item);
  }
  void of(const Assign& assign) const { of(assign.value); }
  void of(const SetAttribute& set) const { of(set.value); }
  void of(const Assert& assertion) const {
    of(assertion.left);
    of(assertion.right);
  }
  void of(const With& with) const {
    of(with.item);
    of(with.body);
  }
  void of(const Return& returned) const {
    if (returned.value) of(*returned.value);
  }
  void of(const Define& define) const {
    of(define.function->decorators);
    of(define.function->body);
  }
  void of(const Raise& raised) const { of(raised.value); }
  void of(const Pass& /*nothing*/) const {}
  void of(const Remark& /*nothing*/) const {}

  const SeeExpression& see_;
};

}  // namespace

void each_expression(const Expression& expression, const SeeExpression& see) { Walk(see).of(expression); }
void each_expression(const Block& lines, const SeeExpression& see) { Walk(see).of(lines); }

}  // namespace plumbline::program
