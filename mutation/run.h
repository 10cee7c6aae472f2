// A run over mutants: its options and its report.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "mutation/report.h"

namespace plumbline::mutate {

struct Options {
  std::string what = "optimized";  ///< the subject
  std::string source;              ///< the project's folder
  std::string build;               ///< Ninja's
  std::string ninja;               ///< the command
  std::string left_out;            ///< the list of regions without mutants
  std::string survivors;           ///< the list of survivors with reasons
  std::string these;               ///< a list of mutants, instead of a sample; may be empty
  std::string faults;              ///< a list of named faults, instead of mutants; may be empty
  std::string only;           ///< "optimized/cpu/", "operator.cpp", "optimized/dispatcher/operator.cpp:55"; empty: all
  std::size_t mutants = 100;  ///< 0: all
  std::uint64_t seed = 1;
  double seconds = 10;             ///< the length of each fuzzing step
  std::size_t programs = 0;        ///< the length of each fuzzing step in programs; 0: `seconds` decides
  std::vector<std::string> names;  ///< only the faults with these names; empty: all of `faults`
  unsigned jobs = 1;
  bool dispatcher = false;  ///< only mutants of optimized/dispatcher/ and only programs about it
};

/// An error in the command line or in a list: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Chosen {
  std::vector<Site> sites;
  std::vector<std::string> stale;  ///< entries of lists that name nothing in the sources
};
/// The mutants that `run` would make, without making any. Throws as `run` does.
Chosen chosen(const Options& options);

/// Makes the mutants and tests each of them. Throws UsageError, and std::runtime_error if there is no usable driver.
Report run(const Options& options);

}  // namespace plumbline::mutate
