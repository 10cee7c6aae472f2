// The abstract machine: one statement at a time, and whole scripts.
#include "reference/machine.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "reference/call.h"
#include "reference/custom_function.h"
#include "reference/custom_operator.h"
#include "reference/devices.h"
#include "reference/dispatcher/call_keys.h"
#include "reference/functionalized.h"
#include "reference/functorch/functorch.h"
#include "reference/given.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "reference/registrations.h"
#include "reference/saved_hooks.h"
#include "reference/transforms/func_grad.h"
#include "reference/transforms/vmap.h"
#include "reference/world.h"
#include "spec/rules/sav.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference {

namespace {

/// Executes each kind of statement. `step` catches its errors.
struct Execute {
  const Judge& judge;
  State& state;
  Outcome& outcome;

  void operator()(const Call& call) const {
    each_argument_slot(call, [this](Slot slot) { refuse_meta(slot); });
    state.kernel ? run(with_numbers(state, call)) : run(call);
  }
  void run(const Call& call) const {
    refuse_captured_write(judge, state, call);
    refuse_as_strided(judge, state, call);
    if (transforms::innermost_is_grad(state)) transforms::check_grad_call(judge, state, call.op, call.arguments);
    const Restored found(state.tls);
    if (op(call.op).kind == OpKind::Out && !state.differentiated.empty() &&
        !transforms::requires_grad_in_body(judge, state, call.op, call.arguments))
      state.tls.grad_mode = false;
    std::vector<KernelRun> unspecified;  // which kernels run in the body of a transform
    call_op(judge, state, call, in_transform(state) ? unspecified : outcome.kernels);
  }

  void refuse_meta(Slot slot) const {
    if (at(state, held(state, slot)).on_meta) throw ReferenceLimit("an op on a meta tensor");
  }
  void refuse_meta(const std::vector<Slot>& slots) const {
    for (const Slot slot : slots) refuse_meta(slot);
  }

  void operator()(const MakeMetaTensor& made) const {
    const TensorId tensor = make_meta_tensor(judge, state, made);
    bind(state, made.result, functorch::literal(judge, state, tensor));
  }

  void operator()(const MakeTensor& made) const {
    const Restored place(state.makes_on);
    state.makes_on = made.on_cpu ? Backend::CPU : test_device(state);
    const TensorId tensor = make_tensor(judge, state, fresh_of(made), made.requires_grad);
    bind(state, made.result, functorch::literal(judge, state, tensor));
  }

  void operator()(const Enter& enter) const {
    const bool keyed = enter.kind == GuardKind::exclude_key || enter.kind == GuardKind::include_key;
    World world(judge, state);
    machine::enter<World>(world, {enter.kind, enter.value, keyed ? keys_named(judge, enter.key) : KeySet<Concrete>()});
  }
  void operator()(const GetData& get) const {
    refuse_meta(get.tensor);
    bind(state, get.result, get_data(judge, state, held(state, get.tensor)));
  }
  void operator()(const SetData& set) const {
    refuse_meta({set.tensor, set.data});
    set_data(judge, state, held(state, set.tensor), held(state, set.data));
  }
  template <class Kind>
  std::vector<Start> starts_of(const Kind& backward) const {
    std::vector<Start> starts;
    for (const Root& root : roots_of(backward))
      starts.push_back({held(state, root.tensor), held_if_any(state, root.gradient)});
    return starts;
  }
  void operator()(const Backward& backward) const {
    run_backward(judge, state, starts_of(backward), {backward.retain_graph, backward.create_graph},
                 held_all(state, backward.inputs));
  }
  void operator()(const GetGradients& get) const {
    const std::vector<TensorId> gradients =
        gradients_of(judge, state, starts_of(get), {get.retain_graph, get.create_graph}, held_all(state, get.inputs),
                     get.allow_unused);
    for (std::size_t i = 0; i < get.results.size(); ++i) bind(state, get.results[i], gradients.at(i));
  }
  void operator()(const GetGrad& get) const {
    bind(state, get.result, state.tensors[static_cast<std::size_t>(held(state, get.tensor))].grad);
  }

