// Lowering hooks: `h = x.register_hook(hook)` makes the hook's body a function of the script, and `h.remove()` ends it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {

void Lowerer::register_hook(const Expression& self, const Invocation& call, bool after, Place place,
                            const Targets& targets) {
  const std::string_view method = after ? kHookAfter : kHook;
  const Expression* given = only_argument(call, "hook");
  if (given == nullptr)
    fail(place, fmt::format("{} does not take these arguments", method),
         fmt::format("Write {}.{}(hook)", print(self), method));
  if (!contexts_.empty() || in_kernel_ || transforming_ || hook_)
    fail(place, fmt::format("{} is called in a method of a class, a kernel, a hook or the body of a transform", method),
         "Call it in tests and in functions");
  const Slot slot = tensor(self);
  const std::int32_t number = hook_named(*given, after ? "x" : "grad", after, place);
  emit(RegisterHook{slot, number, after}, targets.line);
  if (!targets.names.empty()) bind(targets, HookHandle{number}, place);
}

std::int32_t Lowerer::hook_named(const Expression& given, std::string_view parameter, bool after, Place place) {
  const NestedFunction hook = named_function(given);
  if (hook.function == nullptr)
    fail(start_of(given), fmt::format("'{}' is not a function of this file", print(given)),
         fmt::format("Define it with `def hook({}):`, and write only its name", parameter));
  if (hook.function->parameters.size() != 1 || takes_any_arguments(*hook.function))
    fail(start_of(given),
         fmt::format("the hook {} takes {} arguments", hook.function->name, hook.function->parameters.size()),
         fmt::format("Define it as `def {}({}):`", hook.function->name, parameter));
  const auto number = static_cast<std::int32_t>(test_.script.functions.size());
  test_.script.functions.push_back(hook_of(hook, after, place));
  return number;
}

void Lowerer::saved_tensors_hooks(const Invocation& item, const With& with, Place place, bool raises) {
  need_import("torch", start_of(with.item));
  if (item.positional.size() != 2 || !item.keywords.empty())
    fail(with.item.place, fmt::format("{} does not take these arguments", kSavedTensorsHooks),
         fmt::format("Write `with {}(pack, unpack):`", kSavedTensorsHooks));
  if (!contexts_.empty() || in_kernel_ || transforming_ || hook_)
    fail(with.item.place,
         "hooks of saved tensors are in a method of a class, a kernel, a hook or the body of a transform",
         "Use them in tests and in functions");
  std::array<std::int32_t, 2> hooks{};
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    hooks[i] = hook_named(item.positional[i], "x", false, place);
    const CustomBackward& hook = test_.script.functions.back();
    if (!hook.returned.front())
      fail(start_of(item.positional[i]), fmt::format("the hook {} returns nothing", hook.name),
           "Return a tensor: programs pack tensors as tensors");
  }
  emit(EnterSavedTensorsHooks{hooks[0], hooks[1]}, place.line);
  block(with.body, raises);
  check_hooks_names(place);
  emit(Exit{}, place.line);
}

CustomBackward Lowerer::hook_of(const NestedFunction& hook, bool after, Place place) {
  const Function& function = *hook.function;
  Frame frame = hook.home != nullptr ? frame_of(hook) : Frame{function.name, function.name + "_", {}};
  CustomBackward lowered{function.name, {scope_.assign(frame, function.parameters[0])}, {}, {}};
  scope_.holds_some_object(lowered.gradients[0]);
  std::vector<Statement>* const around = std::exchange(into_, &lowered.statements);
  hook_ = function.name;
  in_backward_ = true;
  hook_is_after_ = after;
  const Returned returned = returned_by(function, std::move(frame), place);
  hook_is_after_ = false;
  in_backward_ = false;
  hook_.reset();
  into_ = around;
  if (returned.tuple)
    fail(returned.values[0].place, fmt::format("the hook {} returns a tuple", function.name),
         "Return the gradient that takes the place of the one that it got, or nothing");
  if (after && !returned.values.empty() && returned.values[0].value)
    fail(returned.values[0].place, fmt::format("the hook {} returns a tensor", function.name),
         "A hook after accumulation returns nothing: it may write its argument, or the argument's `.grad`");
  lowered.returned.push_back(returned.values.empty() ? std::nullopt : returned.values[0].value);
  return lowered;
}

/// `h.remove()`.
void Lowerer::hook_call(HookHandle hook, const Expression& callee, const Invocation& call, const Targets& targets) {
  const auto& method = std::get<Attribute>(callee.node);
  const std::string name = print(*method.value);
  if (method.name != "remove" || !call.positional.empty() || !call.keywords.empty() || !targets.names.empty())
    fail(callee.place, fmt::format("the handle of a hook has only {}.remove(), which returns nothing", name),
         fmt::format("Write {}.remove()", name));
  emit(RemoveHook{hook.function}, targets.line);
}

void Lowerer::check_hooks_names(Place place) {
  for (const UsedByHook& used : used_by_hooks_) {
    const auto found = used.frame->names.find(used.name);
    const auto* slot = found == used.frame->names.end() ? nullptr : std::get_if<Slot>(&found->second);
    if (slot == nullptr || *slot != used.slot)
      fail(place, fmt::format("the hook {} uses '{}', which stands for another tensor now", used.hook, used.name),
           "Assign to another name after the hook is registered");
  }
}

}  // namespace plumbline::program
