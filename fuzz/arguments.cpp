// The arguments of a call: one chooser for each possible meaning of an argument's name.
#include "fuzz/arguments.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "fuzz/meaning.h"

namespace plumbline::fuzz {

Value first_or_last(Scene& s, const std::vector<Slot>& slots) {
  const std::size_t pick = s.choices.below(slots.size() + 2);  // the newest three times as often: views of views
  return slots[std::min(pick, slots.size() - 1)];
}

namespace {

/// The dtypes that an op takes.
enum class Takes : std::uint8_t { any, numbers, floats };

/// What an op's first argument must be for the call to be legal; ops not listed take any.
struct Fitting {
  std::string_view op;
  int least;
  int most;
  Takes takes = Takes::any;
};
constexpr std::array kFitting{
    Fitting{"mm", 2, 2, Takes::numbers},
    Fitting{"addmm", 0, 2, Takes::numbers},
    Fitting{"bmm", 3, 3, Takes::numbers},
    Fitting{"mv", 2, 2, Takes::numbers},
    Fitting{"dot", 1, 1, Takes::numbers},
    Fitting{"matmul", 1, 9, Takes::numbers},
    Fitting{"t", 0, 2},
    Fitting{"select", 1, 9},
    Fitting{"slice", 1, 9},
    Fitting{"narrow", 1, 9},
    Fitting{"diagonal", 2, 9},
    Fitting{"split", 1, 9},
    Fitting{"unbind", 1, 9},
    Fitting{"sub", 0, 9, Takes::numbers},
    Fitting{"neg", 0, 9, Takes::numbers},
    Fitting{"relu", 0, 9, Takes::numbers},
    Fitting{"argmax", 0, 9, Takes::numbers},
    Fitting{"_softmax", 0, 9, Takes::floats},
};

bool takes(const Scene& s, const Fitting& fitting, const reference::Tensor& tensor) {
  const int rank = tensor.geometry.rank();
  if (rank < fitting.least || rank > fitting.most) return false;
  if (fitting.takes == Takes::any || s.choices.one_in(16)) return true;
  return fitting.takes == Takes::floats ? is_floating(tensor.dtype) : tensor.dtype != Dtype::boolean;
}

/// Whether the op computes only floats, so that the first argument of its in-place twin has to be one.
bool writes_floats(const Scene& s) {
  constexpr std::array<std::string_view, 4> names{"div", "exp", "tanh", "sqrt"};
  return s.op.kind == OpKind::Inplace && std::ranges::find(names, s.base_name()) != names.end();
}

}  // namespace

Value self(Scene& s) {
  const auto listed = std::ranges::find(kFitting, s.base_name(), &Fitting::op);
  Fitting fitting = listed == kFitting.end() ? Fitting{s.base_name(), 0, 9} : *listed;
  if (writes_floats(s)) fitting.takes = Takes::floats;
  if (s.op.name == "as_strided_scatter" && s.choices.last() % 2 == 1) return of_other_strides(s);
  const bool any = fitting.least == 0 && fitting.most == 9 && fitting.takes == Takes::any;
  if (any || s.careless) return first_or_last(s, s.live);
  std::vector<Slot> slots;
  std::ranges::copy_if(s.live, std::back_inserter(slots),
                       [&](Slot slot) { return takes(s, fitting, tensor_in(s.state, slot)); });
  if (!slots.empty()) return first_or_last(s, slots);
  s.missing = fitting.least < 2 ? Sizes{3} : Sizes(static_cast<std::size_t>(fitting.least), 2);
  if (fitting.takes != Takes::any) s.missing_dtype = Dtype::float32;
  return None{};
}

Value number(Scene& s) {
  constexpr std::array<std::int64_t, 6> integers{1, 2, 0, -1, 3, 5};
  const std::size_t pick = s.choices.below(integers.size() + 3);
  if (pick < integers.size()) return integers[pick];
  if (pick == integers.size() + 2 && s.choices.one_in(2)) return true;
  return pick == integers.size() ? 0.5 : 2.0;
}

bool broadcasts_to(const Sizes& from, const Sizes& to, bool both_ways) {
  if (!both_ways && from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= std::min(from.size(), to.size()); ++i) {
    const std::int64_t a = from[from.size() - i];
    const std::int64_t b = to[to.size() - i];
    if (a != b && a != 1 && !(both_ways && b == 1)) return false;
  }
  return true;
}

Value other_kind_or_any(Scene& s, const std::vector<Slot>& fitting) {
  std::vector<Slot> unlike;
  std::ranges::copy_if(fitting, std::back_inserter(unlike),
                       [&](Slot slot) { return tensor_in(s.state, slot).meta.keys.v != s.self()->meta.keys.v; });
  return first_or_last(s, !unlike.empty() && s.choices.one_in(2) ? unlike : fitting);
}

namespace {

/// Whether the op accepts a second argument of this dtype: no write of a higher kind, no bool in `sub`.
bool goes_with(const Scene& s, Dtype dtype) {
  const Dtype own = s.self()->dtype;
  if (s.base_name() == "sub" && dtype == Dtype::boolean) return false;
  if (s.op.kind != OpKind::Inplace || s.base_name() == "copy" || is_floating(own)) return true;
  return own == Dtype::boolean ? dtype == Dtype::boolean : !is_floating(dtype);
}

/// A tensor that broadcasts with the first argument, which is a tensor itself.
Value operand(Scene& s) {
  if (s.careless) return first_or_last(s, s.live);
  const bool free = s.choices.one_in(8);
  std::vector<Slot> fitting;
  std::ranges::copy_if(s.live, std::back_inserter(fitting), [&](Slot slot) {
    const reference::Tensor& tensor = tensor_in(s.state, slot);
    return broadcasts_to(sizes_of(tensor), s.sizes(), s.op.kind == OpKind::Functional) &&
           (free || goes_with(s, tensor.dtype));
  });
  if (fitting.empty()) return first_or_last(s, s.live);
  return other_kind_or_any(s, fitting);
}

Value operand_or_number(Scene& s) {
  if (s.argument().type == ArgType::Scalar) return number(s);
  // Comparison with a number is another overload.
  const bool compares = s.op.name == "gt" || s.op.name == "ge" || s.op.name == "eq";
  return s.choices.one_in(4) && !compares ? number(s) : operand(s);
}

Value any_tensor(Scene& s) { return first_or_last(s, s.live); }

/// A dimension of something of this rank, sometimes counted from the end.
std::int64_t dimension_below(Scene& s, std::size_t extent) {
  const auto dim = static_cast<std::int64_t>(s.choices.below(extent));
  return s.choices.one_in(4) ? dim - static_cast<std::int64_t>(extent) : dim;
}

}  // namespace

Value dimension(Scene& s) { return dimension_below(s, std::max<std::size_t>(s.sizes().size(), 1)); }

namespace {

Value new_dimension(Scene& s) { return dimension_below(s, s.sizes().size() + 1); }

/// A different dimension from that of the argument before.
Value other_dimension(Scene& s) {
  const auto rank = static_cast<std::int64_t>(s.sizes().size());
  const std::int64_t first = s.wrapped("dim1");
  return rank < 2 ? std::int64_t{1}
                  : (first + 1 + static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(rank - 1)))) % rank;
}

