// Memory: which storage places a geometry reaches, and how operands overlap.
#include "reference/memory.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <unordered_set>

#include "reference/raise.h"

namespace plumbline::reference {

namespace {

Sizes plain(const Dims<Concrete>& dims) {
  const auto numbers = std::views::transform(dims, &Num<Concrete>::v);
  return {numbers.begin(), numbers.end()};
}

Dims<Concrete> dims_of(const Sizes& numbers) { return {numbers.begin(), numbers.end()}; }

}  // namespace

Sizes sizes_of(const Geometry& geometry) { return plain(geometry.sizes); }
Sizes strides_of(const Geometry& geometry) { return plain(geometry.strides); }

Geometry geometry_of(const Sizes& sizes, const Sizes& strides, std::int64_t offset) {
  return {dims_of(sizes), dims_of(strides), Num<Concrete>::of(offset)};
}

namespace {

template <class Numbers>
std::int64_t count_of(const Numbers& sizes) {
  const bool none = std::ranges::any_of(sizes, [](std::int64_t size) { return size <= 0; });
  std::int64_t count = 1;
  for (const std::int64_t size : sizes)
    if (__builtin_mul_overflow(count, std::max<std::int64_t>(size, 1), &count) || (!none && count > kMostElements))
      throw ReferenceLimit(text("a tensor of more than ", kMostElements, " elements"));
  return none ? 0 : count;
}

}  // namespace

std::int64_t element_count(const Sizes& sizes) { return count_of(sizes); }

Sizes row_major(const Sizes& sizes) { return plain(contiguous_strides<Concrete>(dims_of(sizes))); }

std::vector<std::int64_t> places_of(const Geometry& geometry) {
  const auto count = static_cast<std::size_t>(count_of(std::views::transform(geometry.sizes, &Num<Concrete>::v)));
  std::vector<std::int64_t> places(count);
  if (count == 0) return places;
  places[0] = geometry.offset.v;
  std::size_t made = 1;  // the places of the last dimensions, which repeat along each one before them
  for (int dim = geometry.rank(); dim-- > 0;) {
    const std::size_t block = made;
    for (std::int64_t i = 1; i < geometry.sizes[dim].v; ++i)
      for (std::size_t j = 0; j < block; ++j) places[made++] = places[j] + i * geometry.strides[dim].v;
  }
  return places;
}

bool is_dense(const Sizes& sizes, const Sizes& strides) {
  if (element_count(sizes) == 0) return true;
  if (sizes.size() == 1) return sizes[0] < 2 || strides[0] == 1;
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (sizes[a] < 2) return false;
    if (sizes[b] < 2) return true;
    return strides[a] < strides[b];
  });
  std::int64_t step = 1;
  for (const std::size_t dim : order) {
    if (sizes[dim] < 2) return true;
    if (strides[dim] != step) return false;
    step *= sizes[dim];
  }
  return true;
}

bool is_row_major(const Sizes& sizes, const Sizes& strides) {
  if (element_count(sizes) == 0) return true;
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] == 1) continue;
    if (strides[i] != step) return false;
    step *= sizes[i];
  }
  return true;
}

Geometry broadcast_to(const Geometry& geometry, const Sizes& sizes) {
  Geometry stretched = geometry_of(sizes, Sizes(sizes.size(), 0), geometry.offset.v);
  const std::size_t added = sizes.size() - geometry.sizes.size();
  for (std::size_t i = 0; i < geometry.sizes.size(); ++i)
    if (geometry.sizes[i].v == sizes[added + i]) stretched.strides[added + i] = geometry.strides[i];
  return stretched;
}

namespace {

/// The half-open range of places that a tensor reaches.
std::pair<std::int64_t, std::int64_t> extent(const Geometry& geometry) {
  std::int64_t last = geometry.offset.v;
  for (int i = 0; i < geometry.rank(); ++i) last += (geometry.sizes[i].v - 1) * geometry.strides[i].v;
  return {geometry.offset.v, last + 1};
}

/// The first byte of each of a tensor's elements, in row-major order.
std::vector<std::int64_t> byte_places(const Tensor& tensor) {
  std::vector<std::int64_t> places = places_of(tensor.geometry);
  for (std::int64_t& place : places) place *= item_size(tensor.dtype);
  return places;
}

/// A step that divides the item sizes of both tensors; they are compared in units of that many bytes.
std::int64_t common_step(const Tensor& a, std::span<const Tensor> others) {
  std::int64_t step = item_size(a.dtype);
  for (const Tensor& other : others) step = std::min(step, item_size(other.dtype));
  return step;
}

}  // namespace

