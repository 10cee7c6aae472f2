// The sub-commands of plumbline-fuzz.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "adapters/adapter.h"
#include "support/command_line.h"

namespace plumbline::fuzz {

/// What `--out DIR` of `fuzz` and `shrink` gets.
inline constexpr const char* kReproducers =
    "the reproducers, pytest files; beside each, NAME.plain.py, which fails under plain Python, if the implementation "
    "captures graphs";

/// The command line asks for something that does not exist: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// For make_adapter, describe, and names of profiles and rules: a failure is an error in the command line.
template <class Look>
auto look_up(Look look) {
  try {
    return look();
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

/// The seed and the number of a program, from `--replay SEED:INDEX`. Throws UsageError.
inline std::pair<std::uint64_t, std::uint64_t> place_of(const std::string& text) {
  std::uint64_t seed = 0, index = 0;
  const char* const end = text.data() + text.size();
  const auto [colon, bad_seed] = std::from_chars(text.data(), end, seed);
  const bool two = bad_seed == std::errc() && colon != end && *colon == ':';
  const auto [stop, bad_index] = two ? std::from_chars(colon + 1, end, index) : std::from_chars_result{end, {}};
  if (!two || bad_index != std::errc() || stop != end)
    throw UsageError(fmt::format("--replay takes SEED:INDEX, as in 1:4711, not \"{}\"", text));
  return {seed, index};
}

/// Each adds its sub-command to `line`, and what runs it.
void add_fuzz(CommandLine& line);
void add_shrink(CommandLine& line);
void add_selftest(CommandLine& line);
void add_hits(CommandLine& line);
void add_variants(CommandLine& line);

}  // namespace plumbline::fuzz
