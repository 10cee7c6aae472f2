// Ops that move elements: tril, flip, roll, repeat, diag, sort and their kin.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reference/everyday/forms.h"

namespace plumbline::reference::everyday {

namespace {

/// Indices in the order of row-major elements of `sizes`; `see` is given each, with the element's number.
template <class See>
void each_index(const Sizes& sizes, See see) {
  const auto count = static_cast<std::size_t>(element_count(sizes));
  Sizes index(sizes.size(), 0);
  for (std::size_t i = 0; i < count; ++i) {
    see(index, i);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}

/// The number of the row-major element of `sizes` at `index`.
std::size_t number_at(const Sizes& sizes, const Sizes& index) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < sizes.size(); ++d) number = number * sizes[d] + index[d];
  return static_cast<std::size_t>(number);
}

std::vector<std::size_t> wrapped_dims(const std::vector<std::int64_t>& dims, std::size_t rank) {
  std::vector<std::size_t> all;
  for (const std::int64_t dim : dims) {
    const auto extent = static_cast<std::int64_t>(rank);
    cover(dim >= -extent && dim < extent);
    all.push_back(static_cast<std::size_t>(dim < 0 ? dim + extent : dim));
  }
  return all;
}

/// The elements on one side of a diagonal of the last two dimensions, and 0 on the other.
Effect triangle(const KernelCall& call, bool upper) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  cover(sizes.size() >= 2);
  const std::int64_t diagonal = call.arguments.integer(1);
  std::vector<Element> elements = elements_of(call.state, self);
  each_index(sizes, [&](const Sizes& index, std::size_t i) {
    const std::int64_t right = index[index.size() - 1] - index[index.size() - 2] - diagonal;
    if (upper ? right < 0 : right > 0) elements[i] = Element{};
  });
  return made({sizes, row_major(sizes), self.dtype, std::move(elements)});
}
Effect tril(const KernelCall& call) { return triangle(call, false); }
Effect triu(const KernelCall& call) { return triangle(call, true); }

Effect flipped(const KernelCall& call, const std::vector<std::int64_t>& dims) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  std::vector<std::size_t> wrapped = wrapped_dims(dims, sizes.size());
  std::ranges::sort(wrapped);
  cover(std::ranges::adjacent_find(wrapped) == wrapped.end());
  const std::vector<Element> from = elements_of(call.state, self);
  std::vector<Element> elements(from.size());
  each_index(sizes, [&](Sizes index, std::size_t i) {
    for (const std::size_t d : wrapped) index[d] = sizes[d] - 1 - index[d];
    elements[i] = from[number_at(sizes, index)];
  });
  return made({sizes, dense_strides(sizes, strides_of(self.geometry)), self.dtype, std::move(elements)});
}
Effect flip(const KernelCall& call) { return flipped(call, call.arguments.integers(1)); }
Effect fliplr(const KernelCall& call) {
  cover(call.tensor(0).geometry.rank() >= 2);
  return flipped(call, {1});
}
Effect flipud(const KernelCall& call) {
  cover(call.tensor(0).geometry.rank() >= 1);
  return flipped(call, {0});
}

/// Without dimensions it rolls the elements in row-major order. Four or more dimensions are not covered: its pieces may
/// be joined in another order of memory.
Effect roll(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  const std::vector<std::int64_t> shifts = call.arguments.integers(1);
  const std::vector<std::size_t> dims = wrapped_dims(call.arguments.integers(2), sizes.size());
  const std::vector<Element> from = elements_of(call.state, self);
  if (dims.empty() && shifts.size() == 1 && !from.empty()) {
    std::vector<Element> elements = from;
    const auto count = static_cast<std::int64_t>(from.size());
    std::ranges::rotate(elements, elements.end() - (shifts.front() % count + count) % count);
    return made({sizes, row_major(sizes), self.dtype, std::move(elements)});
  }
  cover(!dims.empty() && dims.size() == shifts.size() && sizes.size() < 4 && !from.empty());
  std::vector<Element> elements(from.size());
  each_index(sizes, [&](Sizes index, std::size_t i) {
    for (std::size_t k = 0; k < dims.size(); ++k) {
      const std::int64_t size = sizes[dims[k]];
      index[dims[k]] = ((index[dims[k]] - shifts[k]) % size + size) % size;
    }
    elements[i] = from[number_at(sizes, index)];
  });
  return made({sizes, row_major(sizes), self.dtype, std::move(elements)});
}

