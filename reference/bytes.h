// The elements of a tensor in its storage, which holds another dtype where `view(dtype)` made the tensor: then they are
// the storage's bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/state.h"

namespace plumbline::reference {

/// The elements of a tensor in row-major order.
std::vector<Element> elements_of(const State& state, const Tensor& tensor);
/// Writes them. A place that several elements share keeps the last one.
void write_elements(State& state, const Tensor& tensor, const std::vector<Element>& elements);

/// How many elements of `dtype` a storage holds.
std::int64_t capacity(const Storage& storage, Dtype dtype);
/// Makes a storage hold at least so many elements of `dtype`; those that are new are unspecified.
void grow(Storage& storage, std::int64_t count, Dtype dtype);

/// One byte of memory.
struct Byte {
  std::uint8_t value = 0;
  bool known = false;
};
/// An element's bytes, lowest first. They are not known where the element is not, or is bounded only, or is not a
/// number: of those IEEE leaves the bits free.
std::vector<Byte> bytes_of(const Element& element, Dtype dtype);
/// The element of `dtype` that has these bytes; not known where one of them is not, or where no element has them (a
/// bool of neither 0 nor 1).
Element element_from(const std::vector<Byte>& bytes, Dtype dtype);

}  // namespace plumbline::reference
