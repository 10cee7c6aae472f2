// What factories, clone, sum and mm mean, and what kernels share: elements and sizes.
#include <algorithm>
#include <array>
#include <cmath>

#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/op_ids.h"
#include "spec/rules/geo_memory.h"

namespace plumbline::reference {

std::vector<Element> elements_of(const State& state, const Tensor& tensor) {
  const std::vector<Element>& memory = state.storages[static_cast<std::size_t>(tensor.storage)].elements;
  std::vector<Element> elements;
  for (const std::int64_t place : places_of(tensor.geometry))
    elements.push_back(memory.at(static_cast<std::size_t>(place)));
  return elements;
}

Element element_of(const Operand& number, Dtype dtype) {
  const Element element = number.integral ? Element{.integer = number.integer} : Element{.real = number.real};
  return converted(element, number.integral ? Dtype::int64 : Dtype::float64, dtype);
}

std::string printed(const Sizes& sizes) {
  std::string out = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) out += (i > 0 ? ", " : "") + std::to_string(sizes[i]);
  return out + "]";
}

Sizes broadcast_sizes(const Judge& judge, const Sizes& a, const Sizes& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const bool front = pads_in_front(judge).v;
  const auto size_at = [&](const Sizes& sizes, std::size_t i) {
    const std::size_t pad = front ? rank - sizes.size() : 0;
    return i < pad || i - pad >= sizes.size() ? std::int64_t{1} : sizes[i - pad];
  };
  Sizes out(rank);
  for (std::size_t i = rank; i-- > 0;) {
    const auto stretched = broadcast<Concrete>(size_at(a, i), size_at(b, i));
    if (!stretched.fits.v)
      raise(ErrorClass::shape, text("The size of tensor a (", size_at(a, i), ") must match the size of tensor b (",
                                    size_at(b, i), ") at non-singleton dimension ", i));
    out[i] = stretched.size.v;
  }
  return out;
}

Fresh filled(const Sizes& sizes, Dtype dtype, const Element& element) {
  for (const std::int64_t size : sizes)
    if (size < 0)
      raise(ErrorClass::range, text("Trying to create tensor with negative dimension ", size, ": ", printed(sizes)));
  return {sizes, row_major(sizes), dtype,
          std::vector<Element>(static_cast<std::size_t>(element_count(sizes)), element)};
}

int wrapped_dim(const Judge& judge, std::int64_t dim, std::size_t rank) {
  const auto at = wrap_dim(judge, dim, static_cast<int>(rank));
  const auto extent = std::max<std::int64_t>(static_cast<std::int64_t>(rank), 1);
  if (!at.valid)
    raise(ErrorClass::dim_range,
          text("Dimension out of range (expected to be in range of [", -extent, ", ", extent - 1, "], but got ", dim,
               ")"),
          "IndexError");
  return at.dim;
}

namespace {

Dtype number_dtype(const Operand& number) { return number.integral ? Dtype::int64 : Dtype::float32; }

Fresh arange(const Arguments& arguments, bool has_start) {
  const Operand start = has_start ? arguments.number(0) : Operand{kNoTensor, true, 0, 0};
  const Operand end = arguments.number(has_start ? 1 : 0);
  const Dtype dtype = arguments.dtype(has_start ? 2 : 1).value_or(start.integral ? number_dtype(end) : Dtype::float32);
  const bool whole = !is_floating(dtype);
  const double from = whole ? std::trunc(start.real) : start.real;
  const double to = whole ? std::trunc(end.real) : end.real;
  if (start.real > end.real) raise(ErrorClass::range, "upper bound and lower bound inconsistent with step sign");
  Fresh out = filled({static_cast<std::int64_t>(std::ceil(to - from))}, dtype, {});
  for (std::size_t i = 0; i < out.elements.size(); ++i)
    out.elements[i] = element_of({kNoTensor, false, from + static_cast<double>(i), 0}, dtype);
  return out;
}

Fresh clone(const Judge& judge, const State& state, const Tensor& self) {
  const Sizes sizes = sizes_of(self.geometry);
  const Sizes strides =
      clone_keeps_strides(judge).v ? dense_strides(sizes, strides_of(self.geometry)) : row_major(sizes);
  return {sizes, strides, self.dtype, elements_of(state, self)};
}

Fresh sum(const KernelCall& call, const std::vector<std::int64_t>& dims, bool keepdim, std::optional<Dtype> asked) {
  const Judge& judge = call.judge;
  const Tensor& self = call.tensor(0);
  const Dtype dtype = asked.value_or(is_floating(self.dtype) ? self.dtype : Dtype::int64);
  const Sizes sizes = sizes_of(self.geometry);
  std::vector<bool> reduced(std::max<std::size_t>(sizes.size(), 1), dims.empty());
  for (const std::int64_t dim : dims) {
    const int at = wrapped_dim(judge, dim, sizes.size());
    if (reduced[static_cast<std::size_t>(at)])
      raise(ErrorClass::dim_repeated, text("dim ", at, " appears multiple times in the list of dims"));
    reduced[static_cast<std::size_t>(at)] = true;
  }
  Sizes out_sizes;
  Sizes steps(sizes.size(), 0);  // of the result's row-major position, by dimension of self
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    if (!reduced[i]) {
      steps[i] = step;
      step *= sizes[i];
    }
    if (!reduced[i] || keepdim) out_sizes.insert(out_sizes.begin(), reduced[i] ? 1 : sizes[i]);
  }
  const std::vector<Element> elements = elements_of(call.state, self);
  const std::vector<std::int64_t> targets = places_of(geometry_of(sizes, steps));
  std::vector<std::vector<Element>> terms(static_cast<std::size_t>(element_count(out_sizes)));
  for (std::size_t i = 0; i < elements.size(); ++i)
    terms[static_cast<std::size_t>(targets[i])].push_back(converted(elements[i], self.dtype, dtype, call.tape));
  Fresh out{out_sizes, row_major(out_sizes), dtype, {}};
  for (const auto& group : terms) out.elements.push_back(call.arithmetic(dtype).sum(group));
  return out;
}

