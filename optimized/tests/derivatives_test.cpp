// The derivative of each op: what backward gives is what small steps of an argument do to the result.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "optimized/autograd/variable.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::derivatives_test {
namespace {

using testing::Numbers;
using testing::numbers;
using testing::Sizes;
using Function = std::function<Tensor(const Tensor&)>;

constexpr Dtype kDouble = Dtype::float64;

/// Numbers that no two ops of the tests confuse: no two are equal, none is an integer, and signs change.
Numbers odd_numbers(std::int64_t count) {
  Numbers all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back((i % 2 == 0 ? 1 : -1) * (0.3 + 0.47 * static_cast<double>(i)));
  return all;
}
Tensor odd(const Sizes& sizes) { return testing::tensor(sizes, odd_numbers(numel_of(sizes)), kDouble); }
Tensor positive(const Sizes& sizes) {
  Numbers all = odd_numbers(numel_of(sizes));
  for (double& one : all) one = std::abs(one);
  return testing::tensor(sizes, all, kDouble);
}
Tensor places(const Sizes& sizes, const Numbers& all) { return testing::tensor(sizes, all, Dtype::int64); }

/// A number that depends on each element of the result in its own way.
double weighed(const Tensor& result) {
  double sum = 0;
  double weight = 1;
  for (const double one : numbers(result)) sum += (weight += 0.5) * one;
  return sum;
}
Tensor weights_like(const Tensor& result) {
  Numbers all;
  double weight = 1;
  for (std::int64_t i = 0; i < result.numel(); ++i) all.push_back(weight += 0.5);
  return testing::tensor(result.sizes().vec(), all, result.dtype());
}

void expect_derivative(const Tensor& at, const Function& function) {
  constexpr double kStep = 1e-6;
  const Tensor x = clone(at);
  set_requires_grad(x, true);
  const Tensor result = function(x);
  backward(result, weights_like(result));
  const Numbers given = numbers(grad_of(x));
  Numbers moved = numbers(at);
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const double before = moved[i];
    const auto value = [&](double there) {
      moved[i] = there;
      return weighed(function(testing::tensor(at.sizes().vec(), moved, kDouble)));
    };
    const double slope = (value(before + kStep) - value(before - kStep)) / (2 * kStep);
    moved[i] = before;
    EXPECT_NEAR(given.at(i), slope, 1e-6 * std::max(1.0, std::abs(slope))) << "element " << i;
  }
}

#define DERIVATIVE(name, at, expression)                                         \
  TEST(Derivatives, name) {                                                      \
    expect_derivative(at, [](const Tensor& x) -> Tensor { return expression; }); \
  }

DERIVATIVE(add_by_self, odd({2, 3}), add(x, odd({3}), 2.5))
DERIVATIVE(add_by_other, odd({3}), add(odd({2, 3}), x, 2.5))
DERIVATIVE(sub_by_other, odd({1, 3}), sub(odd({2, 3}), x, 2.5))
DERIVATIVE(mul, odd({2, 3}), mul(x, mul(x, odd({2, 1}))))
DERIVATIVE(div_by_self, odd({2, 3}), div(x, odd({3})))
DERIVATIVE(div_by_other, odd({3}), div(odd({2, 3}), x))
DERIVATIVE(neg, odd({3}), neg(x))
DERIVATIVE(relu, odd({4}), relu(x))
DERIVATIVE(exp, odd({3}), exp(x))
DERIVATIVE(tanh, odd({3}), tanh(x))
DERIVATIVE(threshold_backward, odd({2, 3}), threshold_backward(x, odd({3}), 0.5))
DERIVATIVE(tanh_backward_by_grad_output, odd({2, 3}), tanh_backward(x, odd({3})))
DERIVATIVE(tanh_backward_by_output, odd({3}), tanh_backward(odd({2, 3}), x))
DERIVATIVE(sqrt, positive({3}), sqrt(x))
DERIVATIVE(where_by_self, odd({3}), where(gt(odd({2, 3}), 0), x, odd({2, 1})))
DERIVATIVE(where_by_other, odd({2, 1}), where(gt(odd({2, 3}), 0), odd({3}), x))
DERIVATIVE(masked_fill, odd({3}), masked_fill(x, gt(odd({2, 3}), 0), 7))
DERIVATIVE(clone, odd({3}), clone(x))
DERIVATIVE(to, odd({3}), to(x, kDouble, false, true))
DERIVATIVE(copy_, odd({3}), copy_(zeros(IntList{2, 3}, kDouble), x))
DERIVATIVE(fill_, odd({2, 3}), fill_(clone(x), 3))
DERIVATIVE(zero_, odd({2, 3}), add(zero_(clone(x)), x))

