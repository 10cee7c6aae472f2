// Custom functions [torch/csrc/autograd/custom_function.h, custom_function.cpp].
#include "reference/custom_function.h"

#include <algorithm>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/devices.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/saved_hooks.h"
#include "reference/world.h"
#include "spec/machine/custom_function.h"
#include "spec/machine/guards.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/geo_ops.h"
#include "spec/vocabulary/error_texts.h"

namespace plumbline::reference {

namespace {

bool among(const std::vector<TensorId>& tensors, TensorId id) {
  return std::ranges::find(tensors, id) != tensors.end();
}

/// `tensor.view_as(tensor)` with grad mode off.
TensorId view_of_itself(const Judge& judge, State& state, TensorId tensor) {
  const Restored tls(state.tls);
  state.tls.grad_mode = false;
  return dispatch_on(judge, state, OpId::view, {{tensor}}, {sizes_of(at(state, tensor).geometry)}).front();
}

/// A tensor that forward returned (machine::Returned).
class Wrapped {
 public:
  Wrapped(const Judge& judge, State& state, const Forward& forward, NodeId node, TensorId raw, bool one_of_many)
      : judge_(judge), state_(state), forward_(forward), node_(node), raw_(raw), one_of_many_(one_of_many) {}

  Bool<Concrete> is_input() const { return among(forward_.inputs, raw_); }
  Bool<Concrete> is_dirty() const { return among(forward_.dirty, raw_); }
  Bool<Concrete> is_marked() const { return among(forward_.not_differentiable, raw_); }
  Bool<Concrete> is_one_of_many() const { return one_of_many_; }
  void begin(const Bool<Concrete>& records) {
    if (node_ != kNoNode) output_ = add_output(state_, node_, raw_, records.v);
  }
  void as_is() { out_ = raw_; }
  void as_view() { out_ = view_of_itself(judge_, state_, raw_); }
  void as_detached() { out_ = dispatch_on(judge_, state_, OpId::detach, {{raw_}}).front(); }
  void with_history() { give_history(raw_); }
  void view_with_history() { give_history(view_of_itself(judge_, state_, raw_)); }
  void detach_inplace() const { dispatch_on(judge_, state_, OpId::detach_, {{raw_}}); }
  void drop_grad() const { at(state_, raw_).grad = kNoTensor; }
  /// PyTorch clears the `.grad` first [torch/csrc/autograd/custom_function.cpp]; no rule says so yet.
  void refuse_view() const {
    if (at(state_, raw_).grad != kNoTensor)
      throw ReferenceLimit("apply() of a custom function that may not write a dirty view which has a `.grad`");
  }
  TensorId out() const { return out_; }

 private:
  void give_history(TensorId out) {
    set_gradient_edge(judge_, state_, out, node_, output_);
    out_ = out;
  }

