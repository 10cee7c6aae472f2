// Lowering `torch.library`: the program's own operators, their kernels, and calls of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kPacketOf = "torch.ops.";
constexpr std::string_view kFallthrough = "torch.library.fallthrough_kernel";

const std::string* text_of(const Expression& expression) { return std::get_if<std::string>(&expression.node); }

}  // namespace

/// `lib = torch.library.Library("mine", "FRAGMENT")`.
void Lowerer::make_library(const Invocation& call, Place place, const Targets& targets) {
  constexpr std::string_view kForm = "Write `lib = torch.library.Library(\"mine\", \"FRAGMENT\")`";
  const bool two = call.positional.size() == 2 && call.keywords.empty();
  const std::string* space = two ? text_of(call.positional[0]) : nullptr;
  const std::string* kind = two ? text_of(call.positional[1]) : nullptr;
  if (space == nullptr || kind == nullptr || (*kind != "FRAGMENT" && *kind != "DEF"))
    fail(place, "torch.library.Library does not take these arguments", std::string(kForm));
  if (*space == "aten" || *space == "_")
    fail(start_of(call.positional[0]), fmt::format("the namespace is \"{}\"", *space),
         "A program defines operators in a namespace of its own");
  if (targets.unpack || targets.names.size() != 1)
    fail(place, "the library is not assigned to a name", std::string(kForm));
  bind(targets, CustomLibrary{*space}, place);
}

/// `lib.define(…)` and `lib.impl(…)`.
void Lowerer::library_call(const CustomLibrary& library, const Expression& callee, const Invocation& call,
                           const Targets& targets) {
  const std::string& name = std::get<Attribute>(callee.node).name;
  if (name != "define" && name != "impl")
    fail(callee.place, fmt::format("a library has no '{}' in programs with tensors", name),
         "It has lib.define(\"f(Tensor x) -> Tensor\") and lib.impl(\"f\", kernel, \"CPU\")");
  if (!targets.names.empty())
    fail(callee.place, fmt::format("what lib.{} returns is assigned to a name", name), "Write the call alone");
  if (in_kernel_ || in_backward_ || functionalizing_ || !contexts_.empty())
    fail(callee.place, fmt::format("lib.{} is called in a kernel, a method or a functionalized body", name),
         "Define operators in the test itself");
  name == "define" ? define_operator(library, call, callee.place) : implement(library, call, callee.place);
}

void Lowerer::define_operator(const CustomLibrary& library, const Invocation& call, Place place) {
  const bool one = call.positional.size() == 1 && call.keywords.empty();
  const std::string* text = one ? text_of(call.positional[0]) : nullptr;
  auto made = text == nullptr ? std::nullopt : schema_of(*text);
  if (!made)
    fail(place, "lib.define is given a schema that programs do not have",
         "Arguments and returns are Tensor, Tensor(a) or Tensor(a!), as in "
         "`lib.define(\"add_one_(Tensor(a!) x) -> Tensor(a!)\")`");
  made->name = library.space + "::" + made->name;
  if (std::ranges::find(test_.script.operators, made->name, &CustomOperator::name) != test_.script.operators.end())
    fail(place, fmt::format("the operator {} is defined twice", made->name), "Define it once");
  test_.script.operators.push_back(std::move(*made));
}

std::size_t Lowerer::operator_named(const std::string& name, Place place) const {
  const std::vector<CustomOperator>& all = test_.script.operators;
  const auto found = std::ranges::find(all, name, &CustomOperator::name);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::vector<std::string> known;
  for (const CustomOperator& op : all) known.push_back(op.name);
  fail(place, fmt::format("there is no operator {} here", name),
       did_you_mean(name, known, "Define it first: `lib.define(\"f(Tensor x) -> Tensor\")`"));
}

