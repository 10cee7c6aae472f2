// Reading elements from memory, so that reading them calls no operator.
#include "sweep/elements.h"

#include <functional>
#include <vector>

namespace plumbline::sweep {

namespace {

constexpr std::size_t kShownBytes = 16384;  // of more, only a hash
constexpr char kSign = static_cast<char>(0x80);

std::string hex(const std::string& raw) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : raw) {
    text += kDigits[static_cast<unsigned char>(c) >> 4U];
    text += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return text;
}

/// Two's complement, the lowest byte first.
void negate(std::string& raw, std::size_t item) {
  unsigned carry = 1;
  for (std::size_t i = raw.size() - item; i < raw.size(); ++i) {
    const unsigned byte = (~static_cast<unsigned>(raw[i]) & 255U) + carry;
    raw[i] = static_cast<char>(byte & 255U);
    carry = byte >> 8U;
  }
}

}  // namespace

std::string bytes_of(const Elements& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.sizes) count *= size;
  const auto room = static_cast<std::int64_t>(tensor.memory.size() / tensor.item);
  std::vector<std::int64_t> index(tensor.sizes.size(), 0);
  std::string raw;
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t at = tensor.offset;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * tensor.strides[d];
    if (at < 0 || at >= room) return "outside memory";
    raw.append(reinterpret_cast<const char*>(tensor.memory.data()) + static_cast<std::size_t>(at) * tensor.item,
               tensor.item);
    // A sign is the last bit of a part, and the imaginary part is the second half.
    if (tensor.is_negated) negate(raw, tensor.item);
    if (tensor.sign_of_imaginary) raw.back() ^= kSign;
    if (tensor.sign_of_real) raw[raw.size() - (tensor.is_complex ? tensor.item / 2 : 0) - 1] ^= kSign;
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.sizes[d]) break;
      index[d] = 0;
    }
  }
  if (raw.size() > kShownBytes) return "#" + std::to_string(std::hash<std::string>()(raw));
  return hex(raw);
}

}  // namespace plumbline::sweep
