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
    Fitting{"threshold_backward", 0, 9, Takes::numbers},
    Fitting{"tanh_backward", 0, 9, Takes::floats},
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
  if (s.self() != nullptr && is_complex(s.self()->dtype) && s.choices.last() % 4 == 3) return Complex{0.5, -2};
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

Value fresh_sizes(Scene& s) { return sizes_like_newest(s.state, s.live, s.choices); }

}  // namespace

Value dtype(Scene& s) {
  constexpr std::array<Dtype, 5> dtypes{Dtype::float64, Dtype::int64, Dtype::float32, Dtype::int32, Dtype::boolean};
  const std::size_t pick = s.choices.below(10);
  if (pick < 5) return None{};
  return perhaps_narrow(dtypes[pick - 5], s.choices);
}

namespace {

Value sum_dtype(Scene& s) { return s.choices.one_in(6) ? dtype(s) : Value(None{}); }
Value flag(Scene& s) { return s.choices.below(2) == 1; }
Value alpha(Scene& s) {
  constexpr std::array<std::int64_t, 5> alphas{1, 1, 2, -1, 0};
  return alphas[s.choices.below(alphas.size())];
}
Value first_number(Scene& s) { return static_cast<std::int64_t>(s.choices.below(3)); }
Value end_number(Scene& s) {
  const std::int64_t start = s.value_of("start", 0);
  if (!s.choices.wide()) return start + static_cast<std::int64_t>(s.choices.below(5));
  return start + 57 + 8 * static_cast<std::int64_t>(s.choices.below(200));
}

constexpr std::array kMeanings{
    Meaning{"copy", "src", operand},
    Meaning{"view_as", "other", operand},
    Meaning{"expand_as", "other", operand},
    Meaning{"", "other", operand_or_number},
    Meaning{"threshold_backward", "self", operand},
    Meaning{"", "self", self},
    Meaning{"", "src", any_tensor},
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
    Meaning{"arange", "start", first_number},
    Meaning{"arange", "end", end_number},
    Meaning{"", "alpha", alpha},
    Meaning{"", "value", number},
    Meaning{"", "grad_output", self},
    Meaning{"", "threshold", number},
    Meaning{"", "fill_value", number},
    Meaning{"", "dtype", dtype},
};

const Meaning* meaning_of(const Scene& s, const Argument& argument) {
  const auto fits = [&](const Meaning& m) {
    return (m.op.empty() || m.op == s.base_name()) && m.argument == argument.name;
  };
  for (const std::span<const Meaning> table :
       {value_meanings(), memory_meanings(), view_meanings(), std::span<const Meaning>(kMeanings)})
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

Chosen choose_arguments(const reference::State& state, const std::vector<Slot>& live, const Op& op, Choices& choices,
                        std::uint8_t twist) {
  Scene scene{.state = state, .live = live, .op = op, .choices = choices, .careless = twist % 32 == 31};
  for (const Argument& argument : op.arguments) {
    const Meaning* meaning = meaning_of(scene, argument);
    scene.arguments.push_back(meaning == nullptr ? plain_value(scene, argument) : meaning->choose(scene));
    if (scene.missing) return {.missing = scene.missing, .missing_dtype = scene.missing_dtype};
  }
  if (op.name.ends_with("_scatter") && !scene.careless) {
    fit_source(scene);
    if (scene.missing) return {.missing = scene.missing, .missing_dtype = scene.missing_dtype};
  }
  std::optional<LeftOut> left_out;
  if (!stays_exact(scene))
    left_out = LeftOut::inexact;
  else if (result_would_be_open(scene))
    left_out = LeftOut::open;
  else if (twist % 4 != 3 && order_would_show(scene))
    left_out = LeftOut::order_shows;
  if (twist % 8 == 7) make_illegal(scene, static_cast<std::uint32_t>(twist / 8) + 32 * choices.last());
  const double elements = result_elements(scene);
  if (elements > most_in_result(scene) && !scene.huge) left_out = LeftOut::too_large;
  return {.arguments = std::move(scene.arguments),
          .index = std::move(scene.index),
          .left_out = left_out,
          .elements = scene.huge ? 0 : elements,
          .huge = scene.huge};
}

}  // namespace plumbline::fuzz