/// `lib.impl("f", kernel, "CPU")`.
void Lowerer::implement(const CustomLibrary& library, const Invocation& call, Place place) {
  const bool three = call.positional.size() == 3 && call.keywords.empty();
  const std::string* name = three ? text_of(call.positional[0]) : nullptr;
  const std::string* key = three ? text_of(call.positional[2]) : nullptr;
  if (name == nullptr || key == nullptr)
    fail(place, "lib.impl does not take these arguments", "Write `lib.impl(\"f\", kernel, \"CPU\")`");
  if (std::ranges::find(kKernelKeys, *key) == kKernelKeys.end())
    fail(start_of(call.positional[2]), fmt::format("a kernel is registered for the key {}", *key),
         fmt::format("The keys of kernels in programs are {}", fmt::join(kKernelKeys, ", ")));
  const std::size_t number = operator_named(library.space + "::" + *name, place);
  if (invoked_.contains(number))
    fail(place, fmt::format("{} gets a kernel after a call of it", test_.script.operators[number].name),
         "Register every kernel before the first call");
  CustomKernel kernel;
  if (dotted_name(call.positional[1]) == kFallthrough) {
    kernel.falls_through = true;
  } else {
    const NestedFunction function = named_function(call.positional[1]);
    if (function.function == nullptr)
      fail(start_of(call.positional[1]), fmt::format("'{}' is not a function of this file", print(call.positional[1])),
           "Define the kernel with `def`, and write only its name");
    kernel = kernel_of(test_.script.operators[number], *function.function, function.home != nullptr, place);
  }
  kernel.key = *key;
  test_.script.operators[number].kernels.push_back(std::move(kernel));
}

/// `nested`: it is defined in the test, so that it sees `device`. It sees no other name of the test.
CustomKernel Lowerer::kernel_of(const CustomOperator& op, const Function& function, bool nested, Place place) {
  if (function.parameters.size() != op.arguments.size())
    fail(function.place,
         fmt::format("the kernel {} takes {} arguments, but {} has {}", function.name, function.parameters.size(),
                     op.name, op.arguments.size()),
         fmt::format("The schema is {}", schema_text(op)));
  CustomKernel kernel;
  Frame frame{function.name, nested ? "" : function.name + "_", {}};
  if (nested)
    if (const Binding* device = find("device"); device != nullptr) frame.names.emplace("device", *device);
  for (const std::string& parameter : function.parameters) {
    kernel.parameters.push_back(scope_.fresh(frame.prefix + parameter));
    scope_.holds_some_object(kernel.parameters.back());
    frame.names.insert_or_assign(parameter, kernel.parameters.back());
  }
  std::vector<Statement>* const around = std::exchange(into_, &kernel.statements);
  in_kernel_ = true;
  const Returned returned = returned_by(function, std::move(frame), place);
  in_kernel_ = false;
  into_ = around;
  for (const auto& [value, at] : returned.values) {
    if (!value) fail(at, fmt::format("the kernel {} returns None", function.name), "A kernel returns tensors");
    kernel.returned.push_back(*value);
  }
  if (kernel.returned.size() != op.returns.size())
    fail(function.place,
         fmt::format("the kernel {} returns {} tensors, but {} returns {}", function.name, kernel.returned.size(),
                     op.name, op.returns.size()),
         fmt::format("The schema is {}", schema_text(op)));
  return kernel;
}

/// `y = torch.ops.mine.f(x)`, also with `.default`.
void Lowerer::invoke(const std::string& callee, const Invocation& call, Place place, const Targets& targets) {
  std::string name = callee.substr(kPacketOf.size());
  if (name.ends_with(".default")) name.resize(name.size() - std::string_view(".default").size());
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || name.find('.', dot + 1) != std::string::npos) unknown_call(*call.callee);
  const std::size_t number = operator_named(name.substr(0, dot) + "::" + name.substr(dot + 1), place);
  const CustomOperator& op = test_.script.operators[number];
  if (!call.keywords.empty() || call.positional.size() != op.arguments.size())
    fail(place, fmt::format("{} is not given {} tensors", op.name, op.arguments.size()),
         fmt::format("The schema is {}", schema_text(op)));
  Invoke made{static_cast<std::int32_t>(number), {}, {}};
  for (const Expression& argument : call.positional) made.inputs.push_back(tensor(argument));
  const std::size_t returns = op.returns.size(), names = targets.names.size();
  if (names != 0 && (targets.unpack != (returns > 1) || names != returns))
    fail(targets.place,
         fmt::format("{} returns {} tensors, but {} {} assigned", op.name, returns, names,
                     names == 1 ? "name is" : "names are"),
         fmt::format("The schema is {}", schema_text(op)));
  for (std::size_t i = 0; i < returns; ++i) {
    made.results.push_back(result_slot(targets, i));
    scope_.holds_some_object(made.results.back());
  }
  invoked_.insert(number);
  emit(std::move(made), targets.line);
}

}  // namespace plumbline::program
