// Lowering `torch.tensor`: the values, sizes and dtype of a nested list; and the factories of meta tensors.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {

bool makes_meta_tensor(std::string_view function, const Invocation& call) {
  constexpr std::array<std::string_view, 3> kFactories{"torch.empty", "torch.zeros", "torch.ones"};
  const auto is_meta = [](const Keyword& given) {
    const std::string* device = string_in(given.value);
    return given.name == "device" && device != nullptr && *device == "meta";
  };
  return std::ranges::find(kFactories, function) != kFactories.end() && std::ranges::any_of(call.keywords, is_meta);
}

std::optional<NestedList> flatten(const Expression& expression) {
  const auto* list = std::get_if<List>(&expression.node);
  const auto* tuple = std::get_if<Tuple>(&expression.node);
  if (list == nullptr && tuple == nullptr) return NestedList{{}, {expression}};
  const Expressions& items = list != nullptr ? list->items : tuple->items;
  NestedList all{{static_cast<std::int64_t>(items.size())}, {}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto row = flatten(items[i]);
    if (!row) return std::nullopt;
    if (i == 0) all.sizes.insert(all.sizes.end(), row->sizes.begin(), row->sizes.end());
    if (!std::equal(row->sizes.begin(), row->sizes.end(), all.sizes.begin() + 1, all.sizes.end())) return std::nullopt;
    all.numbers.insert(all.numbers.end(), row->numbers.begin(), row->numbers.end());
  }
  return all;
}

/// A number as `torch.tensor` puts it into a tensor of this dtype.
double Lowerer::element(double value, Dtype dtype, Place place) const {
  if (is_inexact(dtype)) return value;
  if (dtype == Dtype::boolean) return value != 0 ? 1 : 0;
  if (!std::isfinite(value))
    fail(place, fmt::format("an {} tensor cannot hold inf or nan", name_of(dtype)), "Write ints, or another dtype");
  if (dtype == Dtype::int64) return std::trunc(value);
  const IntegerRange range = range_of(dtype);
  const bool wraps = dtype == Dtype::uint8 && std::trunc(value) == value;  // a negative integer, as in PyTorch
  if (value > static_cast<double>(range.greatest) || value < static_cast<double>(wraps ? -range.greatest : range.least))
    fail(place, fmt::format("{} is beyond the range of {}", value, name_of(dtype)),
         "Write a smaller number, or another dtype");
  return wraps && value < 0 ? value + 256 : std::trunc(value);
}

void Lowerer::keep_real_parts(MakeTensor& made, const NestedList& nested) const {
  for (const Expression& number : nested.numbers)
    if (std::holds_alternative<ComplexNumber>(number.node))
      fail(start_of(number), fmt::format("found {} in a tensor of {}", print(number), name_of(made.dtype)),
           "Write torch.complex64 or torch.complex128");
  for (std::size_t i = 0; 2 * i < made.values.size(); ++i) made.values[i] = made.values[2 * i];
  made.values.resize(made.values.size() / 2);
}

