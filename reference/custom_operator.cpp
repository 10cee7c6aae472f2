// A program's own operators.
#include "reference/custom_operator.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/dispatcher/call_keys.h"
#include "reference/dispatcher/registry.h"
#include "reference/dispatcher/shipped.h"
#include "reference/functionalized.h"
#include "reference/functorch/functorch.h"
#include "reference/given.h"
#include "reference/graph.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/rules/aut.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/dsp_calls.h"
#include "spec/rules/dsp_entry.h"
#include "spec/rules/fun_body.h"
#include "spec/vocabulary/error_texts.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::reference {

const CustomOperator& operator_at(const State& state, std::int32_t number) {
  if (state.operators == nullptr) throw std::logic_error("the script has no such operator");
  return state.operators->at(static_cast<std::size_t>(number));
}

namespace {

/// One call on its way through the kernels.
class OperatorCall {
 public:
  OperatorCall(const Judge& judge, State& state, std::int32_t number, std::vector<Given> arguments)
      : judge_(judge),
        state_(state),
        number_(number),
        op_(operator_at(state, number)),
        arguments_(std::move(arguments)),
        layout_(layout_of(judge.profile)),
        registered_(registered(state, op_.name)) {}

  std::vector<TensorId> run() {
    const KeySet<Concrete> arguments = keys_of_arguments(judge_, state_, arguments_);
    const CallWords keys = call_words(judge_, arguments, call_keys(judge_, arguments, state_.tls));
    const std::uint64_t rest = masked(keys);
    handed_ = handed_keys(judge_, KeySet<Concrete>::raw(rest), KeySet<Concrete>::raw(keys.effective)).v;
    return kernel(rest);
  }

  std::vector<TensorId> redispatch(std::uint64_t keys) {
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
  /// Also where Autograd's fallback records nothing at all: it then is a fallthrough.
  bool falls_through(const Entry& found) const {
    return found.kernel == kFallthrough ||
           (found.kernel == kAutogradFallback && !fallback_records(judge_, Bool<Concrete>(true)).v);
  }
  std::uint64_t masked(const CallWords& words) const {
    return without_fallthrough(judge_, layout_, words, [&](RuntimeKey key) { return falls_through(entry(key)); });
  }

  std::vector<TensorId> kernel(std::uint64_t keys) {
    const std::uint64_t handed = std::exchange(handed_, std::nullopt).value_or(keys);
    const RuntimeKey place = entry_key(judge_, layout_, keys);
    const Entry found = entry(place);
    if (found.kernel == kForeign) throw ReferenceLimit("a call that runs one of LibTorch's own fallbacks");
    const EntrySource source = found.kernel == kMetaFallback ? EntrySource::missing : found.source;
    switch (static_cast<Arrival>(arrive<Concrete>(judge_, source, falls_through(found)).v)) {
      case Arrival::runs:
        return found.kernel == kAutogradFallback
                   ? fallback(keys)
                   : body(state_.kernels->at(static_cast<std::size_t>(found.kernel)), handed);
      case Arrival::goes_on:
        if (place != kUndefined) return kernel(keys & ~functionality_bit(layout_, place.functionality));
        [[fallthrough]];
      case Arrival::missing:
        missing(place);
      case Arrival::ambiguous:
        raise_class(ErrorClass::ambiguous_kernels, {"…", op_.name});
        break;
      case Arrival::fallthrough:
        raise(ErrorClass::internal, message_beginning(ErrorClass::internal, "0 INTERNAL ASSERT FAILED", {}));
        break;
      case Arrival::nothing:
        break;
    }
    return {};  // reached only with a rule misread
  }

  [[noreturn]] void missing(RuntimeKey place) const {
    if (state_.registry->is_stale(judge_, registered_))
      raise(ErrorClass::internal, message_beginning(ErrorClass::internal, "expected_k.", {}));
    const std::string key = name_of(layout_, place);
    std::string message = error_message(ErrorClass::no_kernel, {op_.name, key});
    if (place == kUndefined)
      message = message_beginning(ErrorClass::no_kernel, "There were no tensor arguments", {op_.name});
    else if (key == "Meta" && judge_.profile != Profile::torch_1_13)
      message = message_beginning(ErrorClass::no_kernel, "{}: attempted to run this operator", {op_.name});
    raise(ErrorClass::no_kernel, std::move(message), "NotImplementedError");
  }

  /// A kernel of the program.
  std::vector<TensorId> body(const CustomKernel& kernel, std::uint64_t keys) {
    const Restored outer(state_.kernel);
    state_.kernel = RunningKernel{
        kernel.with_keyset ? std::optional(keys) : std::nullopt, number_, kernel.parameters, arguments_, {}};
    const Restored depth(state_.kernels_deep);
    if (++state_.kernels_deep > kDeepestKernels) throw ReferenceLimit("kernels that call each other without end");
    const Restored slots(state_.slots);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const auto* tensor = std::get_if<TensorId>(&arguments_.at(i));
      bind(state_, kernel.parameters[i], tensor != nullptr ? *tensor : kNoTensor);
    }
    const Outcome outcome = run_body(judge_, state_, kernel.statements);
    if (outcome.failure.error != ErrorClass::none) throw Raise{outcome.failure};
    return kernel.returns_passed ? state_.kernel->passed : held_all(state_, kernel.returned);
  }

