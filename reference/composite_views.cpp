// Composite ops by schema that return views, as the ops that they call. What they refuse, the implementation's own run
// says.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>

#include "reference/by_schema.h"
#include "reference/composite.h"
#include "reference/functorch/functorch.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

namespace {

using Results = std::vector<TensorId>;

Sizes sizes_of_self(const CompositeRun& run) { return sizes_of(run.tensor(run.arguments().tensor(0)).geometry); }
Value self_of(CompositeRun& run) { return run.value(run.arguments().tensor(0)); }

/// A call that the op refuses, or that it answers otherwise: the plain run says how.
Results as_told(CompositeRun& run) {
  if (functorch::is_on_top(run.state()) || run.state().dispatched != nullptr)
    refuse_by_schema(run.op(), " with these arguments, in a functionalized body");
  return run.own_kernels(run.op());
}

/// A dimension counted from 0, or nothing if it is out of range.
std::optional<std::size_t> counted(std::int64_t dim, std::size_t rank) {
  const auto all = static_cast<std::int64_t>(rank);
  if (dim < -all || dim >= all) return std::nullopt;
  return static_cast<std::size_t>(dim < 0 ? dim + all : dim);
}

/// A single call of `op` with the same arguments.
template <OpId op>
Results renamed(CompositeRun& run) {
  const auto values = run.arguments().values();
  return run.calls(op, {values.begin(), values.end()});
}

// [aten/src/ATen/native/TensorShape.cpp, movedim]
Results move_dimensions(CompositeRun& run) {
  const std::size_t rank = sizes_of_self(run).size();
  const auto from = run.arguments().integers(1);
  const auto to = run.arguments().integers(2);
  if (from.size() != to.size()) return as_told(run);
  std::vector<std::optional<std::size_t>> places(rank);  // by place in the result: the dimension of self
  std::set<std::size_t> moved;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto source = counted(from[i], rank), place = counted(to[i], rank);
    if (!source || !place || places[*place] || !moved.insert(*source).second) return as_told(run);
    places[*place] = source;
  }
  if (rank == 0) return as_told(run);
  Sizes order;
  std::size_t rest = 0;
  for (const auto& place : places) {
    while (!place && moved.contains(rest)) ++rest;
    order.push_back(static_cast<std::int64_t>(place ? *place : rest++));
  }
  return {run.call(OpId::permute, {self_of(run), order})};
}

// [aten/src/ATen/native/TensorShape.cpp, broadcast_to]
Results broadcast_to(CompositeRun& run) {
  return {run.call(OpId::expand, {self_of(run), run.arguments().integers(1), false})};
}

/// The last two dimensions change places, and complex elements are conjugated if `conjugates`
/// [aten/src/ATen/native/TensorShape.cpp, _adjoint].
template <bool conjugates>
Results turned(CompositeRun& run) {
  if (sizes_of_self(run).size() < 2) return as_told(run);
  const TensorId view = run.call(OpId::transpose_int, {self_of(run), std::int64_t{-2}, std::int64_t{-1}});
  if (!conjugates || !is_complex(run.tensor(view).dtype)) return {view};
  return {run.call(OpId::conj, {run.value(view)})};
}
Results matrix_adjoint(CompositeRun& run) { return sizes_of_self(run).size() == 2 ? turned<true>(run) : as_told(run); }
// [aten/src/ATen/native/TensorShape.cpp, numpy_T]
Results reversed(CompositeRun& run) {
  Sizes order(sizes_of_self(run).size());
  std::iota(order.rbegin(), order.rend(), 0);
  return {run.call(OpId::permute, {self_of(run), order})};
}

