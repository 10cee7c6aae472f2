// The derivatives of PyTorch that pass their gradient on as the same tensor or a view of it (AUT-50, AUT-60).
#include "reference/passed_gradient.h"

#include <algorithm>
#include <numeric>

#include "reference/call.h"
#include "reference/formula.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_grad.h"

namespace plumbline::reference {

namespace {

/// One evaluation of a formula.
class Passing {
 public:
  Passing(const Judge& judge, State& state, const Node& node, std::size_t input, TensorId gradient)
      : judge_(judge), state_(state), node_(node), input_(input), gradient_(gradient) {}

  std::optional<TensorId> run() {
    const std::optional<TensorId> whole = passed();
    if (!whole || is_complex(input().dtype) || !is_complex(at(state_, *whole).dtype)) return whole;
    return dispatch_on(judge_, state_, OpId::real, {{*whole}}, {}).front();
  }

 private:
  std::optional<TensorId> passed() {
    switch (node_.op) {
      case OpId::alias:
      case OpId::alias_copy:
      case OpId::clone:
        return gradient_;
      case OpId::_to_copy:  // to() returns the tensor itself if there is nothing to convert
        return moved_back();
      case OpId::add_Tensor:
      case OpId::add__Tensor:
        return input_ == 0 || is_one(2) ? std::optional(gradient_) : std::nullopt;
      case OpId::sub_Tensor:
      case OpId::sub__Tensor:
        return input_ == 0 ? std::optional(gradient_) : std::nullopt;
      case OpId::addmm:
        return input_ == 0 && is_one(3) ? std::optional(gradient_) : std::nullopt;
      case OpId::copy_:
        return input_ == 1 ? std::optional(moved_back()) : std::nullopt;
      case OpId::expand:
      case OpId::expand_copy:
        // sum_to() sums everything if the result has no dimensions [aten/src/ATen/ExpandUtils.h]
        if (sizes().empty()) return std::nullopt;
        if (sizes_of(at(state_, gradient_).geometry) == sizes()) return gradient_;
        // and else returns a view of the sum if there are fewer dimensions
        if (sizes_of(at(state_, gradient_).geometry).size() == sizes().size()) return std::nullopt;
        return fitted_tensor(judge_, state_, gradient_, sizes(), node_.outputs[0].dtype);
      case OpId::sum:
        return by(OpId::expand, {sizes(), false});
      case OpId::sum_dim_IntList:
        return sum_along();
      case OpId::cat:
        return part_of_cat();
      case OpId::stack:
        return by(OpId::select_int, {node_.values[1], static_cast<std::int64_t>(input_)});
      default:
        return node_.op == OpId::select_scatter || node_.op == OpId::slice_scatter ||
                       node_.op == OpId::diagonal_scatter || node_.op == OpId::as_strided_scatter
                   ? part_of_scatter()
                   : through_view();
    }
  }

  /// The gradient on the device of what was copied.
  TensorId moved_back() {
    const Backend there = input().device;
    if (at(state_, gradient_).device == there) return gradient_;
    const std::string name(there == Backend::CPU ? kCpu : kTestDevice);
    return by(OpId::_to_copy, {None{}, None{}, name, None{}, false, None{}});
  }

  /// For ops that return a view or a copy of one.
  std::optional<TensorId> through_view() {
    switch (node_.op) {
      case OpId::view:
      case OpId::view_copy:
      case OpId::_unsafe_view:
        return by(OpId::reshape, {sizes()});
      case OpId::unsqueeze:
      case OpId::unsqueeze_:
      case OpId::unsqueeze_copy:
        return by(OpId::squeeze_dim, {node_.values[1]});
      case OpId::squeeze:
      case OpId::squeeze_:
      case OpId::squeeze_copy:
        return unsqueezed(sizes().size(), [](std::size_t) { return true; });
      case OpId::squeeze_dim:
      case OpId::squeeze__dim:
      case OpId::squeeze_copy_dim: {
        if (sizes().empty()) return gradient_;
        const std::size_t dim = wrapped(std::get<std::int64_t>(node_.values[1]));
        return unsqueezed(dim + 1, [&](std::size_t d) { return d == dim; });
      }
      case OpId::t:
      case OpId::t_:
      case OpId::t_copy:
        return by(OpId::t, {});
      case OpId::transpose_int:
      case OpId::transpose_:
      case OpId::transpose_copy_int:
        return by(OpId::transpose_int, {node_.values[1], node_.values[2]});
      case OpId::permute:
      case OpId::permute_copy:
        return permuted();
      case OpId::conj:
        return by(OpId::conj, {});
      case OpId::view_as_real:
        gradient_ = by(OpId::contiguous, {kContiguousFormat});
        return by(OpId::view_as_complex, {});
      case OpId::view_as_complex:
        gradient_ = by(OpId::contiguous, {kContiguousFormat});
        gradient_ = by(OpId::resolve_conj, {});
        return by(OpId::view_as_real, {});
      default:
        return std::nullopt;
    }
  }

