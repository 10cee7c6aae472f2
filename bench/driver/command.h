// The command `plumbline bench`.
#pragma once

#include <string>

namespace plumbline::bench {

struct BenchOptions {
  std::string on;             ///< empty: ours and every LibTorch that is built, or, with --save and --against, ours
  std::string filter;         ///< empty: every case or claim, or, with --save and --against, all but the heavy cases
  std::string save, against;  ///< empty: the table
  std::string store;          ///< empty: default_store()
  std::string gate = "3%";
  std::string json, svg;
  bool quick = false;
  bool all = false;
  bool no_instructions = false;
  bool list = false;
  bool claims = false;
};

/// Returns the exit code. Throws std::runtime_error for wrong usage.
int bench_command(const BenchOptions& options);

}  // namespace plumbline::bench
