// One script's way through LibTorch: its variables, its blocks, and where an error leads.
#include "oracle/libtorch/run.h"

#include <ATen/ATen.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <fmt/format.h>

#include <exception>
#include <thread>

#include "oracle/libtorch/autograd.h"
#include "oracle/libtorch/blocks.h"
#include "oracle/libtorch/call.h"
#include "oracle/libtorch/custom_function.h"
#include "oracle/libtorch/failure.h"
#include "oracle/libtorch/guards.h"
#include "oracle/libtorch/readings.h"

namespace plumbline::libtorch {

namespace {

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

class Run {
 public:
  explicit Run(const Script& script) : script_(script), slots_(script.names.size()) {
    for (const CustomBackward& function : script.functions)
      backwards_.push_back({function.statements, ends_of_blocks(function.statements), false});
  }

  Trace trace() {
    const Body whole{script_.statements, ends_of_blocks(script_.statements), true};
    const auto found = c10::impl::tls_local_dispatch_key_set();
    try {
      go(whole, 0, whole.statements.size());
    } catch (const Recorded&) {
      trace_.completed = false;
    } catch (...) {
      c10::impl::_force_tls_local_dispatch_key_set(found);
      throw;
    }
    c10::impl::_force_tls_local_dispatch_key_set(found);  // 1.13's guards of one key leave its backend behind
    if (unsupported_) throw Unsupported(*unsupported_);
    return std::move(trace_);
  }

 private:
  /// An open block: a guard, or a `Try` that began at a statement.
  struct Block {
    Guard guard;
    std::optional<std::size_t> tried;
  };
  /// The last block first: a guard gives the thread back what it found.
  struct Blocks : std::vector<Block> {
    Blocks() = default;
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;
    ~Blocks() {
      while (!empty()) pop_back();
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
          outcome.failure = current_failure();
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

  void bind(Slot slot, at::Tensor tensor) {
    const auto i = static_cast<std::size_t>(slot);
    if (i >= slots_.size()) throw Unsupported{fmt::format("slot {} where the script names {}", i, slots_.size())};
    slots_[i] = std::move(tensor);
  }
  /// `a, b = …`.
  void unpack(const std::vector<Slot>& targets, Tensors results) {
    const std::size_t wanted = targets.size(), got = results.size();
    TORCH_CHECK_VALUE(got <= wanted, "too many values to unpack (expected ", wanted, ")");
    TORCH_CHECK_VALUE(got >= wanted, "not enough values to unpack (expected ", wanted, ", got ", got, ")");
    for (std::size_t r = 0; r < got; ++r) bind(targets[r], std::move(results[r]));
  }
  const at::Tensor& tensor(Slot slot) const { return held(slots_, slot); }
  at::Tensor tensor_or_none(const std::optional<Slot>& slot) const { return slot ? tensor(*slot) : at::Tensor(); }
  Tensors tensors(const std::vector<Slot>& slots) const {
    Tensors all;
    for (const Slot slot : slots) all.push_back(tensor(slot));
    return all;
  }

  void step(const Call& statement, Place&) {
    auto results = call(statement, slots_);
    const std::size_t wanted = statement.results.size();
    if (wanted == 0) return;
    if (!op(statement.op).many_results && wanted != 1 && results.size() == 1)
      throw Unsupported{fmt::format("{} results of {}, which gives one tensor", wanted, op(statement.op).name)};
    unpack(statement.results, std::move(results));
  }
  void step(const MakeTensor& statement, Place&) { bind(statement.result, make_tensor(statement)); }
  void step(const Enter& statement, Place& place) { place.blocks.push_back({enter(statement), std::nullopt}); }
  void step(Exit, Place& place) { place.blocks.pop_back(); }
  void step(Try, Place& place) { place.blocks.push_back({nullptr, place.at}); }
  void step(EndTry, Place& place) { place.blocks.pop_back(); }
  void step(const SetRequiresGrad& statement, Place&) {
    (statement.method ? requires_grad_method : set_requires_grad)(tensor(statement.tensor), statement.value);
  }
  void step(const GetData& statement, Place&) { bind(statement.result, get_data(tensor(statement.tensor))); }
  void step(const SetData& statement, Place&) { set_data(tensor(statement.tensor), tensor(statement.data)); }
  void step(const Backward& statement, Place&) {
    backward(tensor(statement.tensor), tensor_or_none(statement.gradient), statement.retain_graph);
  }
  void step(const GetGrad& statement, Place&) { bind(statement.result, get_grad(tensor(statement.tensor))); }
  void step(const SetGrad& statement, Place&) { set_grad(tensor(statement.tensor), tensor_or_none(statement.grad)); }
  void step(const RetainGrad& statement, Place&) { retain_grad(tensor(statement.tensor)); }
  void step(const ManualSeed& statement, Place&) { at::manual_seed(static_cast<std::uint64_t>(statement.seed)); }

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
    if (function >= backwards_.size()) throw Unsupported{fmt::format("a custom function {} that is none", function)};
    const auto forward = [&](Context& context) {
      const Inside inside(*this, context);
      go(place.body, from, end);
      return tensors(leave.returned);
    };
    const auto gradients_of = [this, function](Context& context, const Tensors& gradients) {
      const Inside inside(*this, context);
      return run_backward(function, gradients);
    };
    passed(place, place.at);
    place.at = end;
    unpack(leave.results, apply({forward, gradients_of}, tensors(statement.inputs)));
    place.next = end + 1;
  }

  /// The names of a backward body end with it.
  class Locals {
   public:
    explicit Locals(Slots& slots) : slots_(slots), found_(slots) {}
    Locals(const Locals&) = delete;
    Locals& operator=(const Locals&) = delete;
    ~Locals() { slots_ = std::move(found_); }

   private:
    Slots& slots_;
    Slots found_;
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
    place.outcome.reading = read(slots_, static_cast<std::size_t>(statement.tensor), statement.field);
  }
  void step(const ReadThread& statement, Place& place) { place.outcome.reading = read(statement.field); }
  void step(Snapshot, Place& place) { snapshot(slots_, place.outcome); }
  void step(JoinThread, Place&) { throw Unsupported{"a thread that ends and never began"}; }
  void step(const LeaveForward&, Place&) { throw Unsupported{"a forward body that ends and never began"}; }

  Context& context() const {
    if (contexts_.empty()) throw Unsupported{"`ctx` outside a custom function's body"};
    return *contexts_.back();
  }
  /// While a custom function's body runs, `ctx` is its context.
  class Inside {
   public:
    Inside(Run& run, Context& context) : run_(run) { run.contexts_.push_back(&context); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { run_.contexts_.pop_back(); }

   private:
    Run& run_;
  };

  const Script& script_;
  std::vector<Body> backwards_;
  Slots slots_;
  Trace trace_;
  std::vector<Context*> contexts_;
  std::optional<Unsupported> unsupported_;
};

}  // namespace

Trace run_script(const Script& script) { return Run(script).trace(); }

}  // namespace plumbline::libtorch
