// Lowering `.data`, `.grad`, `.real`, `.imag`, `retain_grad` and `manual_seed`, which are not op calls.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {

bool is_part(const Expression& expression) {
  const auto* attribute = std::get_if<Attribute>(&expression.node);
  constexpr std::array<std::string_view, 4> kParts{"data", "grad", "real", "imag"};
  if (attribute == nullptr || std::ranges::find(kParts, attribute->name) == kParts.end()) return false;
  const auto* name = std::get_if<Name>(&attribute->value->node);
  return name != nullptr && name->id != "torch" && name->id != "pytest";
}

void Lowerer::need_no_part(const Expression& expression) const {
  if (is_part(expression)) {
    const std::string part = print(expression);
    fail(start_of(expression), fmt::format("`{}` is used inside another expression", part),
         fmt::format("Give it a name first, as in `y = {}`", part));
  }
  if (const auto* attribute = std::get_if<Attribute>(&expression.node)) need_no_part(*attribute->value);
  if (const auto* call = std::get_if<Invocation>(&expression.node)) need_no_part(*call->callee);
}

void Lowerer::get_part(const Expression& part, const Targets& targets) {
  const auto& attribute = std::get<Attribute>(part.node);
  const Slot slot = tensor(*attribute.value);
  if (targets.names.empty() && attribute.name == "grad") return void(emit(Read{slot, Field::grad}, targets.line));
  if (targets.names.empty())
    fail(start_of(part), fmt::format("`{}` is not assigned to a name", print(part)),
         fmt::format("Write `y = {}`", print(part)));
  if (targets.unpack || targets.names.size() != 1)
    fail(targets.place, fmt::format("`{}` is one tensor", print(part)), "Assign it to one name, without a comma");
  if (attribute.name == "real" || attribute.name == "imag") {
    const Place place = start_of(part);
    return op_call(CallForm::function, attribute.name, "", {{{Value(slot), place}}, {}, place}, targets);
  }
  const Slot result = scope_.assign(*targets.frame, targets.names[0]);
  if (attribute.name == "data") {
    scope_.holds_new_object(result);
    emit(GetData{result, slot}, targets.line);
  } else {
    hook_ ? scope_.holds_some_object(result) : scope_.holds_grad_of(result, slot);
    emit(GetGrad{result, slot}, targets.line);
  }
}

/// `x.grad = g`, `x.grad = None`.
void Lowerer::set_grad(Slot slot, const Expression& value, Place place) {
  std::optional<Slot> grad;
  if (!std::holds_alternative<NoneLiteral>(value.node)) grad = tensor(value);
  hook_ ? scope_.hook_sets_grads() : scope_.sets_grad(slot, grad);
  emit(SetGrad{slot, grad}, place.line);
}

void Lowerer::retain_grad(const Expression& self, const Invocation& call, Place place, const Targets& targets) {
  if (!call.positional.empty() || !call.keywords.empty())
    fail(place, "retain_grad takes no arguments", fmt::format("Write {}.retain_grad()", print(self)));
  if (!targets.names.empty()) fail(targets.place, "retain_grad returns nothing to assign", "Call it without `=`");
  const Slot slot = tensor(self);
  scope_.retains_grad(slot);
  emit(RetainGrad{slot}, targets.line);
}

void Lowerer::manual_seed(const Invocation& call, Place place, const Targets& targets) {
  const Expression* given = only_argument(call, "seed");
  if (given == nullptr) fail(place, "torch.manual_seed does not take these arguments", "Write torch.manual_seed(0)");
  const Expression value = literal(*given);
  const auto* seed = std::get_if<std::int64_t>(&value.node);
  if (seed == nullptr)
    fail(start_of(*given), fmt::format("torch.manual_seed is given {}, expected an int", print(*given)),
         "Write torch.manual_seed(0)");
  if (!targets.names.empty()) fail(targets.place, "torch.manual_seed returns no tensor", "Call it without `=`");
  emit(ManualSeed{*seed}, targets.line);
}

}  // namespace plumbline::program
