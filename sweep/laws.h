// The laws that the schema of an operator states, whatever the operator computes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "spec/rules/rule.h"
#include "sweep/operator.h"

namespace plumbline::sweep {

/// How much harm a broken law does, worst first.
enum class Severity : std::uint8_t { crash, immutability, aliasing, silent_value, metadata, wrong_error };
inline constexpr std::array<std::string_view, 6> kSeverities{
    "crash or hang",         "immutability", "no-aliasing", "silent wrong value", "version or view metadata",
    "wrong or missing error"};

/// A rule of family OP. What judges by it is in judging.h and judge.h.
struct Law {
  const Rule* rule;
  Severity severity;

  /// Its sentence, its source and its misreading; the report counts the cases that tell the misreading from the law.
  const RuleText& text() const;
  std::string_view id() const { return text().id; }  ///< "OP-03"
};

/// Operators of which a law does not hold, and need not.
struct Exemption {
  std::string_view law;        ///< "OP-08", or "elements" for all laws that compare elements
  std::string_view operators;  ///< a glob of full names
  std::string_view why;
};

/// In the order of their numbers.
std::span<const Law> laws();
std::span<const Exemption> exemptions();
/// Null if there is none.
const Law* law_named(std::string_view id);
/// Whether the law, or "elements", does not hold of this operator, and need not.
bool is_exempt(std::string_view law, const Operator& op);

}  // namespace plumbline::sweep
