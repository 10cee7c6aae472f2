// What add, sub, mul and div compute, in loops over operands of any strides.
#include "optimized/cpu/arithmetic.h"

#include <array>

#include "optimized/cpu/iterator.h"
#include "optimized/cpu/primitives.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized {

namespace {

template <Arithmetic kOp, class T>
void strided_row(std::byte* const* data, const std::int64_t* steps, std::int64_t n, T alpha) {
  for (std::int64_t i = 0; i < n; ++i)
    store(data[0] + i * steps[0],
          computed<kOp>(loaded<T>(data[1] + i * steps[1]), loaded<T>(data[2] + i * steps[2]), alpha));
}

/// The loop for these steps, of `Forms` (simd.h); null if the elements are not in rows.
template <class T, class Forms>
auto loop_for(const Forms& forms, const std::int64_t* steps) -> typename Forms::Loop {
  constexpr auto kItem = static_cast<std::int64_t>(sizeof(T));
  if (steps[0] != kItem) return nullptr;
  if (steps[1] == kItem && steps[2] == kItem) return forms.rows;
  if (steps[1] == kItem && steps[2] == 0) return forms.second_is_one;
  if (steps[1] == 0 && steps[2] == kItem) return forms.first_is_one;
  return nullptr;
}

/// Operands of T in rows, by a loop of simd.h; false if they are not in rows.
template <Arithmetic kOp, class T>
bool run_rows(const StridedLoop& loop, T alpha) {
  const auto run = [&](const auto& over) {
    loop.run([&over](std::byte* const* data, const std::int64_t*, std::int64_t n) {
      over(reinterpret_cast<const T*>(data[1]), reinterpret_cast<const T*>(data[2]), reinterpret_cast<T*>(data[0]), n);
    });
    return true;
  };
  if constexpr (kOp == Arithmetic::add_scaled) {
    const auto over = loop_for<T>(simd::loops<T>().add_scaled, loop.steps());
    return over != nullptr && run([=](const T* a, const T* b, T* out, std::int64_t n) { over(a, b, alpha, out, n); });
  } else {
    const auto over = loop_for<T>(loops_of<kOp, T>(), loop.steps());
    return over != nullptr && run(over);
  }
}

template <Arithmetic kOp, class T>
void run(const StridedLoop& loop, Scalar alpha) {
  const T scale = alpha.to<T>();
  if constexpr (!std::same_as<T, bool>)
    if (run_rows<kOp, T>(loop, scale)) return;
  loop.run([scale](std::byte* const* data, const std::int64_t* steps, std::int64_t n) {
    strided_row<kOp, T>(data, steps, n, scale);
  });
}

template <Arithmetic kOp>
void run(const StridedLoop& loop, Dtype dtype, Scalar alpha) {
  visit_dtype(dtype, [&]<class T>(T) {
    constexpr bool kFloating = std::floating_point<T>;
    if constexpr (kFloating || (kOp != Arithmetic::div && !(kOp == Arithmetic::sub && std::same_as<T, bool>)))
      run<kOp, T>(loop, alpha);
  });
}

}  // namespace

void cpu::arithmetic(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                     Scalar alpha) {
  const StridedLoop loop(sizes, std::array{out, a, b});
  switch (op) {
    case Arithmetic::add:
      return run<Arithmetic::add>(loop, dtype, alpha);
    case Arithmetic::sub:
      return run<Arithmetic::sub>(loop, dtype, alpha);
    case Arithmetic::mul:
      return run<Arithmetic::mul>(loop, dtype, alpha);
    case Arithmetic::div:
      return run<Arithmetic::div>(loop, dtype, alpha);
    case Arithmetic::add_scaled:
      return run<Arithmetic::add_scaled>(loop, dtype, alpha);
  }
}

}  // namespace plumbline::optimized
