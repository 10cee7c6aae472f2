// DSP: how a call finds its entry: fallthrough keys, the entry of a key set, redispatch, and errors.
#pragma once

#include "spec/rules/key.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

inline constexpr Rule DSP_30{Family::DSP, 30};
inline constexpr Rule DSP_31{Family::DSP, 31};
inline constexpr Rule DSP_32{Family::DSP, 32};
inline constexpr Rule DSP_33{Family::DSP, 33};
inline constexpr Rule DSP_34{Family::DSP, 34};
inline constexpr Rule DSP_35{Family::DSP, 35};
inline constexpr Rule DSP_36{Family::DSP, 36};
inline constexpr Rule DSP_37{Family::DSP, 37};
inline constexpr Rule DSP_38{Family::DSP, 38};
inline constexpr Rule DSP_39{Family::DSP, 39};

/// The keys after a functionality, counted from 1: the mask with which its kernel redispatches.
template <Domain D>
typename D::Word keys_after(const Judge<D>& judge, const KeyLayout& layout, int functionality) {
  const std::uint64_t lower = functionality_bit(layout, functionality) - 1;
  const std::uint64_t python = functionality_bit(layout, functionality_named(layout, "PythonDispatcher"));
  return judge(DSP_39, KeySet<D>::raw(lower | python), KeySet<D>::raw(lower)).v;
}

}  // namespace plumbline
