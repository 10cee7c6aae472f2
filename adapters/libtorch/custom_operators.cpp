// A script's own operators on LibTorch: boxed kernels, which run the script's statements.
#include "adapters/libtorch/custom_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <utility>

#include "adapters/libtorch/version.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::libtorch {

namespace {

using torch::jit::Stack;

/// One kernel, as LibTorch calls it.
class Functor : public c10::OperatorKernel {
 public:
  Functor(const CustomOperators::Run& run, std::size_t op, std::size_t kernel) : run_(run), op_(op), kernel_(kernel) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    CustomOperators::Tensors inputs;
    for (c10::IValue& value : torch::jit::pop(*stack, op.schema().arguments().size()))
      inputs.push_back(value.toTensor());
    for (at::Tensor& result : run_(op_, kernel_, inputs, keys)) stack->emplace_back(std::move(result));
  }

 private:
  const CustomOperators::Run& run_;
  std::size_t op_;
  std::size_t kernel_;
};

CustomOperators::Tensors results_on(Stack& stack) {
  CustomOperators::Tensors results;
  for (c10::IValue& value : stack) results.push_back(std::move(value).toTensor());
  return results;
}

}  // namespace

c10::DispatchKey key_named(const std::string& name) {
  for (const c10::DispatchKey key : c10::DispatchKeySet(c10::DispatchKeySet::FULL))
    if (name == c10::toString(key)) return key;
  return c10::parseDispatchKey(name);
}

CustomOperators::CustomOperators(const std::vector<CustomOperator>& operators, Run run)
    : operators_(operators), run_(std::move(run)) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    const CustomOperator& op = operators[i];
    const std::size_t colons = op.name.find("::");
    auto& library = *libraries_.emplace_back(std::make_unique<torch::Library>(
        torch::Library::FRAGMENT, op.name.substr(0, colons), kNoKey, __FILE__, __LINE__));
    library.def(torch::schema(schema_text(op).c_str()));
    for (std::size_t k = 0; k < op.kernels.size(); ++k) {
      auto function = op.kernels[k].falls_through
                          ? torch::CppFunction::makeFallthrough()
                          : torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Functor>(run_, i, k));
      library.impl(op.name.c_str(), torch::dispatch(c10::parseDispatchKey(op.kernels[k].key), std::move(function)));
    }
  }
}

c10::OperatorHandle CustomOperators::handle(std::size_t op) const {
  return c10::Dispatcher::singleton().findSchemaOrThrow(operators_.at(op).name.c_str(), "");
}

CustomOperators::Tensors CustomOperators::call(std::size_t op, const Tensors& inputs) const {
  Stack stack(inputs.begin(), inputs.end());
  handle(op).callBoxed(&stack);
  return results_on(stack);
}

CustomOperators::Tensors CustomOperators::redispatch(std::size_t op, c10::DispatchKeySet keys,
                                                     const Tensors& inputs) const {
  Stack stack(inputs.begin(), inputs.end());
  handle(op).redispatchBoxed(keys, &stack);
  return results_on(stack);
}

}  // namespace plumbline::libtorch
