// The CPU's products of matrices and vectors: mm, addmm, bmm, mv, dot.
#include <algorithm>
#include <array>
#include <string>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/dot.h"
#include "optimized/cpu/layout.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/product.h"
#include "optimized/elements/dtypes.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

[[noreturn]] void raise_shape(const std::string& message) { raise_saying(ErrorClass::shape, message); }

std::string by(std::int64_t rows, std::int64_t columns) { return std::to_string(rows) + "x" + std::to_string(columns); }

void check_multiplies(const Tensor& left, const Tensor& right) {
  if (left.size(1) != right.size(0)) [[unlikely]]
    raise_shape("mat1 and mat2 shapes cannot be multiplied (" + by(left.size(0), left.size(1)) + " and " +
                by(right.size(0), right.size(1)) + ")");
}

void check_mm_sizes(const Tensor& self, const Tensor& mat2) {
  if (self.dim() != 2) raise_shape("self must be a matrix");
  if (mat2.dim() != 2) raise_shape("mat2 must be a matrix");
  check_multiplies(self, mat2);
}

/// Whether a product with this number of elements, each a sum of `inner` products, has anything to add.
bool multiplies(std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  return rows != 0 && inner != 0 && columns != 0;
}

/// Also where there is nothing to multiply, which PyTorch 1.13 let pass.
void check_mm_dtypes(const Tensor& self, const Tensor& mat2) {
  if (self.dtype() != mat2.dtype()) [[unlikely]]
    raise_saying(ErrorClass::dtype_mismatch, std::string("expected m1 and m2 to have the same dtype, but got: ") +
                                                 type_name(self.dtype()) + " != " + type_name(mat2.dtype()));
  if (self.dtype() == Dtype::boolean && multiplies(self.size(0), self.size(1), mat2.size(1))) [[unlikely]]
    raise_no_kernel("addmm_impl_cpu_", Dtype::boolean);
}

/// The last two dimensions of `tensor`; if it has three, at `index` of the first.
MatrixOperand matrix_operand(const Tensor& tensor, std::int64_t index = 0) {
  const int d = tensor.dim() - 2;
  const std::int64_t skipped = d == 1 ? index * tensor.stride(0) : 0;
  return {Operand::of(tensor).data + skipped * item_size(tensor.dtype()), tensor.size(d), tensor.size(d + 1),
          tensor.stride(d), tensor.stride(d + 1)};
}

/// out = self @ mat2, of matrices or, one by one, of stacks of them.
void multiply_into(const Tensor& out, const Tensor& self, const Tensor& mat2) {
  const std::int64_t count = out.dim() == 3 ? out.size(0) : 1;
  for (std::int64_t i = 0; i < count; ++i)
    primitives().multiply(out.dtype(), matrix_operand(out, i), 1, matrix_operand(self, i), matrix_operand(mat2, i), 0,
                          {});
}

Tensor mm_kernel(const Tensor& self, const Tensor& mat2) {
  check_mm_sizes(self, mat2);
  check_mm_dtypes(self, mat2);
  Tensor out = empty_tensor({self.size(0), mat2.size(1)}, self.dtype());
  multiply_into(out, self, mat2);
  return out;
}

/// Gives `out` its sizes and the product; the inputs were checked before.
const Tensor& multiply_out(const Tensor& out, IntList sizes, const Tensor& self, const Tensor& mat2) {
  check_out_overlap(out, sizes, {}, {TensorList(&self, 1), TensorList(&mat2, 1)});
  resize_output(out, sizes);
  multiply_into(out, self, mat2);
  return out;
}

const Tensor& mm_out_kernel(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  check_mm_sizes(self, mat2);
  check_out_dtype(out, self.dtype());
  check_mm_dtypes(self, mat2);
  return multiply_out(out, {self.size(0), mat2.size(1)}, self, mat2);
}

void check_bmm_sizes(const Tensor& self, const Tensor& mat2) {
  if (self.dim() != 3) raise_shape("batch1 must be a 3D tensor");
  if (mat2.dim() != 3) raise_shape("batch2 must be a 3D tensor");
  if (self.size(0) != mat2.size(0) || self.size(2) != mat2.size(1)) [[unlikely]]
    raise_shape("Expected size for first two dimensions of batch2 tensor to be: [" + std::to_string(self.size(0)) +
                ", " + std::to_string(self.size(2)) + "] but got: [" + std::to_string(mat2.size(0)) + ", " +
                std::to_string(mat2.size(1)) + "].");
}

