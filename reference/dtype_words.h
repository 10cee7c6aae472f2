// The names of dtypes in PyTorch's messages, and the message for a dtype without a kernel.
#pragma once

#include <array>
#include <string_view>

#include "reference/raise.h"
#include "spec/vocabulary/dtype.h"

namespace plumbline::reference {

/// "Float", as c10::toString writes it.
constexpr std::string_view scalar_name(Dtype dtype) {
  constexpr std::array<std::string_view, kDtypeNames.size()> names{
      "Float", "Double", "Long", "Int",      "Bool",         "Byte",
      "Char",  "Short",  "Half", "BFloat16", "ComplexFloat", "ComplexDouble"};
  return names[static_cast<std::size_t>(dtype)];
}
/// "long int", as caffe2::TypeMeta writes it.
constexpr std::string_view type_name(Dtype dtype) {
  constexpr std::array<std::string_view, kDtypeNames.size()> names{"float",
                                                                   "double",
                                                                   "long int",
                                                                   "int",
                                                                   "bool",
                                                                   "unsigned char",
                                                                   "signed char",
                                                                   "short int",
                                                                   "c10::Half",
                                                                   "c10::BFloat16",
                                                                   "c10::complex<float>",
                                                                   "c10::complex<double>"};
  return names[static_cast<std::size_t>(dtype)];
}
/// "torch.LongTensor", as Python calls a tensor of this dtype in some messages.
constexpr std::string_view legacy_name(Dtype dtype) {
  constexpr std::array<std::string_view, kDtypeNames.size()> names{
      "torch.FloatTensor", "torch.DoubleTensor", "torch.LongTensor",    "torch.IntTensor",
      "CPUBoolType",       "torch.ByteTensor",   "torch.CharTensor",    "torch.ShortTensor",
      "torch.HalfTensor",  "CPUBFloat16Type",    "CPUComplexFloatType", "CPUComplexDoubleType"};
  return names[static_cast<std::size_t>(dtype)];
}
/// "int64_t", as the message of an overflowing conversion writes it.
constexpr std::string_view conversion_name(Dtype dtype) {
  switch (dtype) {
    case Dtype::int64:
      return "int64_t";
    case Dtype::uint8:
      return "uint8_t";
    case Dtype::int8:
      return "int8_t";
    case Dtype::int16:
      return "int16_t";
    default:
      return type_name(dtype);
  }
}

/// Raises the error for a dtype that the op's kernel does not support [ATen/Dispatch.h, AT_DISPATCH_SWITCH].
[[noreturn]] inline void no_kernel(std::string_view kernel, Dtype dtype) {
  raise(ErrorClass::dtype_op, text("\"", kernel, "\" not implemented for '", scalar_name(dtype), "'"),
        "NotImplementedError");
}

}  // namespace plumbline::reference
