// A script's own operators on the optimized runtime.
#include "adapters/optimized/custom_operators.h"

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>

#include "adapters/optimized/memory.h"
#include "adapters/optimized/test_device.h"

namespace plumbline::optimized {

namespace {

using Arguments = ScriptOperators::Arguments;

Boxed boxed(const walk::Given<Tensor>& given) {
  return std::visit(
      []<class T>(const T& value) -> Boxed {
        if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, Tensor> ||
                      std::is_same_v<T, std::vector<Tensor>>)
          return value;
        else
          return Scalar(value);
      },
      given);
}
Stack stack_of(const Arguments& inputs) {
  Stack stack;
  for (const auto& input : inputs) stack.push_back(boxed(input));
  return stack;
}

walk::Given<Tensor> given(const Boxed& boxed) {
  if (const auto* tensor = std::get_if<Tensor>(&boxed)) return *tensor;
  if (const auto* tensors = std::get_if<std::vector<Tensor>>(&boxed)) return *tensors;
  const auto* number = std::get_if<Scalar>(&boxed);
  if (number == nullptr) return {};
  if (number->kind() == Scalar::Kind::boolean) return number->truth();
  if (number->is_real()) return number->real();
  return number->integer();
}
Arguments given_of(const Stack& stack) {
  Arguments all;
  for (const Boxed& value : stack) all.push_back(given(value));
  return all;
}

std::vector<Tensor> tensors_in(const Arguments& inputs) {
  std::vector<Tensor> all;
  for (const auto& input : inputs) {
    if (const auto* tensor = std::get_if<Tensor>(&input)) all.push_back(*tensor);
    if (const auto* tensors = std::get_if<std::vector<Tensor>>(&input))
      all.insert(all.end(), tensors->begin(), tensors->end());
  }
  return all;
}

}  // namespace

ScriptOperators::ScriptOperators(const Script& script, Run run) : script_(script), run_(std::move(run)) {
  const std::string key = autocast_key_of_device();
  const auto own = runtime_key_named(layout_of(Profile::sound), key);
  if (!own || shipped_fallback(layout_of(Profile::sound), *own) != ShippedFallback::none) return;
  of_device_ = registered_.library(Library::Kind::IMPL, "_");
  of_device_->fallback(key, nullptr);
}

void ScriptOperators::make(const MakeLibrary& statement) {
  libraries_.add(statement.library, registered_.library(static_cast<Library::Kind>(statement.kind), statement.space));
}

void ScriptOperators::define(const DefineOperator& statement) {
  const CustomOperator& op = script_.operators.at(static_cast<std::size_t>(statement.op));
  std::vector<bool> written;
  for (const SchemaValue& result : op.returns) written.push_back(result.written);
  libraries_.at(statement.library).define(op.name, std::move(written));
}

void ScriptOperators::add(const AddKernel& statement) {
  CustomOperators::Kernel kernel;
  if (statement.kernel)
    kernel = [this, number = static_cast<std::size_t>(*statement.kernel), op = static_cast<std::size_t>(statement.op)](
                 const Stack& inputs, KeySet keys) { return run_(number, op, given_of(inputs), keys); };
  libraries_.at(statement.library)
      .impl(script_.operators.at(static_cast<std::size_t>(statement.op)).name, with_device(statement.key),
            std::move(kernel));
}

void ScriptOperators::add(const AddFallback& statement) {
  CustomOperators::FallbackKernel kernel;
  if (statement.kernel)
    kernel = [this, number = static_cast<std::size_t>(*statement.kernel)](const std::string& op, const Stack& inputs,
                                                                          KeySet keys) {
      const auto called = std::ranges::find(script_.operators, op, &CustomOperator::name);
      return run_(number, static_cast<std::size_t>(called - script_.operators.begin()), given_of(inputs), keys);
    };
  libraries_.at(statement.library).fallback(with_device(statement.key), std::move(kernel));
}

bool ScriptOperators::answer(const QueryKernel& query) const {
  switch (query.what) {
    case QueryKernel::What::has_kernel:
      return registered_.has_kernel(query.op, with_device(query.key));
    case QueryKernel::What::has_computed:
      return registered_.has_entry(query.op, with_device(query.key));
    case QueryKernel::What::falls_through:
      break;
  }
  return registered_.falls_through(query.op, with_device(query.key));
}

ScriptOperators::Tensors ScriptOperators::call(std::size_t op, const Arguments& inputs) const {
  Tensors results = registered_.call(script_.operators.at(op).name, stack_of(inputs));
  script_calls(results, tensors_in(inputs));
  return results;
}

ScriptOperators::Tensors ScriptOperators::redispatch(std::size_t op, KeySet keys, const Arguments& inputs) const {
  check_backend_of(keys);
  Tensors results = registered_.redispatch(script_.operators.at(op).name, keys, stack_of(inputs));
  script_calls(results, tensors_in(inputs));
  return results;
}

}  // namespace plumbline::optimized
