// Lowering the program's own operators: their schemas and their kernels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"
#include "spec/vocabulary/kernel_fits.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kFallthrough = "torch.library.fallthrough_kernel";

using Kind = SchemaValue::Kind;

std::vector<Kind> kinds_of(const std::vector<SchemaValue>& arguments) {
  std::vector<Kind> kinds;
  for (const SchemaValue& argument : arguments) kinds.push_back(argument.kind);
  return kinds;
}

/// What a kernel's parameters are for these arguments: a tensor that may be missing is used as a tensor.
std::vector<Kind> kinds_in_kernel(const std::vector<SchemaValue>& arguments) {
  std::vector<Kind> kinds = kinds_of(arguments);
  std::ranges::replace(kinds, Kind::optional, Kind::tensor);
  return kinds;
}

/// "Tensor, int".
std::string texts_of(const std::vector<Kind>& kinds) {
  std::vector<std::string_view> texts;
  for (const Kind kind : kinds) texts.push_back(kSchemaKindTexts[static_cast<std::size_t>(kind)]);
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// What a kernel's parameter stands for.
Binding parameter_of(Kind kind, Slot slot) {
  if (is_number(kind)) return KernelNumber{slot, kind};
  if (kind == Kind::list) return KernelList{};
  return slot;
}

}  // namespace

void Lowerer::define_operator(const std::shared_ptr<CustomLibrary>& library, const std::string& space,
                              const std::optional<std::string>& schema, std::string_view form, Place place) {
  auto made = schema ? schema_of(*schema) : std::nullopt;
  if (!made)
    fail(place, fmt::format("{} is given a schema that programs do not have", form.substr(0, form.find('('))),
         fmt::format("An argument is one of {}, without a default, and a return is Tensor; Tensor may be Tensor(a) or "
                     "Tensor(a!), as in `{}`",
                     fmt::join(kSchemaKindTexts, ", "), form));
  need_own_namespace(space, place);
  if (leaves_out(space)) return;
  made->name = space + "::" + made->name;
  std::vector<CustomOperator>& all = test_.script.operators;
  const auto found = std::ranges::find(all, made->name, &CustomOperator::name);
  const auto number = static_cast<std::int32_t>(found - all.begin());
  const bool is_new = found == all.end() || undefined_.erase(number) > 0;
  if (!is_new && (found->arguments != made->arguments || found->returns != made->returns))
    fail(place, fmt::format("{} is defined with another schema above", made->name), "Give this operator another name");
  if (found == all.end())
    all.push_back(std::move(*made));
  else
    *found = std::move(*made);
  for (const Fitting& kernel : early_) {
    if (!is_new || kernel.op != number) continue;
    need_parameters(kernel);
    need_kinds(kernel, true);
    need_passed(kernel);
    need_returns(kernel);
  }
  const std::string into = library_for(library, space, place);
  emit(DefineOperator{into, number}, place.line);
}

std::string Lowerer::library_for(const std::shared_ptr<CustomLibrary>& library, const std::string& space, Place place) {
  if (library != nullptr) return library->name;
  const auto [own, is_new] = own_.try_emplace(space);
  if (!is_new) return own->second;
  std::set<std::string> taken = names_in(program_);
  taken.insert(libraries_.begin(), libraries_.end());
  const std::string wanted = is_python_name(space) ? space : "lib";
  own->second = wanted;
  for (int n = 2; taken.contains(own->second); ++n) own->second = fmt::format("{}_{}", wanted, n);
  libraries_.insert(own->second);
  emit(MakeLibrary{own->second, space, MakeLibrary::Kind::FRAGMENT}, place.line);
  return own->second;
}

std::int32_t Lowerer::operator_named(const std::string& name, Place place) const {
  const std::vector<CustomOperator>& all = test_.script.operators;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto number = static_cast<std::int32_t>(i);
    if (undefined_.contains(number)) continue;
    if (all[i].name == name) return number;
    known.push_back(all[i].name);
  }
  fail(place, fmt::format("there is no operator {} here", name),
       did_you_mean(name, known, "Define it first: `lib.define(\"f(Tensor x) -> Tensor\")`"));
}

