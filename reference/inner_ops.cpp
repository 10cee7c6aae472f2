// The effects of the ops that a kernel calls on its result.
#include "reference/inner_ops.h"

#include <algorithm>
#include <array>

#include "reference/call.h"
#include "reference/graph.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "reference/world.h"
#include "spec/machine/saving.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut.h"
#include "spec/rules/geo_copy.h"
#include "spec/rules/ver.h"
#include "spec/rules/view.h"

namespace plumbline::reference {

namespace {

class InnerOps {
 public:
  InnerOps(const Judge& judge, State& state, const Arguments& arguments, std::vector<TensorId>& results,
           const transforms::Mapping* mapping = nullptr)
      : judge_(judge), state_(state), arguments_(arguments), results_(results), mapping_(mapping) {}

  void before(OpId op) {
    switch (op) {
      case OpId::mv:  // addmv_ on a new tensor
        return refuse(argument(0).geometry.rank() > 0 && (requires_grad(0) || requires_grad(1)));
      case OpId::masked_fill_Scalar:  // in place on a clone; a broadcast self is a view that does not require grad
        return refuse(requires_grad(0) && stays_as_large());
      case OpId::index_fill_int_Scalar:
        return refuse(requires_grad(0));
      case OpId::_softmax:  // view of a tensor without dimensions
        return check_counter();
      case OpId::stack:
        return check_unsqueezed();
      case OpId::index_select:  // select, if there is more than one dimension
        return check_inner_view(argument(0).geometry.rank() > 1 && has_elements(0) && has_elements(2));
      default:
        return;
    }
  }

  void of(OpId op) {
    if (copied_view(op)) check_inner_view(true);
    switch (op) {
      case OpId::argmax:  // reshape
        return check_inner_view(!arguments_.optional_integer(1));
      case OpId::clone:
      case OpId::_to_copy:
        return copy(op);
      case OpId::addmm:
        return addmm();
      case OpId::mean:
      case OpId::mean_dim:  // sum.out
        if (recorded(requires_grad(0))) raise_class(ErrorClass::out_requires_grad, {"sum"});
        return;
      case OpId::max_dim:
      case OpId::aminmax:  // fill_, if there is nothing to compare
        return filled(op == OpId::aminmax ? 2 : 1);
      case OpId::stack:
        return stack();
      case OpId::as_strided_scatter:
        return scatter(OpId::as_strided);
      case OpId::diagonal_scatter:
        return scatter(OpId::diagonal);
      case OpId::select_scatter:
        return scatter(OpId::select_int);
      case OpId::slice_scatter:
        return scatter(OpId::slice_Tensor);
      default:
        return;
    }
  }