DERIVATIVE(mm_by_self, odd({2, 3}), mm(x, odd({3, 2})))
DERIVATIVE(mm_by_mat2, odd({3, 2}), mm(odd({2, 3}), x))
DERIVATIVE(mm_by_columns, odd({2, 3}), mm(t(x), t(odd({3, 2}))))
DERIVATIVE(addmm_by_self, odd({2}), addmm(x, odd({2, 3}), odd({3, 2}), 1.5, 2.5))
DERIVATIVE(addmm_by_mat1, odd({2, 3}), addmm(odd({2}), x, odd({3, 2}), 1.5, 2.5))
DERIVATIVE(addmm_by_mat2, odd({3, 2}), addmm(odd({2}), odd({2, 3}), x, 1.5, 2.5))
DERIVATIVE(bmm_by_self, odd({2, 2, 3}), bmm(x, odd({2, 3, 2})))
DERIVATIVE(bmm_by_mat2, odd({2, 3, 2}), bmm(odd({2, 2, 3}), x))
DERIVATIVE(dot, odd({3}), dot(x, mul(x, odd({3}))))
DERIVATIVE(mv_by_self, odd({2, 3}), mv(x, odd({3})))
DERIVATIVE(mv_by_vec, odd({3}), mv(odd({2, 3}), x))
DERIVATIVE(matmul, odd({2, 2, 3}), matmul(x, odd({3, 2})))

DERIVATIVE(sum, odd({2, 3}), sum(x))
DERIVATIVE(sum_along_dimensions, odd({2, 3, 2}), sum(x, IntList{-1, 0}))
DERIVATIVE(sum_that_keeps_dimensions, odd({2, 3}), sum(x, IntList{1}, true))
DERIVATIVE(mean, odd({2, 3}), mean(x))
DERIVATIVE(mean_along_dimensions, odd({2, 3, 2}), mean(x, IntList{0, -1}))
DERIVATIVE(max, odd({2, 3}), max(x))
DERIVATIVE(max_along_a_dimension, odd({2, 3}), std::get<0>(max(x, 1)))
DERIVATIVE(max_that_keeps_the_dimension, odd({2, 3}), std::get<0>(max(x, 0, true)))
DERIVATIVE(aminmax, odd({2, 3}), add(std::get<0>(aminmax(x)), std::get<1>(aminmax(x)), 2))
DERIVATIVE(aminmax_along_a_dimension, odd({2, 3}), add(std::get<0>(aminmax(x, 1)), std::get<1>(aminmax(x, 1)), 2))
DERIVATIVE(softmax, odd({2, 3}), softmax(x, 1))

DERIVATIVE(index_select, odd({3, 2}), index_select(x, 0, places({4}, {2, 0, 2, 1})))
DERIVATIVE(gather, odd({2, 3}), gather(x, 1, places({2, 2}, {2, 2, 0, 1})))
DERIVATIVE(gather_of_one_element, odd({}), gather(x, 0, places({2}, {0, 0})))
DERIVATIVE(index_fill, odd({2, 3}), index_fill(x, 1, places({2}, {0, -1}), 7))
DERIVATIVE(cat, odd({2, 3}), cat(std::vector<Tensor>{x, odd({2, 1}), x}, 1))
DERIVATIVE(stack, odd({2, 3}), stack(std::vector<Tensor>{x, odd({2, 3}), x}, 1))
DERIVATIVE(split, odd({2, 3}), split(x, 2, 1).at(1))
DERIVATIVE(split_with_sizes, odd({2, 3}), split_with_sizes(x, {1, 2}, 1).at(1))
DERIVATIVE(unsafe_split, odd({2, 3}), unsafe_split(x, 2, 1).at(0))
DERIVATIVE(unbind, odd({2, 3}), unbind(x, 1).at(2))

DERIVATIVE(view, odd({2, 3}), view(x, {3, 2}))
DERIVATIVE(unsafe_view, odd({2, 3}), _unsafe_view(x, {6}))
DERIVATIVE(alias, odd({3}), alias(x))
DERIVATIVE(select, odd({2, 3}), select(x, -1, -2))
DERIVATIVE(slice, odd({5}), slice(x, 0, 1, -1, 2))
DERIVATIVE(transpose, odd({2, 3}), transpose(x, 0, -1))
DERIVATIVE(t, odd({2, 3}), t(x))
DERIVATIVE(permute, odd({2, 3, 2}), permute(x, {-1, 0, 1}))
DERIVATIVE(expand, odd({3, 1}), expand(x, {2, 3, 2}))
DERIVATIVE(squeeze, odd({1, 3, 1}), squeeze(x))
DERIVATIVE(squeeze_of_a_dimension, odd({1, 3, 1}), squeeze(x, -1))
DERIVATIVE(unsqueeze, odd({2, 3}), unsqueeze(x, -1))
DERIVATIVE(diagonal, odd({2, 3}), diagonal(x, 1))
DERIVATIVE(unfold, odd({5}), unfold(x, 0, 3, 1))
DERIVATIVE(as_strided, odd({5}), as_strided(x, {2, 2}, {1, 2}, 1))
DERIVATIVE(as_strided_that_sees_an_element_twice, odd({5}), as_strided(x, {3, 2}, {1, 1}))
DERIVATIVE(alias_copy, odd({3}), alias_copy(x))
DERIVATIVE(as_strided_of_windows, odd({7}), as_strided(x, {3, 3}, {2, 1}))
DERIVATIVE(as_strided_of_one_element, odd({3}), as_strided(x, {4}, {0}, 1))
DERIVATIVE(as_strided_of_an_expanded_tensor, odd({1}), as_strided(expand(x, {3}), {2}, {0}))
DERIVATIVE(as_strided_of_elements_that_share_memory, odd({3}), as_strided(as_strided(x, {2, 2}, {1, 1}), {3}, {1}, 0))
DERIVATIVE(as_strided_of_some_elements_that_share_memory, odd({4}),
           as_strided(as_strided(x, {2, 3}, {1, 1}), {2, 2}, {2, 1}, 0))
