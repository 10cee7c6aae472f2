// What is measured on a GPU, of our runtime. torch_rows.py has the same rows.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "optimized/cuda/recording.h"

namespace plumbline::bench::gpu {

/// The device on which rows run.
struct Device {
  std::string name;
  void (*wait)() = nullptr;  ///< returns when all that was started is done
  optimized::cuda::Graph (*graph)(const std::function<void()>& body) = nullptr;
  optimized::cuda::PoolCounts (*memory)() = nullptr;
  bool small = false;  ///< few elements, to see that the rows run
};

struct Row {
  std::string name;
  /// Makes the inputs; what it returns is called again and again, and does one unit.
  std::function<std::function<void()>()> prepare;
  double bytes = 0;  ///< read and written by one unit, at least; 0: the row is not about memory
  double flops = 0;  ///< of one unit; 0: the row is not about products
};

/// In the order of the table. Inputs are random, and large ones rotate through more memory than any cache has.
std::vector<Row> rows(const Device& device);

}  // namespace plumbline::bench::gpu
