// The arguments of ops that reshape, resize, join, take indices, or write `out`.
#include <algorithm>
#include <array>
#include <numeric>

#include "fuzz/meaning.h"
#include "reference/kernels.h"
#include "reference/raise.h"

namespace plumbline::fuzz {

namespace {

template <class Fits>
std::vector<Slot> slots_where(const Scene& s, const Fits& fits) {
  std::vector<Slot> slots;
  std::ranges::copy_if(s.live, std::back_inserter(slots), [&](Slot slot) { return fits(tensor_in(s.state, slot)); });
  return slots;
}

/// The number of dimensions in which two lists of sizes of one rank differ.
std::size_t differences(const Sizes& a, const Sizes& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) count += a[i] != b[i] ? 1 : 0;
  return count;
}

/// One to three tensors, of which the first decides what the others must be: for `stack` the same sizes, for `cat` the
/// same except in one dimension, or the empty vector that it skips.
Value joined_tensors(Scene& s) {
  const bool stacks = s.op.name == "stack";
  const std::vector<Slot> firsts =
      slots_where(s, [&](const reference::Tensor& t) { return stacks || s.careless || rank_of(t) > 0; });
  if (firsts.empty()) {
    s.missing = Sizes{2};
    return None{};
  }
  const Slot first = std::get<Slot>(first_or_last(s, firsts));
  const Sizes sizes = sizes_of(tensor_in(s.state, first));
  const std::vector<Slot> fitting = slots_where(s, [&](const reference::Tensor& t) {
    const Sizes other = sizes_of(t);
    if (s.careless || other == sizes) return true;
    return !stacks && (other == Sizes{0} || (other.size() == sizes.size() && differences(sizes, other) == 1));
  });
  std::vector<Slot> tensors{first};
  for (std::size_t more = s.choices.below(3); more > 0; --more)
    tensors.push_back(std::get<Slot>(first_or_last(s, fitting)));
  return tensors;
}

/// The dimension in which the tensors differ, or any.
Value joined_dimension(Scene& s) {
  const auto* tensors = std::get_if<std::vector<Slot>>(&s.arguments.front());
  if (tensors == nullptr || tensors->empty()) return dimension(s);
  const Sizes first = sizes_of(tensor_in(s.state, tensors->front()));
  for (const Slot slot : *tensors) {
    const Sizes other = sizes_of(tensor_in(s.state, slot));
    for (std::size_t i = 0; other.size() == first.size() && i < first.size(); ++i)
      if (other[i] != first[i] && s.op.name != "stack") return static_cast<std::int64_t>(i);
  }
  const std::size_t extent = std::max<std::size_t>(first.size() + (s.op.name == "stack" ? 1 : 0), 1);
  const auto dim = static_cast<std::int64_t>(s.choices.below(extent));
  return s.choices.one_in(4) ? dim - static_cast<std::int64_t>(extent) : dim;
}

bool all_known(const Scene& s, const reference::Tensor& tensor) {
  return std::ranges::all_of(reference::elements_of(s.state, tensor), &reference::Element::known);
}

/// A tensor of indices into self's dimension: mostly one made for it.
Value indices(Scene& s) {
  const bool fills = s.base_name() == "index_fill";
  const bool gathers = s.op.name == "gather";
  const std::vector<Slot> fitting = slots_where(s, [&](const reference::Tensor& t) {
    const bool integers = t.dtype == Dtype::int64 || (t.dtype == Dtype::int32 && !fills);
    const bool fits = gathers ? rank_of(t) == std::max<std::size_t>(s.sizes().size(), 1) : rank_of(t) < 2;
    return (integers || s.careless) && fits && all_known(s, t) && t.storage != s.self()->storage;
  });
  if (!fitting.empty() && s.choices.one_in(4)) return first_or_last(s, fitting);
  MakeTensor index{Slot{}, !fills && s.choices.one_in(4) ? Dtype::int32 : Dtype::int64, {}, {}, false};
  const auto count = static_cast<std::int64_t>(1 + s.choices.below(3));
  if (gathers) {
    index.sizes = s.sizes();
    if (!index.sizes.empty())
      index.sizes[static_cast<std::size_t>(std::max<std::int64_t>(s.wrapped("dim"), 0))] = count;
    const auto zero = std::ranges::find(index.sizes, 0);  // nested lists end with the first 0
    if (zero != index.sizes.end()) index.sizes.erase(zero + 1, index.sizes.end());
    while (reference::element_count(index.sizes) > kMostInLiteral) {
      const auto largest = std::ranges::max_element(index.sizes);
      *largest = (*largest + 1) / 2;
    }
  } else if (s.choices.below(4) != 3) {
    index.sizes = {count};
  }
  const std::int64_t extent = std::max<std::int64_t>(s.extent(), 1);
  const auto start = static_cast<std::int64_t>(s.choices.below(5));
  const auto step = static_cast<std::int64_t>(1 + s.choices.below(3));
  const std::int64_t shift = s.choices.one_in(12) ? 1 : (fills && s.choices.one_in(3) ? -extent : 0);
  for (std::int64_t i = 0; i < reference::element_count(index.sizes); ++i)
    index.values.push_back(static_cast<double>((start + i * step) % extent + shift));
  s.index = std::move(index);
  return None{};
}

/// Pieces that add up to the dimension.
Value pieces(Scene& s) {
  const std::int64_t whole = s.extent();
  const auto first = static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(whole) + 1));
  const std::size_t shape = s.choices.below(4);
  if (shape == 0) return Sizes{whole};
  if (shape < 3) return Sizes{first, whole - first};
  return Sizes{first, 0, whole - first};
}

