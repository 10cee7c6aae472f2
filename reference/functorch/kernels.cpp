// One call in the layer [torchgen/gen_functionalization_type.py; aten/src/ATen/FunctionalizeFallbackKernel.cpp].
#include <algorithm>
#include <array>
#include <utility>

#include "reference/by_schema.h"
#include "reference/call.h"
#include "reference/composite.h"
#include "reference/functorch/layer.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"
#include "spec/rules/geo_value.h"
#include "spec/rules/view.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functorch {

namespace {

using Values = std::vector<Value>;

class Kernel {
 public:
  Kernel(const Judge& judge, State& state, OpId id, std::span<const Value> values, std::vector<KernelRun>& kernels)
      : judge_(judge),
        state_(state),
        layer_(judge, state),
        id_(id),
        op_(op(id)),
        values_(values.begin(), values.end()),
        kernels_(kernels) {
    for (Value& value : values_) each_slot_of(value, [&](Slot& slot) { tensors_.push_back(held(state, slot)); });
    for (const TensorId tensor : tensors_)
      if (layer_.is_wrapper(tensor)) layer_.mirror(tensor);
    const auto first = values_.empty() ? nullptr : std::get_if<Slot>(values_.data());
    if (first != nullptr) self_ = held(state, *first);
  }

  std::vector<TensorId> run() {
    if (is_isolated(judge_)) refuse_captured_input();
    if (is_flat(judge_) && !follows_alone(judge_, FUN_25)) try_as_it_is();
    const bool any = std::ranges::any_of(tensors_, [&](TensorId id) { return layer_.is_wrapper(id); });
    const bool view = op_.kind == OpKind::View || op_.kind == OpKind::InplaceView || id_ == OpId::_unsafe_view;
    if (!any && op_.kind == OpKind::Inplace && !is_isolated(judge_)) try_on_meta();
    if (!any && !tensors_.empty() && id_ != OpId::_to_copy) return below(id_, values_);
    if (op_.kind == OpKind::Inplace || op_.kind == OpKind::Out) return write();
    if (id_ == OpId::set__source_Tensor) throw ReferenceLimit("set_ in a functionalized body");
    if (view && !layer_.is_wrapper(self_)) return below(id_, unwrapped());
    if (id_ == OpId::resize_) return resize();
    if (op_.kind == OpKind::InplaceView) return relayout();
    if (view) return views();
    std::vector<TensorId> results = below(id_, unwrapped());
    for (TensorId& result : results) result = layer_.wrapped(result);
    return results;
  }

 private:
  std::vector<TensorId> below(OpId op, Values values) {
    const Restored below(state_.layers_on);
    const Restored slots(state_.slots);
    --state_.layers_on;
    for (Value& value : values)
      each_slot_of(value, [&](Slot& slot) {
        const TensorId tensor = replaced(held(state_, slot));
        slot = static_cast<Slot>(state_.slots.size());
        state_.slots.push_back(tensor);
      });
    std::vector<TensorId> results = reference::dispatch(judge_, state_, op, values, kernels_);
    layer_.refuse_functional(results);
    return results;
  }
  /// The argument that a call below receives.
  TensorId replaced(TensorId tensor) {
    return unwraps_ && layer_.is_wrapper(tensor) ? layer_.wrapper(tensor).value : tensor;
  }
  /// The synced arguments of a call on the wrappers' values.
  const Values& unwrapped() {
    unwraps_ = true;
    for (const TensorId tensor : tensors_) layer_.synced(tensor);
    return values_;
  }
  bool is_1_13() const { return judge_.profile == Profile::torch_1_13; }
  Values behind_first() const { return {values_.begin() + 1, values_.end()}; }

  /// A captured tensor that shares memory with an input is not a wrapper, and no variant says what would happen.
  void refuse_captured_input() {
    for (const TensorId tensor : tensors_)
      if (!layer_.is_wrapper(tensor) && !follows_alone(judge_, FUN_26) && layer_.is_given(tensor))
        throw ReferenceLimit("a captured tensor that shares memory with an input");
  }

  /// The call raises the errors that it raises without functionalization.
  void try_as_it_is() {
    if (op_.kind == OpKind::Functional || id_ == OpId::detach_) return;  // it refuses views by itself
    State tried = state_;
    Layer there(judge_, tried);
    for (Value& value : values_)
      each_slot_of(value, [&](const Slot& slot) {
        const TensorId given = held(state_, slot);
        if (!layer_.is_wrapper(given)) return;
        tried.tensors.push_back(there.tensor(there.as_it_is(given)));
        tried.slots[static_cast<std::size_t>(slot)] = static_cast<TensorId>(tried.tensors.size()) - 1;
      });
    tried.layers_on = 0;
    std::vector<KernelRun> unseen;
    (void)reference::dispatch(judge_, tried, id_, values_, unseen);
  }

