// Helpers that the obligations about key sets, guards and tables share.
#pragma once

#include <array>

#include "spec/proofs/obligation.h"
#include "spec/vocabulary/key_layout.h"
#include "spec/vocabulary/keys.h"
#include "spec/vocabulary/table_place.h"

namespace plumbline::proofs {

using S = Symbolic;
using Keys = KeySet<S>;
using Truth = Bool<S>;
using Number = Num<S>;

inline constexpr std::uint64_t kAllBackends = (std::uint64_t{1} << kBackends) - 1;
inline constexpr std::uint64_t kView = bit_of(Functionality::ADInplaceOrView);
inline constexpr std::uint64_t kAutograd = bit_of(Functionality::Autograd) | bit_of(Functionality::AutogradOther) |
                                           bit_of(Functionality::AutogradNestedTensor);

/// A free key set: any of the 2^64 words.
inline Keys any_keys(std::string_view name) { return Keys::of({variable(name, Sort::Word)}); }
inline Keys keys(std::uint64_t word) { return Keys::raw(word); }
inline Truth has(const Keys& set, std::uint64_t bits) { return set.has_any(keys(bits)); }
inline Truth within(const Keys& small, const Keys& big) { return (small - big).empty(); }
inline Truth iff(const Truth& a, const Truth& b) { return a == b; }

/// A claim about each of these bits: a rule on sets, element by element.
inline Truth for_each_bit(std::uint64_t bits, const std::function<Truth(std::uint64_t)>& claimed) {
  Truth all = true;
  for (int i = 0; i < 64; ++i)
    if ((bits >> i & 1U) != 0) all = all && claimed(std::uint64_t{1} << i);
  return all;
}
inline constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

/// The versions' layouts, each with the suffix of its obligations' names.
struct NamedLayout {
  const KeyLayout* layout;
  std::string suffix;
};
inline std::array<NamedLayout, 2> layouts() {
  return {{{layout_named("2.13"), ".2-13"}, {layout_named("1.13"), ".1-13"}}};
}

inline int functionalities_of(const KeyLayout& layout) { return static_cast<int>(layout.functionalities.size()); }
inline const FunctionalityRow& row_of(const KeyLayout& layout, int functionality) {
  return layout.functionalities[static_cast<std::size_t>(functionality) - 1];
}
/// The bits of all functionalities above one, and of all functionalities of the layout.
inline std::uint64_t bits_above(const KeyLayout& layout, int functionality) {
  const std::uint64_t upto =
      functionality == 0 ? backend_mask(layout) : (functionality_bit(layout, functionality) << 1) - 1;
  return full_word(layout) & ~upto;
}
inline std::uint64_t functionality_bits(const KeyLayout& layout) { return full_word(layout) & ~backend_mask(layout); }
/// The bits of the functionalities of these groups.
inline std::uint64_t bits_of(const KeyLayout& layout, std::initializer_list<KeyGroup> groups) {
  std::uint64_t bits = 0;
  for (int f = 1; f <= functionalities_of(layout); ++f)
    for (const KeyGroup group : groups)
      if (row_of(layout, f).group == group) bits |= functionality_bit(layout, f);
  return bits;
}
inline std::uint64_t autograd_bits(const KeyLayout& layout) {
  return bits_of(layout, {KeyGroup::autograd, KeyGroup::autograd_other, KeyGroup::autograd_nested});
}
inline std::uint64_t bit_named(const KeyLayout& layout, std::string_view functionality) {
  return functionality_bit(layout, functionality_named(layout, functionality));
}

}  // namespace plumbline::proofs