Effect repeated(const KernelCall& call, const std::vector<std::int64_t>& repeats) {
  const Tensor& self = call.tensor(0);
  Sizes sizes = sizes_of(self.geometry);
  cover(repeats.size() >= sizes.size() && std::ranges::all_of(repeats, [](std::int64_t n) { return n >= 0; }));
  sizes.insert(sizes.begin(), repeats.size() - sizes.size(), 1);
  Sizes whole = sizes;
  for (std::size_t d = 0; d < whole.size(); ++d) whole[d] *= repeats[d];
  const std::vector<Element> from = elements_of(call.state, self);
  std::vector<Element> elements(static_cast<std::size_t>(element_count(whole)));
  each_index(whole, [&](Sizes index, std::size_t i) {
    for (std::size_t d = 0; d < index.size(); ++d) index[d] %= sizes[d];
    elements[i] = from[number_at(sizes, index)];
  });
  return made({whole, row_major(whole), self.dtype, std::move(elements)});
}
Effect repeat(const KernelCall& call) { return repeated(call, call.arguments.integers(1)); }
Effect tile(const KernelCall& call) {
  std::vector<std::int64_t> repeats = call.arguments.integers(1);
  const auto rank = static_cast<std::size_t>(call.tensor(0).geometry.rank());
  if (repeats.size() < rank) repeats.insert(repeats.begin(), rank - repeats.size(), 1);
  return repeated(call, repeats);
}

/// The last dimension on a diagonal of a square matrix of zeros.
Fresh on_diagonal(const Sizes& sizes, const std::vector<Element>& from, Dtype dtype, std::int64_t offset) {
  Sizes square = sizes;
  square.back() += std::abs(offset);
  square.push_back(square.back());
  std::vector<Element> elements(static_cast<std::size_t>(element_count(square)));
  each_index(sizes, [&](Sizes index, std::size_t i) {
    const std::int64_t at = index.back();
    index.back() = at + std::max<std::int64_t>(-offset, 0);
    index.push_back(at + std::max<std::int64_t>(offset, 0));
    elements[number_at(square, index)] = from[i];
  });
  return {square, row_major(square), dtype, std::move(elements)};
}

/// The diagonal of a matrix.
Fresh diagonal_of(const Sizes& sizes, const std::vector<Element>& from, Dtype dtype, std::int64_t offset) {
  std::vector<Element> elements;
  each_index(sizes, [&](const Sizes& index, std::size_t i) {
    if (index[1] - index[0] == offset) elements.push_back(from[i]);
  });
  const Sizes length{static_cast<std::int64_t>(elements.size())};
  return {length, {1}, dtype, std::move(elements)};
}

Effect diag(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  cover(sizes.size() == 1 || sizes.size() == 2);
  const auto place = sizes.size() == 1 ? on_diagonal : diagonal_of;
  return made(place(sizes, elements_of(call.state, self), self.dtype, call.arguments.integer(1)));
}
Effect diag_embed(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  cover(!sizes.empty() && call.arguments.integer(2) == -2 && call.arguments.integer(3) == -1);
  return made(on_diagonal(sizes, elements_of(call.state, self), self.dtype, call.arguments.integer(1)));
}
Effect diagflat(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes line{element_count(sizes_of(self.geometry))};
  return made(on_diagonal(line, elements_of(call.state, self), self.dtype, call.arguments.integer(1)));
}
Effect trace(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  cover(sizes.size() == 2 && self.dtype != Dtype::boolean);
  const Dtype dtype = is_floating(self.dtype) ? self.dtype : Dtype::int64;
  std::vector<Element> diagonal = diagonal_of(sizes, elements_of(call.state, self), self.dtype, 0).elements;
  for (Element& element : diagonal) element = converted(element, self.dtype, dtype);
  return made({{}, {}, dtype, {call.arithmetic(dtype).sum(diagonal)}});
}

