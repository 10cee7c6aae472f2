// The self-test: whether fuzzing alone finds a planted fault, whether the curated programs alone find it, and whether
// neither does when the field that shows it is not compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/curated.h"
#include "fuzz/faults.h"

namespace plumbline::fuzz {

struct Caught {
  std::string fault;
  bool caught = false;
  std::uint64_t programs = 0;  ///< how many it took; if the fault survived, how many were tried
  std::size_t statements = 0;  ///< of the shrunk program
  std::string signature;
  std::string text;  ///< the shrunk program's reproducer, where it has one
};

/// Fuzzes with one fault planted, and shrinks the first failure.
Caught catch_fault(const Fault& fault, const Subject& healthy, const CampaignOptions& options);

/// The curated tests that fail with the fault planted, and pass without it.
std::vector<std::string> red_with(const Fault& fault, const Subject& healthy, const std::vector<CuratedTest>& curated);

/// How many programs, generated and curated, still fail with the fault planted when the field that shows it is not
/// compared. Nothing if that comparison cannot be switched off.
std::optional<std::size_t> caught_unseen(const Fault& fault, const Subject& healthy,
                                         const std::vector<CuratedTest>& curated, const CampaignOptions& options);

}  // namespace plumbline::fuzz