  const Node::Input& input() const { return node_.inputs[input_]; }
  Sizes sizes() const { return sizes_of(input().geometry); }
  std::size_t wrapped(std::int64_t dim) const {
    return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(sizes().size()) : dim);
  }
  /// Whether a Scalar argument, which may be missing, is 1.
  bool is_one(std::size_t argument) const {
    return argument >= node_.values.size() || reference::is_one(node_.values[argument]);
  }
  TensorId by(OpId op, std::vector<Value> more) {
    return dispatch_on(judge_, state_, op, {{gradient_}}, std::move(more)).front();
  }

  /// unsqueeze at each dimension of size 1 below `end` that `which` names; the gradient itself if there is none.
  template <class Which>
  TensorId unsqueezed(std::size_t end, Which which) {
    TensorId result = gradient_;
    const Sizes own = sizes();
    for (std::size_t d = 0; d < end; ++d)
      if (own[d] == 1 && which(d))
        result = dispatch_on(judge_, state_, OpId::unsqueeze, {{result}}, {static_cast<std::int64_t>(d)}).front();
    return result;
  }

  TensorId permuted() {
    const auto& dims = std::get<Sizes>(node_.values[1]);
    Sizes back(dims.size());
    for (std::size_t d = 0; d < dims.size(); ++d) back[wrapped(dims[d])] = static_cast<std::int64_t>(d);
    return by(OpId::permute, {back});
  }

  TensorId sum_along() {
    const Value& dim = node_.values[1];
    Sizes dims;
    if (const auto* one = std::get_if<std::int64_t>(&dim)) dims = {*one};
    if (const auto* many = std::get_if<Sizes>(&dim)) dims = *many;
    const bool keeps = node_.values.size() > 2 && std::get<bool>(node_.values[2]);
    TensorId result = gradient_;
    if (!keeps && !sizes().empty()) {
      std::vector<bool> summed(sizes().size());
      for (const std::int64_t d : dims) summed[wrapped(d)] = true;
      for (std::size_t d = 0; d < summed.size(); ++d)
        if (summed[d])
          result = dispatch_on(judge_, state_, OpId::unsqueeze, {{result}}, {static_cast<std::int64_t>(d)}).front();
    }
    return dispatch_on(judge_, state_, OpId::expand, {{result}}, {sizes(), false}).front();
  }

  /// cat skips an empty vector, whose gradient is zeros.
  std::optional<TensorId> part_of_cat() {
    if (sizes() == Sizes{0}) return std::nullopt;
    const std::int64_t dim = std::get<std::int64_t>(node_.values[1]);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < input_; ++i)
      if (const Sizes before = sizes_of(node_.inputs[i].geometry); before != Sizes{0}) start += before.at(wrapped(dim));
    return by(OpId::narrow, {dim, start, sizes().at(wrapped(dim))});
  }

  /// The gradient of the inserted tensor is a view of the gradient.
  std::optional<TensorId> part_of_scatter() {
    const std::vector<Value> rest(node_.values.begin() + 2, node_.values.end());
    if (input_ == 0 && node_.op == OpId::as_strided_scatter && takes_window_for_granted()) look_through(rest);
    if (input_ != 1) return std::nullopt;
    switch (node_.op) {
      case OpId::select_scatter:
        return by(OpId::select_int, rest);
      case OpId::slice_scatter:
        return by(OpId::slice_Tensor, rest);
      case OpId::diagonal_scatter:
        return by(OpId::diagonal, rest);
      default:
        if (!sees_gradient()) return std::nullopt;
        gradient_ = by(OpId::contiguous, {kContiguousFormat});
        return by(OpId::as_strided, rest);
    }
  }

