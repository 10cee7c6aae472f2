// Ops that choose by a mask.
#include "optimized/cpu/masked.h"

#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
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
  const Operand chosen_by = Operand::of(condition);
  Tensor out = empty_strided(sizes, result_strides(sizes, std::array{chosen_by, yes.laid_out(), no.laid_out()}), dtype);
  primitives().choose(sizes, Operand::of(out), chosen_by, yes.operand(), no.operand(), dtype);
  return out;
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, Scalar value) {
  const DimVector sizes = broadcast_sizes(mask.sizes(), self.sizes());
  check_mask(mask);
  const Scalar filled = checked_number(value, self.dtype());
  Tensor out = empty_tensor(sizes, self.dtype());
  copy_elements(sizes, Operand::of(out), Operand::of(self));
  primitives().fill_where(sizes, Operand::of(out), Operand::of(mask), filled);
  return out;
}

const Tensor& masked_fill_(const Tensor& self, const Tensor& mask, Scalar value) {
  check_mask(mask);
  check_partial_overlap(self, mask);
  check_output_sizes(self.sizes(), broadcast_sizes(self.sizes(), mask.sizes()));
  const Scalar filled = checked_number(value, self.dtype());
  primitives().fill_where(self.sizes(), Operand::of(self), Operand::of(mask), filled);
  return self;
}

}  // namespace plumbline::optimized::masked

namespace plumbline::optimized {

void cpu::choose(IntList sizes, const Operand& out, const Operand& condition, const Operand& yes, const Operand& no,
                 Dtype dtype) {
  const StridedLoop loop(sizes, std::array{out, condition, yes, no});
  visit_dtype(dtype, [&]<class T>(T) { loop.run(masked::choose_row<T>); });
}

void cpu::fill_where(IntList sizes, const Operand& to, const Operand& mask, Scalar number) {
  const StridedLoop loop(sizes, std::array{to, mask});
  visit_dtype(to.dtype, [&]<class T>(T) {
    const T filled = number.to<T>();
    loop.run([filled](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i)
        if (loaded<bool>(data[1] + i * steps[1])) store(data[0] + i * steps[0], filled);
    });
  });
}

}  // namespace plumbline::optimized
