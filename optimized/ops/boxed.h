// The arguments and results of a boxed call: a stack of values, and how C++ values are pushed and popped.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "optimized/tensor/scalar.h"
#include "optimized/tensor/tensor.h"
#include "spec/ops/ops.h"

namespace plumbline::optimized {

/// A value on the stack; std::monostate is `None`. Enumerations of the schema (layout, memory format) are integers.
using Boxed = std::variant<std::monostate, Scalar, Dtype, std::vector<std::int64_t>, Tensor, std::vector<Tensor>>;
/// Arguments in the schema's order; the kernel leaves the results there instead, in order.
using Stack = std::vector<Boxed>;

using TensorList = std::span<const Tensor>;
/// What the schema gives as numbers: `torch.contiguous_format` is 0, as c10 numbers them.
using Enumerated = std::int64_t;

/// How a parameter is popped off the stack. A value of another type than the parameter's raises
/// std::bad_variant_access: the caller checks against the schema.
template <class T>
struct Unboxed;

template <>
struct Unboxed<Tensor> {
  static const Tensor& from(const Boxed& value) { return std::get<Tensor>(value); }
};
template <>
struct Unboxed<TensorList> {
  static TensorList from(const Boxed& value) { return std::get<std::vector<Tensor>>(value); }
};
template <>
struct Unboxed<IntList> {
  static IntList from(const Boxed& value) { return std::get<std::vector<std::int64_t>>(value); }
};
template <>
struct Unboxed<Scalar> {
  static Scalar from(const Boxed& value) { return std::get<Scalar>(value); }
};
template <>
struct Unboxed<std::int64_t> {
  static std::int64_t from(const Boxed& value) { return std::get<Scalar>(value).integer(); }
};
template <>
struct Unboxed<bool> {
  static bool from(const Boxed& value) { return std::get<Scalar>(value).truth(); }
};
template <>
struct Unboxed<Dtype> {
  static Dtype from(const Boxed& value) { return std::get<Dtype>(value); }
};
template <class T>
struct Unboxed<std::optional<T>> {
  static std::optional<T> from(const Boxed& value) {
    if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
    return Unboxed<T>::from(value);
  }
};

inline Boxed boxed(const Tensor& value) { return value; }
inline Boxed boxed(TensorList value) { return std::vector<Tensor>(value.begin(), value.end()); }
inline Boxed boxed(IntList value) { return value.vec(); }
inline Boxed boxed(Scalar value) { return value; }
inline Boxed boxed(std::int64_t value) { return Scalar(value); }
inline Boxed boxed(bool value) { return Scalar(value); }
inline Boxed boxed(Dtype value) { return value; }
template <class T>
Boxed boxed(const std::optional<T>& value) {
  return value ? boxed(*value) : Boxed();
}

/// Puts a kernel's result on an empty stack.
inline void push(Stack& stack, Tensor result) { stack.emplace_back(std::move(result)); }
inline void push(Stack& stack, std::vector<Tensor> results) { stack.emplace_back(std::move(results)); }
inline void push(Stack& stack, std::tuple<Tensor, Tensor> results) {
  stack.emplace_back(std::move(std::get<0>(results)));
  stack.emplace_back(std::move(std::get<1>(results)));
}

}  // namespace plumbline::optimized