Overlap overlap_between(const Tensor& a, const Tensor& b) {
  const Sizes a_sizes = sizes_of(a.geometry);
  const Sizes b_sizes = sizes_of(b.geometry);
  if (a.storage != b.storage || element_count(a_sizes) == 0 || element_count(b_sizes) == 0) return Overlap::none;
  if (!is_dense(a_sizes, strides_of(a.geometry)) || !is_dense(b_sizes, strides_of(b.geometry))) return Overlap::unseen;
  const auto in_bytes = [](const Tensor& tensor) {
    const auto [begin, end] = extent(tensor.geometry);
    return std::pair(begin * item_size(tensor.dtype), end * item_size(tensor.dtype));
  };
  const auto [a_begin, a_end] = in_bytes(a);
  const auto [b_begin, b_end] = in_bytes(b);
  if (a_begin == b_begin && a_end == b_end)
    return strides_of(a.geometry) == strides_of(b.geometry) ? Overlap::full : Overlap::partial;
  return a_begin < b_end && b_begin < a_end ? Overlap::partial : Overlap::none;
}

bool share_memory(const Tensor& a, const Tensor& b) {
  if (a.storage != b.storage) return false;
  const std::int64_t step = common_step(a, {&b, 1});
  std::unordered_set<std::int64_t> taken;
  for (const std::int64_t place : byte_places(a))
    for (std::int64_t at = place; at < place + item_size(a.dtype); at += step) taken.insert(at);
  for (const std::int64_t place : byte_places(b))
    for (std::int64_t at = place; at < place + item_size(b.dtype); at += step)
      if (taken.contains(at)) return true;
  return false;
}

bool repeats_places(const Geometry& geometry) {
  if (is_dense(sizes_of(geometry), strides_of(geometry))) return false;
  std::vector<std::int64_t> places = places_of(geometry);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

OverlapFacts<Concrete> overlap_facts(const Tensor& written, std::span<const Tensor* const> read, bool idempotent) {
  OverlapFacts<Concrete> facts;
  facts.idempotent = idempotent;
  const Sizes sizes = sizes_of(written.geometry);
  const Sizes strides = strides_of(written.geometry);
  if (is_dense(sizes, strides) && std::none_of(read.begin(), read.end(), [&](const Tensor* t) {
        return t != &written && t->storage == written.storage;
      }))
    return facts;
  bool repeats = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) repeats = repeats || (strides[i] == 0 && sizes[i] > 1);
  facts.repeats = repeats && !is_dense(sizes, strides);
  bool partial = false;
  for (const Tensor* tensor : read)
    partial = partial || (tensor != &written && overlap_between(written, *tensor) == Overlap::partial);
  facts.partial = partial;
  facts.hidden = true;  // `order_dependent` finds by enumeration whether anything really depends on the order
  return facts;
}

std::vector<bool> order_dependent(const Tensor& written, std::span<const Tensor> read) {
  const std::vector<std::int64_t> places = byte_places(written);
  std::vector<bool> depends(places.size());
  if (places.empty()) return depends;
  const std::int64_t step = common_step(written, read);  // it divides all places
  const auto [first, last] = std::ranges::minmax(places);
  constexpr std::size_t kNone = static_cast<std::size_t>(-1), kSeveral = kNone - 1;
  std::vector<std::size_t> writer(static_cast<std::size_t>((last + item_size(written.dtype) - first) / step), kNone);
  const auto place_at = [&](std::int64_t at) { return static_cast<std::size_t>((at - first) / step); };
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::int64_t at = places[i]; at < places[i] + item_size(written.dtype); at += step) {
      std::size_t& one = writer[place_at(at)];
      one = one == kNone ? i : kSeveral;
    }
  for (std::size_t i = 0; i < places.size(); ++i) depends[i] = writer[place_at(places[i])] == kSeveral;
  for (const Tensor& tensor : read) {
    if (tensor.storage != written.storage) continue;
    const std::vector<std::int64_t> sources = byte_places(tensor);
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::int64_t at = sources[i]; at < sources[i] + item_size(tensor.dtype); at += step) {
        if (at < first || place_at(at) >= writer.size()) continue;
        const std::size_t one = writer[place_at(at)];
        if (one != kNone && one != i) depends[i] = true;
      }
    }
  }
  return depends;
}

}  // namespace plumbline::reference
