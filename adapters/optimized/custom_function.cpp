// A custom autograd function whose bodies come from a script.
#include "adapters/optimized/custom_function.h"

#include "optimized/autograd/custom_function.h"

namespace plumbline::optimized {

namespace {

class ScriptContext final : public walk::Context<Tensor> {
 public:
  explicit ScriptContext(FunctionContext& context) : context_(context) {}

  void mark(ContextKind kind, const Tensors& tensors) override { walk::mark_by(context_, kind, tensors); }
  Tensors saved() override { return context_.saved(); }

 private:
  FunctionContext& context_;
};

}  // namespace

Tensors apply(const walk::Bodies<Tensor>& bodies, const Tensors& inputs) {
  const FunctionBodies given{[forward = bodies.forward](FunctionContext& context) {
                               ScriptContext ctx(context);
                               return forward(ctx);
                             },
                             [backward = bodies.backward](FunctionContext& context, const Tensors& gradients) {
                               ScriptContext ctx(context);
                               return backward(ctx, gradients);
                             }};
  return apply_function(given, inputs);
}

}  // namespace plumbline::optimized
