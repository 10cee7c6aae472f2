// `plumbline selftest --dispatcher` and `--transforms`: an implementation that misreads one rule, and whether programs
// notice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/campaign.h"
#include "spec/rules/rule.h"

namespace plumbline::fuzz {

/// An implementation that follows one rule's misreading.
struct Misreading {
  std::string_view name;
  const Rule* rule;
  std::string_view out_of_reach = {};  ///< why no generated program can show it; empty: one should
};

/// What a self-test plants, and the programs that are to notice.
struct MisreadingSubject {
  std::string_view command;
  std::string_view corpus;  ///< the folder of the curated programs, below that of all
  std::vector<Misreading> faults;
  Recipe generated;
};
MisreadingSubject misread_dispatcher();
MisreadingSubject misread_transforms();

struct MisreadingOptions {
  std::uint64_t programs = 20000;  ///< the maximum number of generated programs for each fault
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::string corpus;  ///< the folder of all curated programs
  std::string json;
};

/// Plants each fault in the reference and sees it caught, by generated programs alone and by the curated programs
/// alone. Returns the exit code.
int run_misreading_selftest(const MisreadingSubject& subject, const MisreadingOptions& options);

}  // namespace plumbline::fuzz
