// Reading schemas, kernels and tags from LibTorch's dispatcher.
#include "sweep/libtorch/operators.h"

#include <c10/core/DispatchKeySet.h>

#include <algorithm>
#include <sstream>

namespace plumbline::sweep::libtorch {

namespace {

constexpr std::array kKernels{c10::DispatchKey::CPU, c10::DispatchKey::CompositeImplicitAutograd,
                              c10::DispatchKey::CompositeExplicitAutograd,
                              c10::DispatchKey::CompositeExplicitAutogradNonFunctional};

Parameter parameter_of(const c10::Argument& argument) {
  Parameter p;
  p.name = argument.name();
  p.keyword_only = argument.kwarg_only();
  p.has_default = argument.default_value().has_value();
  c10::TypePtr type = argument.real_type();
  while (true) {
    if (const auto optional = type->cast<c10::OptionalType>()) {
      p.optional = true;  // `Tensor?[]` is a list of optional ones
      type = optional->getElementType();
    } else if (const auto list = type->cast<c10::ListType>()) {
      p.list = true;
      type = list->getElementType();
    } else {
      break;
    }
  }
  p.type = type->annotation_str();
  if (p.type == "number") p.type = "Scalar";
  const c10::AliasInfo* alias = argument.alias_info();
  // The alias set of a list of tensors is that of its elements.
  while (alias != nullptr && alias->beforeSets().empty() && !alias->containedTypes().empty())
    alias = &alias->containedTypes().front();
  if (alias == nullptr) return p;
  for (const c10::Symbol& name : alias->beforeSets()) p.aliases.emplace_back(name.toUnqualString());
  p.written = alias->isWrite();
  return p;
}

Operator operator_of(const c10::OperatorHandle& handle) {
  Operator op;
  op.name = handle.operator_name().name;
  op.overload = handle.operator_name().overload_name;
  std::ostringstream schema;
  schema << handle.schema();
  op.schema = schema.str();
  for (const c10::Argument& argument : handle.schema().arguments()) op.arguments.push_back(parameter_of(argument));
  for (const c10::Argument& result : handle.schema().returns()) op.results.push_back(parameter_of(result));
  for (const c10::DispatchKey key : kKernels)
    if (handle.hasKernelForDispatchKey(key)) op.kernels.emplace_back(c10::toString(key));
#if TORCH_VERSION_MAJOR >= 2
  for (const at::Tag tag : handle.getTags()) {
    if (tag == at::Tag::nondeterministic_seeded) op.tags.emplace_back("nondeterministic_seeded");
    if (tag == at::Tag::nondeterministic_bitwise) op.tags.emplace_back("nondeterministic_bitwise");
    if (tag == at::Tag::data_dependent_output) op.tags.emplace_back("data_dependent_output");
    if (tag == at::Tag::dynamic_output_shape) op.tags.emplace_back("dynamic_output_shape");
  }
#endif
  return op;
}

}  // namespace

std::vector<Operator> operators() {
  auto& dispatcher = c10::Dispatcher::singleton();
  std::vector<Operator> all;
  for (const c10::OperatorName& name : dispatcher.getAllOpNames())
    if (const auto handle = dispatcher.findSchema(name)) all.push_back(operator_of(*handle));
  std::ranges::sort(all, {}, [](const Operator& op) { return std::pair(op.name, op.overload); });
  return all;
}

c10::OperatorHandle handle_of(const std::string& full_name) {
  const std::size_t start = full_name.find("::");
  const std::size_t dot = start == std::string::npos ? start : full_name.find('.', start);
  const c10::OperatorName name(full_name.substr(0, dot), dot == std::string::npos ? "" : full_name.substr(dot + 1));
  const auto handle = c10::Dispatcher::singleton().findSchema(name);
  if (!handle) throw std::runtime_error("there is no operator " + full_name);
  return *handle;
}

}  // namespace plumbline::sweep::libtorch
