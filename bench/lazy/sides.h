// The sides of the lazy cases.
#pragma once

#include <vector>

#include "bench/sides/sides.h"

namespace plumbline::bench {

/// Ours on the lazy device ("ours") and on the CPU ("eager"), and the floors. It registers the device: from then on
/// each op of the CPU asks where the thread is.
std::vector<Side> our_lazy_sides();
/// LibTorch on its lazy device with the backend of TorchScript ("libtorch"), and on the CPU ("libtorch_eager").
std::vector<Side> lazy_sides_of_libtorch();

}  // namespace plumbline::bench
