// The self-test: whether a planted fault is found by fuzzing alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/campaign.h"
#include "fuzz/faults.h"

namespace plumbline::fuzz {

struct Caught {
  std::string fault;
  bool caught = false;
  std::uint64_t programs = 0;  ///< how many it took; where it survived, how many were tried
  std::size_t statements = 0;  ///< of the shrunk program
  std::string signature;
  std::string text;  ///< the shrunk program's reproducer, where it has one
};

/// Fuzzes with one fault planted, and shrinks the first failure.
Caught catch_fault(const Fault& fault, const Subject& healthy, const CampaignOptions& options);

}  // namespace plumbline::fuzz
