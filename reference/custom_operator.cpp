// A program's own operators.
#include "reference/custom_operator.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "reference/call.h"
#include "reference/dispatcher/call_keys.h"
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

/// The fallbacks of custom operators, which are the same for each call.
const Fallbacks& fallbacks_in(const KeyLayout& layout) {
  static const KeyLayout& early = layout_of(Profile::torch_1_13);
  static const Fallbacks of_early = with_recording(early), of_others = with_recording(rules_layout());
  return &layout == &early ? of_early : of_others;
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
        fallbacks_(fallbacks_in(layout_)) {
    for (std::size_t i = 0; i < op.kernels.size(); ++i)
      if (const auto key = registration_key_named(layout_, op.kernels[i].key))
        registrations_[*key].push_back(op.kernels[i].falls_through ? kFallthrough : static_cast<KernelId>(i));
  }

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
  Entry entry(RuntimeKey key) const { return entry_of(judge_, layout_, registrations_, fallbacks_, key); }
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
        return found.kernel == kAutogradFallback ? fallback(keys)
                                                 : body(op_.kernels.at(static_cast<std::size_t>(found.kernel)), handed);
      case Arrival::goes_on:
        if (place != kUndefined) return kernel(keys & ~functionality_bit(layout_, place.functionality));
        [[fallthrough]];
      case Arrival::missing:
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
  const Fallbacks& fallbacks_;
  Registrations registrations_;
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

void invoke(const Judge& judge, State& state, const Invoke& invoke) {
  if (state.operators == nullptr) throw std::logic_error("the script calls an operator that it does not define");
  const auto operators = state.operators;
  std::vector<TensorId> inputs = held_all(state, invoke.inputs);
  const CustomOperator& op = operators->at(static_cast<std::size_t>(invoke.op));
  const std::vector<TensorId> results =
      invoke.redispatch
          ? OperatorCall(judge, state, op, std::move(inputs)).redispatch(stepped_keys(judge, state, invoke))
          : called(judge, state, op, std::move(inputs));
  for (std::size_t i = 0; i < invoke.results.size() && i < results.size(); ++i)
    bind(state, invoke.results[i], results[i]);
}

}  // namespace plumbline::reference
