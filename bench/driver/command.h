// The command `plumbline bench`.
#pragma once

#include <string>

namespace plumbline::bench {

struct BenchOptions {
  std::string on;             ///< empty: every LibTorch that is built, or, with --save and --against, ours
  std::string filter;         ///< empty: every case, or, with --save and --against, all but the heavy ones
  std::string save, against;  ///< empty: the table
  std::string store;          ///< empty: beside the executables' folder
  std::string gate = "3%";
  std::string json, svg;
  bool quick = false;
  bool all = false;
  bool no_instructions = false;
  bool list = false;
  bool claims = false;
};

/// Returns the exit code; throws std::runtime_error for what the user gave wrong.
int bench_command(const BenchOptions& options);

}  // namespace plumbline::bench
