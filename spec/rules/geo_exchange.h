// GEO: `.data` and `set_`: who has which storage, sizes, strides and offset afterwards.
#pragma once

#include "spec/rules/geo_memory.h"

namespace plumbline {

inline constexpr Rule GEO_29{Family::GEO, 29, "`x.data` shares x's storage, sizes, strides and offset.",
                             "torch/csrc/autograd/variable.cpp, VariableHooks::variable_data: shallow_copy_and_detach",
                             "`x.data` is a copy."};
inline constexpr Rule GEO_30{
    Family::GEO, 30, "`x.data = y` gives x the storage, sizes, strides, offset and dtype of y.",
    "torch/csrc/autograd/variable.cpp, VariableHooks::set_data: shallow_copy_from", "x gets a copy of y's elements."};
inline constexpr Rule GEO_31{Family::GEO, 31, "`x.set_(y)` gives x the storage, sizes, strides and offset of y.",
                             "aten/src/ATen/native/TensorShape.cpp, set_tensor_: set_storage",
                             "x gets a copy of y's elements."};
inline constexpr Rule GEO_32{
    Family::GEO, 32, "If x and y have different dtypes, `x.set_(y)` is an error, which comes before any other.",
    "tools/autograd/templates/python_variable_methods.cpp, THPVariable_set_: checked before the op is called",
    "x takes y's dtype."};

/// Whether `x.data`, x after `x.data = y`, and x after `x.set_(y)` share the storage of their source.
template <Domain D>
constexpr Bool<D> data_shares_storage(const Judge<D>& judge) {
  return judge(GEO_29, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> set_data_shares_storage(const Judge<D>& judge) {
  return judge(GEO_30, Bool<D>(true), Bool<D>(false));
}
template <Domain D>
constexpr Bool<D> set_source_shares_storage(const Judge<D>& judge) {
  return judge(GEO_31, Bool<D>(true), Bool<D>(false));
}

/// Whether `x.set_(y)` is allowed; `same`: x and y have one dtype.
template <Domain D>
constexpr Error<D> check_set_dtype(const Judge<D>& judge, const Bool<D>& same) {
  return error_if(judge(GEO_32, !same, Bool<D>(false)), ErrorClass::dtype_mismatch);
}

}  // namespace plumbline
