// The closed list of reasons why no obligation asks a rule.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace plumbline::prove {

/// Why no obligation asks a rule. docs/measured/reasons.json names one for each such rule.
enum class Unproved : std::uint8_t { values, text_choice, release_choice, open };

/// A reason's name in reasons.json, and what it says of a rule.
struct UnprovedText {
  std::string_view name;
  std::string_view sentence;
};

/// In the order of `Unproved`.
inline constexpr std::array<UnprovedText, 4> kUnproved{{
    {"values", "It says which numbers an op computes, or which elements it reads. Comparison alone holds it."},
    {"a text's choice", "It is a choice of a text, without a condition that an obligation could ask about."},
    {"a release's choice", "It is a choice of a release, without a condition that an obligation could ask about."},
    {"not proved yet", "No obligation asks it yet. Programs show it, and comparison holds it."},
}};

/// The text of a reason.
constexpr const UnprovedText& text_of(Unproved reason) { return kUnproved.at(static_cast<std::size_t>(reason)); }

/// Whether the reason is that the rule is a choice; its text says so, too (`RuleText::choice`).
constexpr bool is_choice(Unproved reason) {
  return reason == Unproved::text_choice || reason == Unproved::release_choice;
}

/// Whether a rule with this reason needs no obligation: it is about values, or it is a choice.
constexpr bool needs_no_obligation(Unproved reason) { return reason == Unproved::values || is_choice(reason); }

}  // namespace plumbline::prove
