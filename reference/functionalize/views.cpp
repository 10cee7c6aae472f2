// The copies that make views, and their inverses.
#include "reference/functionalize/views.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "reference/kernels.h"
#include "reference/memory.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference::functionalize {
namespace {

using Values = std::vector<plumbline::Value>;

std::int64_t integer(const Link& link, std::size_t i) { return std::get<std::int64_t>(link.arguments.at(i)); }

std::int64_t dim_of(const Facts& source, std::int64_t given) {
  const auto rank = static_cast<std::int64_t>(source.sizes.size());
  return given < 0 ? given + std::max<std::int64_t>(rank, 1) : given;
}
std::int64_t dim_of(const Link& link, std::size_t i) { return dim_of(link.from, integer(link, i)); }

/// The dimensions that a transpose exchanges.
std::pair<std::int64_t, std::int64_t> turned_dims(const Link& link) {
  if (link.view == OpId::t) return {0, 1};
  return {dim_of(link, 0), dim_of(link, 1)};
}

/// The inverse of a permutation.
Sizes inverse_of(const Sizes& order) {
  const auto rank = static_cast<std::int64_t>(order.size());
  Sizes inverted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    inverted[static_cast<std::size_t>(order[i] < 0 ? order[i] + rank : order[i])] = static_cast<std::int64_t>(i);
  return inverted;
}

/// Where a slice, or a piece of a split, begins in its source.
std::int64_t start_of(const Link& link) {
  const auto dim = static_cast<std::size_t>(dim_of(link, 0));
  const std::int64_t size = link.from.sizes[dim];
  const auto* given = std::get_if<std::int64_t>(&link.arguments[1]);
  const std::int64_t start = given == nullptr ? 0 : *given < 0 ? *given + size : *given;
  return std::clamp<std::int64_t>(start, 0, size);
}

Value like(const Facts& facts) { return {facts.sizes, facts.dtype, true}; }

bool repeats(const Facts& facts) {
  return !is_dense(facts.sizes, facts.strides) && repeats_places(geometry_of(facts.sizes, facts.strides, facts.offset));
}

/// Whether the view repeats an element of its source.
bool is_one_to_one(const Link& link) {
  const Sizes& from = link.from.sizes;
  const Sizes& to = link.to.sizes;
  if (link.view == OpId::expand) return element_count(to) == 0 || element_count(to) == element_count(from);
  if (link.view == OpId::unfold) {
    const auto dim = static_cast<std::size_t>(dim_of(link, 0));
    return integer(link, 1) <= integer(link, 2) || (dim < to.size() && to[dim] <= 1) || element_count(to) == 0;
  }
  return true;
}

/// The sizes with the sizes of 1 first: the inverse of a misread squeeze.
Sizes ones_first(const Sizes& sizes) {
  Sizes made(static_cast<std::size_t>(std::ranges::count(sizes, 1)), 1);
  std::ranges::copy_if(sizes, std::back_inserter(made), [](std::int64_t size) { return size != 1; });
  return made;
}

}  // namespace

std::vector<Link> links_of(const Judge& judge, const Step& step, const Facts& source, Slot made_from) {
  std::vector<Link> links;
  links.reserve(step.facts.size());
  std::int64_t start = 0;
  for (std::size_t i = 0; i < step.facts.size(); ++i) {
    Link& link = links.emplace_back(
        Link{step.call.op, {step.call.arguments.begin() + 1, step.call.arguments.end()}, source, step.facts[i]});
    link.made_from = made_from;
    link.piece = op(step.call.op).many_results;
    if (link.piece) link.number = undone_piece<Concrete>(judge, static_cast<std::int64_t>(i)).v;
    switch (step.call.op) {
      case OpId::narrow: {
        const std::int64_t from = integer(link, 1) < 0
                                      ? integer(link, 1) + source.sizes[static_cast<std::size_t>(dim_of(link, 0))]
                                      : integer(link, 1);
        link.view = OpId::slice_Tensor;
        link.arguments = {link.arguments[0], from, from + integer(link, 2), std::int64_t{1}};
        break;
      }
      case OpId::_unsafe_view:
        link.view = OpId::view;
        break;
      case OpId::unbind_int:
        link.view = OpId::select_int;
        link.arguments.push_back(static_cast<std::int64_t>(i));
        break;
      case OpId::split_Tensor:
      case OpId::unsafe_split_Tensor:
      case OpId::split_with_sizes: {
        link.view = OpId::slice_Tensor;
        const std::int64_t dim = dim_of(link, 1);
        const std::int64_t length = step.facts[i].sizes[static_cast<std::size_t>(dim)];
        link.arguments = arguments_of(integer(link, 1), start, start + length, std::int64_t{1});
        start += length;
        break;
      }
      default:
        break;
    }
    link.one_to_one = is_one_to_one(link);
  }
  return links;
}

namespace {

/// A tensor without elements: PyTorch checks the strides of a view in another dtype even then.
Slot nothing(Writer& writer, const Facts& facts, const std::string& stem) {
  return writer.call(OpId::zeros, {facts.sizes, facts.dtype, None{}, None{}, None{}}, stem, like(facts));
}

}  // namespace

