// Tensors: how they are made and destroyed, and which version counter they use.
#include "optimized/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "optimized/autograd/meta.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

namespace {

std::size_t outline_bytes(int dims) { return 2 * static_cast<std::size_t>(dims) * sizeof(std::int64_t); }

}  // namespace

KeySet autocast_on(Backend device) {
  if (device == Backend::CPU) return Functionality::AutocastCPU;
  if (device == Backend::CUDA) return Functionality::AutocastCUDA;
  if (device == Backend::XLA) return Functionality::AutocastXLA;
  return device == Backend::PrivateUse1 ? KeySet(Functionality::AutocastPrivateUse1) : KeySet();
}
KeySet inference_keys_on(Backend device) { return KeySet(Functionality::Dense) | autocast_on(device) | KeySet(device); }
KeySet normal_keys_on(Backend device) {
  return inference_keys_on(device) | Functionality::Autograd | Functionality::ADInplaceOrView;
}

void TensorImpl::grow(int dims) {
  constexpr int kMost = std::numeric_limits<std::uint8_t>::max();
  if (dims > kMost) raise_saying(ErrorClass::shape, "a tensor has at most 255 dimensions");
  outline_ = static_cast<std::int64_t*>(allocate(outline_bytes(dims)));
}

Ref<TensorImpl> TensorImpl::make_of_parts(std::size_t bytes, Dtype dtype, KeySet keys, int dims) {
  return make(Storage::make(bytes), dtype, keys, dims);
}

void TensorImpl::shrink() noexcept { release(outline_, outline_bytes(dim_)); }

void TensorImpl::set_dim(int dims) {
  if (dims == dim_) return;
  std::int64_t* const before = dim_ > kInlineDims ? outline_ : nullptr;
  if (dims > kInlineDims) grow(dims);
  if (before != nullptr) release(before, outline_bytes(dim_));
  dim_ = static_cast<std::uint8_t>(dims);
}

void TensorImpl::drop_counter() noexcept {
  if (Storage* counter = counter_.load(std::memory_order_relaxed); counter != nullptr)
    Ref<Storage>::adopt(counter);  // NOLINT(bugprone-unused-return-value): it ends here
}

Storage& TensorImpl::counter() {
  Storage* counter = counter_.load(std::memory_order_acquire);
  if (counter != nullptr) [[likely]]
    return *counter;
  Ref<Storage> own = Storage::make(0);
  if (counter_.compare_exchange_strong(counter, own.get(), std::memory_order_acq_rel)) return *own.detach();
  return *counter;  // another thread was first
}

void TensorImpl::set_storage(Ref<Storage> storage) {
  Storage* counter = counter_.load(std::memory_order_relaxed);
  if (counter == storage_.get()) counter->retain();
  if (counter == storage.get()) drop_counter();  // never the last: `storage` holds it
  storage_ = std::move(storage);
}

void TensorImpl::share_other_counter(TensorImpl& other) {
  Storage* shared = &other.counter();
  if (shared != storage_.get()) shared->retain();
  if (counter_.load(std::memory_order_relaxed) != storage_.get()) drop_counter();
  counter_.store(shared, std::memory_order_release);
}

void TensorImpl::own_counter() {
  if (counter_.load(std::memory_order_relaxed) != storage_.get()) drop_counter();
  counter_.store(nullptr, std::memory_order_release);
}

namespace {

[[noreturn]] void raise_negative(std::int64_t size, IntList sizes) {
  std::string all;
  for (const std::int64_t each : sizes) all += (all.empty() ? "" : ", ") + std::to_string(each);
  raise(ErrorClass::range, {std::to_string(size), "[" + all + "]"});
}

}  // namespace

std::int64_t numel_of(IntList sizes) {
  std::int64_t numel = 1;
  bool overflow = false;
  bool empty = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) raise_negative(size, sizes);
    empty = empty || size == 0;
    overflow = __builtin_mul_overflow(numel, size, &numel) || overflow;
  }
  if (empty) return 0;
  if (overflow) raise_saying(ErrorClass::range, "numel: integer multiplication overflow");
  return numel;
}

