// plumbline-bench-libtorch-VERSION: ours, one LibTorch and the floors in one process.
#include "bench/runner/serve.h"

int main(int argc, char** argv) {
  using namespace plumbline::bench;
  return runner_main(
      argc, argv, [] { return suite_of_rows("libtorch-" PLUMBLINE_LIBTORCH_VERSION, {ours(), libtorch(), floors()}); });
}
