// Between the files of this folder.
#pragma once

#include <optional>

#include "reference/functorch/functorch.h"
#include "reference/functorch/wrappers.h"
#include "reference/memory.h"

namespace plumbline::reference::functorch {

/// How many bytes a tensor needs from the beginning of its storage on.
std::int64_t reached(const Tensor& tensor);

/// The layer at work on one call, or at its end.
class Layer {
 public:
  /// The uppermost of the layers that see calls. `leaving`: the body is over, and no kernel is around what runs.
  Layer(const Judge& judge, State& state, bool leaving = false) : Layer(judge, state, state.layers_on - 1, leaving) {}
  /// The layer with this number, the outermost body's being 0.
  Layer(const Judge& judge, State& state, std::size_t number, bool leaving)
      : judge_(judge), state_(state), number_(number), wrappers_(state.layers.at(number)), leaving_(leaving) {}

  /// Whichever body's wrapper it is: PyTorch asks a tensor for no level [impl::isFunctionalTensor].
  bool is_wrapper(TensorId tensor) const { return layer_of(tensor) != nullptr; }
  Wrapper& wrapper(TensorId tensor) { return layer_of(tensor)->tensors.at(tensor); }
  FunctionalStorage& storage(TensorId tensor) {
    return layer_of(tensor)->storages[static_cast<std::size_t>(wrapper(tensor).storage)];
  }
  Tensor& tensor(TensorId id) { return at(state_, id); }

  /// What a wrapper keeps of its own: the offset and the count of elements.
  void show(TensorId wrapper, const Tensor& value);
  /// Raises where the value is a wrapper already (FUN-36).
  TensorId wrapped(TensorId value);
  /// A wrapper has its value's sizes, strides, offset, dtype and keys [FunctionalTensorWrapper.cpp, sizes_custom]; of
  /// the offset it has one of its own besides, which views in place leave.
  void mirror(TensorId wrapper);
  TensorId wrapped_view(TensorId value, TensorId of, ViewMeta meta);
  /// A wrapper's value, up to date; another tensor itself.
  TensorId synced(TensorId tensor);
  void replace(TensorId wrapper, TensorId value);
  void commit_update(TensorId wrapper);
  void mutate_view_meta(TensorId wrapper, ViewMeta meta);
  /// Of a resize_ beyond the memory.
  void replace_storage(TensorId wrapper, TensorId value);
  bool apply_updates(TensorId wrapper);
  void regenerate(TensorId wrapper);

  /// The results of a view op on a base, of which the meta is one.
  std::vector<TensorId> replayed(const ViewMeta& meta, TensorId base);

  /// A call on values, through all kernels that the thread's state selects.
  std::vector<TensorId> calls(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more = {});
  TensorId call(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more = {}) {
    return calls(op, tensors, std::move(more)).at(0);
  }

 private:
  /// Null: it is no wrapper.
  Wrappers* layer_of(TensorId tensor) const;
  TensorId forward(const ViewMeta& meta, TensorId base);
  std::vector<Value> with_offset(const ViewMeta& meta, TensorId base);
  TensorId inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId expand_inverse(TensorId base, TensorId written);
  TensorId unfold_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId piece_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId unsqueezed(TensorId written, TensorId base, std::optional<std::int64_t> dim);
  /// The view op, or its copy where the layer removes views.
  OpId op_of(OpId view) const;
  Sizes sizes(TensorId id) { return sizes_of(tensor(id).geometry); }
  bool is_2_13() const { return judge_.profile == Profile::torch_2_13; }

  const Judge& judge_;
  State& state_;
  std::size_t number_;
  Wrappers& wrappers_;
  bool leaving_;
};

}  // namespace plumbline::reference::functorch
