// LibTorch's sides of the lazy cases: eager, and its lazy device with the backend of TorchScript.
#include "bench/libtorch/libtorch.h"

#include <ATen/Parallel.h>
#include <torch/csrc/lazy/core/lazy_graph_executor.h>
#include <torch/csrc/lazy/core/tensor.h>
#include <torch/csrc/lazy/ts_backend/ts_backend_impl.h>

#include "bench/lazy/calls.h"
#include "bench/lazy/sides.h"

namespace plumbline::bench {

namespace {

struct Eager : LibTorch {
  static Tensor mul(const Tensor& a, const Tensor& b) { return at::mul(a, b); }
  static Tensor t(const Tensor& a) { return at::t(a); }
  static Tensor softmax(const Tensor& a) { return at::softmax(a, -1); }
  static void finish(const Tensor& /*made*/) {}
};

struct Lazy : Eager {
  static Tensor tensor(const std::vector<float>& values, Sizes sizes) {
    return LibTorch::tensor(values, sizes).to(at::kLazy);
  }
  static Outcome outcome_of(const Tensor& tensor) { return LibTorch::outcome_of(tensor.to(at::kCPU)); }
  static void finish(const Tensor& made) {
    std::vector<torch::lazy::LazyTensorPtr> tensors{torch::lazy::TryGetLtcTensor(made)};
    torch::lazy::LazyGraphExecutor::Get()->SyncTensorsGraph(&tensors, {}, /*wait=*/true, /*sync_ltc_data=*/true);
  }
};

}  // namespace

std::vector<Side> lazy_sides_of_libtorch() {
  torch::lazy::InitTorchScriptBackend();
  return {{"libtorch", &lazy_workload_of<Lazy>, [](int count) { at::set_num_threads(count); }},
          {"libtorch_eager", &lazy_workload_of<Eager>}};
}

}  // namespace plumbline::bench
