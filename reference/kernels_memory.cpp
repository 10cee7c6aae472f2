// The kernels of view(dtype), splits by sizes, resize_, unsafe_split and detach_.
#include <algorithm>
#include <array>

#include "reference/bits.h"
#include "reference/dtype_words.h"
#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_format.h"
#include "spec/rules/geo_ops.h"

namespace plumbline::reference {

Effect raised_after(const Judge& judge, Effect done, Failure failure) {
  if (!changes_stay<Concrete>(judge, true).v) throw Raise{std::move(failure)};
  done.raises = std::move(failure);
  return done;
}

namespace {

/// The geometry of `self.view(dtype)` [aten/src/ATen/native/TensorConversions.cpp, view_dtype].
Geometry view_as_dtype(const Judge& judge, const Tensor& self, Dtype dtype) {
  const std::int64_t from = item_size(self.dtype);
  const std::int64_t to = item_size(dtype);
  if (from == to) return self.geometry;
  const std::string which =
      text(" to view ", scalar_name(self.dtype), " as ", scalar_name(dtype), " (different element sizes)");
  const auto refuse = [&](const auto& what, std::int64_t got) {
    raise(ErrorClass::view_stride, text(what, which, ", but got ", got));
  };
  const int last = self.geometry.rank() - 1;
  if (last < 0) raise(ErrorClass::view_stride, text("self.dim() cannot be 0", which));
  const auto must_divide = text(" must be divisible by ", to / std::max<std::int64_t>(from, 1));
  if (to > from) {
    const std::int64_t ratio = to / from;
    if (self.geometry.sizes[last].v % ratio != 0) refuse("self.size(-1)" + must_divide, self.geometry.sizes[last].v);
    if (self.geometry.offset.v % ratio != 0) refuse("self.storage_offset()" + must_divide, self.geometry.offset.v);
  }
  if (self.geometry.strides[last].v != 1) refuse("self.stride(-1) must be 1", self.geometry.strides[last].v);
  for (int dim = 0; to > from && dim < last; ++dim)
    if (self.geometry.strides[dim].v % (to / from) != 0)
      refuse(text("self.stride(", dim, ")") + must_divide, self.geometry.strides[dim].v);
  return retyped_view<Concrete>(judge, self.geometry, from, to);
}

/// Raises an error if a conjugate or a negative view may not be viewed in `dtype`.
void refuse_retyped_bits(const Judge& judge, const Tensor& self, Dtype dtype) {
  const KeySet<Concrete> bits = bits_of(self);
  const auto error = static_cast<ErrorClass>(check_retyped_bits<Concrete>(judge, bits, dtype != self.dtype).v);
  if (error == ErrorClass::none) return;
  const bool conjugate = bits.has_any(Functionality::Conjugate).v;
  raise(error, text("torch.Tensor.view is not supported for ",
                    conjugate ? "conjugate view tensors" : "tensors with negative bit set",
                    " when converting to a different dtype."));
}

Effect view_dtype(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Dtype dtype = *call.arguments.dtype(1);
  refuse_retyped_bits(call.judge, self, dtype);
  Effect effect;
  const Geometry geometry = view_as_dtype(call.judge, self, dtype);
  if (!view_dtype_shares_bytes(call.judge).v) {  // like `to`
    std::vector<Element> elements = elements_of(call.state, self);
    for (Element& element : elements) element = converted(element, self.dtype, dtype);
    effect.fresh.push_back({sizes_of(self.geometry), row_major(sizes_of(self.geometry)), dtype, std::move(elements)});
    return effect;
  }
  effect.views.push_back(geometry);
  effect.view_dtype = dtype;
  return effect;
}

Effect split_with_sizes(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  if (self.geometry.rank() == 0) raise(ErrorClass::dim_range, "split expects at least a 1-dimensional tensor");
  const Sizes sizes = call.arguments.integers(1);
  const int dim = wrapped_dim(call.judge, call.arguments.integer(2), static_cast<std::size_t>(self.geometry.rank()));
  Effect effect;
  std::int64_t start = 0;
  for (const std::int64_t length : sizes) {
    if (length < 0)
      raise(ErrorClass::range, text("split_with_sizes expects split_sizes have only non-negative entries, but got "
                                    "split_sizes=",
                                    printed(sizes)));
    effect.views.push_back(slice_view<Concrete>(call.judge, self.geometry, dim, start, start + length, 1).geometry);
    start += length;
  }
  const std::int64_t whole = self.geometry.sizes[dim].v;
  if (check_pieces<Concrete>(call.judge, start, whole).v != 0)
    raise(ErrorClass::range,
          text("split_with_sizes expects split_sizes to sum exactly to ", whole, " (input tensor's size at dimension ",
               call.arguments.integer(2), "), but got split_sizes=", printed(sizes)));
  return effect;
}

/// Like split, but autograd treats the pieces as new tensors.
Effect unsafe_split(const KernelCall& call) {
  Effect effect = meaning_as(call, OpId::split_Tensor);
  if (unsafe_split_shares_storage(call.judge).v) return effect;
  copy_views(call, effect, true);
  return effect;
}

Effect unsafe_view(const KernelCall& call) { return meaning_as(call, OpId::view); }

Effect as_strided_(const KernelCall& call) {
  Effect effect = meaning_as(call, OpId::as_strided);
  effect.layout = effect.views.front();
  effect.views.clear();
  return effect;
}

/// The strides of the format that resize_ is given, after it has given the tensor its sizes. PyTorch does not look
/// whether the storage is long enough if the sizes were the same.
Effect laid_out(const KernelCall& call, Effect effect, const Sizes& sizes, MemoryFormat format, std::int64_t held) {
  if (auto failure = format_failure(call.judge, sizes, format, "Unsupported memory formatPreserve"))
    return raised_after(call.judge, std::move(effect), std::move(*failure));
  const std::int64_t offset = call.tensor(0).geometry.offset.v;
  const std::int64_t count = element_count(sizes);
  if (!effect.layout && count > 0 && offset + count > held)
    throw ReferenceLimit("resize_ to the same sizes and a memory format that reaches past the storage");
  effect.layout = geometry_of(sizes, strides_in(call.judge, sizes, format), offset);
  return effect;
}

Effect resize_by(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = call.arguments.integers(1);
  if (check_negative_size<Concrete>(call.judge, Dims<Concrete>(sizes.begin(), sizes.end())).v != 0)
    raise(ErrorClass::range, "numel: integer multiplication overflow");
  Effect effect;
  const auto format = format_asked(call.arguments);
  const bool lays_out = resize_lays_out<Concrete>(call.judge, format.has_value()).v;
  const Storage& storage = call.state.storages[static_cast<std::size_t>(self.storage)];
  const std::int64_t held = capacity(storage, self.dtype);
  if (resize_keeps_strides<Concrete>(call.judge, sizes == sizes_of(self.geometry)).v)
    return lays_out ? laid_out(call, std::move(effect), sizes, *format, held) : effect;
  effect.layout = geometry_of(sizes, row_major(sizes), self.geometry.offset.v);
  effect.grown = element_count(sizes) == 0 ? 0 : self.geometry.offset.v + element_count(sizes);
  if (check_resize<Concrete>(call.judge, effect.grown, held).v != 0)
    raise_storage_bounds(sizes, row_major(sizes), self.geometry.offset.v, self.dtype, effect.grown, bytes_in(storage));
  return lays_out ? laid_out(call, std::move(effect), sizes, *format, held) : effect;
}

/// The effect of detach_ is in autograd.
Effect detach_(const KernelCall&) { return {}; }

}  // namespace

void raise_storage_bounds(const Sizes& sizes, const Sizes& strides, std::int64_t offset, Dtype dtype,
                          std::int64_t needed, std::int64_t bytes) {
  raise(ErrorClass::storage_bounds,
        text("setStorage: sizes ", printed(sizes), ", strides ", printed(strides), ", storage offset ", offset,
             ", and itemsize ", item_size(dtype), " requiring a storage size of ", needed * item_size(dtype),
             " are out of bounds for storage of size ", bytes));
}

machine::Resizing<Concrete> change_by_resize(const KernelCall& call) {
  const Geometry& geometry = call.tensor(0).geometry;
  const Sizes sizes = call.arguments.integers(1);
  if (sizes != sizes_of(geometry)) return {true, false};
  const Sizes was = strides_of(geometry);
  Sizes strides = resize_keeps_strides<Concrete>(call.judge, true).v ? was : row_major(sizes);
  const auto format = format_asked(call.arguments);
  if (resize_lays_out<Concrete>(call.judge, format.has_value()).v) {
    if (format_failure(call.judge, sizes, *format, "")) return {false, false};  // the kernel raises it
    strides = strides_in(call.judge, sizes, *format);
  }
  return {false, strides != was};
}

std::span<const KernelEntry> memory_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::view_dtype, view_dtype},
                                      KernelEntry{OpId::split_with_sizes, split_with_sizes},
                                      KernelEntry{OpId::unsafe_split_Tensor, unsafe_split},
                                      KernelEntry{OpId::_unsafe_view, unsafe_view},
                                      KernelEntry{OpId::as_strided_, as_strided_},
                                      KernelEntry{OpId::resize_, resize_by},
                                      KernelEntry{OpId::detach_, detach_}};
  return entries;
}

}  // namespace plumbline::reference
