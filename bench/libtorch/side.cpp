// LibTorch as a side of the comparison.
#include <ATen/Parallel.h>

#include "bench/calls.h"
#include "bench/libtorch/libtorch.h"
#include "bench/sides/sides.h"

namespace plumbline::bench {

Side libtorch() {
  // The stack of an error is never shown. To symbolise it takes milliseconds, by which alone ours would win.
  c10::SetStackTraceFetcher([]() -> std::string { return {}; });
  return {"libtorch", &workload_of<LibTorch>, [](int count) { at::set_num_threads(count); }, nullptr};
}

}  // namespace plumbline::bench