Fresh mm(const KernelCall& call) {
  const State& state = call.state;
  const Tensor& a = call.tensor(0);
  const Tensor& b = call.tensor(1);
  if (a.geometry.rank() != 2) raise(ErrorClass::shape, "self must be a matrix");
  if (b.geometry.rank() != 2) raise(ErrorClass::shape, "mat2 must be a matrix");
  const Sizes left = sizes_of(a.geometry);
  const Sizes right = sizes_of(b.geometry);
  if (left[1] != right[0])
    raise(ErrorClass::shape, text("mat1 and mat2 shapes cannot be multiplied (", left[0], "x", left[1], " and ",
                                  right[0], "x", right[1], ")"));
  const bool nothing = left[0] == 0 || left[1] == 0 || right[1] == 0;
  if (check_product_dtypes<Concrete>(call.judge, a.dtype == b.dtype, nothing).v != 0) {
    const auto c_name = [](Dtype d) {
      return d == Dtype::int64 ? "long int" : (d == Dtype::float64 ? "double" : "float");
    };
    raise(ErrorClass::dtype_mismatch,
          text("expected m1 and m2 to have the same dtype, but got: ", c_name(a.dtype), " != ", c_name(b.dtype)));
  }
  const std::vector<Element> x = elements_of(state, a);
  const std::vector<Element> y = elements_of(state, b);
  Fresh out{{left[0], right[1]}, row_major({left[0], right[1]}), a.dtype, {}};
  const Arithmetic in = call.arithmetic(a.dtype);
  for (std::int64_t i = 0; i < left[0]; ++i) {
    for (std::int64_t j = 0; j < right[1]; ++j) {
      std::vector<Element> products;
      for (std::int64_t k = 0; k < left[1]; ++k)
        products.push_back(in.multiply(x[static_cast<std::size_t>(i * left[1] + k)],
                                       y[static_cast<std::size_t>(k * right[1] + j)]));
      out.elements.push_back(in.sum(products));
    }
  }
  return out;
}

Effect made(Fresh fresh) {
  Effect effect;
  effect.fresh.push_back(std::move(fresh));
  return effect;
}

Dtype asked_dtype(const KernelCall& call, std::size_t i) { return call.arguments.dtype(i).value_or(Dtype::float32); }

Effect zeros(const KernelCall& call) { return made(filled(call.arguments.integers(0), asked_dtype(call, 1), {})); }
Effect ones(const KernelCall& call) {
  return made(filled(call.arguments.integers(0), asked_dtype(call, 1), Element{.real = 1, .integer = 1}));
}
Effect empty(const KernelCall& call) {
  return made(filled(call.arguments.integers(0), asked_dtype(call, 1), Element{.known = false}));
}
Effect full(const KernelCall& call) {
  const Operand value = call.arguments.number(1);
  const Dtype dtype = call.arguments.dtype(2).value_or(number_dtype(value));
  return made(filled(call.arguments.integers(0), dtype, element_of(value, dtype)));
}
Effect arange_end(const KernelCall& call) { return made(arange(call.arguments, false)); }
Effect arange_start(const KernelCall& call) { return made(arange(call.arguments, true)); }

Effect cloned(const KernelCall& call) { return made(clone(call.judge, call.state, call.tensor(0))); }
Effect sum_all(const KernelCall& call) { return made(sum(call, {}, false, call.arguments.dtype(1))); }
Effect sum_dims(const KernelCall& call) {
  return made(sum(call, call.arguments.integers(1), call.arguments.flag(2), call.arguments.dtype(3)));
}
Effect matrix_product(const KernelCall& call) { return made(mm(call)); }

}  // namespace

std::span<const KernelEntry> factory_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::zeros, zeros},
                                      KernelEntry{OpId::ones, ones},
                                      KernelEntry{OpId::empty_memory_format, empty},
                                      KernelEntry{OpId::full, full},
                                      KernelEntry{OpId::arange, arange_end},
                                      KernelEntry{OpId::arange_start, arange_start}};
  return entries;
}

std::span<const KernelEntry> reduction_kernels() {
  static constexpr std::array entries{
      KernelEntry{OpId::clone, cloned}, KernelEntry{OpId::sum, sum_all},
      KernelEntry{OpId::sum_dim_IntList, sum_dims}, KernelEntry{OpId::mm, matrix_product}};
  return entries;
}

}  // namespace plumbline::reference
