// Faulty functionalizers: each misreads one rule FUN, and validation must tell.
#pragma once

#include "oracle/validate/run.h"

namespace plumbline::validate {

/// What came of one planted fault.
struct PlantedFault {
  const Rule* rule = nullptr;
  bool caught = false;
  std::uint64_t programs = 0;  ///< validated until it was caught, or in all
  passes::Passes passes = passes::Passes::ab;
  std::string difference;
};

/// Validates random bodies by passes that misread `rule`, at most so many, until one form of one differs.
PlantedFault catch_fault(const Rule& rule, const Options& options);

/// Of how many of `options.programs` bodies validation tells that the passes misread `rule`.
std::uint64_t bodies_that_differ(const Rule& rule, const Options& options);

}  // namespace plumbline::validate