std::int32_t Lowerer::registered_operator(const std::string& name, Place place) {
  need_own_namespace(space_of(name), place);
  if (!is_python_name(own_name(name)))
    fail(place, fmt::format("'{}' is not the name of an operator", own_name(name)), "Write a name such as \"f\"");
  std::vector<CustomOperator>& all = test_.script.operators;
  const auto found = std::ranges::find(all, name, &CustomOperator::name);
  const auto number = static_cast<std::int32_t>(found - all.begin());
  if (found != all.end()) return number;
  all.push_back({name, {}, {}});
  undefined_.insert(number);
  return number;
}

void Lowerer::implement(const Registered& wanted) {
  if (leaves_out(wanted.space)) return;
  const Expression& kernel = *wanted.kernel;
  if (dotted_name(kernel) == kFallthrough) return add_kernels(wanted, {});
  const NestedFunction function = named_function(kernel);
  if (function.function == nullptr)
    fail(start_of(kernel), fmt::format("'{}' is not a function of this file", print(kernel)),
         "Define the kernel with `def`, and write only its name");
  if (function.home == nullptr && function.function >= program_.functions.data() + functions_above_)
    fail(start_of(kernel), fmt::format("the function '{}' is defined below this line", print(kernel)),
         "Python reads a file from top to bottom: move the function up");
  add_kernels(wanted, function);
}

void Lowerer::add_kernels(const Registered& wanted, const NestedFunction& function) {
  std::optional<std::int32_t> op, kernel;
  if (!wanted.is_fallback) op = registered_operator(wanted.name, wanted.place);
  if (function.function != nullptr) kernel = kernel_of(op, function, wanted);
  const std::string library = library_for(wanted.library, wanted.space, wanted.place);
  for (const std::string& key : wanted.keys)
    emit(op ? StatementKind(AddKernel{library, *op, key, kernel}) : AddFallback{library, key, kernel},
         wanted.place.line);
}

/// A function is the same kernel each time, because it sees no name of the test but `device` and the log.
std::int32_t Lowerer::kernel_of(std::optional<std::int32_t> op, const NestedFunction& nested,
                                const Registered& wanted) {
  const Function& function = *nested.function;
  const auto known = fallbacks_.try_emplace(&function, wanted.is_fallback).first;
  if (known->second != wanted.is_fallback)
    fail(wanted.place, fmt::format("the function {} is a kernel of an operator and a fallback", function.name),
         "Write two functions: only a fallback has `op` before `*args`");
  if (wanted.is_fallback || takes_any_arguments(function)) need_starred(function, wanted);
  std::vector<CustomKernel>& all = test_.script.kernels;
  const auto next = static_cast<std::int32_t>(all.size());
  Fitting made{op.value_or(0), &function, wanted.with_keyset, next};
  const bool early = op && undefined_.contains(*op);
  if (op && !early) need_parameters(made);
  const auto [found, is_new] = kernels_.try_emplace(std::pair(&function, wanted.with_keyset), next);
  made.kernel = found->second;
  if (is_new) {
    const CustomOperator of = op ? test_.script.operators[static_cast<std::size_t>(*op)] : CustomOperator{};
    CustomKernel& kernel = all.emplace_back(lowered_kernel(nested, wanted, of.arguments));
    const std::vector<Kind>& kinds = parameter_kinds_.back();
    const auto first = std::ranges::find(kinds, Kind::tensor);
    // It never returns; so that the numbers fit, it returns its first tensor.
    if (ends_by_raising(function.body) && first != kinds.end())
      kernel.returned.assign(of.returns.size(), kernel.parameters[static_cast<std::size_t>(first - kinds.begin())]);
  }
  if (early) early_.push_back(made);
  if (op && !early) {
    need_kinds(made, false);
    need_passed(made);
    need_returns(made);
  }
  return made.kernel;
}

void Lowerer::need_parameters(const Fitting& wanted) const {
  const Function& function = *wanted.function;
  const CustomOperator& op = test_.script.operators[static_cast<std::size_t>(wanted.op)];
  const std::size_t keys = wanted.with_keyset ? 1 : 0;
  if (!takes_any_arguments(function) && function.parameters.size() != op.arguments.size() + keys)
    fail(function.place,
         fmt::format("the kernel {} takes {} arguments, but {} has {}{}", function.name, function.parameters.size(),
                     op.name, op.arguments.size(), keys == 1 ? ", and its key set comes before them" : ""),
         fmt::format("The schema is {}", schema_text(op)));
}

