// One script's way through an implementation: its variables, its blocks, and where an error leads.
#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/walk/blocks.h"
#include "oracle/walk/context.h"
#include "oracle/walk/slots.h"

namespace plumbline::walk {

/// An error that is in the trace already is on its way to the `Try` around a custom function's body.
struct Recorded : std::exception {
  const char* what() const noexcept override { return "an error that is in the trace already"; }
};

/// Statements that are run in order, and whether the trace has their outcomes: those of a backward body it has not.
struct Body {
  const std::vector<Statement>& statements;
  std::vector<std::size_t> ends;
  bool observed;
};

/// Walks one script. `Traits` has what the implementation does, all of it static:
///   Tensor, a handle with `defined()`; Guard, which leaves what `enter(const Enter&)` entered when it is gone;
///   ThreadState, which puts back at its end what it found of the calling thread's state;
///   call(const Call&, slots, Outcome&), which gives the results and may show kernels; make_tensor(const MakeTensor&);
///   set_requires_grad, requires_grad_method, get_data, set_data, backward, get_grad, set_grad, retain_grad,
///   manual_seed, as Python has them; apply(Bodies, inputs); functionalize(body, Remove, inputs), where body takes
///   parameters, as many as inputs, and gives its results;
///   read(slots, slot, Field), read(ThreadField); current_failure(), of the error being handled;
///   raise_value_error(message), as the implementation raises.
/// Errors are of std::exception; Unsupported ends the run.
template <class Traits>
class Walk {
 public:
  using Tensor = typename Traits::Tensor;
  using Tensors = std::vector<Tensor>;

  explicit Walk(const Script& script) : script_(script), slots_(script.names.size()) {
    for (const CustomBackward& function : script.functions)
      backwards_.push_back({function.statements, ends_of_blocks(function.statements), false});
  }

  /// Runs the script with fresh variables, and leaves the thread as it found it. Throws Unsupported.
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

  /// An open block: a guard, or a `Try` that began at a statement.
  struct Block {
    typename Traits::Guard guard;
    std::optional<std::size_t> tried;
  };
  /// The last block first: a guard gives the thread back what it found.
  struct Blocks : std::vector<Block> {
    Blocks() = default;
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() {
      while (!this->empty()) this->pop_back();
    }
  };
  /// Where the run stands.
  struct Place {
    const Body& body;
    Blocks& blocks;
    std::size_t at;    ///< the statement that runs
    std::size_t next;  ///< the one behind it; a block that was run as a whole moves it
    Outcome& outcome;
  };

