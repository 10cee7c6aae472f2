// Running a script on an implementation: its variables, its blocks and its errors.
#pragma once

#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "adapters/walk/blocks.h"
#include "adapters/walk/context.h"
#include "adapters/walk/kernels.h"
#include "adapters/walk/restored.h"
#include "adapters/walk/slots.h"
#include "adapters/walk/turns.h"

namespace plumbline::walk {

/// An error that is already in the trace, on its way to the `Try` around a custom function's body.
struct Recorded : std::exception {
  const char* what() const noexcept override { return "an error that is already in the trace"; }
};

/// Walks one script. `Traits` has the operations of the implementation, all static:
///   Tensor, a handle with `defined()`; Guard, whose destructor leaves what `enter(const Enter&)` entered;
///   ThreadState, which prepares the calling thread, and whose destructor restores its state;
///   call(const Call&, slots, Outcome&), which returns the results and may show kernels; make_tensor(const
///   MakeTensor&), make_meta_tensor(const MakeMetaTensor&); set_requires_grad, requires_grad_method, get_data,
///   set_data, backward, get_gradients, get_grad, set_grad, retain_grad, manual_seed, as in Python; Hook, a handle with
///   remove(), and register_hook(tensor, function), where an undefined result means None; register_hook_after(tensor,
///   function), likewise, for a hook after accumulation, whose result is undefined; saved_tensors_hooks(pack, unpack),
///   a Guard; Operators, made from the script and a function that runs a kernel by its number, the called operator's,
///   its tensors and its key set, with make, define, add and drop for the statements that register, answer(query),
///   call(number, tensors), redispatch(number, keys, tensors) and KeyTypes [key_steps.h]; answer(QueryThreadKey);
///   apply(Bodies, inputs); functionalize(body, Remove, inputs), vmap(body, Vmap, out_dims, inputs) and func_grad(body,
///   Grad, inputs), where body takes one parameter for each input and returns its results; read(slots, slot, Field),
///   read(ThreadField); current_failure(), for the error being handled; raise_value_error(message), which raises the
///   implementation's own error.
/// Errors derive from std::exception; Unsupported ends the run.
template <class Traits>
class Walk {
 public:
  using Tensor = typename Traits::Tensor;
  using Tensors = std::vector<Tensor>;

  explicit Walk(const Script& script) : script_(script), slots_(script.names.size()), kernels_(*this, script) {
    for (const CustomBackward& function : script.functions)
      backwards_.push_back({function.statements, ends_of_blocks(function.statements), false});
  }

  /// Runs the script with fresh variables, and restores the thread's state. Throws Unsupported.
  Trace trace() {
    const Body whole{script_.statements, ends_of_blocks(script_.statements), true};
    {
      const typename Traits::ThreadState found;
      try {
        go(whole, 0, whole.statements.size());
      } catch (const Recorded&) {
        trace_.completed = false;
      }
    }
    if (unsupported_) throw Unsupported(*unsupported_);
    return std::move(trace_);
  }

 private:
  using Ctx = Context<Tensor>;
  using Operators = typename Traits::Operators;
  friend class Kernels<Walk>;

  Slots<Tensor>& slots() { return slots_; }
  void keep(const Unsupported& unsupported) { unsupported_ = unsupported; }

  /// An open block: a guard, or a `Try` that began at a statement.
  struct Block {
    typename Traits::Guard guard;
    std::optional<std::size_t> tried;
  };
  /// Destroyed from the last block on: a guard restores the thread's state before it.
  struct Blocks : std::vector<Block> {
    Blocks() = default;
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() {
      while (!this->empty()) this->pop_back();
    }
  };
  /// The current place of the run.
  struct Place {
    const Body& body;
    Blocks& blocks;
    std::size_t at;    ///< the statement that runs
    std::size_t next;  ///< the statement after it; a block that runs as a whole moves it
    Outcome& outcome;
    Turns* turns;  ///< of the innermost thread, if the statements are the thread's own
  };

