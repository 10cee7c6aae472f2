// The kernels of max, argmax and aminmax: the first of the largest elements, if the bounds determine it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reference/dtype_words.h"
#include "reference/pointwise.h"
#include "reference/reduce.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

enum class Extreme { least, greatest };
/// To which elements the extreme's gradient goes; `shared_or_nan`: to all of them, times a mask divided by its sum, so
/// that it is NaN if the extreme is NaN [FunctionsManual.cpp, scale_grad_by_count].
enum class Gradient { to_index, shared, shared_or_nan };

struct Found {
  Element value;
  std::size_t at = 0;
  bool certain = true;             ///< whether the bounds exclude every other element
  std::vector<std::size_t> equal;  ///< the elements that may be the extreme too
};

bool is_nan(const Element& element, Dtype dtype) { return is_floating(dtype) && std::isnan(element.real); }

/// Whether a is nearer to the extreme than b, as numbers.
bool beyond(Extreme extreme, Dtype dtype, const Element& a, const Element& b) {
  if (is_floating(dtype)) return extreme == Extreme::greatest ? a.real > b.real : a.real < b.real;
  return extreme == Extreme::greatest ? a.integer > b.integer : a.integer < b.integer;
}

/// Adds the other elements that may be the extreme, and how far the value may then be off.
void add_rivals(Found& found, const std::vector<Element>& group, const Arithmetic& in) {
  const Element& best = group[found.at];
  bool negative_zero = false;
  bool positive_zero = false;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const bool nan = is_nan(group[i], in.dtype());
    if (nan != is_nan(best, in.dtype())) continue;
    const std::optional<bool> same = nan ? std::optional(true) : in.equal(group[i], best);
    if (same && !*same) continue;
    found.equal.push_back(i);
    if (i == found.at) continue;
    found.certain = found.certain && same.has_value();
    found.value.error = std::fmax(found.value.error, group[i].error);
  }
  for (const std::size_t i : found.equal) {
    negative_zero = negative_zero || (group[i].real == 0 && std::signbit(group[i].real));
    positive_zero = positive_zero || (group[i].real == 0 && !std::signbit(group[i].real));
  }
  // the sign of a zero depends on the order of comparing; a bound accepts both
  if (is_floating(in.dtype()) && negative_zero && positive_zero)
    found.value.error = std::fmax(found.value.error, std::numeric_limits<double>::denorm_min());
}

Found extreme_of(const Judge& judge, const std::vector<Element>& group, Extreme extreme, Dtype dtype) {
  Found found;
  const bool first = first_of_equals(judge).v;
  for (std::size_t i = 1; i < group.size(); ++i) {
    const bool nan = is_nan(group[i], dtype);
    const bool best_nan = is_nan(group[found.at], dtype);
    const bool wins =
        nan == best_nan ? beyond(extreme, dtype, group[i], group[found.at]) : wins_against_nan<Concrete>(judge, nan).v;
    const bool ties = nan == best_nan && (nan || !beyond(extreme, dtype, group[found.at], group[i]));
    if (wins || (ties && !first)) found.at = i;
  }
  found.value = group[found.at];
  add_rivals(found, group, Arithmetic(dtype));
  if (std::any_of(group.begin(), group.end(), [](const Element& element) { return !element.known; })) {
    found.certain = false;
    found.value.known = false;
  }
  return found;
}

/// The extreme as a result, with its trace.
Element traced(const KernelCall& call, const Found& found, const std::vector<Element>& group, Gradient gradient,
               Dtype dtype) {
  Element value = found.value;
  if (call.tape == nullptr) return value;
  const bool shares = equals_share_gradient<Concrete>(call.judge, gradient == Gradient::to_index).v;
  if (!shares && found.certain) return value;
  const Arithmetic plain(dtype);
  Element share = plain.constant(1);
  if (shares) share = plain.divide(share, plain.constant(static_cast<double>(found.equal.size())));
  if (gradient == Gradient::shared_or_nan && std::isnan(value.real))
    share = plain.constant(std::numeric_limits<double>::quiet_NaN());
  share.known = found.certain;
  std::vector<Tape::Term> terms;
  for (const std::size_t i : found.equal) terms.push_back({group[i].trace, share});
  if (gradient == Gradient::shared_or_nan) {  // the gradient times a mask, which is not 0 for infinity or not-a-number
    Element rest = plain.constant(std::isnan(value.real) ? value.real : 0);
    rest.known = found.certain;
    for (std::size_t i = 0; i < group.size(); ++i)
      if (!std::ranges::binary_search(found.equal, i)) terms.push_back({group[i].trace, rest});
  }
  value.trace = call.tape->record(std::move(terms));
  return value;
}

Element index(const Found& found) {
  return Element{.integer = static_cast<std::int64_t>(found.at), .known = found.certain};
}

