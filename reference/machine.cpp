// The abstract machine: one statement at a time, and whole scripts.
#include "reference/machine.h"

#include <stdexcept>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/rules/tls.h"

namespace plumbline::reference {

namespace {

/// Executes each kind of statement; what it raises is caught in `step`.
struct Execute {
  const Judge& judge;
  State& state;
  Outcome& outcome;

  void operator()(const Call& call) const { call_op(judge, state, call, outcome.kernels); }

  void operator()(const MakeTensor& made) const {
    Fresh fresh{made.sizes, row_major(made.sizes), made.dtype, {}};
    for (const double value : made.values)
      fresh.elements.push_back(element_of({kNoTensor, false, value, 0}, made.dtype));
    const TensorId tensor = make_tensor(judge, state, std::move(fresh), made.requires_grad);
    bind(state, made.result, tensor);
  }

  void operator()(const Enter& enter) const {
    state.frames.push_back({state.tls});
    state.tls = entered(enter);
  }

  Tls entered(const Enter& enter) const {
    const Tls& tls = state.tls;
    const KeySet<Concrete> key = enter.key == GuardKey::ADInplaceOrView
                                     ? KeySet<Concrete>(Functionality::ADInplaceOrView)
                                     : KeySet<Concrete>(Functionality::Autograd) | KeySet<Concrete>(Backend::CPU);
    switch (enter.kind) {
      case GuardKind::inference_mode:
        return enter_inference_mode<Concrete>(judge, tls, enter.value);
      case GuardKind::no_grad:
        return enter_grad_mode<Concrete>(judge, tls, false);
      case GuardKind::enable_grad:
        return enter_grad_mode<Concrete>(judge, tls, true);
      case GuardKind::set_grad_enabled:
        return enter_grad_mode<Concrete>(judge, tls, enter.value);
      case GuardKind::below_autograd:
        return enter_below_autograd(judge, tls);
      case GuardKind::below_ad_inplace_or_view:
        return enter_below_ad_inplace_or_view(judge, tls);
      case GuardKind::exclude_key:
        return enter_exclude(judge, tls, key);
      case GuardKind::include_key:
        return enter_include(judge, tls, key);
      case GuardKind::auto_non_variable_type_mode:
        return enter_auto_non_variable_type_mode(judge, tls);
    }
    throw std::logic_error("a guard that the reference does not know");
  }

  void operator()(const GetData& get) const {
    bind(state, get.result, get_data(judge, state, held(state, get.tensor)));
  }
  void operator()(const SetData& set) const { set_data(judge, state, held(state, set.tensor), held(state, set.data)); }
  void operator()(const Backward& backward) const { run_backward(judge, state, held(state, backward.tensor)); }
  void operator()(const GetGrad& get) const {
    bind(state, get.result, state.tensors[static_cast<std::size_t>(held(state, get.tensor))].grad);
  }

  void operator()(const Exit&) const {
    if (state.frames.empty()) throw std::logic_error("a script leaves a guard that it never entered");
    state.tls = leave_guard<Concrete>(judge, state.frames.back().found, state.tls, false);
    state.frames.pop_back();
  }

  void operator()(const SetRequiresGrad& set) const {
    set_requires_grad(judge, state, held(state, set.tensor), set.value);
  }

  void operator()(const Read& reading) const {
    outcome.reading = read(judge, state, held(state, reading.tensor), reading.field);
    if (const Failure* failure = std::get_if<Failure>(&outcome.reading)) outcome.failure = *failure;
  }

  void operator()(const ReadThread& reading) const { outcome.reading = read_thread(judge, state, reading.field); }

  void operator()(const Snapshot&) const {
    for (int field = 0; field < kThreadFields; ++field)
      outcome.thread.push_back(read_thread(judge, state, static_cast<ThreadField>(field)));
    for (std::size_t slot = 0; slot < state.slots.size(); ++slot) {
      if (state.slots[slot] == kNoTensor) continue;
      TensorReading reading{static_cast<Slot>(slot), {}};
      reading.fields.reserve(kFields);
      for (int field = 0; field < kFields; ++field)
        reading.fields.push_back(read(judge, state, state.slots[slot], static_cast<Field>(field)));
      outcome.tensors.push_back(std::move(reading));
    }
  }