Value permutation(Scene& s) {
  std::vector<std::int64_t> dims(s.sizes().size());
  std::iota(dims.begin(), dims.end(), 0);
  for (std::size_t i = 0; i + 1 < dims.size(); ++i) std::swap(dims[i], dims[i + s.choices.below(dims.size() - i)]);
  if (!dims.empty() && s.choices.one_in(4)) dims.front() -= static_cast<std::int64_t>(dims.size());
  return dims;
}

}  // namespace

Value some_dimensions(Scene& s) {
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < s.sizes().size(); ++i)
    if (s.choices.below(2) == 0) dims.push_back(static_cast<std::int64_t>(i));
  if (s.choices.one_in(6)) return None{};
  return dims;
}

namespace {

Value index(Scene& s) {
  const std::int64_t size = std::max<std::int64_t>(s.extent(), 1);
  const auto at = static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(size)));
  return s.choices.one_in(4) ? at - size : at;
}

/// An end of a slice: any integer is legal.
Value slice_end(Scene& s) {
  const std::int64_t size = s.extent();
  const std::size_t pick = s.choices.below(static_cast<std::size_t>(2 * size + 4));
  if (pick == 0) return None{};
  return static_cast<std::int64_t>(pick) - size - 1;
}

Value step(Scene& s) { return static_cast<std::int64_t>(1 + s.choices.below(3)); }

Value start(Scene& s) { return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(s.extent() + 1))); }
Value length(Scene& s) {
  const std::int64_t left = s.extent() - s.integer("start");
  return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(std::max<std::int64_t>(left, 0) + 1)));
}
Value window(Scene& s) { return static_cast<std::int64_t>(s.choices.below(static_cast<std::size_t>(s.extent() + 1))); }
Value piece(Scene& s) { return static_cast<std::int64_t>(1 + s.choices.below(3)); }
Value diagonal_offset(Scene& s) {
  constexpr std::array<std::int64_t, 5> offsets{0, 1, -1, 2, -2};
  return offsets[s.choices.below(offsets.size())];
}

