// The builder: programs about the dispatcher. Their operators, the probes, only log, call and redispatch.
#include <algorithm>
#include <array>

#include "fuzz/building.h"
#include "fuzz/keys.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline::fuzz {

namespace {

constexpr std::size_t kMostProbes = 4;

/// What a kernel of `op` passes on in a call of `called`: its parameters, or `*args`.
Invoke passing(std::int32_t called, const CustomKernel& kernel, const CustomOperator* op) {
  Invoke invoke{called, {}, {}};
  invoke.passes_arguments = kernel.any_arguments;
  if (!kernel.any_arguments) invoke.inputs = values_of(kernel.parameters, *op);
  return invoke;
}

bool takes_lists(const CustomOperator& op) {
  return std::ranges::find(op.arguments, SchemaValue::Kind::list, &SchemaValue::kind) != op.arguments.end();
}
bool takes_optional(const CustomOperator& op) {
  return std::ranges::find(op.arguments, SchemaValue::Kind::optional, &SchemaValue::kind) != op.arguments.end();
}

}  // namespace

std::string Builder::set_key(ManyChoices& choices) const { return key_for_all(choices.any(kSetKeys), profiles_); }

/// What concerns AutogradOther and AutogradNestedTensor comes in pairs: a composite, and a backend's kernel.
std::string Builder::registered_key(ManyChoices& choices) const {
  switch (choices.below(6)) {
    case 0:
    case 1:
    case 2:
      return std::string(kRegisteredKeys[choices.below(kEverydayKeys)]);
    case 3:
      return "CompositeImplicitAutograd";
    case 4:
      return key_for_all(choices.any(kBackendsOfOther), profiles_);
    default:
      return key_for_all(choices.any(kRegisteredKeys), profiles_);
  }
}

Enter Builder::any_guard(ManyChoices& choices, bool keyed) const {
  switch (choices.below(keyed ? 6 : 3)) {
    case 0:
      return {GuardKind::below_autograd};
    case 1:
      return {GuardKind::below_ad_inplace_or_view};
    case 2:
      return {GuardKind::inference_mode, choices.one_in(2)};
    case 3:
      return {GuardKind::include_key, true, set_key(choices)};
    default:
      return {GuardKind::exclude_key, true, set_key(choices)};
  }
}

std::vector<KeyStep> Builder::any_steps(ManyChoices& choices, const std::string& key) const {
  using Kind = KeyStep::Kind;
  if (choices.below(2) == 0) {
    if (key.starts_with("Autograd")) return {{Kind::after_autograd, ""}};
    if (key == "ADInplaceOrView") return {{Kind::after_adinplaceorview, ""}};
    return {{Kind::remove, runtime_key_named(layout_of(judge_.profile), key) ? key : "CPU"}};
  }
  constexpr std::array kinds{Kind::after_autograd, Kind::after_adinplaceorview, Kind::remove, Kind::keep, Kind::add};
  std::vector<KeyStep> steps;
  if (choices.one_in(6)) steps.push_back({Kind::only, choices.one_in(4) ? "Undefined" : set_key(choices)});
  for (std::size_t left = 1 + choices.below(2); left > 0; --left) {
    const Kind kind = choices.any(kinds);
    steps.push_back({kind, takes_key(kind) ? set_key(choices) : ""});
  }
  return steps;
}

/// It logs its name, acts, and then may raise an error.
CustomKernel Builder::probe_kernel(ManyChoices& choices, const CustomOperator* op, const std::string& key) {
  CustomKernel kernel{"k" + std::to_string(script_.kernels.size() + 1)};
  const auto add = [&](StatementKind statement) { kernel.statements.push_back({std::move(statement), 0}); };
  const bool fallback = op == nullptr;
  // A kernel's own parameter may hold nothing, and lists are only passed on.
  kernel.any_arguments = fallback || takes_lists(*op) || takes_optional(*op) || !choices.one_in(3);
  const std::size_t own = slots_;
  while (!kernel.any_arguments && kernel.parameters.size() < op->arguments.size())
    kernel.parameters.push_back(static_cast<Slot>(slots_++));
  end_names(own, slots_);
  std::optional<Invoke> act;
  const std::size_t acts = choices.below(3);
  if (fallback || acts == 1) {
    act = passing(fallback ? kCalledOperator : static_cast<std::int32_t>(op - script_.operators.data()), kernel, op);
    act->redispatch = any_steps(choices, key);
  } else if (acts == 2) {
    std::vector<std::int32_t> others;
    for (const std::int32_t probe : probes_) {
      const CustomOperator& other = script_.operators[static_cast<std::size_t>(probe)];
      if (&other != op &&
          std::ranges::equal(other.arguments, op->arguments, {}, &SchemaValue::kind, &SchemaValue::kind))
        others.push_back(probe);
    }
    if (!others.empty()) act = passing(choices.any(others), kernel, op);
  }
  kernel.returns_passed = fallback;  // whatever the operator returns, so it always goes on
  kernel.with_keyset = (act && act->redispatch) || choices.one_in(2);
  add(AppendToLog{});
  if (kernel.with_keyset && !choices.one_in(4)) add(AppendToLog{"", true});
  const bool guarded = act && choices.one_in(4);
  if (guarded) add(any_guard(choices, !fallback));  // a fallback may serve an operator that uses tensors
  if (act) add(std::move(*act));
  if (guarded) add(Exit{});
  if (choices.one_in(10)) {
    add(RaiseError{});
    kernel.returns_passed = false;
  }
  return kernel;
}