  /// Runs the statements from `first` up to `last`, without `last`. If an error ends the body, throws Recorded, or the
  /// error itself if the body is not observed.
  void go(const Body& body, std::size_t first, std::size_t last, Turns* turns = nullptr) {
    Blocks blocks;
    for (std::size_t i = first; i < last;) {
      Outcome outcome;
      outcome.statement = i;
      Place place{body, blocks, i, i + 1, outcome, turns};
      try {
        std::visit([&](const auto& statement) { step(statement, place); }, body.statements[i].kind);
        outcome.statement = place.at;
        if (body.observed) trace_.outcomes.push_back(std::move(outcome));
        i = place.next;
      } catch (const Abandoned&) {
        throw;
      } catch (const std::exception& error) {
        if (body.observed && dynamic_cast<const Recorded*>(&error) == nullptr) {
          outcome.statement = place.at;
          const auto* raised = dynamic_cast<const RaisedByScript*>(&error);
          outcome.failure = raised != nullptr ? Failure{ErrorClass::raised, raised->what(), "RuntimeError"}
                                              : Traits::current_failure();
          trace_.outcomes.push_back(std::move(outcome));
        }
        while (!blocks.empty() && !blocks.back().tried) blocks.pop_back();
        if (blocks.empty() && body.observed) throw Recorded();
        if (blocks.empty()) throw;
        i = body.ends[*blocks.back().tried];
      }
    }
  }

  void passed(const Place& place, std::size_t statement) {
    if (!place.body.observed) return;
    trace_.outcomes.emplace_back();
    trace_.outcomes.back().statement = statement;
  }

  void bind(Slot slot, Tensor tensor) {
    const auto i = static_cast<std::size_t>(slot);
    if (i >= slots_.size()) throw_no_slot(i, slots_.size());
    slots_[i] = std::move(tensor);
  }
  /// `a, b = …`.
  void unpack(const std::vector<Slot>& targets, Tensors results) {
    const std::string wanted = std::to_string(targets.size());
    if (results.size() > targets.size())
      Traits::raise_value_error("too many values to unpack (expected " + wanted + ")");
    if (results.size() < targets.size())
      Traits::raise_value_error("not enough values to unpack (expected " + wanted + ", got " +
                                std::to_string(results.size()) + ")");
    for (std::size_t r = 0; r < results.size(); ++r) bind(targets[r], std::move(results[r]));
  }
  const Tensor& tensor(Slot slot) const { return held<Tensor>(slots_, slot); }
  Tensor tensor_or_none(const std::optional<Slot>& slot) const { return slot ? tensor(*slot) : Tensor(); }
  Tensors tensors(const std::vector<Slot>& slots) const {
    Tensors all;
    for (const Slot slot : slots) all.push_back(tensor(slot));
    return all;
  }

  /// The tensors from which a statement starts backward, and a gradient for each, undefined for none.
  template <class Kind>
  std::pair<Tensors, Tensors> roots_and_gradients(const Kind& statement) const {
    std::pair<Tensors, Tensors> all;
    for (const Root& root : roots_of(statement)) {
      all.first.push_back(tensor(root.tensor));
      all.second.push_back(tensor_or_none(root.gradient));
    }
    return all;
  }

  void step(const Call& statement, Place& place) {
    const auto run = [&](const Call& call) { return Traits::call(call, slots_, place.outcome); };
    auto results = kernels_.is_running() ? run(kernels_.with_numbers(statement)) : run(statement);
    if (transformed_) place.outcome.kernels.clear();  // kernels inside the body of a transform are not specified
    const std::size_t wanted = statement.results.size();
    if (wanted == 0) return;
    const Op& called = plumbline::op(statement.op);
    if (!called.many_results && wanted != 1 && results.size() == 1)
      throw Unsupported{std::to_string(wanted) + " results of " + std::string(called.name) +
                        ", which returns one tensor"};
    unpack(statement.results, std::move(results));
  }
  void step(const MakeMetaTensor& statement, Place&) { bind(statement.result, Traits::make_meta_tensor(statement)); }
  void step(const MakeTensor& statement, Place&) { bind(statement.result, Traits::make_tensor(statement)); }
  void step(const Enter& statement, Place& place) { place.blocks.push_back({Traits::enter(statement), std::nullopt}); }
  void step(Exit, Place& place) { place.blocks.pop_back(); }
  void step(Try, Place& place) { place.blocks.push_back({nullptr, place.at}); }
  void step(EndTry, Place& place) { place.blocks.pop_back(); }
  void step(const SetRequiresGrad& statement, Place&) {
    if (statement.method)
      Traits::requires_grad_method(tensor(statement.tensor), statement.value);
    else
      Traits::set_requires_grad(tensor(statement.tensor), statement.value);
  }
  void step(const GetData& statement, Place&) { bind(statement.result, Traits::get_data(tensor(statement.tensor))); }
  void step(const SetData& statement, Place&) { Traits::set_data(tensor(statement.tensor), tensor(statement.data)); }
  void step(const Backward& statement, Place&) {
    const auto [roots, gradients] = roots_and_gradients(statement);
    Traits::backward(roots, gradients, statement.retain_graph, statement.create_graph, tensors(statement.inputs));
  }
  void step(const GetGradients& statement, Place&) {
    const auto [roots, gradients] = roots_and_gradients(statement);
    Tensors found = Traits::get_gradients(roots, tensors(statement.inputs), gradients, statement.retain_graph,
                                          statement.create_graph, statement.allow_unused);
    if (!statement.results.empty()) unpack(statement.results, std::move(found));
  }
  void step(const GetGrad& statement, Place&) { bind(statement.result, Traits::get_grad(tensor(statement.tensor))); }
  void step(const SetGrad& statement, Place&) {
    Traits::set_grad(tensor(statement.tensor), tensor_or_none(statement.grad));
  }
  void step(const RetainGrad& statement, Place&) { Traits::retain_grad(tensor(statement.tensor)); }
  void step(const RegisterHook& statement, Place&) {
    const auto hook = hook_of(statement.function);
    const Tensor& hooked = tensor(statement.tensor);
    hooks_.insert_or_assign(statement.function, statement.after ? Traits::register_hook_after(hooked, hook)
                                                                : Traits::register_hook(hooked, hook));
  }
  auto hook_of(std::int32_t number) {
    const auto function = static_cast<std::size_t>(number);
    if (function >= backwards_.size()) throw Unsupported{"no such hook: " + std::to_string(function)};
    return [this, function](const Tensor& given) { return run_backward(function, {given}).front(); };
  }
  void step(const EnterSavedTensorsHooks& statement, Place& place) {
    place.blocks.push_back(
        {Traits::saved_tensors_hooks(hook_of(statement.pack), hook_of(statement.unpack)), std::nullopt});
  }
  void step(const RemoveHook& statement, Place&) {
    if (const auto found = hooks_.find(statement.function); found != hooks_.end()) found->second.remove();
  }
  void step(const ManualSeed& statement, Place&) { Traits::manual_seed(static_cast<std::uint64_t>(statement.seed)); }

