// What an op checks before it gives `out` its sizes, and how it writes it.
#include "optimized/cpu/outs.h"

#include <algorithm>
#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

const char* type_name(Dtype dtype) {
  constexpr std::array<const char*, 5> names{"float", "double", "long int", "int", "bool"};
  return names.at(static_cast<std::size_t>(dtype));
}

void check_out_dtype(const Tensor& out, Dtype result) {
  if (out.dtype() != result)
    raise_saying(ErrorClass::dtype_cast, std::string("Expected out tensor to have dtype ") + type_name(result) +
                                             ", but got " + type_name(out.dtype()) + " instead");
}

namespace {

void check_shares_nothing(const Tensor& out, const Tensor& resized, std::initializer_list<TensorList> inputs) {
  check_internal_overlap(resized);
  for (const TensorList list : inputs)
    for (const Tensor& input : list) {
      if (input.is_same(out)) raise(ErrorClass::overlap_partial);
      check_overlap(resized, input);
    }
}

}  // namespace

void check_out_overlap(const Tensor& out, IntList sizes, IntList strides, std::initializer_list<TensorList> inputs) {
  if (std::ranges::equal(out.sizes(), sizes)) return check_shares_nothing(out, out, inputs);
  const DimVector laid = strides.empty() ? row_major_strides(sizes) : DimVector(strides);
  check_shares_nothing(out, alias_of(out, sizes, laid, out.offset()), inputs);
}

void raise_no_kernel(const char* kernel, Dtype dtype) { raise(ErrorClass::dtype_op, {kernel, scalar_name(dtype)}); }

void store_result(const Tensor& result, const Tensor& out) {
  resize_output(out, result.sizes(), result.strides());
  copy_elements(out.sizes(), Operand::of(out), Operand::of(result));
}

}  // namespace plumbline::optimized
