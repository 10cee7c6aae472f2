// The inputs of a pointwise op, in the dtype in which it computes, and how elements are copied and converted.
#include "optimized/cpu/input.h"

#include <array>
#include <cstring>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/primitives.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized {

namespace {

template <class To, class From>
void copy_row(std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
  if (steps[0] == sizeof(To) && steps[1] == sizeof(From)) {
    for (std::int64_t i = 0; i < n; ++i)
      store(data[0] + i * sizeof(To), converted<To>(loaded<From>(data[1] + i * sizeof(From))));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    store(data[0] + i * steps[0], converted<To>(loaded<From>(data[1] + i * steps[1])));
}

/// Elements whose bytes are copied unchanged. The two may overlap in a way that no check sees.
template <class Word>
void move_row(std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
  if (steps[0] == sizeof(Word) && steps[1] == sizeof(Word)) {
    std::memmove(data[0], data[1], static_cast<std::size_t>(n) * sizeof(Word));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) store(data[0] + i * steps[0], loaded<Word>(data[1] + i * steps[1]));
}

using CopyRow = void (*)(std::byte* const* data, const std::int64_t* steps, std::int64_t n);

CopyRow row_for(Dtype to, Dtype from) {
  if (to == from && to != Dtype::boolean)
    return item_size(to) == sizeof(std::uint32_t) ? move_row<std::uint32_t> : move_row<std::uint64_t>;
  return visit_dtype(to, [&]<class To>(To) {
    return visit_dtype(from, []<class From>(From) -> CopyRow { return copy_row<To, From>; });
  });
}

}  // namespace

void cpu::copy(IntList sizes, const Operand& to, const Operand& from) {
  StridedLoop(sizes, std::array{to, from}).run(row_for(to.dtype, from.dtype));
}

Tensor converted_tensor(const Tensor& self, Dtype dtype) {
  Tensor copy = empty_strided(self.sizes(), dense_strides(self.sizes(), self.strides()), dtype);
  copy_elements(self.sizes(), Operand::of(copy), Operand::of(self));
  return copy;
}

Input::Input(const Tensor& tensor, Dtype dtype) {
  if (tensor.dtype() == dtype || !on_cpu()) {
    operand_ = Operand::of(tensor);
    if (tensor.dtype() != dtype) strides_ = dense_strides(tensor.sizes(), tensor.strides());
  } else if (tensor.dim() == 0) {
    operand_ = {number_, {}, {}, dtype};
    copy_elements({}, operand_, Operand::of(tensor));
  } else {
    copy_ = converted_tensor(tensor, dtype);
    operand_ = Operand::of(copy_);
  }
}

Input::Input(Scalar number, Dtype dtype) : operand_{number_, {}, {}, dtype} {
  visit_dtype(dtype, [&]<class T>(T) {
    store(number_, number.is_real() ? converted<T>(number.real()) : converted<T>(number.integer()));
  });
}

Operand Input::laid_out() const {
  Operand laid = operand_;
  if (strides_.size() != 0) laid.strides = strides_;
  return laid;
}

}  // namespace plumbline::optimized