Value chunks(Scene& s) { return static_cast<std::int64_t>(1 + s.choices.below(4)); }

/// A dimension that is not before the one chosen as start.
Value last_dimension(Scene& s) {
  const auto rank = static_cast<std::int64_t>(std::max<std::size_t>(s.sizes().size(), 1));
  const std::int64_t start = s.wrapped("start_dim");
  return start +
         static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(std::max<std::int64_t>(rank - start, 1))));
}

/// A dtype to convert to: often self's own.
Value some_dtype(Scene& s) {
  if (s.choices.one_in(3)) return s.self()->dtype;
  return any_dtype(s.choices);
}

/// A dtype to see the bytes as: mostly one of the same size.
Value seen_dtype(Scene& s) {
  const Dtype own = s.self()->dtype;
  if (own == Dtype::boolean || s.choices.one_in(3)) return any_dtype(s.choices);
  constexpr std::array<Dtype, kDtypeNames.size()> partners{
      Dtype::int32, Dtype::int64,   Dtype::float64,  Dtype::float32, Dtype::uint8,   Dtype::int8,
      Dtype::uint8, Dtype::float16, Dtype::bfloat16, Dtype::int16,   Dtype::float32, Dtype::float64};
  return partners[static_cast<std::size_t>(own)];
}

/// Sizes to resize to: some of the tensor's own, or others.
Value resized(Scene& s) {
  Sizes sizes = s.sizes();
  if (sizes.empty() || s.choices.one_in(3)) return choose_sizes(s.choices);
  Sizes::value_type& one = sizes[s.choices.below(sizes.size())];
  const std::size_t drawn = s.choices.below(64);
  one = drawn == 63 ? -1 : static_cast<std::int64_t>(drawn % 4);
  return sizes;
}

/// Sizes with as many elements as self has.
Value same_count(Scene& s) {
  const Sizes own = s.sizes();
  const std::int64_t count = reference::element_count(own);
  Sizes reversed(own.rbegin(), own.rend());
  switch (s.choices.below(5)) {
    case 0:
      return Sizes{count};
    case 1:
      return own;
    case 2:
      return reversed;
    case 3:
      return count % 2 == 0 ? Sizes{2, count / 2} : Sizes{1, count};
    default:
      return count == 0 ? own : Sizes{-1, 1};
  }
}

