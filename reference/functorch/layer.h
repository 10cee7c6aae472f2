// Between the files of this folder.
#pragma once

#include <optional>
#include <span>

#include "reference/functorch/functorch.h"
#include "reference/functorch/wrappers.h"
#include "reference/memory.h"

namespace plumbline::reference::functorch {

/// Whether one variant alone is followed [Judge::only_variant], and whether it is this rule's.
bool is_isolated(const Judge& judge);
bool follows_alone(const Judge& judge, const Rule& rule);
/// Whether functional storages are whole memories then: where the variant is not one that needs them as they ship.
bool is_flat(const Judge& judge);

/// As check_nesting; throws ReferenceLimit where that lets it pass, for the layer has no such wrappers.
[[noreturn]] void refuse_nesting(const Judge& judge, bool given);

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
  /// A meta that this body makes.
  ViewMeta meta(OpId view, std::vector<Value> arguments) const;
  /// Of a resize_ beyond the memory.
  void replace_storage(TensorId wrapper, TensorId value);
  bool apply_updates(TensorId wrapper);
  void regenerate(TensorId wrapper);

  /// Synced, with no update left that waits.
  void up_to_date(TensorId wrapper);
  /// [torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation]
  void write_back(TensorId input, TensorId value);

  /// The end of a body where one variant alone is followed; gives the results.
  std::vector<TensorId> leave_alone(const std::vector<TensorId>& results);
  /// There, of a flat storage: resize_, and as_strided as a view.
  void resize_in_place(TensorId wrapper, const Sizes& sizes);
  TensorId as_strided(TensorId wrapper, const ViewMeta& meta);
  /// And as_strided_.
  void place_anew(TensorId wrapper, const Geometry& geometry);
  /// The sizes, strides and offset that the tensor has without functionalization.
  Geometry eager_geometry(TensorId wrapper);
  /// It, as a view of the memory that it is one of.
  TensorId as_it_is(TensorId wrapper);
  /// Whether a tensor has memory that an open body was given.
  bool is_given(TensorId tensor) const;
  /// A second input of a memory that a wrapper has already.
  TensorId wrapped_beside(TensorId input, TensorId wrapper);
  /// The place of a tensor in a flat storage.
  static ViewMeta place(const Geometry& geometry);

  /// The results of a view op on a base, of which the meta is one.
  std::vector<TensorId> replayed(const ViewMeta& meta, TensorId base);

  /// What a body within a body gets from below is not functional (FUN-36): no factory's result, and no conversion's
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
  /// What as_strided is called on where views are copies, if FUN-15 alone is departed from: what is a view is
  /// row-major.
  TensorId copied_for_as_strided(TensorId base);
  TensorId seen_on(TensorId base, std::span<const ViewMeta> metas);
  bool has_departing_link(const std::vector<ViewMeta>& metas) const;
  /// Throws ReferenceLimit where undoing these views as PyTorch does departs from a rule that is not the one followed.
  void refuse_other_departures(const std::vector<ViewMeta>& metas) const;
  TensorId written_into(TensorId base, const std::vector<ViewMeta>& metas, TensorId value);
  void write_memory(const std::vector<TensorId>& inputs);
  TensorId made_from_input(TensorId result, const std::vector<TensorId>& inputs);
  std::vector<TensorId> results_alone(const std::vector<TensorId>& results, const std::vector<TensorId>& inputs);
  /// The views of a wrapper behind its place in a flat storage; a root has none.
  std::span<const ViewMeta> behind_place(TensorId wrapper);
  bool is_root(TensorId wrapper);
  /// Throws ReferenceLimit: a place in a flat storage is of its dtype.
  void refuse_other_dtype(TensorId wrapper);
  void lay_out(const std::vector<TensorId>& inputs);
  /// Null: it is no wrapper.
  Wrappers* layer_of(TensorId tensor) const;
  TensorId forward(const ViewMeta& meta, TensorId base);
  std::vector<Value> with_offset(const ViewMeta& meta, TensorId base);
  TensorId inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId expand_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId unfold_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId piece_inverse(const ViewMeta& meta, TensorId base, TensorId written);
  TensorId unsqueezed(const ViewMeta& meta, TensorId written, TensorId base, std::optional<std::int64_t> dim);
  /// The view op, or its copy where the body in which the meta was made removes views
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
