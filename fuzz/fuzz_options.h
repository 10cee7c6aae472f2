// The options of `plumbline fuzz`.
#pragma once

#include <string>
#include <vector>

#include "adapters/adapter.h"
#include "fuzz/campaign.h"
#include "support/command_line.h"

namespace plumbline::fuzz {

/// How much shrinking one program may cost. A run costs 1. A run that kills the process, or that hangs, costs as many
/// runs as would have fitted into its time.
constexpr std::size_t kShrinkCost = 4000;

struct FuzzOptions {
  std::vector<std::string> on;
  CampaignOptions campaign;
  const Option* programs_option = nullptr;
  std::string profile, flip, out, json, replay;
  std::string found_on;  ///< the `--on` that gives the same programs again
  std::string waivers;   ///< empty: those of the corpus
  bool unsafe = false;
  bool functionalize = false;
  bool transforms = false;
  bool without_by_schema = false;
  bool by_schema = false;  ///< found: see asks_by_schema
  bool capture = false;
  bool devices = false;
  bool plain = false;
  bool profile_run = false;
  bool observe_all = false;
  std::size_t shrink_runs = kShrinkCost;
  bool first = false;
  bool verbose = false;
  bool quiet = false;
  bool dispatcher = false;
  std::vector<Profile> profiles;  ///< of all implementations
  std::string level = std::string(name_of(Level::versions));
  double timeout = 10;
  std::int64_t memory_limit = kMemoryLimit_mib;
};

}  // namespace plumbline::fuzz
