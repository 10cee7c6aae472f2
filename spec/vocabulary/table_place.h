// The entry of a dispatch table at which a key set arrives, as arithmetic on the layout, over any domain.
#pragma once

#include "spec/vocabulary/key_layout.h"
#include "spec/vocabulary/keys.h"

namespace plumbline {

/// A runtime key, as values of a domain; see RuntimeKey.
template <Domain D>
struct Place {
  Num<D> functionality;  ///< from 1; 0: Undefined
  Num<D> backend;        ///< from 0; 0 where the functionality is not per backend

  friend constexpr Bool<D> operator==(const Place& a, const Place& b) {
    return a.functionality == b.functionality && a.backend == b.backend;
  }
};
template <Domain D>
constexpr Place<D> select(const Bool<D>& condition, const Place<D>& yes, const std::type_identity_t<Place<D>>& no) {
  return {select(condition, yes.functionality, no.functionality), select(condition, yes.backend, no.backend)};
}

/// The functionality of highest priority in a set, from 1, or 0 if it has none.
template <Domain D>
Num<D> highest_functionality(const KeyLayout& layout, const KeySet<D>& keys) {
  Num<D> highest = 0;
  for (int f = 1; f <= static_cast<int>(layout.functionalities.size()); ++f)
    highest = select(keys.has_any(KeySet<D>::raw(functionality_bit(layout, f))), Num<D>(f), highest);
  return highest;
}

/// The backend of highest priority in a set, from 0, and the one of lowest priority; 0 also if it has none.
template <Domain D>
Num<D> highest_backend(const KeyLayout& layout, const KeySet<D>& keys) {
  Num<D> highest = 0;
  for (std::size_t b = 0; b < layout.backends.size(); ++b)
    highest = select(keys.has_any(KeySet<D>::raw(std::uint64_t{1} << b)), Num<D>(b), highest);
  return highest;
}
template <Domain D>
Num<D> lowest_backend(const KeyLayout& layout, const KeySet<D>& keys) {
  Num<D> lowest = 0;
  for (std::size_t b = layout.backends.size(); b-- > 0;)
    lowest = select(keys.has_any(KeySet<D>::raw(std::uint64_t{1} << b)), Num<D>(b), lowest);
  return lowest;
}

/// Whether a functionality, from 1, is per backend; false for 0.
template <Domain D>
Bool<D> is_per_backend(const KeyLayout& layout, const Num<D>& functionality) {
  Bool<D> each = false;
  for (int f = 1; f <= static_cast<int>(layout.functionalities.size()); ++f)
    if (layout.functionalities[static_cast<std::size_t>(f) - 1].per_backend) each = each || functionality == Num<D>(f);
  return each;
}

/// A key's entry: the first entry of its functionality plus the backend.
template <Domain D>
Num<D> table_index(const KeyLayout& layout, const Place<D>& place) {
  Num<D> index = 0;
  int first = 1;
  for (int f = 1; f <= static_cast<int>(layout.functionalities.size()); ++f) {
    index = select(place.functionality == Num<D>(f), Num<D>(first) + place.backend, index);
    const bool each = layout.functionalities[static_cast<std::size_t>(f) - 1].per_backend;
    first += each ? static_cast<int>(layout.backends.size()) : 1;
  }
  return index;
}

}  // namespace plumbline
