// LibTorch's side of the lazy rows where no LibTorch is built.
#include "bench/lazy/rows.h"

namespace plumbline::bench::lazy {

std::vector<Measured> libtorch(std::int64_t /*elements*/) { return {}; }

}  // namespace plumbline::bench::lazy