  /// Whether as_strided_scatter's window is applied to the gradient as it is (AUT-59).
  bool takes_window_for_granted() const {
    const auto how = static_cast<ScatterGradient>(scatter_gradient<Concrete>(judge_, true).v);
    return how == ScatterGradient::replaced_alone || how == ScatterGradient::replaced_and_unspecified;
  }

  /// The first argument's gradient is copied through as_strided of the gradient, which raises if the window is not in
  /// its memory, and through as_strided of zeros of the argument's sizes.
  void look_through(const std::vector<Value>& rest) {
    gradient_ = by(OpId::contiguous, {kContiguousFormat});
    by(OpId::as_strided, rest);
    const std::int64_t elements = element_count(sizes());
    if (std::ranges::any_of(scatter_window(node_), [&](std::int64_t place) { return place >= elements; }))
      throw ReferenceLimit("backward() through as_strided_scatter of a gradient in larger memory");
  }

  /// Whether as_strided_scatter's window sees in the gradient what it saw in the first argument's memory. PyTorch takes
  /// that for granted.
  bool sees_gradient() const {
    if (takes_window_for_granted()) return true;
    const Geometry& self = node_.inputs.front().geometry;
    const bool has_offset = std::holds_alternative<std::int64_t>(node_.values[4]);
    if (!is_row_major(sizes_of(self), strides_of(self)) || (has_offset && self.offset.v != 0)) return false;
    const std::int64_t elements = element_count(sizes_of(self));
    return std::ranges::all_of(scatter_window(node_), [&](std::int64_t place) { return place < elements; });
  }

  const Judge& judge_;
  State& state_;
  const Node& node_;
  std::size_t input_;
  TensorId gradient_;
};

}  // namespace

std::optional<TensorId> passed_gradient(const Judge& judge, State& state, const Node& node, std::size_t input,
                                        TensorId gradient) {
  return Passing(judge, state, node, input, gradient).run();
}

bool is_one(const Value& factor) {
  if (const auto* integer = std::get_if<std::int64_t>(&factor)) return *integer == 1;
  if (const auto* real = std::get_if<double>(&factor)) return *real == 1;
  const auto* truth = std::get_if<bool>(&factor);
  return truth != nullptr && *truth;
}

std::optional<Sizes> computed_strides(const Node& node, std::size_t input) {
  const bool is_factor = node.kind == Node::Kind::op && (node.op == OpId::mm || (node.op == OpId::addmm && input > 0));
  if (!is_factor) return std::nullopt;
  const Geometry& factor = node.inputs[input].geometry;
  const Sizes sizes = sizes_of(factor), strides = strides_of(factor);
  return strides[0] == 1 && strides[1] == sizes[0] ? Sizes{1, sizes[0]} : Sizes{};
}

bool is_scaled(const Node& node) { return node.op == OpId::addmm && !is_one(node.values[4]); }

std::vector<std::int64_t> scatter_window(const Node& node) {
  const auto* offset = std::get_if<std::int64_t>(&node.values[4]);
  return places_of(
      geometry_of(std::get<Sizes>(node.values[2]), std::get<Sizes>(node.values[3]), offset != nullptr ? *offset : 0));
}

bool adds_dimensions(const Node& node, std::size_t input) {
  if (node.kind != Node::Kind::op || node.outputs.size() != 1) return false;
  switch (node.op) {
    case OpId::add_Tensor:
    case OpId::add__Tensor:
    case OpId::sub_Tensor:
    case OpId::sub__Tensor:
    case OpId::mul_Tensor:
    case OpId::mul__Tensor:
    case OpId::div_Tensor:
    case OpId::div__Tensor:
    case OpId::where_self:
    case OpId::threshold_backward:
    case OpId::tanh_backward:
    case OpId::copy_: {
      const auto rank = static_cast<std::size_t>(node.inputs[input].geometry.rank());
      return rank > 0 && rank < node.outputs.front().sizes.size();
    }
    default:
      return false;
  }
}

bool obeys_layout_contract(const Geometry& gradient, const Geometry& leaf) {
  const Sizes sizes = sizes_of(gradient);
  const Sizes strides = strides_of(gradient);
  const Sizes wanted = strides_of(leaf);
  if (!is_dense(sizes_of(leaf), wanted)) return is_row_major(sizes, strides);
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1 ? strides[d] == 0 : strides[d] != wanted[d]) return false;
  return true;
}

}  // namespace plumbline::reference
