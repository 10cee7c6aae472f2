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

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack) {
    CustomOperators::Tensors inputs;
    for (c10::IValue& value : torch::jit::pop(*stack, op.schema().arguments().size()))
      inputs.push_back(value.toTensor());
    for (at::Tensor& result : run_(op_, kernel_, inputs)) stack->emplace_back(std::move(result));
  }

 private:
  const CustomOperators::Run& run_;
  std::size_t op_;
  std::size_t kernel_;
};

}  // namespace

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

CustomOperators::Tensors CustomOperators::call(std::size_t op, const Tensors& inputs) const {
  const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(operators_.at(op).name.c_str(), "");
  Stack stack(inputs.begin(), inputs.end());
  handle.callBoxed(&stack);
  Tensors results;
  for (c10::IValue& value : stack) results.push_back(std::move(value).toTensor());
  return results;
}

}  // namespace plumbline::libtorch
