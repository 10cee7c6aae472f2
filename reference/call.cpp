// One call of an op, through the kernels that the key set selects: Autograd, ADInplaceOrView, the backend.
#include "reference/call.h"

#include "reference/bits.h"
#include "reference/by_schema.h"
#include "reference/by_schema_backward.h"
#include "reference/composite.h"
#include "reference/functionalized.h"
#include "reference/graph.h"
#include "reference/inner_ops.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

using Keys = KeySet<Concrete>;

/// One call on its way through the kernels.
class Dispatch {
 public:
  Dispatch(const Judge& judge, State& state, OpId id, std::span<const Value> values, std::vector<KernelRun>& kernels)
      : judge_(judge), state_(state), id_(id), op_(op(id)), arguments_(state, op_, values), kernels_(kernels) {
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      if (std::holds_alternative<None>(values[i])) continue;  // an optional tensor, or an optional list
      if (op_.arguments[i].type == ArgType::Tensor) operands_.push_back({i, arguments_.operand(i)});
      if (op_.arguments[i].type == ArgType::TensorList)
        for (const TensorId tensor : arguments_.tensors(i)) operands_.push_back({i, Operand{tensor}});
    }
  }

  /// Runs the kernels from the highest key down and returns the results.
  std::vector<TensorId> run() {
    Keys tensors;
    for (const auto& [place, operand] : operands_)
      tensors = join_keys(judge_, tensors, keys_of(judge_, state_, operand));
    if ((op_.composite && !op_.by_schema) || op_.aliases == Aliases::argument)
      (void)meaning(as_call());  // its own checks come before every kernel
    if (op_.by_schema) refuse_hidden_recording(as_call());
    const Keys keys = call_keys(judge_, tensors, state_.tls);
    need_everyday(state_, tensors, keys);
    return kernel(keys);
  }

 private:
  KernelCall as_call() const { return {judge_, state_, id_, arguments_}; }
  Tensor& tensor(TensorId id) const { return state_.tensors[static_cast<std::size_t>(id)]; }
  TensorId self() const { return operands_.front().operand.tensor; }
  bool writes() const { return written_argument(op_) >= 0; }
  TensorId written() const { return written_argument(op_) > 0 ? operands_.back().operand.tensor : self(); }
  /// The op's kind, which decides its kernels: detach_ has no ADInplaceOrView kernel, resize_ has one by VER-18.
  OpKind kernels_like() const {
    if (id_ == OpId::detach_) return OpKind::Functional;
    return id_ == OpId::resize_ && !resize_counts(judge_).v ? OpKind::Functional : op_.kind;
  }
  /// Not so for a view that autograd does not track: detach, and a view in another dtype.
  bool differentiable() const { return (op_.differentiable & 1U) != 0; }
  /// Whether plain runs say what is recorded; not so of the ops that see complex parts.
  bool learns() const { return op_.by_schema && !computes_complex(id_); }
  bool requires_grad(const Operand& operand) const {
    return !operand.is_number() && requires_grad_of(judge_, state_, operand.tensor);
  }
  bool inference(const Operand& operand) const {
    return !operand.is_number() && is_inference(judge_, tensor(operand.tensor).meta, state_.tls).v;
  }

  std::vector<TensorId> kernel(const Keys& keys) {
    const auto next = static_cast<Functionality>(next_kernel(judge_, keys, kernels_like()).v);
    const Keys below = keys_below(judge_, keys, next);
    if (next == Functionality::Dense && keys.has_any(Functionality::ADInplaceOrView).v)
      kernels_.push_back({Functionality::ADInplaceOrView, true});
    kernels_.push_back({next, false});
    if (next == Functionality::Autograd) return autograd(below);
    if (next == Functionality::ADInplaceOrView) return ad_inplace_or_view(below);
    return backend();
  }

  std::vector<TensorId> autograd(const Keys& below) {
    ran_autograd_ = true;
    check_arguments();
    if (op_.name == "detach") return kernel(below);  // not differentiable: its Autograd kernel records nothing
    if (id_ == OpId::detach_) {
      detach_inplace(judge_, state_, self());
      return {self()};
    }
    if (id_ == OpId::resize_) {
      raise_class(
          static_cast<ErrorClass>(check_resize<Concrete>(judge_, requires_grad(operands_[0].operand), state_.tls).v));
      return kernel(below);
    }
    Bool<Concrete> any = false;
    for (const auto& [place, operand] : operands_)
      if (op_.by_schema || has_derivative_by(op_.arguments[place])) any = any || Bool<Concrete>(requires_grad(operand));
    if (op_.kind == OpKind::Out) {
      const bool refuses = op_.by_schema ? refuses_gradients_by_schema(as_call(), any.v) : differentiable();
      raise_class(static_cast<ErrorClass>(check_out<Concrete>(judge_, any, refuses, state_.tls).v),
                  {std::string(op_.name)});
      return kernel(below);
    }
    if (any.v && state_.tls.grad_mode.v && learns() && has_complex(as_call()))
      refuse_by_schema(id_, "is recorded and takes complex numbers");
    const bool converts = id_ == OpId::_to_copy && arguments_.dtype(1) && !is_inexact(*arguments_.dtype(1));
    Bool<Concrete> recordable =
        records_result<Concrete>(judge_, (op_.differentiable != 0xfe || op_.results > 1) && !converts);
    if (writes()) recordable = write_recordable<Concrete>(judge_, is_inexact(tensor(self()).dtype), id_ == OpId::copy_);
    const bool asked = is_recorded(judge_, any, state_.tls).v;
    if (learns() && asked && (recordable.v || op_.composite)) learned_ = record_by_schema(as_call());
    const bool recorded = asked && recordable.v && (!learns() || learned_ != nullptr);
    if (writes()) check_inplace(judge_, state_, self(), recorded);
    if (recorded && recording_asks_history(judge_).v)
      for (const auto& [place, operand] : operands_)
        if (!operand.is_number() && has_derivative_by(op_.arguments[place]))
          ask_history(judge_, state_, operand.tensor);
    if (recorded) check_saves();
    const bool view_recorded = (is_view_recorded(judge_, any, state_.tls) && recordable).v;
    if (!(op_.kind == OpKind::View && !learns() ? view_recorded : recorded)) return kernel(below);
    const NodeId node = begin_node(judge_, state_, id_, arguments_.values(), tensors());
    state_.nodes.back().by_schema = learned_;
    std::vector<TensorId> results;
    try {
      pack_inputs(judge_, state_, node, operands_);
      results = kernel(below);
    } catch (...) {
      if (static_cast<std::size_t>(node) + 1 == state_.nodes.size()) state_.nodes.pop_back();
      throw;
    }
    record(results, node);
    return results;
  }

  void check_arguments() {
    Bool<Concrete> any = false, made_inside = false;
    for (const auto& [place, operand] : operands_) {
      any = any || Bool<Concrete>(inference(operand));
      if (operand.is_number()) continue;
      const Meta& meta = tensor(operand.tensor).meta;
      made_inside = made_inside || (meta.tracked && was_made_inside<Concrete>(meta.creation));
    }
    raise_class(static_cast<ErrorClass>(check_mixed<Concrete>(judge_, any, made_inside).v));
  }

  void check_saves() {
    if (id_ == OpId::aminmax && !aminmax_has_derivative(judge_).v) return;
    for (const Saves& saves : learned_ != nullptr ? learned_->saves : op_.saves) {
      if (saves.saved < 0 || saves.copy) continue;  // a result is saved after the op
      const Operand& saved = operand_at(saves.saved);
      const Operand& partner = operand_at(saves.when);
      const bool needed = saves_input<Concrete>(judge_, partner.is_number() ? Meta{} : tensor(partner.tensor).meta).v;
      if (is_guarded(op_, saves) && !needed) continue;
      raise_class(static_cast<ErrorClass>(check_save<Concrete>(judge_, inference(saved)).v));
      if (!saved.is_number()) check_saved_counter(judge_, state_, saved.tensor);
    }
  }

  const Operand& operand_at(std::int8_t place) const {
    for (const auto& placed : operands_)
      if (placed.place == static_cast<std::size_t>(place)) return placed.operand;
    throw std::logic_error("the op table's column `saves` names an argument that is not a tensor");
  }

  std::vector<TensorId> tensors() const {
    std::vector<TensorId> all;
    for (const auto& [place, operand] : operands_)
      if (!operand.is_number()) all.push_back(operand.tensor);
    return all;
  }

  /// Gives the results, or the written tensor, a history.
  void record(const std::vector<TensorId>& results, NodeId node) {
    if (writes()) {
      add_output(state_, node, self());
      rebase_history(judge_, state_, self(), node);
      save_for_backward(judge_, state_, node, operands_, {self()});
      return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const bool floating = is_inexact(tensor(results[i]).dtype);
      const bool asked = learned_ != nullptr ? learned_->differentiable.at(i)
                                             : op_.many_results || ((op_.differentiable >> i) & 1U) != 0;
      const bool recorded = records_result<Concrete>(judge_, asked && (floating || id_ != OpId::_to_copy)).v;
      const std::int32_t output = add_output(state_, node, results[i], recorded && floating);
      const bool same = op_.by_schema && op_.kind == OpKind::View && results[i] == self();  // reshape returns itself
      if (!recorded || same) continue;
      const auto error = static_cast<ErrorClass>(check_recorded_dtype<Concrete>(judge_, floating).v);
      if (error != ErrorClass::none) raise(error, "Autograd not support dtype: Long");
      if (floating) set_gradient_edge(judge_, state_, results[i], node, output);
    }
    save_for_backward(judge_, state_, node, operands_, results);
  }

  std::vector<TensorId> ad_inplace_or_view(const Keys& below) {
    if (op_.kind == OpKind::View) {
      in_view_kernel_ = true;
      const Bool<Concrete> below_autograd = ran_autograd_ || state_.tls.excluded.has_any(autograd_keys<Concrete>());
      const Bool<Concrete> views_inference = inference(operands_.front().operand);
      raise_class(static_cast<ErrorClass>(check_view_inference<Concrete>(judge_, views_inference, below_autograd).v));
      return kernel(below);
    }
    if (operands_.empty() || self() == kNoTensor) return kernel(below);  // reached only with KEY-08 flipped
    if (id_ == OpId::resize_ && sizes_of(tensor(self()).geometry) == arguments_.integers(1)) return kernel(below);
    const TensorId first = written();
    const bool before = checks_before_write(judge_).v;
    if (writes() && before) check_inference();
    std::vector<TensorId> results;
    try {
      results = kernel(below);
    } catch (const Raise&) {
      const std::int32_t counter = tensor(first).counter;
      if (counter >= 0) count_versions(judge_, state_, counter, version_step_on_error(judge_).v);
      throw;
    }
    if (writes() && !before) check_inference();
    const Tensor& changed = tensor(written());
    const std::int64_t step = version_step<Concrete>(judge_, element_count(sizes_of(changed.geometry)), state_.tls).v;
    if (changed.counter >= 0)
      for (std::int64_t i = counts_.value_or(1); i > 0; --i) count_versions(judge_, state_, changed.counter, step);
    return results;
  }

  void check_inference() {
    Bool<Concrete> operand_is = false;
    for (const auto& [place, operand] : operands_)
      if (static_cast<int>(place) != written_argument(op_))
        operand_is = operand_is || Bool<Concrete>(inference(operand));
    const auto error =
        static_cast<ErrorClass>(check_inplace_inference<Concrete>(judge_, tensor(written()).counter < 0, operand_is,
                                                                  op_.kind == OpKind::InplaceView, state_.tls)
                                    .v);
    if (error != ErrorClass::none && !checks_before_write(judge_).v && op_.by_schema && op_.composite)
      forget_elements(state_, written());  // one of the ops that it calls raised
    raise_class(error);
  }

  std::vector<TensorId> backend() {
    if (any_has_bits(state_, arguments_)) {
      const Restored slots(state_.slots);
      if (const auto resolved = resolve_bits(judge_, state_, id_, arguments_)) return below_fallback(*resolved);
    }
    if (!ran_autograd_) check_inner_ops(judge_, state_, id_, arguments_);
    Effect effect = meaning(as_call());
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

  /// The backend's kernel on copies without the bits Conjugate and Negative.
  std::vector<TensorId> below_fallback(const ResolvedCall& resolved) {
    Dispatch inner(judge_, state_, id_, resolved.values, kernels_);
    inner.ran_autograd_ = ran_autograd_;
    const std::vector<TensorId> results = inner.backend();
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
    if (effect.layout) changed.geometry = *effect.layout;
    if (effect.written) write_elements(state_, changed, *effect.written);
    if (effect.raises) throw Raise{*effect.raises};
  }

  std::vector<TensorId> fresh(const Effect& effect) {
    if (!ran_autograd_ && id_ == OpId::unsafe_split_Tensor && unsafe_pieces_tracked(judge_).v)
      return split_inside(judge_, state_, arguments_, effect.views);
    Bool<Concrete> any_inference = false;
    for (const auto& [place, operand] : operands_) any_inference = any_inference || Bool<Concrete>(inference(operand));
    const Keys bits = operands_.empty() || self() == kNoTensor ? Keys() : bits_of(tensor(self()));
    std::vector<TensorId> results;
    for (std::size_t i = 0; i < effect.fresh.size(); ++i) {
      const Fresh& one = effect.fresh[i];
      const bool shares = !effect.views.empty();
      const Bool<Concrete> bit = shares ? Bool<Concrete>(inference(operands_.front().operand))
                                        : result_inference(judge_, state_.tls, any_inference);
      Tensor result;
      result.meta.keys = tensor_keys(judge_, bit) | (shares ? view_bits(judge_, bits) : new_tensor_bits(judge_, bits));
      result.dtype = one.dtype;
      const bool owns = result_owns_storage(judge_).v || op_.name != "clone";
      result.geometry = shares ? effect.views[i]
                        : owns ? geometry_of(one.sizes, one.strides, one.offset)
                               : tensor(self()).geometry;
      result.storage = owns && !shares ? store(state_, one) : tensor(self()).storage;
      if (!shares && has_bits(result)) write_elements(state_, result, one.elements);
      const bool hides = ran_autograd_ && !(op_.by_schema && op_.composite);  // what a composite op calls may count
      const bool free = !shares && first_version_free<Concrete>(hides, state_.tls).v;
      if (fresh_counted(judge_, bit).v && (!free || free_version_counted(judge_).v))
        result.counter = result_counter(free);
      results.push_back(add(std::move(result)));
    }
    if (!ran_autograd_) call_inner_ops(judge_, state_, id_, arguments_, results);
    if (op_.by_schema && !ran_autograd_ && any_inference.v) hide_bases(as_call(), state_, results);
    return results;
  }

  std::int32_t result_counter(bool free) {
    const auto first = operands_.empty() || self() == kNoTensor ? std::int32_t{-1} : tensor(self()).counter;
    if (!result_owns_counter(judge_).v && first >= 0) return first;
    const std::int32_t counter = new_counter(0);
    if (free) state_.counters.back().free_by = &VER_10;
    return counter;
  }

  std::int32_t new_counter(std::int64_t version) {
    state_.counters.push_back({version});
    return static_cast<std::int32_t>(state_.counters.size()) - 1;
  }

  TensorId add(Tensor&& made) {
    made.meta.counted = made.counter >= 0;
    state_.tensors.push_back(std::move(made));
    return static_cast<TensorId>(state_.tensors.size()) - 1;
  }

  std::vector<TensorId> views(const Effect& effect) {
    std::vector<TensorId> results;
    if (effect.is_self) return {self()};
    for (const Geometry& geometry : effect.views) {
      Tensor view;
      const Tensor source = tensor(self());
      const Bool<Concrete> source_inference = is_inference(judge_, source.meta, state_.tls);
      const bool own_dtype = effect.view_dtype == source.dtype && own_dtype_is_self(judge_).v;
      if (own_dtype && (source_inference.v || !in_view_kernel_)) return {self()};
      view.geometry = geometry;
      view.dtype = effect.view_dtype.value_or(source.dtype);
      view.storage = source.storage;
      const Bool<Concrete> inference =
          view_inference(judge_, source_inference, state_.tls, id_ == OpId::view_dtype && !own_dtype);
      view.meta.keys = tensor_keys(judge_, inference) | effect.view_bits.value_or(view_bits(judge_, bits_of(source)));
      const bool detaches = op_.name == "detach" || !differentiable();
      const Bool<Concrete> asked =
          detaches ? detach_tracked(judge_, source_inference) : view_tracked(judge_, source_inference, state_.tls);
      view.counter = view_counter(source, source_inference.v, inference.v, op_.name == "detach");
      const Bool<Concrete> below = view_below_tracked<Concrete>(judge_, source_inference);
      if (in_view_kernel_ ? asked.v : below.v) track(view, source);
      if (detaches)
        view.meta.requires_grad = detach_requires_grad<Concrete>(judge_, requires_grad_of(judge_, state_, self()));
      results.push_back(add(std::move(view)));
    }
    return results;
  }

  void track(Tensor& view, const Tensor& source) {
    raise_class(static_cast<ErrorClass>(check_tracked_counter<Concrete>(judge_, source.meta.counted).v));
    view.meta.tracked = true;
    view.base = source.meta.tracked.v && base_is_root(judge_).v ? source.base : self();
    const std::int32_t counter = tensor(view.base).counter;  // VIEW-20: even if the viewed tensor has its own
    if (view.counter == source.counter && counter >= 0) view.counter = counter;
    const auto inherited =
        source.meta.tracked.v ? source.meta.creation : Choice<Concrete, CreationMeta>(CreationMeta::DEFAULT);
    view.meta.creation =
        creation_meta(judge_, inherited, op_.many_results && !(op_.by_schema && op_.composite), state_.tls);
    if (view.counter >= 0) view.recorded_at = version_of(state_, view);
  }

  std::int32_t view_counter(const Tensor& source, bool source_inference, bool inference, bool detaches) {
    if (source_inference || inference) {
      const bool makes = fresh_counted<Concrete>(judge_, inference).v ||
                         (source_inference && detaches && detach_makes_counter(judge_, state_.tls).v);
      return makes ? new_counter(0) : -1;
    }
    const Bool<Concrete> shares = !in_view_kernel_ ? view_below_shares_counter(judge_)
                                  : detaches       ? detach_shares_counter(judge_)
                                                   : view_shares_counter(judge_);
    return shares.v ? source.counter : new_counter(0);
  }

  const Judge& judge_;
  State& state_;
  OpId id_;
  const Op& op_;
  Arguments arguments_;
  std::vector<Placed> operands_;
  std::vector<KernelRun>& kernels_;
  std::optional<std::int64_t> counts_;  ///< Effect::counts
  bool in_view_kernel_ = false;
  bool ran_autograd_ = false;
  std::shared_ptr<const SchemaRecord> learned_;  ///< of an op by schema that is recorded
};

}  // namespace

std::vector<TensorId> run_kernels(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                  std::vector<KernelRun>& kernels) {
  return Dispatch(judge, state, op, values, kernels).run();
}

}  // namespace plumbline::reference
