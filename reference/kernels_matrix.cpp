// The kernels of the products of matrices and vectors: mm, addmm, bmm, mv, dot.
#include <array>
#include <cmath>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_memory.h"
#include "spec/rules/type.h"
#include "spec/vocabulary/half.h"

namespace plumbline::reference {

namespace {

/// The same of halves, in float32. Some kernels round each sum to the half, so the bound is that of such a sum.
Element inner_product_of_halves(const Arithmetic& in, std::span<const Element> left, std::span<const Element> right,
                                std::size_t step) {
  const Arithmetic wide(Dtype::float32, in.tape());
  std::vector<Element> products;
  double magnitude = 0;
  bool integral = true;
  for (std::size_t i = 0; i < left.size(); ++i) {
    products.push_back(wide.multiply(left[i], right[i * step]));
    magnitude += std::fabs(products.back().real);
    integral = integral && products.back().real == std::trunc(products.back().real);
  }
  Element out = converted(wide.sum(products), Dtype::float32, in.dtype(), in.tape());
  const HalfFormat format = format_of(in.dtype());
  const bool any_order = left.size() < 2 || (integral && magnitude <= std::ldexp(1.0, format.digits));
  if (!any_order && std::isfinite(out.real))
    out.error += 2 * static_cast<double>(left.size()) * ulp_of(magnitude, in.dtype());
  if (left.size() > 1 && std::isfinite(magnitude) && magnitude > format.greatest) out.known = false;
  return out;
}

/// Σ left[i] · right[i], with elements `step` apart in `right`.
Element inner_product(const Arithmetic& in, std::span<const Element> left, std::span<const Element> right,
                      std::size_t step) {
  if (is_half(in.dtype())) return inner_product_of_halves(in, left, right, step);
  std::vector<Element> products;
  for (std::size_t i = 0; i < left.size(); ++i) products.push_back(in.multiply(left[i], right[i * step]));
  return in.sum(products);
}

/// The product of two matrices, row-major.
std::vector<Element> product(const Arithmetic& in, std::span<const Element> left, std::span<const Element> right,
                             std::int64_t rows, std::int64_t inner, std::int64_t columns) {
  std::vector<Element> out;
  out.reserve(static_cast<std::size_t>(element_count({rows, columns})));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      out.push_back(inner_product(
          in, left.subspan(static_cast<std::size_t>(i * inner), static_cast<std::size_t>(inner)),
          inner == 0 ? right : right.subspan(static_cast<std::size_t>(j)), static_cast<std::size_t>(columns)));
  return is_floating(in.dtype()) ? with_free_zeros(std::move(out)) : out;
}

void check_multiplies(const Sizes& left, const Sizes& right) {
  if (left[1] != right[0])
    raise(ErrorClass::shape, text("mat1 and mat2 shapes cannot be multiplied (", left[0], "x", left[1], " and ",
                                  right[0], "x", right[1], ")"));
}

Effect mm(const KernelCall& call) {
  const Tensor& a = call.tensor(0);
  const Tensor& b = call.tensor(1);
  if (a.geometry.rank() != 2) raise(ErrorClass::shape, "self must be a matrix");
  if (b.geometry.rank() != 2) raise(ErrorClass::shape, "mat2 must be a matrix");
  const Sizes left = sizes_of(a.geometry);
  const Sizes right = sizes_of(b.geometry);
  check_multiplies(left, right);
  const bool nothing = left[0] == 0 || left[1] == 0 || right[1] == 0;
  const bool unknown = a.dtype == Dtype::boolean && !nothing;
  if (lacks_product_first<Concrete>(call.judge, unknown).v) no_kernel("addmm_impl_cpu_", a.dtype);
  if (check_product_dtypes<Concrete>(call.judge, a.dtype == b.dtype, nothing).v != 0)
    raise(ErrorClass::dtype_mismatch,
          text("expected m1 and m2 to have the same dtype, but got: ", type_name(a.dtype), " != ", type_name(b.dtype)));
  const Sizes sizes{left[0], right[1]};
  if (unknown) no_kernel("addmm_impl_cpu_", a.dtype);
  return made({sizes, row_major(sizes), a.dtype,
               product(call.arithmetic(a.dtype), elements_of(call.state, a), elements_of(call.state, b), left[0],
                       left[1], right[1])});
}

void check_same(std::string_view first, std::string_view second, Dtype a, Dtype b) {
  if (a != b)
    raise(ErrorClass::dtype_mismatch,
          text(first, " and ", second, " must have the same dtype, but got ", scalar_name(a), " and ", scalar_name(b)));
}

/// Raises an error if `self` does not expand to the sizes of the product.
void check_expands(const Tensor& self, const Sizes& sizes) {
  const Sizes own = sizes_of(self.geometry);
  if (own.size() > sizes.size())
    raise(ErrorClass::shape,
          text("expand(torch.", scalar_name(self.dtype), "Tensor{", printed(own), "}, size=", printed(sizes),
               "): the number of sizes provided (", sizes.size(),
               ") must be greater or equal to the number of dimensions in the tensor (", own.size(), ")"));
  for (std::size_t i = own.size(); i-- > 0;) {
    const std::size_t at = sizes.size() - own.size() + i;
    if (own[i] != sizes[at] && own[i] != 1)
      raise(ErrorClass::shape, text("The expanded size of the tensor (", sizes[at], ") must match the existing size (",
                                    own[i], ") at non-singleton dimension ", at, ".  Target sizes: ", printed(sizes),
                                    ".  Tensor sizes: ", printed(own)));
  }
}

bool is_zero(const Operand& number) { return number.real == 0; }

// beta · self + alpha · mat1 @ mat2; a factor of 0 drops its term, even if that has NaN, except the product of halves
// [aten/src/ATen/native/LinearAlgebra.cpp, addmm_impl_cpu_].
Effect addmm(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Tensor& a = call.tensor(1);
  const Tensor& b = call.tensor(2);
  const Operand beta = call.arguments.number(3);
  const Operand alpha = call.arguments.number(4);
  check_same("self", "mat2", self.dtype, b.dtype);
  check_same("mat1", "mat2", a.dtype, b.dtype);
  if (a.geometry.rank() != 2)
    raise(ErrorClass::shape, text("mat1 must be a matrix, got ", a.geometry.rank(), "-D tensor"));
  if (b.geometry.rank() != 2)
    raise(ErrorClass::shape, text("mat2 must be a matrix, got ", b.geometry.rank(), "-D tensor"));
  const Sizes left = sizes_of(a.geometry);
  const Sizes right = sizes_of(b.geometry);
  check_multiplies(left, right);
  const Sizes sizes{left[0], right[1]};
  check_expands(self, sizes);
  const Dtype dtype = self.dtype;
  const Arithmetic in = call.arithmetic(dtype);
  const bool nothing = element_count(sizes) == 0;
  const bool inner = left[1] > 0 && !nothing;
  if (!inner && !nothing && !is_zero(beta)) {  // then it is a multiplication
    const std::array inputs{input_of(call.state, beta), Input{{kNoTensor, true, 0, 0}, nullptr, dtype}};
    require_cast(call.judge, common_type(call.judge, inputs), dtype);
  }
  if (dtype == Dtype::boolean && inner) no_kernel("addmm_impl_cpu_", dtype);
  std::vector<Element> out =
      product(in, elements_of(call.state, a), elements_of(call.state, b), left[0], left[1], right[1]);
  // The factors of halves are float32; if there is nothing to multiply, no one checks beta.
  const Dtype factors = is_half(dtype) ? Dtype::float32 : dtype;
  const Element by_alpha = inner ? checked_element(alpha, factors) : Element{};
  const Element by_beta = nothing                    ? Element{}
                          : is_half(dtype) && !inner ? element_of(beta, dtype)
                                                     : checked_element(beta, factors);
  const bool takes_product = by_alpha.real != 0 || by_alpha.integer != 0 || (is_half(dtype) && inner);
  const bool takes_self = by_beta.real != 0 || by_beta.integer != 0;
  const std::vector<Element> added = spread(call, input_at(call, 0), sizes, dtype);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Element scaled = takes_product ? in.multiply(by_alpha, out[i]) : Element{};
    const Element kept = takes_self ? in.multiply(by_beta, added[i]) : Element{};
    out[i] = takes_self && takes_product ? in.add(kept, scaled) : takes_self ? kept : scaled;
  }
  if (is_floating(dtype) && (takes_product || !takes_self)) out = with_free_zeros(std::move(out));
  return made({sizes, row_major(sizes), dtype, std::move(out)});
}

// The dtypes are compared only if there is something to multiply; the result has the second one's dtype
// [aten/src/ATen/native/LinearAlgebra.cpp, bmm_out_or_baddbmm_].
Effect bmm(const KernelCall& call) {
  const Tensor& a = call.tensor(0);
  const Tensor& b = call.tensor(1);
  if (a.geometry.rank() != 3) raise(ErrorClass::shape, "batch1 must be a 3D tensor");
  if (b.geometry.rank() != 3) raise(ErrorClass::shape, "batch2 must be a 3D tensor");
  const Sizes left = sizes_of(a.geometry);
  const Sizes right = sizes_of(b.geometry);
  if (left[0] != right[0] || left[2] != right[1])
    raise(ErrorClass::shape, text("Expected size for first two dimensions of batch2 tensor to be: [", left[0], ", ",
                                  left[2], "] but got: [", right[0], ", ", right[1], "]."));
  const Sizes sizes{left[0], left[1], right[2]};
  if (left[2] == 0 || element_count(sizes) == 0) return made(filled(sizes, b.dtype, {}));
  if (a.dtype == Dtype::boolean) no_kernel("bmm", a.dtype);
  if (a.dtype != b.dtype)
    raise(ErrorClass::dtype_mismatch,
          text("expected scalar type ", scalar_name(a.dtype), " but found ", scalar_name(b.dtype)));
  const std::vector<Element> x = elements_of(call.state, a);
  const std::vector<Element> y = elements_of(call.state, b);
  const auto x_size = static_cast<std::size_t>(left[1] * left[2]);
  const auto y_size = static_cast<std::size_t>(right[1] * right[2]);
  Fresh out{sizes, row_major(sizes), b.dtype, {}};
  for (std::size_t i = 0; i < static_cast<std::size_t>(left[0]); ++i) {
    const auto one = product(call.arithmetic(a.dtype), std::span(x).subspan(i * x_size, x_size),
                             std::span(y).subspan(i * y_size, y_size), left[1], left[2], right[2]);
    out.elements.insert(out.elements.end(), one.begin(), one.end());
  }
  return made(std::move(out));
}

Effect mv(const KernelCall& call) {
  const Tensor& matrix = call.tensor(0);
  const Tensor& vector = call.tensor(1);
  if (matrix.geometry.rank() == 0)
    raise(ErrorClass::dim_range, "Dimension specified as 0 but tensor has no dimensions", "IndexError");
  if (matrix.geometry.rank() != 2 || vector.geometry.rank() != 1)
    raise(ErrorClass::shape,
          text("vector + matrix @ vector expected, got 1, ", matrix.geometry.rank(), ", ", vector.geometry.rank()));
  const Sizes sizes = sizes_of(matrix.geometry);
  const std::int64_t length = sizes_of(vector.geometry)[0];
  if (sizes[1] != length)
    raise(ErrorClass::shape,
          text("size mismatch, got input (", sizes[0], "), mat (", sizes[0], "x", sizes[1], "), vec (", length, ")"));
  const bool same = matrix.dtype == vector.dtype;
  const bool nothing = sizes[0] == 0 || length == 0;
  const bool unknown = matrix.dtype == Dtype::boolean && !nothing;
  if (lacks_product_first<Concrete>(call.judge, unknown).v) no_kernel("addmv_impl_cpu", matrix.dtype);
  const auto mixed = static_cast<ErrorClass>(check_product_dtypes<Concrete>(call.judge, same, nothing).v);
  if (mixed != ErrorClass::none)
    raise(mixed, text("addmv input tensors must have the same dtype, but got ", scalar_name(vector.dtype), ", ",
                      scalar_name(matrix.dtype), ", and ", scalar_name(vector.dtype)));
  if (unknown) no_kernel("addmv_impl_cpu", matrix.dtype);
  return made({{sizes[0]},
               {1},
               vector.dtype,
               product(call.arithmetic(vector.dtype), elements_of(call.state, matrix), elements_of(call.state, vector),
                       sizes[0], sizes[1], 1)});
}

Effect dot(const KernelCall& call) {
  const Tensor& a = call.tensor(0);
  const Tensor& b = call.tensor(1);
  if (a.geometry.rank() != 1 || b.geometry.rank() != 1)
    raise(ErrorClass::shape,
          text("1D tensors expected, but got ", a.geometry.rank(), "D and ", b.geometry.rank(), "D tensors"));
  if (a.dtype != b.dtype)
    raise(ErrorClass::dtype_mismatch, text("dot : expected both vectors to have same dtype, but found ",
                                           scalar_name(a.dtype), " and ", scalar_name(b.dtype)));
  const std::int64_t left = sizes_of(a.geometry)[0];
  const std::int64_t right = sizes_of(b.geometry)[0];
  if (left != right)
    raise(ErrorClass::shape,
          text("inconsistent tensor size, expected tensor [", left, "] and src [", right,
               "] to have the same number of elements, but got ", left, " and ", right, " elements respectively"));
  if (a.dtype == Dtype::boolean) no_kernel("dot", a.dtype);
  return made({{},
               {},
               a.dtype,
               product(call.arithmetic(a.dtype), elements_of(call.state, a), elements_of(call.state, b), 1, left, 1)});
}

}  // namespace

std::span<const KernelEntry> matrix_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::mm, mm}, KernelEntry{OpId::addmm, addmm},
                                      KernelEntry{OpId::bmm, bmm}, KernelEntry{OpId::mv, mv},
                                      KernelEntry{OpId::dot, dot}};
  return entries;
}

}  // namespace plumbline::reference