 private:
  void copy(OpId op) {
    World world(judge_, state_);
    if (machine::inner_copy(world, arguments_.tensor(0), is_inexact(result().dtype)).v) record(op, arguments_.values());
  }
  Tensor& result() { return state_.tensors[static_cast<std::size_t>(results_.front())]; }
  const Tensor& argument(std::size_t i) const { return state_.tensors[static_cast<std::size_t>(arguments_.tensor(i))]; }
  bool requires_grad(std::size_t i) const { return requires_grad_of(judge_, state_, arguments_.tensor(i)); }
  /// The dimensions of an argument in which its examples are; null: it has none.
  const transforms::Mapping::Dims* examples(std::size_t i) const {
    if (mapping_ == nullptr) return nullptr;
    const auto found = mapping_->dims.find(std::get<Slot>(arguments_.values()[i]));
    return found == mapping_->dims.end() ? nullptr : &found->second;
  }
  /// The sizes of an argument, or of one example.
  Sizes sizes_of_one(std::size_t i) const {
    const Sizes whole = sizes_of(argument(i).geometry);
    const transforms::Mapping::Dims* dims = examples(i);
    Sizes sizes;
    for (std::size_t dim = 0; dim < whole.size(); ++dim)
      if (dims == nullptr || std::ranges::find(*dims, std::optional(dim)) == dims->end()) sizes.push_back(whole[dim]);
    return sizes;
  }
  /// Whether self has the sizes that it is broadcast to.
  bool stays_as_large() const {
    const transforms::Mapping::Dims* dims = examples(0);
    const bool all = mapping_ == nullptr ||
                     (dims != nullptr && std::ranges::find(*dims, std::optional<std::size_t>()) == dims->end());
    const Sizes sizes = sizes_of_one(0);
    return broadcast_sizes(judge_, sizes_of_one(1), sizes) == sizes && all;
  }
  void refuse(bool saves) const {
    if (recorded(saves)) raise_class(ErrorClass::inference_saved);
  }
  void check_counter() const {
    if (argument(0).geometry.rank() != 0) return;
    World world(judge_, state_);
    machine::check_counter(world, arguments_.tensor(0));
  }
  /// Along a new last dimension, stack compares the sizes of each tensor and then makes its view, one after the other.
  void check_unsqueezed() const {
    const std::vector<TensorId> tensors = arguments_.tensors(0);
    const auto sizes = [&](TensorId id) { return sizes_of(at(state_, id).geometry); };
    if (tensors.empty()) return;
    const auto rank = static_cast<std::int64_t>(sizes(tensors.front()).size());
    if (const std::int64_t dim = arguments_.integer(1); dim != -1 && dim != rank) return;
    for (const TensorId id : tensors) {
      if (sizes(id) != sizes(tensors.front())) return;  // the kernel raises the error
      World world(judge_, state_);
      machine::check_inner_view(world, id, false);
    }
  }
  bool has_elements(std::size_t i) const { return element_count(sizes_of(argument(i).geometry)) != 0; }
  /// Whether the op copied what a tracked view op returned.
  bool copied_view(OpId id) const {
    if (!plumbline::op(id).name.ends_with("_copy") || id == OpId::_to_copy || id == OpId::detach_copy) return false;
    if (id == OpId::view_copy_dtype) return false;
    if (id != OpId::view_copy) return true;
    const Sizes have = sizes_of(argument(0).geometry);
    const Sizes sizes = whole_sizes(judge_, arguments_.integers(1), element_count(have));
    return view_strides(have, strides_of(argument(0).geometry), sizes).has_value();  // otherwise reshape copies
  }
  void check_inner_view(bool made, bool scatters = false) const {
    World world(judge_, state_);
    if (made) machine::check_inner_view(world, arguments_.tensor(0), scatters);
  }
  bool same_sizes() { return sizes_of(argument(0).geometry) == sizes_of(result().geometry); }
  bool recorded(bool source) const { return inner_op_recorded<Concrete>(judge_, source, state_.tls).v; }

  void record(OpId op, std::span<const Value> values, std::size_t i = 0) {
    const NodeId node = begin_node(judge_, state_, op, values, {arguments_.tensor(0)});
    set_gradient_edge(judge_, state_, results_[i], node, add_output(state_, node, results_[i]));
  }

  /// For a tensor without dimensions the result is filled with it.
  void filled(std::size_t results) {
    if (argument(0).geometry.rank() != 0 || !recorded(requires_grad(0))) return;
    if (results > 1 && !(arguments_.optional_integer(1) && aminmax_fills(judge_).v)) return;
    const Value filled[] = {arguments_.values().front(), None{}};
    for (std::size_t i = 0; i < results; ++i) record(OpId::clone, filled, i);
  }

  /// self is copied into the result, unless beta is 0. If there is nothing to multiply, the copy is scaled.
  void addmm() {
    const Operand beta = arguments_.number(3);
    if (beta.real == 0 && beta.integer == 0) return;
    if (!recorded(requires_grad(0) && same_sizes()) || element_count(sizes_of(result().geometry)) == 0) return;
    const Value copied[] = {arguments_.values().front(), None{}};
    record(OpId::clone, copied);
  }

