// Memory of a device in blocks, which are used again in the order in which they are given back.
#include "optimized/cuda/block_pool.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

namespace {

/// Blocks are multiples of this.
constexpr std::size_t kGrain = 512;
/// Pieces are multiples of this, where the limit allows it.
constexpr std::size_t kPiece = std::size_t{2} << 20U;

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

}  // namespace

std::byte* BlockPool::allocate(std::size_t bytes, std::uint32_t stream) {
  const std::scoped_lock lock(mutex_);
  if (bytes > most_) raise_no_memory(bytes);
  release_late();
  const std::size_t block = rounded_up(bytes, kGrain);
  std::byte* found = allocate_here(block, stream);
  if (found == nullptr) {
    source_.wait();
    release_late();
    give_back();
    found = allocate_here(block, stream);
  }
  if (found == nullptr) raise_no_memory(bytes);
  return found;
}

std::byte* BlockPool::allocate_here(std::size_t block, std::uint32_t stream) {
  const auto smallest = [&] { return free_.lower_bound({stream, block, nullptr}); };
  auto found = smallest();
  const auto fits = [&] { return found != free_.end() && std::get<0>(*found) == stream; };
  if (!fits()) {
    if (!take_piece(block, stream)) return nullptr;
    found = smallest();
  }
  const auto part = parts_.find(std::get<2>(*found));
  set_used(part);
  if (part->second.bytes > block) {
    const auto rest = parts_.emplace(part->first + block, Part{part->second.bytes - block, stream, false, false}).first;
    part->second.bytes = block;
    set_free(rest);
  }
  counts_.in_use += block;
  counts_.most_in_use = std::max(counts_.most_in_use, counts_.in_use);
  ++counts_.blocks;
  return part->first;
}

bool BlockPool::take_piece(std::size_t block, std::uint32_t stream) {
  const std::size_t left = most_ - counts_.taken;
  for (const std::size_t bytes : {rounded_up(block, kPiece), block}) {
    if (bytes > left) continue;
    std::byte* const piece = source_.take(bytes);
    if (piece == nullptr) continue;
    counts_.taken += bytes;
    counts_.most_taken = std::max(counts_.most_taken, counts_.taken);
    set_free(parts_.emplace(piece, Part{bytes, stream, false, true}).first);
    return true;
  }
  return false;
}

void BlockPool::set_free(Parts::iterator part) {
  part->second.free = true;
  free_.emplace(part->second.stream, part->second.bytes, part->first);
}

void BlockPool::set_used(Parts::iterator part) {
  free_.erase({part->second.stream, part->second.bytes, part->first});
  part->second.free = false;
}

bool BlockPool::join(Parts::iterator part) {
  const auto after = std::next(part);
  if (after == parts_.end() || !after->second.free || after->second.first) return false;
  if (after->second.stream != part->second.stream) return false;
  set_used(after);
  set_used(part);
  part->second.bytes += after->second.bytes;
  parts_.erase(after);
  set_free(part);
  return true;
}

void BlockPool::release(std::byte* block) noexcept {
  const std::scoped_lock lock(mutex_);
  if (!release_later(block)) release_now(block);
}

void BlockPool::release_now(std::byte* block) noexcept {
  const auto part = parts_.find(block);
  counts_.in_use -= part->second.bytes;
  set_free(part);
  join(part);
  if (part->second.first) return;
  if (const auto before = std::prev(part); before->second.free) join(before);
}

void BlockPool::use_in(std::byte* block, std::uint32_t stream) {
  const std::scoped_lock lock(mutex_);
  if (parts_.at(block).stream != stream) users_[block].insert(stream);
}

bool BlockPool::release_later(std::byte* block) noexcept {
  const auto users = users_.find(block);
  if (users == users_.end()) return false;
  Late late{block, {}};
  bool marked = true;
  try {
    for (const std::uint32_t stream : users->second) late.marks.push_back(source_.mark(stream));
    late_.push_back(std::move(late));
  } catch (...) {
    source_.wait();  // then no work uses it
    marked = false;
  }
  users_.erase(users);
  return marked;
}

void BlockPool::release_late() noexcept {
  std::erase_if(late_, [this](const Late& late) {
    const bool unused = std::ranges::all_of(late.marks, [](const auto& mark) { return mark->reached(); });
    if (unused) release_now(late.block);
    return unused;
  });
}

void BlockPool::give_back_unused() noexcept {
  const std::scoped_lock lock(mutex_);
  source_.wait();
  release_late();
  give_back();
}

void BlockPool::give_back() noexcept {
  for (auto part = parts_.begin(); part != parts_.end();) {
    const auto after = std::next(part);
    const bool whole = part->second.first && (after == parts_.end() || after->second.first);
    if (whole && part->second.free && !pinned_.contains(part->second.stream)) {
      set_used(part);
      counts_.taken -= part->second.bytes;
      source_.give_back(part->first, part->second.bytes);
      parts_.erase(part);
    }
    part = after;
  }
}

void BlockPool::hand_over(std::uint32_t from, std::uint32_t to, bool all) noexcept {
  const std::scoped_lock lock(mutex_);
  for (auto& [begin, part] : parts_) {
    if (part.stream != from || (!all && !part.free)) continue;
    if (part.free) free_.erase({from, part.bytes, begin});
    part.stream = to;
    if (part.free) free_.emplace(to, part.bytes, begin);
  }
  for (auto part = parts_.begin(); part != parts_.end();)
    if (!part->second.free || !join(part)) ++part;
}

void BlockPool::pin(std::uint32_t stream, bool pinned) {
  const std::scoped_lock lock(mutex_);
  pinned ? void(pinned_.insert(stream)) : void(pinned_.erase(stream));
}

std::optional<BlockPool::NextUse> BlockPool::next_use(std::byte* block) const {
  const std::scoped_lock lock(mutex_);
  const Part& part = parts_.at(block);
  if (users_.contains(block) || pinned_.contains(part.stream)) return std::nullopt;
  return NextUse{part.stream, part.bytes};
}

std::uint32_t BlockPool::stream_of(std::byte* block) const {
  const std::scoped_lock lock(mutex_);
  return parts_.at(block).stream;
}

PoolCounts BlockPool::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

std::size_t BlockPool::size_of(std::byte* block) const {
  const std::scoped_lock lock(mutex_);
  return parts_.at(block).bytes;
}

}  // namespace plumbline::optimized::cuda