  /// Autograd's fallback [torch/csrc/autograd/autograd_not_implemented_fallback.cpp,
  /// basicAutogradNotImplementedFallbackImpl].
  std::vector<TensorId> fallback(std::uint64_t keys) {
    const NodeId node = begin();
    const std::vector<TensorId> results = below_autograd(keys);
    if (node == kNoNode) return results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!is_inexact(at(state_, results[i]).dtype)) continue;
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
    const std::vector<TensorId> inputs = tensors_in(arguments_);
    for (const TensorId input : inputs) any = any || Bool<Concrete>(requires_grad_of(judge_, state_, input));
    if (!fallback_records(judge_, is_recorded(judge_, any, state_.tls)).v) return kNoNode;
    Node made;
    made.kind = Node::Kind::fallback;
    for (const TensorId input : inputs) {
      const Edge edge = gradient_edge(judge_, state_, input);
      const Tensor& of = at(state_, input);
      made.inputs.push_back({.edge = edge, .geometry = of.geometry, .dtype = of.dtype, .device = of.device});
    }
    state_.nodes.push_back(std::move(made));
    return static_cast<NodeId>(state_.nodes.size()) - 1;
  }

  /// In a guard, as in Python: a kernel of the program may run in it, and raise.
  std::vector<TensorId> below_autograd(std::uint64_t keys) {
    keys &= keys_after<Concrete>(judge_, layout_, functionality_named(layout_, "AutogradOther"));
    if (!excludes_autograd<Concrete>(judge_, true).v) return redispatch(keys);
    World world(judge_, state_);
    machine::enter<World>(world, {GuardKind::below_autograd});
    try {
      std::vector<TensorId> results = redispatch(keys);
      machine::leave<World>(world, false);
      return results;
    } catch (const Raise&) {
      machine::leave<World>(world, true);
      throw;
    }
  }

  const Judge& judge_;
  State& state_;
  std::int32_t number_;
  const CustomOperator& op_;
  std::vector<Given> arguments_;
  const KeyLayout& layout_;
  const Operator& registered_;
  std::optional<std::uint64_t> handed_;  ///< the key set for the first kernel, if it is not the one that finds it
};

/// Whether the operator's kernel for Functionalize is the program's own.
bool functionalizes_itself(const Judge& judge, const State& state, const CustomOperator& op) {
  const Operator* found = state.registry ? state.registry->defined(op.name) : nullptr;
  const KeyLayout& layout = layout_of(judge.profile);
  const auto key = runtime_key_named(layout, "Functionalize");
  return found != nullptr && key && found->table.at(*key).kernel < kForeign &&
         found->table.at(*key).kernel != kNoKernel;
}

