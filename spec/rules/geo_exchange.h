// GEO: `.data` and `set_`: who has which storage, sizes, strides and offset afterwards.
#pragma once

#include "spec/rules/geo_memory.h"

namespace plumbline {

inline constexpr Rule GEO_29{Family::GEO, 29};
inline constexpr Rule GEO_30{Family::GEO, 30};
inline constexpr Rule GEO_31{Family::GEO, 31};

/// Whether `x.data`, x after `x.data = y`, and x after `x.set_(y)` share the storage of their source.
template <Domain D>
constexpr Bool<D> data_shares_storage(const Judge<D>& judge) {
  return judge(GEO_29, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> set_data_shares_storage(const Judge<D>& judge) {
  return judge(GEO_30, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> set_source_shares_storage(const Judge<D>& judge) {
  return judge(GEO_31, Bool<D>(true), Bool<D>(false));
}

}  // namespace plumbline
