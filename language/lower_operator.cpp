// Lowering the program's own operators: their schemas, their kernels, and calls of them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "language/guards.h"
#include "language/key_steps.h"
#include "language/lowerer.h"
#include "language/print.h"
#include "language/refusal.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kPacketOf = "torch.ops.";
constexpr std::string_view kFallthrough = "torch.library.fallthrough_kernel";

}  // namespace

void Lowerer::define_operator(const std::shared_ptr<CustomLibrary>& library, const std::string& space,
                              const std::optional<std::string>& schema, std::string_view form, Place place) {
  auto made = schema ? schema_of(*schema) : std::nullopt;
  if (!made)
    fail(place, fmt::format("{} is given a schema that programs do not have", form.substr(0, form.find('('))),
         fmt::format("Arguments and returns are Tensor, Tensor(a) or Tensor(a!), as in `{}`", form));
  if (leaves_out(space)) return;
  made->name = space + "::" + made->name;
  std::vector<CustomOperator>& all = test_.script.operators;
  const auto found = std::ranges::find(all, made->name, &CustomOperator::name);
  if (found != all.end() && (found->arguments != made->arguments || found->returns != made->returns))
    fail(place, fmt::format("{} is defined with another schema above", made->name), "Give this operator another name");
  const auto number = static_cast<std::int32_t>(found - all.begin());
  if (found == all.end()) all.push_back(std::move(*made));
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

std::size_t Lowerer::operator_named(const std::string& name, Place place) const {
  const std::vector<CustomOperator>& all = test_.script.operators;
  const auto found = std::ranges::find(all, name, &CustomOperator::name);
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  std::vector<std::string> known;
  for (const CustomOperator& op : all) known.push_back(op.name);
  fail(place, fmt::format("there is no operator {} here", name),
       did_you_mean(name, known, "Define it first: `lib.define(\"f(Tensor x) -> Tensor\")`"));
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
  const std::size_t number = operator_named(wanted.name, wanted.place);
  std::optional<std::int32_t> kernel;
  if (function.function != nullptr) kernel = kernel_of(test_.script.operators[number], function, wanted);
  const std::string library = library_for(wanted.library, wanted.space, wanted.place);
  for (const std::string& key : wanted.keys)
    emit(AddKernel{library, static_cast<std::int32_t>(number), key, kernel}, wanted.place.line);
}

/// A function is the same kernel each time, because it sees no name of the test but `device`.
std::int32_t Lowerer::kernel_of(const CustomOperator& op, const NestedFunction& nested, const Registered& wanted) {
  const Function& function = *nested.function;
  const std::size_t keys = wanted.with_keyset ? 1 : 0;
  if (function.parameters.size() != op.arguments.size() + keys)
    fail(function.place,
         fmt::format("the kernel {} takes {} arguments, but {} has {}{}", function.name, function.parameters.size(),
                     op.name, op.arguments.size(), keys == 1 ? ", and its key set comes before them" : ""),
         fmt::format("The schema is {}", schema_text(op)));
  std::vector<CustomKernel>& all = test_.script.kernels;
  const auto [found, is_new] =
      kernels_.try_emplace(std::pair(&function, wanted.with_keyset), static_cast<std::int32_t>(all.size()));
  if (is_new) all.push_back(lowered_kernel(nested, wanted));
  const std::size_t returned = all[static_cast<std::size_t>(found->second)].returned.size();
  if (returned != op.returns.size())
    fail(function.place,
         fmt::format("the kernel {} returns {} tensors, but {} returns {}", function.name, returned, op.name,
                     op.returns.size()),
         fmt::format("The schema is {}", schema_text(op)));
  return found->second;
}

CustomKernel Lowerer::lowered_kernel(const NestedFunction& nested, const Registered& wanted) {
  const Function& function = *nested.function;
  const bool of_test = nested.home != nullptr;
  CustomKernel kernel{.name = function.name};
  kernel.with_keyset = wanted.with_keyset;
  Frame frame{function.name, of_test ? "" : function.name + "_", {}};
  const Binding* device = of_test ? find("device") : nullptr;
  if (device != nullptr && std::holds_alternative<DeviceParameter>(*device)) frame.names.emplace("device", *device);
  if (kernel.with_keyset) frame.names.insert_or_assign(function.parameters[0], KernelKeys{});
  for (std::size_t i = kernel.with_keyset ? 1 : 0; i < function.parameters.size(); ++i) {
    const std::string& parameter = function.parameters[i];
    kernel.parameters.push_back(scope_.fresh(frame.prefix + parameter));
    scope_.holds_some_object(kernel.parameters.back());
    frame.names.insert_or_assign(parameter, kernel.parameters.back());
  }
  std::vector<Statement>* const around = std::exchange(into_, &kernel.statements);
  in_kernel_ = true;
  const Returned returned = returned_by(function, std::move(frame), wanted.place);
  in_kernel_ = false;
  into_ = around;
  for (const auto& [value, at] : returned.values) {
    if (!value) fail(at, fmt::format("the kernel {} returns None", function.name), "A kernel returns tensors");
    kernel.returned.push_back(*value);
  }
  return kernel;
}

std::vector<KeyStep> Lowerer::redispatched_keys(const Expression& keys) {
  const auto is_key_set = [this](const std::string& name) {
    const Binding* bound = find(name);
    return bound != nullptr && std::holds_alternative<KernelKeys>(*bound);
  };
  const auto refuse_start = [this](const Expression& e) {
    fail(start_of(e), "a redispatch is not given its kernel's key set",
         "Register the kernel with_keyset=True, and write `.redispatch(ks & torch._C._after_autograd_keyset, x)`, "
         "where ks is its first parameter");
  };
  const auto key = [this](const Expression& e) {
    const std::string dotted = dotted_name(e);
    const std::string_view last = std::string_view(dotted).substr(std::min(kKeyPrefix.size(), dotted.size()));
    if (!dotted.starts_with(kKeyPrefix) || std::ranges::find(kStepKeys, last) == kStepKeys.end())
      fail(start_of(e), fmt::format("{} is no key of a redispatch", print(e)),
           fmt::format("The keys are {}, each as {}KEY", fmt::join(kStepKeys, ", "), kKeyPrefix));
    return std::string(last);
  };
  const auto key_of_set = [this, key](const Expression& e) {
    const auto* set = std::get_if<Invocation>(&e.node);
    if (set == nullptr || dotted_name(*set->callee) != kKeySet || set->positional.size() != 1)
      fail(start_of(e), fmt::format("{} is not the set of one key", print(e)),
           fmt::format("Write {}({}CPU)", kKeySet, kKeyPrefix));
    return key(set->positional[0]);
  };
  return read_key_steps(keys, {is_key_set, key, key_of_set, refuse_start,
                               [this](const Expression& e, std::string problem, std::string advice) {
                                 fail(start_of(e), std::move(problem), std::move(advice));
                               }});
}

/// `y = torch.ops.mine.f(x)`, also with `.default`; in a kernel also `torch.ops.mine.f.default.redispatch(KEYS, x)`.
void Lowerer::invoke(const std::string& callee, const Invocation& call, Place place, const Targets& targets) {
  constexpr std::string_view kDefault = ".default", kRedispatch = ".default.redispatch";
  std::string name = callee.substr(kPacketOf.size());
  const bool redispatches = name.ends_with(kRedispatch);
  if (redispatches)
    name.resize(name.size() - kRedispatch.size());
  else if (name.ends_with(kDefault))
    name.resize(name.size() - kDefault.size());
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos || name.find('.', dot + 1) != std::string::npos) unknown_call(*call.callee);
  const std::size_t number = operator_named(name.substr(0, dot) + "::" + name.substr(dot + 1), place);
  const CustomOperator& op = test_.script.operators[number];
  const std::size_t before = redispatches ? 1 : 0;
  if (!call.keywords.empty() || call.positional.size() != op.arguments.size() + before)
    fail(
        place,
        fmt::format("{} is not given {}{} tensors", op.name, redispatches ? "a key set and " : "", op.arguments.size()),
        fmt::format("The schema is {}", schema_text(op)));
  Invoke made{static_cast<std::int32_t>(number), {}, {}};
  if (redispatches) made.redispatch = redispatched_keys(call.positional[0]);
  for (std::size_t i = before; i < call.positional.size(); ++i) made.inputs.push_back(tensor(call.positional[i]));
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
  emit(std::move(made), targets.line);
}

}  // namespace plumbline::program
