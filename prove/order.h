// Putting some of a list first without changing the order of either part.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

namespace plumbline {

/// Puts the elements for which `first` is true before the others; both parts keep their order. Returns their number.
/// (The standard library's stable_partition uses a deprecated allocation.)
template <class T, class First>
std::ptrdiff_t bring_forward(std::vector<T>& all, const First& first) {
  std::vector<T> chosen;
  std::vector<T> others;
  for (T& one : all) (first(std::as_const(one)) ? chosen : others).push_back(std::move(one));
  const auto count = static_cast<std::ptrdiff_t>(chosen.size());
  chosen.insert(chosen.end(), std::move_iterator(others.begin()), std::move_iterator(others.end()));
  all = std::move(chosen);
  return count;
}

}  // namespace plumbline
