// Hooks of saved tensors: functions that pack what is saved for backward, and unpack it there.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

/// A pair of hooks. Each tensor that was packed holds it.
class SavedHooks : public Counted {
 public:
  using Function = std::function<Tensor(const Tensor&)>;
  SavedHooks(Function pack, Function unpack) : pack_(std::move(pack)), unpack_(std::move(unpack)) {}
  static void destroy(SavedHooks* hooks) noexcept { delete hooks; }

  /// What is kept in place of the tensor; grad mode is off meanwhile. Raises pack_writes if the hook wrote the tensor,
  /// and what it raises.
  Tensor pack(const Tensor& tensor) const;
  Tensor unpack(const Tensor& packed) const { return unpack_(packed); }

 private:
  Function pack_;
  Function unpack_;
};

/// The innermost pair in effect in this thread; null: none is.
inline constinit thread_local SavedHooks* active_saved_hooks = nullptr;

/// Whether any thread of the process ever had such hooks.
inline constinit std::atomic<bool> saved_hooks_were_used{false};

/// `with torch.autograd.graph.saved_tensors_hooks(pack, unpack):`, up to the end of the object.
class SavedTensorsHooks {
 public:
  SavedTensorsHooks(SavedHooks::Function pack, SavedHooks::Function unpack);
  ~SavedTensorsHooks();
  SavedTensorsHooks(const SavedTensorsHooks&) = delete;
  SavedTensorsHooks& operator=(const SavedTensorsHooks&) = delete;

 private:
  Ref<SavedHooks> hooks_;
  SavedHooks* found_;
};

}  // namespace plumbline::optimized