  /// out.view(sizes), unless the new dimension is the last.
  void stack() {
    const Tensor first = state_.tensors[static_cast<std::size_t>(arguments_.tensors(0).front())];
    const auto rank = static_cast<std::int64_t>(first.geometry.rank());
    const std::int64_t given = arguments_.integer(1);
    const std::int64_t dim = given < 0 ? given + rank + 1 : given;
    if (!stack_gives_view<Concrete>(judge_, dim < rank).v) return;
    const Sizes sizes = sizes_of(result().geometry);
    Sizes joined = sizes;
    joined.erase(joined.begin() + dim);
    joined[static_cast<std::size_t>(dim)] *= sizes[static_cast<std::size_t>(dim)];
    Sizes strides = strides_of(result().geometry);
    strides.erase(strides.begin() + (sizes[static_cast<std::size_t>(dim) + 1] == 1 ? dim + 1 : dim));  // not that of 1
    result().geometry = geometry_of(joined, strides);
    results_ = dispatch_on(judge_, state_, OpId::view, results_, {sizes});
  }

  /// A copy of self with self's layout, with src copied into a view of it.
  void scatter(OpId view) {
    const bool repeats = overlap_facts(argument(0), {}, false).repeats.v;
    const bool cloned = !scatter_keeps_layout<Concrete>(judge_, repeats).v;
    check_inner_view(!cloned, true);
    if (cloned && recorded(requires_grad(0))) {
      const Value copied[] = {arguments_.values().front(), None{}};
      record(OpId::clone, copied);
    }
    if (scatter_gives_view<Concrete>(judge_, !cloned).v) {
      const Geometry seen = result().geometry;
      const Storage& whole = state_.storages[static_cast<std::size_t>(result().storage)];
      result().geometry = geometry_of({capacity(whole, result().dtype)}, {1});
      results_ =
          dispatch_on(judge_, state_, OpId::as_strided, results_, {sizes_of(seen), strides_of(seen), seen.offset.v});
    }
    if (!recorded((cloned && requires_grad(0)) || requires_grad(1))) return;
    const auto values = arguments_.values();
    const std::vector<TensorId> part =
        dispatch_on(judge_, state_, view, results_, std::vector<Value>(values.begin() + 2, values.end()));
    const std::array copied{part.front(), arguments_.tensor(1)};
    dispatch_on(judge_, state_, OpId::copy_, copied, {false});
  }

  const Judge& judge_;
  State& state_;
  const Arguments& arguments_;
  std::vector<TensorId>& results_;
  const transforms::Mapping* mapping_;  ///< of a mapped call, or null
};

}  // namespace

std::vector<TensorId> split_inside(const Judge& judge, State& state, const Arguments& arguments,
                                   const std::vector<Geometry>& pieces) {
  const Value self = arguments.values().front();
  const std::int64_t given = arguments.integer(2);
  std::vector<TensorId> results;
  std::vector<KernelRun> unseen;
  std::int64_t start = 0;
  for (const Geometry& piece : pieces) {
    const int dim = static_cast<int>(given < 0 ? given + piece.rank() : given);
    const std::int64_t end = start + piece.sizes[dim].v;
    const std::vector<Value> values{self, given, start, end, std::int64_t{1}};
    results.push_back(dispatch(judge, state, OpId::slice_Tensor, values, unseen).front());
    Tensor& made = state.tensors[static_cast<std::size_t>(results.back())];
    // each piece has its own version counter [aten/src/ATen/native/TensorShape.cpp, unsafe_split]
    if (made.counter >= 0) {
      made.recorded_free = state.counters[static_cast<std::size_t>(made.counter)].free_by != nullptr;
      state.counters.push_back({0});
      made.counter = static_cast<std::int32_t>(state.counters.size()) - 1;
    }
    start = end;
  }
  return results;
}

void check_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments,
                     const transforms::Mapping* mapping) {
  std::vector<TensorId> none;
  InnerOps(judge, state, arguments, none, mapping).before(op);
}

void call_inner_ops(const Judge& judge, State& state, OpId op, const Arguments& arguments,
                    std::vector<TensorId>& results) {
  InnerOps(judge, state, arguments, results).of(op);
}

}  // namespace plumbline::reference
