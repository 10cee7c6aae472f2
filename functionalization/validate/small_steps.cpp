// The steps to try on a tensor.
#include "functionalization/validate/small_steps.h"

#include <algorithm>

#include "reference/memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::validate {

using reference::Sizes;

std::vector<Call> views_of(Slot source, const Facts& of) {
  const auto rank = static_cast<std::int64_t>(of.sizes.size());
  std::vector<Call> all;
  const auto add = [&](OpId op, std::vector<Value> arguments) {
    arguments.insert(arguments.begin(), source);
    all.push_back({op, std::move(arguments), {}});
  };
  for (std::int64_t dim = 0; dim < rank; ++dim) {
    const std::int64_t size = of.sizes[static_cast<std::size_t>(dim)];
    for (std::int64_t index = 0; index < size; ++index) add(OpId::select_int, {dim, index});
    if (size > 1) add(OpId::slice_Tensor, {dim, std::int64_t{1}, None{}, std::int64_t{1}});
    if (size > 1) add(OpId::slice_Tensor, {dim, std::int64_t{0}, None{}, std::int64_t{2}});
    for (std::int64_t other = dim + 1; other < rank; ++other) {
      add(OpId::transpose_int, {dim, other});
      for (std::int64_t offset = -1; offset <= 1; ++offset) add(OpId::diagonal, {offset, dim, other});
    }
    for (std::int64_t length = 1; length <= std::min<std::int64_t>(size, 2); ++length)
      for (std::int64_t step = 1; step <= 2; ++step) add(OpId::unfold, {dim, length, step});
  }
  if (rank == 3) add(OpId::permute, {Sizes{1, 2, 0}});
  if (rank > 0) add(OpId::view, {Sizes{-1}});
  add(OpId::squeeze, {});
  add(OpId::unsqueeze, {std::int64_t{0}});
  Sizes twice = of.sizes;
  twice.insert(twice.begin(), 2);
  add(OpId::expand, {twice, false});
  add(OpId::as_strided, {Sizes{2, 2}, Sizes{2, 1}, std::int64_t{1}});
  return all;
}

namespace {

/// Calls with `source` as their first argument.
class Steps {
 public:
  Steps(Slot source, const Facts& of) : source_(source), of_(of) {}

  void views() {
    for (Call& view : views_of(source_, of_)) all_.push_back({std::move(view), 1});
    add(OpId::alias, {}, 1);
    for (const Dtype dtype : {Dtype::int32, Dtype::int16}) add(OpId::view_dtype, {dtype}, 1);
    if (of_.sizes.empty()) return;
    const std::int64_t size = of_.sizes.front();
    add(OpId::unbind_int, {std::int64_t{0}}, static_cast<std::size_t>(size));
    if (size > 1) add(OpId::split_Tensor, {std::int64_t{1}, std::int64_t{0}}, static_cast<std::size_t>(size));
    all_.push_back({{OpId::select_int, {source_, std::int64_t{0}, std::int64_t{0}}, {}}, 1, true});
  }
  void writes() {
    add(OpId::fill__Scalar, {std::int64_t{7}});
    add(OpId::add__Tensor, {std::int64_t{1}, std::int64_t{1}});
  }
  void changes() {
    add(OpId::t_, {});
    add(OpId::squeeze_, {});
    add(OpId::unsqueeze_, {std::int64_t{0}});
    add(OpId::resize_, {Sizes{static_cast<std::int64_t>(reference::element_count(of_.sizes)) + 2}, None{}});
  }
  void functional() {
    add(OpId::mul_Tensor, {std::int64_t{2}}, 1);
    add(OpId::clone, {None{}}, 1);
    add(OpId::unsqueeze_copy, {std::int64_t{0}}, 1);
  }
  void with(Slot other) {
    add(OpId::copy_, {other, false});
    add(OpId::set__source_Tensor, {other});
    all_.push_back({{OpId::mul_out, {other, std::int64_t{3}, source_}, {}}, 0});
  }
  std::vector<SmallStep> take() && { return std::move(all_); }

 private:
  void add(OpId op, std::vector<Value> arguments, std::size_t results = 0) {
    arguments.insert(arguments.begin(), source_);
    all_.push_back({{op, std::move(arguments), {}}, results});
  }

  Slot source_;
  const Facts& of_;
  std::vector<SmallStep> all_;
};

}  // namespace

std::vector<SmallStep> steps_on(Slot source, const std::vector<Facts>& facts) {
  Steps steps(source, facts[static_cast<std::size_t>(source)]);
  steps.writes();
  steps.views();
  steps.changes();
  steps.functional();
  for (std::size_t other = 0; other < facts.size(); ++other)
    if (static_cast<Slot>(other) != source) steps.with(static_cast<Slot>(other));
  return std::move(steps).take();
}

}  // namespace plumbline::validate
