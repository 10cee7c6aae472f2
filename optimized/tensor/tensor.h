// A tensor: a handle on sizes, strides and an offset into a storage, with its dispatch keys and, where it has some,
// autograd's metadata.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "optimized/dispatcher/thread_state.h"
#include "optimized/tensor/int_list.h"
#include "optimized/tensor/storage.h"
#include "spec/vocabulary/dtype.h"

namespace plumbline::optimized {

struct AutogradMeta;
void destroy_meta(AutogradMeta* meta) noexcept;

/// The key sets that tensors of the CPU carry [c10/core/TensorImpl.cpp, TensorImpl::TensorImpl].
inline constexpr KeySet kInferenceKeys =
    KeySet(Functionality::Dense) | Functionality::AutocastCPU | KeySet(Backend::CPU);
inline constexpr KeySet kNormalKeys = kInferenceKeys | Functionality::Autograd | Functionality::ADInplaceOrView;

/// Autocast's key of a device; none if it has none [c10/core/DispatchKeySet.h, getAutocastRelatedKeySetFromBackend].
KeySet autocast_on(Backend device);
/// The keys of an inference tensor and of a normal one on this device.
KeySet inference_keys_on(Backend device);
KeySet normal_keys_on(Backend device);

/// The keys of a tensor that is made on the CPU now.
inline KeySet fresh_cpu_keys() { return thread_state().inference_mode ? kInferenceKeys : kNormalKeys; }
/// The keys of a tensor that is made now, on the thread's device.
inline KeySet fresh_keys() {
  const ThreadState& state = thread_state();
  if (state.device == Backend::CPU) [[likely]]
    return fresh_cpu_keys();
  return state.inference_mode ? inference_keys_on(state.device) : normal_keys_on(state.device);
}
/// Whether the keys of a fresh tensor are those of an inference tensor.
constexpr bool are_of_inference(KeySet fresh) { return !fresh.has_any(Functionality::ADInplaceOrView); }

/// What a Tensor holds. Two cache lines: a tensor of at most four dimensions has its sizes and strides in it.
class alignas(kBlockAlignment) TensorImpl : public Counted {
 public:
  static constexpr int kInlineDims = 4;

  /// A tensor over `storage`, with `dims` dimensions that the caller fills in, and a numel of 0.
  static Ref<TensorImpl> make(Ref<Storage> storage, Dtype dtype, KeySet keys, int dims) {
    return begin(new (allocate(sizeof(TensorImpl))) TensorImpl(std::move(storage), dtype, keys), dims);
  }
  /// The same over the storage of `source`, with its dtype and keys, counting versions for itself.
  [[gnu::always_inline]] static Ref<TensorImpl> make_sharing(const TensorImpl& source, int dims) {
    const bool normal = source.keys.has_any(KeySet(Functionality::Autograd) | Functionality::ADInplaceOrView);
    Storage* const counter = normal ? nullptr : source.storage_.get();
    return begin(new (allocate(sizeof(TensorImpl))) TensorImpl(source.storage_, source.dtype, source.keys, counter),
                 dims);
  }
  /// The same over fresh memory of at most 64 bytes, with at most kInlineDims dimensions.
  static Ref<TensorImpl> make_small(std::size_t bytes, Dtype dtype, KeySet keys, int dims) {
    void* storage = nullptr;
    void* at = nullptr;
    if (!allocate_two<sizeof(TensorImpl)>(storage, at)) [[unlikely]]
      return make_of_parts(bytes, dtype, keys, dims);
    auto* impl = new (at) TensorImpl(Storage::make_in(storage, bytes), dtype, keys);
    impl->dim_ = static_cast<std::uint8_t>(dims);
    return Ref<TensorImpl>::adopt(impl);
  }
  [[gnu::noinline]] static void destroy(TensorImpl* impl) noexcept {
    if (impl->autograd != nullptr) [[unlikely]]
      destroy_meta(impl->autograd);
    if (impl->dim_ > kInlineDims) [[unlikely]]
      impl->shrink();
    if (impl->counter_.load(std::memory_order_relaxed) != impl->storage_.get()) [[unlikely]]
      impl->drop_counter();
    Storage* const storage = impl->storage_.detach();
    impl->~TensorImpl();
    if (storage == nullptr || !storage->drop()) return release(impl, sizeof(TensorImpl));
    const std::size_t block = storage->end();
    if (Storage::is_small(block)) return release_two<sizeof(TensorImpl)>(storage, impl);
    release(storage, block);
    release(impl, sizeof(TensorImpl));
  }

