// gt, ge and eq, in the operands' common dtype.
#include <array>
#include <concepts>

#include "optimized/cpu/checks.h"
#include "optimized/cpu/fast.h"
#include "optimized/cpu/input.h"
#include "optimized/cpu/outs.h"
#include "optimized/cpu/primitives.h"
#include "optimized/cpu/simd.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/ops/kernels.h"

namespace plumbline::optimized {

namespace {

template <Relation kRelation, class T>
const simd::Comparison<T>& loops_of() {
  const simd::Loops<T>& all = simd::loops<T>();
  if constexpr (kRelation == Relation::gt) return all.gt;
  if constexpr (kRelation == Relation::ge) return all.ge;
  if constexpr (kRelation == Relation::eq) return all.eq;
}

/// The loop for the steps of fresh truth values and two inputs; null where the inputs are not in rows.
template <class T>
typename simd::Comparison<T>::Loop loop_for(const simd::Comparison<T>& forms, const std::int64_t* steps) {
  constexpr auto kItem = static_cast<std::int64_t>(sizeof(T));
  if (steps[0] != 1) return nullptr;
  if (steps[1] == kItem && steps[2] == kItem) return forms.rows;
  if (steps[1] == kItem && steps[2] == 0) return forms.second_is_one;
  if (steps[1] == 0 && steps[2] == kItem) return forms.first_is_one;
  return nullptr;
}

template <Relation kRelation, class T>
void strided_row(std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i)
    store(data[0] + i * steps[0],
          holds<kRelation>(loaded<T>(data[1] + i * steps[1]), loaded<T>(data[2] + i * steps[2])));
}

template <Relation kRelation, class T>
void run(const StridedLoop& loop) {
  if constexpr (!std::same_as<T, bool>)
    if (const auto over = loop_for<T>(loops_of<kRelation, T>(), loop.steps()); over != nullptr)
      return loop.run([over](std::byte* const* data, const std::int64_t*, std::int64_t n) {
        over(reinterpret_cast<const T*>(data[1]), reinterpret_cast<const T*>(data[2]), reinterpret_cast<bool*>(data[0]),
             n);
      });
  loop.run(strided_row<kRelation, T>);
}

Tensor compared(Relation relation, IntList sizes, const Input& a, const Input& b, Dtype dtype) {
  Tensor out = empty_strided(sizes, result_strides(sizes, std::array{a.laid_out(), b.laid_out()}), Dtype::boolean);
  primitives().compare(relation, sizes, Operand::of(out), a.operand(), b.operand(), dtype);
  return out;
}

template <Relation kRelation>
[[gnu::noinline]] Tensor compare_any(const Tensor& self, const Tensor& other) {
  const DimVector sizes = broadcast_sizes(self.sizes(), other.sizes());
  const Dtype dtype = self.dtype() == other.dtype() ? self.dtype() : result_type(self, other);
  return compared(kRelation, sizes, Input(self, dtype), Input(other, dtype), dtype);
}

template <Relation kRelation>
[[gnu::always_inline]] inline Tensor compare(const Tensor& self, const Tensor& other) {
  if (!are_single<Dtype::float32>(self.impl(), other.impl())) return compare_any<kRelation>(self, other);
  Tensor out = single<Dtype::boolean>(self.dim());
  *out.data<bool>() = holds<kRelation>(*self.data<float>(), *other.data<float>());
  return out;
}

template <Relation kRelation>
Tensor compare_number(const Tensor& self, Scalar other) {
  const Dtype dtype = result_type(self, other);
  return compared(kRelation, self.sizes(), Input(self, dtype), Input(other, dtype), dtype);
}

template <Relation kRelation>
const Tensor& compare_into(const Tensor& self, const Tensor& other, const Tensor& out) {
  check_internal_overlap(out);
  check_partial_overlap(out, self);
  check_partial_overlap(out, other);
  const DimVector sizes = broadcast_sizes(self.sizes(), other.sizes());
  if (out.is_same(self) || out.is_same(other)) check_output_sizes(out.sizes(), sizes);
  store_result(compare_any<kRelation>(self, other), out);
  return out;
}

template <Relation kRelation>
const Tensor& compare_number_into(const Tensor& self, Scalar other, const Tensor& out) {
  check_internal_overlap(out);
  check_partial_overlap(out, self);
  store_result(compare_number<kRelation>(self, other), out);
  return out;
}

}  // namespace

void cpu::compare(Relation relation, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                  Dtype dtype) {
  const StridedLoop loop(sizes, std::array{out, a, b});
  visit_dtype(dtype, [&]<class T>(T) {
    switch (relation) {
      case Relation::gt:
        return run<Relation::gt, T>(loop);
      case Relation::ge:
        return run<Relation::ge, T>(loop);
      case Relation::eq:
        return run<Relation::eq, T>(loop);
    }
  });
}

std::span<const OpKernel> device_comparison_kernels() {
  static const std::array kernels{plain_kernel<op::gt_Tensor, compare_any<Relation::gt>>(),
                                  plain_kernel<op::ge_Tensor, compare_any<Relation::ge>>(),
                                  plain_kernel<op::eq_Tensor, compare_any<Relation::eq>>()};
  return kernels;
}

std::span<const OpKernel> comparison_kernels() {
  static const std::array kernels{
      plain_kernel<op::gt_Tensor, compare<Relation::gt>>(),
      plain_kernel<op::gt_Scalar, compare_number<Relation::gt>>(),
      plain_kernel<op::ge_Tensor, compare<Relation::ge>>(),
      plain_kernel<op::ge_Scalar, compare_number<Relation::ge>>(),
      plain_kernel<op::eq_Tensor, compare<Relation::eq>>(),
      plain_kernel<op::eq_Scalar, compare_number<Relation::eq>>(),
      plain_kernel<op::gt_Tensor_out, compare_into<Relation::gt>>(),
      plain_kernel<op::gt_Scalar_out, compare_number_into<Relation::gt>>(),
      plain_kernel<op::ge_Tensor_out, compare_into<Relation::ge>>(),
      plain_kernel<op::ge_Scalar_out, compare_number_into<Relation::ge>>(),
      plain_kernel<op::eq_Tensor_out, compare_into<Relation::eq>>(),
      plain_kernel<op::eq_Scalar_out, compare_number_into<Relation::eq>>(),
  };
  return kernels;
}

}  // namespace plumbline::optimized