Value fresh_sizes(Scene& s) { return sizes_like_newest(s.state, s.live, s.choices); }

Value expanded_sizes(Scene& s) {
  Sizes sizes = s.sizes();
  for (std::int64_t& size : sizes) {
    if (size == 1)
      size = static_cast<std::int64_t>(1 + s.choices.below(3));
    else if (s.choices.one_in(4))
      size = -1;
  }
  for (std::size_t added = s.choices.below(3); added > 1 && sizes.size() < 3; --added)
    sizes.insert(sizes.begin(), static_cast<std::int64_t>(s.choices.below(3)));
  return sizes;
}

/// Sizes with as many elements as the first argument has; perhaps one of them -1.
Value viewed_sizes(Scene& s) {
  const Sizes own = s.sizes();
  const std::int64_t count = std::accumulate(own.begin(), own.end(), std::int64_t{1}, std::multiplies<>());
  Sizes sizes{count};
  const std::size_t shape = s.choices.below(5);
  if (shape == 1) sizes = own;
  if (shape == 2) sizes = {1, count};
  for (const std::int64_t factor : {2, 3})
    if (shape >= 3 && count != 0 && count % factor == 0)
      sizes = shape == 3 ? Sizes{factor, count / factor} : Sizes{count / factor, factor};
  if (count == 0) return sizes;
  if (!sizes.empty() && s.choices.one_in(4)) sizes[s.choices.below(sizes.size())] = -1;
  return sizes;
}

Value strided_sizes(Scene& s) {
  if (s.available() <= s.offset()) return s.choices.one_in(2) ? Sizes{0, 2} : Sizes{0};
  Sizes sizes(2 - s.choices.below(3));
  for (std::int64_t& size : sizes) size = static_cast<std::int64_t>(1 + s.choices.below(4)) % 4;
  return sizes;
}

/// Strides that stay inside the storage: row-major ones if they do, else ones that may overlap.
Value strides(Scene& s) {
  const Sizes& sizes = s.integers("size");
  std::int64_t left = s.available() - 1 - s.offset();
  Sizes result(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::int64_t row_major = i + 1 < sizes.size() ? sizes[i + 1] * result[i + 1] : 1;
    const std::int64_t most = sizes[i] > 1 ? left / (sizes[i] - 1) : 3;
    const bool free = s.choices.one_in(3);
    result[i] = free ? static_cast<std::int64_t>(
                           s.choices.below(static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, 4) + 1)))
                     : std::clamp<std::int64_t>(row_major, 0, std::max<std::int64_t>(most, 0));
    left -= std::max<std::int64_t>(sizes[i] - 1, 0) * result[i];
  }
  return result;
}

Value storage_offset(Scene& s) {
  const std::size_t pick = s.choices.below(4);
  if (pick < 2) return None{};
  const Sizes& sizes = s.integers("size");
  const Sizes& steps = s.integers("stride");
  std::int64_t left = s.available() - 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) left -= (sizes[i] - 1) * steps[i];
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(pick) - 2, 0, std::max<std::int64_t>(left, 0));
}

}  // namespace

Value dtype(Scene& s) {
  constexpr std::array<Dtype, 5> dtypes{Dtype::float64, Dtype::int64, Dtype::float32, Dtype::int32, Dtype::boolean};
  const std::size_t pick = s.choices.below(10);
  if (pick < 5) return None{};
  return dtypes[pick - 5];
}