  void operator()(const Exit&) const {
    if (state.frames.empty()) throw std::logic_error("the script leaves a guard that it did not enter");
    World world(judge, state);
    machine::leave<World>(world, false);
  }
  void operator()(const EnterSavedTensorsHooks& hooks) const {
    state.frames.push_back({.found = state.tls, .saved_hooks = state.saved_hooks});
    state.saved_hooks.push_back({hooks.pack, hooks.unpack});
  }

  void operator()(const SetRequiresGrad& set) const {
    set_requires_grad(judge, state, held(state, set.tensor), set.value, set.method);
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

  void operator()(const SetGrad& set) const {
    set_grad(judge, state, held(state, set.tensor), held_if_any(state, set.grad));
  }
  void operator()(const RetainGrad& retain) const { retain_grad(judge, state, held(state, retain.tensor)); }
  void operator()(const RegisterHook& hook) const {
    (hook.after ? register_hook_after : register_hook)(judge, state, held(state, hook.tensor), hook.function);
  }
  void operator()(const RemoveHook& hook) const { remove_hook(judge, state, hook.function); }
  void operator()(const ManualSeed& manual) const {
    state.generator.emplace(static_cast<std::mt19937::result_type>(manual.seed));
  }
  void operator()(const StartThread&) const {
    World world(judge, state);
    machine::start_thread(world);
    state.frames.back().thread = true;
    state.frames.back().saved_hooks = state.saved_hooks;
    if (!thread_inherits_saved_hooks(judge).v) state.saved_hooks.clear();
  }
  void operator()(const JoinThread&) const { go_on("joins a thread that it did not start"); }
  void operator()(const PauseThread&) const {
    const auto thread =
        std::find_if(state.frames.rbegin(), state.frames.rend(), [](const Frame& f) { return f.thread; });
    if (thread == state.frames.rend()) throw std::logic_error("the script lets a thread wait that it did not start");
    const std::vector<SavedTensorsHooks> starters = *thread->saved_hooks;
    World world(judge, state);
    machine::pause_thread(world, Tls(thread->found));
    state.frames.back().saved_hooks = std::exchange(state.saved_hooks, starters);
  }
  void operator()(const ResumeThread&) const { go_on("lets a thread go on that does not wait"); }
  /// The thread of the innermost frame goes on, and the frame ends.
  void go_on(const char* trouble) const {
    if (state.frames.empty()) throw std::logic_error(std::string("the script ") + trouble);
    World world(judge, state);
    machine::go_on(world);
  }
  void operator()(const EnterForward& enter) const {
    refuse_meta(enter.inputs);
    enter_forward(judge, state, enter);
  }
  void operator()(const LeaveForward& leave) const { leave_forward(judge, state, leave); }
  void operator()(const ContextCall& call) const {
    const auto forward = std::find_if(state.frames.rbegin(), state.frames.rend(),
                                      [](const Frame& frame) { return frame.forward.has_value(); });
    if (forward == state.frames.rend()) throw std::logic_error("the script uses ctx outside a forward");
    call_context(state, *forward, call);
  }
  void operator()(const LoadSaved& load) const { load_saved(judge, state, load); }
  void operator()(const Invoke& called) const {
    if (in_transform(state)) throw ReferenceLimit("an operator of the program's own in the body of a transform");
    invoke(judge, state, called);
  }
  void operator()(const MakeLibrary& make) const { make_library(judge, state, make); }
  void operator()(const DefineOperator& define) const { define_operator(judge, state, define); }
  void operator()(const AddKernel& add) const { add_kernel(judge, state, add); }
  void operator()(const AddFallback& add) const { add_fallback(judge, state, add); }
  void operator()(const DropLibrary& drop) const { drop_library(judge, state, drop); }
  void operator()(const QueryKernel& query) const { outcome.reading = query_kernel(judge, state, query); }
  void operator()(const QueryThreadKey& query) const { outcome.reading = query_thread_key(judge, state, query); }
  void operator()(const RaiseError& raised) const { raise(ErrorClass::raised, raised.message); }
  void operator()(const AppendToLog& append) const { append_to_log(judge, state, append); }
  void operator()(const ReadLog&) const { outcome.reading = state.log; }
  void operator()(const ClearLog&) const { state.log.clear(); }
  void operator()(const EnterFunctionalize& enter) const {
    refuse_meta(enter.inputs);
    if (state.two_devices) throw ReferenceLimit("a functionalized body in a program of two devices");
    enter_functionalize(judge, state, enter);
  }
  void operator()(const EnterTransform& enter) const {
    refuse_meta(enter.inputs);
    if (!state.layers.empty())
      throw ReferenceLimit("the body of another transform in a functionalized one, as PyTorch ships it");
    note_in_body(state, Statement{enter, 0});
    transforms::enter(judge, state, enter);
  }
  void operator()(const LeaveTransform& leave) const { transforms::leave(judge, state, leave); }
  void operator()(const LeaveFunctionalize& leave) const { leave_functionalize(judge, state, leave); }

  void operator()(const Try&) const {}
  void operator()(const EndTry&) const {}
};

/// The end of the block that is open before `from`.
template <class Begin, class End>
std::size_t end_of(const std::vector<Statement>& statements, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < statements.size(); ++i) {
    if (std::holds_alternative<Begin>(statements[i].kind)) ++depth;
    if (std::holds_alternative<End>(statements[i].kind) && depth-- == 0) return i;
  }
  throw std::logic_error("the script does not end a Try or a thread");
}

/// Where a thread's starter goes on if the thread has ended before `from`: where the thread would wait, or its end.
std::size_t after_thread(const std::vector<Statement>& statements, std::size_t from) {
  for (std::size_t i = from; i < statements.size(); ++i) {
    const StatementKind& kind = statements[i].kind;
    if (std::holds_alternative<PauseThread>(kind) || std::holds_alternative<JoinThread>(kind)) return i;
    if (std::holds_alternative<StartThread>(kind)) i = end_of<StartThread, JoinThread>(statements, i + 1);
  }
  throw std::logic_error("the script does not end a thread");
}

}  // namespace