  // Issue 5, in work: each of these gets its meaning.
  void operator()(const SetGrad&) const { not_yet(); }
  void operator()(const RetainGrad&) const { not_yet(); }
  void operator()(const ManualSeed&) const { not_yet(); }
  void operator()(const StartThread&) const { not_yet(); }
  void operator()(const JoinThread&) const { not_yet(); }
  void operator()(const EnterForward&) const { not_yet(); }
  void operator()(const LeaveForward&) const { not_yet(); }
  void operator()(const ContextCall&) const { not_yet(); }
  void operator()(const LoadSaved&) const { not_yet(); }
  [[noreturn]] static void not_yet() { throw ReferenceLimit("a statement that the reference does not know yet"); }

  void operator()(const Try&) const {}
  void operator()(const EndTry&) const {}
};

/// The place of the EndTry that matches the Try around statement `from`.
std::size_t end_of_try(const Script& script, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < script.statements.size(); ++i) {
    if (std::holds_alternative<Try>(script.statements[i].kind)) ++depth;
    if (std::holds_alternative<EndTry>(script.statements[i].kind) && depth-- == 0) return i;
  }
  throw std::logic_error("a script has a Try without an EndTry");
}

}  // namespace

State initial_state(const Judge& judge) {
  State state;
  state.tls = default_tls(judge);
  return state;
}

Outcome step(const Judge& judge, State& state, const Statement& statement) {
  Outcome outcome;
  try {
    std::visit(Execute{judge, state, outcome}, statement.kind);
  } catch (const Raise& raised) {
    outcome.failure = raised.failure;
  } catch (const std::out_of_range&) {
    // The rules of GEO keep every view inside its storage; only a misreading can leave it.
    if (judge.flipped == nullptr) throw std::logic_error("a view reaches outside its storage: a rule of GEO is wrong");
    outcome.failure = {ErrorClass::unclassified, "the misread rule makes a view that reaches outside its storage",
                       "SystemError"};
  }
  return outcome;
}

void unwind(const Judge& judge, State& state, std::size_t depth) {
  while (state.frames.size() > depth) {
    state.tls = leave_guard<Concrete>(judge, state.frames.back().found, state.tls, true);
    state.frames.pop_back();
  }
}

namespace {

/// Steps through a script, its errors included, until `stop` says so of a statement that is about to begin: it is given
/// its place, and how many guards an error in it would leave open.
template <class Stop>
Trace walk(const Judge& judge, State& state, const Script& script, const Stop& stop) {
  std::vector<std::size_t> tries;  // the guards' depth at each open Try
  Trace trace;
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    if (stop(i, tries.empty() ? 0 : tries.back())) return trace;
    const Statement& statement = script.statements[i];
    if (std::holds_alternative<Try>(statement.kind)) tries.push_back(state.frames.size());
    if (std::holds_alternative<EndTry>(statement.kind)) {
      if (tries.empty()) throw std::logic_error("a script has an EndTry without a Try");
      tries.pop_back();
    }
    trace.outcomes.push_back(step(judge, state, statement));
    trace.outcomes.back().statement = i;
    if (trace.outcomes.back().failure.error == ErrorClass::none) continue;
    unwind(judge, state, tries.empty() ? 0 : tries.back());
    if (tries.empty()) {
      trace.completed = false;
      return trace;
    }
    i = end_of_try(script, i + 1) - 1;
  }
  return trace;
}

}  // namespace

Trace run(const Judge& judge, const Script& script) {
  State state = initial_state(judge);
  return walk(judge, state, script, [](std::size_t, std::size_t) { return false; });
}

Trace run(const Judge& judge, const Script& script, const Watch& watch) {
  State state = initial_state(judge);
  return walk(judge, state, script, [&](std::size_t i, std::size_t depth) {
    watch(i, state, depth);
    return false;
  });
}

std::optional<State> state_before(const Judge& judge, const Script& script, std::size_t place) {
  State state = initial_state(judge);
  bool reached = false;
  walk(judge, state, script, [&](std::size_t i, std::size_t) { return reached = i == place; });
  return reached ? std::optional(std::move(state)) : std::nullopt;
}

}  // namespace plumbline::reference
