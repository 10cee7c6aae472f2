// Counting the bytes that a script leaves in use.
#include "adapters/optimized/memory.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <utility>

#include "adapters/optimized/test_device.h"
#include "optimized/autograd/accumulate.h"
#include "optimized/autograd/history.h"
#include "optimized/autograd/variable.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/pool.h"
#include "optimized/transforms/batched.h"

namespace plumbline::optimized {

namespace {

/// Tensors that may be part of a reference cycle, kept until the script has ended.
class Rings {
 public:
  Rings() = default;
  Rings(const Rings&) = delete;
  Rings& operator=(const Rings&) = delete;
  ~Rings() {
    for (const Tensor& one : with_grad) set_grad(one, {});
    for (const Tensor& one : histories) {
      if (is_view(one)) drop_history(one.impl().autograd->base);
      drop_history(one);
    }
  }

  std::vector<Tensor> with_grad;
  std::vector<Tensor> histories;
};
/// Set while a script runs again. Only one script runs at a time, and its threads run one after another.
std::optional<Rings> rings;

/// Bytes in use, on the CPU and on the device of the programs.
std::int64_t bytes_in_use() {
  settle();
  const std::int64_t own = test_device() == Backend::CPU ? 0 : memory_of(test_device()).in_use();
  return memory_of(Backend::CPU).in_use() + own;
}

}  // namespace

void script_sets_grad(const Tensor& tensor) {
  if (rings) rings->with_grad.push_back(tensor);
}

void script_records_gradients(std::span<const Tensor> roots) {
  if (!rings) return;
  std::vector<Ref<Node>> found;
  std::unordered_set<const Node*> seen;
  const auto find = [&](const Ref<Node>& node) {
    if (node && seen.insert(node.get()).second) found.push_back(node);
  };
  for (const Tensor& root : roots)
    if (requires_grad(root)) find(gradient_edge(root).node);
  while (!found.empty()) {
    const Ref<Node> node = std::move(found.back());
    found.pop_back();
    if (const auto* leaf = dynamic_cast<const AccumulateGrad*>(node.get()); leaf != nullptr && leaf->leaf().defined())
      rings->with_grad.push_back(leaf->leaf());
    for (const Edge& edge : node->edges()) find(edge.node);
  }
}

void script_calls(const std::vector<Tensor>& results, std::span<const Tensor> variables) {
  if (!rings) return;
  const auto is_variable = [&](const Tensor& result) {
    return result.defined() &&
           std::ranges::any_of(variables, [&](const Tensor& one) { return one.defined() && one.is_same(result); });
  };
  if (std::ranges::none_of(results, is_variable)) return;
  for (const Tensor& one : variables)
    if (one.defined()) rings->histories.push_back(innermost(one));  // autograd records that tensor
}

void run_and_count(const std::function<void()>& run, const std::function<void()>& run_again) {
  const std::int64_t before = bytes_in_use();
  if (!kPooled) rings.emplace();  // a leak checker also reports cycles
  run();
  rings.reset();
  const std::int64_t first = bytes_in_use();
  if (first == before) return;
  rings.emplace();
  run_again();
  rings.reset();
  const std::int64_t kept = bytes_in_use() - first;
  if (kept == 0) return;
  throw MemoryKept{"the program has ended, but " + std::to_string(kept) +
                   " bytes that it allocated are still in use (docs/FUZZING.md)"};
}

}  // namespace plumbline::optimized
