// The machine's autograd state: reading and setting requires_grad, and asking for histories.
#include <array>
#include <span>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/graph.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_hooks.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

namespace {

/// PyTorch has two messages: for a view that is the output of a node, and for one that is not
/// [torch/csrc/autograd/variable.cpp, handle_view_on_rebase].
std::string view_text(ErrorClass error, const Tensor& view) {
  const bool recorded = view.node != kNoNode;
  const std::array<std::string, 2> parts{std::to_string(view.output), "…"};
  for (const ErrorText& text : error_texts())
    if (text.error == error && text.pattern.starts_with("Output") == recorded)
      return fill(text.pattern, recorded ? std::span<const std::string>(parts) : std::span<const std::string>());
  return error_message(error, {});  // an internal assertion
}

}  // namespace

std::int64_t version_of(const State& state, const Tensor& tensor) {
  return state.counters[static_cast<std::size_t>(tensor.counter)].version;
}

void count_versions(const Judge& judge, State& state, std::int32_t counter, std::int64_t versions) {
  std::int64_t& version = state.counters[static_cast<std::size_t>(counter)].version;
  version = version_number<Concrete>(judge, version + versions).v;
}

bool requires_grad_of(const Judge& judge, const State& state, TensorId id) {
  const Tensor& tensor = state.tensors[static_cast<std::size_t>(id)];
  const bool base = tensor.base != kNoTensor && requires_grad_of(judge, state, tensor.base);
  return requires_grad<Concrete>(judge, tensor.meta, base).v;
}

KeySet<Concrete> keys_of(const Judge& judge, const State& state, TensorId id) {
  const Meta& meta = state.tensors[static_cast<std::size_t>(id)].meta;
  return carried_keys<Concrete>(judge, meta.keys, requires_grad_of(judge, state, id));
}

KeySet<Concrete> keys_of(const Judge& judge, const State& state, const Operand& operand) {
  if (operand.is_number()) return carried_keys<Concrete>(judge, number_keys(judge, state.tls), false);
  return keys_of(judge, state, operand.tensor);
}

void ask_history(const Judge& judge, State& state, TensorId id) {
  Tensor& tensor = at(state, id);
  if (tensor.base == kNoTensor || tensor.counter < 0) return;
  const bool concerned = tensor.meta.has_grad_fn.v || requires_grad_of(judge, state, tensor.base);
  if (concerned && tensor.recorded_free)
    throw ReferenceLimit("the history of a piece that unsafe_split made of a tensor with an unspecified version");
  if (!concerned || tensor.recorded_at == version_of(state, tensor)) return;
  const auto stale = ask_stale_history(judge, tensor.meta);
  const auto error = static_cast<ErrorClass>(stale.error.v);
  if (error != ErrorClass::none) raise(error, view_text(error, tensor));
  if (stale.regenerated.v) regenerate_history(judge, state, id);
}

void check_inplace(const Judge& judge, State& state, TensorId id, bool recorded) {
  const auto through =
      static_cast<ErrorClass>(check_write_through_view<Concrete>(judge, at(state, id).meta, recorded).v);
  if (through != ErrorClass::none) raise(through, view_text(through, at(state, id)));
  if (!recorded) return;
  if (leaf_checks_ask_history(judge).v) ask_history(judge, state, id);
  const Tensor& written = at(state, id);
  const Bool<Concrete> requires_it = requires_grad_of(judge, state, id);
  const auto leaf = is_leaf(judge, written.meta, requires_it);
  Bool<Concrete> base_leaf = false;
  if (written.base != kNoTensor)
    base_leaf = is_leaf<Concrete>(judge, at(state, written.base).meta, requires_grad_of(judge, state, written.base));
  const auto error = static_cast<ErrorClass>(check_leaf(judge, written.meta, requires_it, leaf, base_leaf).v);
  if (error == ErrorClass::view_of_leaf_inplace)
    raise(error, "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  if (error != ErrorClass::none)
    raise(error, "a leaf Variable that requires grad is being used in an in-place operation.");
}

void set_requires_grad(const Judge& judge, State& state, TensorId id, bool value, bool method) {
  if (leaf_checks_ask_history(judge).v) ask_history(judge, state, id);
  Tensor& tensor = at(state, id);
  const auto leaf = is_leaf<Concrete>(judge, tensor.meta, requires_grad_of(judge, state, id));
  const Bool<Concrete> inference = is_inference(judge, tensor.meta, state.tls);
  const Bool<Concrete> refuses = method ? method_refuses_interior<Concrete>(judge, value) : Bool<Concrete>(true);
  const auto history = static_cast<ErrorClass>(check_requires_grad_leaf(judge, leaf || !refuses).v);
  if (history != ErrorClass::none)
    raise(history, value ? "you can only change requires_grad flags of leaf variables."
                         : "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                           "variable in a subgraph that doesn't require "
                           "differentiation use var_no_grad = var.detach().");
  const auto dtype = static_cast<ErrorClass>(check_grad_dtype<Concrete>(judge, is_inexact(tensor.dtype), value).v);
  if (dtype != ErrorClass::none) raise(dtype, "only Tensors of floating point dtype can require gradients");
  const auto mode = static_cast<ErrorClass>(check_set_requires_grad<Concrete>(judge, inference, value, state.tls).v);
  if (mode != ErrorClass::none)
    raise(mode, "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  tensor.meta.requires_grad = value;
  if (!leaf.v && refuses.v) tensor.meta.has_grad_fn = false;  // reached only with AUT-09 flipped
}

void detach_inplace(const Judge& judge, State& state, TensorId id) {
  Tensor& tensor = at(state, id);
  raise_class(static_cast<ErrorClass>(check_detach_inplace(judge, tensor.meta.tracked).v));
  tensor.meta.requires_grad = detached_requires_grad<Concrete>(judge, requires_grad_of(judge, state, id));
  tensor.meta.has_grad_fn = false;
  tensor.node = kNoNode;
}

void retain_grad(const Judge& judge, State& state, TensorId id) {
  raise_class(static_cast<ErrorClass>(check_retain_grad<Concrete>(judge, requires_grad_of(judge, state, id)).v));
  if (!at(state, id).meta.has_grad_fn.v || retaining_output(state, id) != nullptr) return;
  const std::int64_t recorded_at = at(state, id).recorded_at;
  const auto hooks = state.hooked.find(id);
  const bool joins_hooks = hooks != state.hooked.end() && hooks->second.open && !retained_comes_last(judge).v;
  if (joins_hooks && at(state, id).counter >= 0 && recorded_at != version_of(state, at(state, id)))
    throw ReferenceLimit("retain_grad() on a view with hooks whose base was written");
  ask_history(judge, state, id);
  const Tensor& tensor = at(state, id);
  if (tensor.recorded_at != recorded_at && retaining_ends_process(judge).v)
    throw ReferenceLimit("retain_grad() on a view whose base was written after the view was made");
  if (tensor.node == kNoNode || (tensor.recorded_at != recorded_at && !retains_anew(judge).v)) return;
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
  const Sizes own = sizes_of(given.geometry);
  const Sizes wanted = sizes_of(tensor.geometry);
  const auto error = static_cast<ErrorClass>(check_given_gradient<Concrete>(judge, own == wanted).v);
  if (error != ErrorClass::none)
    raise(error, text("attempting to assign a gradient of size '", printed(own), "' to a tensor of size '",
                      printed(wanted), "'. Please ensure that the gradient and the tensor are the same size"));
  tensor.grad = *grad;
}

}  // namespace plumbline::reference
