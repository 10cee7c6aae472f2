// The derivatives of ops as PyTorch's formulas: ops on tensors, which autograd records if grad mode is on.
#include "reference/formula.h"

#include <algorithm>
#include <optional>

#include "reference/call.h"
#include "reference/complex_gradients.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "reference/transforms/examples.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

/// One evaluation of a node's formula.
class Formula {
 public:
  /// `examples`: of the node of a mapped op; then `node` is that of one example.
  Formula(const Judge& judge, State& state, NodeId id, Node node, const std::vector<TensorId>& given,
          const transforms::Examples* examples)
      : judge_(judge), state_(state), node_(std::move(node)), given_(given) {
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      const auto& saved = node_.inputs[i].saved;
      inputs_.push_back(saved ? unpacked(*saved, {}, -1) : kNoTensor);
      if (saved && examples != nullptr) inputs_.back() = examples->of_input(i, inputs_.back());
    }
    for (std::size_t k = 0; k < node_.outputs.size(); ++k)
      if (const auto& saved = node_.outputs[k].saved) {
        results_.push_back(unpacked(*saved, id, static_cast<std::int32_t>(k)));
        if (examples != nullptr) results_.back() = examples->of_output(results_.back());
      }
  }

  TensorId of(std::size_t input) {
    input_ = input;
    if (given_.size() == 1 && node_.op != OpId::_to_copy)
      if (const auto passed = passed_gradient(judge_, state_, node_, input, given_[0])) return *passed;
    return computed();
  }

 private:
  /// The tensor that was saved: an argument itself; a result as a new tensor object in its place
  /// [torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack].
  TensorId unpacked(const SavedTensor& saved, NodeId node, std::int32_t output) {
    if (saved.packed != kNoTensor) throw ReferenceLimit("create_graph=True through hooks of saved tensors");
    (void)unpack(judge_, state_, saved);
    if (saved.original) return saved.tensor;
    Tensor result;
    result.meta.keys = at(state_, saved.tensor).meta.keys;
    result.meta.counted = saved.counter >= 0;
    result.meta.has_grad_fn = true;
    result.geometry = saved.geometry;
    result.dtype = saved.dtype;
    result.device = at(state_, saved.tensor).device;
    result.storage = saved.storage;
    result.counter = saved.counter;
    result.node = node;
    result.output = output;
    state_.tensors.push_back(std::move(result));
    return static_cast<TensorId>(state_.tensors.size()) - 1;
  }

  /// An argument of the recorded call, as a tensor or as a Python number.
  Value argument(std::size_t place) {
    const Value& value = node_.values[place];
    const auto* slot = std::get_if<Slot>(&value);
    if (slot == nullptr) return value;
    const TensorId saved = inputs_[static_cast<std::size_t>(*slot)];
    if (saved == kNoTensor) throw ReferenceLimit("create_graph=True through an op that saves a copy of its argument");
    return name(saved);
  }
  /// A name for a tensor, until the formula ends.
  Slot name(TensorId tensor) {
    state_.slots.push_back(tensor);
    return static_cast<Slot>(state_.slots.size() - 1);
  }
  TensorId call(OpId op, const std::vector<Value>& values) {
    std::vector<KernelRun> unseen;
    return dispatch(judge_, state_, op, values, unseen).front();
  }
  TensorId call(OpId op, TensorId tensor, std::vector<Value> more = {}) {
    return dispatch_on(judge_, state_, op, {{tensor}}, std::move(more)).front();
  }
  Value gradient() { return name(given_[0]); }
  Value result() { return name(results_.front()); }
  /// [torch/csrc/autograd/FunctionsManual.cpp, maybe_multiply]
  TensorId scaled(TensorId tensor, const Value& factor) {
    return is_one(factor) ? tensor : call(OpId::mul_Tensor, tensor, {factor});
  }
  Sizes sizes(std::size_t input) const { return sizes_of(node_.inputs[input].geometry); }
  Sizes sizes() const { return sizes(input_); }
  TensorId zeros_of(const Sizes& sizes, Dtype dtype) {
    return make_tensor(
        judge_, state_,
        {sizes, row_major(sizes), dtype, std::vector<Element>(static_cast<std::size_t>(element_count(sizes)))}, false);
  }
  TensorId zeros_like_gradient() { return call(OpId::zeros_like, given_[0], {None{}, None{}, None{}, None{}, None{}}); }

  TensorId computed() {
    switch (node_.op) {
      case OpId::add_Tensor:
      case OpId::add__Tensor:
        return scaled(given_[0], node_.values[2]);
      case OpId::sub_Tensor:
      case OpId::sub__Tensor:
        return scaled(call(OpId::neg, given_[0]), node_.values[2]);
      case OpId::mul_Tensor:
      case OpId::mul__Tensor:
        return call(OpId::mul_Tensor, {gradient(), argument(place_of_input() == 0 ? 1 : 0)});
      case OpId::div_Tensor:
      case OpId::div__Tensor:
        return quotient();
      case OpId::neg:
      case OpId::neg_:
        return call(OpId::neg, given_[0]);
      case OpId::exp:
      case OpId::exp_:
        return call(OpId::mul_Tensor, {gradient(), result()});
      case OpId::sqrt:
      case OpId::sqrt_: {
        const TensorId twice = call(OpId::mul_Tensor, {result(), std::int64_t{2}});
        return call(OpId::div_Tensor, {gradient(), name(twice)});
      }
      case OpId::relu:
      case OpId::relu_:
        return call(OpId::threshold_backward, {gradient(), result(), std::int64_t{0}});
      case OpId::tanh:
      case OpId::tanh_:
        return call(OpId::tanh_backward, {gradient(), result()});
      case OpId::threshold_backward:
        if (input_ == 1) return zeros_like_gradient();
        return call(OpId::threshold_backward, {gradient(), argument(1), node_.values[2]});
      case OpId::tanh_backward: {
        if (input_ == 0) return call(OpId::tanh_backward, {gradient(), argument(1)});
        const TensorId twice = call(OpId::mul_Tensor, {argument(1), std::int64_t{-2}});
        const TensorId slope = call(OpId::mul_Tensor, {name(twice), argument(0)});
        return call(OpId::mul_Tensor, {gradient(), name(slope)});
      }
      case OpId::where_self: {
        const bool first = place_of_input() == 1;
        return call(OpId::where_self, {argument(0), first ? gradient() : Value(std::int64_t{0}),
                                       first ? Value(std::int64_t{0}) : gradient()});
      }
      case OpId::masked_fill_Scalar:
      case OpId::masked_fill__Scalar:
        return call(OpId::masked_fill_Scalar, {gradient(), argument(1), std::int64_t{0}});
      case OpId::index_fill_int_Scalar:
      case OpId::index_fill__int_Scalar:
        return call(OpId::index_fill_int_Scalar, {gradient(), node_.values[1], argument(2), std::int64_t{0}});
      case OpId::fill__Scalar:
      case OpId::zero_:
      case OpId::copy_:  // self; the gradient of src is passed on
        return zeros_like_gradient();
      case OpId::_to_copy:  // to() returns the tensor itself if there is nothing to convert
        return fitted_tensor(judge_, state_, given_[0], sizes(), node_.inputs[0].dtype, node_.inputs[0].device);
      default:
        return of_larger_op();
    }
  }

  TensorId of_larger_op() {
    switch (node_.op) {
      case OpId::mm:
        return factor(0, 1, std::int64_t{1});
      case OpId::addmm:
        return input_ == 0 ? scaled(given_[0], node_.values[3]) : factor(1, 2, node_.values[4]);
      case OpId::bmm: {
        const TensorId other =
            call(OpId::transpose_int, {argument(input_ == 0 ? 1 : 0), std::int64_t{1}, std::int64_t{2}});
        return input_ == 0 ? call(OpId::bmm, {gradient(), name(other)}) : call(OpId::bmm, {name(other), gradient()});
      }
      case OpId::dot:
        return call(OpId::mul_Tensor, {gradient(), argument(input_ == 0 ? 1 : 0)});
      case OpId::mv: {
        if (input_ == 1) return call(OpId::mv, {name(call(OpId::t, {argument(0)})), gradient()});
        const TensorId column = call(OpId::reshape, given_[0], {Sizes{sizes()[0], 1}});  // ger
        return call(OpId::mul_Tensor, {name(column), argument(1)});
      }
      case OpId::mean:
      case OpId::mean_dim:
        return mean();
      case OpId::split_Tensor:
      case OpId::split_copy_Tensor:
      case OpId::unsafe_split_Tensor:
      case OpId::split_with_sizes:
      case OpId::split_with_sizes_copy:
        return call(OpId::cat, {all_gradients(), node_.values[2]});
      case OpId::unbind_int:
      case OpId::unbind_copy_int:
        return call(OpId::stack, {all_gradients(), node_.values[1]});
      case OpId::cat:  // the gradient of an empty vector
        return zeros_of({0}, node_.outputs[0].dtype);
      default:
        return of_view();
    }
  }

  TensorId of_view() {
    switch (node_.op) {
      case OpId::expand:
      case OpId::expand_copy:
        if (sizes().empty()) return call(OpId::sum, given_[0], {None{}});
        return fitted_tensor(judge_, state_, given_[0], sizes(), node_.outputs[0].dtype);
      // select_backward() and similar formulas: the gradient as a part of zeros
      case OpId::select_int:
      case OpId::select_copy_int:
        return part_of_zeros(OpId::select_scatter);
      case OpId::slice_Tensor:
      case OpId::slice_copy_Tensor:
        return part_of_zeros(OpId::slice_scatter);
      case OpId::diagonal:
      case OpId::diagonal_copy:
        return part_of_zeros(OpId::diagonal_scatter);
      case OpId::select_scatter:
      case OpId::slice_scatter:
      case OpId::diagonal_scatter: {
        std::vector<Value> values{gradient(), name(zeros_of(sizes(1), node_.outputs[0].dtype))};
        values.insert(values.end(), node_.values.begin() + 2, node_.values.end());
        return call(node_.op, values);
      }
      default:
        throw ReferenceLimit("create_graph=True through " + std::string(op(node_.op).name));
    }
  }

  /// The place in the schema of the argument whose gradient is computed.
  std::size_t place_of_input() const {
    for (std::size_t i = 0; i < node_.values.size(); ++i)
      if (const auto* slot = std::get_if<Slot>(&node_.values[i]); slot && static_cast<std::size_t>(*slot) == input_)
        return i;
    throw std::logic_error("an input of a node that is no argument");
  }

  /// [torch/csrc/autograd/FunctionsManual.cpp, div_tensor_self_backward and div_tensor_other_backward]
  TensorId quotient() {
    if (place_of_input() == 0) return call(OpId::div_Tensor, {gradient(), argument(1)});
    const TensorId less = call(OpId::neg, given_[0]);
    const TensorId once = call(OpId::div_Tensor, {argument(0), argument(1)});
    const TensorId twice = call(OpId::div_Tensor, {name(once), argument(1)});
    return call(OpId::mul_Tensor, {name(less), name(twice)});
  }

  /// The gradient of one of two factors, inputs `first` and `second`; of a factor that is stored by columns, the
  /// transpose of what `computed_strides` lays out by rows.
  TensorId factor(std::size_t first, std::size_t second, const Value& alpha) {
    const bool is_first = input_ == first;
    const Value other = argument(is_first ? second : first);
    if (!computed_strides(node_, input_)->empty()) {
      const Value turned = name(call(OpId::t, given_[0]));
      const TensorId product = is_first ? call(OpId::mm, {other, turned}) : call(OpId::mm, {turned, other});
      return scaled(call(OpId::t, product), alpha);
    }
    const Value turned = name(call(OpId::t, {other}));
    return scaled(is_first ? call(OpId::mm, {gradient(), turned}) : call(OpId::mm, {turned, gradient()}), alpha);
  }

  /// A sum's gradient, divided by the number of elements [FunctionsManual.cpp, mean_backward].
  TensorId mean() {
    std::int64_t count = element_count(sizes());
    Node sum = node_;
    sum.op = OpId::sum;
    if (node_.op == OpId::mean_dim) {
      Sizes dims;
      if (const auto* one = std::get_if<std::int64_t>(&node_.values[1])) dims = {*one};
      if (const auto* many = std::get_if<Sizes>(&node_.values[1])) dims = *many;
      if (!dims.empty()) {
        sum.op = OpId::sum_dim_IntList;
        const auto rank = static_cast<std::int64_t>(sizes().size());
        count = 1;
        for (const std::int64_t dim : dims)
          if (rank > 0) count *= sizes()[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)];
      }
    }
    const auto spread = passed_gradient(judge_, state_, sum, 0, given_[0]);
    return call(OpId::div_Tensor, *spread, {count});
  }

  /// The gradients of all results, with zeros for those that are missing.
  Value all_gradients() {
    std::vector<Slot> all;
    for (std::size_t k = 0; k < node_.outputs.size(); ++k) {
      const bool missing = k >= given_.size() || given_[k] == kNoTensor;
      all.push_back(name(missing ? zeros_of(node_.outputs[k].sizes, node_.outputs[k].dtype) : given_[k]));
    }
    return all;
  }

  TensorId part_of_zeros(OpId scatter) {
    std::vector<Value> values{name(zeros_of(sizes(), node_.outputs[0].dtype)), gradient()};
    values.insert(values.end(), node_.values.begin() + 1, node_.values.end());
    const TensorId made = call(scatter, values);
    // PyTorch's op has the gradient alone: if that is an inference tensor, the call has no key of autograd, and the
    // writes inside count [aten/src/ATen/native/TensorShape.cpp, slice_backward].
    if (is_inference_tensor(judge_, state_, given_[0])) free_version_of_inner_ops(state_, at(state_, made).counter);
    return made;
  }

  const Judge& judge_;
  State& state_;
  const Node node_;  ///< a copy: the formula records more nodes
  const std::vector<TensorId>& given_;
  std::vector<TensorId> inputs_;   ///< those that were saved
  std::vector<TensorId> results_;  ///< those that were saved
  std::size_t input_ = 0;
};

