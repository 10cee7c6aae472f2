// The node of a recorded call: its arguments, what it saved, and its derivative.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "optimized/autograd/history.h"
#include "optimized/autograd/locks.h"
#include "optimized/autograd/node.h"
#include "optimized/autograd/saved.h"
#include "optimized/cpu/layout.h"
#include "optimized/ops/boxed.h"
#include "spec/ops/op_ids.h"

namespace plumbline::optimized {

/// What a node keeps of a tensor argument besides the saved tensor: nothing, or its layout and dtype before the call.
enum class Keeps : std::uint8_t { nothing, layout };
/// Pointwise derivatives need no layout: for any node, what broadcasting repeated is summed.
template <class Op>
inline constexpr Keeps kKeeps = Keeps::layout;

/// An argument as its node keeps it: a number is kept unchanged.
template <Keeps keeps, class A>
struct Kept {
  explicit Kept(const A& argument) : value(argument) {}
  A value;
};
template <Keeps keeps>
struct Kept<keeps, IntList> {
  explicit Kept(IntList argument) : value(argument) {}
  DimVector value;
};
template <Keeps keeps>
struct Kept<keeps, std::optional<IntList>> {
  explicit Kept(const std::optional<IntList>& argument) {
    if (argument) value.emplace(*argument);
  }
  std::optional<DimVector> value;
};
template <>
struct Kept<Keeps::nothing, Tensor> {
  explicit Kept(const Tensor&) {}
  Saved saved;
};
template <>
struct Kept<Keeps::layout, Tensor> {
  explicit Kept(const Tensor& argument) : layout(Layout::of(argument)), dtype(argument.dtype()) {}
  Saved saved;
  Layout layout;
  Dtype dtype;
};
using KeptTensor = Kept<Keeps::layout, Tensor>;
template <>
struct Kept<Keeps::layout, TensorList> {
  explicit Kept(TensorList argument) {
    for (const Tensor& one : argument) all.emplace_back(one);
  }
  std::vector<KeptTensor> all;
};

/// Raises no_derivative if the op's derivative cannot be recorded, because it does not consist of calls of ops;
/// `needs_copy`: or because it uses a copy of an argument that was overwritten.
void check_recordable(OpId op, bool needs_copy);
[[noreturn]] void raise_unrecordable(const std::string& what);

/// What a node saved, unpacked for one run: the arguments by place, and the results.
struct SavedTensors {
  static constexpr std::size_t kArguments = 4;
  std::array<Tensor, kArguments> argument;
  std::array<Tensor, 2> result;
};

/// The shapes of an op's results: one, two, or as many as a list has.
template <class R>
struct ResultShapes {
  using type = std::array<OutputShape, std::is_same_v<R, Tensor> ? 1 : 2>;
};
template <>
struct ResultShapes<std::vector<Tensor>> {
  using type = std::vector<OutputShape>;
};

/// For a call of an op that takes `A…` and returns R: a Tensor, two of them, or a list.
template <Keeps keeps, class R, class... A>
class Recorded : public Node {
 public:
  /// The gradients for the edges, from those of the results; `saved` is what the op's column `saves` names.
  using Derivative = Tensors (*)(const Recorded& call, const SavedTensors& saved, const Tensors& gradients);
  /// One for each tensor argument (the last may be unused), or for each tensor of a list.
  using Edges = std::conditional_t<(... || std::is_same_v<A, TensorList>), std::vector<Edge>,
                                   std::array<Edge, (... + (std::is_same_v<A, Tensor> ? 1 : 0))>>;

  Recorded(OpId op, Derivative derivative, Edges to, std::size_t edges, const A&... arguments)
      : op_(op), derivative_(derivative), to_(std::move(to)), arguments_(Kept<keeps, A>(arguments)...) {
    edges_ = std::span(to_.data(), edges);
    outputs_ = shapes_;
  }

  std::string name() const override { return node_name(op_); }
  bool copies_to_devices() const override { return op_ == OpId::_to_copy || op_ == OpId::copy_; }

  template <std::size_t I>
  const auto& argument() const {
    return std::get<I>(arguments_);
  }
  template <std::size_t I>
  const auto& value() const {
    return std::get<I>(arguments_).value;
  }
  /// The sizes that a tensor argument had.
  template <std::size_t I>
  IntList sizes() const {
    return std::get<I>(arguments_).layout.sizes;
  }

  /// Says how many results a list has, before one is given this node for its history.
  void set_results(std::size_t results) {
    shapes_.resize(results);
    outputs_ = shapes_;
  }
  template <std::size_t I>
  void save_argument(const Tensor& tensor) {
    std::get<I>(arguments_).saved = Saved::argument(tensor);
  }
  void save_result(std::size_t result, Saved saved) { results_.at(result) = std::move(saved); }

  Tensors apply(const Tensors& gradients, Backward&) override {
    const SavedTensors saved = unpack();
    const auto goes = [](const Edge& edge) { return static_cast<bool>(edge); };
    if (thread_state().grad_mode && std::ranges::any_of(edges(), goes))
      check_recordable(op_, edges().size() > 1 && needs(1));
    const bool lacks_derivative = op_ == OpId::detach_copy || op_ == OpId::set__source_Tensor;
    for (const Tensor& gradient : gradients)
      if (gradient.defined() || lacks_derivative) {
        const DeviceGuard guard(gradient.defined() ? gradient.device() : thread_state().device);
        return derivative_(*this, saved, gradients);
      }
    return Tensors(edges().size());
  }

  void release_saved() override {
    SavedTensors released;  // ends when no lock is held
    const std::lock_guard lock(node_locks.of(this));
    each_saved(released, [](Saved& saved) { return saved.release(); });
  }

 private:
  SavedTensors unpack() {
    SavedTensors tensors;
    std::vector<Saved> copies;
    {
      const std::lock_guard lock(node_locks.of(this));
      if (!saved_hooks_were_used.load(std::memory_order_relaxed)) [[likely]] {
        each_saved(tensors, [this](const Saved& saved) { return saved.unpack(this); });
        return tensors;
      }
      each_saved(tensors, [&copies](const Saved& saved) { return copies.push_back(saved), Tensor(); });
    }
    auto next = copies.begin();  // hooks are called when no lock is held
    each_saved(tensors, [&](const Saved&) { return (next++)->unpack(this); });
    return tensors;
  }

  template <class Take>
  void each_saved(SavedTensors& tensors, const Take& take) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (..., take_argument<I>(tensors, take));
    }(std::index_sequence_for<A...>());
    for (std::size_t i = 0; i < results_.size(); ++i) tensors.result.at(i) = take(results_.at(i));
  }
  template <std::size_t I, class Take>
  void take_argument(SavedTensors& tensors, const Take& take) {
    if constexpr (std::is_same_v<std::tuple_element_t<I, std::tuple<A...>>, Tensor>) {
      static_assert(I < SavedTensors::kArguments);
      tensors.argument[I] = take(std::get<I>(arguments_).saved);
    }
  }

  OpId op_;
  Derivative derivative_;
  Edges to_;
  std::tuple<Kept<keeps, A>...> arguments_;
  typename ResultShapes<R>::type shapes_;
  std::array<Saved, 2> results_;
};

/// The node's class of an op.
template <class Op, class Function = typename Op::Function>
struct RecordedOf;
template <class Op, class R, class... A>
struct RecordedOf<Op, R(A...)> {
  using type = Recorded<kKeeps<Op>, std::remove_cvref_t<R>, std::remove_cvref_t<A>...>;
};
template <class Op>
using RecordedCall = typename RecordedOf<Op>::type;

}  // namespace plumbline::optimized