namespace {

Value sum_dtype(Scene& s) { return s.choices.one_in(6) ? dtype(s) : Value(None{}); }
Value flag(Scene& s) { return s.choices.below(2) == 1; }
Value alpha(Scene& s) {
  constexpr std::array<std::int64_t, 5> alphas{1, 1, 2, -1, 0};
  return alphas[s.choices.below(alphas.size())];
}
Value first_number(Scene& s) { return static_cast<std::int64_t>(s.choices.below(3)); }
Value end_number(Scene& s) { return s.value_of("start", 0) + static_cast<std::int64_t>(s.choices.below(5)); }

constexpr std::array kMeanings{
    Meaning{"copy", "src", operand},
    Meaning{"view_as", "other", operand},
    Meaning{"expand_as", "other", operand},
    Meaning{"", "other", operand_or_number},
    Meaning{"", "self", self},
    Meaning{"", "src", any_tensor},
    Meaning{"view", "size", viewed_sizes},
    Meaning{"expand", "size", expanded_sizes},
    Meaning{"as_strided", "size", strided_sizes},
    Meaning{"as_strided", "stride", strides},
    Meaning{"as_strided", "storage_offset", storage_offset},
    Meaning{"unfold", "size", window},
    Meaning{"", "size", fresh_sizes},
    Meaning{"sum", "dim", some_dimensions},
    Meaning{"sum", "dtype", sum_dtype},
    Meaning{"", "keepdim", flag},
    Meaning{"unsqueeze", "dim", new_dimension},
    Meaning{"", "dim", dimension},
    Meaning{"", "dim0", dimension},
    Meaning{"diagonal", "dim2", other_dimension},
    Meaning{"", "dim1", dimension},
    Meaning{"", "dimension", dimension},
    Meaning{"", "dims", permutation},
    Meaning{"", "index", index},
    Meaning{"slice", "start", slice_end},
    Meaning{"slice", "end", slice_end},
    Meaning{"", "step", step},
    Meaning{"narrow", "start", start},
    Meaning{"", "length", length},
    Meaning{"", "split_size", piece},
    Meaning{"diagonal", "offset", diagonal_offset},
    Meaning{"arange", "start", first_number},
    Meaning{"arange", "end", end_number},
    Meaning{"", "alpha", alpha},
    Meaning{"", "value", number},
    Meaning{"", "fill_value", number},
    Meaning{"", "dtype", dtype},
};

const Meaning* meaning_of(const Scene& s, const Argument& argument) {
  const auto fits = [&](const Meaning& m) {
    return (m.op.empty() || m.op == s.base_name()) && m.argument == argument.name;
  };
  for (const std::span<const Meaning> table :
       {value_meanings(), memory_meanings(), std::span<const Meaning>(kMeanings)})
    if (const auto found = std::ranges::find_if(table, fits); found != table.end()) return &*found;
  return nullptr;
}

/// An argument without a meaning here: the schema's default, `None`, or the type's simplest value.
Value plain_value(Scene& s, const Argument& argument) {
  if (argument.optional) return None{};
  const std::string_view text = argument.default_value.value_or("");
  if (argument.type == ArgType::Bool) return text == "True";
  std::int64_t integer = 0;
  std::from_chars(text.data(), text.data() + text.size(), integer);
  switch (argument.type) {
    case ArgType::Tensor:
      return operand(s);
    case ArgType::IntList:
      return Sizes{};
    case ArgType::Float:
      return static_cast<double>(integer);
    case ArgType::Dtype:
      return Dtype::float32;
    default:
      return integer;
  }
}

}  // namespace

Sizes choose_sizes(Choices& choices) {
  constexpr std::array<std::int64_t, 10> extents{2, 3, 1, 2, 3, 4, 2, 1, 3, 0};
  constexpr std::array<std::size_t, 8> ranks{1, 2, 2, 2, 3, 0, 1, 2};
  Sizes sizes(ranks[choices.below(ranks.size())]);
  for (std::int64_t& size : sizes) size = extents[choices.below(extents.size())];
  return sizes;
}

Sizes sizes_like_newest(const reference::State& state, const std::vector<Slot>& live, Choices& choices) {
  if (live.empty() || !choices.one_in(2)) return choose_sizes(choices);
  Sizes sizes = sizes_of(tensor_in(state, live.back()));
  std::erase_if(sizes, [](std::int64_t size) { return size < 0; });  // torch-2.13 lets such views through (GEO-27)
  return sizes;
}

Chosen choose_arguments(const reference::State& state, const std::vector<Slot>& live, const Op& op, Choices& choices,
                        std::uint8_t twist) {
  Scene scene{.state = state, .live = live, .op = op, .choices = choices, .careless = twist % 32 == 31};
  for (const Argument& argument : op.arguments) {
    const Meaning* meaning = meaning_of(scene, argument);
    scene.arguments.push_back(meaning == nullptr ? plain_value(scene, argument) : meaning->choose(scene));
    if (scene.missing) return {{}, scene.missing, scene.missing_dtype, std::nullopt, false};
  }
  if (op.name.ends_with("_scatter") && !scene.careless) {
    fit_source(scene);
    if (scene.missing) return {{}, scene.missing, scene.missing_dtype, std::nullopt, false};
  }
  const bool refused =
      !stays_exact(scene) || result_would_be_open(scene) || (order_would_show(scene) && twist % 4 != 3);
  if (twist % 8 == 7) make_illegal(scene, static_cast<std::uint32_t>(twist / 8) + 32 * choices.last());
  return {std::move(scene.arguments), std::nullopt, std::nullopt, std::move(scene.index), refused};
}

}  // namespace plumbline::fuzz
