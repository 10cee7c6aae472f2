// A script's own operators on LibTorch: boxed kernels, which run the script's statements.
#include "adapters/libtorch/custom_operators.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <array>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/version.h"
#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::libtorch {

namespace {

using torch::jit::Stack;

walk::Given<at::Tensor> given(const c10::IValue& value) {
  if (value.isTensor()) return value.toTensor();
  if (value.isTensorList()) return value.toTensorVector();
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  return {};
}
Stack stack_of(const CustomOperators::Arguments& inputs) {
  Stack stack;
  for (const auto& input : inputs)
    std::visit(
        [&stack]<class T>(const T& value) {
          if constexpr (std::is_same_v<T, std::monostate>)
            stack.emplace_back();
          else
            stack.emplace_back(value);
        },
        input);
  return stack;
}

/// One kernel, as LibTorch calls it.
class Functor : public c10::OperatorKernel {
 public:
  Functor(const CustomOperators& operators, std::size_t kernel) : operators_(operators), kernel_(kernel) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
    CustomOperators::Arguments inputs;
    for (const c10::IValue& value : torch::jit::pop(*stack, op.schema().arguments().size()))
      inputs.push_back(given(value));
    for (at::Tensor& result : operators_.run(kernel_, op.schema().name(), inputs, keys))
      stack->emplace_back(std::move(result));
  }

 private:
  const CustomOperators& operators_;
  std::size_t kernel_;
};

CustomOperators::Tensors results_on(Stack& stack) {
  CustomOperators::Tensors results;
  for (c10::IValue& value : stack) results.push_back(std::move(value).toTensor());
  return results;
}

bool falls_through(const c10::OperatorHandle& op, c10::DispatchKey key) {
#if TORCH_VERSION_MAJOR >= 2
  return op.isKernelFallthroughKernel(key);
#else
  // 1.13 shows this only in its dump, the newest kernel of a key first.
  const std::string key_name = c10::toString(key);
  const std::string name = key_name + (c10::isAliasDispatchKey(key) ? "[alias]: " : ": ");
  std::istringstream lines(op.dumpState());
  for (std::string line; std::getline(lines, line);)
    if (line.rfind(name, 0) == 0) return line.find("fallthrough", line.rfind('[')) != std::string::npos;
  throw std::runtime_error("no kernel for " + key_name + " on " + op.operator_name().name);
#endif
}

}  // namespace

std::vector<std::string> KeyTypes::names(Keys keys) {
  std::vector<std::string> all;
  for (const c10::DispatchKey key : keys) all.emplace_back(c10::toString(key));
  return all;
}

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

torch::CppFunction CustomOperators::function(const std::string& key, const std::optional<std::int32_t>& kernel) const {
  return torch::dispatch(c10::parseDispatchKey(key),
                         kernel ? torch::CppFunction::makeFromBoxedFunctor(
                                      std::make_unique<Functor>(*this, static_cast<std::size_t>(*kernel)))
                                : torch::CppFunction::makeFallthrough());
}
void CustomOperators::add(const AddKernel& statement) {
  libraries_.at(statement.library).impl(schema(statement.op).name.c_str(), function(statement.key, statement.kernel));
}
void CustomOperators::add(const AddFallback& statement) {
  const std::string& space = spaces_.at(statement.library);
  if (space != "_")  // what Python's method says [torch/library.py]; C++ refuses the same in other words
    throw std::runtime_error(message_beginning(ErrorClass::library_kind, "Fallback can only", {space}));
  libraries_.at(statement.library).fallback(function(statement.key, statement.kernel));
}

CustomOperators::Tensors CustomOperators::run(std::size_t kernel, const std::string& op, const Arguments& inputs,
                                              c10::DispatchKeySet keys) const {
  for (std::size_t number = 0; number < script_.operators.size(); ++number)
    if (script_.operators[number].name == op) return run_(kernel, number, inputs, keys);
  throw std::runtime_error("a fallback of the script runs for " + op + ", which is not one of its operators");
}

bool answer(const QueryKernel& query) {
  if (query.what == QueryKernel::What::has_kernel) c10::parseDispatchKey(query.key);  // as this function of Python does
  const auto op = c10::Dispatcher::singleton().findOp({query.op, ""});
  if (!op) throw std::runtime_error("operator " + query.op + " does not exist");
  const c10::DispatchKey key = c10::parseDispatchKey(query.key);
  switch (query.what) {
    case QueryKernel::What::has_kernel:
      return op->hasKernelForDispatchKey(key);
    case QueryKernel::What::has_computed:
      return op->hasComputedKernelForDispatchKey(key);
    case QueryKernel::What::falls_through:
      break;
  }
  return falls_through(*op, key);
}

c10::OperatorHandle CustomOperators::handle(std::size_t op) const {
  const std::string& name = script_.operators.at(op).name;
  if (const auto found = c10::Dispatcher::singleton().findSchema({name, ""})) return *found;
  throw AttributeError(no_such_operator(name));  // in Python an operator is an attribute of torch.ops
}

CustomOperators::Tensors CustomOperators::call(std::size_t op, const Arguments& inputs) const {
  Stack stack = stack_of(inputs);
  handle(op).callBoxed(&stack);
  return results_on(stack);
}

CustomOperators::Tensors CustomOperators::redispatch(std::size_t op, c10::DispatchKeySet keys,
                                                     const Arguments& inputs) const {
  Stack stack = stack_of(inputs);
  handle(op).redispatchBoxed(keys, &stack);
  return results_on(stack);
}

}  // namespace plumbline::libtorch