std::vector<TensorId> called(const Judge& judge, State& state, std::int32_t number, std::vector<Given> arguments) {
  const CustomOperator& op = operator_at(state, number);
  if ((functorch::is_on_top(state) || in_body(state)) && functionalizes_itself(judge, state, op))
    throw ReferenceLimit("a functionalized body that calls an operator with its own kernel for Functionalize");
  if (functorch::is_on_top(state))
    return functorch::call_operator(judge, state, op, tensors_in(arguments), [&](const std::vector<TensorId>& below) {
      return called(judge, state, number, with_tensors(arguments, below));
    });
  if (state.layers.empty() && in_body(state)) check_aliasing_operator(judge, op);
  return OperatorCall(judge, state, number, std::move(arguments)).run();
}

/// The key set of a redispatch.
std::uint64_t stepped_keys(const Judge& judge, const State& state, const std::vector<KeyStep>& steps) {
  std::uint64_t keys = 0;
  if (steps.empty() || steps[0].kind != KeyStep::Kind::only) {
    if (!state.kernel || !state.kernel->keys)
      throw std::logic_error("the script redispatches with the key set of a kernel that has none");
    keys = *state.kernel->keys;
  }
  for (const KeyStep& step : steps) keys = stepped(judge, layout_of(judge.profile), keys, step);
  return keys;
}

void refuse_aliasing(const Judge& judge, const std::string& schema) {
  if (!refuses_operator<Concrete>(judge, true).v) return;
  raise(ErrorClass::not_functional,
        judge.profile == Profile::torch_1_13
            ? message_beginning(ErrorClass::not_functional, "!schema.hasAnyAliasInfo()", {})
            : message_beginning(ErrorClass::not_functional, "Found a custom (non-ATen) operator", {schema}));
}

RunningKernel& running_kernel(State& state) {
  if (!state.kernel) throw std::logic_error("the script passes on a kernel's arguments outside a kernel");
  return *state.kernel;
}

}  // namespace

void check_aliasing_operator(const Judge& judge, const CustomOperator& op) {
  const auto says = [](const SchemaValue& tensor) { return !tensor.alias.empty(); };
  if (std::ranges::any_of(op.arguments, says) || std::ranges::any_of(op.returns, says))
    refuse_aliasing(judge, schema_text(op));
}

void check_writing_composite(const Judge& judge, const Op& op) { refuse_aliasing(judge, text("aten::", op.schema)); }

void invoke(const Judge& judge, State& state, const Invoke& invoke) {
  const auto operators = state.operators;
  const std::int32_t number = invoke.op == kCalledOperator ? running_kernel(state).op : invoke.op;
  std::vector<Given> arguments = invoke.passes_arguments
                                     ? running_kernel(state).arguments
                                     : given_values(state, operator_at(state, number), invoke.inputs);
  std::vector<TensorId> results = invoke.redispatch ? OperatorCall(judge, state, number, std::move(arguments))
                                                          .redispatch(stepped_keys(judge, state, *invoke.redispatch))
                                                    : called(judge, state, number, std::move(arguments));
  for (std::size_t i = 0; i < invoke.results.size() && i < results.size(); ++i)
    bind(state, invoke.results[i], results[i]);
  if (invoke.passes_arguments) running_kernel(state).passed = std::move(results);
}

void append_to_log(const Judge& judge, State& state, const AppendToLog& append) {
  if (!append.keys) return state.log.push_back(append.text);
  const std::uint64_t keys = running_kernel(state).keys.value();
  std::string names;
  for (const std::string& name : key_names(layout_of(judge.profile), keys)) names += (names.empty() ? "" : ", ") + name;
  state.log.push_back("DispatchKeySet(" + names + ")");
}

}  // namespace plumbline::reference