namespace {

/// Fills in sizes and row-major strides, which may be more than 64 bits hold where a size is 0.
void lay_out(TensorImpl& impl, IntList sizes) {
  std::int64_t* const own_sizes = impl.sizes();
  std::int64_t* const own_strides = impl.strides();
  std::int64_t stride = 1;
  bool overflow = false;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (overflow) raise_saying(ErrorClass::range, "Stride calculation overflowed");
    own_sizes[d] = sizes[d];
    own_strides[d] = stride;
    overflow = __builtin_mul_overflow(stride, std::max<std::int64_t>(sizes[d], 1), &stride);
  }
}

std::size_t bytes_of(std::int64_t elements, Dtype dtype) {
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, item_size(dtype), &bytes))
    raise_saying(ErrorClass::range, "Storage size calculation overflowed");
  return static_cast<std::size_t>(bytes);
}

}  // namespace

namespace {

/// Of whatever sizes.
[[gnu::noinline]] Tensor empty_of_any(IntList sizes, Dtype dtype) {
  if (!has_dtype(dtype)) refuse_dtype(dtype);
  const std::int64_t numel = numel_of(sizes);
  const KeySet keys = fresh_keys();
  Ref<TensorImpl> impl = TensorImpl::make(Storage::make_on(thread_state().device, bytes_of(numel, dtype)), dtype, keys,
                                          static_cast<int>(sizes.size()));
  lay_out(*impl, sizes);
  impl->numel = numel;
  impl->uncounted = are_of_inference(keys);
  return Tensor(std::move(impl));
}

}  // namespace

Tensor empty_tensor(IntList sizes, Dtype dtype) {
  const std::size_t dims = sizes.size();
  if (dims > TensorImpl::kInlineDims) return empty_of_any(sizes, dtype);
  std::array<std::int64_t, TensorImpl::kInlineDims> strides;  // NOLINT(cppcoreguidelines-pro-type-member-init): below
  std::int64_t numel = 1;
  std::int64_t bytes = 0;
  bool odd = !has_dtype(dtype) || !on_cpu();
  for (std::size_t d = dims; d-- > 0;) {
    strides[d] = numel;
    odd |= sizes[d] <= 0 || __builtin_mul_overflow(numel, sizes[d], &numel);
  }
  if (odd || __builtin_mul_overflow(numel, item_size(dtype), &bytes)) [[unlikely]]
    return empty_of_any(sizes, dtype);
  const KeySet keys = fresh_keys();
  const auto size = static_cast<std::size_t>(bytes);
  Ref<TensorImpl> impl = size <= Storage::kSmall
                             ? TensorImpl::make_small(size, dtype, keys, static_cast<int>(dims))
                             : TensorImpl::make(Storage::make(size), dtype, keys, static_cast<int>(dims));
  std::int64_t* const own = impl->sizes();
  for (std::size_t d = 0; d < dims; ++d) {
    own[d] = sizes[d];
    own[TensorImpl::kInlineDims + d] = strides[d];
  }
  impl->numel = numel;
  impl->uncounted = are_of_inference(keys);
  return Tensor(std::move(impl));
}

Tensor empty_strided(IntList sizes, IntList strides, Dtype dtype) {
  Tensor made = empty_tensor(sizes, dtype);
  std::copy(strides.begin(), strides.end(), made.impl().strides());
  return made;
}

Tensor alias_of(const Tensor& self, IntList sizes, IntList strides, std::int64_t offset) {
  Tensor alias = blank_alias_of(self, static_cast<int>(sizes.size()), offset);
  std::int64_t* const own_sizes = alias.impl().sizes();
  std::int64_t* const own_strides = alias.impl().strides();
  std::int64_t numel = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    own_sizes[d] = sizes[d];
    own_strides[d] = strides[d];
    numel *= sizes[d];
  }
  alias.impl().numel = numel;
  return alias;
}

}  // namespace plumbline::optimized
