// Functions that backward calls with the gradient of a tensor.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// One registered function. It gets a gradient, undefined if none arrives, and may return another; an undefined result
/// leaves the gradient.
class Hook : public Counted {
 public:
  using Function = std::function<Tensor(const Tensor&)>;
  explicit Hook(Function function) : function_(std::move(function)) {}
  static void destroy(Hook* hook) noexcept;

  /// What it leaves of the gradient. Raises hook_result, naming itself by its `place` among its tensor's hooks, and
  /// what the function raises.
  Tensor operator()(const Tensor& gradient, std::size_t place) const;
  /// The same for a hook after accumulation, which only sees the leaf.
  void see(const Tensor& leaf) const {
    if (!removed_) function_(leaf);
  }
  /// Backward no longer calls it.
  void remove() { removed_ = true; }

 private:
  Function function_;
  std::atomic<bool> removed_ = false;
};

/// The hooks of one value of a tensor, in order. A leaf finds them in its metadata, and the node that made the value
/// has them too. Guarded by retained_mutex (locks.h).
class HookList : public Counted {
 public:
  static void destroy(HookList* list) noexcept;
  std::vector<Ref<Hook>> hooks;
  std::vector<Ref<Hook>> after;  ///< after accumulation; the tensor's next list takes them over
};

/// The hooks of a node's output.
struct HookedOutput {
  std::uint32_t output = 0;
  Ref<HookList> list;
};

/// Whether any tensor of the process ever had a hook: without one, backward looks for none.
inline constinit std::atomic<bool> hooks_were_registered{false};

/// `x.register_hook(function)`: backward calls it with x's whole gradient, before x's node runs or its `.grad` is
/// filled, and after the hooks that x has. Raises hook_requires_no_grad, and as grad_fn_of (history.h).
Ref<Hook> register_hook(const Tensor& tensor, Hook::Function function);
/// `x.register_post_accumulate_grad_hook(function)`: backward calls it with x itself, after x's `.grad` has got the
/// gradient and after such hooks that x has; what it returns plays no part. Raises hook_requires_no_grad,
/// hook_not_leaf, and as grad_fn_of.
Ref<Hook> register_hook_after(const Tensor& tensor, Hook::Function function);
/// The hooks after accumulation of a leaf.
std::vector<Ref<Hook>> hooks_after(const Tensor& leaf);

}  // namespace plumbline::optimized
