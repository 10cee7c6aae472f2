// Loops over elements in a row, compiled for each instruction set.
#include "optimized/cpu/simd.h"

#include <cstddef>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimized/cpu/simd.cpp"
// AVX-512, AVX2, and plain C++ for older machines.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// After foreach_target.h, which says for which target.
#include <hwy/cache_control.h>
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace plumbline::optimized::simd::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// An operand that has its elements in a row.
template <class T>
struct Row {
  const T* at;
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, std::size_t i) const {
    return hn::LoadU(d, at + i);
  }
  T operator[](std::size_t i) const { return at[i]; }
};
/// An operand that is one element.
template <class T>
struct One {
  T value;
  template <class D>
  HWY_INLINE hn::Vec<D> load(D d, std::size_t) const {
    return hn::Set(d, value);
  }
  T operator[](std::size_t) const { return value; }
};

template <class T>
bool is_apart(const Row<T>& in, const T* out) {
  return in.at != out;
}
template <class T>
bool is_apart(const One<T>&, const T*) {
  return true;
}

/// Bypasses the caches from the point where `out` is aligned; returns how many elements were done.
template <class T, class Op, class... In>
std::size_t stream(Op op, T* out, std::size_t n, In... in) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; reinterpret_cast<std::uintptr_t>(out + i) % (lanes * sizeof(T)) != 0; ++i)
    hn::StoreU(op(in.load(one, i)...), one, out + i);
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto first = op(in.load(d, i)...);
    const auto second = op(in.load(d, i + lanes)...);
    hn::Stream(first, d, out + i);
    hn::Stream(second, d, out + i + lanes);
  }
  hwy::FlushStream();
  return i;
}

template <int kUnroll, class T, class Op, class... In>
HWY_INLINE void run_vectors(Op op, T* out, std::int64_t length, In... in) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const std::size_t lanes = hn::Lanes(d);
  const auto n = static_cast<std::size_t>(length);
  std::size_t i = 0;
  if (n * sizeof(T) >= kStreamedBytes && (is_apart(in, out) && ...)) i = stream(op, out, n, in...);
  if constexpr (kUnroll == 4) {
    for (; i + 4 * lanes <= n; i += 4 * lanes) {
      const auto v0 = op(in.load(d, i)...);
      const auto v1 = op(in.load(d, i + lanes)...);
      const auto v2 = op(in.load(d, i + 2 * lanes)...);
      const auto v3 = op(in.load(d, i + 3 * lanes)...);
      hn::StoreU(v0, d, out + i);
      hn::StoreU(v1, d, out + i + lanes);
      hn::StoreU(v2, d, out + i + 2 * lanes);
      hn::StoreU(v3, d, out + i + 3 * lanes);
    }
  }
  for (; i + lanes <= n; i += lanes) hn::StoreU(op(in.load(d, i)...), d, out + i);
  for (; i < n; ++i) hn::StoreU(op(in.load(one, i)...), one, out + i);
}

/// Products of 64-bit integers, which few machines have as vectors.
template <class T>
constexpr bool kOneByOne = std::is_same_v<T, std::int64_t>;

template <int kUnroll, class T, class Op, class... In>
HWY_INLINE void run(Op op, T* out, std::int64_t length, In... in) {
  if constexpr (Op::kMultiplies && kOneByOne<T>) {
    for (std::int64_t i = 0; i < length; ++i) out[i] = static_cast<T>(op.plain(static_cast<std::uint64_t>(in[i])...));
  } else {
    run_vectors<kUnroll>(op, out, length, in...);
  }
}
/// The same to truth values.
template <class T, class Op, class A, class B>
HWY_INLINE void compare(Op op, bool* out, std::int64_t length, A a, B b) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  const hn::RebindToUnsigned<decltype(d)> words;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  const auto n = static_cast<std::size_t>(length);
  auto* to = reinterpret_cast<std::uint8_t*>(out);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto truth = hn::RebindMask(words, op(a.load(d, i), b.load(d, i)));
    hn::StoreU(hn::TruncateTo(bytes, hn::IfThenElseZero(truth, hn::Set(words, 1))), bytes, to + i);
  }
  for (; i < n; ++i) to[i] = hn::AllTrue(one, op(a.load(one, i), b.load(one, i))) ? 1 : 0;
}