void Lowerer::make_tensor(const Invocation& call, Place place, const Targets& targets) {
  if (call.positional.size() != 1)
    fail(place, fmt::format("torch.tensor takes one value or list, {} are given", call.positional.size()),
         "Write torch.tensor([1.0, 2.0])");
  if (targets.unpack || targets.names.empty())
    fail(place, "the tensor is not assigned to a name", "Write `x = torch.tensor(…)`");
  const auto nested = flatten(literal(call.positional[0]));
  if (!nested)
    fail(start_of(call.positional[0]), "the rows of the list differ in length or depth",
         "Give each row as many elements as the first");
  MakeTensor made{{}, Dtype::boolean, nested->sizes, {}, false};  // the elements promote the dtype
  if (nested->numbers.empty()) made.dtype = Dtype::float32;
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  for (const Expression& number : nested->numbers) {
    const auto* truth = std::get_if<bool>(&number.node);
    const auto* integer = std::get_if<std::int64_t>(&number.node);
    const auto* real = std::get_if<double>(&number.node);
    if (const auto* complex = std::get_if<ComplexNumber>(&number.node)) {
      made.dtype = Dtype::complex64;
      made.values.insert(made.values.end(), {complex->real, complex->imag});
      continue;
    }
    if (truth == nullptr && integer == nullptr && real == nullptr)
      fail(start_of(number), fmt::format("found {} in torch.tensor, expected a number", print(number)),
           "Write numbers, or True and False");
    if (integer != nullptr && (*integer > kExact || *integer < -kExact))
      fail(start_of(number), fmt::format("{} is beyond 2^53", *integer), "Write a smaller number");
    if (real != nullptr && !is_complex(made.dtype)) made.dtype = Dtype::float32;
    if (integer != nullptr && made.dtype == Dtype::boolean) made.dtype = Dtype::int64;
    made.values.push_back(truth != nullptr     ? static_cast<double>(*truth)
                          : integer != nullptr ? static_cast<double>(*integer)
                                               : *real);
    made.values.push_back(0);  // its imaginary part, if the dtype is complex
  }
  for (const auto& [name, value] : call.keywords) {
    const Actual actual = evaluate(value);
    const auto* given = std::get_if<Value>(&actual.value);
    const bool is_none = given != nullptr && std::holds_alternative<None>(*given);
    if (name == "dtype" && given != nullptr && std::holds_alternative<Dtype>(*given)) {
      made.dtype = std::get<Dtype>(*given);
    } else if (name == "requires_grad") {
      made.requires_grad = truth(value, "requires_grad");
    } else if (name == "device" && given != nullptr && std::holds_alternative<std::string>(*given)) {
      const std::string& device = std::get<std::string>(*given);
      made.on_cpu = device == kCpu;
      if (!made.on_cpu && device != kTestDevice)
        fail(start_of(value), fmt::format("found {} as a device", print(value)),
             "Write device=device or device=\"cpu\"");
    } else if (!(name == "dtype" && is_none) && !(name == "device" && (given == nullptr || is_none))) {
      fail(start_of(value), fmt::format("torch.tensor is given {}={}", name, print(value)),
           "It takes dtype=, device=device and requires_grad=");
    }
  }
  need_device("torch.tensor",
              std::ranges::any_of(call.keywords, [](const Keyword& one) { return one.name == "device"; }), place);
  if (!is_complex(made.dtype)) keep_real_parts(made, *nested);
  for (double& value : made.values) value = element(value, made.dtype, place);
  made.result = scope_.assign(*targets.frame, targets.names[0]);
  scope_.holds_new_object(made.result);
  emit(std::move(made), targets.line);
}

/// `x = torch.empty([2], dtype=torch.int64, device="meta")`, or another factory: nothing observes the elements.
void Lowerer::make_meta_tensor(const Invocation& call, Place place, const Targets& targets) {
  constexpr std::string_view kForm = "Write `x = torch.empty([2], dtype=torch.float32, device=\"meta\")`";
  if (!contexts_.empty() || in_kernel_ || in_backward_ || transforming_)
    fail(place, "a meta tensor is made in a kernel, a method, a hook or the body of a transform",
         "Make it in the test");
  if (targets.unpack || targets.names.size() != 1)
    fail(place, "the tensor is not assigned to a name", std::string(kForm));
  MakeMetaTensor made{{}, Dtype::float32, {}};
  for (const auto& [name, value] : call.keywords) {
    if (name == "device") continue;
    const auto type = name == "dtype" ? dtype(value) : std::nullopt;
    if (!type)
      fail(start_of(value), fmt::format("a meta tensor is given {}={}", name, print(value)), std::string(kForm));
    made.dtype = *type;
  }
  if (call.positional.empty()) fail(place, "the meta tensor has no sizes", std::string(kForm));
  const Expression first = literal(call.positional[0]);
  const auto* list = std::get_if<List>(&first.node);
  const auto* tuple = std::get_if<Tuple>(&first.node);
  const bool one = call.positional.size() == 1;
  made.sizes = integers(one && list != nullptr    ? list->items
                        : one && tuple != nullptr ? tuple->items
                                                  : call.positional);
  for (const std::int64_t size : made.sizes)
    if (size < 0) fail(start_of(call.positional[0]), fmt::format("a size is {}", size), "Sizes are 0 or more");
  made.result = scope_.assign(*targets.frame, targets.names[0]);
  scope_.holds_new_meta_tensor(made.result);
  emit(std::move(made), targets.line);
}

void Lowerer::need_memory(Slot slot, Place place) const {
  if (scope_.holds_meta_tensor(slot))
    fail(place, fmt::format("'{}' is a meta tensor", scope_.slot_names()[static_cast<std::size_t>(slot)]),
         "Only the program's own operators take a meta tensor, as in `torch.ops.mine.f(x)`");
}

}  // namespace plumbline::program
