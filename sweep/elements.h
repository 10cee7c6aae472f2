// The elements of a tensor as a caller reports them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plumbline::sweep {

/// A tensor's memory, and where its elements lie in it.
struct Elements {
  std::span<const std::int64_t> sizes{}, strides{};
  std::int64_t offset = 0;              ///< in elements
  std::size_t item = 0;                 ///< bytes of one element
  std::span<const std::byte> memory{};  ///< of the storage
  // What a lazy negative or conjugate shows.
  bool sign_of_real = false;       ///< it is flipped: of a floating or complex dtype
  bool is_negated = false;         ///< of an integral dtype
  bool sign_of_imaginary = false;  ///< it is flipped: of a complex dtype
  bool is_complex = false;
};

/// Facts::bytes: the elements in order, hexadecimal; of more than 16384 bytes a hash; what is said instead if an
/// element lies outside the memory.
std::string bytes_of(const Elements& tensor);

}  // namespace plumbline::sweep