Slot forward(Writer& writer, const Link& link, Slot source, const std::string& stem) {
  if (link.view == OpId::view_dtype && element_count(link.to.sizes) == 0) return nothing(writer, link.to, stem);
  Values arguments;
  arguments.reserve(link.arguments.size() + 1);
  arguments.emplace_back(source);
  arguments.insert(arguments.end(), link.arguments.begin(), link.arguments.end());
  return writer.call(*copy_of_view(link.view), std::move(arguments), stem, like(link.to));
}

bool needs_source(const Link& link) {
  switch (link.view) {
    case OpId::select_int:
    case OpId::slice_Tensor:
    case OpId::diagonal:
    case OpId::unfold:
    case OpId::as_strided:
      return true;
    default:
      return false;
  }
}

namespace {

/// Writes back a view of a part of its source.
Slot scattered(const Judge& judge, Writer& writer, const Link& link, Slot source, Slot written,
               const std::string& stem) {
  const Value made{link.from.sizes, link.from.dtype, writer.value(source).row_major};
  if (link.view == OpId::select_int) {
    const auto size = link.from.sizes[static_cast<std::size_t>(dim_of(link, 0))];
    const std::int64_t index = integer(link, 1) < 0 ? integer(link, 1) + size : integer(link, 1);
    const std::int64_t of_piece = link.piece ? link.number : index;
    return writer.call(OpId::select_scatter,
                       arguments_of(source, written, link.arguments[0], undone_index<Concrete>(judge, of_piece).v),
                       stem, made);
  }
  if (link.view == OpId::slice_Tensor) {
    const auto dim = static_cast<std::size_t>(dim_of(link, 0));
    const std::int64_t step = integer(link, 3);
    const std::int64_t count = link.to.sizes[dim];
    const bool first = link.piece && link.number == 0;
    const std::int64_t start = first ? 0 : undone_start<Concrete>(judge, start_of(link)).v;
    const std::int64_t end = count == 0 ? start : start + (count - 1) * step + 1;
    return writer.call(OpId::slice_scatter, arguments_of(source, written, link.arguments[0], start, end, step), stem,
                       made);
  }
  if (link.view == OpId::diagonal)
    return writer.call(
        OpId::diagonal_scatter,
        {source, written, undone_diagonal<Concrete>(judge, integer(link, 0)).v, link.arguments[1], link.arguments[2]},
        stem, made);
  // unfold: the windows, as places of the source laid out row-major
  Slot whole = source;
  if (!unfold_keeps<Concrete>(judge, false).v)
    whole = writer.call(OpId::zeros_like, {source, None{}, None{}, None{}, None{}, None{}}, stem, made);
  if (!writer.value(source).row_major)
    whole = writer.call(OpId::view_copy, {whole, link.from.sizes}, stem, like(link.from));
  const auto dim = static_cast<std::size_t>(dim_of(link, 0));
  Sizes strides = row_major(link.from.sizes);
  if (strides.empty()) strides = {1};
  const std::int64_t element = strides[dim];
  strides[dim] = element * integer(link, 2);
  strides.push_back(element);
  if (link.from.sizes.empty()) strides = {1};  // a tensor without dimensions has only the window's dimension
  Slot made_slot = writer.call(OpId::as_strided_scatter, {whole, written, link.to.sizes, strides, std::int64_t{0}},
                               stem, like(link.from));
  return made_slot;
}

}  // namespace

Slot inverse(const Judge& judge, Writer& writer, const Link& link, Slot source, Slot written, const std::string& stem) {
  const auto call = [&](OpId op, Values arguments) {
    return writer.call(op, std::move(arguments), stem, like(link.from));
  };
  if (needs_source(link)) return scattered(judge, writer, link, source, written, stem);
  switch (link.view) {
    case OpId::t:
    case OpId::transpose_int: {
      const auto dims = turned_dims(link);
      if (undone_transpose<Concrete>(judge, dims.first, dims.second).v != dims.second) return written;
      Values arguments{written};
      arguments.insert(arguments.end(), link.arguments.begin(), link.arguments.end());
      return call(*copy_of_view(link.view), std::move(arguments));
    }
    case OpId::permute: {
      const auto& dims = std::get<std::vector<std::int64_t>>(link.arguments[0]);
      Sizes undone = inverse_of(dims);
      for (std::size_t i = 0; i < dims.size(); ++i) undone[i] = undone_permute<Concrete>(judge, undone[i], dims[i]).v;
      return call(OpId::permute_copy, {written, undone});
    }
    case OpId::alias:
    case OpId::detach:
      return call(OpId::alias_copy, {written});
    case OpId::view_dtype:
      if (element_count(link.from.sizes) == 0) return nothing(writer, link.from, stem);
      if (undone_dtype_keeps_bytes<Concrete>(judge, false).v)
        return call(OpId::view_copy_dtype, {written, link.from.dtype});
      return call(OpId::_to_copy, {written, link.from.dtype, None{}, None{}, None{}, false, None{}});
    case OpId::expand: {
      Slot one = written;  // the first copy of each repeated dimension; a lens has none
      const std::size_t more = link.to.sizes.size() - link.from.sizes.size();
      for (std::size_t dim = 0; dim < link.to.sizes.size(); ++dim) {
        const std::int64_t had = dim < more ? 1 : link.from.sizes[dim - more];
        if (had == link.to.sizes[dim] || link.to.sizes[dim] == 0) continue;
        Value cut = writer.value(one);
        cut.sizes[dim] = 1;
        one = writer.call(OpId::slice_copy_Tensor,
                          {one, static_cast<std::int64_t>(dim), std::int64_t{0}, std::int64_t{1}, std::int64_t{1}},
                          stem, cut);
      }
      return call(OpId::view_copy, {one, link.from.sizes});
    }
    default: {  // view, squeeze, unsqueeze
      const bool squeezes = link.view != OpId::view;
      Sizes turned = link.from.sizes;
      std::ranges::reverse(turned);
      const Sizes misread = squeezes ? ones_first(link.from.sizes) : turned;
      Sizes undone = link.from.sizes;
      for (std::size_t i = 0; i < undone.size(); ++i) undone[i] = undone_size<Concrete>(judge, undone[i], misread[i]).v;
      return call(OpId::view_copy, {written, undone});
    }
  }
}

