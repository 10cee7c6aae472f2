// Lowering `.data`, `.grad` and `backward`: what Python has beside calls of ops.
#include <fmt/format.h>

#include "oracle/program/lowerer.h"
#include "oracle/program/print.h"

namespace plumbline::program {

bool is_part(const Expression& expression) {
  const auto* attribute = std::get_if<Attribute>(&expression.node);
  if (attribute == nullptr || (attribute->name != "data" && attribute->name != "grad")) return false;
  const auto* name = std::get_if<Name>(&attribute->value->node);
  return name != nullptr && name->id != "torch" && name->id != "pytest";
}

void Lowerer::need_no_part(const Expression& expression) const {
  if (is_part(expression)) {
    const std::string part = print(expression);
    fail(start_of(expression), fmt::format("`{}` stands inside another expression", part),
         fmt::format("Give it a name first, as in `y = {}`", part));
  }
  if (const auto* attribute = std::get_if<Attribute>(&expression.node)) need_no_part(*attribute->value);
  if (const auto* call = std::get_if<Invocation>(&expression.node)) need_no_part(*call->callee);
}

void Lowerer::get_part(const Expression& part, const Targets& targets) {
  const auto& attribute = std::get<Attribute>(part.node);
  const Slot slot = tensor(*attribute.value);
  if (targets.names.empty())
    fail(start_of(part), fmt::format("`{}` gets no name of its own", print(part)),
         fmt::format("Write `y = {}`", print(part)));
  if (targets.unpack || targets.names.size() != 1)
    fail(targets.place, fmt::format("`{}` is one tensor", print(part)), "Assign it to one name, without a comma");
  const Slot result = scope_.assign(*targets.frame, targets.names[0]);
  if (attribute.name == "data") {
    scope_.holds_new_object(result);
    emit(GetData{result, slot}, targets.line);
  } else {
    scope_.holds_grad_of(result, slot);
    emit(GetGrad{result, slot}, targets.line);
  }
}

void Lowerer::backward(const Expression& self, const Invocation& call, Place place, const Targets& targets) {
  const Slot slot = tensor(self);
  if (!call.positional.empty() || !call.keywords.empty())
    fail(place, "backward is given an argument",
         fmt::format("Write {}.backward(); of a tensor with one element it needs none", print(self)));
  if (!targets.names.empty())
    fail(targets.place, "backward returns nothing that could be assigned", "Call it without `=`, and read x.grad");
  scope_.after_backward();
  emit(Backward{slot}, targets.line);
}

}  // namespace plumbline::program