// [aten/src/ATen/native/TensorShape.cpp, ravel]
Results ravel(CompositeRun& run) {
  const TensorId whole = run.call(OpId::contiguous, {self_of(run), kContiguousFormat});
  return {run.call(OpId::view, {run.value(whole), Sizes{-1}})};
}
// [aten/src/ATen/native/TensorShape.cpp, reshape_as]
Results reshape_as(CompositeRun& run) {
  const Sizes sizes = sizes_of(run.tensor(run.arguments().tensor(1)).geometry);
  return {run.call(OpId::reshape, {self_of(run), sizes})};
}
// [aten/src/ATen/native/TensorShape.cpp, unflatten_impl]
Results unflatten(CompositeRun& run) {
  Sizes shape = sizes_of_self(run);
  const auto dim = counted(run.arguments().integer(1), shape.size());
  Sizes parts = run.arguments().integers(2);
  if (!dim || parts.empty() || std::ranges::any_of(parts, [](std::int64_t size) { return size < -1; }))
    return as_told(run);
  const auto open = std::ranges::find(parts, -1);
  if (open != parts.end()) {
    if (std::ranges::count(parts, -1) > 1) return as_told(run);
    *open = 1;
    const std::int64_t known = element_count(parts);
    if (known == 0) return as_told(run);
    *open = shape[*dim] / known;
  }
  if (element_count(parts) != shape[*dim]) return as_told(run);
  const auto place = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*dim));
  shape.insert(place, parts.begin(), parts.end());
  return {run.call(OpId::view, {self_of(run), shape})};
}
/// Slices of self along `dim` that end before each of `ends` [aten/src/ATen/native/TensorShape.cpp, tensor_split].
Results slices(CompositeRun& run, std::size_t dim, const Sizes& ends) {
  Results made;
  std::int64_t start = 0;
  for (const std::int64_t end : ends) {
    made.push_back(
        run.call(OpId::slice_Tensor, {self_of(run), static_cast<std::int64_t>(dim), start, end, std::int64_t{1}}));
    start = end;
  }
  return made;
}
/// Pieces of nearly equal lengths.
Results sections(CompositeRun& run, std::size_t dim, std::int64_t count) {
  const std::int64_t extent = sizes_of_self(run)[dim];
  Sizes ends;
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < count; ++i) ends.push_back(end += extent / count + (i < extent % count ? 1 : 0));
  return slices(run, dim, ends);
}
/// Pieces between the indices.
Results pieces(CompositeRun& run, std::size_t dim, Sizes indices) {
  indices.push_back(sizes_of_self(run)[dim]);
  return slices(run, dim, indices);
}
Results split_sections(CompositeRun& run) {
  const auto dim = counted(run.arguments().integer(2), sizes_of_self(run).size());
  const std::int64_t count = run.arguments().integer(1);
  return dim && count > 0 ? sections(run, *dim, count) : as_told(run);
}
Results split_indices(CompositeRun& run) {
  const auto dim = counted(run.arguments().integer(2), sizes_of_self(run).size());
  return dim ? pieces(run, *dim, run.arguments().integers(1)) : as_told(run);
}

/// hsplit, vsplit, dsplit: the dimension that tensor_split cuts, or nothing if self has too few.
std::optional<std::size_t> cut_dimension(const CompositeRun& run) {
  const char which = run.arguments().op().name.front();
  const std::size_t rank = sizes_of_self(run).size();
  const std::size_t needed = which == 'h' ? 1 : which == 'v' ? 2 : 3;
  if (rank < needed) return std::nullopt;
  if (which == 'h') return rank == 1 ? 0 : 1;
  return which == 'v' ? 0 : 2;
}
// [aten/src/ATen/native/TensorShape.cpp, hsplit, vsplit, dsplit]
Results split_evenly(CompositeRun& run) {
  const auto dim = cut_dimension(run);
  const std::int64_t count = run.arguments().integer(1);
  const bool fits = dim && count > 0 && sizes_of_self(run)[*dim] % count == 0;
  return fits ? sections(run, *dim, count) : as_told(run);
}
Results split_at(CompositeRun& run) {
  const auto dim = cut_dimension(run);
  return dim ? pieces(run, *dim, run.arguments().integers(1)) : as_told(run);
}

/// The other overloads of `to`, for tensors that stay on their device
/// [aten/src/ATen/native/TensorConversions.cpp, to_impl].
Results to_other(CompositeRun& run) {
  const Arguments& of = run.arguments();
  const auto& values = of.values();
  return run.calls(OpId::to_dtype, {self_of(run), run.tensor(of.tensor(1)).dtype, values[2], values[3], values[4]});
}

}  // namespace

std::span<const CompositeEntry> view_composites() {
  static constexpr std::array entries{CompositeEntry{OpId::swapaxes, renamed<OpId::transpose_int>},
                                      CompositeEntry{OpId::swapdims, renamed<OpId::transpose_int>},
                                      CompositeEntry{OpId::moveaxis_int, renamed<OpId::movedim_int>},
                                      CompositeEntry{OpId::moveaxis_intlist, move_dimensions},
                                      CompositeEntry{OpId::movedim_intlist, move_dimensions},
                                      CompositeEntry{OpId::broadcast_to, broadcast_to},
                                      CompositeEntry{OpId::adjoint, turned<true>},
                                      CompositeEntry{OpId::mH, turned<true>},
                                      CompositeEntry{OpId::mT, turned<false>},
                                      CompositeEntry{OpId::matrix_H, matrix_adjoint},
                                      CompositeEntry{OpId::numpy_T, reversed},
                                      CompositeEntry{OpId::ravel, ravel},
                                      CompositeEntry{OpId::reshape_as, reshape_as},
                                      CompositeEntry{OpId::unflatten_int, unflatten},
                                      CompositeEntry{OpId::linalg_diagonal, renamed<OpId::diagonal>},
                                      CompositeEntry{OpId::tensor_split_sections, split_sections},
                                      CompositeEntry{OpId::tensor_split_indices, split_indices},
                                      CompositeEntry{OpId::hsplit_int, split_evenly},
                                      CompositeEntry{OpId::vsplit_int, split_evenly},
                                      CompositeEntry{OpId::dsplit_int, split_evenly},
                                      CompositeEntry{OpId::hsplit_array, split_at},
                                      CompositeEntry{OpId::vsplit_array, split_at},
                                      CompositeEntry{OpId::dsplit_array, split_at},
                                      CompositeEntry{OpId::to_other, to_other}};
  return entries;
}

}  // namespace plumbline::reference