void Lowerer::need_kinds(const Fitting& wanted, bool early) const {
  const CustomOperator& op = test_.script.operators[static_cast<std::size_t>(wanted.op)];
  const std::vector<Kind>& lowered = parameter_kinds_[static_cast<std::size_t>(wanted.kernel)];
  if (takes_any_arguments(*wanted.function) || lowered == kinds_in_kernel(op.arguments)) return;
  if (early)
    fail(wanted.function->place,
         fmt::format("the kernel {} is registered before {} is defined, so its parameters are tensors",
                     wanted.function->name, op.name),
         fmt::format("Define the operator first. The schema is {}", schema_text(op)));
  fail(wanted.function->place,
       fmt::format("the kernel {} takes ({}), as the operator says for which it is registered first, but {} takes ({})",
                   wanted.function->name, texts_of(lowered), op.name, texts_of(kinds_in_kernel(op.arguments))),
       fmt::format("Write another function for this operator. The schema is {}", schema_text(op)));
}

void Lowerer::need_passed(const Fitting& wanted) const {
  const CustomOperator& op = test_.script.operators[static_cast<std::size_t>(wanted.op)];
  for (const CustomOperator* called : operators_given_all(wanted.kernel)) {
    const std::string problem =
        fmt::format("the kernel {} passes its arguments on to {}, which takes ", wanted.function->name, called->name);
    const std::string advice = fmt::format("The schema is {}", schema_text(op));
    if (called->arguments.size() != op.arguments.size())
      fail(wanted.function->place,
           fmt::format("{}{}, but {} has {}", problem, called->arguments.size(), op.name, op.arguments.size()), advice);
    if (kinds_of(called->arguments) != kinds_of(op.arguments))
      fail(wanted.function->place,
           fmt::format("{}({}), but {} takes ({})", problem, texts_of(kinds_of(called->arguments)), op.name,
                       texts_of(kinds_of(op.arguments))),
           advice);
  }
}

std::vector<const CustomOperator*> Lowerer::operators_given_all(std::int32_t kernel) const {
  std::vector<const CustomOperator*> called;
  for (const Statement& statement : test_.script.kernels[static_cast<std::size_t>(kernel)].statements)
    if (const auto* invoke = std::get_if<Invoke>(&statement.kind); invoke != nullptr && invoke->passes_arguments)
      called.push_back(&test_.script.operators[static_cast<std::size_t>(invoke->op)]);
  return called;
}

void Lowerer::need_returns(const Fitting& wanted) const {
  const CustomKernel& kernel = test_.script.kernels[static_cast<std::size_t>(wanted.kernel)];
  const CustomOperator& op = test_.script.operators[static_cast<std::size_t>(wanted.op)];
  std::size_t returned = kernel.returned.size();
  if (kernel.returns_passed) returned = operators_given_all(wanted.kernel).back()->returns.size();
  if (!ends_by_raising(wanted.function->body) && returned != op.returns.size())
    fail(wanted.function->place,
         fmt::format("the kernel {} returns {} tensors, but {} returns {}", wanted.function->name, returned, op.name,
                     op.returns.size()),
         fmt::format("The schema is {}", schema_text(op)));
}

void Lowerer::check_fallbacks() const {
  const Script& script = test_.script;
  for (const Statement& statement : script.statements) {
    const auto* add = std::get_if<AddFallback>(&statement.kind);
    if (add == nullptr || !add->kernel) continue;
    const CustomKernel& kernel = script.kernels[static_cast<std::size_t>(*add->kernel)];
    for (std::size_t i = 0; i < script.operators.size(); ++i) {
      const CustomOperator& op = script.operators[i];
      if (undefined_.contains(static_cast<std::int32_t>(i)) || misfit(kernel, op, script.operators).empty()) continue;
      fail({statement.line, 1}, fmt::format("the fallback {} does not fit the operator {}", kernel.name, op.name),
           fmt::format(
               "A fallback may run for every operator of the test: `return op(*args)` fits all. The schema is {}",
               schema_text(op)));
    }
  }
}

