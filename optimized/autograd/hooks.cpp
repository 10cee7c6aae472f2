// Functions that backward calls with the gradient of a tensor.
#include "optimized/autograd/hooks.h"

#include <algorithm>
#include <mutex>
#include <string>

#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/cpu/checks.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void Hook::destroy(Hook* hook) noexcept { delete hook; }
void HookList::destroy(HookList* list) noexcept { delete list; }

Tensor Hook::operator()(const Tensor& gradient, std::size_t place) const {
  if (removed_) return gradient;
  Tensor result = function_(gradient);
  if (!result.defined() || !gradient.defined()) return gradient;
  const std::string who = "hook '" + std::to_string(place) + "' has changed the ";
  if (result.dtype() != gradient.dtype())
    raise_saying(ErrorClass::hook_result, who + "type of value (was CPU" + scalar_name(gradient.dtype()) +
                                              "Type got CPU" + scalar_name(result.dtype()) + "Type)");
  if (!std::ranges::equal(result.sizes(), gradient.sizes()))
    raise_saying(ErrorClass::hook_result, who + "size of value");
  return result;
}

Ref<Hook> register_hook(const Tensor& tensor, Hook::Function function) {
  if (!requires_grad(tensor)) raise(ErrorClass::hook_requires_no_grad);
  AutogradMeta& meta = meta_of(tensor.impl());
  // Hooks that the tensor has are of its present value, also if its history must be made again.
  const Ref<Node> node = meta.hooks_open ? Ref<Node>() : grad_fn_of(tensor);
  auto hook = Ref<Hook>::adopt(new Hook(std::move(function)));
  const std::lock_guard lock(retained_mutex);
  if (!meta.hooks_open) {
    auto list = Ref<HookList>::adopt(new HookList);
    if (meta.hooks) list->after = meta.hooks->after;
    meta.hooks = std::move(list);
    meta.hooks_open = true;
    if (node) node->hooked.push_back({meta.output, meta.hooks});
  }
  meta.hooks->hooks.push_back(hook);
  hooks_were_registered = true;
  return hook;
}

Ref<Hook> register_hook_after(const Tensor& tensor, Hook::Function function) {
  if (!requires_grad(tensor)) raise(ErrorClass::hook_requires_no_grad);
  if (grad_fn_of(tensor)) raise(ErrorClass::hook_not_leaf);
  AutogradMeta& meta = meta_of(tensor.impl());
  auto hook = Ref<Hook>::adopt(new Hook(std::move(function)));
  const std::lock_guard lock(retained_mutex);
  if (!meta.hooks) meta.hooks = Ref<HookList>::adopt(new HookList);
  meta.hooks->after.push_back(hook);
  hooks_were_registered = true;
  return hook;
}

std::vector<Ref<Hook>> hooks_after(const Tensor& leaf) {
  if (!hooks_were_registered.load(std::memory_order_relaxed)) return {};
  const std::lock_guard lock(retained_mutex);
  const AutogradMeta& meta = *leaf.impl().autograd;
  return meta.hooks ? meta.hooks->after : std::vector<Ref<Hook>>();
}

}  // namespace plumbline::optimized
