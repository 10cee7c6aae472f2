// Verdicts, their order, and their exit codes.
#include "oracle/verdict.h"

#include <fmt/format.h>

#include <array>

namespace plumbline {

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 6> kNames{"pass",    "unsupported", "unspecified",
                                                   "unknown", "divergent",   "harness-error"};
  return kNames[static_cast<std::size_t>(verdict)];
}

void Tally::add(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      ++passed;
      break;
    case Verdict::unsupported:
      ++unsupported;
      break;
    case Verdict::unspecified:
      ++unspecified;
      break;
    case Verdict::unknown:
      ++unknown;
      break;
    case Verdict::divergent:
      ++divergent;
      break;
    case Verdict::harness_error:
      ++harness_errors;
      break;
  }
}

std::size_t Tally::total() const {
  return passed + unsupported + unspecified + unknown + divergent + waived + harness_errors;
}

std::string Tally::line() const {
  std::string text = fmt::format("{} of {} passed, {} unsupported, {} unspecified, {} divergent", passed, total(),
                                 unsupported, unspecified, divergent);
  if (waived > 0) text += fmt::format(", {} waived", waived);
  if (unknown > 0) text += fmt::format(", {} unknown", unknown);
  if (harness_errors > 0)
    text += fmt::format(", {} harness {}", harness_errors, harness_errors == 1 ? "error" : "errors");
  return text;
}

int Tally::exit_code(bool require_all) const {
  if (harness_errors > 0) return kExitHarness;
  if (divergent > 0) return kExitDivergent;
  if (unknown > 0) return kExitUnknown;
  if (passed + waived == 0) return kExitNothing;
  return require_all && passed != total() ? kExitDivergent : 0;
}

}  // namespace plumbline
