// The layer that the files of this folder implement: functionalization as PyTorch ships it.
#pragma once

#include <optional>
#include <span>

#include "reference/functorch/functorch.h"
#include "reference/functorch/wrappers.h"
#include "reference/memory.h"

namespace plumbline::reference::functorch {

/// Whether only one variant is followed [Judge::only_variant], and whether it is this rule's.
bool is_isolated(const Judge& judge);
bool follows_alone(const Judge& judge, const Rule& rule);
/// Whether functional storages are then whole memories: unless the followed variant needs them as PyTorch ships them.
bool is_flat(const Judge& judge);

/// Like check_nesting, but throws ReferenceLimit if that passes, because the layer has no nested wrappers.
[[noreturn]] void refuse_nesting(const Judge& judge, bool given);

/// How many bytes a tensor needs from the beginning of its storage.
std::int64_t reached(const Tensor& tensor);

/// The layer at work on one call, or at its end.
class Layer {
 public:
  /// The uppermost layer that sees calls. `leaving`: the body has ended, and no kernel is running.
  Layer(const Judge& judge, State& state, bool leaving = false) : Layer(judge, state, state.layers_on - 1, leaving) {}
  /// The layer with this number; the outermost body's is 0.
  Layer(const Judge& judge, State& state, std::size_t number, bool leaving)
      : judge_(judge), state_(state), number_(number), wrappers_(state.layers.at(number)), leaving_(leaving) {}

  /// A wrapper of any body: PyTorch does not check a tensor's level [impl::isFunctionalTensor].
  bool is_wrapper(TensorId tensor) const { return layer_of(tensor) != nullptr; }
  Wrapper& wrapper(TensorId tensor) { return layer_of(tensor)->tensors.at(tensor); }
  FunctionalStorage& storage(TensorId tensor) {
    return layer_of(tensor)->storages[static_cast<std::size_t>(wrapper(tensor).storage)];
  }
  Tensor& tensor(TensorId id) { return at(state_, id); }

  /// Sets what a wrapper keeps itself: the offset and the number of elements.
  void show(TensorId wrapper, const Tensor& value);
  /// Raises an error if the value is already a wrapper (FUN-36).
  TensorId wrapped(TensorId value);
  /// A wrapper has its value's sizes, strides, offset, dtype and keys [FunctionalTensorWrapper.cpp, sizes_custom].
  /// It also has its own offset, which in-place views leave.
  void mirror(TensorId wrapper);
  TensorId wrapped_view(TensorId value, TensorId of, ViewMeta meta);
  /// A wrapper's updated value; any other tensor itself.
  TensorId synced(TensorId tensor);
  void replace(TensorId wrapper, TensorId value);
  void commit_update(TensorId wrapper);
  void mutate_view_meta(TensorId wrapper, ViewMeta meta);
  /// A view meta of this body.
  ViewMeta meta(OpId view, std::vector<Value> arguments) const;
  /// For a resize_ beyond the memory.
  void replace_storage(TensorId wrapper, TensorId value);
  bool apply_updates(TensorId wrapper);
  void regenerate(TensorId wrapper);

  /// Syncs, so that no pending update is left.
  void up_to_date(TensorId wrapper);
  /// [torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation]
  void write_back(TensorId input, TensorId value);

  /// The end of a body if only one variant is followed; returns the results.
  std::vector<TensorId> leave_alone(const std::vector<TensorId>& results);
  /// In that case, for a flat storage: resize_, and as_strided as a view.
  void resize_in_place(TensorId wrapper, const Sizes& sizes);
  TensorId as_strided(TensorId wrapper, const ViewMeta& meta);
  /// as_strided_ in that case.
  void place_anew(TensorId wrapper, const Geometry& geometry);
  /// The sizes, strides and offset that the tensor has without functionalization.
  Geometry eager_geometry(TensorId wrapper);
  /// The tensor as a view of its memory, as without functionalization.
  TensorId as_it_is(TensorId wrapper);
  /// Whether a tensor has the memory of an open body's input.
  bool is_given(TensorId tensor) const;
  /// A second input that shares its memory with a wrapper.
  TensorId wrapped_beside(TensorId input, TensorId wrapper);
  /// The place of a tensor in a flat storage.
  static ViewMeta place(const Geometry& geometry);

  /// All results of the meta's view op on a base.
  std::vector<TensorId> replayed(const ViewMeta& meta, TensorId base);

  /// Results that a nested body gets from below must not be functional (FUN-36), neither a factory's nor a conversion's
  /// [aten/src/ATen/functorch/FunctionalizeInterpreter.cpp, sendToNextInterpreterImpl].
  void refuse_functional(const std::vector<TensorId>& results);
  /// A call on values, through all kernels that the thread's state selects.
  std::vector<TensorId> calls(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more = {});
  TensorId call(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more = {}) {
    return calls(op, tensors, std::move(more)).at(0);
  }

 private:
  TensorId flattened(TensorId tensor);
  TensorId own_copy(TensorId tensor);
  /// The tensor that as_strided is called on if views are copies and only FUN-15's variant is followed: a view is made
  /// row-major.
  TensorId copied_for_as_strided(TensorId base);
  TensorId seen_on(TensorId base, std::span<const ViewMeta> metas);
  bool has_departing_link(const std::vector<ViewMeta>& metas) const;
  /// Throws ReferenceLimit if undoing these views as PyTorch does follows the variant of another rule.
  void refuse_other_departures(const std::vector<ViewMeta>& metas) const;
  TensorId written_into(TensorId base, const std::vector<ViewMeta>& metas, TensorId value);
  void write_memory(const std::vector<TensorId>& inputs);
  TensorId made_from_input(TensorId result, const std::vector<TensorId>& inputs);
  std::vector<TensorId> results_alone(const std::vector<TensorId>& results, const std::vector<TensorId>& inputs);
  /// The views of a wrapper after its place in a flat storage; a root has none.
  std::span<const ViewMeta> behind_place(TensorId wrapper);
  bool is_root(TensorId wrapper);
  /// Throws ReferenceLimit if the wrapper's dtype is not that of its flat storage.
  void refuse_other_dtype(TensorId wrapper);
  void lay_out(const std::vector<TensorId>& inputs);
  /// Null if it is not a wrapper.
  Wrappers* layer_of(TensorId tensor) const;
  TensorId forward(const ViewMeta& meta, TensorId base);
  std::vector<Value> with_offset(const ViewMeta& meta, TensorId base);
  TensorId inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId expand_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId unfold_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId piece_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId unsqueezed(const ViewMeta& meta, TensorId written, TensorId base, std::optional<std::int64_t> dim);
  /// The view op, or its copy if the body that made the meta removes views
  /// [torchgen/gen_functionalization_type.py: 'reapply_views = reapply_views' in the lambda's capture].
  static OpId op_of(OpId view, const ViewMeta& meta);
  Sizes sizes(TensorId id) { return sizes_of(tensor(id).geometry); }
  bool is_2_13() const { return judge_.profile == Profile::torch_2_13; }

  const Judge& judge_;
  State& state_;
  std::size_t number_;
  Wrappers& wrappers_;
  bool leaving_;
};

}  // namespace plumbline::reference::functorch
