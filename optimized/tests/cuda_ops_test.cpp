// Ops on CUDA give what they give on the CPU, whatever the operands' sizes, strides and dtypes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <functional>
#include <random>
#include <string>

#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the helpers of tests

class CudaOps : public OnCuda {};

constexpr std::array kDtypes{Dtype::float32, Dtype::float64, Dtype::int64, Dtype::int32, Dtype::boolean};

Dtype any_dtype() { return kDtypes.at(*rc::gen::inRange<std::size_t>(0, kDtypes.size())); }
Dtype any_floating() { return *rc::gen::element(Dtype::float32, Dtype::float64); }

/// Of these sizes, or of sizes that broadcast to them, in some layout; small whole numbers.
Tensor any_tensor(Sizes sizes, Dtype dtype, bool broadcasts = false) {
  const auto first = broadcasts ? *rc::gen::inRange<std::size_t>(0, sizes.size() + 1) : 0;
  sizes.erase(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::int64_t& size : sizes)
    if (broadcasts && *rc::gen::inRange(0, 4) == 0) size = 1;
  Sizes memory = sizes;
  const bool sliced = !memory.empty() && *rc::gen::arbitrary<bool>();
  if (sliced) memory.back() = memory.back() * 2 + 1;
  const bool turned = memory.size() > 1 && *rc::gen::arbitrary<bool>();
  if (turned) std::swap(memory.front(), memory.back());
  Numbers numbers(static_cast<std::size_t>(numel_of(memory)));
  std::minstd_rand next(*rc::gen::inRange<std::uint32_t>(1, 1000));  // a generator for each number would be slow
  for (double& number : numbers) number = dtype == Dtype::boolean ? next() % 2 : static_cast<double>(next() % 9) - 4;
  Tensor made = tensor(memory, numbers, dtype);
  if (turned) made = transpose(made, 0, -1);
  const std::int64_t dim = turned ? 0 : -1;
  if (sliced) made = slice(made, dim, 1, std::nullopt, 2);
  return made;
}
/// Of at most about a thousand elements.
Sizes any_sizes() {
  Sizes sizes(*rc::gen::inRange<std::size_t>(0, 4));
  for (std::int64_t& size : sizes)
    size = *rc::gen::weightedElement<std::int64_t>({{1, 0}, {3, 1}, {4, 2}, {4, 3}, {1, 9}});
  if (sizes.size() == 1 && *rc::gen::arbitrary<bool>()) sizes[0] = *rc::gen::inRange(250, 1100);  // several blocks
  return sizes;
}

std::string shown(const Tensor& tensor) {
  return std::string(name_of(tensor.dtype())) + " " + rc::toString(sizes(tensor)) + " " + rc::toString(strides(tensor));
}

/// The storage with the same layout on CUDA: what `to` does not keep.
Tensor mirrored(const Tensor& self) {
  const Tensor all =
      as_strided(self, {static_cast<std::int64_t>(self.storage()->bytes()) / item_size(self.dtype())}, {1}, 0);
  return as_strided(to_cuda(all), self.sizes(), self.strides(), self.offset());
}

/// Whether both runs raise, or give tensors of the same layout whose elements differ at most in the last places.
void expect_same(const std::function<Tensor(bool cuda)>& run) {
  const ErrorClass here = error_of([&] { run(false); });
  const ErrorClass there = error_of([&] { run(true); });
  RC_LOG("raises " + std::string(name_of(here)) + " on the CPU, " + std::string(name_of(there)) + " on CUDA");
  RC_ASSERT(there == here);
  if (here != ErrorClass::none) return;
  const Tensor expected = run(false);
  const Tensor got = run(true);
  RC_LOG(shown(expected) + " / " + shown(got));
  RC_ASSERT(got.device() == Backend::CUDA);
  RC_ASSERT(got.dtype() == expected.dtype());
  RC_ASSERT(sizes(got) == sizes(expected));
  RC_ASSERT(strides(got) == strides(expected));
  const Numbers a = numbers(expected);
  const Numbers b = numbers(to_cpu(got));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool near = a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]) || std::abs(a[i] - b[i]) <= 1e-6 * std::abs(a[i]);
    if (!near) RC_FAIL("element " + std::to_string(i) + ": " + std::to_string(a[i]) + " / " + std::to_string(b[i]));
  }
}

/// Of one tensor, of two or of three that broadcast, as both devices see them.
void expect_same_of_one(const Tensor& a, const std::function<Tensor(const Tensor&)>& op) {
  RC_LOG(shown(a));
  expect_same([&](bool cuda) { return op(cuda ? mirrored(a) : a); });
}