  /// Views are not synced: their source may be outdated, and they are older.
  std::vector<TensorId> views() {
    ViewMeta meta = layer_.meta(id_, behind_first());
    meta.is_as_strided = id_ == OpId::as_strided;
    narrow_is_slice(meta);
    const std::vector<Tensor> shown = shown_by(meta.view, meta.arguments);
    if (id_ == OpId::as_strided && is_flat(judge_)) return {layer_.as_strided(self_, meta)};
    if (is_1_13() && !is_flat(judge_) && state_.layers[state_.layers_on - 1].composite == OpId::reshape &&
        id_ == OpId::view)
      reshape_alias(meta);
    std::vector<TensorId> results = layer_.replayed(meta, layer_.wrapper(self_).value);
    for (std::size_t i = 0; i < results.size(); ++i) {
      meta.out_index = i;
      results[i] = layer_.wrapped_view(results[i], self_, meta);
      if (i < shown.size()) layer_.show(results[i], shown[i]);
    }
    return results;
  }

  /// In 1.13 views also run on tensors without memory first, and keep the resulting offset and number of elements.
  std::vector<Tensor> shown_by(OpId view, const Values& more) {
    if (!is_1_13() || id_ == OpId::_unsafe_view) return {};
    Values values{values_[0]};
    values.insert(values.end(), more.begin(), more.end());
    return on_meta(view, std::move(values));
  }

  /// 1.13's reshape calls _reshape_alias with the strides of its view.
  void reshape_alias(ViewMeta& meta) {
    const Geometry view = on_meta(id_, values_)[0].geometry;
    meta = layer_.meta(OpId::as_strided, {sizes_of(view), strides_of(view)});
    meta.is_reshape_alias = true;
  }

  void narrow_is_slice(ViewMeta& meta) {
    if (id_ != OpId::narrow) return;
    (void)meaning({judge_, state_, id_, Arguments(state_, op_, values_)});  // the op's own checks
    const auto size = sizes_of(layer_.tensor(self_).geometry);
    const int dim = wrapped_dim(judge_, std::get<std::int64_t>(meta.arguments[0]), size.size());
    std::int64_t start = std::get<std::int64_t>(meta.arguments[1]);
    if (start < 0) start += size[static_cast<std::size_t>(dim)];
    meta.view = OpId::slice_Tensor;
    meta.arguments = {meta.arguments[0], start, start + std::get<std::int64_t>(meta.arguments[2]), std::int64_t{1}};
  }

  std::vector<TensorId> relayout() {
    std::string name(op_.name);
    name.pop_back();  // transpose_ is undone, and replayed, as transpose
    const OpId view = find_op(name, view_overload()).value();
    const std::vector<Tensor> shown = shown_by(view, behind_first());
    if (view == OpId::as_strided && is_flat(judge_)) {
      const std::int64_t there = layer_.eager_geometry(self_).offset.v;
      const auto* offset = std::get_if<std::int64_t>(&values_.at(3));
      layer_.apply_updates(self_);
      layer_.place_anew(self_, geometry_of(std::get<Sizes>(values_[1]), std::get<Sizes>(values_[2]),
                                           offset != nullptr ? *offset : there));
      return {self_};
    }
    layer_.mutate_view_meta(self_, layer_.meta(view, behind_first()));
    if (!shown.empty()) layer_.show(self_, shown[0]);
    return {self_};
  }
  std::string view_overload() const { return id_ == OpId::transpose_ ? "int" : std::string(op_.overload); }

  std::vector<TensorId> resize() {
    if (!std::holds_alternative<None>(values_.at(2)))
      throw ReferenceLimit("resize_ with a memory format in a functionalized body");
    layer_.synced(self_);
    const Sizes sizes = Arguments(state_, op_, values_).integers(1);
    if (is_flat(judge_)) {
      layer_.resize_in_place(self_, sizes);
      return {self_};
    }
    const std::int64_t elements = layer_.wrapper(self_).offset + element_count(sizes);
    const std::int64_t bytes = elements * item_size(layer_.tensor(self_).dtype);
    const TensorId resized = layer_.call(OpId::clone, {layer_.wrapper(self_).value}, {None{}});
    layer_.call(OpId::resize_, {resized}, {sizes, None{}});
    if (bytes > layer_.storage(self_).bytes)
      layer_.replace_storage(self_, resized);
    else
      shrink(sizes);
    return {self_};
  }

