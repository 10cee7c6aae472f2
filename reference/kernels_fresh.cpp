// What factories, clone, sum and mm mean, and what kernels share: elements and sizes.
#include <algorithm>
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

Element converted(const Element& element, Dtype from, Dtype to) {
  if (from == to) return element;
  Element out{.known = element.known, .exact = element.exact};
  const double real = is_floating(from) ? element.real : static_cast<double>(element.integer);
  if (to == Dtype::int64) {
    // Out of range and not-a-number: C++ leaves the conversion undefined, and so does the spec.
    const bool in_range = real > -9.2e18 && real < 9.2e18;
    out.integer = in_range ? static_cast<std::int64_t>(real) : 0;
    out.known = out.known && in_range && element.exact;
    return out;
  }
  out.real = to == Dtype::float32 ? static_cast<double>(static_cast<float>(real)) : real;
  if (from == Dtype::int64) out.exact = out.exact && std::fabs(real) <= 16777216.0;
  return out;
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

namespace {

Fresh filled(const Sizes& sizes, Dtype dtype, const Element& element) {
  for (const std::int64_t size : sizes)
    if (size < 0)
      raise(ErrorClass::range, text("Trying to create tensor with negative dimension ", size, ": ", printed(sizes)));
  return {sizes, row_major(sizes), dtype,
          std::vector<Element>(static_cast<std::size_t>(element_count(sizes)), element)};
}

Dtype number_dtype(const Operand& number) { return number.integral ? Dtype::int64 : Dtype::float32; }

Fresh arange(const Arguments& arguments, bool has_start) {
  const Operand start = has_start ? arguments.number(0) : Operand{kNoTensor, true, 0, 0};
  const Operand end = arguments.number(has_start ? 1 : 0);
  const Dtype dtype = arguments.dtype(has_start ? 2 : 1).value_or(start.integral ? number_dtype(end) : Dtype::float32);
  const bool whole = dtype == Dtype::int64;
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

/// Adds up `terms`. The order is free, so the sum is exact only where no order rounds.
Element summed(const std::vector<Element>& terms, Dtype dtype) {
  Element out;
  double magnitude = 0;
  bool whole = true;
  bool negative_zero = false;
  for (const Element& term : terms) {
    out.known = out.known && term.known;
    out.exact = out.exact && term.exact;
    out.integer =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(out.integer) + static_cast<std::uint64_t>(term.integer));
    out.real += term.real;
    magnitude += std::fabs(term.real);
    whole = whole && term.real == std::trunc(term.real);
    negative_zero = negative_zero || (term.real == 0 && std::signbit(term.real));
  }
  if (dtype == Dtype::int64) return out;
  const double limit = dtype == Dtype::float32 ? 16777216.0 : 9007199254740992.0;
  out.exact = out.exact && (terms.size() < 2 || (whole && magnitude <= limit));
  out.exact = out.exact && !(out.real == 0 && negative_zero);  // which sign the zero has depends on the order, too
  out.real = dtype == Dtype::float32 ? static_cast<double>(static_cast<float>(out.real)) : out.real;
  return out;
}

Fresh sum(const Judge& judge, const State& state, const Tensor& self, const std::vector<std::int64_t>& dims,
          bool keepdim, Dtype dtype) {
  const Sizes sizes = sizes_of(self.geometry);
  std::vector<bool> reduced(std::max<std::size_t>(sizes.size(), 1), dims.empty());
  for (const std::int64_t dim : dims) {
    const auto at = wrap_dim(judge, dim, static_cast<int>(sizes.size()));
    const auto extent = std::max<std::int64_t>(static_cast<std::int64_t>(sizes.size()), 1);
    if (!at.valid)
      raise(ErrorClass::dim_range,
            text("Dimension out of range (expected to be in range of [", -extent, ", ", extent - 1, "], but got ", dim,
                 ")"),
            "IndexError");
    if (reduced[static_cast<std::size_t>(at.dim)])
      raise(ErrorClass::dim_repeated, text("dim ", at.dim, " appears multiple times in the list of dims"));
    reduced[static_cast<std::size_t>(at.dim)] = true;
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
  const std::vector<Element> elements = elements_of(state, self);
  const std::vector<std::int64_t> targets = places_of(geometry_of(sizes, steps));
  std::vector<std::vector<Element>> terms(static_cast<std::size_t>(element_count(out_sizes)));
  for (std::size_t i = 0; i < elements.size(); ++i)
    terms[static_cast<std::size_t>(targets[i])].push_back(converted(elements[i], self.dtype, dtype));
  Fresh out{out_sizes, row_major(out_sizes), dtype, {}};
  for (const auto& group : terms) out.elements.push_back(summed(group, dtype));
  return out;
}

Fresh mm(const Judge& judge, const State& state, const Tensor& a, const Tensor& b) {
  if (a.geometry.rank() != 2) raise(ErrorClass::shape, "self must be a matrix");
  if (b.geometry.rank() != 2) raise(ErrorClass::shape, "mat2 must be a matrix");
  const Sizes left = sizes_of(a.geometry);
  const Sizes right = sizes_of(b.geometry);
  if (left[1] != right[0])
    raise(ErrorClass::shape, text("mat1 and mat2 shapes cannot be multiplied (", left[0], "x", left[1], " and ",
                                  right[0], "x", right[1], ")"));
  const bool nothing = left[0] == 0 || left[1] == 0 || right[1] == 0;
  if (check_product_dtypes<Concrete>(judge, a.dtype == b.dtype, nothing).v != 0) {
    const auto c_name = [](Dtype d) {
      return d == Dtype::int64 ? "long int" : (d == Dtype::float64 ? "double" : "float");
    };
    raise(ErrorClass::dtype_mismatch,
          text("expected m1 and m2 to have the same dtype, but got: ", c_name(a.dtype), " != ", c_name(b.dtype)));
  }
  const std::vector<Element> x = elements_of(state, a);
  const std::vector<Element> y = elements_of(state, b);
  Fresh out{{left[0], right[1]}, row_major({left[0], right[1]}), a.dtype, {}};
  for (std::int64_t i = 0; i < left[0]; ++i) {
    for (std::int64_t j = 0; j < right[1]; ++j) {
      std::vector<Element> products;
      for (std::int64_t k = 0; k < left[1]; ++k) {
        const Element& p = x[static_cast<std::size_t>(i * left[1] + k)];
        const Element& q = y[static_cast<std::size_t>(k * right[1] + j)];
        products.push_back(
            {p.real * q.real,
             static_cast<std::int64_t>(static_cast<std::uint64_t>(p.integer) * static_cast<std::uint64_t>(q.integer)),
             p.known && q.known, p.exact && q.exact && std::fma(p.real, q.real, -(p.real * q.real)) == 0.0});
      }
      out.elements.push_back(summed(products, a.dtype));
      if (products.size() == 1 && a.dtype == Dtype::float32)
        out.elements.back().exact &= out.elements.back().real == products[0].real;
    }
  }
  return out;
}

}  // namespace

Effect factory_meaning(OpId op, const Arguments& arguments) {
  const Element one{.real = 1, .integer = 1};
  Effect effect;
  switch (op) {
    case OpId::zeros:
      effect.fresh.push_back(filled(arguments.integers(0), arguments.dtype(1).value_or(Dtype::float32), {}));
      break;
    case OpId::ones:
      effect.fresh.push_back(filled(arguments.integers(0), arguments.dtype(1).value_or(Dtype::float32), one));
      break;
    case OpId::empty_memory_format:
      effect.fresh.push_back(
          filled(arguments.integers(0), arguments.dtype(1).value_or(Dtype::float32), Element{.known = false}));
      break;
    case OpId::full: {
      const Operand value = arguments.number(1);
      const Dtype dtype = arguments.dtype(2).value_or(number_dtype(value));
      effect.fresh.push_back(filled(arguments.integers(0), dtype, element_of(value, dtype)));
      break;
    }
    case OpId::arange:
      effect.fresh.push_back(arange(arguments, false));
      break;
    case OpId::arange_start:
      effect.fresh.push_back(arange(arguments, true));
      break;
    default:
      throw std::logic_error("the reference has no meaning for the factory " + qualified_name(arguments.op()));
  }
  return effect;
}

Effect reduction_meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments) {
  const auto tensor = [&](std::size_t i) -> const Tensor& {
    return state.tensors[static_cast<std::size_t>(arguments.tensor(i))];
  };
  const Tensor& self = tensor(0);
  Effect effect;
  switch (op) {
    case OpId::clone:
      effect.fresh.push_back(clone(judge, state, self));
      break;
    case OpId::sum:
      effect.fresh.push_back(sum(judge, state, self, {}, false, arguments.dtype(1).value_or(self.dtype)));
      break;
    case OpId::sum_dim_IntList:
      effect.fresh.push_back(
          sum(judge, state, self, arguments.integers(1), arguments.flag(2), arguments.dtype(3).value_or(self.dtype)));
      break;
    case OpId::mm:
      effect.fresh.push_back(mm(judge, state, self, tensor(1)));
      break;
    default:
      throw std::logic_error("the reference has no meaning for " + qualified_name(arguments.op()));
  }
  return effect;
}

Effect meaning(const Judge& judge, const State& state, OpId op, const Arguments& arguments) {
  switch (arguments.op().kind) {
    case OpKind::Factory:
      return factory_meaning(op, arguments);
    case OpKind::View:
    case OpKind::InplaceView:
      return view_meaning(judge, state, op, arguments);
    case OpKind::Inplace:
      return write_meaning(judge, state, op, arguments);
    case OpKind::Functional:
      break;
  }
  const bool pointwise = op == OpId::add_Tensor || op == OpId::sub_Tensor || op == OpId::mul_Tensor;
  return pointwise ? pointwise_meaning(judge, state, op, arguments) : reduction_meaning(judge, state, op, arguments);
}

}  // namespace plumbline::reference
