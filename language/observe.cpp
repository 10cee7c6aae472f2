// Observations: how each reading is written in Python, in both directions.
#include "language/observe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "language/key_names.h"
#include "language/refusal.h"

namespace plumbline::program {
namespace {

struct Spelling {
  std::string_view name;
  Field field;
  bool call;  ///< `x.name()` rather than `x.name`
};
constexpr std::array kOfTensor{
    Spelling{"dtype", Field::dtype, false},
    Spelling{"shape", Field::sizes, false},
    Spelling{"size", Field::sizes, true},
    Spelling{"stride", Field::strides, true},
    Spelling{"storage_offset", Field::offset, true},
    Spelling{"tolist", Field::values, true},
    Spelling{"untyped_storage", Field::storage, true},
    Spelling{"is_inference", Field::is_inference, true},
    Spelling{"_version", Field::version, false},
    Spelling{"requires_grad", Field::requires_grad, false},
    Spelling{"is_leaf", Field::is_leaf, false},
    Spelling{"grad_fn", Field::grad_fn, false},
    Spelling{"_is_view", Field::is_view, true},
    Spelling{"_base", Field::base, false},
    Spelling{"grad", Field::grad, false},
};
/// Methods that ask whether a tensor has a key, and the attribute `is_cpu`, which asks it in a program of two devices.
struct KeyMethod {
  std::string_view name;
  std::string_view key;
  bool call = true;
};
constexpr std::array kKeyMethods{KeyMethod{"is_conj", "Conjugate"}, KeyMethod{"is_neg", "Negative"},
                                 KeyMethod{"is_cpu", "CPU", false}};
constexpr std::string_view kCreationMeta = "torch._C._autograd._get_creation_meta";
constexpr std::string_view kKeys = "torch._C._dispatch_keys";
constexpr std::string_view kAliasOf = "torch._C._is_alias_of";

struct ThreadSpelling {
  std::string_view name;
  ThreadField field;
};
constexpr std::array kOfThread{
    ThreadSpelling{"torch.is_inference_mode_enabled", ThreadField::inference_mode},
    ThreadSpelling{"torch.is_grad_enabled", ThreadField::grad_mode},
    ThreadSpelling{"torch._C._dispatch_tls_local_include_set", ThreadField::included},
    ThreadSpelling{"torch._C._dispatch_tls_local_exclude_set", ThreadField::excluded},
};

/// By QueryKernel::What.
constexpr std::array<std::string_view, 3> kKernelQueries{"torch._C._dispatch_has_kernel_for_dispatch_key",
                                                         "torch._C._dispatch_has_computed_kernel_for_dispatch_key",
                                                         "torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough"};
/// Whether a key is included, and whether it is excluded.
constexpr std::array<std::string_view, 2> kThreadQueries{"torch._C._dispatch_tls_is_dispatch_key_included",
                                                         "torch._C._dispatch_tls_is_dispatch_key_excluded"};

/// The thread's key sets have this key for the functionality of the keys AutogradCPU, AutogradCUDA, …
constexpr std::string_view kAutogradOfAll = "AutogradFunctionality";

void take_nothing(const Invocation& call, Place place, std::string_view name) {
  if (!call.positional.empty() || !call.keywords.empty())
    throw BadObservation{place, fmt::format("{}() takes no arguments", name),
                         "Read all of it and compare it with a list, as in `assert list(x.shape) == [2, 3]`"};
}

void take_tensors(const Invocation& call, Place place, std::string_view name, std::size_t count) {
  if (call.positional.size() != count || !call.keywords.empty())
    throw BadObservation{place, fmt::format("{} takes {} tensor{}", name, count, count == 1 ? "" : "s"),
                         "Write the tensors' names between the brackets"};
}

/// `x.name` or `x.name()`, for a name x that the program defines.
std::optional<Observation> of_tensor(const Expression& expression) {
  const auto* call = std::get_if<Invocation>(&expression.node);
  const auto* attribute = std::get_if<Attribute>(call != nullptr ? &call->callee->node : &expression.node);
  if (attribute == nullptr) return std::nullopt;
  const auto* tensor = std::get_if<Name>(&attribute->value->node);
  if (tensor == nullptr || tensor->id == "torch") return std::nullopt;
  for (const Spelling& spelling : kOfTensor) {
    if (spelling.name != attribute->name) continue;
    if (spelling.call && call == nullptr)
      throw BadObservation{expression.place, fmt::format("`{}` is a method and is not called", spelling.name),
                           fmt::format("Write {}.{}()", tensor->id, spelling.name)};
    if (!spelling.call && call != nullptr)
      throw BadObservation{expression.place, fmt::format("`{}` is not a method", spelling.name),
                           fmt::format("Write {}.{} without brackets", tensor->id, spelling.name)};
    if (call != nullptr) take_nothing(*call, expression.place, spelling.name);
    return Observation{spelling.field, *attribute->value, {}, "", false};
  }
  for (const KeyMethod& method : kKeyMethods) {
    if (method.name != attribute->name || method.call != (call != nullptr)) continue;
    if (call != nullptr) take_nothing(*call, expression.place, method.name);
    return Observation{Field::keys, *attribute->value, {}, std::string(method.key), false};
  }
  return std::nullopt;
}

/// `x.grad.tolist()`.
std::optional<Observation> of_gradient(const Invocation& call, Place place) {
  const auto* method = std::get_if<Attribute>(&call.callee->node);
  const auto* grad = method == nullptr ? nullptr : std::get_if<Attribute>(&method->value->node);
  if (grad == nullptr || grad->name != "grad" || method->name != "tolist") return std::nullopt;
  const auto* tensor = std::get_if<Name>(&grad->value->node);
  if (tensor == nullptr || tensor->id == "torch") return std::nullopt;
  take_nothing(call, place, "tolist");
  return Observation{Field::grad, *grad->value, {}, "", true};
}

/// `torch._C.…(x)`, and the readings of the thread.
std::optional<Observation> of_function(const Invocation& call, Place place) {
  const std::string callee = dotted_name(*call.callee);
  for (const ThreadSpelling& spelling : kOfThread) {
    if (spelling.name != callee) continue;
    take_nothing(call, place, callee);
    return Observation{spelling.field, {}, {}, "", false};
  }
  if (callee != kCreationMeta && callee != kKeys && callee != kAliasOf) return std::nullopt;
  take_tensors(call, place, callee, callee == kAliasOf ? 2 : 1);
  if (callee == kAliasOf) return Observation{Field::storage, call.positional[0], call.positional[1], "", false};
  return Observation{callee == kKeys ? Field::keys : Field::creation_meta, call.positional[0], {}, "", false};
}

bool is_key_set(const Observation& o) {
  const auto* field = std::get_if<Field>(&o.what);
  const auto* thread = std::get_if<ThreadField>(&o.what);
  return (field != nullptr && *field == Field::keys) ||
         (thread != nullptr && (*thread == ThreadField::included || *thread == ThreadField::excluded));
}

/// `SET.has(torch._C.DispatchKey.NAME)`.
std::optional<Observation> membership(const Invocation& call, Place place) {
  const auto* method = std::get_if<Attribute>(&call.callee->node);
  const auto* set = method == nullptr ? nullptr : std::get_if<Invocation>(&method->value->node);
  if (set == nullptr || method->name != "has") return std::nullopt;
  auto found = of_function(*set, method->value->place);
  if (!found || !is_key_set(*found)) return std::nullopt;
  const std::string key = call.positional.size() == 1 && call.keywords.empty() ? dotted_name(call.positional[0]) : "";
  if (!key.starts_with(kKeyPrefix))
    throw BadObservation{place, "has() takes one dispatch key", "Write it as torch._C.DispatchKey.AutogradCPU"};
  found->key = key.substr(kKeyPrefix.size());
  if (found->key == kAutogradOfAll && std::holds_alternative<Field>(found->what))
    throw BadObservation{call.positional[0].place, "a tensor's keys have backends",
                         "Write AutogradCPU, or another backend's"};
  if (is_key_name(found->key)) return found;
  std::vector<std::string> keys = named_keys();
  std::erase(keys, "Undefined");
  throw BadObservation{
      call.positional[0].place, fmt::format("a key set has no key '{}'", found->key),
      did_you_mean(
          found->key, keys,
          "Write a key with its backend, such as AutogradCPU or CPU, or a key without one, such as ADInplaceOrView")};
}

/// The operator "mine::f" that a query names.
void need_operator(const Expression& written) {
  const auto* name = std::get_if<std::string>(&written.node);
  const std::size_t colons = name == nullptr ? std::string::npos : name->find("::");
  const bool fits = colons != std::string::npos && is_python_name(name->substr(0, colons)) &&
                    is_python_name(name->substr(colons + 2));
  if (!fits)
    throw BadObservation{start_of(written), "this is not the name of an operator",
                         "Write its namespace and its name, as in \"mine::f\""};
  if (name->starts_with("aten::"))
    throw BadObservation{start_of(written), fmt::format("{} is an operator of PyTorch", *name),
                         "Ask about operators of the program's own namespaces"};
}

/// A question about an operator's kernels, or about the thread's key sets.
std::optional<Observation> of_query(const Invocation& call, Place place) {
  const std::string callee = dotted_name(*call.callee);
  if (const auto found = std::ranges::find(kThreadQueries, callee); found != kThreadQueries.end()) {
    if (call.positional.size() != 1 || !call.keywords.empty())
      throw BadObservation{place, fmt::format("{} takes one key", callee),
                           fmt::format("Write {}({}CPU)", callee, kKeyPrefix)};
    const auto refuse = [](Place at, std::string problem, std::string advice) {
      throw BadObservation{at, std::move(problem), std::move(advice)};
    };
    QueryThreadKey query{key_named(call.positional[0], Undefined::refused, refuse), found != kThreadQueries.begin()};
    return Observation{std::move(query), {}, {}, "", false};
  }
  const auto found = std::ranges::find(kKernelQueries, callee);
  if (found == kKernelQueries.end()) return std::nullopt;
  const bool two = call.positional.size() == 2 && call.keywords.empty();
  const auto* key = two ? std::get_if<std::string>(&call.positional[1].node) : nullptr;
  if (key == nullptr)
    throw BadObservation{place, fmt::format("{} takes an operator and a key", callee),
                         fmt::format("Write {}(\"mine::f\", \"CPU\")", callee)};
  need_operator(call.positional[0]);
  QueryKernel query{std::get<std::string>(call.positional[0].node), *key,
                    static_cast<QueryKernel::What>(found - kKernelQueries.begin())};
  return Observation{std::move(query), {}, {}, "", false};
}

/// `list(x.shape)`, `list(x.size())`, `list(x.stride())`.
std::optional<Observation> as_list(const Invocation& call, Place place) {
  if (dotted_name(*call.callee) != "list") return std::nullopt;
  std::optional<Observation> found;
  if (call.positional.size() == 1 && call.keywords.empty()) found = of_tensor(call.positional[0]);
  const auto* field = found ? std::get_if<Field>(&found->what) : nullptr;
  if (field == nullptr || (*field != Field::sizes && *field != Field::strides))
    throw BadObservation{place, "list() is given something that is neither sizes nor strides",
                         "Write list(x.shape) or list(x.stride())"};
  found->as_list = true;
  return found;
}

}  // namespace

std::optional<Observation> observation(const Expression& expression) {
  if (auto found = of_tensor(expression)) return found;
  const auto* call = std::get_if<Invocation>(&expression.node);
  if (call == nullptr) return std::nullopt;
  if (auto found = of_gradient(*call, expression.place)) return found;
  if (auto found = as_list(*call, expression.place)) return found;
  if (auto found = membership(*call, expression.place)) return found;
  if (auto found = of_query(*call, expression.place)) return found;
  return of_function(*call, expression.place);
}

bool is_query(std::string_view function) {
  return std::ranges::find(kKernelQueries, function) != kKernelQueries.end() ||
         std::ranges::find(kThreadQueries, function) != kThreadQueries.end();
}

bool is_grad_list(const Observation& observation) {
  const auto* field = std::get_if<Field>(&observation.what);
  return field != nullptr && *field == Field::grad && observation.as_list;
}

bool is_key_name(std::string_view name) {
  return name == kAutogradOfAll || (name != "Undefined" && is_named_key(name));
}

Expression dotted(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {Name{name}, {}};
  return {Attribute{std::make_shared<const Expression>(dotted(name.substr(0, dot))), name.substr(dot + 1)}, {}};
}

Expression call_of(const std::string& callee, Expressions arguments) {
  return {Invocation{std::make_shared<const Expression>(dotted(callee)), std::move(arguments), {}}, {}};
}

Expression observe(Field field, const std::string& tensor) {
  if (field == Field::creation_meta) return call_of(std::string(kCreationMeta), {dotted(tensor)});
  if (field == Field::keys) return call_of(std::string(kKeys), {dotted(tensor)});
  if (field == Field::sizes) return call_of("list", {dotted(tensor + ".shape")});
  const auto* spelling =
      std::find_if(kOfTensor.begin(), kOfTensor.end(), [field](const Spelling& s) { return s.field == field; });
  const std::string name = tensor + "." + std::string(spelling->name);
  return spelling->call ? call_of(name, {}) : dotted(name);
}

Expression observe(ThreadField field) {
  return call_of(std::string(kOfThread[static_cast<std::size_t>(field)].name), {});
}

Expression observe(const QueryKernel& query) {
  return call_of(std::string(kKernelQueries.at(static_cast<std::size_t>(query.what))),
                 {{query.op, {}}, {query.key, {}}});
}

Expression observe(const QueryThreadKey& query) {
  return call_of(std::string(kThreadQueries.at(query.excluded ? 1 : 0)), {key_expression(query.key)});
}

std::string list_of_observations() {
  return fmt::format("The observations are x.{}, list(x.shape), {}(x), {}(x, y), {}(x).has(key), {}(), {}(key), {}",
                     fmt::join(observation_names(), ", x."), kCreationMeta, kAliasOf, kKeys,
                     "torch.is_inference_mode_enabled(), torch.is_grad_enabled", fmt::join(kThreadQueries, "(key), "),
                     fmt::join(kKernelQueries, "(\"mine::f\", \"CPU\"), ")) +
         "(\"mine::f\", \"CPU\")";
}

std::vector<std::string> observation_names() {
  std::vector<std::string> names;
  for (const Spelling& spelling : kOfTensor)
    if (spelling.name != "size") names.push_back(std::string(spelling.name) + (spelling.call ? "()" : ""));
  for (const KeyMethod& method : kKeyMethods) names.push_back(std::string(method.name) + "()");
  return names;
}

}  // namespace plumbline::program