  /// In 1.13 the strides are wrong, and the wrapper's own number of elements does not change
  /// [aten/src/ATen/FunctionalizeFallbackKernel.cpp, compute_contiguous_strides].
  void shrink(const Sizes& sizes) {
    Sizes strides = row_major(sizes);
    for (std::size_t i = strides.size(); is_1_13() && !grows_viewed_memory(judge_).v && i-- > 0;)
      strides[i] = i + 1 == strides.size() ? 1 : strides[i + 1] * sizes[i];
    layer_.mutate_view_meta(self_, layer_.meta(OpId::as_strided, {sizes, strides, None{}}));
  }

  std::vector<TensorId> write() {
    const auto place = static_cast<std::size_t>(written_argument(op_));
    const TensorId written = held(state_, std::get<Slot>(values_[place]));
    if (op_.kind == OpKind::Inplace) try_on_meta();
    unwrapped();
    if (!layer_.is_wrapper(written)) raise_class(ErrorClass::captured_write, {"a write of a captured tensor"});
    const TensorId made = twin(layer_.wrapper(written).value);
    if (op_.kind == OpKind::Out && out_is_resized<Concrete>(judge_, false).v) fit_out(written, layer_.tensor(made));
    layer_.replace(written, made);
    layer_.commit_update(written);
    if (!is_1_13() || is_isolated(judge_)) layer_.synced(written);
    return {written};
  }

  /// Resizes out. A result of a higher kind does not fit; try_as_it_is, where it runs, has refused that already.
  void fit_out(TensorId out, const Tensor& result) {
    const Sizes sizes = sizes_of(result.geometry);
    const auto strides = strides_of(result.geometry);  // making tensors below moves the result
    const bool flat = is_flat(judge_);
    const bool resized = sizes_of(layer_.tensor(out).geometry) != sizes;
    const bool refused = check_cast<Concrete>(judge_, result.dtype, layer_.tensor(out).dtype).v != 0;
    const bool tried = flat && !follows_alone(judge_, FUN_25);
    if ((!flat && resized) || (!tried && refused))
      throw ReferenceLimit("an out= of other sizes or dtype, with only another rule's variant in force");
    if (!resized) return;
    layer_.resize_in_place(out, sizes);
    layer_.place_anew(out, geometry_of(sizes, strides, layer_.eager_geometry(out).offset.v));
  }

  /// In-place ops first run on tensors without memory, and raise their errors about sizes, strides and dtypes. Some of
  /// LibTorch's own kernels for that check nothing (Python registers others).
  void try_on_meta() {
    const bool blind = id_ == OpId::index_fill__int_Scalar || id_ == OpId::masked_fill__Scalar || id_ == OpId::relu_ ||
                       (is_1_13() && id_ == OpId::copy_);
    if (!blind) (void)on_meta(id_, values_);
  }

  /// The results of a call on tensors without memory.
  std::vector<Tensor> on_meta(OpId op, Values values) {
    State tried = state_;
    for (Value& value : values)
      each_slot_of(value, [&](Slot& slot) {
        const TensorId given = held(state_, slot);
        Tensor alone = at(tried, layer_.is_wrapper(given) ? layer_.wrapper(given).value : given);
        alone.geometry.offset = 0;
        if (op == OpId::copy_) {  // its kernel for such tensors checks only sizes
          const Sizes sizes = sizes_of(alone.geometry);
          alone.geometry = geometry_of(sizes, row_major(sizes));
        }
        const std::int64_t bytes = reached(alone);
        tried.storages.push_back(
            {std::vector<Element>(static_cast<std::size_t>(bytes / item_size(alone.dtype))), alone.dtype});
        alone.storage = static_cast<std::int32_t>(tried.storages.size()) - 1;
        tried.tensors.push_back(alone);
        slot = static_cast<Slot>(tried.slots.size());  // a tensor that is given twice becomes two
        tried.slots.push_back(static_cast<TensorId>(tried.tensors.size()) - 1);
      });
    tried.tls = machine::inside_guard<Concrete>(judge_, {GuardKind::below_ad_inplace_or_view}, tried.tls);
    tried.layers_on = 0;
    std::vector<KernelRun> unseen;
    std::vector<Tensor> shown;
    if (plumbline::op(op).by_schema) {
      check_on_meta_by_schema({judge_, tried, op, Arguments(tried, plumbline::op(op), values)});
      return {};
    }
    for (const TensorId result : reference::dispatch(judge_, tried, op, values, unseen))
      shown.push_back(at(tried, result));
    return shown;
  }