namespace {

/// The rules of GEO keep every view inside its storage; only a misreading can break that.
void left_memory(const Judge& judge, Outcome& outcome) {
  if (judge.flipped == nullptr) throw std::logic_error("a view reaches outside its storage: a rule of GEO is wrong");
  outcome.failure = {ErrorClass::unclassified, "the misread rule makes a view that reaches outside its storage",
                     "SystemError"};
}

}  // namespace

State initial_state(const Judge& judge) {
  State state;
  state.tls = default_tls(judge);
  return state;
}

State initial_state(const Judge& judge, const Script& script) {
  State state = initial_state(judge);
  state.functions = script.functions;
  state.two_devices = has_two_devices(script);
  state.makes_on = test_device(state);
  state.bodies_as_specified = has_transform_in_functionalized_body(script);
  if (!script.operators.empty())
    state.operators = std::make_shared<const std::vector<CustomOperator>>(script.operators);
  if (!script.kernels.empty()) state.kernels = std::make_shared<const std::vector<CustomKernel>>(script.kernels);
  return state;
}

Outcome step(const Judge& judge, State& state, const Statement& statement) {
  Outcome outcome;
  try {
    std::visit(Execute{judge, state, outcome}, statement.kind);
    const auto is = [&]<class... Kind>() { return (... || std::holds_alternative<Kind>(statement.kind)); };
    if (is.operator()<Call, MakeTensor, Invoke, Enter, Exit>()) note_in_body(state, statement);
  } catch (const Raise& raised) {
    outcome.failure = raised.failure;
  } catch (const std::out_of_range&) {
    left_memory(judge, outcome);
  } catch (const std::length_error&) {
    left_memory(judge, outcome);
  } catch (const std::bad_alloc&) {
    left_memory(judge, outcome);
  }
  return outcome;
}

void unwind(const Judge& judge, State& state, std::size_t depth) {
  while (state.frames.size() > depth) {
    if (state.frames.back().before != nullptr) abandon_functionalize(judge, state);
    if (state.frames.back().variables) transforms::abandon(judge, state);
    World world(judge, state);
    machine::leave<World>(world, true);
  }
}