/// The order of a line's elements: NaN is the largest, and equal elements stay in their order. Nothing if the bounds
/// leave it open.
std::optional<std::vector<std::size_t>> order_of(const std::vector<Element>& line, Dtype dtype, bool descending) {
  const Arithmetic in(dtype);
  for (std::size_t i = 0; i < line.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!line[i].known || (i != j && !in.less(line[i], line[j]))) return std::nullopt;
  std::vector<std::size_t> order(line.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto is_nan = [&](const Element& element) { return is_floating(dtype) && element.real != element.real; };
  const auto before = [&](const Element& a, const Element& b) {
    if (is_nan(a) || is_nan(b)) return !is_nan(a) && is_nan(b);
    return in.less(a, b).value_or(false);
  };
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const std::size_t first = descending ? b : a;
    const std::size_t second = descending ? a : b;
    if (before(line[first], line[second])) return true;
    return !before(line[second], line[first]) && a < b;  // equal ones keep their order
  });
  return order;
}

/// Whether two elements that follow each other in a sorted line are equal, or both NaN.
bool is_tied(const Element& a, const Element& b, Dtype dtype) {
  if (!is_floating(dtype)) return a.integer == b.integer;
  return a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
}

/// Values and indices. Where `stable` is not asked for, equal elements are in any order: a vectorized kernel exchanges
/// them [aten/src/ATen/native/cpu/SortingKernel.cpp, can_use_xss_sort].
Effect sorted(const KernelCall& call, std::int64_t given, bool descending, bool stable) {
  const Tensor& self = call.tensor(0);
  Sizes sizes = sizes_of(self.geometry);
  cover(!sizes.empty());
  const std::size_t dim = wrapped_dims({given}, sizes.size()).front();
  const std::vector<Element> from = elements_of(call.state, self);
  std::vector<Element> values(from.size());
  std::vector<Element> indices(from.size());
  Sizes lines = sizes;
  lines[dim] = std::min<std::int64_t>(lines[dim], 1);
  each_index(lines, [&](Sizes index, std::size_t) {
    std::vector<Element> line;
    for (index[dim] = 0; index[dim] < sizes[dim]; ++index[dim]) line.push_back(from[number_at(sizes, index)]);
    const auto order = order_of(line, self.dtype, descending);
    const auto sorted_at = [&](std::size_t k) { return line[(*order)[k]]; };
    for (std::size_t k = 0; k < line.size(); ++k) {
      index[dim] = static_cast<std::int64_t>(k);
      const std::size_t at = number_at(sizes, index);
      values[at] = indices[at] = {.known = false};
      if (!order) continue;
      const bool tied = !stable && ((k > 0 && is_tied(sorted_at(k - 1), sorted_at(k), self.dtype)) ||
                                    (k + 1 < line.size() && is_tied(sorted_at(k), sorted_at(k + 1), self.dtype)));
      values[at] = sorted_at(k);
      if (tied && values[at].real == 0) values[at].error = std::numeric_limits<double>::denorm_min();  // of either sign
      indices[at] = {.integer = static_cast<std::int64_t>((*order)[k]), .known = !tied};
    }
  });
  const Sizes strides = dense_strides(sizes, strides_of(self.geometry));
  Effect effect = made({sizes, strides, self.dtype, std::move(values)});
  effect.fresh.push_back({sizes, strides, Dtype::int64, std::move(indices)});
  return effect;
}
Effect sort(const KernelCall& call) { return sorted(call, call.arguments.integer(1), call.arguments.flag(2), false); }
Effect sort_stable(const KernelCall& call) {
  const bool* const stable = std::get_if<bool>(&call.arguments.values()[1]);
  return sorted(call, call.arguments.integer(2), call.arguments.flag(3), stable != nullptr && *stable);
}
Effect only(Effect effect, std::size_t result) { return made(std::move(effect.fresh[result])); }
Effect argsort(const KernelCall& call) { return only(sort(call), 1); }
Effect argsort_stable(const KernelCall& call) { return only(sort_stable(call), 1); }
Effect msort(const KernelCall& call) { return only(sorted(call, 0, false, false), 0); }

}  // namespace

std::vector<WholeForm> move_forms() {
  return {{"tril", tril},         {"triu", triu},
          {"flip", flip},         {"fliplr", fliplr},
          {"flipud", flipud},     {"roll", roll},
          {"repeat", repeat},     {"tile", tile},
          {"diag", diag},         {"diag_embed", diag_embed},
          {"diagflat", diagflat}, {"trace", trace},
          {"sort", sort},         {"sort.stable", sort_stable},
          {"argsort", argsort},   {"argsort.stable", argsort_stable, true},
          {"msort", msort, true}};
}

}  // namespace plumbline::reference::everyday
