// The machine's autograd state: reading and setting requires_grad, and asking for histories.
#include "reference/call.h"
#include "reference/devices.h"
#include "reference/graph.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/machine/backward.h"
#include "spec/rules/aut_hooks.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

std::int64_t version_of(const State& state, const Tensor& tensor) {
  return state.counters[static_cast<std::size_t>(tensor.counter)].version;
}

void count_versions(const Judge& judge, State& state, std::int32_t counter, std::int64_t versions) {
  std::int64_t& version = state.counters[static_cast<std::size_t>(counter)].version;
  version = version_number<Concrete>(judge, version + versions).v;
}

void free_version_of_inner_ops(State& state, std::int32_t counter) {
  if (counter >= 0 && first_version_free<Concrete>(false, state.tls).v)
    state.counters[static_cast<std::size_t>(counter)].free_by = &VER_10;
}

bool requires_grad_of(const Judge& judge, const State& state, TensorId id) {
  return machine::requires_grad(Seen(judge, state), id).v;
}

bool is_inference_tensor(const Judge& judge, const State& state, TensorId id) {
  return machine::inference(Seen(judge, state), id).v;
}

KeySet<Concrete> keys_of(const Judge& judge, const State& state, TensorId id) {
  return machine::keys(Seen(judge, state), id);
}

KeySet<Concrete> keys_of(const Judge& judge, const State& state, const Operand& operand) {
  if (operand.is_number()) return machine::keys_of_number(judge, state.tls);
  return keys_of(judge, state, operand.tensor);
}

bool runs_autograd(const Judge& judge, const State& state, std::span<const TensorId> tensors) {
  std::vector<KeySet<Concrete>> brought;
  for (const TensorId tensor : tensors) brought.push_back(keys_of(judge, state, tensor));
  return machine::call_keys(judge, machine::joined_keys(judge, brought), state.tls)
      .has_any(autograd_keys<Concrete>())
      .v;
}

void ask_history(const Judge& judge, State& state, TensorId id) {
  World world(judge, state);
  machine::ask_history(world, id);
}

void rebase_history(const Judge& judge, State& state, TensorId id, NodeId node) {
  World world(judge, state, {.writing = node});
  machine::rebase_history(world, id);
}

void set_requires_grad(const Judge& judge, State& state, TensorId id, bool value, bool method) {
  World world(judge, state, {.setting = value});
  machine::set_requires_grad<World>(world, id, value, method);
}

void retain_grad(const Judge& judge, State& state, TensorId id) {
  World world(judge, state);
  machine::check_retains(world, id);
  if (!at(state, id).meta.has_grad_fn.v || retaining_output(state, id) != nullptr) return;
  const std::int64_t recorded_at = at(state, id).recorded_at;
  const auto hooks = state.hooked.find(id);
  const bool joins_hooks =
      hooks != state.hooked.end() && hooks->second.open && !retained_comes_last<Concrete>(judge, true).v;
  if (joins_hooks && at(state, id).counter >= 0 && recorded_at != version_of(state, at(state, id)))
    throw ReferenceLimit("retain_grad() on a view with hooks whose base was written");
  ask_history(judge, state, id);
  const Tensor& tensor = at(state, id);
  const bool regenerated = tensor.recorded_at != recorded_at;
  if (retaining_ends_process<Concrete>(judge, regenerated).v)
    throw ReferenceLimit("retain_grad() on a view whose base was written after the view was made");
  if (tensor.node == kNoNode || !retains_anew<Concrete>(judge, regenerated).v) return;
  auto& output = state.nodes[static_cast<std::size_t>(tensor.node)].outputs[static_cast<std::size_t>(tensor.output)];
  output.retained = id;
  output.before_retained = hooks_of_output(state, tensor.node, tensor.output);
}

// [torch/csrc/autograd/python_variable.cpp, THPVariable_set_grad]
void set_grad(const Judge& judge, State& state, TensorId id, std::optional<TensorId> grad) {
  Tensor& tensor = at(state, id);
  if (!grad) {
    tensor.grad = kNoTensor;
    return;
  }
  if (*grad == id) raise(ErrorClass::grad_shape, "can't assign Variable as its own grad");
  const Tensor& given = at(state, *grad);
  if (given.dtype != tensor.dtype)
    raise(ErrorClass::grad_shape,
          message_beginning(ErrorClass::grad_shape, "attempting to assign a gradient with dtype",
                            {std::string(name_of(given.dtype)), std::string(name_of(tensor.dtype))}));
  if (state.two_devices) check_assigned_device(judge, given, tensor);
  const Sizes own = sizes_of(given.geometry);
  const Sizes wanted = sizes_of(tensor.geometry);
  World world(judge, state, {.message = [&](ErrorClass) {
                return text("attempting to assign a gradient of size '", printed(own), "' to a tensor of size '",
                            printed(wanted), "'. Please ensure that the gradient and the tensor are the same size");
              }});
  machine::check_first_gradient<World>(world, id, true, own == wanted);
  tensor.grad = *grad;
}

}  // namespace plumbline::reference
