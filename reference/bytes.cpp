// The elements of a tensor in its storage, or the bytes of another dtype's.
#include "reference/bytes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "reference/arithmetic.h"
#include "reference/bits.h"
#include "reference/memory.h"
#include "spec/vocabulary/half.h"

namespace plumbline::reference {

namespace {

std::uint64_t bits_of(const Element& element, Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(element.real));
    case Dtype::float64:
      return std::bit_cast<std::uint64_t>(element.real);
    case Dtype::float16:
    case Dtype::bfloat16:
      return bits_of_half(element.real, dtype);
    default:
      return static_cast<std::uint64_t>(element.integer);
  }
}

Element element_of_bits(std::uint64_t bits, Dtype dtype) {
  switch (dtype) {
    case Dtype::float32:
      return {.real = std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    case Dtype::float64:
      return {.real = std::bit_cast<double>(bits)};
    case Dtype::float16:
    case Dtype::bfloat16:
      return {.real = half_of_bits(static_cast<std::uint16_t>(bits), dtype)};
    case Dtype::int32:
    case Dtype::uint8:
    case Dtype::int8:
    case Dtype::int16:
      return {.integer = wrapped_integer(static_cast<std::int64_t>(bits), dtype)};
    case Dtype::boolean:
      return {.integer = static_cast<std::int64_t>(bits), .known = bits <= 1};
    default:
      break;
  }
  return {.integer = static_cast<std::int64_t>(bits)};
}

/// The bytes from one place of a storage on.
std::vector<Byte> bytes_at(const Storage& storage, std::int64_t first, std::int64_t count) {
  const std::int64_t item = item_size(storage.dtype);
  std::vector<Byte> bytes;
  while (static_cast<std::int64_t>(bytes.size()) < count) {
    const std::int64_t at = first + static_cast<std::int64_t>(bytes.size());
    const std::vector<Byte> held = bytes_of(storage.elements.at(static_cast<std::size_t>(at / item)), storage.dtype);
    for (std::int64_t i = at % item; i < item && static_cast<std::int64_t>(bytes.size()) < count; ++i)
      bytes.push_back(held[static_cast<std::size_t>(i)]);
  }
  return bytes;
}

/// A part of a complex storage's elements, or two elements of a storage of parts, keep bounds and what is unknown.
bool sees_parts(const Storage& storage, const Tensor& tensor) {
  return part_of(storage.dtype) == part_of(tensor.dtype) && is_complex(storage.dtype) != is_complex(tensor.dtype);
}
Element read_parts(const Storage& storage, std::int64_t place) {
  if (is_complex(storage.dtype)) return part(storage.elements.at(static_cast<std::size_t>(place / 2)), place % 2 != 0);
  const auto first = static_cast<std::size_t>(2 * place);
  return joined(storage.elements.at(first), storage.elements.at(first + 1));
}
void write_parts(Storage& storage, std::int64_t place, const Element& element) {
  if (!is_complex(storage.dtype)) {
    const auto first = static_cast<std::size_t>(2 * place);
    storage.elements.at(first) = part(element, false);
    storage.elements.at(first + 1) = part(element, true);
    return;
  }
  Element& whole = storage.elements.at(static_cast<std::size_t>(place / 2));
  const bool imaginary = place % 2 != 0;
  whole = imaginary ? joined(part(whole, false), element) : joined(element, part(whole, true));
}

void write_bytes(Storage& storage, const Tensor& tensor, const std::vector<Element>& elements) {
  const std::int64_t own = item_size(storage.dtype);
  const std::int64_t item = item_size(tensor.dtype);
  std::vector<Byte> memory = bytes_at(storage, 0, own * static_cast<std::int64_t>(storage.elements.size()));
  std::set<std::int64_t> touched;
  const std::vector<std::int64_t> places = places_of(tensor.geometry);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::vector<Byte> bytes = bytes_of(elements[i], tensor.dtype);
    for (std::int64_t b = 0; b < item; ++b) {
      memory.at(static_cast<std::size_t>(places[i] * item + b)) = bytes[static_cast<std::size_t>(b)];
      touched.insert((places[i] * item + b) / own);
    }
  }
  for (const std::int64_t at : touched) {
    const auto first = memory.begin() + at * own;
    storage.elements[static_cast<std::size_t>(at)] = element_from(std::vector<Byte>(first, first + own), storage.dtype);
  }
}

}  // namespace