std::optional<Memory> memory_of(const Facts& facts, std::int64_t elements) {
  if (facts.offset != 0 || element_count(facts.sizes) != elements) return std::nullopt;
  if (elements > 0 && !is_dense(facts.sizes, facts.strides)) return std::nullopt;
  Memory memory{Sizes(facts.sizes.size()), elements, facts};
  std::iota(memory.order.begin(), memory.order.end(), 0);
  std::ranges::sort(memory.order, [&](std::int64_t a, std::int64_t b) {
    const auto one = static_cast<std::size_t>(a), other = static_cast<std::size_t>(b);
    if (facts.strides[one] != facts.strides[other]) return facts.strides[one] > facts.strides[other];
    if (facts.sizes[one] != facts.sizes[other]) return facts.sizes[one] > facts.sizes[other];
    return a < b;
  });
  if (is_row_major(facts.sizes, facts.strides) || elements == 0) std::iota(memory.order.begin(), memory.order.end(), 0);
  return memory;
}

namespace {

Sizes permuted(const Sizes& sizes, const Sizes& order) {
  Sizes made;
  for (const std::int64_t dim : order) made.push_back(sizes[static_cast<std::size_t>(dim)]);
  return made;
}

}  // namespace

Slot flattened(Writer& writer, const Memory& memory, Slot value, const std::string& stem) {
  Slot ordered = value;
  if (!std::ranges::is_sorted(memory.order))
    ordered = writer.call(OpId::permute_copy, {value, memory.order}, stem,
                          {permuted(memory.of.sizes, memory.order), memory.of.dtype, true});
  return writer.call(OpId::view_copy, arguments_of(ordered, Sizes{memory.elements}), stem,
                     {{memory.elements}, memory.of.dtype, true});
}

Slot unflattened(Writer& writer, const Memory& memory, Slot flat, const std::string& stem) {
  const Sizes sizes = permuted(memory.of.sizes, memory.order);
  const Slot made = writer.call(OpId::view_copy, arguments_of(flat, sizes), stem, {sizes, memory.of.dtype, true});
  if (std::ranges::is_sorted(memory.order)) return made;
  return writer.call(OpId::permute_copy, {made, inverse_of(memory.order)}, stem,
                     {memory.of.sizes, memory.of.dtype, true});
}

Slot from_memory(Writer& writer, Slot flat, const Facts& view, const std::string& stem) {
  return writer.call(OpId::as_strided_copy, arguments_of(flat, view.sizes, view.strides, view.offset), stem,
                     {view.sizes, view.dtype, true});
}

Slot into_memory(Writer& writer, Slot flat, const Facts& view, Slot written, const std::string& stem) {
  if (!repeats(view))
    return writer.call(OpId::as_strided_scatter, arguments_of(flat, written, view.sizes, view.strides, view.offset),
                       stem, {writer.value(flat).sizes, view.dtype, true});
  Facts rest = view;  // cut along a dimension: with stride 0 there is one value, otherwise each index is written
  const auto zero = std::ranges::find(rest.strides, 0);
  std::size_t dim = 0;
  if (zero != rest.strides.end()) dim = static_cast<std::size_t>(zero - rest.strides.begin());
  const std::int64_t count = rest.strides[dim] == 0 ? std::min<std::int64_t>(rest.sizes[dim], 1) : rest.sizes[dim];
  const std::int64_t stride = rest.strides[dim];
  rest.sizes.erase(rest.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
  rest.strides.erase(rest.strides.begin() + static_cast<std::ptrdiff_t>(dim));
  Slot now = flat;
  for (std::int64_t i = 0; i < count; ++i) {
    rest.offset = view.offset + i * stride;
    const Slot part = writer.call(OpId::select_copy_int, {written, static_cast<std::int64_t>(dim), i}, stem,
                                  {rest.sizes, view.dtype, true});
    now = into_memory(writer, now, rest, part, stem);
  }
  return now;
}

}  // namespace plumbline::reference::functionalize
