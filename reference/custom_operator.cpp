// A program's own operators.
#include "reference/custom_operator.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/call.h"
#include "reference/dispatcher/call_keys.h"
#include "reference/dispatcher/registry.h"
#include "reference/dispatcher/shipped.h"
#include "reference/functionalized.h"
#include "reference/functorch/functorch.h"
#include "reference/graph.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/aut.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/dsp_calls.h"
#include "spec/rules/dsp_entry.h"
#include "spec/rules/fun.h"
#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::reference {

namespace {

Fallbacks with_recording(const KeyLayout& layout) {
  Fallbacks fallbacks = shipped_fallbacks(layout);
  // 1.13's fallback of Autograd falls through. One that records nothing does the same, and AUT-62 can say so.
  for (std::size_t i = 0; i < fallbacks.size(); ++i)
    if (fallbacks[i] == kFallthrough && name_of(layout, key_at(layout, static_cast<int>(i))).starts_with("Autograd"))
      fallbacks[i] = kAutogradFallback;
  return fallbacks;
}

/// Changes a copy of the registry, so that a state that was copied before keeps its own. `twice`: what an error says
/// about a second definition.
template <class Change>
void change_registry(const Judge& judge, State& state, const std::string& library, const std::string& twice,
                     const Change& change) {
  const KeyLayout& layout = layout_of(judge.profile);
  auto changed = state.registry ? std::make_shared<Registry>(*state.registry)
                                : std::make_shared<Registry>(layout, with_recording(layout));
  if (!library.empty() && !changed->holds(library))
    throw ReferenceLimit("a library that could not be made is used: " + library);
  try {
    change(*changed);
  } catch (const DispatchStop& stop) {
    if (stop.error == DispatchError::defined_twice) raise(ErrorClass::defined_twice, twice);
    raise_class(ErrorClass::library_kind);
  }
  state.registry = std::move(changed);
}

const CustomOperator& operator_at(const State& state, std::int32_t number) {
  if (state.operators == nullptr) throw std::logic_error("the script has no such operator");
  return state.operators->at(static_cast<std::size_t>(number));
}

/// One call on its way through the kernels.
class OperatorCall {
 public:
  OperatorCall(const Judge& judge, State& state, const CustomOperator& op, std::vector<TensorId> inputs)
      : judge_(judge),
        state_(state),
        op_(op),
        inputs_(std::move(inputs)),
        layout_(layout_of(judge.profile)),
        registered_(registered(state, op.name)) {}

  std::vector<TensorId> run() {
    KeySet<Concrete> arguments;
    for (const TensorId input : inputs_) arguments = join_keys(judge_, arguments, keys_of(judge_, state_, input));
    const CallWords keys = call_words(judge_, arguments, call_keys(judge_, arguments, state_.tls));
    const std::uint64_t rest = masked(keys);
    handed_ = handed_keys(judge_, KeySet<Concrete>::raw(rest), KeySet<Concrete>::raw(keys.effective)).v;
    return kernel(rest);
  }

  std::vector<TensorId> redispatch(std::uint64_t keys) {
    redispatched_ = true;
    return kernel(
        redispatched_keys(judge_, KeySet<Concrete>::raw(keys), KeySet<Concrete>::raw(masked({keys, keys}))).v);
  }

 private:
  /// The operator in the registry, whose tables stay as they are while it is called.
  static const Operator& registered(const State& state, const std::string& name) {
    const Operator* found = state.registry ? state.registry->defined(name) : nullptr;
    if (found != nullptr) return *found;
    raise(ErrorClass::unknown_operator, no_such_operator(name), "AttributeError");
  }

  Entry entry(RuntimeKey key) const { return registered_.table.at(key); }
  /// A fallback that records nothing stands for one that falls through, which a redispatch does not skip.
  bool falls_through(const Entry& found) const {
    const bool records = fallback_records(judge_, Bool<Concrete>(true)).v;
    return found.kernel == kFallthrough || (redispatched_ && found.kernel == kAutogradFallback && !records);
  }
  std::uint64_t masked(const CallWords& words) const {
    return without_fallthrough(judge_, layout_, words,
                               [&](RuntimeKey key) { return entry(key).kernel == kFallthrough; });
  }

