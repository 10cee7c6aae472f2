// The gradients of one node's inputs as tensors: which are passed on, and how the others are laid out.
#include <algorithm>
#include <array>

#include "reference/call.h"
#include "reference/complex_gradients.h"
#include "reference/engine.h"
#include "reference/formula.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_grad.h"

namespace plumbline::reference {

namespace {

/// Whether the formula is zeros_like(grad) [tools/autograd/derivatives.yaml].
bool is_zeros_like(OpId op, std::size_t input) {
  if (op == OpId::threshold_backward) return input == 1;
  return op == OpId::fill__Scalar || op == OpId::zero_;
}
/// Whether the formula keeps the strides of a gradient without elements [aten/src/ATen/native/TensorShape.cpp,
/// clone_preserve_strides].
bool is_scattered(OpId op, std::size_t input) {
  return input == 0 && (op == OpId::select_scatter || op == OpId::slice_scatter || op == OpId::diagonal_scatter);
}

}  // namespace

std::optional<Sizes> Engine::copied_strides(const Node& node, std::size_t input,
                                            const std::optional<Carried>& gradient) const {
  if (node.kind != Node::Kind::op || !gradient || gradient->tensor == kNoTensor) return std::nullopt;
  const Geometry& geometry = at(state_, gradient->tensor).geometry;
  if (is_zeros_like(node.op, input)) {
    const Sizes strides = converted_strides(geometry);
    return strides == row_major(sizes_of(geometry)) ? Sizes() : strides;
  }
  const bool kept = is_scattered(node.op, input) && element_count(sizes_of(geometry)) == 0;
  return kept ? std::optional(strides_of(geometry)) : std::nullopt;
}

/// as_strided_scatter's window sees the gradient's memory, whatever the result's strides were (AUT-59). Where the
/// window has a place twice, the gradient of src stays unspecified.
void Engine::see_source(std::vector<Gradient>& gradients, const std::vector<TensorId>& tensors) const {
  constexpr std::size_t kSource = 1;
  if (tensors[kSource] == kNoTensor || !gradients[kSource]) return;
  const std::vector<Element> seen = elements_of(state_, at(state_, tensors[kSource]));
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (Element& element = (*gradients[kSource])[i]; element.known) element = seen[i];
}

/// The tensors of the gradients of an op's inputs, if its derivative passes its gradient on as the same tensor or a
/// view.
std::vector<TensorId> Engine::passed_on(NodeId id, const Node& node, const std::vector<std::optional<Carried>>& given) {
  std::vector<TensorId> tensors(node.inputs.size(), kNoTensor);
  if (node.kind == Node::Kind::op && (node.op == OpId::unbind_int || node.op == OpId::unbind_copy_int)) {
    std::vector<TensorId> all;  // stack() may return a view of what it made
    for (std::size_t k = 0; k < given.size(); ++k) {
      const Node::Output& output = node.outputs[k];
      all.push_back(given[k] ? gradients_.tensor_of(*given[k], output.sizes, output.dtype) : kNoTensor);
    }
    return formula_gradients(judge_, state_, id, all, {true});
  }
  if (node.kind != Node::Kind::op || given.size() != 1) return tensors;
  if (given[0]->tensor == kNoTensor && !given[0]->laid_out) return tensors;
  const TensorId gradient = gradients_.tensor_of(*given[0], node.outputs[0].sizes, node.outputs[0].dtype);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i].edge.goes()) tensors[i] = passed_gradient(judge_, state_, node, i, gradient).value_or(kNoTensor);
  return tensors;
}

/// t() of what mm computes.
TensorId Engine::turned(const Node::Input& factor, const std::vector<Element>& gradient) {
  const Sizes sizes = sizes_of(factor.geometry);
  const auto rows = static_cast<std::size_t>(sizes[0]), columns = static_cast<std::size_t>(sizes[1]);
  std::vector<Element> product;
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) product.push_back(gradient[row * columns + column]);
  const std::array made{gradients_.fresh({sizes[1], sizes[0]}, factor.dtype, std::move(product))};
  return dispatch_on(judge_, state_, OpId::t, made, {}).front();
}

