// Making tensors and values from an experiment.
#include "sweep/optimized/arguments.h"

#include <algorithm>

#include "adapters/walk/unsupported.h"
#include "language/resolve.h"
#include "optimized/elements/dtypes.h"
#include "sweep/optimized/operators.h"

namespace plumbline::sweep::optimized {

using nlohmann::json;
using walk::Unsupported;

namespace {

Dtype dtype_of(const std::string& name) {
  const auto dtype = dtype_named(name);
  if (dtype && plumbline::optimized::has_dtype(*dtype)) return *dtype;
  throw Unsupported{"the runtime has no dtype '" + name + "'"};
}

Slot slot_of(const json& given) { return static_cast<Slot>(given.at("tensor").get<std::int32_t>()); }

Value number_of(const json& given) {
  if (given.is_boolean()) return given.get<bool>();
  if (given.is_number_integer()) return given.get<std::int64_t>();
  if (given.is_object()) throw Unsupported{"the runtime has no complex numbers"};
  return given.get<double>();
}

Value value_of(const json& given, const Argument& argument) {
  if (given.is_object() && given.contains("default")) return program::default_of(argument);
  if (given.is_null()) return None{};
  switch (argument.type) {
    case ArgType::Tensor:
      return slot_of(given);
    case ArgType::TensorList: {
      std::vector<Slot> list;
      for (const json& one : given) list.push_back(slot_of(one));
      return list;
    }
    case ArgType::Int:
    case ArgType::Layout:
    case ArgType::MemoryFormat:
      return given.get<std::int64_t>();
    case ArgType::IntList:
      return given.get<std::vector<std::int64_t>>();
    case ArgType::Scalar:
      return number_of(given);
    case ArgType::Bool:
      return given.get<bool>();
    case ArgType::Float:
      return given.get<double>();
    case ArgType::Dtype:
      return dtype_of(given.at("dtype").get<std::string>());
    case ArgType::Device:
      if (given == "cpu") return std::int64_t{0};
      throw Unsupported{"the runtime has no device " + given.dump()};
    default:
      break;
  }
  throw Unsupported{"no value is known for the argument '" + std::string(argument.name) + "'"};
}

}  // namespace

Tensor make(const Ingredient& ingredient) {
  const Dtype dtype = dtype_of(ingredient.dtype);
  const Tensor made =
      plumbline::optimized::empty_tensor(std::vector{static_cast<std::int64_t>(ingredient.values.size())}, dtype);
  plumbline::optimized::visit_dtype(dtype, [&]<class T>(T) {
    std::ranges::transform(ingredient.values, made.data<T>(),
                           [](std::complex<double> value) { return static_cast<T>(value.real()); });
  });
  auto& impl = made.impl();
  impl.set_dim(static_cast<int>(ingredient.sizes.size()));
  std::ranges::copy(ingredient.sizes, impl.sizes());
  std::ranges::copy(ingredient.strides, impl.strides());
  impl.offset = ingredient.offset;
  impl.numel = plumbline::optimized::numel_of(ingredient.sizes);
  return made;
}

Call call_of(const Experiment& experiment) {
  Call call{.op = id_of(experiment.op), .arguments = {}, .results = {}};
  const Op& op = plumbline::op(call.op);
  if (experiment.arguments.size() != op.arguments.size())
    throw Unsupported{"another number of arguments than the schema's"};
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    call.arguments.push_back(value_of(experiment.arguments[i], op.arguments[i]));
  return call;
}

}  // namespace plumbline::sweep::optimized
