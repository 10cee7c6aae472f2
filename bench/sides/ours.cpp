// Ours as a side: the outcome of a call, and every case.
#include "bench/sides/ours.h"

#include "bench/calls.h"
#include "bench/sides/sides.h"
#include "optimized/cpu/parallel.h"

namespace plumbline::bench {

Outcome Ours::outcome_of(const Tensor& tensor) {
  Outcome outcome{"float32 [", {}};
  for (const std::int64_t size : tensor.sizes()) outcome.what += std::to_string(size) + ",";
  outcome.what += "]";
  if (optimized::requires_grad(tensor)) outcome.what += " requires grad";
  if (tensor.is_inference()) outcome.what += " inference";
  const optimized::ExcludeKeys plainly(Functionality::Functionalize);
  const bool functional = optimized::is_functional_tensor(tensor);
  const Tensor dense = optimized::contiguous(functional ? optimized::from_functional_tensor(tensor) : tensor);
  const auto* first = reinterpret_cast<const std::byte*>(dense.data<float>());
  outcome.elements.assign(first, first + dense.numel() * static_cast<std::int64_t>(sizeof(float)));
  return outcome;
}

Side ours() { return {"ours", &workload_of<Ours>, &optimized::set_num_threads, &Ours::trim}; }

}  // namespace plumbline::bench
