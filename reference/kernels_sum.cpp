// The kernels of sum, mean and softmax.
#include <array>
#include <cmath>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "reference/reduce.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

std::vector<bool> reduced_dims(const Judge& judge, const Tensor& self, const std::vector<std::int64_t>& dims) {
  const auto rank = static_cast<std::size_t>(self.geometry.rank());
  std::vector<bool> reduced(std::max<std::size_t>(rank, 1), dims.empty());
  std::vector<int> wrapped;  // all of them, before a repeated one is refused
  for (const std::int64_t dim : dims) wrapped.push_back(wrapped_dim(judge, dim, rank));
  for (const int dim : wrapped) {
    const auto at = static_cast<std::size_t>(dim);
    if (reduced[at]) raise(ErrorClass::dim_repeated, text("dim ", at, " appears multiple times in the list of dims"));
    reduced[at] = true;
  }
  return reduced;
}

Groups grouped(const KernelCall& call, const Tensor& self, const std::vector<bool>& reduced, bool keepdim,
               Dtype dtype) {
  const Sizes sizes = sizes_of(self.geometry);
  Groups groups;
  Sizes steps(sizes.size(), 0);  // steps in the result's row-major order, by dimension of self
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (!reduced[i]) {
      steps[i] = step;
      step *= sizes[i];
    }
    if (!reduced[i] || keepdim) groups.sizes.insert(groups.sizes.begin(), reduced[i] ? 1 : sizes[i]);
  }
  const std::vector<Element> elements = elements_of(call.state, self);
  const std::vector<std::int64_t> targets = places_of(geometry_of(sizes, steps));
  groups.each.resize(static_cast<std::size_t>(element_count(groups.sizes)));
  for (std::size_t i = 0; i < elements.size(); ++i)
    groups.each[static_cast<std::size_t>(targets[i])].push_back(converted(elements[i], self.dtype, dtype, call.tape));
  return groups;
}

namespace {

Effect sum(const KernelCall& call, const std::vector<std::int64_t>& dims, bool keepdim, std::optional<Dtype> asked) {
  const Tensor& self = call.tensor(0);
  const Dtype dtype = asked.value_or(static_cast<Dtype>(sum_type<Concrete>(call.judge, self.dtype).v));
  const Groups groups = grouped(call, self, reduced_dims(call.judge, self, dims), keepdim, dtype);
  Fresh out{groups.sizes, row_major(groups.sizes), dtype, {}};
  for (const auto& group : groups.each) out.elements.push_back(call.arithmetic(dtype).sum(group));
  return made(std::move(out));
}

Effect sum_all(const KernelCall& call) { return sum(call, {}, false, call.arguments.dtype(1)); }
Effect sum_dims(const KernelCall& call) {
  return sum(call, call.arguments.integers(1), call.arguments.flag(2), call.arguments.dtype(3));
}

Effect mean(const KernelCall& call, const std::vector<std::int64_t>& dims, bool keepdim, std::optional<Dtype> asked) {
  const Tensor& self = call.tensor(0);
  Dtype dtype = asked.value_or(self.dtype);
  const auto error = static_cast<ErrorClass>(check_mean<Concrete>(call.judge, dtype).v);
  if (error != ErrorClass::none)
    raise(error, text("mean(): could not infer output dtype. ", asked ? "Optional" : "Input",
                      " dtype must be either a floating point or complex dtype. Got: ", scalar_name(dtype)));
  if (!is_inexact(dtype)) dtype = Dtype::float32;
  // The mean of halves is that of their float32 copies, rounded [aten/src/ATen/native/ReduceOps.cpp, mean_dim].
  const Dtype within = is_half(dtype) ? Dtype::float32 : dtype;
  const Groups groups = grouped(call, self, reduced_dims(call.judge, self, dims), keepdim, within);
  const Arithmetic in = call.arithmetic(within);
  Fresh out{groups.sizes, row_major(groups.sizes), dtype, {}};
  for (const auto& group : groups.each) {
    const Element mean = in.divide(in.sum(group), in.constant(static_cast<double>(group.size())));
    out.elements.push_back(converted(mean, within, dtype, call.tape));
  }
  return made(std::move(out));
}

Effect mean_all(const KernelCall& call) { return mean(call, {}, false, call.arguments.dtype(1)); }
Effect mean_dims(const KernelCall& call) {
  return mean(call, call.arguments.integers(1), call.arguments.flag(2), call.arguments.dtype(3));
}

/// exp(x − m) / Σ exp(x − m), where m is the largest element. The derivative goes only through x, because m cancels.
std::vector<Element> softmax_of(const Arithmetic& in, const std::vector<Element>& group) {
  Element largest = group.front();
  for (const Element& element : group) {
    if (std::isnan(element.real) || element.real > largest.real) largest.real = element.real;
    largest.error = std::fmax(largest.error, element.error);
    largest.known = largest.known && element.known;
  }
  largest.trace = -1;
  std::vector<Element> powers;
  for (const Element& element : group) powers.push_back(in.apply(UnaryFunction::exp, in.subtract(element, largest)));
  const Element total = in.sum(powers);
  for (Element& power : powers) power = in.divide(power, total);
  return powers;
}

Effect softmax(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = sizes_of(self.geometry);
  const auto dim = static_cast<std::size_t>(wrapped_dim(call.judge, call.arguments.integer(1), sizes.size()));
  if (call.arguments.flag(2))
    raise(ErrorClass::dtype_op, "softmax with half to float conversion is not supported on CPU");
  Fresh out{sizes, row_major(sizes), self.dtype, {}};
  if (element_count(sizes) == 0) return made(std::move(out));
  if (!is_floating(self.dtype))
    raise(ErrorClass::dtype_op,
          text("\"softmax_", dim + 1 >= sizes.size() ? "lastdim_" : "", "kernel_impl\" not implemented for '",
               scalar_name(self.dtype), "'"),
          "NotImplementedError");
  std::vector<bool> reduced(std::max<std::size_t>(sizes.size(), 1));
  reduced[dim] = true;
  const Dtype within = is_half(self.dtype) ? Dtype::float32 : self.dtype;
  Groups groups = grouped(call, self, reduced, true, within);
  for (auto& group : groups.each) {
    group = softmax_of(call.arithmetic(within), group);
    for (Element& element : group) element = converted(element, within, self.dtype, call.tape);
  }
  // each element of the result is the next one of its group
  Geometry to_group = geometry_of(groups.sizes, row_major(groups.sizes));
  std::vector<std::size_t> taken(groups.each.size());
  for (const std::int64_t place : places_of(broadcast_to(to_group, sizes))) {
    const auto group = static_cast<std::size_t>(place);
    out.elements.push_back(groups.each[group][taken[group]++]);
  }
  return made(std::move(out));
}

}  // namespace

std::span<const KernelEntry> sum_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::sum, sum_all}, KernelEntry{OpId::sum_dim_IntList, sum_dims},
                                      KernelEntry{OpId::mean, mean_all}, KernelEntry{OpId::mean_dim, mean_dims},
                                      KernelEntry{OpId::_softmax, softmax}};
  return entries;
}

}  // namespace plumbline::reference
