// plumbline-bench-optimized: ours and the floors, without LibTorch.
#include "bench/runner/serve.h"

int main(int argc, char** argv) {
  using namespace plumbline::bench;
  return runner_main(argc, argv, [] { return suite_of_rows("optimized", {ours(), floors()}); });
}
