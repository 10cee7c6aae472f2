// The device among a call's arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "spec/vocabulary/statement.h"

namespace plumbline {

/// The device that a call names, `kCpu` or `kTestDevice`; null: its op takes none, or the call gives none. `values`:
/// those of the op's arguments, in order.
inline const std::string* device_argument(const Op& op, std::span<const Value> values) {
  for (std::size_t i = 0; i < std::min(op.arguments.size(), values.size()); ++i)
    if (op.arguments[i].type == ArgType::Device) return std::get_if<std::string>(&values[i]);
  return nullptr;
}

}  // namespace plumbline