/// The sum of a gradient along the dimensions that broadcasting added: a view of what was summed.
TensorId Engine::summed_view(const Node& node, std::size_t input, const std::vector<Element>& gradient) {
  return view_of_sum(node.outputs.front().sizes.size(), sizes_of(node.inputs[input].geometry), node.inputs[input].dtype,
                     gradient);
}
TensorId Engine::view_of_sum(std::size_t rank, const Sizes& sizes, Dtype dtype, const std::vector<Element>& sum) {
  if (sizes.empty() || rank <= sizes.size()) return kNoTensor;
  Sizes kept(rank - sizes.size(), 1);
  kept.insert(kept.end(), sizes.begin(), sizes.end());
  const std::array made{gradients_.fresh(kept, dtype, sum)};
  return dispatch_on(judge_, state_, OpId::view, made, {sizes}).front();
}

/// Of real and imag, the gradient as a view of new memory of parts; of others, the real part of a complex gradient that
/// a formula computes for a real input.
TensorId Engine::parts_view(const Node& node, std::size_t input, const std::vector<Element>& gradient) {
  const Node::Output& output = node.outputs.front();
  if (node.kind == Node::Kind::op && (node.op == OpId::real || node.op == OpId::imag)) {
    Sizes sizes = output.sizes;
    sizes.push_back(2);
    const bool conjugate = node.inputs[input].conjugate;  // it was resolved, as a view, before it was cut
    const std::array parts{gradients_.fresh(sizes, output.dtype, interleaved(gradient, conjugate))};
    const std::array whole{dispatch_on(judge_, state_, OpId::view_as_complex, parts, {}).front()};
    return conjugate ? dispatch_on(judge_, state_, OpId::conj, whole, {}).front() : whole.front();
  }
  const bool summed = sizes_of(node.inputs[input].geometry) != output.sizes;  // after that, in a new tensor
  if (!takes_real_part(node, input) || summed) return kNoTensor;
  std::vector<Element> whole;
  for (const Element& real : gradient) whole.push_back(joined(real, Element{}));
  const std::array made{gradients_.fresh(output.sizes, output.dtype, std::move(whole))};
  return dispatch_on(judge_, state_, OpId::real, made, {}).front();
}

/// A leaf's AccumulateGrad keeps the sizes that the leaf had when it was made, as long as a graph holds it.
void Engine::refuse_resized_leaf(const Node::Input& input) const {
  for (const Node& node : state_.nodes)
    for (const Node::Input& other : node.inputs)
      if (other.edge.node == kNoNode && other.edge.leaf == input.edge.leaf &&
          sizes_of(other.geometry) != sizes_of(input.geometry))
        throw ReferenceLimit("the gradient of a leaf that was recorded in two sizes");
}

/// The gradient in the sizes that its tensor had when it was recorded; its data may have been exchanged since then.
Carried Engine::as_recorded(const Node::Input& input, std::size_t number, Carried gradient) {
  if (gradient.tensor != kNoTensor) {
    const Tensor& tensor = at(state_, gradient.tensor);
    if (tensor.dtype != input.dtype || sizes_of(tensor.geometry) != sizes_of(input.geometry)) {
      const bool converts = sizes_of(tensor.geometry) == sizes_of(input.geometry);  // its dtype alone differs
      gradient.laid_out = converts || is_plain(tensor.geometry);
      if (converts) gradient.strides = converted_strides(tensor.geometry);
      const auto rank = static_cast<std::size_t>(tensor.geometry.rank());
      gradient.tensor = tensor.dtype != input.dtype
                            ? kNoTensor
                            : view_of_sum(rank, sizes_of(input.geometry), input.dtype, gradient.elements);
    }
  }
  if (input.edge.node == kNoNode) {
    refuse_resized_leaf(input);
    return gradient;
  }
  const auto& output = node_at(input.edge.node).outputs[static_cast<std::size_t>(input.edge.output)];
  if (sizes_of(input.geometry) == output.sizes) return gradient;
  Tensor given;
  given.geometry = input.geometry;
  given.dtype = input.dtype;
  const bool plain = gradients_.is_plain(gradient);
  std::vector<Element> sum = *fitted(judge_, "…", number, given, std::move(gradient.elements), output.sizes);
  const auto rank = static_cast<std::size_t>(given.geometry.rank());
  const TensorId view = output.dtype != input.dtype ? kNoTensor : view_of_sum(rank, output.sizes, output.dtype, sum);
  return {std::move(sum), view, {}, plain};
}

}  // namespace plumbline::reference