std::vector<Byte> bytes_of(const Element& element, Dtype dtype) {
  if (is_complex(dtype)) {  // the real part stands first
    std::vector<Byte> bytes = bytes_of(part(element, false), part_of(dtype));
    const std::vector<Byte> second = bytes_of(part(element, true), part_of(dtype));
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
  }
  const bool bounded = is_floating(dtype) && (element.error != 0 || std::isnan(element.real));
  std::uint64_t bits = bits_of(element, dtype);
  std::vector<Byte> bytes(static_cast<std::size_t>(item_size(dtype)));
  for (Byte& byte : bytes) {
    byte = {static_cast<std::uint8_t>(bits & 0xFFU), element.known && !bounded};
    bits >>= 8U;
  }
  return bytes;
}

Element element_from(const std::vector<Byte>& bytes, Dtype dtype) {
  if (is_complex(dtype)) {
    const auto middle = bytes.begin() + item_size(part_of(dtype));
    return joined(element_from({bytes.begin(), middle}, part_of(dtype)),
                  element_from({middle, bytes.end()}, part_of(dtype)));
  }
  if (!std::all_of(bytes.begin(), bytes.end(), [](const Byte& byte) { return byte.known; })) return {.known = false};
  std::uint64_t bits = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) bits = bits << 8U | bytes[i].value;
  return element_of_bits(bits, dtype);
}

std::vector<Element> elements_of(const State& state, const Tensor& tensor) {
  const Storage& storage = state.storages[static_cast<std::size_t>(tensor.storage)];
  const std::vector<std::int64_t> places = places_of(tensor.geometry);
  std::vector<Element> elements;
  elements.reserve(places.size());
  if (storage.dtype == tensor.dtype) {
    for (const std::int64_t place : places) elements.push_back(storage.elements.at(static_cast<std::size_t>(place)));
    return resolved(std::move(elements), tensor);
  }
  const std::int64_t item = item_size(tensor.dtype);
  const bool parts = sees_parts(storage, tensor);
  for (const std::int64_t place : places)
    elements.push_back(parts ? read_parts(storage, place)
                             : element_from(bytes_at(storage, place * item, item), tensor.dtype));
  return resolved(std::move(elements), tensor);
}

void write_elements(State& state, const Tensor& tensor, const std::vector<Element>& given) {
  Storage& storage = state.storages[static_cast<std::size_t>(tensor.storage)];
  const std::vector<Element> elements = resolved(given, tensor);
  const bool parts = sees_parts(storage, tensor);
  if (storage.dtype != tensor.dtype && !parts) return write_bytes(storage, tensor, elements);
  const std::vector<std::int64_t> places = places_of(tensor.geometry);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (parts)
      write_parts(storage, places[i], elements[i]);
    else
      storage.elements.at(static_cast<std::size_t>(places[i])) = elements[i];
}

std::int64_t capacity(const Storage& storage, Dtype dtype) { return bytes_in(storage) / item_size(dtype); }

void grow(Storage& storage, std::int64_t count, Dtype dtype) {
  if (count <= capacity(storage, dtype)) return;
  const std::int64_t own = item_size(storage.dtype);
  const std::int64_t bytes = count * item_size(dtype);
  if (bytes % own != 0) {  // the storage ends inside one of its elements: from here on it holds smaller elements
    Storage smaller{{}, dtype};
    const std::int64_t whole = capacity(storage, dtype);
    for (std::int64_t i = 0; i < whole; ++i)
      smaller.elements.push_back(element_from(bytes_at(storage, i * item_size(dtype), item_size(dtype)), dtype));
    storage = std::move(smaller);
  }
  const auto needed = static_cast<std::size_t>(bytes / item_size(storage.dtype));
  storage.elements.resize(needed, Element{.known = false});
}

}  // namespace plumbline::reference
