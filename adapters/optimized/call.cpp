// Calling ops boxed, and making tensors as Python's bindings do.
#include "adapters/optimized/call.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "adapters/optimized/failure.h"
#include "adapters/optimized/test_device.h"
#include "adapters/walk/slots.h"
#include "optimized/autograd/variable.h"
#include "optimized/dispatcher/trace.h"
#include "optimized/elements/dtypes.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops.h"
#include "optimized/ops/backends.h"
#include "optimized/tensor/device_memory.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"
#include "optimized/transforms/func_grad.h"

namespace plumbline::optimized {

namespace {

using Given = std::span<const Tensor>;

void check_dtype(Dtype dtype) {
  if (!has_dtype(dtype)) throw Unsupported{"the dtype " + std::string(plumbline::name_of(dtype))};
}

std::optional<Scalar> number(const Value& value) {
  if (const auto* b = std::get_if<bool>(&value)) return Scalar(*b);
  if (const auto* i = std::get_if<std::int64_t>(&value)) return Scalar(*i);
  if (const auto* d = std::get_if<double>(&value)) return Scalar(*d);
  if (std::holds_alternative<Complex>(value)) throw Unsupported{"the optimized runtime has no complex numbers"};
  return std::nullopt;
}

/// A tensor of the CPU for a number, as PythonArgs::tensor_slow makes it [torch/csrc/utils/python_arg_parser.cpp]: a
/// float keeps all its digits, although it ranks below every floating dtype.
Tensor wrapped_number(Scalar scalar) {
  const DeviceGuard cpu(Backend::CPU);
  const Dtype dtype = scalar.is_real() ? Dtype::float64 : scalar.dtype();
  Tensor tensor = empty_tensor({}, dtype);
  visit_dtype(dtype, [&]<class T>(T) { *tensor.data<T>() = scalar.to<T>(); });
  tensor.impl().wrapped_number = true;
  return tensor;
}

/// The value as the schema's type puts it on the stack, or nothing if it does not fit.
std::optional<Boxed> boxed_value(const Value& value, const Argument& argument, Given slots) {
  if (argument.optional && std::holds_alternative<None>(value)) return Boxed();
  const auto* integer = std::get_if<std::int64_t>(&value);
  switch (argument.type) {
    case ArgType::Tensor:
      if (const auto* slot = std::get_if<plumbline::Slot>(&value)) return walk::held(slots, *slot);
      if (const auto scalar = number(value)) return wrapped_number(*scalar);
      break;
    case ArgType::TensorList:
      if (const auto* listed = std::get_if<std::vector<plumbline::Slot>>(&value)) {
        std::vector<Tensor> all;
        for (const plumbline::Slot slot : *listed) all.push_back(walk::held(slots, slot));
        return all;
      }
      break;
    case ArgType::Scalar:
      if (const auto scalar = number(value)) return *scalar;
      break;
    case ArgType::Device:
      if (const auto* name = std::get_if<std::string>(&value))
        return Scalar(device_number(*name == kCpu ? Backend::CPU : test_device()));
      [[fallthrough]];
    case ArgType::Int:
    case ArgType::Layout:
      if (integer != nullptr) return Scalar(*integer);
      break;
    case ArgType::MemoryFormat:  // null is the schema's default, `torch.contiguous_format`
      return Scalar(integer != nullptr ? *integer : 0);
    case ArgType::IntList:
      if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return *list;
      if (integer != nullptr) return std::vector<std::int64_t>{*integer};
      break;
    case ArgType::Float:
      if (const auto* real = std::get_if<double>(&value)) return Scalar(*real);
      if (integer != nullptr) return Scalar(static_cast<double>(*integer));
      break;
    case ArgType::Bool:
      if (const auto* truth = std::get_if<bool>(&value)) return Scalar(*truth);
      break;
    case ArgType::Dtype:
      if (const auto* dtype = std::get_if<Dtype>(&value)) {
        check_dtype(*dtype);
        return *dtype;
      }
      break;
    default:
      break;  // no op of the runtime's has such an argument
  }
  return std::nullopt;
}

Stack stack_of(const Call& call, Given slots) {
  const Op& entry = plumbline::op(call.op);
  if (test_device() == Backend::CUDA && call.op == OpId::rand)
    throw Unsupported{"rand gives numbers of CUDA's generator here; the specification has those of the CPU's"};
  if (entry.by_schema) throw Unsupported{"the optimized runtime has no op " + qualified_name(entry)};
  if (entry.arguments.size() != call.arguments.size())
    throw Unsupported{qualified_name(entry) + " has " + std::to_string(entry.arguments.size()) +
                      " arguments, but the script gives " + std::to_string(call.arguments.size())};
  Stack stack;
  for (std::size_t i = 0; i < entry.arguments.size(); ++i) {
    auto value = boxed_value(call.arguments[i], entry.arguments[i], slots);
    if (!value)
      throw Unsupported{"the script's value for '" + std::string(entry.arguments[i].name) + "' of " +
                        qualified_name(entry) + " does not fit the schema"};
    stack.push_back(std::move(*value));
  }
  return stack;
}

/// The checks of Python's method before it calls the op: dispatch_set_ in THPVariable_set_
/// [tools/autograd/templates/python_variable_methods.cpp].
void check_as_method(OpId id, const Stack& stack) {
  if (id != OpId::set__source_Tensor) return;
  const Dtype self = std::get<Tensor>(stack.at(0)).dtype(), source = std::get<Tensor>(stack.at(1)).dtype();
  if (self != source)
    raise_saying(ErrorClass::dtype_mismatch, "Could not set tensor of type " + std::string(plumbline::name_of(source)) +
                                                 " to a tensor of type " + std::string(plumbline::name_of(self)));
}

/// The runtime's trace as an outcome shows it: only keys that the rules mention. BackendSelect passes every op on
/// except factories, whose kernels are not shown.
std::vector<KernelRun> shown(const std::vector<KernelRan>& kernels) {
  std::vector<KernelRun> all;
  for (const KernelRan& ran : kernels)
    if (ran.kernel != Functionality::BackendSelect) all.push_back({ran.kernel, ran.fallthrough});
  return all;
}

/// Puts the kernels that ran into the outcome, even if the call raises.
class Shown {
 public:
  explicit Shown(Outcome& outcome) : outcome_(outcome) {}
  ~Shown() { outcome_.kernels = shown(trace_.kernels()); }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;

