// Validating many bodies: random ones for a time or a number, or every chain of views up to a length.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oracle/validate/validate.h"

namespace plumbline::validate {

/// A body whose functionalized form differs.
struct Finding {
  std::uint64_t body = 0;  ///< its number in the run; with the seed it says which
  passes::Passes passes = passes::Passes::ab;
  std::string difference;
  std::string program;  ///< the body as calls, and what it became
};

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t programs = 0;  ///< 0: as many as the time allows
  double seconds = 0;          ///< 0: no limit
  int steps = 10;
  std::optional<passes::Passes> form = {};  ///< of each body this one alone; else all three
  const Rule* flipped = nullptr;
  std::size_t most_findings = 10;  ///< ends the run, unless `to_the_end`
  bool to_the_end = false;         ///< counts all that differ, and keeps so many
  std::uint64_t first = 0;         ///< of random bodies: the number of the first, and how many numbers lie between two
  std::uint64_t every = 1;
};

struct Report {
  std::uint64_t programs = 0;                    ///< bodies of which a form was validated
  std::uint64_t forms = 0;                       ///< functionalized programs that were
  std::uint64_t steps = 0;                       ///< of the bodies
  std::uint64_t differ = 0;                      ///< bodies of which a form differs
  std::uint64_t asked = 0;                       ///< pairs of different terms, of which Z3 was asked
  std::uint64_t equal = 0;                       ///< and that are equal for all values
  std::uint64_t without_form = 0;                ///< bodies that have no functional form
  std::map<std::string, std::uint64_t> reasons;  ///< why
  std::vector<Finding> findings;
  double seconds = 0;
  bool interrupted = false;
};

/// Is asked between bodies whether to stop, with what was done so far.
using Stop = std::function<bool(const Report&)>;

Report run_random(const Options& options, const Stop& stop);
/// Every chain of up to `length` views over each of a few shapes (one longer over one shape), with a write through each
/// view of the chain, and a read of every view afterwards.
Report run_exhaustive(const Options& options, int length, const Stop& stop);

/// One body: each form of it validated, its promises checked, and the first that differs told. Adds to the report.
void judge_body(Validator& validator, const Options& options, const passes::Body& body, std::uint64_t number,
                Report& report);

}  // namespace plumbline::validate