  /// An error that nothing inside the thread catches ends only the thread.
  void step(StartThread, Place& place) {
    const Body& body = place.body;
    const std::size_t end = body.ends[place.at];
    std::size_t from = place.at + 1;
    passed(place, place.at);
    Turns thread([&body, this, from, end](Turns& turns) {
      const typename Traits::ThreadState own;
      go(body, from, end, &turns);
    });
    while (true) {
      thread.rethrow();
      const auto pause = thread.waits_at() ? thread.waits_at() : next_pause(body, from, end);
      if (!pause) break;
      const std::size_t resume = body.ends[*pause];
      passed(place, *pause);
      go(body, *pause + 1, resume, place.turns);
      if (thread.waits_at())
        thread.go_on();
      else
        passed(place, resume);
      from = resume + 1;
    }
    place.at = end;
    place.next = end + 1;
  }
  void step(PauseThread, Place& place) {
    if (place.turns == nullptr) throw Unsupported{"a thread waits that no other thread started"};
    const std::size_t resume = place.body.ends[place.at];
    place.turns->pause(place.at);
    place.at = resume;
    place.next = resume + 1;
  }

  void step(const EnterForward& statement, Place& place) {
    const std::size_t end = place.body.ends[place.at], from = place.at + 1;
    const auto& leave = std::get<LeaveForward>(place.body.statements[end].kind);
    const auto function = static_cast<std::size_t>(statement.function);
    if (function >= backwards_.size()) throw Unsupported{"no such custom function: " + std::to_string(function)};
    const auto forward = [&](Ctx& context) {
      const Inside inside(*this, context);
      go(place.body, from, end);
      return tensors(leave.returned);
    };
    const auto gradients_of = [this, function](Ctx& context, const Tensors& gradients) {
      const Inside inside(*this, context);
      return run_backward(function, gradients);
    };
    passed(place, place.at);
    place.at = end;
    unpack(leave.results, Traits::apply(Bodies<Tensor>{forward, gradients_of}, tensors(statement.inputs)));
    place.next = end + 1;
  }

  /// An autograd engine expects std::exception, so Unsupported is kept and thrown after the run.
  Tensors run_backward(std::size_t function, const Tensors& gradients) {
    const CustomBackward& body = script_.functions[function];
    const RestoredVariables ends(slots_);
    try {
      unpack(body.gradients, gradients);
      go(backwards_[function], 0, body.statements.size());
      Tensors returned;
      for (const auto& slot : body.returned) returned.push_back(tensor_or_none(slot));
      return returned;
    } catch (const Unsupported& unsupported) {
      unsupported_ = unsupported;
      throw std::runtime_error(unsupported.why);
    }
  }

