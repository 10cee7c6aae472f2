// Intrusive references: counts that many threads may change, without a write if there is only one owner.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace plumbline::optimized {

/// The count of what is held by Ref. It begins at 1, which the first Ref takes over.
class Counted {
 public:
  Counted() = default;
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  /// Counts one more if there is still one. It may revive what `drop` called the last reference. So code that lets
  /// others call it must check `uses` again, with the others locked out, before it destroys the object.
  bool retain_if_held() const noexcept {
    std::uint32_t now = count_.load(std::memory_order_relaxed);
    while (now != 0)
      if (count_.compare_exchange_weak(now, now + 1, std::memory_order_acq_rel)) return true;
    return false;
  }
  /// Whether that was the last reference. A count of 1 means unique ownership, so no one else can count at the same
  /// time; the acquire makes what the other owners did visible.
  bool drop() const noexcept {
    if (count_.load(std::memory_order_acquire) == 1) return true;
    return count_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  std::uint32_t uses() const noexcept { return count_.load(std::memory_order_relaxed); }

 protected:
  ~Counted() = default;

 private:
  mutable std::atomic<std::uint32_t> count_{1};
};

/// An owner of a T, whose `static void destroy(T*) noexcept` destroys it.
template <class T>
class Ref {
 public:
  Ref() = default;
  /// Takes over a reference that is counted already.
  static Ref adopt(T* counted) {
    Ref ref;
    ref.held_ = counted;
    return ref;
  }
  static Ref retain(T* held) {
    if (held != nullptr) held->retain();
    return adopt(held);
  }
  Ref(const Ref& other) : held_(other.held_) {
    if (held_ != nullptr) held_->retain();
  }
  Ref(Ref&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  /// Inline, so that a moved-from reference costs nothing.
  [[gnu::always_inline]] ~Ref() {
    if (held_ != nullptr && held_->drop()) T::destroy(held_);
  }

  T* get() const { return held_; }
  T* operator->() const { return held_; }
  T& operator*() const { return *held_; }
  explicit operator bool() const { return held_ != nullptr; }
  friend bool operator==(const Ref&, const Ref&) = default;

  /// Gives the reference away, still counted.
  T* detach() noexcept { return std::exchange(held_, nullptr); }

 private:
  T* held_ = nullptr;
};

}  // namespace plumbline::optimized
