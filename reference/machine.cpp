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

  void operator()(const Call& call) const { call_op(judge, state, call); }

  void operator()(const MakeTensor& made) const {
    Fresh fresh{made.sizes, row_major(made.sizes), made.dtype, {}};
    for (const double value : made.values)
      fresh.elements.push_back(element_of({kNoTensor, false, value, 0}, made.dtype));
    const TensorId tensor = make_tensor(judge, state, std::move(fresh), made.requires_grad);
    const auto slot = static_cast<std::size_t>(made.result);
    if (slot >= state.slots.size()) state.slots.resize(slot + 1, kNoTensor);
    state.slots[slot] = tensor;
  }

  void operator()(const Enter& enter) const {
    state.frames.push_back({state.tls});
    const bool enabled = enter.kind == GuardKind::enable_grad || (enter.kind != GuardKind::no_grad && enter.value);
    state.tls = enter.kind == GuardKind::inference_mode ? enter_inference_mode<Concrete>(judge, state.tls, enabled)
                                                        : enter_grad_mode<Concrete>(judge, state.tls, enabled);
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

Trace run(const Judge& judge, const Script& script) {
  State state = initial_state(judge);
  std::vector<std::size_t> tries;  // the guards' depth at each open Try
  Trace trace;
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
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

}  // namespace plumbline::reference
