// `plumbline bench --save` and `--against`: measuring one implementation for later, or comparing it with another.
#pragma once

#include <string>

#include "bench/driver/compare.h"

namespace plumbline::bench {

struct AgainstOptions {
  std::string on;       ///< the implementation that is measured
  std::string against;  ///< a saved name, a file, a folder, or another implementation
  std::string store;    ///< the folder of saved measurements
  std::string filter;   ///< a regular expression for the cases' ids; empty: all but the heavy ones
  double gate = 0.03;
  bool quick = false;        ///< half the processes, shorter repetitions
  bool instructions = true;  ///< counted, if valgrind is installed
};

/// Measures `on` for later. `report.cases` may be empty. Throws std::runtime_error.
struct Measured {
  Saved saved;
  std::string runner;  ///< the executable to copy; empty: none
  std::vector<std::string> notes;
  std::map<std::string, std::string> errors;  ///< by case
  bool interrupted = false;
};
Measured measure_for_later(const AgainstOptions& options);

/// Throws SavedError and std::runtime_error if `on` or `against` cannot be used.
Comparison compare_against(const AgainstOptions& options);

}  // namespace plumbline::bench
