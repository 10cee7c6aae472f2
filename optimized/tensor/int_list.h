// A list of integers that someone else owns: sizes, strides, dimensions.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace plumbline::optimized {

/// As c10's IntArrayRef: it also reads a braced list, which lives as long as the call.
class IntList : public std::span<const std::int64_t> {
 public:
  using std::span<const std::int64_t>::span;
  constexpr IntList() = default;
  constexpr IntList(std::span<const std::int64_t> values)  // NOLINT(google-explicit-constructor)
      : std::span<const std::int64_t>(values) {}
  IntList(const std::vector<std::int64_t>& values)  // NOLINT(google-explicit-constructor)
      : std::span<const std::int64_t>(values) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  constexpr IntList(std::initializer_list<std::int64_t> values)  // NOLINT(google-explicit-constructor)
      : std::span<const std::int64_t>(values.begin(), values.size()) {}
#pragma GCC diagnostic pop

  std::vector<std::int64_t> vec() const { return {begin(), end()}; }
};

}  // namespace plumbline::optimized
