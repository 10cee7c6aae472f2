// How PyTorch's messages name a dtype, and say that a kernel does not know one.
#pragma once

#include <array>
#include <string_view>

#include "reference/raise.h"
#include "spec/dtype.h"

namespace plumbline::reference {

/// "Float", as c10::toString has it.
constexpr std::string_view scalar_name(Dtype dtype) {
  constexpr std::array<std::string_view, 5> names{"Float", "Double", "Long", "Int", "Bool"};
  return names[static_cast<std::size_t>(dtype)];
}
/// "long int", as caffe2::TypeMeta has it.
constexpr std::string_view type_name(Dtype dtype) {
  constexpr std::array<std::string_view, 5> names{"float", "double", "long int", "int", "bool"};
  return names[static_cast<std::size_t>(dtype)];
}
/// "int64_t", as a conversion that overflows has it.
constexpr std::string_view conversion_name(Dtype dtype) { return dtype == Dtype::int64 ? "int64_t" : type_name(dtype); }

/// An op's kernel does not know the dtype [ATen/Dispatch.h, AT_DISPATCH_SWITCH].
[[noreturn]] inline void no_kernel(std::string_view kernel, Dtype dtype) {
  raise(ErrorClass::dtype_op, text("\"", kernel, "\" not implemented for '", scalar_name(dtype), "'"),
        "NotImplementedError");
}

}  // namespace plumbline::reference