  /// The result of the op's functional form.
  TensorId twin(TensorId self) {
    switch (id_) {
      case OpId::fill__Scalar:
        return layer_.call(OpId::full_like, {self}, {values_[1], None{}, None{}, None{}, None{}, None{}, None{}});
      case OpId::zero_:
        return layer_.call(OpId::zeros_like, {self}, {None{}, None{}, None{}, None{}, None{}, None{}});
      case OpId::copy_:
        return copied(self);
      default:
        break;
    }
    const auto functional = functional_twin(id_);
    if (!functional) throw ReferenceLimit("the missing functional form of " + qualified_name(op_));
    Values arguments = values_;
    if (op_.kind == OpKind::Out) arguments.pop_back();
    return below(*functional, std::move(arguments)).at(0);
  }

  /// A copy of the target with its strides, filled from the source; in 1.13 the source itself, in the target's dtype
  /// and sizes [aten/src/ATen/native/Copy.cpp, copy].
  TensorId copied(TensorId self) {
    const auto* source = std::get_if<Slot>(&values_[1]);
    if (!fitting_source_is_copied(judge_).v && source != nullptr) {
      const Tensor to = layer_.tensor(self);
      const TensorId from = replaced(held(state_, *source));
      const TensorId made = layer_.call(OpId::to_dtype, {from}, {to.dtype, false, false, None{}});
      const Sizes sizes = sizes_of(to.geometry);
      if (sizes_of(layer_.tensor(made).geometry) == sizes) return made;
      return layer_.call(OpId::expand_copy, {made}, {sizes, false});
    }
    TensorId made = layer_.call(OpId::clone, {self}, {None{}});
    if (!repeats_places(layer_.tensor(self).geometry)) {
      const Tensor of = layer_.tensor(self);
      const Storage whole = state_.storages[static_cast<std::size_t>(of.storage)];
      state_.storages.push_back(whole);
      layer_.tensor(made).geometry = of.geometry;
      if (whole.elements.empty()) layer_.tensor(made).geometry.offset = 0;  // as empty_strided makes it
      layer_.tensor(made).storage = static_cast<std::int32_t>(state_.storages.size()) - 1;
      if (!whole.elements.empty() && source != nullptr) made = seen_in_copy(made, self, held(state_, *source));
    }
    Values arguments = values_;
    arguments[0] = static_cast<Slot>(state_.slots.size());
    const Restored slots(state_.slots);
    state_.slots.push_back(made);
    return below(OpId::copy_, std::move(arguments)).at(0);
  }

  /// The copy that copy(self, source) writes: a view of the copied storage, if no Autograd kernel ran (VIEW-18).
  TensorId seen_in_copy(TensorId made, TensorId self, TensorId source) {
    const std::array given{self, replaced(source)};
    if (!scatter_gives_view<Concrete>(judge_, !runs_autograd(judge_, state_, given)).v) return made;
    const Geometry seen = layer_.tensor(made).geometry;
    const Storage& whole = state_.storages[static_cast<std::size_t>(layer_.tensor(made).storage)];
    layer_.tensor(made).geometry = geometry_of({capacity(whole, layer_.tensor(made).dtype)}, {1});
    return layer_.call(OpId::as_strided, {made}, {sizes_of(seen), strides_of(seen), seen.offset.v});
  }

  const Judge& judge_;
  State& state_;
  Layer layer_;
  OpId id_;
  const Op& op_;
  Values values_;
  std::vector<KernelRun>& kernels_;
  std::vector<TensorId> tensors_;
  TensorId self_ = kNoTensor;
  bool unwraps_ = false;
};

}  // namespace

InComposite::InComposite(const Judge& judge, State& state, OpId op, std::span<const Value> values)
    : state_(state), entered_(is_on_top(state)) {
  if (!entered_) return;
  layer_ = state.layers_on - 1;
  found_ = std::exchange(state.layers[layer_].composite, op == OpId::flatten_using_ints ? OpId::reshape : op);
  for (const Value& value : values)
    each_slot_of(value, [&](Slot slot) {
      const TensorId given = held(state, slot);
      Layer layer(judge, state);
      if (is_isolated(judge) && !layer.is_wrapper(given) && layer.is_given(given))
        throw ReferenceLimit("a captured tensor that shares memory with an input");
      if (!layer.is_wrapper(given) || is_flat(judge)) return;
      layer.mirror(given);
      const Wrapper& wrapper = layer.wrapper(given);
      const Tensor& value = at(state, wrapper.value);
      const Sizes sizes = sizes_of(value.geometry);
      const bool counts = judge.profile == Profile::torch_1_13 || !is_row_major(sizes, strides_of(value.geometry));
      if (counts && element_count(sizes) != wrapper.elements)
        throw ReferenceLimit("a composite op on a wrapper that has an old number of elements");
    });
}

InComposite::~InComposite() {
  if (entered_ && layer_ < state_.layers.size()) state_.layers[layer_].composite = found_;
}

std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels) {
  return Kernel(judge, state, op, values, kernels).run();
}

}  // namespace plumbline::reference::functorch
