// A list of sizes, strides or dimensions that needs no memory of its own while it is short.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "optimized/tensor/int_list.h"

namespace plumbline::optimized {

/// Its length is given when it is made; moved or copied, it is the same list elsewhere.
class DimVector {
 public:
  explicit DimVector(std::size_t size = 0, std::int64_t value = 0) : size_(size) {
    if (size > kInline) heap_ = std::make_unique<std::int64_t[]>(size);  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = 0; i < size; ++i) begin()[i] = value;
  }
  DimVector(IntList values) : size_(values.size()) {                       // NOLINT(google-explicit-constructor)
    if (size_ > kInline) heap_ = std::make_unique<std::int64_t[]>(size_);  // NOLINT(modernize-avoid-c-arrays)
    for (std::size_t i = 0; i < size_; ++i) begin()[i] = values[i];
  }
  DimVector(const DimVector& other) : DimVector(static_cast<IntList>(other)) {}
  DimVector(DimVector&&) noexcept = default;
  DimVector& operator=(DimVector other) noexcept {
    size_ = other.size_;
    inline_ = other.inline_;
    heap_ = std::move(other.heap_);
    return *this;
  }
  ~DimVector() = default;

  std::size_t size() const { return size_; }
  std::int64_t* begin() { return heap_ ? heap_.get() : inline_.data(); }
  std::int64_t* end() { return begin() + size_; }
  const std::int64_t* begin() const { return heap_ ? heap_.get() : inline_.data(); }
  const std::int64_t* end() const { return begin() + size_; }
  std::int64_t& operator[](std::size_t i) { return begin()[i]; }
  std::int64_t operator[](std::size_t i) const { return begin()[i]; }
  /// Adds one at the end; a list that grows often should be made with its length.
  void push_back(std::int64_t value) {
    DimVector longer(size_ + 1);
    std::copy(begin(), end(), longer.begin());
    longer[size_] = value;
    *this = std::move(longer);
  }
  operator IntList() const {  // NOLINT(google-explicit-constructor)
    return std::span(begin(), size_);
  }

 private:
  static constexpr std::size_t kInline = 8;
  std::size_t size_;
  std::array<std::int64_t, kInline> inline_;
  std::unique_ptr<std::int64_t[]> heap_;  // NOLINT(modernize-avoid-c-arrays)
};

}  // namespace plumbline::optimized