 private:
  Outcome& outcome_;
  TraceScope trace_;
};

void refuse_grad(bool requires_grad) {
  if (requires_grad) throw Unsupported{"a tensor that requires grad in a functionalized body is not supported"};
}

/// Whether a functionalized body captured the call's first tensor: the runtime checks this first.
bool is_captured(const Stack& stack) {
  const auto* first = stack.empty() ? nullptr : std::get_if<Tensor>(&stack.front());
  return first != nullptr && !is_functional_here(*first);
}

/// Throws Unsupported for what a functionalized body does not support yet.
void check_in_body(const Call& call, const Stack& stack) {
  if (!in_functionalized_body()) return;
  if (call.op == OpId::set__source_Tensor && !is_functional_here(std::get<Tensor>(stack.at(1))))
    throw Unsupported{"set_ of a captured tensor in a functionalized body is not supported"};
  refuse_grad(call.requires_grad);
}

std::vector<Tensor> results(Stack& stack) {
  std::vector<Tensor> all;
  for (Boxed& value : stack) {
    if (auto* list = std::get_if<std::vector<Tensor>>(&value))
      std::move(list->begin(), list->end(), std::back_inserter(all));
    else
      all.push_back(std::get<Tensor>(std::move(value)));
  }
  return all;
}

}  // namespace

std::vector<Tensor> call(const Call& call, Given slots, Outcome& outcome) {
  const Op& entry = plumbline::op(call.op);
  Stack stack = stack_of(call, slots);
  check_in_body(call, stack);
  if (!in_functionalized_body() || !is_captured(stack)) check_as_method(call.op, stack);
  if (entry.kind != OpKind::Factory) {
    if (call.requires_grad)
      throw Unsupported{"requires_grad= on " + std::string(entry.name) + ", which is not a factory"};
    std::optional<Shown> shown;
    if (!in_functionalized_body() && mapped_levels().empty())
      shown.emplace(outcome);  // no rule specifies the kernels inside a body
    stack_call_of(call.op)(stack);
    return results(stack);
  }
  // As torch::zeros and the like, which Python calls [torch/csrc/autograd/generated/variable_factories.h].
  {
    const AutoDispatchBelowADInplaceOrView guard;
    stack_call_of(call.op)(stack);
  }
  std::vector<Tensor> made = results(stack);
  if (call.requires_grad) set_requires_grad(made.front(), true);
  return made;
}

// As tensor_ctor and internal_new_from_data [torch/csrc/utils/tensor_new.cpp].
Tensor make_meta_tensor(const MakeMetaTensor& make) {
  check_dtype(make.dtype);
  constexpr KeySet kMeta = KeySet(Functionality::Dense) | Backend::Meta;
  const KeySet keys =
      thread_state().inference_mode ? kMeta : kMeta | Functionality::Autograd | Functionality::ADInplaceOrView;
  Ref<TensorImpl> made = TensorImpl::make(Storage::make(0), make.dtype, keys, static_cast<int>(make.sizes.size()));
  made->uncounted = thread_state().inference_mode;
  std::ranges::copy(make.sizes, made->sizes());
  made->numel = 1;
  for (std::size_t i = make.sizes.size(); i-- > 0;) {
    made->strides()[i] = made->numel;
    made->numel *= make.sizes[i];
  }
  return Tensor(std::move(made));
}
bool is_meta(const Tensor& tensor) { return tensor.defined() && tensor.keys().has_any(Backend::Meta); }

Tensor make_tensor(const MakeTensor& make) {
  check_dtype(make.dtype);
  const DeviceGuard guard(make.on_cpu ? Backend::CPU : test_device());
  const Tensor tensor = lift_fresh(empty_tensor(make.sizes, make.dtype));
  if (make.requires_grad && in_functionalized_body()) refuse_grad(true);
  if (static_cast<std::size_t>(tensor.numel()) != make.values.size())
    throw Unsupported{std::to_string(make.values.size()) + " values for a tensor of " + std::to_string(tensor.numel()) +
                      " elements"};
  visit_dtype(make.dtype, [&]<class T>(T) {
    const auto values = std::make_unique<T[]>(make.values.size());  // NOLINT(modernize-avoid-c-arrays): also bools
    std::ranges::transform(make.values, values.get(), [](double value) { return static_cast<T>(value); });
    if (const std::size_t bytes = make.values.size() * sizeof(T); bytes != 0)
      memory_of(tensor.device())
          .copy_from_cpu(tensor.storage()->data(), reinterpret_cast<const std::byte*>(values.get()), bytes);
  });
  if (make.requires_grad) set_requires_grad(tensor, true);
  return tensor;
}

}  // namespace plumbline::optimized
