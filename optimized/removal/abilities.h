// What a backend can do, and what is therefore removed from the calls that reach it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace plumbline::optimized {

/// What the calls may have that reach a backend.
struct Abilities {
  bool views = true;     ///< an operand may be a part of a buffer; else it is a whole one, each element once
  bool strides = true;   ///< the elements of an operand may be in any order; else they are in the order of the loops
  bool mutation = true;  ///< a buffer may be written again; else it is written by one call, before all that read it

  bool operator==(const Abilities&) const = default;
};

/// A part of functionalization that stands between the kernels and a backend.
enum class Removal : std::uint8_t {
  /// Operands that the backend cannot take become copies; what is written to one is moved to where it belongs.
  aliases,
  /// Each call writes a fresh buffer, which begins with what the old one holds if that counts.
  mutation,
};

/// What is inserted for a backend, in the order in which calls come through it.
struct Inserted {
  Abilities can;
  std::array<Removal, 2> all{};
  std::size_t count = 0;

  constexpr std::span<const Removal> removals() const { return {all.data(), count}; }
};

inline constexpr std::array kInserted{
    Inserted{{.views = true, .strides = true, .mutation = true}},
    Inserted{{.views = true, .strides = true, .mutation = false}, {Removal::mutation}, 1},
    Inserted{{.views = true, .strides = false, .mutation = true}, {Removal::aliases}, 1},
    Inserted{{.views = true, .strides = false, .mutation = false}, {Removal::aliases, Removal::mutation}, 2},
    Inserted{{.views = false, .strides = true, .mutation = true}, {Removal::aliases}, 1},
    Inserted{{.views = false, .strides = true, .mutation = false}, {Removal::aliases, Removal::mutation}, 2},
    Inserted{{.views = false, .strides = false, .mutation = true}, {Removal::aliases}, 1},
    Inserted{{.views = false, .strides = false, .mutation = false}, {Removal::aliases, Removal::mutation}, 2},
};

/// The row for these abilities.
constexpr const Inserted& inserted_for(const Abilities& can) {
  return *std::ranges::find(kInserted, can, &Inserted::can);
}

}  // namespace plumbline::optimized