/// Only if there is something to multiply; if not, the result has mat2's dtype [aten/src/ATen/native/LinearAlgebra.cpp,
/// bmm_out_or_baddbmm_].
void check_bmm_dtypes(const Tensor& self, const Tensor& mat2) {
  if (self.size(0) == 0 || !multiplies(self.size(1), self.size(2), mat2.size(2))) return;
  if (self.dtype() == Dtype::boolean) raise_no_kernel("bmm", Dtype::boolean);
  if (self.dtype() != mat2.dtype())
    raise_saying(ErrorClass::dtype_mismatch, std::string("expected scalar type ") + scalar_name(self.dtype()) +
                                                 " but found " + scalar_name(mat2.dtype()));
}

Tensor bmm_kernel(const Tensor& self, const Tensor& mat2) {
  check_bmm_sizes(self, mat2);
  check_bmm_dtypes(self, mat2);
  Tensor out = empty_tensor({self.size(0), self.size(1), mat2.size(2)}, mat2.dtype());
  multiply_into(out, self, mat2);
  return out;
}

const Tensor& bmm_out_kernel(const Tensor& self, const Tensor& mat2, const Tensor& out) {
  check_bmm_sizes(self, mat2);
  check_out_dtype(out, mat2.dtype());
  check_bmm_dtypes(self, mat2);
  return multiply_out(out, {self.size(0), self.size(1), mat2.size(2)}, self, mat2);
}

void check_same_dtype(const char* names, const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype()) [[unlikely]]
    raise_saying(ErrorClass::dtype_mismatch, std::string(names) + " must have the same dtype, but got " +
                                                 scalar_name(a.dtype()) + " and " + scalar_name(b.dtype()));
}

/// Whether `self` expands to this number of rows and columns.
bool expands(const Tensor& self, std::int64_t rows, std::int64_t columns) {
  const int d = self.dim();
  if (d == 0) return true;
  if (d > 2 || (self.size(d - 1) != columns && self.size(d - 1) != 1)) return false;
  return d == 1 || self.size(0) == rows || self.size(0) == 1;
}

void check_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2) {
  check_same_dtype("self and mat2", self, mat2);
  check_same_dtype("mat1 and mat2", mat1, mat2);
  if (mat1.dim() != 2) raise_shape("mat1 must be a matrix, got " + std::to_string(mat1.dim()) + "-D tensor");
  if (mat2.dim() != 2) raise_shape("mat2 must be a matrix, got " + std::to_string(mat2.dim()) + "-D tensor");
  check_multiplies(mat1, mat2);
  if (!expands(self, mat1.size(0), mat2.size(1)))
    (void)expand_layout(self, {mat1.size(0), mat2.size(1)});  // raises, in its own words
}

/// Whether they are floats that fit each other, each term unchanged: there is nothing else to check.
bool are_plain_floats(const Tensor& self, const Tensor& mat1, const Tensor& mat2, Scalar beta, Scalar alpha) {
  return self.dtype() == Dtype::float32 && mat1.dtype() == Dtype::float32 && mat2.dtype() == Dtype::float32 &&
         mat1.dim() == 2 && mat2.dim() == 2 && mat1.size(1) == mat2.size(0) &&
         expands(self, mat1.size(0), mat2.size(1)) && beta.real() == 1 && alpha.real() == 1 && on_cpu();
}

/// `self` as it expands to the sizes of `out`.
MatrixOperand expanded(const Tensor& self, const Tensor& out) {
  const int d = self.dim();
  const std::int64_t column_step = d >= 1 && self.size(d - 1) != 1 ? self.stride(d - 1) : 0;
  const std::int64_t row_step = d == 2 && self.size(0) != 1 ? self.stride(0) : 0;
  return {Operand::of(self).data, out.size(0), out.size(1), row_step, column_step};
}
template <class T>
[[gnu::always_inline]] inline Matrix<T> typed(const MatrixOperand& matrix) {
  return {reinterpret_cast<T*>(matrix.data), matrix.rows, matrix.columns, matrix.row_step, matrix.column_step};
}

/// beta * self + alpha * mat1 @ mat2; a factor of 0 drops its term, not-a-number included
/// [aten/src/ATen/native/LinearAlgebra.cpp, addmm_impl_cpu_].
Tensor addmm_kernel(const Tensor& self, const Tensor& mat1, const Tensor& mat2, Scalar beta, Scalar alpha) {
  if (are_plain_floats(self, mat1, mat2, beta, alpha)) {
    Tensor out = empty_tensor({mat1.size(0), mat2.size(1)}, Dtype::float32);
    multiply<float>(matrix_of<float>(out), 1, matrix_of<const float>(mat1), matrix_of<const float>(mat2),
                    {1, typed<const float>(expanded(self, out))});
    return out;
  }
  check_addmm(self, mat1, mat2);
  const Dtype dtype = self.dtype();
  Tensor out = empty_tensor({mat1.size(0), mat2.size(1)}, dtype);
  if (out.numel() == 0) return out;
  if (mat1.size(1) == 0) {  // then it is only self times beta
    if (beta.real() != 0) check_cast(result_type(out, beta), dtype);
    alpha = 0;
  } else if (dtype == Dtype::boolean) {
    raise_no_kernel("addmm_impl_cpu_", dtype);
  }
  const Scalar by_alpha = checked_number(alpha, dtype);
  const Scalar by_beta = checked_number(beta, dtype);
  primitives().multiply(dtype, matrix_operand(out), by_alpha, matrix_operand(mat1), matrix_operand(mat2), by_beta,
                        expanded(self, out));
  return out;
}