struct Simple {
  static constexpr bool kMultiplies = false;
};

struct Add : Simple {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};
struct Sub : Simple {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Sub(a, b);
  }
};
struct Mul {
  static constexpr bool kMultiplies = true;
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Mul(a, b);
  }
  static std::uint64_t plain(std::uint64_t a, std::uint64_t b) { return a * b; }
};
struct Div : Simple {
  template <class V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Div(a, b);
  }
};
struct AddScaled {
  static constexpr bool kMultiplies = true;
  template <class V>
  HWY_INLINE V operator()(V a, V b, V alpha) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>) return hn::MulAdd(alpha, b, a);
    if constexpr (!std::is_floating_point_v<hn::TFromV<V>>) return hn::Add(a, hn::Mul(alpha, b));
  }
  static std::uint64_t plain(std::uint64_t a, std::uint64_t b, std::uint64_t alpha) { return a + alpha * b; }
};
struct Gt {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Gt(a, b);
  }
};
struct Ge {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    if constexpr (std::is_floating_point_v<hn::TFromV<V>>) return hn::Ge(a, b);
    if constexpr (!std::is_floating_point_v<hn::TFromV<V>>) return hn::Not(hn::Lt(a, b));
  }
};
struct Eq {
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    return hn::Eq(a, b);
  }
};
struct Neg : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Neg(a);
  }
};
/// A zero keeps its sign, and not-a-number stays.
struct Relu : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const auto zero = hn::Zero(hn::DFromV<V>());
    return hn::IfThenElse(hn::Lt(a, zero), zero, a);
  }
};
struct Sqrt : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::Sqrt(a);
  }
};
struct Exp : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    const hn::DFromV<V> d;
    const auto most = hn::Set(d, std::is_same_v<hn::TFromV<V>, float> ? 104 : 720);
    const auto result = hn::Exp(d, hn::Min(a, most));
    return hn::IfThenElse(hn::Eq(a, a), result, a);
  }
};
struct Tanh : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return hn::IfThenElse(hn::Eq(a, a), hn::Tanh(hn::DFromV<V>(), a), a);
  }
};
struct Same : Simple {
  template <class V>
  HWY_INLINE V operator()(V a) const {
    return a;
  }
};

template <class T, class Op>
void rows(const T* a, const T* b, T* out, std::int64_t n) {
  run<4>(Op(), out, n, Row<T>{a}, Row<T>{b});
}
template <class T, class Op>
void first_is_one(const T* a, const T* b, T* out, std::int64_t n) {
  run<4>(Op(), out, n, One<T>{*a}, Row<T>{b});
}
template <class T, class Op>
void second_is_one(const T* a, const T* b, T* out, std::int64_t n) {
  run<4>(Op(), out, n, Row<T>{a}, One<T>{*b});
}
template <class T, class Op>
constexpr Binary<T> kBinary{rows<T, Op>, first_is_one<T, Op>, second_is_one<T, Op>};

template <class T>
void scaled_rows(const T* a, const T* b, T alpha, T* out, std::int64_t n) {
  run<4>(AddScaled(), out, n, Row<T>{a}, Row<T>{b}, One<T>{alpha});
}
template <class T>
void scaled_first_is_one(const T* a, const T* b, T alpha, T* out, std::int64_t n) {
  run<4>(AddScaled(), out, n, One<T>{*a}, Row<T>{b}, One<T>{alpha});
}
template <class T>
void scaled_second_is_one(const T* a, const T* b, T alpha, T* out, std::int64_t n) {
  run<4>(AddScaled(), out, n, Row<T>{a}, One<T>{*b}, One<T>{alpha});
}
template <class T>
constexpr Scaled<T> kScaled{scaled_rows<T>, scaled_first_is_one<T>, scaled_second_is_one<T>};

