// Autograd's kernels: what is recorded of a call whose arguments require grad, generated from the op table.
#pragma once

#include <string>

#include "optimized/autograd/arguments.h"
#include "optimized/autograd/derivatives.h"
#include "optimized/autograd/inplace_kernels.h"
#include "optimized/autograd/recorded.h"

namespace plumbline::optimized {

template <class Op>
inline constexpr bool kWrites = Op::kind == OpKind::Inplace || Op::kind == OpKind::InplaceView;

/// Whether result `i` of the op, or any of a list, is recorded.
template <class Op>
constexpr bool is_differentiable_result(std::size_t i) {
  return ((Op::differentiable >> i) & 1) != 0;
}

/// Whether this call can be recorded at all, apart from what requires grad: not a copy into integers
/// [VariableTypeManual.cpp, copy_], and not a conversion to them [derivatives.yaml, _to_copy].
template <class Op, class... A>
bool is_recordable(const A&...) {
  return true;
}
template <>
inline bool is_recordable<op::copy_>(const Tensor& self, const Tensor&, const bool&) {
  return is_differentiable(self.dtype());
}
template <>
inline bool is_recordable<op::_to_copy>(const Tensor&, const std::optional<Dtype>& dtype,
                                        const std::optional<Enumerated>&, const std::optional<Enumerated>&,
                                        const std::optional<bool>&, const bool&, const std::optional<Enumerated>&) {
  return !dtype || is_differentiable(*dtype);
}

/// Records one call: what happens before the kernel runs, and what happens after it.
template <class Op, class R, class... A>
class Recording {
 public:
  using Call = RecordedCall<Op>;

  /// Raises the errors of reading the arguments' histories and of saving them.
  explicit Recording(const A&... arguments) {
    typename Call::Edges edges;
    std::size_t used = 0;
    (..., add_edges(edges, used, arguments));
    call_ = new Call(Op::id, kDerivative<Op>, std::move(edges), used, arguments...);
    node_ = Ref<Node>::adopt(call_);
    save_arguments(std::make_index_sequence<Op::saves.size()>(), arguments...);
  }

  void finish(const Tensor& result) {
    if constexpr (Op::kind == OpKind::Inplace || std::same_as<Op, op::set__source_Tensor>)
      rebase_history(result, node_);
    else
      set_history(result, node_);
    save_results(result);
  }
  void finish(const std::vector<Tensor>& results) {
    call_->set_results(results.size());
    for (std::size_t i = 0; i < results.size(); ++i) set_history(results[i], node_, static_cast<std::uint32_t>(i));
  }
  void finish(const std::tuple<Tensor, Tensor>& results) {
    set_history(std::get<0>(results), node_, 0);
    if constexpr (is_differentiable_result<Op>(1)) set_history(std::get<1>(results), node_, 1);
    save_results(std::get<0>(results), std::get<1>(results));
  }

 private:
  static constexpr plumbline::Op kTable = [] {
    plumbline::Op table{};
    table.saves = Op::saves;
    return table;
  }();

  template <class Edges, class Argument>
  void add_edges(Edges& edges, std::size_t& used, const Argument& argument) {
    const std::size_t at = argument_++;
    if (!Flow<Op>::to.at(at)) return;
    if constexpr (kIsTensor<Argument>) {
      edges.at(used++) = gradient_edge(argument);
    } else if constexpr (kIsTensorList<Argument>) {
      for (const Tensor& one : argument) edges.push_back(gradient_edge(one));
      used = edges.size();
    }
  }

  template <std::size_t... I>
  void save_arguments(std::index_sequence<I...>, const A&... arguments) {
    (..., save_argument<Op::saves[I].saved, I>(arguments...));
  }
  template <int Saved, std::size_t I>
  void save_argument(const A&... arguments) {
    if constexpr (Saved >= 0 && is_first(I)) {
      constexpr Saves saves = Op::saves[I];
      if (is_guarded(kTable, saves) && !node_->needs(Flow<Op>::edge_of(saves.when))) return;
      const Tensor& tensor = std::get<Saved>(std::tie(arguments...));
      call_->template save_argument<Saved>(saves.copy ? copy_of(tensor) : tensor);
    }
  }
  /// Whether no earlier save is of the same tensor.
  static constexpr bool is_first(std::size_t place) {
    for (std::size_t i = 0; i < place; ++i)
      if (Op::saves[i].saved == Op::saves[place].saved) return false;
    return true;
  }
  static Tensor copy_of(const Tensor& tensor) {
    const GradMode off(false);
    return clone(tensor);
  }

  template <class... Results>
  void save_results(const Results&... results) {
    for (const Saves& saves : Op::saves) {
      if (saves.saved >= 0) continue;
      const auto at = static_cast<std::size_t>(kSavesResult - saves.saved);
      const Tensor& result = *std::array{&results...}.at(at);
      call_->save_result(at, is_differentiable_result<Op>(at) ? Saved::result(result, at) : Saved::argument(result));
    }
  }

  std::size_t argument_ = 0;
  Call* call_ = nullptr;
  Ref<Node> node_;
};

template <class Op, class Function = typename Op::Function>
struct AutogradKernel;
template <class Op, class R, class... A>
struct AutogradKernel<Op, R(A...)> {
  static R run(const Operator& op, KeySet keys, A... arguments) {
    if (any_requires_grad<Op>(arguments...) && thread_state().grad_mode) [[unlikely]]
      return recorded(op, keys, arguments...);
    return redispatch<Op>(op, keys & kAfterAutograd, arguments...);
  }

  [[gnu::noinline]] static R recorded(const Operator& op, KeySet keys, A... arguments) {
    if constexpr (Op::kind == OpKind::Out) {
      raise(ErrorClass::out_requires_grad, {std::string(plumbline::op(Op::id).name)});
    } else {
      if (!is_recordable<Op>(arguments...)) return redispatch<Op>(op, keys & kAfterAutograd, arguments...);
      if constexpr (kWrites<Op>) check_inplace(written_of<Op>(arguments...));
      Recording<Op, R, std::remove_cvref_t<A>...> recording(arguments...);
      R result = redispatch<Op>(op, keys & kAfterAutograd, arguments...);
      recording.finish(result);
      return result;
    }
  }
};

/// For ops whose result is never recorded: they go on to the kernel below.
template <class Op, class Function = typename Op::Function>
struct PassingKernel;
template <class Op, class R, class... A>
struct PassingKernel<Op, R(A...)> {
  static R run(const Operator& op, KeySet keys, A... arguments) {
    return redispatch<Op>(op, keys & kAfterAutograd, arguments...);
  }
};

}  // namespace plumbline::optimized
