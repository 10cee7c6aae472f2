// Replays view metas, and undoes them as aten/src/ATen/FunctionalInverses.cpp does.
#include <numeric>

#include "reference/functorch/layer.h"
#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"

namespace plumbline::reference::functorch {

namespace {

constexpr auto kNoGradient = "unfold_backward of a tensor with the wrong sizes";
constexpr auto kReadsBehind = "_reshape_alias beyond the tensor's memory (PyTorch reads past the end)";

std::int64_t integer(const ViewMeta& meta, std::size_t i) { return std::get<std::int64_t>(meta.arguments.at(i)); }

}  // namespace

OpId Layer::op_of(OpId view, const ViewMeta& meta) {
  return meta.reapply_views || view == OpId::_unsafe_view ? view : *copy_of_view(view);
}

ViewMeta Layer::meta(OpId view, std::vector<Value> arguments) const {
  ViewMeta made{view, std::move(arguments)};
  made.reapply_views = wrappers_.reapply_views || result_gets_strides<Concrete>(judge_, true).v;
  return made;
}

std::vector<TensorId> Layer::replayed(const ViewMeta& meta, TensorId base) {
  try {
    if (meta.is_as_strided) base = copied_for_as_strided(base);
    return calls(op_of(meta.view, meta), {base}, with_offset(meta, base));
  } catch (const Raise&) {
    if (meta.is_reshape_alias) throw ReferenceLimit(kReadsBehind);
    throw;
  }
}

/// _reshape_alias has its source's offset.
std::vector<Value> Layer::with_offset(const ViewMeta& meta, TensorId base) {
  std::vector<Value> all = meta.arguments;
  if (meta.is_reshape_alias) all.emplace_back(tensor(base).geometry.offset.v);
  return all;
}

TensorId Layer::forward(const ViewMeta& meta, TensorId base) {
  const std::vector<TensorId> made = replayed(meta, base);
  if (meta.out_index >= made.size())  // 2.13 crashes: docs/FUNCTIONALIZE.md
    throw ReferenceLimit(
        "a view with several results that is regenerated from a base that gives fewer (PyTorch reads past the end)");
  return made[meta.out_index];
}

TensorId Layer::inverse(const ViewMeta& meta, TensorId base, TensorId written) {
  const auto with = [&](std::initializer_list<Value> first) {
    std::vector<Value> all(first);
    all.insert(all.end(), meta.arguments.begin(), meta.arguments.end());
    return all;
  };
  switch (meta.view) {
    case OpId::as_strided:
      if (meta.is_reshape_alias) {
        ViewMeta back = meta;
        back.arguments = {sizes(base), strides_of(tensor(base).geometry)};
        return forward(back, written);
      }
      return call(OpId::as_strided_scatter, {copied_for_as_strided(base), written}, with({}));
    case OpId::diagonal:
      return call(OpId::diagonal_scatter, {base, written}, with({}));
    case OpId::select_int:
      return call(OpId::select_scatter, {base, written}, with({}));
    case OpId::slice_Tensor:
      return call(OpId::slice_scatter, {base, written}, with({}));
    case OpId::split_Tensor:
    case OpId::split_with_sizes:
    case OpId::unbind_int:
      return piece_inverse(meta, base, written);
    case OpId::expand:
      return expand_inverse(meta, base, written);
    case OpId::unfold:
      return unfold_inverse(meta, base, written);
    case OpId::permute: {
      const auto& dims = std::get<std::vector<std::int64_t>>(meta.arguments.at(0));
      std::vector<std::int64_t> back(dims.size());
      for (std::size_t i = 0; i < dims.size(); ++i)
        back[static_cast<std::size_t>(wrapped_dim(judge_, dims[i], dims.size()))] = static_cast<std::int64_t>(i);
      return call(op_of(OpId::permute, meta), {written}, {back});
    }
    case OpId::t:
    case OpId::transpose_int:
      return call(op_of(meta.view, meta), {written}, with({}));
    case OpId::squeeze:
      return unsqueezed(meta, written, base, std::nullopt);
    case OpId::squeeze_dim:
      return unsqueezed(meta, written, base, integer(meta, 0));
    case OpId::unsqueeze:
      return call(op_of(OpId::squeeze_dim, meta), {written}, {meta.arguments.at(0)});
    case OpId::view:
    case OpId::_unsafe_view:
      return call(op_of(meta.view, meta), {written}, {sizes(base)});
    case OpId::view_dtype:
      return call(op_of(meta.view, meta), {written}, {tensor(base).dtype});
    case OpId::alias:
      return call(op_of(meta.view, meta), {written});
    case OpId::detach:
      return written;
    default:
      throw ReferenceLimit("the missing inverse of " + qualified_name(op(meta.view)));
  }
}

TensorId Layer::piece_inverse(const ViewMeta& meta, TensorId base, TensorId written) {
  const auto index = static_cast<std::int64_t>(meta.out_index);
  const std::int64_t dim =
      wrapped_dim(judge_, integer(meta, meta.view == OpId::unbind_int ? 0 : 1), sizes(base).size());
  if (meta.view == OpId::unbind_int) return call(OpId::select_scatter, {base, written}, {dim, index});
  std::int64_t start = 0, length = 0;
  if (meta.view == OpId::split_Tensor) {
    length = integer(meta, 0);
    start = length * index;
  } else {
    const auto& lengths = std::get<std::vector<std::int64_t>>(meta.arguments.at(0));
    start = std::accumulate(lengths.begin(), lengths.begin() + index, std::int64_t{0});
    length = lengths[meta.out_index];
  }
  const std::int64_t end = std::min(start + length, sizes(base).at(static_cast<std::size_t>(dim)));
  return call(OpId::slice_scatter, {base, written}, {dim, start, end, std::int64_t{1}});
}

/// Restores dimensions of size 1 one by one, from the front.
TensorId Layer::unsqueezed(const ViewMeta& meta, TensorId written, TensorId base, std::optional<std::int64_t> dim) {
  const Sizes of = sizes(base);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    if (of[i] == 1 && (!dim || wrapped_dim(judge_, *dim, of.size()) == at))
      written = call(op_of(OpId::unsqueeze, meta), {written}, {at});
  }
  return written;
}

