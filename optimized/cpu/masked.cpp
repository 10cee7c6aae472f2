// Ops that choose by a mask.
#include "optimized/cpu/masked.h"

#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/elements/elements.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::masked {

namespace {

template <class T>
void choose_row(std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T yes = loaded<T>(data[2] + i * steps[2]);
    const T no = loaded<T>(data[3] + i * steps[3]);
    store(data[0] + i * steps[0], loaded<bool>(data[1] + i * steps[1]) ? yes : no);
  }
}

/// `value` where the mask is, in tensors that broadcast already.
void fill_where(const Tensor& self, const Tensor& mask, Scalar value) {
  const StridedLoop loop(self.sizes(), std::array{Operand::of(self), Operand::of(mask)});
  visit_dtype(self.dtype(), [&]<class T>(T) {
    const T filled = value.to<T>();
    loop.run([filled](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i)
        if (loaded<bool>(data[1] + i * steps[1])) store(data[0] + i * steps[0], filled);
    });
  });
}

void check_mask(const Tensor& mask) {
  if (mask.dtype() != Dtype::boolean)
    raise_saying(
        ErrorClass::dtype_mismatch,
        std::string("masked_fill_ only supports boolean masks, but got mask with dtype ") + type_name(mask.dtype()));
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  const Dtype dtype = result_type(self, other);
  if (condition.dtype() != Dtype::boolean)
    raise_saying(ErrorClass::dtype_mismatch,
                 std::string("where expected condition to be a boolean tensor, but got a tensor with dtype ") +
                     scalar_name(condition.dtype()));
  const DimVector sizes = broadcast_sizes(broadcast_sizes(condition.sizes(), self.sizes()), other.sizes());
  const Input yes(self, dtype);
  const Input no(other, dtype);
  const std::array inputs{Operand::of(condition), yes.operand(), no.operand()};
  Tensor out = empty_strided(sizes, result_strides(sizes, inputs), dtype);
  const StridedLoop loop(sizes, std::array{Operand::of(out), inputs[0], inputs[1], inputs[2]});
  visit_dtype(dtype, [&]<class T>(T) { loop.run(choose_row<T>); });
  return out;
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, Scalar value) {
  const DimVector sizes = broadcast_sizes(mask.sizes(), self.sizes());
  check_mask(mask);
  const Scalar filled = checked_number(value, self.dtype());
  Tensor out = empty_tensor(sizes, self.dtype());
  copy_elements(sizes, Operand::of(out), self.dtype(), Operand::of(self), self.dtype());
  fill_where(out, mask, filled);
  return out;
}

const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, Scalar value) {
  check_mask(mask);
  check_partial_overlap(self, mask);
  check_output_sizes(self.sizes(), broadcast_sizes(self.sizes(), mask.sizes()));
  fill_where(self, mask, checked_number(value, self.dtype()));
  return self;
}

}  // namespace plumbline::optimized::masked
