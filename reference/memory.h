// Memory: the storage places of a geometry, overlapping operands, and the layout of new results.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/state.h"
#include "spec/rules/geo_memory.h"
#include "spec/vocabulary/memory_format.h"

namespace plumbline::reference {

/// The most elements of one tensor that the reference supports.
inline constexpr std::int64_t kMostElements = std::int64_t{1} << 22;

Sizes sizes_of(const Geometry& geometry);
Sizes strides_of(const Geometry& geometry);
/// A geometry of plain numbers.
Geometry geometry_of(const Sizes& sizes, const Sizes& strides, std::int64_t offset = 0);
/// 0 if a size is negative, which only PyTorch's profiles allow (GEO-27).
/// Throws ReferenceLimit for more than kMostElements.
std::int64_t element_count(const Sizes& sizes);
Sizes row_major(const Sizes& sizes);

/// The storage places of the elements, in row-major order of the indices.
std::vector<std::int64_t> places_of(const Geometry& geometry);

/// Whether the elements are one run of memory in some order of the dimensions, each place once
/// [c10/core/TensorImpl.cpp, compute_non_overlapping_and_dense].
bool is_dense(const Sizes& sizes, const Sizes& strides);
bool is_row_major(const Sizes& sizes, const Sizes& strides);

/// `geometry` expanded to `sizes`.
Geometry broadcast_to(const Geometry& geometry, const Sizes& sizes);

/// How two tensors share memory, as PyTorch checks it: `unseen` if one is not dense
/// [aten/src/ATen/MemoryOverlap.cpp, get_overlap_status].
enum class Overlap : std::uint8_t { none, full, partial, unseen };
Overlap overlap_between(const Tensor& a, const Tensor& b);
/// Whether the tensors share a byte.
bool share_memory(const Tensor& a, const Tensor& b);
/// Whether two elements share a place.
bool repeats_places(const Geometry& geometry);

/// The facts for the rules of GEO about a write to `written` that reads `read`; their storages may differ.
OverlapFacts<Concrete> overlap_facts(const Tensor& written, std::span<const Tensor* const> read, bool idempotent);

/// Marks the elements (row-major) of `written` that depend on the order of a write that reads `read`; each of `read` is
/// already expanded to its sizes.
std::vector<bool> order_dependent(const Tensor& written, std::span<const Tensor> read);

/// The strides of a new pointwise result of `sizes`, by its inputs [aten/src/ATen/TensorIterator.cpp].
Sizes pointwise_strides(const Sizes& sizes, std::span<const Geometry> inputs);
/// Whether these strides suggest the order N, H, W, C or N, D, H, W, C [c10/core/MemoryFormat.h,
/// is_channels_last_strides_2d, is_channels_last_strides_3d], and the strides of that order.
bool suggests_channels_last(const Sizes& sizes, const Sizes& strides);
Sizes channels_last_strides(const Sizes& sizes);
/// The format that the strides suggest [c10/core/TensorImpl.h, suggest_memory_format in ATen/core/TensorBase.h].
MemoryFormat suggested_format(const Sizes& sizes, const Sizes& strides);
/// Whether the elements are without gaps in the order of a format; `preserve` is row-major here
/// [c10/core/Contiguity.h, _compute_channels_last_contiguous_2d].
bool is_in_format(const Sizes& sizes, const Sizes& strides, MemoryFormat format);
/// The strides of a copy that keeps the order of the dimensions [aten/src/ATen/ExpandUtils.cpp, infer_dense_strides].
Sizes dense_strides(const Sizes& sizes, const Sizes& strides);

}  // namespace plumbline::reference
