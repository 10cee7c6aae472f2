// The backend's kernels: what each op of the table means, as a pure function of its arguments.
#pragma once

#include <optional>
#include <vector>

#include "reference/arguments.h"
#include "reference/memory.h"

namespace plumbline::reference {

/// A result with storage of its own.
struct Fresh {
  Sizes sizes;
  Sizes strides;
  Dtype dtype;
  std::vector<Element> elements;  ///< in row-major order of the indices
};

/// What a call of an op does, before anything is done: views of its first argument, fresh results, or a change of its
/// first argument.
struct Effect {
  std::vector<Geometry> views;
  std::vector<Fresh> fresh;
  std::optional<std::vector<Element>> written;  ///< the first argument's elements, row-major
  std::optional<Geometry> layout;               ///< of an in-place view op: the first argument's new geometry
  TensorId source = kNoTensor;                  ///< of set_: whose storage the first argument takes
};

/// What the call means. Raises what the op raises; the state is only read.
Effect meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments);

/// The parts of `meaning`, by kind of op; `arguments` are of an op of that kind.
Effect factory_meaning(OpId op, const Arguments& arguments);
Effect view_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments);
Effect pointwise_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments);
Effect write_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments);
Effect reduction_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments);

/// The elements of a tensor in row-major order.
std::vector<Element> elements_of(const State& state, const Tensor& tensor);
/// `element`, of dtype `from`, as a `to`: rounded or truncated.
Element converted(const Element& element, Dtype from, Dtype to);
/// A number as an element of `dtype`.
Element element_of(const Operand& number, Dtype dtype);
/// "[2, 3]", as PyTorch prints sizes.
std::string printed(const Sizes& sizes);
/// The sizes that two sizes broadcast to; raises PyTorch's error where they do not.
Sizes broadcast_sizes(const Judge& judge, const Sizes& a, const Sizes& b);

}  // namespace plumbline::reference
