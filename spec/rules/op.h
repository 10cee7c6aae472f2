// OP: the laws of every operator, whatever it computes. The sweep holds an implementation's operators to them
// (sweep/judging.h); no judge is asked for them.
#pragma once

#include "spec/rules/rule.h"

namespace plumbline {

inline constexpr Rule OP_01{Family::OP, 1};
inline constexpr Rule OP_02{Family::OP, 2};
inline constexpr Rule OP_03{Family::OP, 3};
inline constexpr Rule OP_04{Family::OP, 4};
inline constexpr Rule OP_05{Family::OP, 5};
inline constexpr Rule OP_06{Family::OP, 6};
inline constexpr Rule OP_07{Family::OP, 7};
inline constexpr Rule OP_08{Family::OP, 8};
inline constexpr Rule OP_09{Family::OP, 9};
inline constexpr Rule OP_10{Family::OP, 10};
inline constexpr Rule OP_11{Family::OP, 11};
inline constexpr Rule OP_12{Family::OP, 12};
inline constexpr Rule OP_13{Family::OP, 13};
inline constexpr Rule OP_14{Family::OP, 14};
inline constexpr Rule OP_15{Family::OP, 15};
inline constexpr Rule OP_16{Family::OP, 16};
inline constexpr Rule OP_17{Family::OP, 17};
inline constexpr Rule OP_18{Family::OP, 18};
inline constexpr Rule OP_19{Family::OP, 19};
inline constexpr Rule OP_20{Family::OP, 20};
inline constexpr Rule OP_21{Family::OP, 21};
inline constexpr Rule OP_22{Family::OP, 22};
inline constexpr Rule OP_23{Family::OP, 23};

}  // namespace plumbline
