// The exit codes of every command.
#pragma once

namespace plumbline {

inline constexpr int kExitDivergent = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitHarness = 3;
inline constexpr int kExitNothing = 4;
inline constexpr int kExitUnknown = 5;
inline constexpr int kExitInterrupted = 130;

}  // namespace plumbline
