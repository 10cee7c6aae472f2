// CUDA on the host: every kernel runs block by block, on memory that nothing else can touch.
#pragma once

namespace plumbline::optimized::cuda {

/// Gives the runtime the device CUDA, whose kernels run on the host; once in a process. `rand` has none.
void run_on_the_host();

/// Begins the orders of blocks and threads again, and gives back memory that is not in use: so a program runs the same
/// each time.
void start_again();

}  // namespace plumbline::optimized::cuda
