// The operations of the optimized runtime that a walk needs, and the choice of scripts that are traced.
#include "adapters/optimized/run.h"

#include "adapters/optimized/call.h"
#include "adapters/optimized/custom_function.h"
#include "adapters/optimized/custom_operators.h"
#include "adapters/optimized/failure.h"
#include "adapters/optimized/guards.h"
#include "adapters/optimized/memory.h"
#include "adapters/optimized/readings.h"
#include "adapters/optimized/test_device.h"
#include "adapters/walk/walk.h"
#include "optimized/autograd/hooks.h"
#include "optimized/autograd/saved_hooks.h"
#include "optimized/autograd/variable.h"
#include "optimized/functionalize/functionalize.h"
#include "optimized/ops/call.h"
#include "optimized/ops/random.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/func_grad.h"
#include "optimized/transforms/vmap.h"
#include "spec/vocabulary/call_slots.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::optimized {

namespace {

struct Traits {
  using Tensor = optimized::Tensor;
  using Tensors = std::vector<Tensor>;
  using Given = std::span<const Tensor>;
  using Guard = optimized::Guard;
  struct ThreadState {
    StateGuard modes;
    DeviceGuard device{test_device()};
  };
  using Operators = ScriptOperators;

  static Tensors call(const Call& call, Given slots, Outcome& outcome) {
    each_argument_slot(call, [slots](plumbline::Slot slot) {
      if (is_meta(slots[static_cast<std::size_t>(slot)])) throw walk::Unsupported{"an op on a meta tensor"};
    });
    Tensors results = optimized::call(call, slots, outcome);
    script_calls(results, slots);
    after_call();
    return results;
  }
  static Tensor make_meta_tensor(const MakeMetaTensor& make) { return optimized::make_meta_tensor(make); }
  static Tensor make_tensor(const MakeTensor& make) { return optimized::make_tensor(make); }
  static Guard enter(const Enter& guard) { return optimized::enter(guard); }
  static void set_requires_grad(const Tensor& x, bool value) { optimized::set_requires_grad(x, value); }
  static void requires_grad_method(const Tensor& x, bool value) { optimized::requires_grad_method(x, value); }
  static Tensor get_data(const Tensor& x) { return data_of(x); }
  static void set_data(const Tensor& x, const Tensor& data) { optimized::set_data(x, data); }
  static void backward(const Tensors& roots, const Tensors& gradients, bool retain_graph, bool create_graph,
                       const Tensors& inputs) {
    if (create_graph) {
      script_records_gradients(roots);
      for (const Tensor& input : inputs) script_sets_grad(input);
    }
    optimized::backward(roots, gradients, retain_graph, inputs, create_graph);
  }
  static Tensors get_gradients(const Tensors& roots, const Tensors& inputs, const Tensors& gradients, bool retain_graph,
                               bool create_graph, bool allow_unused) {
    return optimized::gradients(roots, inputs, gradients, retain_graph, allow_unused, create_graph);
  }
  static Tensor get_grad(const Tensor& x) { return grad_of(x); }
  static void set_grad(const Tensor& x, const Tensor& grad) {
    script_sets_grad(x);
    optimized::set_grad(x, grad);
  }
  static void retain_grad(const Tensor& x) {
    script_sets_grad(x);
    optimized::retain_grad(x);
  }
  struct Hook {
    Ref<optimized::Hook> hook;
    void remove() { hook->remove(); }
  };
  static Hook register_hook(const Tensor& x, optimized::Hook::Function hook) {
    return {optimized::register_hook(x, std::move(hook))};
  }
  static Guard saved_tensors_hooks(SavedHooks::Function pack, SavedHooks::Function unpack) {
    return std::make_shared<SavedTensorsHooks>(std::move(pack), std::move(unpack));
  }
  static Hook register_hook_after(const Tensor& x, optimized::Hook::Function hook) {
    return {optimized::register_hook_after(x, std::move(hook))};
  }
  static bool answer(const QueryThreadKey& query) {
    const KeySet keys = KeyTypes::keys(query.key);
    const auto& state = thread_state();
    return ((query.excluded ? state.excluded : state.included).word() & keys.word()) == keys.word();
  }
  static void manual_seed(std::uint64_t seed) { optimized::manual_seed(seed); }
  static Tensors apply(const walk::Bodies<Tensor>& bodies, const Tensors& inputs) {
    Tensors results = optimized::apply(bodies, inputs);
    script_calls(results, inputs);
    return results;
  }
  template <class Body>
  static Tensors functionalize(const Body& body, Remove remove, const Tensors& inputs) {
    Tensors results;
    run_body([&] { results = optimized::functionalize(body, remove, inputs); });
    return results;
  }
  template <class Body>
  static Tensors vmap(const Body& body, const Vmap& how, const std::vector<MappedDim>& out_dims,
                      const Tensors& inputs) {
    for (const Tensor& input : inputs)
      if (input.is_inference() && requires_grad(input))
        throw walk::Unsupported{"examples of an inference tensor that requires grad"};
    return optimized::vmap(body, how, out_dims, inputs);
  }
  template <class Body>
  static Tensors func_grad(const Body& body, const Grad& how, const Tensors& inputs) {
    try {
      return optimized::func_grad(body, how, inputs);
    } catch (const Error& error) {
      const std::string what = error.what();
      if (what.find("the gradient of ") != std::string::npos) throw walk::Unsupported{what};
      throw;
    }
  }
  static Reading read(Given slots, std::size_t slot, Field field) { return optimized::read(slots, slot, field); }
  static Reading read(ThreadField field) { return optimized::read(field); }
  static Failure current_failure() { return optimized::current_failure(); }
  [[noreturn]] static void raise_value_error(const std::string& message) {
    raise_saying(ErrorClass::unpack, message, "ValueError");
  }
};

/// Decided by the last op that the script calls, so that a shortened script, or one with more readings, mostly runs as
/// before.
bool is_traced(const Script& script) {
  for (auto statement = script.statements.rbegin(); statement != script.statements.rend(); ++statement)
    if (const auto* call = std::get_if<Call>(&statement->kind)) return static_cast<std::size_t>(call->op) % 2 == 0;
  return false;
}

}  // namespace

Description description() {
  Description d;
  d.name = implementation_name();
  d.version = PLUMBLINE_VERSION;
  d.profile = name_of(ideal_end_state.load() ? Profile::ideal : Profile::sound);
  d.fields.fill(Strictness::exact);
  d.thread.fill(Strictness::exact);
  for (std::size_t i = 0; i < kDtypeNames.size(); ++i)
    if (has_dtype(static_cast<Dtype>(i))) d.has.dtypes.push_back(static_cast<Dtype>(i));
  return d;
}

std::variant<Trace, CannotRun> run(const Script& script, bool traced) {
  const bool two_devices = has_two_devices(script);
  if (two_devices && test_device() != Backend::CUDA)
    return CannotRun{"the program names the CPU beside its device; run it on optimized-cuda-host or optimized-cuda"};
  see_both_devices(two_devices);
  dispatcher().trace(traced);
  const auto walked = [&]() -> std::variant<Trace, CannotRun> {
    try {
      return walk::Walk<Traits>(script).trace();
    } catch (Unsupported& unsupported) {
      return CannotRun{std::move(unsupported.why)};
    }
  };
  std::variant<Trace, CannotRun> ran;
  run_and_count([&] { ran = walked(); }, [&] { (void)walked(); });
  return ran;
}

std::variant<Trace, CannotRun> run(const Script& script) { return run(script, is_traced(script)); }

}  // namespace plumbline::optimized
