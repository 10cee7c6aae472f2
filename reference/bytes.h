// The elements of a tensor in its storage. If `view(dtype)` made the tensor, the storage has another dtype, and the
// elements are read from its bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference {

/// The elements of a tensor in row-major order.
std::vector<Element> elements_of(const State& state, const Tensor& tensor);
/// Writes the elements. A place that several elements share keeps the last one.
void write_elements(State& state, const Tensor& tensor, const std::vector<Element>& elements);

/// How many bytes a storage has: where it ends inside an element of the dtype, more than the whole ones.
inline std::int64_t bytes_in(const Storage& storage) {
  return static_cast<std::int64_t>(storage.elements.size()) * item_size(storage.dtype);
}
/// How many elements of `dtype` a storage holds.
std::int64_t capacity(const Storage& storage, Dtype dtype);
/// Enlarges a storage to at least that many elements of `dtype`; new elements are unspecified.
void grow(Storage& storage, std::int64_t count, Dtype dtype);

/// One byte of memory.
struct Byte {
  std::uint8_t value = 0;
  bool known = false;
};
/// An element's bytes, lowest first. They are unknown if the element is unknown, bounded or NaN (whose bits IEEE leaves
/// open).
std::vector<Byte> bytes_of(const Element& element, Dtype dtype);
/// The element of `dtype` with these bytes; unknown if a byte is unknown, or if no element has them (a bool that is
/// neither 0 nor 1).
Element element_from(const std::vector<Byte>& bytes, Dtype dtype);

}  // namespace plumbline::reference