void check_mv(const Tensor& self, const Tensor& vec) {
  if (self.dim() == 0)
    raise_saying(ErrorClass::dim_range, "Dimension specified as 0 but tensor has no dimensions", "IndexError");
  if (self.dim() != 2 || vec.dim() != 1)
    raise_shape("vector + matrix @ vector expected, got 1, " + std::to_string(self.dim()) + ", " +
                std::to_string(vec.dim()));
  if (self.size(1) != vec.size(0))
    raise_shape("size mismatch, got input (" + std::to_string(self.size(0)) + "), mat (" +
                by(self.size(0), self.size(1)) + "), vec (" + std::to_string(vec.size(0)) + ")");
  if (self.dtype() != vec.dtype())
    raise_saying(ErrorClass::dtype_mismatch, std::string("addmv input tensors must have the same dtype, but got ") +
                                                 scalar_name(vec.dtype()) + ", " + scalar_name(self.dtype()) +
                                                 ", and " + scalar_name(vec.dtype()));
  if (self.dtype() == Dtype::boolean && self.numel() != 0) raise_no_kernel("addmv_impl_cpu", self.dtype());
}

Tensor mv_kernel(const Tensor& self, const Tensor& vec) {
  check_mv(self, vec);
  Tensor out = empty_tensor({self.size(0)}, self.dtype());
  const MatrixOperand column{Operand::of(vec).data, vec.size(0), 1, vec.stride(0), 1};
  const MatrixOperand result{Operand::of(out).data, out.size(0), 1, 1, 1};
  primitives().multiply(out.dtype(), result, 1, matrix_operand(self), column, 0, {});
  return out;
}

void check_dot(const Tensor& self, const Tensor& tensor) {
  if (self.dim() != 1 || tensor.dim() != 1)
    raise_shape("1D tensors expected, but got " + std::to_string(self.dim()) + "D and " + std::to_string(tensor.dim()) +
                "D tensors");
  if (self.dtype() != tensor.dtype())
    raise_saying(ErrorClass::dtype_mismatch, std::string("dot : expected both vectors to have same dtype, but found ") +
                                                 scalar_name(self.dtype()) + " and " + scalar_name(tensor.dtype()));
  const std::string left = std::to_string(self.size(0));
  const std::string right = std::to_string(tensor.size(0));
  if (self.size(0) != tensor.size(0))
    raise_shape("inconsistent tensor size, expected tensor [" + left + "] and src [" + right +
                "] to have the same number of elements, but got " + left + " and " + right + " elements respectively");
  if (self.dtype() == Dtype::boolean) raise_no_kernel("dot", self.dtype());
}

Tensor dot_kernel(const Tensor& self, const Tensor& tensor) {
  check_dot(self, tensor);
  Tensor out = empty_tensor({}, self.dtype());
  if (!on_cpu()) {
    const MatrixOperand row{Operand::of(self).data, 1, self.size(0), 1, self.stride(0)};
    const MatrixOperand column{Operand::of(tensor).data, self.size(0), 1, tensor.stride(0), 1};
    primitives().multiply(self.dtype(), {Operand::of(out).data, 1, 1, 1, 1}, 1, row, column, 0, {});
    return out;
  }
  visit_dtype(self.dtype(), [&]<class T>(T) {
    *out.data<T>() = dot_product(self.data<T>(), self.stride(0), tensor.data<T>(), tensor.stride(0), self.size(0));
  });
  return out;
}

}  // namespace

void cpu::multiply(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
                   const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added) {
  visit_dtype(dtype, [&]<class T>(T) {
    optimized::multiply<T>(typed<T>(out), factor.to<T>(), typed<const T>(left), typed<const T>(right),
                           {added_factor.to<T>(), typed<const T>(added)});
  });
}

std::span<const OpKernel> matrix_kernels() {
  static const std::array kernels{plain_kernel<op::mm, mm_kernel>(),          plain_kernel<op::addmm, addmm_kernel>(),
                                  plain_kernel<op::bmm, bmm_kernel>(),        plain_kernel<op::mv, mv_kernel>(),
                                  plain_kernel<op::dot, dot_kernel>(),        plain_kernel<op::mm_out, mm_out_kernel>(),
                                  plain_kernel<op::bmm_out, bmm_out_kernel>()};
  return kernels;
}

}  // namespace plumbline::optimized