/// Of the node of a mapped op: the formula for one example, mapped over all.
std::vector<TensorId> mapped_gradients(const Judge& judge, State& state, NodeId id, const std::vector<TensorId>& given,
                                       const std::vector<bool>& wanted) {
  const Node node = state.nodes[static_cast<std::size_t>(id)];
  transforms::Examples examples(state, node);
  const Node one = examples.node();
  std::vector<TensorId> seen;
  for (std::size_t k = 0; k < given.size(); ++k)
    seen.push_back(given[k] == kNoTensor ? kNoTensor : examples.of_output(given[k]));
  Formula formula(judge, state, id, one, seen, &examples);
  std::vector<std::optional<transforms::Whole>> found;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto& gradient = found.emplace_back();
    if (!wanted[i]) continue;
    const TensorId made = formula.of(i);
    const Sizes sizes = sizes_of(one.inputs[i].geometry);
    gradient = transforms::whole_of(state, fitted_tensor(judge, state, made, sizes, at(state, made).dtype));
  }
  examples.end();
  std::vector<TensorId> gradients;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    gradients.push_back(found[i] ? examples.gradient(judge, i, *found[i]) : kNoTensor);
  return gradients;
}

}  // namespace

std::vector<TensorId> formula_gradients(const Judge& judge, State& state, NodeId id, const std::vector<TensorId>& given,
                                        const std::vector<bool>& wanted) {
  if (state.tls.grad_mode.v) refuse_complex_formula(state.nodes[static_cast<std::size_t>(id)]);
  const Restored names(state.slots);
  if (state.nodes[static_cast<std::size_t>(id)].mapping) return mapped_gradients(judge, state, id, given, wanted);
  Formula formula(judge, state, id, state.nodes[static_cast<std::size_t>(id)], given, nullptr);
  std::vector<TensorId> gradients;
  for (std::size_t i = 0; i < wanted.size(); ++i) gradients.push_back(wanted[i] ? formula.of(i) : kNoTensor);
  return gradients;
}