template <class T, class Op>
void compare_rows(const T* a, const T* b, bool* out, std::int64_t n) {
  compare<T>(Op(), out, n, Row<T>{a}, Row<T>{b});
}
template <class T, class Op>
void compare_first_is_one(const T* a, const T* b, bool* out, std::int64_t n) {
  compare<T>(Op(), out, n, One<T>{*a}, Row<T>{b});
}
template <class T, class Op>
void compare_second_is_one(const T* a, const T* b, bool* out, std::int64_t n) {
  compare<T>(Op(), out, n, Row<T>{a}, One<T>{*b});
}
template <class T, class Op>
constexpr Comparison<T> kComparison{compare_rows<T, Op>, compare_first_is_one<T, Op>, compare_second_is_one<T, Op>};

/// `kUnroll`: 4 if memory is the bottleneck, 1 if the operation is.
template <class T, class Op, int kUnroll>
void unary(const T* a, T* out, std::int64_t n) {
  run<kUnroll>(Op(), out, n, Row<T>{a});
}
template <class T>
void fill(T value, T* out, std::int64_t n) {
  run<4>(Same(), out, n, One<T>{value});
}

template <class T>
constexpr Loops<T> all_loops() {
  Loops<T> all{};
  all.add = kBinary<T, Add>;
  all.sub = kBinary<T, Sub>;
  all.mul = kBinary<T, Mul>;
  all.add_scaled = kScaled<T>;
  all.gt = kComparison<T, Gt>;
  all.ge = kComparison<T, Ge>;
  all.eq = kComparison<T, Eq>;
  all.neg = unary<T, Neg, 4>;
  all.relu = unary<T, Relu, 4>;
  all.fill = fill<T>;
  if constexpr (std::is_floating_point_v<T>) {
    all.div = kBinary<T, Div>;
    all.sqrt = unary<T, Sqrt, 1>;
    all.exp = unary<T, Exp, 1>;
    all.tanh = unary<T, Tanh, 1>;
  }
  return all;
}

template <class T>
const Loops<T> kLoops = all_loops<T>();

void copy_row(const std::uint8_t* from, std::uint8_t* to, std::int64_t bytes) {
  run<4>(Same(), to, bytes, Row<std::uint8_t>{from});
}

const Loops<float>* of_float() { return &kLoops<float>; }
const Loops<double>* of_double() { return &kLoops<double>; }
const Loops<std::int32_t>* of_int32() { return &kLoops<std::int32_t>; }
const Loops<std::int64_t>* of_int64() { return &kLoops<std::int64_t>; }

}  // namespace
}  // namespace plumbline::optimized::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plumbline::optimized::simd {

HWY_EXPORT(of_float);
HWY_EXPORT(of_double);
HWY_EXPORT(of_int32);
HWY_EXPORT(of_int64);
HWY_EXPORT(copy_row);

template <>
const Loops<float>& loops<float>() {
  static const Loops<float>* const chosen = HWY_DYNAMIC_DISPATCH(of_float)();
  return *chosen;
}
template <>
const Loops<double>& loops<double>() {
  static const Loops<double>* const chosen = HWY_DYNAMIC_DISPATCH(of_double)();
  return *chosen;
}
template <>
const Loops<std::int32_t>& loops<std::int32_t>() {
  static const Loops<std::int32_t>* const chosen = HWY_DYNAMIC_DISPATCH(of_int32)();
  return *chosen;
}
template <>
const Loops<std::int64_t>& loops<std::int64_t>() {
  static const Loops<std::int64_t>* const chosen = HWY_DYNAMIC_DISPATCH(of_int64)();
  return *chosen;
}

void copy(const std::byte* from, std::byte* to, std::int64_t bytes) {
  HWY_DYNAMIC_DISPATCH(copy_row)
  (reinterpret_cast<const std::uint8_t*>(from), reinterpret_cast<std::uint8_t*>(to), bytes);
}

}  // namespace plumbline::optimized::simd
#endif
