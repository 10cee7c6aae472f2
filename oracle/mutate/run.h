// A run over mutants: which are made, and what became of each.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/mutate/report.h"

namespace plumbline::mutate {

struct Options {
  std::string what = "optimized";  ///< the subject
  std::string source;              ///< the project's folder
  std::string build;               ///< Ninja's
  std::string ninja;               ///< the command
  std::string left_out;            ///< the list of regions that are left out
  std::string survivors;           ///< the list of written reasons
  std::string these;               ///< a list of mutants, in place of a sample; empty: none
  std::string faults;              ///< a list of named faults, in place of mutants; empty: none
  std::string only;           ///< "optimized/cpu/", "operator.cpp", "optimized/dispatcher/operator.cpp:55"; empty: all
  std::size_t mutants = 100;  ///< 0: all
  std::uint64_t seed = 1;
  double seconds = 10;             ///< of each fuzzing
  std::size_t programs = 0;        ///< of each fuzzing, in place of seconds; 0: as many as fit into them
  std::vector<std::string> names;  ///< of `faults`, only these; empty: all
  unsigned jobs = 1;
  bool dispatcher = false;  ///< mutants of optimized/dispatcher/ alone, and programs about it alone
};

/// What is wrong with the command line or a list: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Chosen {
  std::vector<Site> sites;
  std::vector<std::string> stale;  ///< entries of lists that name nothing that is there
};
/// The mutants that would be made, without making any. Throws as `run`.
Chosen chosen(const Options& options);

/// Makes them and takes each through the programs. Throws UsageError, and std::runtime_error where the driver cannot be
/// had.
Report run(const Options& options);

}  // namespace plumbline::mutate
