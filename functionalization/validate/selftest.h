// Faulty functionalizers: each misreads one FUN rule, and validation must notice.
#pragma once

#include "functionalization/validate/run.h"

namespace plumbline::validate {

/// The result for one planted fault.
struct PlantedFault {
  const Rule* rule = nullptr;
  bool caught = false;
  std::uint64_t programs = 0;  ///< validated until the fault was caught, or in total
  passes::Passes passes = passes::Passes::ab;
  std::string difference;
};

/// Validates random bodies with passes that misread `rule`, until a form differs or the limit is reached.
PlantedFault catch_fault(const Rule& rule, const Options& options);

/// The number of bodies, of `options.programs`, that differ if the passes misread `rule`.
std::uint64_t bodies_that_differ(const Rule& rule, const Options& options);

}  // namespace plumbline::validate
