// Validating many bodies: random ones for a time or a number, or every chain of views up to a length.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "functionalization/validate/validate.h"

namespace plumbline::validate {

/// A body with a functionalized form that differs.
struct Finding {
  std::uint64_t body = 0;  ///< its number in the run; the seed and this number identify it
  passes::Passes passes = passes::Passes::ab;
  std::string difference;
  std::string program;               ///< the body as calls, and the functionalized program
  std::string kind = {};             ///< of difference, if several kinds are searched for
  std::set<std::string> parts = {};  ///< what of the body may matter: a body of that kind with more parts is no news
};

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t programs = 0;  ///< 0: as many as the time allows
  double seconds = 0;          ///< 0: no limit
  int steps = 10;
  std::optional<passes::Passes> form = {};  ///< validate only this form of each body; empty: all three
  const Rule* flipped = nullptr;
  std::size_t most_findings = 10;  ///< this many findings end the run, unless `to_the_end`
  bool to_the_end = false;         ///< count all bodies that differ, and keep `most_findings` of them
  std::uint64_t first = 0;         ///< for random bodies: the first number, and the distance between numbers
  std::uint64_t every = 1;
};

struct Report {
  std::uint64_t programs = 0;                    ///< bodies with a validated form
  std::uint64_t forms = 0;                       ///< validated functionalized programs
  std::uint64_t steps = 0;                       ///< steps of the bodies
  std::uint64_t differ = 0;                      ///< bodies with a form that differs
  std::uint64_t asked = 0;                       ///< pairs of different terms that Z3 was asked about
  std::uint64_t equal = 0;                       ///< those that are equal for all values
  std::uint64_t without_form = 0;                ///< bodies without a functional form
  std::map<std::string, std::uint64_t> reasons;  ///< why, with the number of bodies
  std::vector<Finding> findings;
  double seconds = 0;
  bool interrupted = false;
};

/// Called between bodies with the report so far; returns whether to stop.
using Stop = std::function<bool(const Report&)>;

Report run_random(const Options& options, const Stop& stop);
/// Every chain of up to `length` views over each of a few shapes (one longer over one shape), with a write through each
/// view of the chain, and a read of every view afterwards.
/// The chains are shared among `jobs` threads, which may call `stop` at the same time; the report does not depend on
/// how. A run with findings is not cut short.
Report run_exhaustive(const Options& options, int length, unsigned jobs, const Stop& stop);

/// Adds the counts and findings of another part of the run.
void add(Report& all, Report one);

/// Validates each form of one body, checks its promises, and reports the first form that differs. Adds to the report.
void judge_body(Validator& validator, const Options& options, const passes::Body& body, std::uint64_t number,
                Report& report);

}  // namespace plumbline::validate
