// LibTorch's side of the lazy rows: eager, and its lazy device with the backend of TorchScript.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/lazy/core/lazy_graph_executor.h>
#include <torch/csrc/lazy/ts_backend/ts_backend_impl.h>

#include "bench/lazy/rows.h"

namespace plumbline::bench::lazy {

namespace {

template <c10::DeviceType kDevice>
struct LibTorch {
  using Tensor = at::Tensor;

  static Tensor input(const std::vector<std::int64_t>& sizes) { return at::rand(sizes).to(at::Device(kDevice)); }
  static Tensor add(const Tensor& a, const Tensor& b) { return at::add(a, b); }
  static Tensor mul(const Tensor& a, const Tensor& b) { return at::mul(a, b); }
  static Tensor relu(const Tensor& a) { return at::relu(a); }
  static Tensor tanh(const Tensor& a) { return at::tanh(a); }
  static Tensor mm(const Tensor& a, const Tensor& b) { return at::mm(a, b); }
  static Tensor t(const Tensor& a) { return at::t(a); }
  static Tensor softmax(const Tensor& a) { return at::softmax(a, -1); }
  static void finish(const Tensor& made) {
    if (kDevice == c10::DeviceType::CPU) return;
    static_cast<void>(made.to(at::kCPU));
  }
};

}  // namespace

std::vector<Measured> libtorch(std::int64_t elements) {
  at::set_num_threads(1);
  std::vector<Measured> all{{"LibTorch eager", Rows<LibTorch<c10::DeviceType::CPU>>::all(elements), {}}};
  try {
    torch::lazy::InitTorchScriptBackend();
    all.push_back({"LibTorch lazy", Rows<LibTorch<c10::DeviceType::Lazy>>::all(elements), {}});
  } catch (const std::exception& error) {
    const std::string why = error.what();
    all.push_back({"LibTorch lazy", {}, why.substr(0, why.find('\n'))});
  }
  return all;
}

}  // namespace plumbline::bench::lazy
