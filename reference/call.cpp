// One call of an op, through the kernels that the key set selects: Autograd, ADInplaceOrView, the backend.
#include "reference/call.h"

#include "reference/bits.h"
#include "reference/by_schema.h"
#include "reference/by_schema_backward.h"
#include "reference/composite.h"
#include "reference/devices.h"
#include "reference/functionalized.h"
#include "reference/graph.h"
#include "reference/inner_ops.h"
#include "reference/raise.h"
#include "reference/transforms/func_grad.h"
#include "reference/transforms/mapped.h"
#include "reference/transforms/vmap.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/geo_value.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

using Keys = KeySet<Concrete>;

/// One call on its way through the kernels.
class Dispatch {
 public:
  Dispatch(const Judge& judge, State& state, OpId id, std::span<const Value> values, std::vector<KernelRun>& kernels,
           const transforms::Mapping* mapping = nullptr)
      : judge_(judge),
        state_(state),
        id_(id),
        op_(op(id)),
        arguments_(state, op_, values),
        kernels_(kernels),
        mapping_(mapping) {
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      if (std::holds_alternative<None>(values[i])) continue;  // an optional tensor, or an optional list
      if (op_.arguments[i].type == ArgType::Tensor) operands_.push_back({i, arguments_.operand(i)});
      if (op_.arguments[i].type == ArgType::TensorList)
        for (const TensorId tensor : arguments_.tensors(i)) operands_.push_back({i, Operand{tensor}});
    }
  }

  /// Runs the kernels from the highest key down and returns the results.
  std::vector<TensorId> run() {
    std::vector<Keys> brought;
    for (const auto& [place, operand] : operands_) brought.push_back(keys_of(judge_, state_, operand));
    const Keys tensors = machine::joined_keys(judge_, brought);
    if ((op_.composite && !op_.by_schema) || op_.aliases == Aliases::argument)
      (void)effect();  // its own checks come before every kernel
    if (op_.by_schema) refuse_hidden_recording(as_call());
    const Keys keys = call_keys(judge_, tensors, state_.tls);
    need_everyday(state_, tensors, keys);
    if (id_ == OpId::detach_) results_ = {self()};  // its Autograd kernel calls no other
    if (writes() && id_ != OpId::zero_ && id_ != OpId::fill__Scalar && tensor(written()).may_repeat)
      throw ReferenceLimit("a write of a gradient through a mapped op, which may repeat elements");
    World world(judge_, state_, {.op = &op_});
    machine::run_kernels(world, *this, keys);
    if (mapping_ != nullptr || any_computed_mapped())
      for (const TensorId result : results_)
        if (!writes()) tensor(result).computed_mapped = true;
    if (any_of_tensors(&Tensor::free_layout)) pass_free_layout();
    return results_;
  }

  // What the kernels ask of a call (machine::Call, machine::Dispatched).
  machine::AutogradKernel autograd_kernel() const {
    using enum machine::AutogradKernel;
    if (op_.name == "detach") return detach;
    if (id_ == OpId::detach_) return detach_inplace;
    if (id_ == OpId::resize_) return resize;
    return op_.kind == OpKind::Out ? out : records;
  }
  std::vector<TensorId> tensors() const {
    return tensors_if([](std::size_t) { return true; });
  }
  std::vector<TensorId> derivable() const {
    return tensors_if([&](std::size_t place) { return op_.by_schema || has_derivative_by(op_.arguments[place]); });
  }
  bool writes() const { return written_argument(op_) >= 0; }
  bool views() const { return op_.kind == OpKind::View && !learns(); }
  TensorId written() const { return written_argument(op_) > 0 ? operands_.back().operand.tensor : self(); }
  Bool<Concrete> refuses_gradients(const Bool<Concrete>& any) const {
    return op_.by_schema ? refuses_gradients_by_schema(as_call(), any.v) : differentiable();
  }
  Bool<Concrete> recordable(const Bool<Concrete>& asked) {
    if (asked.v && learns() && has_complex(as_call())) refuse_by_schema(id_, "is recorded and takes complex numbers");
    const bool converts = id_ == OpId::_to_copy && arguments_.dtype(1) && !is_inexact(*arguments_.dtype(1));
    Bool<Concrete> recordable =
        records_result<Concrete>(judge_, (op_.differentiable != 0xfe || op_.results > 1) && !converts);
    if (writes()) recordable = write_recordable<Concrete>(judge_, is_inexact(tensor(self()).dtype), id_ == OpId::copy_);
    if (learns() && asked.v && (recordable.v || op_.composite)) learned_ = record_by_schema(as_call());
    return recordable && Bool<Concrete>(!learns() || learned_ != nullptr);
  }
  OpKind kind() const { return op_.kind; }
  std::vector<TensorId> others() const {
    return tensors_if([&](std::size_t place) { return static_cast<int>(place) != written_argument(op_); });
  }
  bool writes_something() const { return !operands_.empty() && self() != kNoTensor; }
  machine::Resizing<Concrete> resizing() const { return change_by_resize(as_call()); }
  std::int64_t times() const { return counts_.value_or(1); }
  void reach(Functionality kernel, const Keys& keys) const {
    if (kernel == Functionality::Dense && keys.has_any(Functionality::ADInplaceOrView).v)
      kernels_.push_back({Functionality::ADInplaceOrView, true});
    kernels_.push_back({kernel, false});
  }
  void backend(const machine::Ran<Concrete>& ran) {
    ran_ = ran;
    results_ = computed();
  }
  template <class Below>
  void record(const Bool<Concrete>& recorded, const Below& below) {
    if (!recorded.v) return below();
    const NodeId node = begin_node(judge_, state_, id_, arguments_.values(), tensors());
    state_.nodes.back().by_schema = learned_;
    if (mapping_ != nullptr) state_.nodes.back().mapping = mapping_of_inputs();
    try {
      pack_inputs(judge_, state_, node, operands_, needed_);
      below();
    } catch (...) {
      if (static_cast<std::size_t>(node) + 1 == state_.nodes.size()) state_.nodes.pop_back();
      throw;
    }
    give_history(node);
  }
  std::size_t needs() const { return saves().size(); }
  bool is_guarded(std::size_t need) const { return plumbline::is_guarded(op_, saves()[need]); }
  std::vector<TensorId> partners(std::size_t need) const { return tensors_at(saves()[need].when); }
  std::vector<TensorId> saved_arguments(std::size_t need) const {
    const Saves& one = saves()[need];
    const bool none = one.saved < 0 || one.copy || (id_ == OpId::aminmax && !aminmax_has_derivative(judge_).v);
    return none ? std::vector<TensorId>() : tensors_at(one.saved);
  }
  void set_needed(std::size_t need, const Bool<Concrete>& needed) {
    needed_.resize(std::max(needed_.size(), need + 1));
    needed_[need] = needed.v;
  }

 private:
  /// Whether the call has said that sizes and strides stay.
  bool keeps_layout() const {
    if (id_ != OpId::resize_) return false;
    const machine::Resizing<Concrete> change = resizing();
    return !change.sizes.v && !change.strides.v;
  }
  bool any_computed_mapped() const { return any_of_tensors(&Tensor::computed_mapped); }
  bool any_of_tensors(bool Tensor::* flag) const {
    return std::ranges::any_of(tensors(), [&](TensorId one) { return tensor(one).*flag; });
  }
  void pass_free_layout() {
    if (id_ == OpId::view || id_ == OpId::view_dtype || id_ == OpId::as_strided)
      throw ReferenceLimit("a view whose strides depend on those of a gradient through a mapped op");
    for (const TensorId result : results_) {
      tensor(result).free_layout = tensor(result).free_layout || !writes();
      if (op_.kind == OpKind::View) tensor(result).may_repeat = tensor(self()).may_repeat;
    }
  }
  KernelCall as_call() const { return {judge_, state_, id_, arguments_}; }
  /// What the backend's kernel does.
  Effect effect() {
    if (mapping_ == nullptr) return meaning(as_call());
    if (any_has_bits(state_, arguments_)) throw ReferenceLimit("a conjugate or negative view in a mapped body");
    return transforms::mapped_meaning(judge_, state_, id_, arguments_.values(), *mapping_);
  }
  /// The mapping by the numbers of a node's inputs.
  transforms::Mapping mapping_of_inputs() const {
    transforms::Mapping mapping{mapping_->sizes, {}};
    std::int32_t next = 0;
    for (const Value& value : arguments_.values())
      each_slot_of(value, [&](const Slot& slot) {
        if (const auto found = mapping_->dims.find(slot); found != mapping_->dims.end())
          mapping.dims[static_cast<Slot>(next)] = found->second;
        ++next;
      });
    return mapping;
  }
  Tensor& tensor(TensorId id) const { return state_.tensors[static_cast<std::size_t>(id)]; }
  TensorId self() const { return operands_.front().operand.tensor; }
  /// Its tensors at the places that are wanted.
  template <class Wanted>
  std::vector<TensorId> tensors_if(const Wanted& wanted) const {
    std::vector<TensorId> found;
    for (const auto& [place, operand] : operands_)
      if (!operand.is_number() && wanted(place)) found.push_back(operand.tensor);
    return found;
  }
  /// Not so for a view that autograd does not track: detach, and a view in another dtype.
  bool differentiable() const { return (op_.differentiable & 1U) != 0; }
  /// Whether plain runs say what is recorded; not so of the ops that see complex parts.
  bool learns() const { return op_.by_schema && !computes_complex(id_); }
  Bool<Concrete> inference(TensorId of) const { return is_inference_tensor(judge_, state_, of); }

  std::span<const Saves> saves() const { return learned_ != nullptr ? std::span(learned_->saves) : op_.saves; }
  std::vector<TensorId> tensors_at(std::int8_t at) const {
    return tensors_if([&](std::size_t place) { return place == static_cast<std::size_t>(at); });
  }

  /// Gives the results, or the written tensor, a history.
  void give_history(NodeId node) {
    if (writes()) {
      add_output(state_, node, self());
      rebase_history(judge_, state_, self(), node);
      save_for_backward(judge_, state_, node, operands_, needed_, {self()});
      return;
    }
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const bool floating = is_inexact(tensor(results_[i]).dtype);
      const bool asked = learned_ != nullptr ? learned_->differentiable.at(i)
                                             : op_.many_results || ((op_.differentiable >> i) & 1U) != 0;
      const bool recorded = records_result<Concrete>(judge_, asked && (floating || id_ != OpId::_to_copy)).v;
      const std::int32_t output = add_output(state_, node, results_[i], recorded && floating);
      const bool same = op_.by_schema && op_.kind == OpKind::View && results_[i] == self();  // reshape returns itself
      if (!recorded || same) continue;
      World world(judge_, state_, {.message = [](ErrorClass) { return "Autograd not support dtype: Long"; }});
      machine::check_recorded_result(world, results_[i]);
      if (floating) set_gradient_edge(judge_, state_, results_[i], node, output);
    }
    save_for_backward(judge_, state_, node, operands_, needed_, results_);
  }

  /// Whether an operand that the call does not write is an inference tensor.
  Bool<Concrete> other_is_inference() const {
    Bool<Concrete> any = false;
    for (const TensorId other : others()) any = any || inference(other);
    return any;
  }

  std::vector<TensorId> computed() {
    if (mapping_ == nullptr && any_has_bits(state_, arguments_)) {
      const Restored slots(state_.slots);
      if (const auto resolved = resolve_bits(judge_, state_, id_, arguments_)) return below_fallback(*resolved);
    }
    if (!ran_.autograd.v) check_inner_ops(judge_, state_, id_, arguments_, mapping_);
    find_device();
    Effect effect = this->effect();
    if (misplaced_) throw Raise{*misplaced_};
    hold_to_contract(id_, effect, keeps_layout() ? &tensor(self()).geometry : nullptr);
    counts_ = effect.counts;
    if (op_.kind == OpKind::View && effect.fresh.empty()) return views(effect);
    if (writes()) {
      write(effect);
      return {written()};
    }
    for (const Geometry& piece : effect.views)  // unsafe_split: views that autograd treats as new tensors
      effect.fresh.push_back({sizes_of(piece), strides_of(piece), tensor(self()).dtype, {}});
    return fresh(effect);
  }

  /// Where the results are, and whether a tensor is elsewhere and must not be.
  void find_device() {
    if (!state_.two_devices) return;
    refuse_on_two_devices(op_);
    const CallDevice found = device_of_call(judge_, state_, id_, operands_);
    device_ = device_asked(state_, op_, arguments_.values()).value_or(found.device);
    misplaced_ = found.failure;
    if (!misplaced_) return;
    try {
      (void)effect();
    } catch (const Raise&) {
      throw ReferenceLimit("a call with two errors, one of them about devices");
    }
  }

  /// The backend's kernel on copies without the bits Conjugate and Negative.
  std::vector<TensorId> below_fallback(const ResolvedCall& resolved) {
    Dispatch inner(judge_, state_, id_, resolved.values, kernels_);
    inner.ran_.autograd = ran_.autograd;
    const std::vector<TensorId> results = inner.computed();
    if (resolved.written == kNoTensor) return results;
    counts_ = versions_with_bits<Concrete>(judge_, inner.counts_.value_or(1)).v;
    copy_back(judge_, state_, resolved);
    return {resolved.written};
  }

  void write(const Effect& effect) {
    if (effect.source != kNoTensor) return take_source(judge_, state_, self(), effect.source);
    Tensor& changed = tensor(written());
    if (id_ == OpId::resize_) refuse_longer_storage(judge_, state_, changed, effect.grown);
    grow(state_.storages[static_cast<std::size_t>(changed.storage)], effect.grown, changed.dtype);
    if (effect.layout) transforms::refuse_new_layout(state_, written());
    if (effect.layout) changed.geometry = *effect.layout;
    if (effect.written) write_elements(state_, changed, *effect.written);
    if (effect.raises) throw Raise{*effect.raises};
  }

  std::vector<TensorId> fresh(const Effect& effect) {
    if (id_ == OpId::unsafe_split_Tensor && unsafe_pieces_tracked(judge_, !ran_.autograd).v)
      return split_inside(judge_, state_, arguments_, effect.views);
    const Bool<Concrete> any_inference = other_is_inference();
    const bool has_self = !operands_.empty() && self() != kNoTensor;
    const Keys bits = has_self ? bits_of(tensor(self())) : Keys();
    const bool hides = ran_.autograd.v && !(op_.by_schema && op_.composite);  // what a composite op calls may count
    const bool shares = !effect.views.empty();
    const machine::Result<Concrete> kind{any_inference, shares ? inference(self()) : Bool<Concrete>(false), hides,
                                         shares, op_.name == "clone"};
    std::vector<TensorId> results;
    for (std::size_t i = 0; i < effect.fresh.size(); ++i) {
      const Fresh& one = effect.fresh[i];
      const auto what =
          machine::new_result<Concrete>(judge_, kind, has_self && tensor(self()).meta.counted.v, state_.tls);
      Tensor result;
      result.meta.keys = shares ? view_bits(judge_, bits) : new_tensor_bits(judge_, bits);
      result.dtype = one.dtype;
      result.device = device_;
      result.geometry = shares                  ? effect.views[i]
                        : what.shares_storage.v ? tensor(self()).geometry
                                                : geometry_of(one.sizes, one.strides, one.offset);
      result.storage = what.shares_storage.v ? tensor(self()).storage : store(state_, one);
      if (!shares && has_bits(result)) write_elements(state_, result, one.elements);
      results.push_back(add_made(judge_, state_, what, std::move(result), has_self ? self() : kNoTensor));
      if (what.free_version.v && what.meta.counted.v && !what.shares_counter.v)
        state_.counters.back().free_by = &VER_10;
      else if (!shares && transforms::only_inference_outside(judge_, state_, tensors()))
        free_version_of_inner_ops(state_, tensor(results.back()).counter);
    }
    if (!ran_.autograd.v) call_inner_ops(judge_, state_, id_, arguments_, results);
    if (op_.by_schema && !ran_.autograd.v && any_inference.v) hide_bases(as_call(), state_, results);
    return results;
  }

  std::vector<TensorId> views(const Effect& effect) {
    std::vector<TensorId> results;
    if (effect.is_self) return {self()};
    for (const Geometry& geometry : effect.views) {
      Tensor view;
      const Tensor source = tensor(self());
      const bool detaches = op_.name == "detach";
      const machine::ViewOp kind{.detach = detaches,
                                 .untracked = detaches || !differentiable(),
                                 .retypes = id_ == OpId::view_dtype,
                                 .own_dtype = effect.view_dtype == source.dtype,
                                 .many = op_.many_results && !(op_.by_schema && op_.composite)};
      const auto what =
          machine::new_view<Concrete>(judge_, source.meta, inference(self()), kind, ran_.view, state_.tls,
                                      [&] { return Bool<Concrete>(requires_grad_of(judge_, state_, self())); });
      if (what.is_source.v) return {self()};
      view.geometry = geometry;
      view.dtype = effect.view_dtype.value_or(source.dtype);
      view.storage = source.storage;
      view.device = source.device;
      view.meta.keys = effect.view_bits.value_or(view_bits(judge_, bits_of(source)));
      results.push_back(add_made(judge_, state_, what, std::move(view), self()));
      Tensor& made = tensor(results.back());
      if (!made.meta.tracked.v) continue;
      const std::int32_t counter = tensor(made.base).counter;  // VIEW-20: even if the viewed tensor has its own
      if (made.counter == source.counter && counter >= 0) made.counter = counter;
      made.meta.counted = made.counter >= 0;
      if (made.meta.counted.v) made.recorded_at = version_of(state_, made);
    }
    return results;
  }

  const Judge& judge_;
  State& state_;
  OpId id_;
  const Op& op_;
  Arguments arguments_;
  std::vector<Placed> operands_;
  std::vector<KernelRun>& kernels_;
  const transforms::Mapping* mapping_;  ///< of a mapped call, or null
  std::optional<std::int64_t> counts_;  ///< Effect::counts
  machine::Ran<Concrete> ran_;
  Backend device_ = Backend::CPU;     ///< of new results
  std::optional<Failure> misplaced_;  ///< a tensor is on a device where it must not be
  std::vector<TensorId> results_;
  std::shared_ptr<const SchemaRecord> learned_;  ///< of an op by schema that is recorded
  std::vector<bool> needed_;                     ///< what its derivative needs, by number
};

}  // namespace

std::vector<TensorId> run_kernels(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                  std::vector<KernelRun>& kernels) {
  if (!state.levels.empty()) return transforms::dispatch(judge, state, op, values, kernels);
  return Dispatch(judge, state, op, values, kernels).run();
}

std::vector<TensorId> run_mapped(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                 const transforms::Mapping* mapping, std::vector<KernelRun>& kernels) {
  return Dispatch(judge, state, op, values, kernels, mapping).run();
}

}  // namespace plumbline::reference