  std::vector<TensorId> kernel(std::uint64_t keys) {
    const std::uint64_t handed = std::exchange(handed_, std::nullopt).value_or(keys);
    const RuntimeKey place = entry_key(judge_, layout_, keys);
    const Entry found = entry(place);
    if (found.kernel == kForeign) throw ReferenceLimit("a call that runs one of LibTorch's own fallbacks");
    switch (static_cast<Arrival>(arrive<Concrete>(judge_, found.source, falls_through(found)).v)) {
      case Arrival::runs:
        return found.kernel == kAutogradFallback
                   ? fallback(keys)
                   : body(state_.kernels->at(static_cast<std::size_t>(found.kernel)), handed);
      case Arrival::goes_on:
        if (place != kUndefined) return kernel(keys & ~functionality_bit(layout_, place.functionality));
        [[fallthrough]];
      case Arrival::missing:
        if (state_.registry->is_stale(judge_, registered_)) raise_class(ErrorClass::internal);
        raise(ErrorClass::no_kernel,
              place == kUndefined
                  ? message_beginning(ErrorClass::no_kernel, "There were no tensor arguments", {op_.name})
                  : error_message(ErrorClass::no_kernel, {op_.name, "CPU"}),
              "NotImplementedError");
      case Arrival::ambiguous:
        raise_class(ErrorClass::internal);
        break;
      case Arrival::fallthrough:
        raise(ErrorClass::internal, message_beginning(ErrorClass::internal, "0 INTERNAL ASSERT FAILED", {}));
        break;
      case Arrival::nothing:
        break;
    }
    return {};  // reached only with a rule misread
  }

  /// A kernel of the program.
  std::vector<TensorId> body(const CustomKernel& kernel, std::uint64_t keys) {
    const Restored outer(state_.kernel_keys);
    state_.kernel_keys = kernel.with_keyset ? std::optional(keys) : std::nullopt;
    const Restored depth(state_.kernels_deep);
    if (++state_.kernels_deep > kDeepestKernels) throw ReferenceLimit("kernels that call each other without end");
    const Restored slots(state_.slots);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) bind(state_, kernel.parameters[i], inputs_.at(i));
    const Outcome outcome = run_body(judge_, state_, kernel.statements);
    if (outcome.failure.error != ErrorClass::none) throw Raise{outcome.failure};
    return held_all(state_, kernel.returned);
  }

  /// Autograd's fallback [torch/csrc/autograd/autograd_not_implemented_fallback.cpp,
  /// basicAutogradNotImplementedFallbackImpl].
  std::vector<TensorId> fallback(std::uint64_t keys) {
    const NodeId node = begin();
    const std::vector<TensorId> results = below_autograd(keys);
    if (node == kNoNode) return results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!is_floating(at(state_, results[i]).dtype)) continue;
      const Bool<Concrete> needs = requires_grad_of(judge_, state_, results[i]);
      if (fallback_gives_history(judge_, needs, Bool<Concrete>(op_.returns.at(i).written)).v)
        set_gradient_edge(judge_, state_, results[i], node, add_output(state_, node, results[i]));
      else if (needs.v)
        ask_history(judge_, state_, results[i]);  // PyTorch registers a hook, which warns in backward
    }
    return results;
  }

  /// The node of a recorded call.
  NodeId begin() {
    Bool<Concrete> any = false;
    for (const TensorId input : inputs_) any = any || Bool<Concrete>(requires_grad_of(judge_, state_, input));
    if (!fallback_records(judge_, is_recorded(judge_, any, state_.tls)).v) return kNoNode;
    Node made;
    made.kind = Node::Kind::fallback;
    for (const TensorId input : inputs_) {
      const Edge edge = gradient_edge(judge_, state_, input);
      made.inputs.push_back({edge, at(state_, input).geometry, at(state_, input).dtype, {}, std::nullopt});
    }
    state_.nodes.push_back(std::move(made));
    return static_cast<NodeId>(state_.nodes.size()) - 1;
  }

  std::vector<TensorId> below_autograd(std::uint64_t keys) {
    const Restored tls(state_.tls);
    if (fallback_excludes_autograd(judge_).v) state_.tls = enter_below_autograd(judge_, state_.tls);
    return redispatch(keys & keys_after<Concrete>(judge_, layout_, functionality_named(layout_, "AutogradOther")));
  }

  const Judge& judge_;
  State& state_;
  const CustomOperator& op_;
  std::vector<TensorId> inputs_;
  const KeyLayout& layout_;
  const Operator& registered_;
  bool redispatched_ = false;
  std::optional<std::uint64_t> handed_;  ///< the key set for the first kernel, if it is not the one that finds it
};

