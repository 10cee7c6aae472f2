// CUDA on the host: every kernel runs block by block, on memory that nothing else can touch.
#pragma once

#include <functional>

#include "optimized/cuda/recording.h"

namespace plumbline::optimized::cuda {

/// Gives the runtime the device CUDA, whose kernels run on the host; once in a process.
void run_on_the_host();

/// Runs the body. What it starts on the device is recorded, and done after it as one graph (recording.h).
void record_on_the_host(const std::function<void()>& body);

/// The same, as a graph that can be done again.
Graph graph_on_the_host(const std::function<void()>& body);

/// Begins the orders of blocks, threads and streams again, and gives back memory that is not in use: so a program runs
/// the same each time.
void start_again();

}  // namespace plumbline::optimized::cuda
