// Calling ops boxed, and making tensors as Python's bindings do.
#include "adapters/libtorch/call.h"

#include <ATen/ATen.h>
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/variable.h>

#include "adapters/libtorch/device.h"
#include "adapters/libtorch/dtypes.h"
#include "adapters/libtorch/failure.h"
#include "adapters/libtorch/functionalize.h"
#include "adapters/libtorch/version.h"
#include "adapters/walk/slots.h"

namespace plumbline::libtorch {

namespace {

/// A number, if the value is one.
std::optional<at::Scalar> number(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return at::Scalar(*b);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return at::Scalar(*i);
  if (const auto* d = std::get_if<double>(&value)) return at::Scalar(*d);
  if (const auto* z = std::get_if<Complex>(&value)) return at::Scalar(c10::complex<double>(z->real, z->imag));
  return std::nullopt;
}

/// A tensor for a number, as PythonArgs::tensor_slow makes it [torch/csrc/utils/python_arg_parser.cpp].
at::Tensor wrapped_number(const at::Scalar& scalar) {
  const at::AutoDispatchBelowADInplaceOrView guard;
  at::Tensor tensor = at::scalar_to_tensor(scalar);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

/// The value as the schema's type puts it on the stack, or nothing if it does not fit.
std::optional<c10::IValue> boxed(const Value& value, const c10::Type& type, std::span<const at::Tensor> slots) {
  if (const auto* optional = type.castRaw<c10::OptionalType>()) {
    if (std::holds_alternative<None>(value)) return c10::IValue();
    return boxed(value, *optional->getElementType(), slots);
  }
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
      if (const auto* slot = std::get_if<Slot>(&value)) return c10::IValue(walk::held(slots, *slot));
      if (const auto scalar = number(value)) return c10::IValue(wrapped_number(*scalar));
      break;
    case c10::TypeKind::NumberType:
      if (const auto scalar = number(value)) return c10::IValue(*scalar);
      break;
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    case c10::TypeKind::ScalarTypeType:
      if (const auto* i = std::get_if<std::int64_t>(&value)) return c10::IValue(*i);
      if (const auto* dtype = std::get_if<Dtype>(&value)) return c10::IValue(scalar_type(*dtype));
      break;
    case c10::TypeKind::FloatType:
      if (const auto* d = std::get_if<double>(&value)) return c10::IValue(*d);
      if (const auto* i = std::get_if<std::int64_t>(&value)) return c10::IValue(static_cast<double>(*i));
      break;
    case c10::TypeKind::DeviceObjType:
      if (const auto* name = std::get_if<std::string>(&value))
        return c10::IValue(*name == kCpu ? c10::Device(c10::kCPU) : test_device());
      break;
    case c10::TypeKind::StringType:
      if (const auto* text = std::get_if<std::string>(&value)) return c10::IValue(*text);
      break;
    case c10::TypeKind::BoolType:
      if (const auto* b = std::get_if<bool>(&value)) return c10::IValue(*b);
      break;
    case c10::TypeKind::ListType:
      if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value))
        if (type.castRaw<c10::ListType>()->getElementType()->kind() == c10::TypeKind::IntType)
          return c10::IValue(*list);
      if (const auto* tensors = std::get_if<std::vector<Slot>>(&value)) {
        const auto element = type.castRaw<c10::ListType>()->getElementType();
        if (element->kind() == c10::TypeKind::OptionalType) {
          c10::impl::GenericList all(element);
          for (const Slot slot : *tensors) all.push_back(c10::IValue(walk::held(slots, slot)));
          return c10::IValue(all);
        }
        c10::List<at::Tensor> all;
        for (const Slot slot : *tensors) all.push_back(walk::held(slots, slot));
        return c10::IValue(std::move(all));
      }
      break;
    default:
      break;
  }
  return std::nullopt;
}

const c10::OperatorHandle& handle(OpId id) {
  static std::vector<std::optional<c10::OperatorHandle>> handles(op_table().size() + ops_by_schema().size());
  auto& found = handles[static_cast<std::size_t>(id)];
  if (!found) {
    const Op& entry = op(id);
    auto schema =
        c10::Dispatcher::singleton().findSchema({"aten::" + std::string(entry.name), std::string(entry.overload)});
    if (!schema) throw Unsupported{fmt::format("this LibTorch has no op {}", qualified_name(entry))};
    found.emplace(*std::move(schema));
  }
  return *found;
}

/// The checks of Python's method before it calls the op: dispatch_set_ in THPVariable_set_
/// [tools/autograd/templates/python_variable_methods.cpp].
void check_as_method(OpId id, const c10::Stack& stack) {
  static const auto set = find_op("set_", "source_Tensor");
  if (id != set) return;
  const at::Tensor &self = stack.at(0).toTensor(), &source = stack.at(1).toTensor();
  if constexpr (kSetAssertsDtype) {
    TORCH_INTERNAL_ASSERT(source.dtype() == self.dtype());
  } else {
    TORCH_CHECK(source.dtype() == self.dtype(), "Could not set tensor of type ", source.dtype(),
                " to a tensor of type ", self.dtype());
  }
}

/// Whether Python's method returns the tensor before it calls the op: THPVariable_contiguous
/// [tools/autograd/templates/python_variable_methods.cpp].
bool is_contiguous_already(OpId id, const c10::Stack& stack) {
  static const auto contiguous = find_op("contiguous", "");
  if (id != contiguous || at::functionalization::impl::isFunctionalTensor(stack.at(0).toTensor())) return false;
  return stack.at(0).toTensor().is_contiguous(stack.at(1).toMemoryFormat());
}

