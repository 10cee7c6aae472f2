// The local variables of a program.
#pragma once

#include <cstdint>

namespace plumbline {

/// A local variable that holds a tensor, numbered from 0 in the order of first assignment; a later assignment to
/// the same name rebinds the slot.
enum class Slot : std::int32_t {};

}  // namespace plumbline
