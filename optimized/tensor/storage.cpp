// The memory that tensors share, in one block with its header until it grows.
#include "optimized/tensor/storage.h"

#include <algorithm>
#include <cstring>

#include "optimized/tensor/error.h"

namespace plumbline::optimized {

void Storage::raise_too_large(std::size_t bytes) { raise_no_memory(bytes); }

Ref<Storage> Storage::make_borrowing(Ref<Storage> lender) {
  Ref<Storage> made = make(0);
  made->data_ = lender->data_;
  made->bytes_ = lender->bytes_;
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
  if (lender_ == nullptr) return release(data_, grown_);
  if (lender_->drop()) destroy(lender_);
  lender_ = nullptr;
  borrowed_ = false;
}

void Storage::move_to(std::size_t bytes) {
  const std::size_t block = std::max<std::size_t>(bytes, 1);
  auto* data = static_cast<std::byte*>(allocate(block));
  if (bytes_ != 0) std::memcpy(data, data_, bytes_);
  if (grown_ != 0) let_go();
  data_ = data;
  bytes_ = bytes;
  grown_ = block;
}

void Storage::grow(std::size_t bytes) {
  if (bytes > bytes_) move_to(bytes);
}

}  // namespace plumbline::optimized