std::vector<at::Tensor> results(const c10::Stack& stack) {
  std::vector<at::Tensor> all;
  for (const c10::IValue& value : stack) {
    if (value.isTensor())
      all.push_back(value.toTensor());
    else
      for (const at::Tensor& tensor : value.toTensorVector()) all.push_back(tensor);
  }
  return all;
}

}  // namespace

std::vector<at::Tensor> call(const Call& call, std::span<const at::Tensor> slots) {
  const Op& entry = op(call.op);
  const c10::OperatorHandle& target = handle(call.op);
  const auto& arguments = target.schema().arguments();
  if (arguments.size() != call.arguments.size())
    throw Unsupported{fmt::format("{} has {} arguments in this LibTorch, but the script gives {}",
                                  qualified_name(entry), arguments.size(), call.arguments.size())};
  c10::Stack stack;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    auto value = boxed(call.arguments[i], *arguments[i].type(), slots);
    if (entry.kind == OpKind::Factory && entry.arguments[i].type == ArgType::Device && value && value->isNone() &&
        !test_device().is_cpu())
      value = c10::IValue(test_device());
    // A memory format that is not given is the schema's default.
    if (!value && entry.arguments[i].type == ArgType::MemoryFormat) value = arguments[i].default_value();
    if (!value)
      throw Unsupported{fmt::format("argument '{}' of {} is {} in this LibTorch; the script's value does not fit",
                                    arguments[i].name(), qualified_name(entry), arguments[i].type()->str())};
    stack.push_back(std::move(*value));
  }
  check_as_method(call.op, stack);
  if (is_contiguous_already(call.op, stack)) return {stack.at(0).toTensor()};
  if (entry.kind != OpKind::Factory || entry.by_schema) {
    if (call.requires_grad) throw Unsupported{fmt::format("requires_grad= on {}, which is not a factory", entry.name)};
    target.callBoxed(stack);
    return results(stack);
  }
  // As torch::zeros and the like, which Python calls [torch/csrc/autograd/generated/variable_factories.h].
  const at::AutoDispatchBelowADInplaceOrView guard;
  target.callBoxed(stack);
  at::Tensor made = std::move(stack.front()).toTensor();
  stack.clear();  // make_variable copies a tensor with more than one reference
  return {torch::autograd::make_variable(std::move(made), call.requires_grad)};
}

at::Tensor make_meta_tensor(const MakeMetaTensor& make) {
  return at::empty(make.sizes, at::TensorOptions().dtype(scalar_type(make.dtype)).device(at::kMeta));
}

// As tensor_ctor and internal_new_from_data [torch/csrc/utils/tensor_new.cpp].
at::Tensor make_tensor(const MakeTensor& make) {
  at::Tensor tensor;
  {
    const at::AutoDispatchBelowADInplaceOrView guard;
    const c10::impl::ExcludeDispatchKeyGuard below_functorch(c10::DispatchKeySet(
        {c10::DispatchKey::FuncTorchDynamicLayerFrontMode, c10::DispatchKey::FuncTorchDynamicLayerBackMode}));
    tensor = at::empty(make.sizes, at::TensorOptions().dtype(scalar_type(make.dtype)));
    const auto fill = [&]<class T>(T* data) {
      for (std::size_t i = 0; i < make.values.size(); ++i) data[i] = static_cast<T>(make.values[i]);
    };
    if (static_cast<std::size_t>(tensor.numel()) * numbers_in(make.dtype) != make.values.size())
      throw Unsupported{fmt::format("{} values for a tensor of {} elements", make.values.size(), tensor.numel())};
    switch (make.dtype) {
      case Dtype::float32:
        fill(static_cast<float*>(tensor.data_ptr()));
        break;
      case Dtype::float64:
        fill(static_cast<double*>(tensor.data_ptr()));
        break;
      case Dtype::int64:
        fill(static_cast<std::int64_t*>(tensor.data_ptr()));
        break;
      case Dtype::int32:
        fill(static_cast<std::int32_t*>(tensor.data_ptr()));
        break;
      case Dtype::boolean:
        fill(static_cast<bool*>(tensor.data_ptr()));
        break;
      case Dtype::uint8:
        fill(static_cast<std::uint8_t*>(tensor.data_ptr()));
        break;
      case Dtype::int8:
        fill(static_cast<std::int8_t*>(tensor.data_ptr()));
        break;
      case Dtype::int16:
        fill(static_cast<std::int16_t*>(tensor.data_ptr()));
        break;
      case Dtype::float16:
        fill(static_cast<at::Half*>(tensor.data_ptr()));
        break;
      case Dtype::bfloat16:
        fill(static_cast<at::BFloat16*>(tensor.data_ptr()));
        break;
      case Dtype::complex64:  // its parts lie one after another
        fill(static_cast<float*>(tensor.data_ptr()));
        break;
      case Dtype::complex128:
        fill(static_cast<double*>(tensor.data_ptr()));
        break;
    }
  }
  if (!make.on_cpu && !test_device().is_cpu()) {
    const at::AutoDispatchBelowADInplaceOrView guard;
    tensor = tensor.to(test_device());
  }
  tensor = lifted(std::move(tensor));
  tensor.detach_();
  tensor.set_requires_grad(make.requires_grad);
  return tensor;
}

}  // namespace plumbline::libtorch