  /// Runs the statements from `first` to before `last`. Throws Recorded, or in a body that is not observed the error
  /// itself, where an error ends it.
  void go(const Body& body, std::size_t first, std::size_t last) {
    Blocks blocks;
    for (std::size_t i = first; i < last;) {
      Outcome outcome;
      outcome.statement = i;
      Place place{body, blocks, i, i + 1, outcome};
      try {
        std::visit([&](const auto& statement) { step(statement, place); }, body.statements[i].kind);
        outcome.statement = place.at;
        if (body.observed) trace_.outcomes.push_back(std::move(outcome));
        i = place.next;
      } catch (const std::exception& error) {
        if (body.observed && dynamic_cast<const Recorded*>(&error) == nullptr) {
          outcome.statement = place.at;
          outcome.failure = Traits::current_failure();
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

  void step(const Call& statement, Place& place) {
    auto results = Traits::call(statement, slots_, place.outcome);
    if (functionalized_) place.outcome.kernels.clear();  // how a body is transformed is nobody's business
    const std::size_t wanted = statement.results.size();
    if (wanted == 0) return;
    const Op& called = plumbline::op(statement.op);
    if (!called.many_results && wanted != 1 && results.size() == 1)
      throw Unsupported{std::to_string(wanted) + " results of " + std::string(called.name) +
                        ", which gives one tensor"};
    unpack(statement.results, std::move(results));
  }
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
    Traits::backward(tensor(statement.tensor), tensor_or_none(statement.gradient), statement.retain_graph);
  }
  void step(const GetGrad& statement, Place&) { bind(statement.result, Traits::get_grad(tensor(statement.tensor))); }
  void step(const SetGrad& statement, Place&) {
    Traits::set_grad(tensor(statement.tensor), tensor_or_none(statement.grad));
  }
  void step(const RetainGrad& statement, Place&) { Traits::retain_grad(tensor(statement.tensor)); }
  void step(const ManualSeed& statement, Place&) { Traits::manual_seed(static_cast<std::uint64_t>(statement.seed)); }

  /// A thread's error that nothing inside catches ends the thread alone.
  void step(StartThread, Place& place) {
    const std::size_t end = place.body.ends[place.at];
    passed(place, place.at);
    std::exception_ptr trouble;
    std::thread thread([&, from = place.at + 1] {
      try {
        go(place.body, from, end);
      } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is in the trace
      } catch (...) {
        trouble = std::current_exception();
      }
    });
    thread.join();
    if (trouble) std::rethrow_exception(trouble);
    place.at = end;
    place.next = end + 1;
  }

  void step(const EnterForward& statement, Place& place) {
    const std::size_t end = place.body.ends[place.at], from = place.at + 1;
    const auto& leave = std::get<LeaveForward>(place.body.statements[end].kind);
    const auto function = static_cast<std::size_t>(statement.function);
    if (function >= backwards_.size())
      throw Unsupported{"a custom function " + std::to_string(function) + " that is none"};
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

  /// The names of a backward body end with it.
  class Locals {
   public:
    explicit Locals(Slots<Tensor>& slots) : slots_(slots), found_(slots) {}
    Locals(const Locals&) = delete;
    Locals& operator=(const Locals&) = delete;
    ~Locals() { slots_ = std::move(found_); }

   private:
    Slots<Tensor>& slots_;
    Slots<Tensor> found_;
  };

  class FunctionalizedBody {
   public:
    explicit FunctionalizedBody(bool& inside) : inside_(inside), found_(inside) { inside = true; }
    FunctionalizedBody(const FunctionalizedBody&) = delete;
    FunctionalizedBody& operator=(const FunctionalizedBody&) = delete;
    ~FunctionalizedBody() { inside_ = found_; }

   private:
    bool& inside_;
    bool found_;
  };

  /// Engine code is no place for what is no std::exception: it waits until the run has ended.
  Tensors run_backward(std::size_t function, const Tensors& gradients) {
    const CustomBackward& body = script_.functions[function];
    const Locals ends(slots_);
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

  void step(const ContextCall& statement, Place&) { context().mark(statement.kind, tensors(statement.tensors)); }
  void step(const LoadSaved& statement, Place&) { unpack(statement.results, context().saved()); }
  void step(const Read& statement, Place& place) {
    tensor(statement.tensor);
    place.outcome.reading = Traits::read(slots_, static_cast<std::size_t>(statement.tensor), statement.field);
  }
  void step(const ReadThread& statement, Place& place) { place.outcome.reading = Traits::read(statement.field); }
  void step(Snapshot, Place& place) { snapshot<Traits>(slots_, place.outcome); }
  void step(JoinThread, Place&) { throw Unsupported{"a thread that ends and never began"}; }
  /// The names of the body end with it.
  void step(const EnterFunctionalize& statement, Place& place) {
    const std::size_t end = place.body.ends[place.at], from = place.at + 1;
    const auto& leave = std::get<LeaveFunctionalize>(place.body.statements[end].kind);
    const Tensors inputs = tensors(statement.inputs);
    const auto body = [&](Tensors parameters) {
      passed(place, place.at);  // what fails before the body begins is an error of its call
      place.at = end;
      unpack(statement.parameters, std::move(parameters));
      go(place.body, from, end);
      return tensors(leave.returned);
    };
    Tensors results;
    {
      const Locals ends(slots_);
      const FunctionalizedBody functionalized(functionalized_);
      results = Traits::functionalize(body, statement.remove, inputs);
    }
    unpack(leave.results, std::move(results));
    place.next = end + 1;
  }
  void step(const LeaveFunctionalize&, Place&) { throw Unsupported{"a functionalized body that ends and never began"}; }
  void step(const LeaveForward&, Place&) { throw Unsupported{"a forward body that ends and never began"}; }

  Ctx& context() const {
    if (contexts_.empty()) throw Unsupported{"`ctx` outside a custom function's body"};
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
  std::vector<Ctx*> contexts_;
  bool functionalized_ = false;  ///< the body of a functionalize runs
  std::optional<Unsupported> unsupported_;
};

}  // namespace plumbline::walk
