// Putting some of a list first without changing the order of either part.
#pragma once

#include <iterator>
#include <utility>
#include <vector>

namespace plumbline {

/// Puts those of which `first` is true before the others; both keep their order. How many they are. (The standard
/// library's stable_partition asks for memory in a way that is deprecated.)
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
