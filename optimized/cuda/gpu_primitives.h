// The primitives on a GPU.
#pragma once

#include "optimized/cuda/recording.h"
#include "optimized/elements/primitives.h"

namespace plumbline::optimized::cuda {

/// They start kernels in the thread's stream, and return at once.
const Primitives& gpu_primitives();
/// How a recording starts them: as a CUDA graph.
const Starter& gpu_starter();

}  // namespace plumbline::optimized::cuda