std::vector<TensorId> called(const Judge& judge, State& state, const CustomOperator& op, std::vector<TensorId> inputs) {
  if (functorch::is_on_top(state))  // no program can register a kernel for Functionalize, so its fallback runs
    return functorch::call_operator(judge, state, op, std::move(inputs), [&](std::vector<TensorId> below) {
      return called(judge, state, op, std::move(below));
    });
  if (state.layers.empty() && in_body(state)) check_aliasing_operator(judge, op);
  return OperatorCall(judge, state, op, std::move(inputs)).run();
}

std::uint64_t stepped_keys(const Judge& judge, const State& state, const Invoke& invoke) {
  if (!state.kernel_keys) throw std::logic_error("the script redispatches outside a kernel with a key set");
  std::uint64_t keys = *state.kernel_keys;
  for (const KeyStep& step : *invoke.redispatch) keys = stepped(judge, layout_of(judge.profile), keys, step);
  return keys;
}

}  // namespace

void check_aliasing_operator(const Judge& judge, const CustomOperator& op) {
  const auto says = [](const SchemaTensor& tensor) { return !tensor.alias.empty(); };
  if (std::ranges::any_of(op.arguments, says) || std::ranges::any_of(op.returns, says))
    if (departs(judge, FUN_37))
      raise(
          ErrorClass::not_functional,
          judge.profile == Profile::torch_1_13
              ? message_beginning(ErrorClass::not_functional, "!schema.hasAnyAliasInfo()", {})
              : message_beginning(ErrorClass::not_functional, "Found a custom (non-ATen) operator", {schema_text(op)}));
}

void make_library(const Judge& judge, State& state, const MakeLibrary& make) {
  const std::string twice = message_beginning(ErrorClass::defined_twice, "Only a single", {make.space});
  change_registry(judge, state, "", twice, [&](Registry& registry) { registry.make(make); });
}
void define_operator(const Judge& judge, State& state, const DefineOperator& define) {
  const CustomOperator& op = operator_at(state, define.op);
  const std::string twice = error_message(ErrorClass::defined_twice, {space_of(op.name) + "::" + schema_text(op)});
  change_registry(judge, state, define.library, twice,
                  [&](Registry& registry) { registry.define(judge, define.library, own_name(op.name), define.op); });
}
void add_kernel(const Judge& judge, State& state, const AddKernel& add) {
  const CustomOperator& op = operator_at(state, add.op);
  change_registry(judge, state, add.library, "", [&](Registry& registry) {
    registry.add(judge, add.library, own_name(op.name), add.key, add.kernel.value_or(kFallthrough));
  });
}
void drop_library(const Judge& judge, State& state, const DropLibrary& drop) {
  change_registry(judge, state, drop.library, "", [&](Registry& registry) { registry.drop(judge, drop.library); });
}

void invoke(const Judge& judge, State& state, const Invoke& invoke) {
  const auto operators = state.operators;
  std::vector<TensorId> inputs = held_all(state, invoke.inputs);
  const CustomOperator& op = operator_at(state, invoke.op);
  const std::vector<TensorId> results =
      invoke.redispatch
          ? OperatorCall(judge, state, op, std::move(inputs)).redispatch(stepped_keys(judge, state, invoke))
          : called(judge, state, op, std::move(inputs));
  for (std::size_t i = 0; i < invoke.results.size() && i < results.size(); ++i)
    bind(state, invoke.results[i], results[i]);
}

}  // namespace plumbline::reference
