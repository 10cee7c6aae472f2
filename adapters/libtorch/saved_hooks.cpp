// Hooks of saved tensors in C++. An engine knows the pair in effect: that of Python asks Python
// [torch/csrc/autograd/python_engine.cpp, get_default_saved_variable_hooks], and this one asks a list of the thread.
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable_hooks.h>

#include <vector>

#include "adapters/libtorch/autograd.h"

namespace plumbline::libtorch {

namespace {

using Function = std::function<at::Tensor(const at::Tensor&)>;
struct Pair {
  Function pack;
  Function unpack;
};
thread_local std::vector<std::shared_ptr<const Pair>> pairs;

class Hooks : public torch::autograd::SavedVariableHooks {
 public:
  explicit Hooks(std::shared_ptr<const Pair> pair) : pair_(std::move(pair)) {}
  void call_pack_hook(const at::Tensor& tensor) override { packed_ = pair_->pack(tensor); }
  at::Tensor call_unpack_hook() override { return pair_->unpack(packed_); }

 private:
  std::shared_ptr<const Pair> pair_;
  at::Tensor packed_;
};

class Engine : public torch::autograd::Engine {
 public:
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    return pairs.empty() ? nullptr : std::make_unique<Hooks>(pairs.back());
  }
};

torch::autograd::Engine& engine() {
  static auto* const made = new Engine;  // never destroyed, as LibTorch's own: threads may use it to the end
  return *made;
}

}  // namespace

std::shared_ptr<void> saved_tensors_hooks(Function pack, Function unpack) {
  static const bool installed = (torch::autograd::set_default_engine_stub(engine), true);
  (void)installed;
  pairs.push_back(std::make_shared<const Pair>(Pair{std::move(pack), std::move(unpack)}));
  return {pairs.data(), [](void*) { pairs.pop_back(); }};
}

}  // namespace plumbline::libtorch
