// The arguments of views: indices, ends of slices, windows, pieces, sizes and strides.
#include <algorithm>
#include <array>
#include <numeric>

#include "fuzz/meaning.h"

namespace plumbline::fuzz {

namespace {

Value index(Scene& s) {
  const std::int64_t size = std::max<std::int64_t>(s.extent(), 1);
  const auto at = static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(size)));
  return s.choices.one_in(4) ? at - size : at;
}

/// An end of a slice: any integer is legal.
Value slice_end(Scene& s) {
  const std::int64_t size = s.extent();
  const std::size_t pick = s.choices.below(static_cast<std::size_t>(2 * size + 4));
  if (pick == 0) return None{};
  return static_cast<std::int64_t>(pick) - size - 1;
}

/// Several pieces, or one that is almost the whole.
constexpr std::int64_t kManyToWalk = 8;

Value step(Scene& s) { return static_cast<std::int64_t>(1 + s.choices.below(3)); }

Value start(Scene& s) { return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(s.extent() + 1))); }
Value length(Scene& s) {
  const std::int64_t left = s.extent() - s.integer("start");
  return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(std::max<std::int64_t>(left, 0) + 1)));
}
Value window(Scene& s) {
  const std::int64_t extent = s.extent();
  if (extent <= kManyToWalk) return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(extent + 1)));
  const auto picked = static_cast<std::int64_t>(s.choices.below(7));
  return picked < 4 ? picked + 1 : extent - (picked - 4);  // between them a view has many more elements than its base
}
Value piece(Scene& s) {
  const auto picked = static_cast<std::int64_t>(1 + s.choices.below(3));
  return s.extent() <= kManyToWalk ? picked : (s.extent() + picked) / picked;
}
Value diagonal_offset(Scene& s) {
  constexpr std::array<std::int64_t, 5> offsets{0, 1, -1, 2, -2};
  return offsets[s.choices.below(offsets.size())];
}

/// How far a dimension of one element is expanded.
std::int64_t stretched(Scene& s) {
  constexpr std::array<std::int64_t, 3> wide{17, 64, 8};
  const std::size_t pick = s.choices.below(3);
  return s.choices.wide() ? wide[pick] : static_cast<std::int64_t>(pick + 1);
}

Value expanded_sizes(Scene& s) {
  Sizes sizes = s.sizes();
  for (std::int64_t& size : sizes) {
    if (size == 1)
      size = stretched(s);
    else if (s.choices.one_in(4))
      size = -1;
  }
  for (std::size_t added = s.choices.below(3); added > 1 && sizes.size() < 3; --added)
    sizes.insert(sizes.begin(), static_cast<std::int64_t>(s.choices.below(3)));
  return sizes;
}

/// Sizes with as many elements as the first argument has; perhaps one of them -1.
Value viewed_sizes(Scene& s) {
  const Sizes own = s.sizes();
  const std::int64_t count = std::accumulate(own.begin(), own.end(), std::int64_t{1}, std::multiplies<>());
  Sizes sizes{count};
  const std::size_t shape = s.choices.below(5);
  if (shape == 1) sizes = own;
  if (shape == 2) sizes = {1, count};
  for (const std::int64_t factor : {2, 3})
    if (shape >= 3 && count != 0 && count % factor == 0)
      sizes = shape == 3 ? Sizes{factor, count / factor} : Sizes{count / factor, factor};
  if (shape >= 2 && s.choices.wide()) sizes = factors_of(count, s.choices);
  if (count == 0) return sizes;
  if (!sizes.empty() && s.choices.one_in(4)) sizes[s.choices.below(sizes.size())] = -1;
  return sizes;
}

Value strided_sizes(Scene& s) {
  if (s.available() <= s.offset()) return s.choices.one_in(2) ? Sizes{0, 2} : Sizes{0};
  Sizes sizes(2 - s.choices.below(3));
  constexpr std::array<std::int64_t, 4> wide{7, 17, 33, 8};
  for (std::int64_t& size : sizes) {
    const std::size_t pick = s.choices.below(4);
    size = s.choices.wide() ? wide[pick] : static_cast<std::int64_t>(1 + pick) % 4;
  }
  return sizes;
}

/// Strides that stay inside the storage: row-major ones if they do, else ones that may overlap.
Value strides(Scene& s) {
  const Sizes& sizes = s.integers("size");
  std::int64_t left = s.available() - 1 - s.offset();
  Sizes result(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t row_major = i + 1 < sizes.size() ? sizes[i + 1] * result[i + 1] : 1;
    const std::int64_t most = sizes[i] > 1 ? left / (sizes[i] - 1) : 3;
    const bool free = s.choices.one_in(3);
    result[i] = free ? static_cast<std::int64_t>(
                           s.choices.below(static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, 4) + 1)))
                     : std::clamp<std::int64_t>(row_major, 0, std::max<std::int64_t>(most, 0));
    left -= std::max<std::int64_t>(sizes[i] - 1, 0) * result[i];
  }
  return result;
}

Value storage_offset(Scene& s) {
  const std::size_t pick = s.choices.below(4);
  if (pick < 2) return None{};
  const Sizes& sizes = s.integers("size");
  const Sizes& steps = s.integers("stride");
  std::int64_t left = s.available() - 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) left -= (sizes[i] - 1) * steps[i];
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(pick) - 2, 0, std::max<std::int64_t>(left, 0));
}

constexpr std::array kViewMeanings{
    Meaning{"view", "size", viewed_sizes},
    Meaning{"expand", "size", expanded_sizes},
    Meaning{"as_strided", "size", strided_sizes},
    Meaning{"as_strided", "stride", strides},
    Meaning{"as_strided", "storage_offset", storage_offset},
    Meaning{"unfold", "size", window},
    Meaning{"", "index", index},
    Meaning{"slice", "start", slice_end},
    Meaning{"slice", "end", slice_end},
    Meaning{"", "step", step},
    Meaning{"narrow", "start", start},
    Meaning{"", "length", length},
    Meaning{"", "split_size", piece},
    Meaning{"diagonal", "offset", diagonal_offset},
};

}  // namespace

std::span<const Meaning> view_meanings() { return kViewMeanings; }

}  // namespace plumbline::fuzz