  const Judge& judge_;
  State& state_;
  const Forward& forward_;
  NodeId node_;
  TensorId raw_;
  bool one_of_many_;
  std::int32_t output_ = -1;
  TensorId out_ = kNoTensor;
};
static_assert(machine::Returned<Wrapped, World>);

/// The text of an error of `machine::wrap` that other errors of the class do not have.
std::optional<std::string> message_of(ErrorClass error) {
  if (error == ErrorClass::leaf_inplace)
    return "a leaf Variable that requires grad has been used in an in-place operation.";
  if (error == ErrorClass::custom_function)
    return message_beginning(error, "If your Function modifies inplace an input", {});
  return std::nullopt;
}

/// The results of apply, made from the tensors that forward returned.
std::vector<TensorId> wrapped(const Judge& judge, State& state, const Forward& forward, NodeId node,
                              const std::vector<TensorId>& raw) {
  std::vector<TensorId> results;
  int recorded = 0;
  for (const TensorId returned : raw) {
    Wrapped one(judge, state, forward, node, returned, raw.size() > 1);
    World world(judge, state, {.writing = node, .message = message_of});
    recorded += machine::wrap<World>(world, returned, node != kNoNode, one).v ? 1 : 0;
    results.push_back(one.out());
  }
  if (recorded > 1)  // views among several results that are recorded cannot be written
    for (const TensorId result : results)
      if (at(state, result).meta.tracked.v) at(state, result).meta.creation = CreationMeta::MULTI_OUTPUT_NODE;
  for (const TensorId dirty : forward.dirty)
    if (!among(raw, dirty))
      raise(ErrorClass::custom_function,
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
            "modified inplace must all be outputs of the Function.");
  return results;
}

}  // namespace

void check_freed(const Judge&, const Node& node) {
  if (node.freed) raise_class(ErrorClass::backward_twice);
}

void enter_forward(const Judge& judge, State& state, const EnterForward& enter) {
  Forward forward;
  forward.function = enter.function;
  forward.inputs = held_all(state, enter.inputs);
  Bool<Concrete> any = false;
  for (const TensorId input : forward.inputs) any = any || Bool<Concrete>(requires_grad_of(judge, state, input));
  forward.recorded = is_recorded(judge, any, state.tls).v;
  if (forward.recorded)
    for (const TensorId input : forward.inputs) forward.edges.push_back(gradient_edge(judge, state, input));
  state.frames.push_back({state.tls, std::move(forward)});
  state.tls = machine::inside_forward(judge, state.tls);
}

namespace {

void finish_forward(const Judge& judge, State& state, const LeaveForward& leave, const Forward& forward) {
  const std::vector<TensorId> raw = held_all(state, leave.returned);
  for (const TensorId returned : raw)
    if (has_bits(at(state, returned)))
      throw ReferenceLimit("a custom function that returns a conjugate or a negative view");
  for (const TensorId dirty : forward.dirty) {
    World world(judge, state);
    machine::count_dirty(world, dirty);
  }
  NodeId node = kNoNode;
  if (forward.recorded) {
    Node made;
    made.kind = Node::Kind::custom;
    made.custom =
        std::make_shared<const CustomBackward>(state.functions.at(static_cast<std::size_t>(forward.function)));
    for (std::size_t i = 0; i < forward.inputs.size(); ++i) {
      const Tensor& input = at(state, forward.inputs[i]);
      made.inputs.push_back(
          {.edge = forward.edges[i], .geometry = input.geometry, .dtype = input.dtype, .device = input.device});
    }
    state.nodes.push_back(std::move(made));
    node = static_cast<NodeId>(state.nodes.size()) - 1;
  }
  const std::vector<TensorId> results = wrapped(judge, state, forward, node, raw);
  if (node != kNoNode)
    for (const TensorId saved : forward.saved) {
      World world(judge, state);
      machine::check_saved_by_function(world, saved);
      SavedTensor kept = saved_tensor(state, saved, !among(results, saved));
      kept.had_grad_fn = false;  // the node itself replaces a lost history
      pack(judge, state, kept, saved);
      state.nodes[static_cast<std::size_t>(node)].saved.push_back(kept);
    }
  for (std::size_t i = 0; i < leave.results.size() && i < results.size(); ++i)
    bind(state, leave.results[i], results[i]);
}

}  // namespace

void leave_forward(const Judge& judge, State& state, const LeaveForward& leave) {
  if (state.frames.empty() || !state.frames.back().forward)
    throw std::logic_error("the script leaves a forward that it did not enter");
  const Forward forward = *state.frames.back().forward;
  state.tls = machine::after_guard<Concrete>(judge, {.tls = state.frames.back().found}, state.tls, false);
  state.frames.pop_back();
  state.hook_wrote = false;
  State before = state;
  try {
    finish_forward(judge, state, leave, forward);
  } catch (const Raise&) {
    if (state.hook_wrote)
      throw ReferenceLimit("a custom function that raises an error after a hook of saved tensors has written a tensor");
    if (!changes_stay<Concrete>(judge, true).v) undo(state, std::move(before));
    throw;
  }
}

void call_context(const State& state, Frame& frame, const ContextCall& call) {
  if (!frame.forward) throw std::logic_error("the script uses ctx outside a forward");
  std::vector<TensorId> tensors = held_all(state, call.tensors);
  switch (call.kind) {
    case ContextKind::save_for_backward:
      frame.forward->saved = std::move(tensors);
      break;
    case ContextKind::mark_dirty:
      frame.forward->dirty = std::move(tensors);
      break;
    case ContextKind::mark_non_differentiable:
      frame.forward->not_differentiable = std::move(tensors);
      break;
  }
}

void load_saved(const Judge& judge, State& state, const LoadSaved& load) {
  if (state.backward_of == kNoNode) throw std::logic_error("the script reads saved_tensors outside a backward");
  const Node& node = state.nodes[static_cast<std::size_t>(state.backward_of)];
  check_freed(judge, node);
  const std::vector<SavedTensor> saved = node.saved;
  std::vector<TensorId> tensors;
  for (const SavedTensor& one : saved) {
    if (one.packed == kNoTensor) (void)unpack(judge, state, one);
    tensors.push_back(one.packed == kNoTensor ? one.tensor : unpacked(judge, state, one));
  }
  if (saved.size() != load.results.size()) {
    const bool many = saved.size() > load.results.size();
    raise(ErrorClass::unpack,
          many ? text("too many values to unpack (expected ", load.results.size(), ")")
               : text("not enough values to unpack (expected ", load.results.size(), ", got ", saved.size(), ")"),
          "ValueError");
  }
  for (std::size_t i = 0; i < saved.size(); ++i) bind(state, load.results[i], tensors[i]);
}

namespace {

/// Runs the statements of a custom backward and returns their results. Their parameters are `tensors`, or new tensors
/// if there are none.
std::vector<std::optional<TensorId>> run_statements(const Judge& judge, State& state, NodeId id,
                                                    const std::vector<Gradient>& given,
                                                    const std::vector<TensorId>* tensors) {
  const Node node = state.nodes[static_cast<std::size_t>(id)];
  const CustomBackward& custom = *node.custom;
  const BodyScope scope(state, id);
  for (std::size_t i = 0; i < custom.gradients.size() && i < node.outputs.size(); ++i) {
    const Node::Output& output = node.outputs[i];
    if (tensors != nullptr && i < tensors->size() && (*tensors)[i] != kNoTensor) {
      bind(state, custom.gradients[i], (*tensors)[i]);
      continue;
    }
    const Restored device(state.makes_on);
    state.makes_on = output.device;
    std::vector<Element> elements(static_cast<std::size_t>(element_count(output.sizes)));
    if (i < given.size() && given[i]) elements = *given[i];
    Fresh fresh{output.sizes, row_major(output.sizes), output.dtype, std::move(elements)};
    bind(state, custom.gradients[i], make_tensor(judge, state, std::move(fresh), false));
  }
  const Outcome outcome = run_body(judge, state, custom.statements);
  if (outcome.failure.error != ErrorClass::none) throw Raise{outcome.failure};
  std::vector<std::optional<TensorId>> returned;
  for (const auto& slot : custom.returned) returned.push_back(slot ? std::optional(held(state, *slot)) : std::nullopt);
  return returned;
}

}  // namespace

std::vector<Gradient> run_custom_backward(const Judge& judge, State& state, NodeId id,
                                          const std::vector<Gradient>& given, std::vector<TensorId>* tensors) {
  const Node node = state.nodes[static_cast<std::size_t>(id)];  // a copy, because the statements may record more nodes
  std::vector<std::optional<TensorId>> returned = run_statements(judge, state, id, given, tensors);
  while (returned.size() > node.inputs.size() && !returned.back()) returned.pop_back();
  const bool fits = returned.size() == node.inputs.size();
  raise_class(static_cast<ErrorClass>(check_gradient_count<Concrete>(judge, fits).v));
  std::vector<Gradient> gradients(node.inputs.size());
  if (tensors != nullptr) tensors->assign(node.inputs.size(), kNoTensor);
  for (std::size_t i = 0; i < gradients.size() && i < returned.size(); ++i) {
    if (tensors != nullptr && returned[i]) (*tensors)[i] = *returned[i];
    if (!returned[i] || !node.inputs[i].edge.goes()) continue;
    const Tensor& tensor = at(state, *returned[i]);
    gradients[i] = fitted(judge, node.custom->name + "Backward", i, tensor, elements_of(state, tensor),
                          sizes_of(node.inputs[i].geometry));
    check_gradient_device(judge, node.custom->name + "Backward", i, tensor, node.inputs[i].device);
    for (Element& element : *gradients[i]) element = converted(element, tensor.dtype, node.inputs[i].dtype);
  }
  return gradients;
}

}  // namespace plumbline::reference
