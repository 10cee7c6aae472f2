// Making tensors and values from an experiment.
#include "sweep/libtorch/arguments.h"

#include <ATen/ATen.h>
#include <ATen/core/function_schema.h>

namespace plumbline::sweep::libtorch {

using nlohmann::json;

namespace {

struct Named {
  const char* name;
  at::ScalarType dtype;
};
constexpr Named kDtypes[] = {
    {"float32", at::kFloat},
    {"float64", at::kDouble},
    {"float16", at::kHalf},
    {"bfloat16", at::kBFloat16},
    {"int64", at::kLong},
    {"int32", at::kInt},
    {"int16", at::kShort},
    {"int8", at::kChar},
    {"uint8", at::kByte},
    {"bool", at::kBool},
    {"complex64", at::kComplexFloat},
    {"complex128", at::kComplexDouble},
};

c10::IValue value_of(const json& given, const c10::TypePtr& type, const std::vector<at::Tensor>& tensors);

c10::IValue list_of(const json& given, const c10::TypePtr& element, const std::vector<at::Tensor>& tensors) {
  if (!given.is_array()) throw Unsupported("an argument must be a list");
  c10::impl::GenericList list(element);
  for (const json& one : given) list.push_back(value_of(one, element, tensors));
  return list;
}

c10::IValue number_of(const json& given) {
  if (given.is_boolean()) return given.get<bool>();
  if (given.is_number_integer()) return given.get<std::int64_t>();
  if (given.is_number()) return given.get<double>();
  if (given.is_object() && given.contains("complex")) return c10::complex<double>(complex_from(given["complex"]));
  throw Unsupported("an argument must be a number");
}

c10::IValue value_of(const json& given, const c10::TypePtr& type, const std::vector<at::Tensor>& tensors) {
  if (const auto optional = type->cast<c10::OptionalType>())
    return given.is_null() ? c10::IValue() : value_of(given, optional->getElementType(), tensors);
  if (const auto list = type->cast<c10::ListType>()) return list_of(given, list->getElementType(), tensors);
  switch (type->kind()) {
    case c10::TypeKind::TensorType:
      return given.is_null() ? at::Tensor() : tensors.at(given.at("tensor").get<std::size_t>());
    case c10::TypeKind::IntType:
      if (given.is_object()) return static_cast<std::int64_t>(dtype_named(given.at("dtype")));
      return given.get<std::int64_t>();
    case c10::TypeKind::NumberType:
      return number_of(given);
    case c10::TypeKind::FloatType:
      return given.get<double>();
    case c10::TypeKind::BoolType:
      return given.get<bool>();
    case c10::TypeKind::StringType:
      return given.get<std::string>();
    case c10::TypeKind::DeviceObjType:
      return c10::Device(given.get<std::string>());
    case c10::TypeKind::GeneratorType:
      if (given.is_null()) return c10::IValue();
      break;
    default:
      break;
  }
  throw Unsupported("no value is known for arguments of the type " + type->annotation_str());
}

}  // namespace

at::ScalarType dtype_named(const std::string& name) {
  for (const Named& one : kDtypes)
    if (name == one.name) return one.dtype;
  throw Unsupported("unknown dtype '" + name + "'");
}

std::string name_of(at::ScalarType dtype) {
  for (const Named& one : kDtypes)
    if (dtype == one.dtype) return one.name;
  return c10::toString(dtype);
}

namespace {

/// The elements as they are given, before they are cast.
at::Tensor elements(const Ingredient& ingredient, bool is_complex) {
  if (is_complex)
    return at::tensor(std::vector<c10::complex<double>>(ingredient.values.begin(), ingredient.values.end()));
  std::vector<double> real;
  for (const std::complex<double> value : ingredient.values) real.push_back(value.real());
  return at::tensor(real, at::kDouble);
}

}  // namespace

at::Tensor make(const Ingredient& ingredient, bool on_meta) {
  const at::ScalarType dtype = dtype_named(ingredient.dtype);
  if (on_meta) return at::empty_strided(ingredient.sizes, ingredient.strides, at::device(at::kMeta).dtype(dtype));
  const at::Tensor storage = elements(ingredient, c10::isComplexType(dtype)).to(dtype);
  at::Tensor made = at::empty({0}, dtype);
  at::NoGradGuard quiet;
  made.set_(storage.storage(), ingredient.offset, ingredient.sizes, ingredient.strides);
  return made;
}

torch::jit::Stack stack_of(const c10::FunctionSchema& schema, const json& arguments,
                           const std::vector<at::Tensor>& tensors) {
  torch::jit::Stack stack;
  if (arguments.size() != schema.arguments().size()) throw Unsupported("another number of arguments than the schema's");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    if (arguments[i].is_object() && arguments[i].contains("default"))
      stack.push_back(argument.default_value().value());
    else
      stack.push_back(value_of(arguments[i], argument.type(), tensors));
  }
  return stack;
}

}  // namespace plumbline::sweep::libtorch
