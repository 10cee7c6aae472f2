// The laws that the schema of an operator states, whatever the operator computes.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/experiment.h"

namespace plumbline::sweep {

/// How much harm a broken law does, worst first.
enum class Severity : std::uint8_t { crash, immutability, aliasing, silent_value, metadata, wrong_error };
inline constexpr std::array<std::string_view, 6> kSeverities{
    "crash or hang",         "immutability", "no-aliasing", "silent wrong value", "version or view metadata",
    "wrong or missing error"};

struct Law {
  std::string_view id;  ///< "OP-03"
  std::string_view sentence;
  std::string_view source;  ///< what states it
  Severity severity;
};

/// Operators of which a law does not hold, and need not.
struct Exemption {
  std::string_view law;        ///< "OP-08", or "elements" for all laws that compare elements
  std::string_view operators;  ///< a glob of full names
  std::string_view why;
};

/// What was seen of one choice of arguments.
struct Runs {
  Experiment normal;
  std::map<Setting, Observation> seen;  ///< with these arguments; at least in the normal setting
  std::optional<Observation> again;     ///< in the normal setting, a second time
  std::optional<Observation> reseeded;  ///< in the normal setting, with another seed of random numbers
  std::optional<Observation> strided;   ///< in the normal setting, with the tensors elsewhere in memory
  std::optional<Observation> twin;      ///< of the functional operator, in the normal setting
};

/// One departure from a law.
struct Breach {
  std::string_view law;
  Setting setting;
  std::string what;    ///< the same words for the same kind of departure: findings are grouped by them
  std::string detail;  ///< what was expected, and what was seen
};

/// The verdict of one law on one choice of arguments.
struct Judged {
  std::size_t cases = 0;  ///< how often it had something to say
  std::vector<Breach> breaches;
};

std::span<const Law> laws();
std::span<const Exemption> exemptions();
/// Null if there is none.
const Law* law_named(std::string_view id);

/// Judges by every law, in the order of `laws()`.
std::vector<Judged> judge(const Operator& op, const Runs& runs);

/// OP-11, of a call that raised an error in the normal setting.
Judged judge_refusal(const Operator& op, const Experiment& experiment, const Observation& seen);

}  // namespace plumbline::sweep