void Lowerer::need_starred(const Function& function, const Registered& wanted) const {
  const std::size_t before = (wanted.with_keyset ? 1 : 0) + (wanted.is_fallback ? 1 : 0);
  if (takes_any_arguments(function) && function.parameters.size() == before + 1) return;
  fail(
      function.place,
      fmt::format("the {} {} has the parameters ({})", wanted.is_fallback ? "fallback" : "kernel", function.name,
                  fmt::join(function.parameters, ", ")),
      fmt::format("Write `def {}({}{}*args):`; only a kernel that is registered with_keyset=True gets `ks`, and only a "
                  "fallback gets `op`",
                  function.name, wanted.with_keyset ? "ks, " : "", wanted.is_fallback ? "op, " : ""));
}

CustomKernel Lowerer::lowered_kernel(const NestedFunction& nested, const Registered& wanted,
                                     const std::vector<SchemaValue>& arguments) {
  const Function& function = *nested.function;
  const bool of_test = nested.home != nullptr;
  CustomKernel kernel{.name = function.name};
  kernel.with_keyset = wanted.with_keyset;
  kernel.any_arguments = takes_any_arguments(function);
  Frame frame{function.name, of_test ? "" : function.name + "_", {}};
  const Binding* device = of_test ? find("device") : nullptr;
  if (device != nullptr && std::holds_alternative<DeviceParameter>(*device)) frame.names.emplace("device", *device);
  for (const Frame* around = nested.home; around != nullptr; around = around->enclosing)
    for (const auto& [name, binding] : around->names)
      if (std::holds_alternative<EmptyList>(binding)) frame.names.emplace(name, binding);
  std::vector<Kind> kinds;
  if (!kernel.any_arguments) kinds = kinds_in_kernel(arguments);
  std::size_t next = 0;
  if (kernel.with_keyset) frame.names.insert_or_assign(function.parameters[next++], KernelKeys{});
  if (wanted.is_fallback) frame.names.insert_or_assign(function.parameters[next++], CalledOperator{});
  for (; next < function.parameters.size(); ++next) {
    const std::string& parameter = function.parameters[next];
    if (parameter.starts_with('*')) {
      frame.names.insert_or_assign(parameter.substr(1), KernelArguments{});
      continue;
    }
    const Slot slot = scope_.fresh(frame.prefix + parameter);
    scope_.holds_some_object(slot);
    if (kernel.parameters.size() == kinds.size()) kinds.push_back(Kind::tensor);  // no schema says more
    frame.names.insert_or_assign(parameter, parameter_of(kinds[kernel.parameters.size()], slot));
    kernel.parameters.push_back(slot);
  }
  parameter_kinds_.push_back(std::move(kinds));
  std::vector<Statement>* const around = std::exchange(into_, &kernel.statements);
  in_kernel_ = true;
  const Returned returned = returned_by(function, std::move(frame), wanted.place);
  in_kernel_ = false;
  into_ = around;
  kernel.returns_passed = returned.passed;
  for (const auto& [value, at] : returned.values) {
    if (!value) fail(at, fmt::format("the kernel {} returns None", function.name), "A kernel returns tensors");
    kernel.returned.push_back(*value);
  }
  return kernel;
}

void Lowerer::refuse_parameter(const Binding& binding, const Expression& name) const {
  if (std::holds_alternative<KernelNumber>(binding))
    fail(start_of(name), fmt::format("'{}' is a number that the kernel is given", print(name)),
         "It stands only as an argument of an op or an operator, as in `torch.mul(x, n)`");
  if (std::holds_alternative<KernelList>(binding))
    fail(start_of(name), fmt::format("'{}' is a list of tensors that the kernel is given", print(name)),
         "Pass the list on with `*args`: define the kernel as `def k(*args):`, and write `torch.ops.mine.f(*args)`");
}

bool takes_any_arguments(const Function& function) {
  return !function.parameters.empty() && function.parameters.back().starts_with('*');
}

}  // namespace plumbline::program
