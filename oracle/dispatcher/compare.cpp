// Comparing traces of dispatch scripts.
#include "oracle/dispatcher/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "adapters/protocol/dispatch.h"

namespace plumbline::dispatcher {

namespace {

std::string outcome_text(const DispatchOutcome& outcome) {
  std::string text = fmt::format("{}", name_of(outcome.error));
  if (!outcome.message.empty()) text += fmt::format(" ({})", outcome.message.substr(0, 120));
  if (outcome.reading) text += *outcome.reading ? ", True" : ", False";
  constexpr std::size_t kShown = 6;
  if (outcome.log.size() <= kShown) return text + fmt::format(", kernels [{}]", log_text(outcome.log));
  const std::vector<KernelLog> first(outcome.log.begin(), outcome.log.begin() + kShown);
  return text + fmt::format(", kernels [{} …, {} in total]", log_text(first), outcome.log.size());
}

std::optional<std::string> difference(const DispatchOutcome& reference, const DispatchOutcome& found) {
  if (reference.error != found.error)
    return fmt::format("error {}, not {}", name_of(found.error), name_of(reference.error));
  if (reference.reading != found.reading) return "another reading";
  if (reference.log == found.log) return std::nullopt;
  const auto names = [](const std::vector<KernelLog>& log) {
    std::vector<std::string> all;
    for (const KernelLog& one : log) all.push_back(one.kernel);
    return all;
  };
  return names(reference.log) != names(found.log) ? "other kernels" : "another key set";
}

}  // namespace

std::string log_text(const std::vector<KernelLog>& log) {
  std::string text;
  for (const KernelLog& one : log) {
    text += (text.empty() ? "" : " ") + one.kernel;
    if (!one.keys.empty()) text += fmt::format("({})", fmt::join(one.keys, ", "));
  }
  return text;
}

std::string_view kind_of(const DispatchStatement& statement) {
  constexpr std::array<std::string_view, 11> names{"library", "define", "impl",       "fallback", "drop", "enter",
                                                   "leave",   "call",   "redispatch", "query",    "tls"};
  return names[statement.index()];
}

std::optional<TraceDifference> compare(const DispatchScript& script, const DispatchTrace& reference,
                                       const DispatchTrace& found) {
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    if (i >= reference.size() || i >= found.size()) return TraceDifference{i, "the trace is too short", "", "", ""};
    const auto what = difference(reference[i], found[i]);
    if (!what) continue;
    const std::string place =
        i < script.lines.size() ? fmt::format("line {}", script.lines[i]) : fmt::format("statement {}", i + 1);
    const std::string_view kind = kind_of(script.statements[i]);
    std::string expected = outcome_text(reference[i]), got = outcome_text(found[i]);
    std::string message = fmt::format("{} ({}): the rules say {}; got {}", place, kind, expected, got);
    return TraceDifference{i, fmt::format("{}: {}", kind, *what), std::move(expected), std::move(got),
                           std::move(message)};
  }
  return std::nullopt;
}

}  // namespace plumbline::dispatcher
