// Ops by schema with a meaning of their own: what each computes, told once for its functional, in-place and out= forms.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/kernels.h"
#include "reference/pointwise.h"

namespace plumbline::reference::everyday {

/// Thrown by a kernel for a call that it does not cover: a dtype that the op refuses, arguments that it checks. The
/// implementation's own run answers such a call, as it does for ops without a kernel.
struct NotCovered {};

/// Throws NotCovered unless `covered`.
inline void cover(bool covered) {
  if (!covered) throw NotCovered{};
}

/// Whose strides a pointwise op's new result follows.
enum class ResultLayout : std::uint8_t {
  operands,   ///< TensorIterator's: all operands', a number's as a tensor without dimensions
  tensors,    ///< the same, where the op hands TensorIterator no numbers
  self,       ///< empty_like's: the first operand's, even if it is contiguous
  row_major,  ///< none
};

/// A pointwise op's call, ready to compute.
struct Pointwise {
  std::vector<Input> inputs;                              ///< in the order in which PyTorch's TensorIterator has them
  Dtype common;                                           ///< the dtype in which they are read
  Dtype result;                                           ///< the dtype of what is computed
  std::function<Element(std::span<const Element>)> each;  ///< from the inputs' elements
  Dtype layout_type =
      common;  ///< an input of another dtype is first copied, densely, before the result follows its strides
  ResultLayout layout = ResultLayout::operands;
};

/// How the out= form of a pointwise op treats `out`.
enum class OutForm : std::uint8_t {
  converts,   ///< a TensorIterator that converts the result
  exact,      ///< a TensorIterator that requires the result's dtype
  generated,  ///< torchgen's: the functional op, and a copy to an out of the same dtype, resized to row-major strides
};

/// A functional pointwise op, "lt.Tensor": its in-place and out= forms compute the same. `prepare` may raise errors,
/// and throws NotCovered.
struct PointwiseForm {
  std::string_view name;
  std::function<Pointwise(const KernelCall&)> prepare;
  OutForm out = OutForm::converts;
  bool checks_overlap = true;  ///< a write in place that meets itself or an input is an error
  bool complex = false;        ///< it covers complex elements
};
/// Another functional op, which makes whole results. Its in-place and out= forms are covered where they write memory
/// that no argument sees, of the result's dtype and, in place, of its sizes.
struct WholeForm {
  std::string_view name;
  Effect (*make)(const KernelCall&);
  bool out_follows = false;  ///< an `out` that is resized gets the strides of the result, not row-major ones
};

std::vector<PointwiseForm> rounding_forms();
std::vector<PointwiseForm> function_forms();
std::vector<PointwiseForm> activation_forms();
std::vector<PointwiseForm> comparison_forms();
std::vector<PointwiseForm> logic_forms();
std::vector<PointwiseForm> extreme_forms();
std::vector<PointwiseForm> arithmetic_forms();
std::vector<PointwiseForm> division_forms();
std::vector<PointwiseForm> power_forms();
std::vector<PointwiseForm> mixture_forms();
std::vector<WholeForm> move_forms();
std::vector<WholeForm> fill_forms();
std::vector<WholeForm> reduction_forms();

}  // namespace plumbline::reference::everyday
