// What the texts say about speed, each sentence as pairs of rows that are measured one beside the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::bench {

/// How the time of the left row is to relate to that of the right one.
enum class Relation : std::uint8_t {
  at_most,   ///< at most `limit` times as long
  at_least,  ///< at least as long
  about,     ///< between 1/limit and `limit` times as long
};

/// Two cases of bench/rows.h, on one side.
struct ClaimPair {
  std::string left, right;
  Relation relation = Relation::at_most;
  double limit = 1;            ///< 1 where the text leaves no room; else ours, since no text gives a number
  bool against_floor = false;  ///< the right case is the floor's
};

/// What a sentence says about speed.
struct Claim {
  std::string_view name;                    ///< for `--claims --filter`
  std::vector<std::string_view> sentences;  ///< of fuzz/corpus/sentences.json
  std::string_view says;                    ///< in our own words
  std::vector<ClaimPair> pairs;
};

const std::vector<Claim>& claims();

/// Cases that are measured beside themselves. The margin of the measurement is the largest difference of their ratios
/// from 1.
const std::vector<std::string_view>& control_cases();

/// "add/1/inference ≤ add/1/below", "write_split/1/normal ≤ 1.1 × write_fused/1/normal".
std::string text_of(const ClaimPair& pair);

}  // namespace plumbline::bench