  int dim() const { return dim_; }
  std::int64_t* sizes() { return dim_ <= kInlineDims ? inline_ : outline_; }
  const std::int64_t* sizes() const { return dim_ <= kInlineDims ? inline_ : outline_; }
  std::int64_t* strides() { return sizes() + room(); }
  const std::int64_t* strides() const { return sizes() + room(); }
  /// Gives it other dimensions, which the caller fills in.
  void set_dim(int dims);
  /// Gives it the sizes, strides and offset of another tensor.
  void take_layout(const TensorImpl& from) {
    set_dim(from.dim());
    std::copy(from.sizes(), from.sizes() + from.dim(), sizes());
    std::copy(from.strides(), from.strides() + from.dim(), strides());
    offset = from.offset;
    numel = from.numel;
  }

  /// Row-major, without gaps; of no elements always.
  bool is_contiguous() const {
    if (numel <= 1) return true;
    const std::int64_t* const size = sizes();
    const std::int64_t* const stride = strides();
    std::int64_t expected = 1;
    for (int d = dim_ - 1; d >= 0; --d) {
      if (size[d] == 1) continue;
      if (stride[d] != expected) return false;
      expected *= size[d];
    }
    return true;
  }

  Dtype dtype = Dtype::float32;
  bool wrapped_number = false;  ///< a Python number in a tensor's place: it ranks lowest in type promotion
  bool uncounted = false;       ///< it has no version counter: an inference tensor, or what `x.data = y` made of one
  KeySet keys;
  std::int64_t offset = 0;  ///< in elements
  std::int64_t numel = 0;
  AutogradMeta* autograd = nullptr;  ///< owned; null: it needs no grad, has no history and is no view

  const Ref<Storage>& storage() const { return storage_; }
  /// Gives it other memory; it keeps its version counter.
  void set_storage(Ref<Storage> storage);

  std::uint64_t version() const {
    const Storage* counter = counter_.load(std::memory_order_acquire);
    return counter == nullptr ? 0 : counter->version();
  }
  void bump_version(std::uint64_t by = 1) { counter().bump_version(by); }
  /// From now on it uses the version counter of `other`: as its view, or detached from it.
  void share_counter(TensorImpl& other) {
    Storage* const mine = storage_.get();
    Storage* const before = counter_.load(std::memory_order_relaxed);
    if (other.counter_.load(std::memory_order_acquire) != mine || (before != nullptr && before != mine)) [[unlikely]]
      return share_other_counter(other);
    counter_.store(mine, std::memory_order_release);
  }
  /// From now on it has its own version counter, from 0.
  void own_counter();
  /// Whether it uses its storage's counter, as a new tensor does; whether both use one counter, which is false if
  /// neither has one yet.
  bool counts_with_storage() const { return counter_.load(std::memory_order_acquire) == storage_.get(); }
  bool counts_with(const TensorImpl& other) const {
    const Storage* const counter = counter_.load(std::memory_order_acquire);
    return counter != nullptr && counter == other.counter_.load(std::memory_order_acquire);
  }
  /// Gives it other memory; if it used its storage's counter, it now uses that of this storage.
  void move_to(Ref<Storage> storage) {
    if (counts_with_storage())
      counter_.store(storage.get(), std::memory_order_release);
    else if (counter_.load(std::memory_order_relaxed) == storage.get())
      drop_counter();
    storage_ = std::move(storage);
  }

 private:
  TensorImpl(Ref<Storage> storage, Dtype type, KeySet with)
      : dtype(type), keys(with), dim_(0), storage_(std::move(storage)), counter_(storage_.get()) {}
  /// The counter is the storage's or null.
  TensorImpl(Ref<Storage> storage, Dtype type, KeySet with, Storage* counter)
      : dtype(type),
        uncounted(counter != nullptr),
        keys(with),
        dim_(0),
        storage_(std::move(storage)),
        counter_(counter) {}
  ~TensorImpl() = default;
  /// Takes over the storage, and makes room for the dimensions.
  [[gnu::always_inline]] static Ref<TensorImpl> begin(TensorImpl* impl, int dims) {
    auto made = Ref<TensorImpl>::adopt(impl);
    if (dims > kInlineDims) [[unlikely]]
      impl->grow(dims);
    impl->dim_ = static_cast<std::uint8_t>(dims);
    return made;
  }
  static Ref<TensorImpl> make_of_parts(std::size_t bytes, Dtype dtype, KeySet keys, int dims);
  /// Takes a block for this many sizes and strides; releases it.
  void grow(int dims);
  void shrink() noexcept;
  void share_other_counter(TensorImpl& other);
  /// Its counter; made now if no one has needed it before.
  Storage& counter();
  /// A counter that belongs to another storage is held by reference.
  void drop_counter() noexcept;
  int room() const { return dim_ <= kInlineDims ? kInlineDims : dim_; }

