// A runner's two ways to be used: by the driver, in JSON lines, and by hand, as Google Benchmark's own programs are.
#pragma once

#include <functional>

#include "bench/runner/suite.h"

namespace plumbline::bench {

/// The main function of a runner. With `--serve` it answers JSON lines (bench/README.md describes them); else its
/// arguments are Google Benchmark's. `make` is called once the process is pinned to one CPU. Returns the exit code.
int runner_main(int argc, char** argv, const std::function<Suite()>& make);

}  // namespace plumbline::bench