TensorId fitted_tensor(const Judge& judge, State& state, TensorId gradient, const Sizes& sizes, Dtype dtype,
                       std::optional<Backend> device) {
  const Sizes own = sizes_of(at(state, gradient).geometry);
  TensorId fit = gradient;
  if (own != sizes && sizes.empty()) {
    fit = dispatch_on(judge, state, OpId::sum, {{fit}}, {None{}}).front();
  } else if (own != sizes) {
    Sizes dims;
    const std::size_t added = own.size() - sizes.size();
    for (std::size_t d = 0; d < own.size(); ++d)
      if (d < added || (sizes[d - added] == 1 && own[d] != 1)) dims.push_back(static_cast<std::int64_t>(d));
    fit = dispatch_on(judge, state, OpId::sum_dim_IntList, {{fit}}, {dims, true, None{}}).front();
    if (added > 0) fit = dispatch_on(judge, state, OpId::view, {{fit}}, {sizes}).front();
  }
  const bool moves = device && *device != at(state, fit).device;
  if (at(state, fit).dtype == dtype && !moves) return fit;
  const Value there = moves ? Value(std::string(*device == Backend::CPU ? kCpu : kTestDevice)) : Value(None{});
  return dispatch_on(judge, state, OpId::_to_copy, {{fit}}, {dtype, None{}, there, None{}, false, None{}}).front();
}

}  // namespace plumbline::reference