namespace {

/// An open Try or thread, in which an error ends, or the wait of a thread.
struct Catch {
  enum class Kind : std::uint8_t { tried, thread, wait };
  Kind kind;
  std::size_t depth;   ///< the number of frames when it began
  bool ended = false;  ///< of a thread: an error has ended it
};

std::optional<Catch::Kind> begun_by(const StatementKind& kind) {
  if (std::holds_alternative<Try>(kind)) return Catch::Kind::tried;
  if (std::holds_alternative<StartThread>(kind)) return Catch::Kind::thread;
  if (std::holds_alternative<PauseThread>(kind)) return Catch::Kind::wait;
  return std::nullopt;
}
std::optional<Catch::Kind> ended_by(const StatementKind& kind) {
  if (std::holds_alternative<EndTry>(kind)) return Catch::Kind::tried;
  if (std::holds_alternative<JoinThread>(kind)) return Catch::Kind::thread;
  if (std::holds_alternative<ResumeThread>(kind)) return Catch::Kind::wait;
  return std::nullopt;
}

/// How many are left when an error has reached the one in which it ends. An error of a thread's starter also ends the
/// thread that waits meanwhile.
std::size_t left_by_error(const std::vector<Catch>& open) {
  std::size_t left = open.size();
  while (left > 1 && open[left - 1].kind == Catch::Kind::wait) left -= 2;
  return left;
}

/// Steps through statements and their errors until `stop` is true for the next one. `stop` receives its place, and the
/// number of frames that stay open if it raises an error.
template <class Stop>
Trace walk(const Judge& judge, State& state, const std::vector<Statement>& statements, const Stop& stop) {
  std::vector<Catch> open;
  const std::size_t outside = state.frames.size();
  Trace trace;
  const auto depth_after_error = [&] {
    const std::size_t left = left_by_error(open);
    return left == 0 ? outside : open[left - 1].depth;
  };
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (stop(i, depth_after_error())) return trace;
    const StatementKind& kind = statements[i].kind;
    if (const auto ended = ended_by(kind)) {
      if (open.empty() || open.back().kind != *ended)
        throw std::logic_error("the script ends a block that is not the innermost one");
      open.pop_back();
    }
    trace.outcomes.push_back(step(judge, state, statements[i]));
    trace.outcomes.back().statement = i;
    if (const auto begun = begun_by(kind)) open.push_back({*begun, state.frames.size()});
    if (trace.outcomes.back().failure.error != ErrorClass::none) {
      unwind(judge, state, depth_after_error());
      open.resize(left_by_error(open));
      if (open.empty()) {
        trace.completed = false;
        return trace;
      }
      open.back().ended = open.back().kind == Catch::Kind::thread;
      if (!open.back().ended) i = end_of<Try, EndTry>(statements, i + 1) - 1;
    }
    if (!open.empty() && open.back().ended) i = after_thread(statements, i + 1) - 1;
  }
  return trace;
}

}  // namespace

Trace run(const Judge& judge, const Script& script) {
  State state = initial_state(judge, script);
  return walk(judge, state, script.statements, [](std::size_t, std::size_t) { return false; });
}

Outcome run_body(const Judge& judge, State& state, const std::vector<Statement>& statements) {
  Trace trace = walk(judge, state, statements, [](std::size_t, std::size_t) { return false; });
  return trace.outcomes.empty() ? Outcome{} : std::move(trace.outcomes.back());
}

Trace run(const Judge& judge, const Script& script, const Watch& watch) {
  State state = initial_state(judge, script);
  return walk(judge, state, script.statements, [&](std::size_t i, std::size_t depth) {
    watch(i, state, depth);
    return false;
  });
}

std::optional<State> state_before(const Judge& judge, const Script& script, std::size_t place) {
  State state = initial_state(judge, script);
  bool reached = false;
  walk(judge, state, script.statements, [&](std::size_t i, std::size_t) { return reached = i == place; });
  return reached ? std::optional(std::move(state)) : std::nullopt;
}

}  // namespace plumbline::reference