  std::uint8_t dim_;
  Ref<Storage> storage_;
  std::atomic<Storage*> counter_;  ///< the storage whose counter it uses; null: its own, when that is needed
  union {
    std::int64_t inline_[2 * kInlineDims];
    std::int64_t* outline_;
  };
};

static_assert(sizeof(TensorImpl) == Storage::kSmallBlock);
static_assert(sizeof(TensorImpl) == 2 * kBlockAlignment, "a view costs two cache lines and its autograd metadata");

/// A handle; copies share the tensor. An undefined one is only there to be assigned to.
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(Ref<TensorImpl> impl) : impl_(std::move(impl)) {}

  bool defined() const { return static_cast<bool>(impl_); }
  /// The tensor itself, which must be defined.
  TensorImpl& impl() const { return *impl_; }
  TensorImpl* get() const { return impl_.get(); }
  /// Whether both are one tensor, not just equal.
  bool is_same(const Tensor& other) const { return impl_ == other.impl_; }

  int dim() const { return impl_->dim(); }
  IntList sizes() const { return std::span(impl_->sizes(), static_cast<std::size_t>(impl_->dim())); }
  IntList strides() const { return std::span(impl_->strides(), static_cast<std::size_t>(impl_->dim())); }
  std::int64_t size(int d) const { return impl_->sizes()[d]; }
  std::int64_t stride(int d) const { return impl_->strides()[d]; }
  std::int64_t offset() const { return impl_->offset; }
  std::int64_t numel() const { return impl_->numel; }
  Dtype dtype() const { return impl_->dtype; }
  /// The keys that it was made with; a call uses carried_keys (autograd/meta.h).
  KeySet keys() const { return impl_->keys; }
  const Ref<Storage>& storage() const { return impl_->storage(); }
  Backend device() const { return impl_->storage()->device(); }
  /// It carries neither an Autograd key nor ADInplaceOrView [RFC-0011].
  bool is_inference() const { return !impl_->keys.has_any(kAutogradKeys | Functionality::ADInplaceOrView); }
  /// Its first element; T must be its dtype's. Only if the device is the CPU may the CPU read it.
  template <class T>
  T* data() const {
    return reinterpret_cast<T*>(storage()->data()) + impl_->offset;
  }
  /// Row-major, without gaps; of no elements always.
  bool is_contiguous() const { return impl_->is_contiguous(); }

 private:
  Ref<TensorImpl> impl_;
};

/// How many elements there are; raises if a size is negative or 64 bits do not hold the number.
std::int64_t numel_of(IntList sizes);

/// A fresh tensor of the current mode on the thread's device, row-major, not initialised. Raises as numel_of, and
/// ErrorClass::memory.
Tensor empty_tensor(IntList sizes, Dtype dtype);
/// The same with these strides, which leave no element outside what `sizes` need when they are dense.
Tensor empty_strided(IntList sizes, IntList strides, Dtype dtype);
/// A tensor that shares memory with `self`, has its dtype and kind (normal or inference), and counts versions for
/// itself: what a backend's view op makes. The caller has checked that it stays within the storage, and that 64 bits
/// hold its number of elements.
Tensor alias_of(const Tensor& self, IntList sizes, IntList strides, std::int64_t offset);
/// The same with this many dimensions; the caller fills in sizes, strides and numel.
[[gnu::always_inline]] inline Tensor blank_alias_of(const Tensor& self, int dims, std::int64_t offset) {
  const TensorImpl& source = self.impl();
  Ref<TensorImpl> impl = TensorImpl::make_sharing(source, dims);
  impl->offset = offset;
  return Tensor(std::move(impl));
}

}  // namespace plumbline::optimized