using Binary = std::function<Tensor(const Tensor&, const Tensor&)>;
void expect_same_of_two(const Tensor& a, const Tensor& b, const Binary& op) {
  RC_LOG(shown(a) + " and " + shown(b));
  expect_same([&](bool cuda) { return cuda ? op(mirrored(a), mirrored(b)) : op(a, b); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, arithmetic_and_comparisons, ()) {
  static const std::array<Binary, 9> ops{
      [](const Tensor& a, const Tensor& b) { return add(a, b); },
      [](const Tensor& a, const Tensor& b) { return add(a, b, 3); },
      [](const Tensor& a, const Tensor& b) { return sub(a, b); },
      [](const Tensor& a, const Tensor& b) { return mul(a, b); },
      [](const Tensor& a, const Tensor& b) { return div(a, b); },
      [](const Tensor& a, const Tensor& b) { return gt(a, b); },
      [](const Tensor& a, const Tensor& b) { return ge(a, b); },
      [](const Tensor& a, const Tensor& b) { return eq(a, b); },
      [](const Tensor& a, const Tensor& b) { return threshold_backward(a, b, 1); },
  };
  const Sizes sizes = any_sizes();
  expect_same_of_two(any_tensor(sizes, any_dtype(), true), any_tensor(sizes, any_dtype(), true),
                     ops.at(*rc::gen::inRange<std::size_t>(0, ops.size())));
}

RC_GTEST_FIXTURE_PROP(CudaOps, functions_of_one_element, ()) {
  static const std::array<std::function<Tensor(const Tensor&)>, 9> ops{
      [](const Tensor& a) { return neg(a); },
      [](const Tensor& a) { return relu(a); },
      [](const Tensor& a) { return exp(a); },
      [](const Tensor& a) { return tanh(a); },
      [](const Tensor& a) { return sqrt(a); },
      [](const Tensor& a) { return clone(a); },
      [](const Tensor& a) { return fill_(clone(a), 1); },
      [](const Tensor& a) { return mul(a, a); },
      [](const Tensor& a) { return tanh_backward(a, a); },
  };
  expect_same_of_one(any_tensor(any_sizes(), any_dtype()), ops.at(*rc::gen::inRange<std::size_t>(0, ops.size())));
}

RC_GTEST_FIXTURE_PROP(CudaOps, conversions, ()) {
  const Dtype dtype = any_dtype();
  expect_same_of_one(any_tensor(any_sizes(), any_dtype()), [&](const Tensor& a) { return to(a, dtype, false, true); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, writes_into_views, ()) {
  const Sizes sizes = any_sizes();
  expect_same_of_two(any_tensor(sizes, any_dtype()), any_tensor(sizes, any_dtype(), true),
                     [](const Tensor& a, const Tensor& b) { return copy_(clone(a), b); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, masks, ()) {
  const Sizes sizes = any_sizes();
  const Tensor mask = any_tensor(sizes, Dtype::boolean, true);
  const Dtype dtype = any_dtype();
  const bool fills = *rc::gen::arbitrary<bool>();
  expect_same_of_two(any_tensor(sizes, dtype), any_tensor(sizes, any_dtype(), true),
                     [&](const Tensor& a, const Tensor& b) {
                       const Tensor where_to = a.device() == Backend::CUDA ? mirrored(mask) : mask;
                       return fills ? masked_fill_(clone(a), where_to, 1) : where(where_to, a, b);
                     });
}

RC_GTEST_FIXTURE_PROP(CudaOps, sums_and_means, ()) {
  const Tensor a = any_tensor(any_sizes(), any_dtype());
  const bool keepdim = *rc::gen::arbitrary<bool>();
  const Sizes dims = a.dim() == 0 ? Sizes{} : Sizes{*rc::gen::inRange<std::int64_t>(0, a.dim())};
  const bool mean_of = is_floating(a.dtype()) && *rc::gen::arbitrary<bool>();
  expect_same_of_one(
      a, [&](const Tensor& x) { return mean_of ? mean(x, IntList(dims), keepdim) : sum(x, IntList(dims), keepdim); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, extremes_and_where_they_are, ()) {
  const Tensor a = any_tensor(any_sizes(), any_dtype());
  const bool keepdim = *rc::gen::arbitrary<bool>();
  const std::int64_t dim = a.dim() == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, a.dim());
  static const std::array<std::function<Tensor(const Tensor&, std::int64_t, bool)>, 6> ops{
      [](const Tensor& x, std::int64_t, bool) { return max(x); },
      [](const Tensor& x, std::int64_t d, bool keep) { return std::get<0>(max(x, d, keep)); },
      [](const Tensor& x, std::int64_t d, bool keep) { return std::get<1>(max(x, d, keep)); },
      [](const Tensor& x, std::int64_t, bool keep) { return argmax(x, std::nullopt, keep); },
      [](const Tensor& x, std::int64_t d, bool keep) { return std::get<0>(aminmax(x, d, keep)); },
      [](const Tensor& x, std::int64_t d, bool keep) { return std::get<1>(aminmax(x, d, keep)); },
  };
  const auto& op = ops.at(*rc::gen::inRange<std::size_t>(0, ops.size()));
  expect_same_of_one(a, [&](const Tensor& x) { return op(x, dim, keepdim); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, softmaxes, ()) {
  const Tensor a = any_tensor(any_sizes(), any_floating());
  const std::int64_t dim = a.dim() == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, a.dim());
  expect_same_of_one(a, [&](const Tensor& x) { return _softmax(x, dim, false); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, gathers_and_their_gradients, ()) {
  const Tensor a = any_tensor(any_sizes(), any_floating());
  const Dtype dtype = *rc::gen::element(Dtype::int64, Dtype::int32);
  const Tensor index = any_tensor(sizes(a), dtype);
  const std::int64_t dim = a.dim() == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, a.dim());
  const bool of_gradient = *rc::gen::arbitrary<bool>();
  const auto in_range = [](const Tensor& i) { return relu(i); };
  expect_same_of_two(a, index, [&](const Tensor& x, const Tensor& i) {
    if (!of_gradient) return gather(x, dim, in_range(i));
    const Tensor input = clone(x);
    set_requires_grad(input, true);
    backward(sum(gather(input, dim, in_range(i))));
    return grad_of(input);
  });
}

RC_GTEST_FIXTURE_PROP(CudaOps, parts_by_index, ()) {
  const Tensor a = any_tensor(any_sizes(), any_dtype());
  const Tensor index = any_tensor({*rc::gen::inRange<std::int64_t>(0, 5)}, Dtype::int64);
  const std::int64_t dim = a.dim() == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, a.dim());
  const bool fills = *rc::gen::arbitrary<bool>();
  expect_same_of_two(a, index, [&](const Tensor& x, const Tensor& i) {
    return fills ? index_fill(x, dim, i, 1) : index_select(x, dim, i);
  });
}

RC_GTEST_FIXTURE_PROP(CudaOps, gradients_of_windows_that_overlap, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(3, 600);
  expect_same_of_one(any_tensor({n}, any_floating()), [&](const Tensor& x) {
    const Tensor input = clone(x);
    set_requires_grad(input, true);
    backward(sum(unfold(input, 0, 3, 1)));
    return grad_of(input);
  });
}

RC_GTEST_FIXTURE_PROP(CudaOps, joins, ()) {
  const Sizes sizes = any_sizes();
  const bool stacks = *rc::gen::arbitrary<bool>();
  const auto rank = static_cast<std::int64_t>(sizes.size());
  const std::int64_t dim = *rc::gen::inRange<std::int64_t>(0, rank + 1);
  expect_same_of_two(any_tensor(sizes, any_dtype()), any_tensor(sizes, any_dtype()),
                     [&](const Tensor& a, const Tensor& b) {
                       const std::vector<Tensor> both{a, b};
                       return stacks ? stack(both, dim) : cat(both, dim);
                     });
}

RC_GTEST_FIXTURE_PROP(CudaOps, scatters_keep_the_layout, ()) {
  const Tensor a = any_tensor(any_sizes(), any_dtype());
  const std::int64_t dim = a.dim() == 0 ? 0 : *rc::gen::inRange<std::int64_t>(0, a.dim());
  expect_same_of_one(a, [&](const Tensor& x) { return select_scatter(x, neg(select(x, dim, 0)), dim, 0); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, products, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(0, 9);
  const auto k = *rc::gen::inRange<std::int64_t>(0, 9);
  const auto m = *rc::gen::inRange<std::int64_t>(0, 9);
  const Dtype dtype = any_dtype();
  expect_same_of_two(any_tensor({n, k}, dtype), any_tensor({k, m}, dtype),
                     [&](const Tensor& a, const Tensor& b) { return mm(a, b); });
  expect_same_of_two(any_tensor({k}, dtype), any_tensor({k}, dtype),
                     [&](const Tensor& a, const Tensor& b) { return dot(a, b); });
  expect_same_of_two(any_tensor({n, k}, dtype), any_tensor({k, m}, dtype),
                     [&](const Tensor& a, const Tensor& b) { return addmm(mm(a, b), a, b, 2, 3); });
}

RC_GTEST_FIXTURE_PROP(CudaOps, ranges, ()) {
  const auto n = *rc::gen::inRange<std::int64_t>(0, 1000);
  const bool real = *rc::gen::arbitrary<bool>();
  const Dtype dtype = any_dtype();
  expect_same([&](bool cuda) {
    const DeviceGuard guard(cuda ? Backend::CUDA : Backend::CPU);
    return real ? arange(Scalar(0.5), Scalar(static_cast<double>(n) + 0.5), dtype)
                : arange(Scalar(3), Scalar(3 + n), dtype);
  });
}

}  // namespace
}  // namespace plumbline::optimized
