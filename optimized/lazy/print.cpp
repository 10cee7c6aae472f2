// A graph as a program of the language, without views and in-place ops.
#include "optimized/lazy/print.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "optimized/elements/elements.h"

namespace plumbline::optimized::lazy {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  raise_saying(ErrorClass::unclassified, "the graph cannot be printed as a program: " + why);
}

std::string list(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

template <class T>
std::string literal(T number) {
  if constexpr (std::same_as<T, bool>) {
    return number ? "True" : "False";
  } else {
    if constexpr (std::floating_point<T>) {
      if (std::isnan(number)) return "float(\"nan\")";
      if (std::isinf(number)) return number < 0 ? "float(\"-inf\")" : "float(\"inf\")";
    }
    std::array<char, 64> text{};
    const char* const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    std::string found(static_cast<const char*>(text.data()), end);
    if (std::floating_point<T> && found.find_first_of(".e") == std::string::npos) found += ".0";
    return found;
  }
}
std::string literal(Scalar number) {
  if (number.kind() == Scalar::Kind::boolean) return literal(number.truth());
  return number.is_real() ? literal(number.real()) : literal(number.integer());
}
std::string dtype_named(Dtype dtype) { return "torch." + std::string(name_of(dtype)); }

/// Sizes and steps of the loops in which one operand of a call takes part.
struct Places {
  std::vector<std::int64_t> sizes, steps;

  void add(std::int64_t size, std::int64_t step) {
    sizes.push_back(size);
    steps.push_back(step);
  }
  bool is_row(std::int64_t elements) const { return sizes.size() == 1 && steps[0] == 1 && sizes[0] == elements; }
};

class Printer {
 public:
  Printer(const Graph& graph, std::span<const std::byte* const> leaves) : graph_(graph), leaves_(leaves) {}

  std::string program(const Shown& shown) {
    text_ = "import torch\n\n\ndef test_graph(device):\n";
    for (std::size_t i = 0; i < graph_.calls.size(); ++i) print(static_cast<int>(i));
    Places places;
    for (std::size_t d = 0; d < shown.sizes.size(); ++d) places.add(shown.sizes[d], shown.strides[d]);
    const std::string source = as_dtype(shown.value, shown.dtype);
    line("out", "torch.as_strided_copy(" + source + ", " + list(places.sizes) + ", " + list(places.steps) + ", " +
                    std::to_string(shown.offset) + ")");
    return std::move(text_);
  }

 private:
  void line(const std::string& name, const std::string& value) { text_ += "    " + name + " = " + value + "\n"; }
  std::string named(const std::string& value) {
    std::string name = "t" + std::to_string(++temporaries_);
    line(name, value);
    return name;
  }
  static std::string tensor_of(const std::string& numbers, Dtype dtype) {
    return "torch.tensor(" + numbers + ", dtype=" + dtype_named(dtype) + ", device=device)";
  }
  static std::string zeros(std::int64_t elements, Dtype dtype) {
    return "torch.zeros([" + std::to_string(elements) + "], dtype=" + dtype_named(dtype) + ", device=device)";
  }

  bool is_leaf(int value) const { return static_cast<std::size_t>(value) >= graph_.calls.size(); }
  std::size_t bytes_of(int value) const {
    const auto at = static_cast<std::size_t>(value);
    return is_leaf(value) ? graph_.leaves[at - graph_.calls.size()] : graph_.calls[at].bytes;
  }
  /// Elements of a row that has the bytes of a value, and more if these are no whole elements.
  std::int64_t elements_of(int value, Dtype dtype) const {
    const auto bytes = static_cast<std::int64_t>(bytes_of(value));
    return (bytes + item_size(dtype) - 1) / item_size(dtype);
  }

  /// The name of a value as a row of elements of this dtype.
  std::string as_dtype(int value, Dtype dtype) {
    if (is_leaf(value) && !dtypes_.contains(value)) print_leaf(value, dtype);
    std::string name = "v" + std::to_string(value);
    const Dtype has = dtypes_.at(value);
    if (has == dtype) return name;
    const std::int64_t bytes = elements_of(value, has) * item_size(has);
    const std::int64_t missing = (item_size(dtype) - bytes % item_size(dtype)) % item_size(dtype);
    if (missing != 0) {
      const std::string rest = named(zeros(missing / item_size(has), has));
      name = named("torch.cat([" + name + ", " + rest + "])");
    }
    name = named("torch.ops.aten.view_copy.dtype(" + name + ", " + dtype_named(dtype) + ")");
    const std::int64_t elements = elements_of(value, dtype);
    if ((bytes + missing) / item_size(dtype) == elements) return name;
    return named("torch.as_strided_copy(" + name + ", [" + std::to_string(elements) + "], [1], 0)");
  }
  void print_leaf(int value, Dtype dtype) {
    const std::byte* const data = leaves_[static_cast<std::size_t>(value) - graph_.calls.size()];
    if (dtype == Dtype::int64 && has_large(data, static_cast<std::int64_t>(bytes_of(value)) / item_size(dtype)))
      dtype = Dtype::int32;
    dtypes_[value] = dtype;
    const std::int64_t elements = elements_of(value, dtype);
    const std::string name = "v" + std::to_string(value);
    if (elements > kMostShown) return line(name, zeros(elements, dtype));
    const auto bytes = static_cast<std::int64_t>(bytes_of(value));
    std::string numbers;
    visit_dtype(dtype, [&]<class T>(T) {
      for (std::int64_t i = 0; i < elements; ++i) {
        T number{};
        const std::int64_t at = i * item_size(dtype);
        std::memcpy(&number, data + at, static_cast<std::size_t>(std::min<std::int64_t>(item_size(dtype), bytes - at)));
        numbers += (i == 0 ? "" : ", ") + literal(number);
      }
    });
    line(name, tensor_of("[" + numbers + "]", dtype));
  }

  Places places_of(const GraphCall& it, std::size_t k, bool with_inner) const {
    Places places;
    for (const CallAxis& level : it.call.outer.levels()) places.add(level.size, level.steps[k]);
    if (with_inner)
      for (const CallAxis& level : it.call.inner.levels()) places.add(level.size, level.steps[k]);
    return places;
  }
  static std::int64_t offset_of(const GraphCall& it, std::size_t k) {
    if (it.offsets[k] % it.call.operand[k].item() != 0) refuse("an operand begins within an element");
    return it.offsets[k] / it.call.operand[k].item();
  }
  /// Operand k, at these places, in the dtype of the call if it computes with it.
  std::string operand(const GraphCall& it, std::size_t k, const Places& places) {
    const CallOperand& one = it.call.operand[k];
    if (it.values[k] == GraphCall::kNone) return number_operand(one);
    std::string text = as_dtype(it.values[k], one.dtype);
    const std::int64_t offset = offset_of(it, k);
    if (offset != 0 || !places.is_row(elements_of(it.values[k], one.dtype)))
      text = named("torch.as_strided_copy(" + text + ", " + list(places.sizes) + ", " + list(places.steps) + ", " +
                   std::to_string(offset) + ")");
    return one.dtype != it.call.dtype && is_computed_with(it.call, k) ? converted(text, it.call.dtype) : text;
  }
  std::string operand(const GraphCall& it, std::size_t k) { return operand(it, k, places_of(it, k, false)); }
  /// Whether some of these integers are too large for a program.
  static bool has_large(const std::byte* data, std::int64_t elements) {
    constexpr std::int64_t kLargest = std::int64_t{1} << 53U;
    for (std::int64_t i = 0; i < elements; ++i) {
      const auto number = loaded<std::int64_t>(data + i * item_size(Dtype::int64));
      if (number > kLargest || number < -kLargest) return true;
    }
    return false;
  }
  std::string number_operand(CallOperand one) {
    if (one.dtype == Dtype::int64 && has_large(one.first(), 1)) {
      const std::byte* const half = one.first() + item_size(Dtype::int32);
      const std::string halves =
          "[" + literal(loaded<std::int32_t>(one.first())) + ", " + literal(loaded<std::int32_t>(half)) + "]";
      const std::string row = named("torch.ops.aten.view_copy.dtype(" + named(tensor_of(halves, Dtype::int32)) + ", " +
                                    dtype_named(Dtype::int64) + ")");
      return named("torch.as_strided_copy(" + row + ", [], [], 0)");
    }
    return visit_dtype(one.dtype,
                       [&]<class T>(T) { return named(tensor_of(literal(loaded<T>(one.first())), one.dtype)); });
  }
  std::string converted(const std::string& text, Dtype dtype) {
    return named("torch.ops.aten._to_copy.default(" + text + ", dtype=" + dtype_named(dtype) + ")");
  }

  void print(int i) {
    const GraphCall& it = graph_.calls[static_cast<std::size_t>(i)];
    const Dtype dtype = it.call.operand[0].dtype;
    const bool with_inner = it.call.primitive == Primitive::softmax;
    Places places = places_of(it, 0, with_inner);
    std::string result = result_of(it, places);
    if (it.call.dtype != dtype && is_computed_with(it.call, 0)) result = converted(result, dtype);
    const std::int64_t elements = elements_of(i, dtype);
    const std::string name = "v" + std::to_string(i);
    dtypes_[i] = dtype;
    if (it.offsets[0] == 0 && places.is_row(elements)) return line(name, "torch.clone(" + result + ")");
    const std::string before =
        it.before == GraphCall::kNone ? named(zeros(elements, dtype)) : as_dtype(it.before, dtype);
    line(name, "torch.as_strided_scatter(" + before + ", " + result + ", " + list(places.sizes) + ", " +
                   list(places.steps) + ", " + std::to_string(offset_of(it, 0)) + ")");
  }

  /// What the call computes, with the sizes of `places`; of a product, these become those of a matrix.
  std::string result_of(const GraphCall& it, Places& places) {
    const PrimitiveCall& call = it.call;
    switch (call.primitive) {
      case Primitive::copy: {
        const std::string from = spread(operand(it, 1), it, 1, places);
        return call.operand[1].dtype == call.operand[0].dtype ? from : converted(from, call.operand[0].dtype);
      }
      case Primitive::move:
        return operand(it, 1);
      case Primitive::fill:
        return named("torch.full(" + list(places.sizes) + ", " + literal(call.number) +
                     ", dtype=" + dtype_named(call.operand[0].dtype) + ", device=device)");
      case Primitive::count:
        return counted_row(it);
      case Primitive::arithmetic:
        return arithmetic(it, places);
      case Primitive::unary: {
        constexpr std::array<std::string_view, 5> kNames{"neg", "relu", "exp", "tanh", "sqrt"};
        return spread(named("torch." + std::string(kNames.at(call.function)) + "(" + operand(it, 1) + ")"), it, 1,
                      places);
      }
      case Primitive::slope:
        return slope(it, places);
      case Primitive::compare: {
        constexpr std::array<std::string_view, 3> kNames{"gt", "ge", "eq"};
        return of_operands("torch." + std::string(kNames.at(call.function)), it, {1, 2}, places, "");
      }
      case Primitive::choose:
        return of_operands("torch.where", it, {1, 2, 3}, places, "");
      case Primitive::fill_where:
        return filled_where(it, places);
      case Primitive::sum:
      case Primitive::extreme:
      case Primitive::search:
      case Primitive::softmax:
        return reduced(it, places);
      case Primitive::gather:
        return gathered(it, places);
      case Primitive::multiply:
        return product(it, places);
      case Primitive::scatter_add:
      case Primitive::add_up:
      case Primitive::uniform:
        break;
    }
    raise_saying(ErrorClass::unclassified, "internal fault: a call that is unrolled, or done when it is made");
  }

  /// A text whose operand is repeated in some loops, with the sizes of all loops.
  std::string spread(const std::string& text, const GraphCall& it, std::size_t k, const Places& places) {
    return it.values[k] == GraphCall::kNone && !places.sizes.empty()
               ? named("torch.expand_copy(" + text + ", " + list(places.sizes) + ")")
               : text;
  }
  std::string of_operands(const std::string& op, const GraphCall& it, const std::vector<std::size_t>& operands,
                          const Places& places, const std::string& more) {
    std::string arguments;
    bool numbers = true;
    for (const std::size_t k : operands) {
      arguments += (arguments.empty() ? "" : ", ") + operand(it, k);
      numbers = numbers && it.values[k] == GraphCall::kNone;
    }
    const std::string result = named(op + "(" + arguments + more + ")");
    return numbers ? spread(result, it, operands.front(), places) : result;
  }
  std::string arithmetic(const GraphCall& it, const Places& places) {
    constexpr std::array<std::string_view, 5> kNames{"add", "sub", "mul", "div", "add"};
    const bool scaled = static_cast<Arithmetic>(it.call.function) == Arithmetic::add_scaled;
    return of_operands("torch." + std::string(kNames.at(it.call.function)), it, {1, 2}, places,
                       scaled ? ", alpha=" + literal(it.call.number) : "");
  }
  std::string slope(const GraphCall& it, const Places& places) {
    if (static_cast<Slope>(it.call.function) == Slope::tanh)
      return of_operands("torch.ops.aten.tanh_backward.default", it, {1, 2}, places, "");
    return of_operands("torch.ops.aten.threshold_backward.default", it, {2, 1}, places, ", " + literal(it.call.number));
  }
  std::string counted_row(const GraphCall& it) {
    const Scalar first = it.call.number;
    const std::int64_t count = it.call.outer.size();
    const Scalar end =
        first.is_real() ? Scalar(first.real() + static_cast<double>(count)) : Scalar(first.integer() + count);
    return named("torch.arange(" + literal(first) + ", " + literal(end) +
                 ", dtype=" + dtype_named(it.call.operand[0].dtype) + ", device=device)");
  }
  std::string filled_where(const GraphCall& it, const Places& places) {
    GraphCall old = it;
    old.values[1] = it.before;
    old.offsets[1] = it.offsets[0];
    old.call.operand[1] = it.call.operand[0];
    const std::string mask = operand(it, 1);
    const std::string before = it.before == GraphCall::kNone
                                   ? named("torch.zeros(" + list(places.sizes) +
                                           ", dtype=" + dtype_named(it.call.operand[0].dtype) + ", device=device)")
                                   : operand(old, 1, places);
    return named("torch.masked_fill(" + before + ", " + mask + ", " + literal(it.call.number) + ")");
  }

  /// Operand 1 with what is reduced, or a row, in its last dimension.
  std::string rows(const GraphCall& it) {
    const Places places = places_of(it, 1, true);
    std::vector<std::int64_t> sizes = places_of(it, 1, false).sizes;
    sizes.push_back(it.call.inner.size());
    return named("torch.view_copy(" + operand(it, 1, places) + ", " + list(sizes) + ")");
  }
  std::string reduced(const GraphCall& it, const Places& places) {
    const std::string from = rows(it);
    const bool chosen = it.call.function != 0;
    const std::string dtype = ", dtype=" + dtype_named(it.call.operand[0].dtype) + ")";
    switch (it.call.primitive) {
      case Primitive::sum:
        return named((chosen ? "torch.mean(" : "torch.sum(") + from + ", [-1]" + dtype);
      case Primitive::softmax:
        return named("torch.view_copy(" + named("torch.softmax(" + from + ", -1)") + ", " + list(places.sizes) + ")");
      case Primitive::extreme: {
        const std::string least = "t" + std::to_string(++temporaries_);
        const std::string most = "t" + std::to_string(++temporaries_);
        line(least + ", " + most, "torch.aminmax(" + from + ", dim=-1)");
        return chosen ? most : least;
      }
      default: {
        const std::string values = "t" + std::to_string(++temporaries_);
        const std::string indices = "t" + std::to_string(++temporaries_);
        line(values + ", " + indices, "torch.max(" + from + ", -1)");
        return indices;
      }
    }
  }
  std::string gathered(const GraphCall& it, const Places& places) {
    Places index = places_of(it, 1, false);
    index.add(1, 1);
    Places self = places_of(it, 2, false);
    const CallAxis dim = it.call.inner.innermost();
    self.add(dim.size, dim.steps[2]);
    const std::string found = named("torch.gather(" + operand(it, 2, self) + ", -1, " + operand(it, 1, index) + ")");
    return named("torch.view_copy(" + found + ", " + list(places.sizes) + ")");
  }

  /// Rows and columns of operand k of a product.
  static Places matrix(const GraphCall& it, std::size_t k) {
    const auto outer = it.call.outer.levels();
    const auto [rows, columns, inner] = it.call.matrix;
    const std::int64_t row = rows == 1 ? 1 : outer[0].steps[k];
    const std::int64_t column = columns == 1 ? 1 : outer[rows == 1 ? 0 : 1].steps[k];
    const std::int64_t added = inner == 1 ? 1 : it.call.inner.levels()[0].steps[k];
    Places places;
    places.add(k == 2 ? inner : rows, k == 2 ? added : row);
    places.add(k == 1 ? inner : columns, k == 1 ? added : column);
    return places;
  }
  std::string product(const GraphCall& it, Places& places) {
    if (it.call.dtype == Dtype::boolean) return product_of_bools(it, places);
    const std::string left = operand(it, 1, matrix(it, 1));
    const std::string right = operand(it, 2, matrix(it, 2));
    places = matrix(it, 0);
    if (it.call.operands > 3)
      return named("torch.addmm(" + operand(it, 3, matrix(it, 3)) + ", " + left + ", " + right +
                   ", beta=" + literal(it.call.added) + ", alpha=" + literal(it.call.number) + ")");
    const std::string result = named("torch.mm(" + left + ", " + right + ")");
    const bool scaled = it.call.number.real() != 1;
    return scaled ? named("torch.mul(" + result + ", " + literal(it.call.number) + ")") : result;
  }

  /// Kernels refuse bools, except where there is nothing to multiply: only what is added is left.
  std::string product_of_bools(const GraphCall& it, Places& places) {
    places = matrix(it, 0);
    if (it.call.operands > 3 && it.call.added.truth()) return operand(it, 3, matrix(it, 3));
    return named("torch.full(" + list(places.sizes) + ", False, dtype=torch.bool, device=device)");
  }

  const Graph& graph_;
  std::span<const std::byte* const> leaves_;
  std::string text_;
  std::map<int, Dtype> dtypes_;  ///< of the values that were printed
  int temporaries_ = 0;
};

}  // namespace

std::string program_of(const Graph& graph, std::span<const std::byte* const> leaves, const Shown& shown) {
  return Printer(graph, leaves).program(shown);
}

}  // namespace plumbline::optimized::lazy
