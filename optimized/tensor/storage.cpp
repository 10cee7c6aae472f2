// The memory that tensors share, in one block with its header until it grows.
#include "optimized/tensor/storage.h"

#include <algorithm>
#include <cstring>

#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void Storage::raise_too_large(std::size_t bytes) { raise_no_memory(bytes); }

Ref<Storage> Storage::make_on(Backend device, std::size_t bytes) {
  if (device == Backend::CPU) return make(bytes);
  Ref<Storage> made = make(0);
  const std::size_t block = std::max<std::size_t>(bytes, 1);
  made->data_ = memory_of(device).allocate(block);
  made->bytes_ = bytes;
  made->grown_ = block;
  made->device_ = device;
  return made;
}

Ref<Storage> Storage::copied() const {
  Ref<Storage> made = make_on(device_, bytes_);
  made->copy_from(*this);
  return made;
}

void Storage::copy_from(const Storage& other) {
  if (other.bytes_ != 0) memory_of(device_).copy(data_, other.data_, other.bytes_);
}

bool Storage::has_bytes_of(const Storage& other) const {
  if (bytes_ != other.bytes_) return false;
  return bytes_ == 0 || std::memcmp(ReadBytes(*this).data(), ReadBytes(other).data(), bytes_) == 0;
}

Ref<Storage> Storage::make_borrowing(Ref<Storage> lender) {
  Ref<Storage> made = make(0);
  made->data_ = lender->data_;
  made->bytes_ = lender->bytes_;
  made->device_ = lender->device_;
  made->version_.store(lender->version(), std::memory_order_relaxed);
  made->lender_ = lender.detach();
  made->grown_ = 1;
  made->borrowed_ = true;
  return made;
}

void Storage::take(Ref<Storage> value) {
  let_go();
  data_ = value->data_;
  lender_ = value.detach();
  borrowed_ = false;
}

void Storage::let_go() noexcept {
  if (lender_ == nullptr) return memory_of(device_).release(data_, grown_);
  if (lender_->drop()) destroy(lender_);
  lender_ = nullptr;
  borrowed_ = false;
}

void Storage::move_to(std::size_t bytes) {
  const std::size_t block = std::max<std::size_t>(bytes, 1);
  const DeviceMemory& memory = memory_of(device_);
  std::byte* const data = memory.allocate(block);
  if (bytes_ != 0) memory.copy(data, data_, bytes_);
  if (grown_ != 0) let_go();
  data_ = data;
  bytes_ = bytes;
  grown_ = block;
}

void Storage::grow(std::size_t bytes) {
  if (bytes > bytes_) move_to(bytes);
}

ReadBytes::ReadBytes(const Storage& storage) : data_(storage.data()) {
  if (storage.device() == Backend::CPU || storage.bytes() == 0) return;
  auto* const copy = static_cast<std::byte*>(allocate(storage.bytes()));
  copied_ = storage.bytes();
  data_ = copy;
  memory_of(storage.device()).copy_to_cpu(copy, storage.data(), storage.bytes());
}

ReadBytes::~ReadBytes() {
  if (copied_ != 0) release(const_cast<std::byte*>(data_), copied_);  // NOLINT(*-const-cast): it is its own
}

}  // namespace plumbline::optimized
