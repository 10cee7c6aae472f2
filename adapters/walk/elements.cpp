// Reading values from memory by sizes and strides.
#include "adapters/walk/elements.h"

#include <complex>
#include <string>
#include <vector>

#include "adapters/walk/unsupported.h"
#include "spec/vocabulary/half.h"

namespace plumbline::walk {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 20;

/// Appends every element, as `read` makes it of the T in memory.
template <class T, class Out, class Read>
void walk(const Layout& t, const void* storage, std::vector<Out>& out, const Read& read) {
  const auto* data = static_cast<const T*>(storage);
  std::vector<std::int64_t> index(t.sizes.size(), 0);
  std::int64_t at = t.offset;
  out.reserve(static_cast<std::size_t>(t.numel));
  for (std::int64_t left = t.numel; left > 0; --left) {
    out.push_back(read(data[at]));
    for (std::size_t d = t.sizes.size(); d-- > 0;) {
      at += t.strides[d];
      if (++index[d] < t.sizes[d]) break;
      at -= t.strides[d] * t.sizes[d];
      index[d] = 0;
    }
  }
}

template <class T, class Out>
void walk(const Layout& t, const void* storage, std::vector<Out>& out) {
  walk<T>(t, storage, out, [](T element) { return static_cast<Out>(element); });
}

/// The same for complex elements, each of which is two T.
template <class T>
void walk_parts(const Layout& t, const void* storage, std::vector<double>& out) {
  std::vector<std::complex<T>> elements;
  walk<std::complex<T>>(t, storage, elements);
  for (const std::complex<T>& element : elements) out.insert(out.end(), {element.real(), element.imag()});
}

/// Whether every element is in the storage; false if an offset does not fit in 64 bits.
bool in_storage(const Layout& t, std::int64_t item, std::int64_t bytes) {
  if (t.numel == 0) return true;
  std::int64_t first = t.offset, last = first, needed = 0;
  for (std::size_t d = 0; d < t.sizes.size(); ++d) {
    std::int64_t span = 0;
    std::int64_t& end = t.strides[d] < 0 ? first : last;
    if (__builtin_mul_overflow(t.sizes[d] - 1, t.strides[d], &span) || __builtin_add_overflow(end, span, &end))
      return false;
  }
  return first >= 0 && !__builtin_add_overflow(last, 1, &last) && !__builtin_mul_overflow(last, item, &needed) &&
         needed <= bytes;
}

}  // namespace

Reading values(const Layout& layout, Dtype dtype, const void* storage, std::int64_t bytes) {
  if (layout.numel > kMostElements)
    throw Unsupported{"a tensor of " + std::to_string(layout.numel) + " elements; values are read up to " +
                      std::to_string(kMostElements)};
  if (!in_storage(layout, item_size(dtype), bytes))
    return Failure{ErrorClass::unclassified,
                   "the elements reach beyond the storage of " + std::to_string(bytes) + " bytes", "RuntimeError"};
  Values values;
  switch (dtype) {
    case Dtype::float32:
      walk<float>(layout, storage, values.floats);
      break;
    case Dtype::float64:
      walk<double>(layout, storage, values.floats);
      break;
    case Dtype::int64:
      walk<std::int64_t>(layout, storage, values.integers);
      break;
    case Dtype::int32:
      walk<std::int32_t>(layout, storage, values.integers);
      break;
    case Dtype::boolean:
    case Dtype::uint8:
      walk<std::uint8_t>(layout, storage, values.integers);  // a bool that is a view may have any byte here
      break;
    case Dtype::int8:
      walk<std::int8_t>(layout, storage, values.integers);
      break;
    case Dtype::int16:
      walk<std::int16_t>(layout, storage, values.integers);
      break;
    case Dtype::float16:
    case Dtype::bfloat16:
      walk<std::uint16_t>(layout, storage, values.floats,
                          [dtype](std::uint16_t bits) { return half_of_bits(bits, dtype); });
      break;
    case Dtype::complex64:
      walk_parts<float>(layout, storage, values.floats);
      break;
    case Dtype::complex128:
      walk_parts<double>(layout, storage, values.floats);
      break;
  }
  return values;
}

}  // namespace plumbline::walk
