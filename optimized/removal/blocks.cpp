// The blocks of memory that storages have on a backend of buffers, and their addresses.
#include "optimized/removal/blocks.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

std::byte* Blocks::add(std::size_t bytes) {
  const auto of = std::max<unsigned>(kLeast, static_cast<unsigned>(std::bit_width(bytes)));
  if (of > kMost) raise_no_memory(bytes);
  Class& its = classes_[of];
  std::uint64_t number = its.blocks.size();
  if (its.free.empty()) {
    if ((number + 1) << of > std::uint64_t{1} << kClassBits) raise_no_memory(bytes);
    its.blocks.emplace_back();
    if (its.free.capacity() < its.blocks.size()) its.free.reserve(2 * its.blocks.size());  // `remove` does not raise
  } else {
    number = its.free.back();
    its.free.pop_back();
  }
  its.blocks[number].bytes = bytes;
  bytes_ += static_cast<std::int64_t>(bytes);
  const std::uint64_t address = first_ + (std::uint64_t{of} << kClassBits) + (number << of);
  return reinterpret_cast<std::byte*>(address);  // NOLINT(performance-no-int-to-ptr): nothing is ever there
}

Blocks::Slot Blocks::slot_of(const std::byte* address) const {
  const std::uint64_t at = reinterpret_cast<std::uint64_t>(address) - first_;
  const std::uint64_t of = at >> kClassBits;
  const std::uint64_t within = at & ((std::uint64_t{1} << kClassBits) - 1);
  const bool known = of <= kMost && (within >> of) < classes_[of].blocks.size();
  if (!known || classes_[of].blocks[within >> of].bytes == 0)
    raise_saying(ErrorClass::unclassified, "internal fault: no block of the device is at this address");
  return {static_cast<unsigned>(of), within >> of, static_cast<std::int64_t>(within & ((std::uint64_t{1} << of) - 1))};
}

Blocks::Place Blocks::find(const std::byte* address) {
  const Slot slot = slot_of(address);
  return {&classes_[slot.of].blocks[slot.number], slot.offset};
}

Block Blocks::remove(const std::byte* address) {
  const Slot slot = slot_of(address);
  Class& its = classes_[slot.of];
  its.free.push_back(static_cast<std::uint32_t>(slot.number));
  Block removed = std::exchange(its.blocks[slot.number], {});
  bytes_ -= static_cast<std::int64_t>(removed.bytes);
  return removed;
}

}  // namespace plumbline::optimized