void Builder::define_probe(ManyChoices& choices) {
  std::string library = "lib";
  for (const MakeLibrary& one : libraries_)
    if (one.space == "mine" && one.kind != MakeLibrary::Kind::IMPL && choices.one_in(3)) library = one.library;
  using enum SchemaValue::Kind;
  const auto of_kind = [](std::string name, SchemaValue::Kind kind) {
    return SchemaValue{std::move(name), "", false, kind};
  };
  CustomOperator op{"mine::f" + std::to_string(script_.operators.size() + 1), {{"x"}}, {}};
  switch (choices.below(10)) {
    case 0:
    case 1:
      op.arguments.push_back({"y"});
      break;
    case 2:
      op.arguments.push_back(of_kind("y", optional));
      break;
    case 3:
      op.arguments = {of_kind("xs", list)};
      break;
    case 4:
      op.arguments = {of_kind("n", integer)};
      break;
    case 5:
      op.arguments.push_back(of_kind("a", choices.one_in(2) ? real : truth));
      break;
    default:
      break;
  }
  probes_.push_back(add_operator(op, library));
}

void Builder::add_probe_kernel(ManyChoices& choices) {
  const std::int32_t number = choices.any(probes_);
  std::vector<std::string> libraries{"lib", "lib"};
  for (const MakeLibrary& one : libraries_)
    if (one.space == "mine") libraries.push_back(one.library);
  const std::string library = choices.any(libraries);
  const std::string key = choices.one_in(60) ? std::string("NoSuchKey") : registered_key(choices);
  const CustomOperator& op = script_.operators[static_cast<std::size_t>(number)];
  register_kernel(AddKernel{library, number, key},
                  choices.one_in(8) ? std::nullopt : std::optional(probe_kernel(choices, &op, key)));
}

void Builder::add_probe_fallback(ManyChoices& choices) {
  const MakeLibrary* made = make_library("_", MakeLibrary::Kind::IMPL);
  if (made == nullptr) return;
  const std::string library = choices.one_in(20) ? "lib" : made->library;
  const std::string key = choices.one_in(6) ? set_key(choices) : key_for_all(choices.any(kFallbackKeys), profiles_);
  register_kernel(AddFallback{library, key},
                  choices.one_in(4) ? std::nullopt : std::optional(probe_kernel(choices, nullptr, key)));
}

std::optional<Slot> Builder::probe_tensor(ManyChoices& choices) {
  const std::vector<Slot> slots = live();
  if (!slots.empty() && !choices.one_in(3)) return choices.any(slots);
  const std::size_t kind = choices.below(5);
  const bool inference = kind == 3;
  if (inference && !perform(Enter{GuardKind::inference_mode, true})) return std::nullopt;
  inner_ += inference ? 1 : 0;
  const Slot made = next_slot();
  const bool done = kind == 4 ? perform(MakeMetaTensor{made, Dtype::float32, {1}})
                              : perform(MakeTensor{made, Dtype::float32, {1}, {0}, kind == 2});
  if (done) ++slots_;
  inner_ -= inference ? 1 : 0;
  if (inference) perform(Exit{});
  return done ? std::optional(made) : std::nullopt;
}

std::optional<Value> Builder::probe_argument(SchemaValue::Kind kind, ManyChoices& choices) {
  if (is_number(kind)) return any_number(kind, choices);
  if (kind == SchemaValue::Kind::optional && choices.one_in(3)) return None{};
  std::vector<Slot> tensors;
  for (std::size_t left = kind == SchemaValue::Kind::list ? choices.below(4) : 1; left > 0; --left) {
    const std::optional<Slot> one = probe_tensor(choices);
    if (!one) return std::nullopt;
    tensors.push_back(*one);
  }
  if (kind == SchemaValue::Kind::list) return tensors;
  return tensors.front();
}