/// The dimension, wrapped; raises an error if it has no elements [aten/src/ATen/native/ReduceOpsUtils.h,
/// zero_numel_check_dims].
std::int64_t filled_dim(const KernelCall& call, const Tensor& self, std::int64_t dim, std::string_view op) {
  const int at = wrapped_dim(call.judge, dim, static_cast<std::size_t>(self.geometry.rank()));
  const Sizes sizes = sizes_of(self.geometry);
  if (!sizes.empty() && sizes[static_cast<std::size_t>(at)] == 0)
    raise(ErrorClass::range, text(op, ": Expected reduction dim ", at, " to have non-zero size."), "IndexError");
  return at;
}

bool is_empty(const Tensor& self) { return element_count(sizes_of(self.geometry)) == 0; }

/// The groups of self along one dimension, or all of it in one group.
Groups groups_of(const KernelCall& call, std::optional<std::int64_t> dim, bool keepdim) {
  const Tensor& self = call.tensor(0);
  const std::vector<std::int64_t> dims = dim ? std::vector{*dim} : std::vector<std::int64_t>{};
  Groups groups = grouped(call, self, reduced_dims(call.judge, self, dims), keepdim, self.dtype);
  const bool aminmax = call.op == OpId::aminmax && dim.has_value();
  if (self.geometry.rank() == 0 && scalar_gets_dimension<Concrete>(call.judge, keepdim, aminmax).v) groups.sizes = {1};
  return groups;
}

Fresh row_major_result(const Groups& groups, Dtype dtype) { return {groups.sizes, row_major(groups.sizes), dtype, {}}; }

Effect max_all(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  if (is_empty(self))
    raise(ErrorClass::range,
          "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
          "'dim' argument.");
  const Groups groups = groups_of(call, std::nullopt, false);
  Fresh out = row_major_result(groups, self.dtype);
  for (const auto& group : groups.each)
    out.elements.push_back(traced(call, extreme_of(call.judge, group, Extreme::greatest, self.dtype), group,
                                  Gradient::shared, self.dtype));
  return made(std::move(out));
}

Effect max_dim(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  const std::int64_t dim = filled_dim(call, self, call.arguments.integer(1), "max()");
  const Groups groups = groups_of(call, dim, call.arguments.flag(2));
  Fresh values = row_major_result(groups, self.dtype);
  Fresh indices = row_major_result(groups, Dtype::int64);
  for (const auto& group : groups.each) {
    const Found found = extreme_of(call.judge, group, Extreme::greatest, self.dtype);
    values.elements.push_back(traced(call, found, group, Gradient::to_index, self.dtype));
    indices.elements.push_back(index(found));
  }
  Effect effect = made(std::move(values));
  effect.fresh.push_back(std::move(indices));
  return effect;
}

Effect argmax(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  std::optional<std::int64_t> dim = call.arguments.optional_integer(1);
  const bool bools = self.dtype == Dtype::boolean;
  if (argmax_refuses<Concrete>(call.judge, bools).v)
    raise(ErrorClass::dtype_op, "argmax(): does not support bool input");
  if (dim) dim = filled_dim(call, self, *dim, "argmax()");
  if (!dim && is_empty(self))
    raise(ErrorClass::range, "argmax(): Expected reduction dim to be specified for input.numel() == 0.", "IndexError");
  const Sizes sizes = sizes_of(self.geometry);
  const bool single = dim && !sizes.empty() && sizes[static_cast<std::size_t>(*dim)] == 1;
  const Groups groups = groups_of(call, dim, call.arguments.flag(2));
  const bool compares = bools && !single && !groups.each.empty();
  if (argmax_lacks_kernel<Concrete>(call.judge, compares).v) no_kernel("argmax_cpu", self.dtype);
  Fresh out = row_major_result(groups, Dtype::int64);
  for (const auto& group : groups.each)
    out.elements.push_back(index(extreme_of(call.judge, group, Extreme::greatest, self.dtype)));
  return made(std::move(out));
}

Effect aminmax(const KernelCall& call) {
  const Tensor& self = call.tensor(0);
  std::optional<std::int64_t> dim = call.arguments.optional_integer(1);
  if (dim) dim = filled_dim(call, self, *dim, "aminmax");
  if (!dim && is_empty(self))
    raise(ErrorClass::range,
          "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  const Groups groups = groups_of(call, dim, call.arguments.flag(2));
  Effect effect;
  for (const Extreme extreme : {Extreme::least, Extreme::greatest}) {
    Fresh out = row_major_result(groups, self.dtype);
    for (const auto& group : groups.each)
      out.elements.push_back(
          traced(call, extreme_of(call.judge, group, extreme, self.dtype), group, Gradient::shared_or_nan, self.dtype));
    effect.fresh.push_back(std::move(out));
  }
  return effect;
}

}  // namespace

std::span<const KernelEntry> max_kernels() {
  static constexpr std::array entries{KernelEntry{OpId::max, max_all}, KernelEntry{OpId::max_dim, max_dim},
                                      KernelEntry{OpId::argmax, argmax}, KernelEntry{OpId::aminmax, aminmax}};
  return entries;
}

}  // namespace plumbline::reference
