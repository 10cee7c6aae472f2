// plumbline-bench-lazy-libtorch-VERSION: the lazy cases on ours, one LibTorch and the floors, in one process.
#include "bench/lazy/sides.h"
#include "bench/runner/serve.h"

int main(int argc, char** argv) {
  using namespace plumbline::bench;
  return runner_main(argc, argv, [] {
    std::vector<Side> sides = our_lazy_sides();
    for (Side& side : lazy_sides_of_libtorch()) sides.push_back(std::move(side));
    return suite_of_rows("lazy-libtorch-" PLUMBLINE_LIBTORCH_VERSION, sides, true);
  });
}
