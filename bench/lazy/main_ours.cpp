// plumbline-bench-lazy: the lazy cases on ours and the floors, without LibTorch.
#include "bench/lazy/sides.h"
#include "bench/runner/serve.h"

int main(int argc, char** argv) {
  using namespace plumbline::bench;
  return runner_main(argc, argv, [] { return suite_of_rows("lazy", our_lazy_sides(), true); });
}