/// 2.13 sums the changes, 1.13 the values [aten/src/ATen/ExpandUtils.h, sum_to].
TensorId Layer::expand_inverse(const ViewMeta& meta, TensorId base, TensorId written) {
  const Sizes to = sizes(base);
  TensorId sum = is_2_13() ? call(OpId::sub_Tensor, {written, base}, {std::int64_t{1}}) : written;
  const Sizes from = sizes(sum);
  if (from.size() < to.size())
    throw ReferenceLimit("sum_to to more dimensions than the tensor has (PyTorch reads before its sizes)");
  const std::size_t leading = from.size() - to.size();
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (i < leading || (to[i - leading] == 1 && from[i] != 1)) dims.push_back(static_cast<std::int64_t>(i));
  if (to.empty())
    sum = call(OpId::sum, {sum}, {None{}});
  else if (!dims.empty())
    sum = call(OpId::sum_dim_IntList, {sum}, {dims, true, None{}});
  if (!to.empty() && leading > 0)
    sum = call(op_of(OpId::view, meta), {sum}, {to});
  else if (!to.empty() && !meta.reapply_views)
    sum = call(OpId::clone, {sum}, {None{}});
  return is_2_13() ? call(OpId::add_Tensor, {base, sum}, {std::int64_t{1}}) : sum;
}

/// unfold_backward: an element in no window is 0, and one in several windows is their sum.
TensorId Layer::unfold_inverse(const ViewMeta& meta, TensorId base, TensorId written) {
  const std::int64_t size = integer(meta, 1), step = integer(meta, 2);
  if (is_2_13() && meta.reapply_views && size > step)
    raise(ErrorClass::not_functional,
          "While executing unfold, functionalization encountered a tensor being mutated that has internal overlap. "
          "When using torch.compile (or running functionalization directly), this is banned as the behavior is not "
          "well defined. Consider cloning the tensor before mutating it, or removing the mutation from your model.");
  const Sizes of = sizes(base);
  TensorId sum = call(OpId::clone,
                      {call(OpId::zeros_like, {base}, {tensor(written).dtype, None{}, None{}, None{}, None{}, None{}})},
                      {std::int64_t{kContiguousFormat}});
  if (of.empty() && sizes(written) != Sizes{size}) throw ReferenceLimit(kNoGradient);
  if (of.empty()) return size == 0 ? sum : call(OpId::view_copy, {written}, {of});
  const std::int64_t dim = wrapped_dim(judge_, integer(meta, 0), of.size());
  const std::int64_t last = static_cast<std::int64_t>(of.size());
  Sizes windows = of;
  windows[static_cast<std::size_t>(dim)] = (of[static_cast<std::size_t>(dim)] - size) / step + 1;
  windows.push_back(size);
  if (sizes(written) != windows) throw ReferenceLimit(kNoGradient);
  for (std::int64_t i = 0; i < sizes(written).at(static_cast<std::size_t>(dim)); ++i) {
    const TensorId window = call(OpId::select_copy_int, {written}, {dim, i});
    std::vector<std::int64_t> order(of.size());  // the window's elements are its last dimension
    std::iota(order.begin(), order.end(), 0);
    order.insert(order.begin() + dim, last - 1);
    order.pop_back();
    const TensorId placed = call(OpId::permute_copy, {window}, {order});
    const bool adds = size > step;
    const TensorId under = adds ? call(OpId::zeros_like, {sum}, {None{}, None{}, None{}, None{}, None{}, None{}}) : sum;
    const TensorId part = call(OpId::slice_scatter, {under, placed}, {dim, i * step, i * step + size, std::int64_t{1}});
    sum = adds ? call(OpId::add_Tensor, {sum, part}, {std::int64_t{1}}) : part;
  }
  return sum;
}

}  // namespace plumbline::reference::functorch
