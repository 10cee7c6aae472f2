// What a node saves for backward, and what must hold when it is taken out again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "optimized/autograd/meta.h"
#include "optimized/autograd/saved_hooks.h"

namespace plumbline::optimized {

/// A tensor as it was when it was saved [torch/csrc/autograd/saved_variable.cpp].
class Saved {
 public:
  /// Nothing: it unpacks as an undefined tensor.
  Saved() = default;
  /// Raises if a tensor may not be saved: inference_saved, and inference_version if it has no counter.
  static void check(const Tensor& tensor);
  // The pack hook in effect (saved_hooks.h), if there is one, gets the tensor, and what it returns is kept. These raise
  // what it raises.
  /// An argument: the tensor itself. Raises as `check`.
  static Saved argument(const Tensor& tensor);
  /// The same for a custom function, whose node replaces a history that was lost since
  /// [torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: saved_for]. Raises as `check`.
  static Saved custom_argument(const Tensor& tensor);
  /// Result `output` of the node that saves it: only its memory, since the tensor holds the node.
  static Saved result(const Tensor& tensor, std::size_t output);

  /// For `node`, which saved it. It may call a hook, so the caller holds no lock once saved_hooks_were_used. While grad
  /// mode is on, a result is an output of the node again. Raises backward_twice, saved_detached, saved_modified, and
  /// the errors of reading the tensor's history; of a tensor that a hook packed, what the unpack hook raises, and
  /// no_derivative while grad mode is on.
  Tensor unpack(Node* node) const;
  /// Drops the tensor, which the caller may destroy after it has released all locks.
  Tensor release();

 private:
  enum class State : std::uint8_t { nothing, held, freed };

  Saved(const Tensor& tensor, bool had_history);
  static Saved packed(const Tensor& tensor);

  Tensor tensor_;  ///< or what a hook packed
  Ref<SavedHooks> hooks_;
  std::uint64_t version_ = 0;
  State state_ = State::nothing;
  bool had_history_ = false;  ///< of an argument: it must still have one
  std::int32_t output_ = -1;  ///< of a result
};

}  // namespace plumbline::optimized
