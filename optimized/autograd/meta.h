// What autograd knows about a tensor: its gradient, its history, and the base of a view.
#pragma once

#include <atomic>
#include <cstdint>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

class Node;
class AccumulateGrad;
class RetainedGrad;
class HookList;

/// How a tracked view was made, which decides whether it may be written while grad is recorded
/// [torch/csrc/autograd/variable.h, CreationMeta].
enum class CreationMeta : std::uint8_t {
  DEFAULT,
  IN_CUSTOM_FUNCTION,
  MULTI_OUTPUT_NODE,
  NO_GRAD_MODE,
  INFERENCE_MODE,
};

/// One cache line; a tensor without it needs no grad, has no history and is not a tracked view.
struct alignas(kBlockAlignment) AutogradMeta {
  AutogradMeta() noexcept;  // both inline in node.h, where Node is complete
  AutogradMeta(Tensor viewed, CreationMeta how, std::uint64_t version) noexcept;
  ~AutogradMeta();
  AutogradMeta(const AutogradMeta&) = delete;
  AutogradMeta& operator=(const AutogradMeta&) = delete;

  Tensor grad;
  Ref<Node> grad_fn;                      ///< of a view: as it was at `recorded_at`; ask grad_fn_of (history.h)
  AccumulateGrad* accumulator = nullptr;  ///< of a leaf that was recorded: held by the graph, not by the leaf
  Tensor base;                            ///< of a tracked view; never itself a view
  std::uint64_t recorded_at = 0;          ///< of a tracked view: the version at which `grad_fn` was right
  Ref<RetainedGrad> retained;             ///< after retain_grad(): what a node fills `grad` by
  Ref<HookList> hooks;                    ///< what register_hook() added last; a leaf calls these
  std::uint32_t output = 0;               ///< which of grad_fn's outputs the tensor is
  CreationMeta creation = CreationMeta::DEFAULT;
  bool requires_grad = false;  ///< of a leaf
  bool hooks_open = false;     ///< `hooks` are of the tensor's present value: the next one joins them
  bool batched = false;        ///< it is a part of what a batched tensor has (transforms/batched.cpp)

  bool is_view() const { return base.defined(); }
};

static_assert(sizeof(AutogradMeta) == kBlockAlignment);

AutogradMeta* make_meta();
void destroy_meta(AutogradMeta* meta) noexcept;
void destroy_batched_meta(AutogradMeta* meta) noexcept;

/// The tensor's metadata, made if it has none.
inline AutogradMeta& meta_of(TensorImpl& impl) {
  if (impl.autograd == nullptr) impl.autograd = make_meta();
  return *impl.autograd;
}

bool requires_grad(const AutogradMeta& meta);
/// Whether autograd would record what is done with it: a leaf that requires grad, or a tensor with a history. A view
/// also requires grad if its base got a history since [variable.cpp, requires_grad].
[[gnu::always_inline]] inline bool requires_grad(const Tensor& tensor) {
  const AutogradMeta* meta = tensor.impl().autograd;
  return meta != nullptr && requires_grad(*meta);
}

/// The RFC's ideal end state: while it is on, a tensor that does not require grad carries no Autograd key.
/// Process-wide; set it while no other thread runs.
inline constinit std::atomic<bool> ideal_end_state{false};

/// The keys that it carries then. They are computed each time, since a tensor may require grad later, by itself or
/// through its base.
KeySet ideal_keys(const Tensor& tensor);

/// The keys that a tensor shows and brings to a call.
inline KeySet carried_keys(const Tensor& tensor) {
  if (ideal_end_state.load(std::memory_order_relaxed)) [[unlikely]]
    return tensor.impl().autograd == nullptr ? tensor.keys() - kAutogradKeys : ideal_keys(tensor);
  return tensor.keys();
}

/// Whether a tensor of this dtype can have a gradient [c10, isDifferentiableType].
inline bool is_differentiable(Dtype dtype) { return dtype == Dtype::float32 || dtype == Dtype::float64; }

}  // namespace plumbline::optimized
