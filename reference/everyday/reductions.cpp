// Reductions and scans: all, any, prod, amax, min, argmin, count_nonzero, nansum, cumsum.
#include <algorithm>
#include <cmath>

#include "reference/everyday/elements.h"
#include "reference/everyday/forms.h"
#include "reference/reduce.h"

namespace plumbline::reference::everyday {

namespace {

using Group = std::vector<Element>;

/// Dimensions of the call, each in range and at most once; in a tensor without dimensions, 0 and −1 name none.
std::vector<bool> chosen_dims(const KernelCall& call, const std::vector<std::int64_t>& dims) {
  const auto rank = static_cast<std::int64_t>(call.tensor(0).geometry.rank());
  std::vector<bool> seen(static_cast<std::size_t>(std::max<std::int64_t>(rank, 1)));
  for (const std::int64_t dim : dims) {
    cover(dim >= -std::max<std::int64_t>(rank, 1) && dim < std::max<std::int64_t>(rank, 1));
    const auto at = static_cast<std::size_t>(dim < 0 ? dim + std::max<std::int64_t>(rank, 1) : dim);
    cover(!seen[at]);
    seen[at] = true;
  }
  return reduced_dims(call.judge, call.tensor(0), dims);
}

/// One result, row-major: `reduce` of each group of self's elements as `read`.
template <class Reduce>
Fresh reduced(const KernelCall& call, const std::vector<std::int64_t>& dims, bool keepdim, Dtype read, Dtype dtype,
              Reduce reduce) {
  const Groups groups = grouped(call, call.tensor(0), chosen_dims(call, dims), keepdim, read);
  Fresh out{groups.sizes, row_major(groups.sizes), dtype, {}};
  for (const Group& group : groups.each) out.elements.push_back(reduce(group));
  return out;
}

/// The dtype of a sum or product of integers.
Dtype sum_dtype(const KernelCall& call, std::optional<Dtype> asked) {
  const Dtype own = call.tensor(0).dtype;
  return asked.value_or(is_floating(own) ? own : Dtype::int64);
}

/// Whether all, or any, of the elements are true: one that decides is enough. Of uint8 elements, the result is uint8
/// [aten/src/ATen/native/ReduceOps.cpp, get_result_or_bytebool_dtype].
Effect truths(const KernelCall& call, bool any, const std::vector<std::int64_t>& dims, bool keepdim) {
  const Dtype dtype = call.tensor(0).dtype;
  const Dtype result = dtype == Dtype::uint8 ? Dtype::uint8 : Dtype::boolean;
  return made(reduced(call, dims, keepdim, dtype, result, [=](const Group& group) {
    bool open = false;
    for (const Element& element : group) {
      const auto value = is_true(element, dtype);
      if (value && *value == any) return truth(any);
      open = open || !value;
    }
    return truth(open ? std::nullopt : std::optional(!any));
  }));
}
template <bool any>
Effect truths_all(const KernelCall& call) {
  return truths(call, any, {}, false);
}
template <bool any>
Effect truths_dim(const KernelCall& call) {
  return truths(call, any, {call.arguments.integer(1)}, call.arguments.flag(2));
}
template <bool any>
Effect truths_dims(const KernelCall& call) {
  const std::vector<std::int64_t> dims = call.arguments.integers(1);
  cover(!dims.empty() || std::holds_alternative<None>(call.arguments.values()[1]));  // an empty list reduces nothing
  return truths(call, any, dims, call.arguments.flag(2));
}

/// The product in any order. It is known only if no order overflows, or loses digits because it comes near zero: the
/// factors above 1 alone do not overflow, and those below 1 alone stay normal numbers. A zero among them is no
/// exception.
Element product(const Arithmetic& in, const Group& group) {
  Element out = in.constant(1);
  Element large = out;
  Element small = out;
  for (const Element& element : group) {
    out = in.multiply(out, element);
    Element& part = std::fabs(element.real) < 1 ? small : large;
    if (element.real != 0) part = in.multiply(part, element);
  }
  if (is_floating(in.dtype()) && group.size() > 1) {
    const double least = std::fabs(small.real);
    const bool normal = ulp_of(least, in.dtype()) <= least * ulp_of(1, in.dtype());
    out.known = out.known && std::isfinite(large.real) && normal;
  }
  return out;
}

Effect prod_all(const KernelCall& call) {
  const Dtype dtype = sum_dtype(call, call.arguments.dtype(1));
  const Arithmetic in = call.arithmetic(dtype);
  return made(reduced(call, {}, false, dtype, dtype, [&](const Group& group) { return product(in, group); }));
}
Effect prod_dim(const KernelCall& call) {
  const Dtype dtype = sum_dtype(call, call.arguments.dtype(3));
  const Arithmetic in = call.arithmetic(dtype);
  return made(reduced(call, {call.arguments.integer(1)}, call.arguments.flag(2), dtype, dtype,
                      [&](const Group& group) { return product(in, group); }));
}

/// The first of the largest or smallest elements; NaN is beyond each number. Nothing if the bounds leave it open.
std::optional<std::size_t> place_of_extreme(const Group& group, Dtype dtype, bool larger) {
  const Arithmetic in(dtype);
  std::size_t at = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (!group[i].known) return std::nullopt;
    if (i == 0) continue;
    if (is_floating(dtype) && std::isnan(group[at].real)) continue;
    const bool nan = is_floating(dtype) && std::isnan(group[i].real);
    const auto beyond = larger ? in.less(group[at], group[i]) : in.less(group[i], group[at]);
    if (!nan && !beyond) return std::nullopt;
    if (nan || *beyond) at = i;
  }
  return at;
}

Element extreme_in(const Group& group, Dtype dtype, bool larger) {
  const auto at = place_of_extreme(group, dtype, larger);
  if (!at) return {.known = false};
  Element out = group[*at];
  // which of several zeros is the extreme depends on the kernel; a bound accepts both signs
  if (is_floating(dtype) && out.real == 0) out.error = std::fmax(out.error, std::numeric_limits<double>::denorm_min());
  return out;
}

/// Whether a group of the reduction would have no element.
bool reduces_nothing(const KernelCall& call, const std::vector<std::int64_t>& dims) {
  const Sizes sizes = sizes_of(call.tensor(0).geometry);
  const std::vector<bool> reduced = chosen_dims(call, dims);
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (reduced[i] && sizes[i] == 0) return true;
  return false;
}

template <bool larger>
Effect extremes(const KernelCall& call) {
  const Dtype dtype = call.tensor(0).dtype;
  const std::vector<std::int64_t> dims = call.arguments.integers(1);
  cover(!reduces_nothing(call, dims));
  return made(reduced(call, dims, call.arguments.flag(2), dtype, dtype,
                      [=](const Group& group) { return extreme_in(group, dtype, larger); }));
}

Effect min_all(const KernelCall& call) {
  const Dtype dtype = call.tensor(0).dtype;
  cover(!reduces_nothing(call, {}));
  return made(
      reduced(call, {}, false, dtype, dtype, [=](const Group& group) { return extreme_in(group, dtype, false); }));
}

Element place(const Group& group, Dtype dtype) {
  const auto at = place_of_extreme(group, dtype, false);
  return at ? Element{.integer = static_cast<std::int64_t>(*at)} : Element{.known = false};
}

Effect min_dim(const KernelCall& call) {
  const Dtype dtype = call.tensor(0).dtype;
  const std::vector<std::int64_t> dims{call.arguments.integer(1)};
  cover(!reduces_nothing(call, dims));
  const bool keepdim = call.arguments.flag(2);
  Effect effect = made(
      reduced(call, dims, keepdim, dtype, dtype, [=](const Group& group) { return extreme_in(group, dtype, false); }));
  effect.fresh.push_back(
      reduced(call, dims, keepdim, dtype, Dtype::int64, [=](const Group& group) { return place(group, dtype); }));
  return effect;
}

Effect argmin(const KernelCall& call) {
  const Dtype dtype = call.tensor(0).dtype;
  const auto dim = call.arguments.optional_integer(1);
  const std::vector<std::int64_t> dims = dim ? std::vector{*dim} : std::vector<std::int64_t>{};
  cover(dtype != Dtype::boolean && !reduces_nothing(call, dims));
  return made(reduced(call, dims, call.arguments.flag(2), dtype, Dtype::int64,
                      [=](const Group& group) { return place(group, dtype); }));
}

Effect counts(const KernelCall& call, const std::vector<std::int64_t>& dims) {
  const Dtype dtype = call.tensor(0).dtype;
  return made(reduced(call, dims, false, dtype, Dtype::int64, [=](const Group& group) {
    Element out;
    for (const Element& element : group) {
      const auto value = is_true(element, dtype);
      out.known = out.known && value.has_value();
      out.integer += value.value_or(false) ? 1 : 0;
    }
    return out;
  }));
}
Effect count_nonzero(const KernelCall& call) {
  if (const auto dim = call.arguments.optional_integer(1)) return counts(call, {*dim});
  return counts(call, {});
}
Effect count_nonzero_dims(const KernelCall& call) { return counts(call, call.arguments.integers(1)); }

Effect nansum(const KernelCall& call) {
  const Dtype dtype = sum_dtype(call, call.arguments.dtype(3));
  const Arithmetic in = call.arithmetic(dtype);
  return made(reduced(call, call.arguments.integers(1), call.arguments.flag(2), dtype, dtype, [&](Group group) {
    if (is_floating(dtype))
      for (Element& element : group)
        if (std::isnan(element.real)) element.real = 0;
    return in.sum(group);
  }));
}

/// Of each element and those before it in the dimension.
Effect scan(const KernelCall& call, bool multiplies) {
  const Tensor& self = call.tensor(0);
  const Dtype dtype = sum_dtype(call, call.arguments.dtype(2));
  const Sizes sizes = sizes_of(self.geometry);
  const std::vector<bool> reduced = chosen_dims(call, {call.arguments.integer(1)});
  const Arithmetic in = call.arithmetic(dtype);
  Fresh out{sizes, row_major(sizes), dtype, {}};
  if (element_count(sizes) == 0) return made(std::move(out));
  const Groups groups = grouped(call, self, reduced, true, dtype);
  // each element of the result is the next one of its group
  std::vector<std::size_t> taken(groups.each.size());
  for (const std::int64_t at : places_of(broadcast_to(geometry_of(groups.sizes, row_major(groups.sizes)), sizes))) {
    const auto group = static_cast<std::size_t>(at);
    const Group before(groups.each[group].begin(),
                       groups.each[group].begin() + static_cast<std::ptrdiff_t>(++taken[group]));
    out.elements.push_back(multiplies ? product(in, before) : in.sum(before));
  }
  return made(std::move(out));
}
Effect cumsum(const KernelCall& call) { return scan(call, false); }
Effect cumprod(const KernelCall& call) { return scan(call, true); }

}  // namespace

std::vector<WholeForm> reduction_forms() {
  return {{"all", truths_all<false>},
          {"all.dim", truths_dim<false>},
          {"all.dims", truths_dims<false>},
          {"any", truths_all<true>},
          {"any.dim", truths_dim<true>},
          {"any.dims", truths_dims<true>},
          {"prod", prod_all},
          {"prod.dim_int", prod_dim},
          {"amax", extremes<true>},
          {"amin", extremes<false>},
          {"min", min_all},
          {"min.dim", min_dim},
          {"argmin", argmin},
          {"count_nonzero", count_nonzero},
          {"count_nonzero.dim_IntList", count_nonzero_dims},
          {"nansum", nansum},
          {"cumsum", cumsum},
          {"cumprod", cumprod}};
}

}  // namespace plumbline::reference::everyday