DERIVATIVE(as_strided_copy, odd({5}), as_strided_copy(x, {3, 2}, {1, 1}))
DERIVATIVE(diagonal_copy, odd({2, 3}), diagonal_copy(x, 1))
DERIVATIVE(expand_copy, odd({3, 1}), expand_copy(x, {2, 3, 2}))
DERIVATIVE(permute_copy, odd({2, 3, 2}), permute_copy(x, {-1, 0, 1}))
DERIVATIVE(select_copy, odd({2, 3}), select_copy(x, -1, -2))
DERIVATIVE(slice_copy, odd({5}), slice_copy(x, 0, 1, -1, 2))
DERIVATIVE(split_copy, odd({2, 3}), split_copy(x, 2, 1).at(1))
DERIVATIVE(split_with_sizes_copy, odd({2, 3}), split_with_sizes_copy(x, {1, 2}, 1).at(1))
DERIVATIVE(squeeze_copy, odd({1, 3, 1}), squeeze_copy(x))
DERIVATIVE(squeeze_copy_of_a_dimension, odd({1, 3, 1}), squeeze_copy(x, -1))
DERIVATIVE(t_copy, odd({2, 3}), t_copy(x))
DERIVATIVE(transpose_copy, odd({2, 3}), transpose_copy(x, 0, -1))
DERIVATIVE(unbind_copy, odd({2, 3}), unbind_copy(x, 1).at(2))
DERIVATIVE(unfold_copy, odd({5}), unfold_copy(x, 0, 3, 1))
DERIVATIVE(unsqueeze_copy, odd({2, 3}), unsqueeze_copy(x, -1))
DERIVATIVE(view_copy, odd({2, 3}), view_copy(t(x), {6}))
DERIVATIVE(as_strided_scatter, odd({5}), as_strided_scatter(x, odd({2}), {2}, {2}, 1))
DERIVATIVE(as_strided_scatter_of_other_strides, odd({2, 3}), as_strided_scatter(t(x), odd({2}), {2}, {1}, 1))
DERIVATIVE(as_strided_scatter_of_repeated_elements, odd({2, 1}),
           as_strided_scatter(expand(x, {2, 3}), odd({2}), {2}, {2}, 1))
DERIVATIVE(as_strided_scatter_by_src, odd({2}), as_strided_scatter(odd({5}), x, {2}, {2}, 1))
DERIVATIVE(diagonal_scatter, odd({2, 3}), diagonal_scatter(x, odd({2}), 1))
DERIVATIVE(diagonal_scatter_by_src, odd({2}), diagonal_scatter(odd({2, 3}), x, 1))
DERIVATIVE(select_scatter, odd({2, 3}), select_scatter(x, odd({2}), 1, 0))
DERIVATIVE(select_scatter_by_src, odd({2}), select_scatter(odd({2, 3}), x, 1, 0))
DERIVATIVE(slice_scatter, odd({5}), slice_scatter(x, odd({2}), 0, 1, -1, 2))
DERIVATIVE(slice_scatter_by_src, odd({2}), slice_scatter(odd({5}), x, 0, 1, -1, 2))
DERIVATIVE(transpose_, odd({2, 3}), transpose_(clone(x), 0, 1))
DERIVATIVE(as_strided_, odd({5}), as_strided_(clone(x), {2}, {2}, 1))
DERIVATIVE(unsqueeze_, odd({3}), unsqueeze_(clone(x), 0))
DERIVATIVE(squeeze_, odd({1, 3}), squeeze_(clone(x)))

/// `y` after `write(part of y)`, of a copy of x.
Tensor written(const Tensor& x, const std::function<void(const Tensor&)>& write) {
  Tensor y = clone(x);
  write(select(y, 0, 1));
  return y;
}
DERIVATIVE(a_write_through_a_view, odd({2, 3}), written(x, [&](const Tensor& row) { mul_(row, select(x, 0, 0)); }))
DERIVATIVE(exp_through_a_view, odd({2, 3}), written(x, [](const Tensor& row) { exp_(row); }))
DERIVATIVE(div_in_place_by_what_it_divides, positive({3}), div_(clone(x), x))

}  // namespace
}  // namespace plumbline::optimized::derivatives_test
