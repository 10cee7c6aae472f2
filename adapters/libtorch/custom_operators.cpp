// A script's own operators on LibTorch: boxed kernels, which run the script's statements.
#include "adapters/libtorch/custom_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <memory>
#include <utility>

#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/version.h"
#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::libtorch {

namespace {

using torch::jit::Stack;

/// One kernel, as LibTorch calls it.
class Functor : public c10::OperatorKernel {
 public:
  Functor(const CustomOperators::Run& run, std::size_t kernel) : run_(run), kernel_(kernel) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    CustomOperators::Tensors inputs;
    for (c10::IValue& value : torch::jit::pop(*stack, op.schema().arguments().size()))
      inputs.push_back(value.toTensor());
    for (at::Tensor& result : run_(kernel_, inputs, keys)) stack->emplace_back(std::move(result));
  }

 private:
  const CustomOperators::Run& run_;
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

std::unique_ptr<torch::Library> made_library(const MakeLibrary& statement) {
  constexpr std::array kinds{torch::Library::DEF, torch::Library::IMPL, torch::Library::FRAGMENT};
  return std::make_unique<torch::Library>(kinds[static_cast<std::size_t>(statement.kind)], statement.space, kNoKey,
                                          __FILE__, __LINE__);
}

void CustomOperators::define(const DefineOperator& statement) {
  libraries_.at(statement.library).def(torch::schema(schema_text(schema(statement.op)).c_str()));
}

void CustomOperators::add(const AddKernel& statement) {
  auto function = statement.kernel ? torch::CppFunction::makeFromBoxedFunctor(
                                         std::make_unique<Functor>(run_, static_cast<std::size_t>(*statement.kernel)))
                                   : torch::CppFunction::makeFallthrough();
  libraries_.at(statement.library)
      .impl(schema(statement.op).name.c_str(),
            torch::dispatch(c10::parseDispatchKey(statement.key), std::move(function)));
}

c10::OperatorHandle CustomOperators::handle(std::size_t op) const {
  const std::string& name = script_.operators.at(op).name;
  if (const auto found = c10::Dispatcher::singleton().findSchema({name, ""})) return *found;
  throw AttributeError(no_such_operator(name));  // in Python an operator is an attribute of torch.ops
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
