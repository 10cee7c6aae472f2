// Tensors of given numbers for tests, what is in a tensor, and which error a call ends with.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "optimized/autograd/variable.h"
#include "optimized/elements/elements.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::testing {

using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

/// A row-major tensor of these numbers.
inline Tensor tensor(const Sizes& sizes, const Numbers& numbers, Dtype dtype = Dtype::float32) {
  Tensor made = empty_tensor(sizes, dtype);
  visit_dtype(dtype, [&]<class T>(T) {
    for (std::size_t i = 0; i < numbers.size(); ++i) made.data<T>()[i] = static_cast<T>(numbers[i]);
  });
  return made;
}
inline Tensor vector(const Numbers& numbers, Dtype dtype = Dtype::float32) {
  return tensor({static_cast<std::int64_t>(numbers.size())}, numbers, dtype);
}
inline Tensor scalar(double number, Dtype dtype = Dtype::float32) { return tensor({}, {number}, dtype); }
/// A leaf that requires grad.
inline Tensor leaf(const Sizes& sizes, const Numbers& numbers) {
  Tensor made = tensor(sizes, numbers);
  set_requires_grad(made, true);
  return made;
}
inline Tensor leaf(const Numbers& numbers) { return leaf({static_cast<std::int64_t>(numbers.size())}, numbers); }
/// A vector that was made in inference mode.
inline Tensor inference_vector(const Numbers& numbers) {
  const InferenceMode guard;
  return vector(numbers);
}
/// Counts up from 0.
inline Tensor counting(const Sizes& sizes, Dtype dtype = Dtype::float32) {
  Numbers numbers(static_cast<std::size_t>(numel_of(sizes)));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  return tensor(sizes, numbers, dtype);
}

/// Calls `visit(place)` for each element, row-major, with its distance from the first.
template <class Visit>
void for_each_place(const Tensor& tensor, const Visit& visit) {
  Sizes index(tensor.sizes().size());
  for (std::int64_t left = tensor.numel(); left > 0; --left) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < index.size(); ++d) place += index[d] * tensor.strides()[d];
    visit(place);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < tensor.sizes()[d]) break;
      index[d] = 0;
    }
  }
}
/// The elements, row-major.
inline Numbers numbers(const Tensor& tensor) {
  Numbers all;
  visit_dtype(tensor.dtype(), [&]<class T>(T) {
    for_each_place(tensor, [&](std::int64_t place) { all.push_back(static_cast<double>(tensor.data<T>()[place])); });
  });
  return all;
}
inline Sizes sizes(const Tensor& tensor) { return tensor.sizes().vec(); }
inline Sizes strides(const Tensor& tensor) { return tensor.strides().vec(); }

inline ErrorClass error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.error;
  }
  return ErrorClass::none;
}

}  // namespace plumbline::optimized::testing