  void step(const Invoke& statement, Place&) { kernels_.step(statement); }
  void step(const MakeLibrary& statement, Place&) { kernels_.step(statement); }
  void step(const DefineOperator& statement, Place&) { kernels_.step(statement); }
  void step(const AddKernel& statement, Place&) { kernels_.step(statement); }
  void step(const AddFallback& statement, Place&) { kernels_.step(statement); }
  void step(const DropLibrary& statement, Place&) { kernels_.step(statement); }
  void step(const QueryKernel& query, Place& place) { place.outcome.reading = kernels_.answer(query); }
  void step(const QueryThreadKey& query, Place& place) { place.outcome.reading = Traits::answer(query); }

  void step(const RaiseError& statement, Place&) { throw RaisedByScript(statement.message); }
  void step(const AppendToLog& statement, Place&) {
    log_.push_back(statement.keys ? kernels_.key_set_text() : statement.text);
  }
  void step(ReadLog, Place& place) { place.outcome.reading = log_; }
  void step(ClearLog, Place&) { log_.clear(); }

  void step(const ContextCall& statement, Place&) { context().mark(statement.kind, tensors(statement.tensors)); }
  void step(const LoadSaved& statement, Place&) { unpack(statement.results, context().saved()); }
  void step(const Read& statement, Place& place) {
    tensor(statement.tensor);
    place.outcome.reading = Traits::read(slots_, static_cast<std::size_t>(statement.tensor), statement.field);
  }
  void step(const ReadThread& statement, Place& place) { place.outcome.reading = Traits::read(statement.field); }
  void step(Snapshot, Place& place) { snapshot<Traits>(slots_, place.outcome); }
  void step(JoinThread, Place&) { throw Unsupported{"a thread ends that never began"}; }
  void step(ResumeThread, Place&) { throw Unsupported{"a thread goes on that does not wait"}; }
  void step(const EnterFunctionalize& statement, Place& place) {
    const auto& leave = std::get<LeaveFunctionalize>(place.body.statements[place.body.ends[place.at]].kind);
    run_body(statement, leave, place, [&](const auto& body, const Tensors& inputs) {
      return Traits::functionalize(body, statement.remove, inputs);
    });
  }
  /// Gives `transform` the statements of a body as a function, and the inputs; it returns what the caller gets.
  template <class Enter, class Leave, class Function>
  void run_body(const Enter& statement, const Leave& leave, Place& place, const Function& transform) {
    const std::size_t end = place.body.ends[place.at], from = place.at + 1;
    const Tensors inputs = tensors(statement.inputs);
    const auto body = [&](Tensors parameters) {
      passed(place, place.at);  // an error before the body begins is an error of its call
      place.at = end;
      unpack(statement.parameters, std::move(parameters));
      go(place.body, from, end);
      return tensors(leave.returned);
    };
    Tensors results;
    {
      const RestoredVariables ends(slots_);
      const Restored transformed(transformed_);
      transformed_ = true;
      results = transform(body, inputs);
    }
    unpack(leave.results, std::move(results));
    place.next = end + 1;
  }
  void step(const EnterTransform& statement, Place& place) {
    const auto& leave = std::get<LeaveTransform>(place.body.statements[place.body.ends[place.at]].kind);
    run_body(statement, leave, place, [&](const auto& body, const Tensors& inputs) {
      if (const auto* grad = std::get_if<Grad>(&statement.transform)) return Traits::func_grad(body, *grad, inputs);
      return Traits::vmap(body, std::get<Vmap>(statement.transform), leave.out_dims, inputs);
    });
  }
  void step(const LeaveTransform&, Place&) { throw Unsupported{"the body of a transform ends that never began"}; }
  void step(const LeaveFunctionalize&, Place&) { throw Unsupported{"a functionalized body ends that never began"}; }
  void step(const LeaveForward&, Place&) { throw Unsupported{"a forward body ends that never began"}; }

  Ctx& context() const {
    if (contexts_.empty()) throw Unsupported{"`ctx` is used outside a custom function's body"};
    return *contexts_.back();
  }
  /// While a custom function's body runs, `ctx` is its context.
  class Inside {
   public:
    Inside(Walk& run, Ctx& context) : run_(run) { run.contexts_.push_back(&context); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { run_.contexts_.pop_back(); }

   private:
    Walk& run_;
  };

  const Script& script_;
  std::vector<Body> backwards_;
  Slots<Tensor> slots_;
  Trace trace_;
  std::map<std::int32_t, typename Traits::Hook> hooks_;  ///< by function
  std::vector<Ctx*> contexts_;
  std::vector<std::string> log_;
  bool transformed_ = false;  ///< the body of a transform is running
  std::optional<Unsupported> unsupported_;
  Kernels<Walk> kernels_;
};

}  // namespace plumbline::walk
