// A custom torch.autograd.Function whose bodies are given as functions.
//
// torch::autograd::Function does for C++ what THPFunction_apply and PyNode [torch/csrc/autograd/python_function.cpp] do
// for Python: both run forward with grad mode off, hand what it marked to _wrap_outputs [custom_function.cpp], save
// afterwards, and fill a gradient that is missing with zeros before backward.
#include "adapters/libtorch/custom_function.h"

#include <torch/csrc/autograd/custom_function.h>

namespace plumbline::libtorch {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class TorchContext final : public Context {
 public:
  explicit TorchContext(AutogradContext& context) : context_(context) {}

  void mark(ContextKind kind, const Tensors& tensors) override { walk::mark_by(context_, kind, tensors); }
  Tensors saved() override { return context_.get_saved_variables(); }

 private:
  AutogradContext& context_;
};

/// The state that the node keeps for its backward.
struct Kept : torch::CustomClassHolder {
  std::function<Tensors(Context&, const Tensors&)> backward;
};

/// The bodies of the apply that begins. They are not arguments, because an argument would be an input without gradient.
thread_local const Bodies* bodies = nullptr;

struct Scripted : torch::autograd::Function<Scripted> {
  static variable_list forward(AutogradContext* context, at::TensorList) {
    auto kept = c10::make_intrusive<Kept>();
    kept->backward = bodies->backward;
    context->saved_data["backward"] = c10::IValue::make_capsule(std::move(kept));
    TorchContext ctx(*context);
    return bodies->forward(ctx);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto kept = context->saved_data["backward"].toCapsule();
    TorchContext ctx(*context);
    return static_cast<Kept&>(*kept).backward(ctx, gradients);
  }
};

}  // namespace

Tensors apply(const Bodies& given, const Tensors& inputs) {
  bodies = &given;
  return Scripted::apply(at::TensorList(inputs));
}

}  // namespace plumbline::libtorch
