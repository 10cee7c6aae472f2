// Composite ops that reshape: each returns a view if it can, and otherwise a copy or the tensor itself.
#include <algorithm>
#include <array>
#include <numeric>

#include "reference/composite.h"
#include "reference/devices.h"
#include "reference/raise.h"
#include "reference/reshape.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/dev.h"
#include "spec/rules/geo_format.h"
#include "spec/rules/geo_ops.h"

namespace plumbline::reference {

namespace {

/// [aten/src/ATen/native/TensorShape.cpp, reshape]: _reshape_alias is view.
TensorId reshaped(CompositeRun& run, TensorId self, const Sizes& shape) {
  const Geometry& geometry = run.tensor(self).geometry;
  if (is_row_major(sizes_of(geometry), strides_of(geometry)) && reshape_is_view<Concrete>(run.judge(), true).v &&
      !reshape_checks_first(run.judge()).v)
    return run.call(OpId::view, {run.value(self), shape});
  const Sizes sizes = whole_sizes(run.judge(), shape, element_count(sizes_of(geometry)));
  const bool allowed = view_strides(sizes_of(geometry), strides_of(geometry), sizes).has_value();
  if (reshape_is_view<Concrete>(run.judge(), allowed).v) return run.call(OpId::view, {run.value(self), sizes});
  const TensorId copy = run.call(OpId::clone, {run.value(self), kContiguousFormat});
  return run.call(OpId::_unsafe_view, {run.value(copy), sizes});
}
std::vector<TensorId> reshape(CompositeRun& run) {
  return {reshaped(run, run.arguments().tensor(0), run.arguments().integers(1))};
}

// [aten/src/ATen/native/TensorShape.cpp, flatten]
std::vector<TensorId> flatten(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const Sizes sizes = sizes_of(run.tensor(self).geometry);
  const auto start = static_cast<std::size_t>(wrapped_dim(run.judge(), run.arguments().integer(1), sizes.size()));
  const auto end = static_cast<std::size_t>(wrapped_dim(run.judge(), run.arguments().integer(2), sizes.size()));
  if (start > end) raise(ErrorClass::range, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (sizes.empty()) return {reshaped(run, self, {1})};
  if (start == end) return {self};
  Sizes shape(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(start));
  shape.push_back(element_count(
      Sizes(sizes.begin() + static_cast<std::ptrdiff_t>(start), sizes.begin() + static_cast<std::ptrdiff_t>(end) + 1)));
  shape.insert(shape.end(), sizes.begin() + static_cast<std::ptrdiff_t>(end) + 1, sizes.end());
  return {reshaped(run, self, shape)};
}

// [aten/src/ATen/native/TensorProperties.cpp, contiguous]
std::vector<TensorId> contiguous(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const Sizes sizes = sizes_of(run.tensor(self).geometry);
  const Sizes strides = strides_of(run.tensor(self).geometry);
  const MemoryFormat format = format_asked(run.arguments()).value_or(MemoryFormat::contiguous);
  const bool wrapped = std::ranges::any_of(
      run.state().layers, [&](const functorch::Wrappers& layer) { return layer.tensors.contains(self); });
  const bool in_format = is_in_format(sizes, strides, format);
  const bool row_major = is_row_major(sizes, strides);
  const bool there = contiguous_finds_format<Concrete>(run.judge(), in_format, row_major, wrapped).v;
  if (contiguous_is_self<Concrete>(run.judge(), there).v) return {self};
  const bool preserves = format == MemoryFormat::preserve;
  if (check_not_preserve<Concrete>(run.judge(), preserves).v != 0)
    raise(ErrorClass::option, "preserve memory format is unsupported by the contiguous operator");
  return {run.call(OpId::clone, {run.value(self), preserves ? kContiguousFormat : static_cast<std::int64_t>(format)})};
}

// [aten/src/ATen/native/TensorShape.cpp, chunk]
std::vector<TensorId> chunk(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const Sizes sizes = sizes_of(run.tensor(self).geometry);
  const std::int64_t chunks = run.arguments().integer(1);
  const std::int64_t dim = run.arguments().integer(2);
  if (sizes.empty()) raise(ErrorClass::dim_range, "chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0) raise(ErrorClass::range, text("chunk expects `chunks` to be greater than 0, got: ", chunks));
  const std::int64_t extent = sizes[static_cast<std::size_t>(wrapped_dim(run.judge(), dim, sizes.size()))];
  if (extent == 0)  // split would return only one piece
    return run.calls(OpId::split_with_sizes, {run.value(self), Sizes(static_cast<std::size_t>(chunks), 0), dim});
  return run.calls(OpId::split_Tensor, {run.value(self), (extent + chunks - 1) / chunks, dim});
}

// [aten/src/ATen/native/TensorShape.cpp, movedim]
std::vector<TensorId> movedim(CompositeRun& run) {
  const TensorId self = run.arguments().tensor(0);
  const auto rank = static_cast<std::size_t>(run.tensor(self).geometry.rank());
  const int from = wrapped_dim(run.judge(), run.arguments().integer(1), rank);
  const int to = wrapped_dim(run.judge(), run.arguments().integer(2), rank);
  if (rank == 0) return {run.call(OpId::alias, {run.value(self)})};
  Sizes dims(rank);
  std::iota(dims.begin(), dims.end(), 0);
  dims.erase(dims.begin() + from);
  dims.insert(dims.begin() + to, from);
  return {run.call(OpId::permute, {run.value(self), dims})};
}

/// Whether `to` leaves a tensor as it is for this format [aten/src/ATen/native/TensorConversions.cpp, to_will_alias].
bool has_format(CompositeRun& run, TensorId self, MemoryFormat format) {
  if (format == MemoryFormat::preserve) return true;
  const Sizes sizes = sizes_of(run.tensor(self).geometry);
  const Sizes strides = strides_of(run.tensor(self).geometry);
  const bool suggested = suggested_format(sizes, strides) == format;
  return to_finds_format<Concrete>(run.judge(), suggested, is_in_format(sizes, strides, format)).v;
}

/// `to`, whose arguments from `non_blocking` on begin at place `flags`; `device`: the argument, or None
/// [aten/src/ATen/native/TensorConversions.cpp, to_impl]
std::vector<TensorId> to(CompositeRun& run, Dtype dtype, const Value& device, std::size_t flags) {
  const Arguments& of = run.arguments();
  const TensorId self = of.tensor(0);
  const auto format = format_asked(of);
  bool same = run.tensor(self).dtype == dtype && (!format || has_format(run, self, *format));
  const auto wanted = device_asked(run.state(), of.op(), of.values());
  if (wanted && run.state().two_devices)
    same = same && to_stays<Concrete>(run.judge(), *wanted == run.tensor(self).device).v;
  if (to_is_self<Concrete>(run.judge(), same, of.flag(flags + 1)).v) return {self};
  const Value asked = format ? Value(static_cast<std::int64_t>(*format)) : Value(None{});
  return {run.call(OpId::_to_copy, {run.value(self), dtype, None{}, device, None{}, of.flag(flags), asked})};
}
std::vector<TensorId> to_dtype(CompositeRun& run) { return to(run, *run.arguments().dtype(1), None{}, 2); }
std::vector<TensorId> to_dtype_layout(CompositeRun& run) {
  const Arguments& of = run.arguments();
  if (!std::holds_alternative<None>(of.values()[4])) throw ReferenceLimit("to(…, pin_memory=…)");
  return to(run, of.dtype(1).value_or(run.tensor(of.tensor(0)).dtype), of.values()[3], 5);
}

}  // namespace

std::span<const CompositeEntry> reshape_composites() {
  static constexpr std::array entries{CompositeEntry{OpId::reshape, reshape},
                                      CompositeEntry{OpId::flatten_using_ints, flatten},
                                      CompositeEntry{OpId::contiguous, contiguous},
                                      CompositeEntry{OpId::chunk, chunk},
                                      CompositeEntry{OpId::movedim_int, movedim},
                                      CompositeEntry{OpId::to_dtype, to_dtype},
                                      CompositeEntry{OpId::to_dtype_layout, to_dtype_layout}};
  return entries;
}

}  // namespace plumbline::reference