/// A tensor to write: mostly one of the dtype that shares no memory with what is read, often with the first argument's
/// sizes.
Value written(Scene& s) {
  const reference::Tensor* first = s.self();
  if (first == nullptr || s.careless || s.choices.one_in(8)) return first_or_last(s, s.live);
  const auto apart = [&](const reference::Tensor& t) {
    return t.dtype == first->dtype && t.storage != first->storage && !t.meta.requires_grad.v && !t.meta.has_grad_fn.v;
  };
  const std::vector<Slot> fitting =
      slots_where(s, [&](const reference::Tensor& t) { return apart(t) && sizes_of(t) == s.sizes(); });
  if (!fitting.empty() && s.choices.below(2) == 0) return first_or_last(s, fitting);
  const std::vector<Slot> any = slots_where(s, apart);
  if (!any.empty()) return first_or_last(s, any);
  s.missing = s.sizes();
  s.missing_dtype = first->dtype;
  return None{};
}

/// Mostly none, for tensors of most ranks; those of rank 4 and 5 have channels.
Value memory_format(Scene& s) {
  const auto place = std::ranges::find(s.op.arguments, std::string_view("size"), &Argument::name);
  const Sizes* given = place == s.op.arguments.end()
                           ? nullptr
                           : std::get_if<Sizes>(&s.arguments[static_cast<std::size_t>(place - s.op.arguments.begin())]);
  const std::size_t rank = given != nullptr ? given->size() : s.sizes().size();
  const std::uint32_t drawn = s.choices.last();
  const std::uint32_t any = drawn % 32 == 31 ? drawn / 32 % 4 : 4;  // seldom one that may not fit
  if (any < 4) return static_cast<std::int64_t>(any);
  if ((rank != 4 && rank != 5) || drawn % 2 == 0) return None{};
  return static_cast<std::int64_t>(rank == 4 ? MemoryFormat::channels_last : MemoryFormat::channels_last_3d);
}

constexpr std::array kMemoryMeanings{
    Meaning{"", "tensors", joined_tensors},
    Meaning{"cat", "dim", joined_dimension},
    Meaning{"stack", "dim", joined_dimension},
    Meaning{"index_select", "index", indices},
    Meaning{"gather", "index", indices},
    Meaning{"index_fill", "index", indices},
    Meaning{"", "split_sizes", pieces},
    Meaning{"", "chunks", chunks},
    Meaning{"", "start_dim", dimension},
    Meaning{"", "end_dim", last_dimension},
    Meaning{"", "source", dimension},
    Meaning{"", "destination", dimension},
    Meaning{"to", "dtype", some_dtype},
    Meaning{"view", "dtype", seen_dtype},
    Meaning{"resize", "size", resized},
    Meaning{"", "shape", same_count},
    Meaning{"", "out", written},
    Meaning{"", "memory_format", memory_format},
};

}  // namespace

Value of_other_strides(Scene& s) {
  const std::vector<Slot> slots = slots_where(s, [](const reference::Tensor& t) {
    return !reference::is_row_major(sizes_of(t), reference::strides_of(t.geometry));
  });
  return first_or_last(s, slots.empty() ? s.live : slots);
}

void fit_source(Scene& s) {
  const auto same = [&](const Op& one) {
    return one.kind == OpKind::View && one.name == s.base_name() && one.arguments.size() + 1 == s.arguments.size();
  };
  const Op& view = *std::ranges::find_if(op_table(), same);
  std::vector<Value> values(s.arguments.begin() + 1, s.arguments.end());
  values.front() = s.arguments.front();
  Sizes sizes;
  try {
    const reference::Arguments arguments(s.state, view, values);
    const reference::Judge judge;
    sizes = reference::sizes_of(
        reference::meaning({judge, s.state, *find_op(view.name, view.overload), arguments}).views.front());
  } catch (const reference::Raise&) {
    return;  // it is refused, whatever the source
  }
  const bool stretches =
      !sizes.empty() && s.choices.last() % 8 == 7;  // which copy_ would accept, but a scatter does not
  const std::vector<Slot> fitting = slots_where(s, [&](const reference::Tensor& t) {
    const Sizes given = sizes_of(t);
    return stretches ? given != sizes && broadcasts_to(given, sizes, false) : given == sizes;
  });
  if (fitting.empty()) {
    s.missing = stretches ? Sizes{} : sizes;
    return;
  }
  s.arguments[1] = other_kind_or_any(s, fitting);
}

std::span<const Meaning> memory_meanings() { return kMemoryMeanings; }

}  // namespace plumbline::fuzz