void Builder::call_probe(ManyChoices& choices, bool redispatches, bool guarded) {
  Invoke invoke{choices.any(probes_), {}, {}};
  const std::vector<SchemaValue> arguments = script_.operators[static_cast<std::size_t>(invoke.op)].arguments;
  for (const SchemaValue& argument : arguments) {
    std::optional<Value> given = probe_argument(argument.kind, choices);
    if (!given) return;
    invoke.inputs.push_back(std::move(*given));
  }
  if (redispatches) {
    constexpr std::array<std::string_view, 3> rare{"AutogradOther", "AutogradNestedTensor", "AutogradHIP"};
    const std::size_t which = choices.below(8);
    std::string first = which < rare.size() ? key_for_all(rare[which], profiles_) : set_key(choices);
    invoke.redispatch = std::vector<KeyStep>{{KeyStep::Kind::only, choices.one_in(8) ? "Undefined" : first}};
    for (std::size_t more = choices.below(3); more > 0; --more)
      invoke.redispatch->push_back({KeyStep::Kind::add, set_key(choices)});
  }
  std::size_t entered = 0;
  for (; guarded && (entered == 0 || (entered < 2 && choices.one_in(3))); ++entered, ++inner_)
    if (!perform(any_guard(choices, true))) break;
  if (entered > 0 && choices.one_in(2)) perform(QueryThreadKey{set_key(choices), choices.one_in(2)});
  perform(invoke);
  for (; entered > 0; --entered, --inner_) {
    perform(Exit{});
    if (entered > 1) perform(invoke);  // in the outer guard
  }
}

void Builder::ask(ManyChoices& choices) {
  if (choices.one_in(3)) return void(perform(QueryThreadKey{set_key(choices), choices.one_in(2)}));
  const std::vector<CustomOperator>& operators = script_.operators;
  const std::string op = choices.one_in(16) ? "mine::nothing" : operators[choices.below(operators.size())].name;
  const std::string key = choices.one_in(40) ? std::string("NoSuchKey") : registered_key(choices);
  perform(QueryKernel{op, key, static_cast<QueryKernel::What>(choices.below(kQueryNames.size()))});
}

/// Another library, with something that its end removes, or the end of one.
void Builder::change_libraries(ManyChoices& choices) {
  if (!libraries_.empty() && choices.one_in(2)) return drop_library(choices.below(libraries_.size()));
  const MakeLibrary* made = make_library("mine", static_cast<MakeLibrary::Kind>(choices.below(3)));
  if (made == nullptr) return;
  const std::string library = made->library;
  if (choices.one_in(6)) return void(perform(DefineOperator{library, choices.any(probes_)}));  // a second time
  register_kernel(AddKernel{library, choices.any(probes_), registered_key(choices)}, std::nullopt);
}

void Builder::dispatch_step(ManyChoices& choices) {
  if (probes_.empty()) {
    define_probe(choices);
    if (!choices.one_in(4)) add_probe_kernel(choices);
  }
  switch (choices.below(20)) {
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
      return add_probe_kernel(choices);
    case 10:
      return call_probe(choices, true, choices.one_in(4));
    case 11:
    case 12:
      return ask(choices);
    case 13:
    case 14:
      return call_probe(choices, false, true);
    case 15:
      return probes_.size() < kMostProbes ? define_probe(choices) : ask(choices);
    case 16:
    case 17:
      return change_libraries(choices);
    case 18:
      return add_probe_fallback(choices);
    case 19:
      if (choices.one_in(4)) return void(perform(RaiseError{"enough"}));
      logs_ = true;
      return void(perform(AppendToLog{"here"}));
    default:
      return call_probe(choices, false, false);
  }
}

void Builder::dispatching(ManyChoices& choices) {
  for (std::size_t left = 2 + choices.below(4); left > 0; --left) dispatch_step(choices);
  call_probe(choices, false, false);
}

void Builder::read_log(std::size_t since, const Gene& gene) {
  if (!logs_ || !open_bodies_.empty()) return;
  const auto first =
      script_.statements.begin() + static_cast<std::ptrdiff_t>(std::min(since, script_.statements.size()));
  const bool may_have_changed = std::any_of(first, script_.statements.end(), [](const Statement& s) {
    return std::holds_alternative<Invoke>(s.kind) || std::holds_alternative<Backward>(s.kind) ||
           std::holds_alternative<GetGradients>(s.kind);
  });
  if (!may_have_changed || gene.observe % 4 == 0) return;
  perform(ReadLog{});
  if (gene.draws.back() % 8 == 7) perform(ClearLog{});
}

void Builder::let_tell(CustomBackward& function, bool logs, bool raises) {
  if (logs) function.statements.insert(function.statements.begin(), Statement{AppendToLog{function.name}, 0});
  if (raises) function.statements.push_back({RaiseError{function.name + " raised"}, 0});
  logs_ = logs_ || logs;
}

}  // namespace plumbline::fuzz
