// The laws that the schema of an operator states, whatever the operator computes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sweep/operator.h"

namespace plumbline::sweep {

/// How much harm a broken law does, worst first.
enum class Severity : std::uint8_t { crash, immutability, aliasing, silent_value, metadata, wrong_error };
inline constexpr std::array<std::string_view, 6> kSeverities{
    "crash or hang",         "immutability", "no-aliasing", "silent wrong value", "version or view metadata",
    "wrong or missing error"};

struct Law {
  std::string_view id;  ///< "OP-03"
  std::string_view sentence;
  std::string_view misreading;  ///< a plausible wrong reading; the report counts the cases that tell it from the law
  std::string_view source;      ///< what states it
  Severity severity;
};

/// Operators of which a law does not hold, and need not.
struct Exemption {
  std::string_view law;        ///< "OP-08", or "elements" for all laws that compare elements
  std::string_view operators;  ///< a glob of full names
  std::string_view why;
};

std::span<const Law> laws();
std::span<const Exemption> exemptions();
/// Null if there is none.
const Law* law_named(std::string_view id);
/// Whether the law, or "elements", does not hold of this operator, and need not.
bool is_exempt(std::string_view law, const Operator& op);

}  // namespace plumbline::sweep
