// torch.func.grad: a differentiated body runs on the tape of the whole program. Its chosen inputs are leaves of their
// own meanwhile; when it ends, what leads to them leads to the caller's tensors, or nowhere.
#include "reference/transforms/func_grad.h"

#include <algorithm>
#include <array>
#include <utility>

#include "reference/bits.h"
#include "reference/graph.h"
#include "reference/raise.h"
#include "reference/transforms/batched.h"
#include "reference/transforms/grad_history.h"
#include "reference/transforms/raise_if.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/trf.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::transforms {

namespace {

/// Which inputs argnums says, from the front.
std::vector<std::size_t> chosen_of(const Judge& judge, const Grad& grad, std::size_t inputs) {
  const auto count = static_cast<std::int64_t>(inputs);
  std::vector<std::size_t> chosen;
  for (const std::int64_t argnum : grad.argnums) {
    const bool outside = argnum < -count || argnum >= count;
    raise_if(check_argnum<Concrete>(judge, outside), {std::to_string(argnum), std::to_string(count)});
    if (count == 0) throw ReferenceLimit("the body of torch.func.grad without inputs");  // only with TRF-25 misread
    chosen.push_back(static_cast<std::size_t>((argnum % count + count) % count));
  }
  std::string all;
  for (const std::size_t one : chosen) all += text(all.empty() ? "(" : ", ", one);
  std::vector<std::size_t> sorted = chosen;
  std::ranges::sort(sorted);
  const bool twice = std::ranges::adjacent_find(sorted) != sorted.end();
  raise_if(check_argnums<Concrete>(judge, twice), {all + ")"});
  return chosen;
}

/// The thread's state in the body.
Tls inside(const Judge& judge, const Tls& outer) {
  Tls tls = outer;
  const bool off = outer.inference_mode.v && !grad_body_inference<Concrete>(judge, outer.inference_mode).v;
  if (off) tls = machine::inside_guard<Concrete>(judge, {.kind = GuardKind::inference_mode, .value = false}, tls);
  const Bool<Concrete> mode = grad_body_records<Concrete>(judge, outer.grad_mode);
  return machine::inside_guard<Concrete>(judge, {.kind = GuardKind::set_grad_enabled, .value = mode}, tls);
}

/// A differentiated body that begins.
class Beginning {
 public:
  Beginning(const Judge& judge, State& state, Differentiated& body) : judge_(judge), state_(state), body_(body) {}

  void refuse(const std::vector<TensorId>& inputs) const {
    const Tls usual = default_tls(judge_);
    const bool guarded = !(state_.tls.included == usual.included && state_.tls.excluded == usual.excluded).v;
    if (guarded && !state_.tls.inference_mode.v) throw ReferenceLimit("torch.func.grad below Autograd");
    if (state_.tls.inference_mode.v && judge_.profile == Profile::torch_1_13)
      throw ReferenceLimit("torch.func.grad in inference mode, in 1.13");
    if (state_.two_devices) throw ReferenceLimit("torch.func.grad in a program of two devices");
    if (state_.kernel) throw ReferenceLimit("torch.func.grad in a kernel");
    if (!state_.saved_hooks.empty()) throw ReferenceLimit("torch.func.grad inside hooks of saved tensors");
    for (const TensorId input : inputs)
      if (has_bits(at(state_, input))) throw ReferenceLimit("torch.func.grad of a conjugate or a negative view");
    for (const TensorId input : inputs)
      if (body_.records_outside && is_inference_tensor(judge_, state_, input) &&
          requires_grad_of(judge_, state_, input))
        throw ReferenceLimit("torch.func.grad of an inference tensor that requires grad");
  }

  void add(TensorId input, bool chosen) {
    Whole whole = whole_of(state_, input);
    const TensorId outer = whole.tensor;
    whole.tensor = chosen ? leaf_of(whole) : copy_of(outer);
    body_.inference_outside = body_.inference_outside || is_inference_tensor(judge_, state_, outer);
    body_.inputs.push_back(
        {whole.tensor, outer, input, whole.dims.empty() ? whole.tensor : seen(state_, whole), chosen});
  }

 private:
  /// A leaf with the memory of the tensor, and the examples of every running body.
  TensorId leaf_of(Whole& whole) {
    refuse_stale(whole.tensor);
    const Tensor of = at(state_, whole.tensor);
    auto what = machine::new_tensor<Concrete>(judge_, false, is_inexact(of.dtype), state_.tls);
    Tensor made;
    made.dtype = of.dtype;
    made.geometry = of.geometry;
    made.storage = of.storage;
    made.computed_mapped = of.computed_mapped;
    made.free_layout = of.free_layout;
    made.may_repeat = of.may_repeat;
    for (std::size_t level = state_.levels.size(); level-- > 0;)
      if (!whole.dims.contains(level)) assume(whole, made.geometry, level);
    const TensorId leaf = add_made(judge_, state_, what, std::move(made), kNoTensor);
    if (of.counter >= 0) at(state_, leaf).counter = of.counter;
    set_requires_grad(judge_, state_, leaf, true, false);
    return leaf;
  }
  void refuse_stale(TensorId input) {
    try {
      (void)gradient_edge(judge_, state_, input);
    } catch (const Raise&) {
      throw ReferenceLimit("torch.func.grad of a view whose history is refused");
    }
  }
  void assume(Whole& whole, Geometry& geometry, std::size_t level) const {
    Sizes sizes = sizes_of(geometry), strides = strides_of(geometry);
    sizes.insert(sizes.begin(), state_.levels[level].examples);
    strides.insert(strides.begin(), 0);
    geometry = geometry_of(sizes, strides, geometry.offset.v);
    for (auto& [other, dim] : whole.dims) ++dim;
    whole.dims[level] = 0;
    whole.assumed.insert(level);
  }

  /// Another name for the tensor, with its history.
  TensorId copy_of(TensorId outer) {
    if (is_inference_tensor(judge_, state_, outer))
      throw ReferenceLimit("an inference tensor that torch.func.grad does not differentiate");
    Tensor copy = at(state_, outer);
    if (!body_.records_outside && requires_grad_of(judge_, state_, outer)) {
      if (copy.meta.tracked.v) throw ReferenceLimit("a view that requires grad, in torch.func.grad under no_grad");
      copy.meta.requires_grad = false;
      copy.meta.has_grad_fn = false;
      copy.node = kNoNode;
    }
    state_.tensors.push_back(std::move(copy));
    return static_cast<TensorId>(state_.tensors.size()) - 1;
  }

  const Judge& judge_;
  State& state_;
  Differentiated& body_;
};

/// A new tensor of one number.
TensorId filled(const Judge& judge, State& state, const Tensor& like, double number) {
  const Sizes sizes = sizes_of(like.geometry);
  const Element element{.real = number, .integer = static_cast<std::int64_t>(number)};
  return make_tensor(judge, state,
                     {sizes, dense_strides(sizes, strides_of(like.geometry)), like.dtype,
                      std::vector<Element>(static_cast<std::size_t>(element_count(sizes)), element)},
                     false);
}

/// A gradient that has examples, or went back through a mapped op.
void begin_with_free_layout(const Judge& judge, State& state, TensorId gradient) {
  at(state, gradient).free_layout = at(state, gradient).may_repeat = true;
  const std::int32_t number = at(state, gradient).counter;
  const std::size_t first = state.differentiated.back().first_counter;
  if (number < 0 || static_cast<std::size_t>(number) < first || !gradient_layout_is_free<Concrete>(judge, true).v)
    return;
  Counter& counter = state.counters[static_cast<std::size_t>(number)];
  counter.free_by = &TRF_28;
  counter.first = counter.version;
}

/// The gradients of what a body returns, by its chosen inputs.
std::vector<Whole> gradients_of_body(const Judge& judge, State& state, const Whole& root) {
  const Differentiated& body = state.differentiated.back();
  std::vector<Whole> gradients;
  std::vector<TensorId> leaves;
  for (const std::size_t number : body.argnums) {
    gradients.push_back(whole_of(state, body.inputs[number].shown));
    leaves.push_back(gradients.back().tensor);
  }
  std::vector<TensorId> found(leaves.size(), kNoTensor);
  GradGraph graph(judge, state, body);
  const bool maps = graph.maps();
  const bool reaches = graph.reaches_leaf(gradient_edge(judge, state, root.tensor));
  if (reaches) {
    if (!root.dims.empty() && is_complex(at(state, root.tensor).dtype))
      throw ReferenceLimit("the gradient of complex numbers in a mapped body");
    std::optional<TensorId> ones;
    if (rank(state, root.tensor) != 0) ones = filled(judge, state, at(state, root.tensor), 1);
    const bool creates = !maps || graph.leads_outside(gradient_edge(judge, state, root.tensor));
    found = gradients_of(judge, state, {{root.tensor, ones}}, {true, creates, maps}, leaves, true);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool unused = found[i] == kNoTensor;
    if (!unused)
      for (const auto& [level, dim] : root.dims)
        if (!root.assumed.contains(level)) gradients[i].assumed.erase(level);
    if (unused && !gradients[i].assumed.empty()) gradients[i] = whole_of(state, body.inputs[body.argnums[i]].given);
    if (unused && gives_zeros<Concrete>(judge, unused).v) {
      found[i] = filled(judge, state, at(state, gradients[i].tensor), 0);
      at(state, found[i]).computed_mapped = at(state, gradients[i].tensor).computed_mapped;
      at(state, found[i]).free_layout = at(state, gradients[i].tensor).free_layout;
      if (is_inference_tensor(judge, state, body.inputs[body.argnums[i]].outer))  // zeros_like of it
        free_version_of_inner_ops(state, at(state, found[i]).counter);
    }
    gradients[i].tensor = found[i];
    const bool mapped = maps || !gradients[i].dims.empty();
    if (found[i] != kNoTensor && mapped) begin_with_free_layout(judge, state, found[i]);
  }
  return gradients;
}

}  // namespace

void enter_grad(const Judge& judge, State& state, const EnterTransform& enter) {
  const auto& grad = std::get<Grad>(enter.transform);
  const std::vector<TensorId> inputs = held_all(state, enter.inputs);
  Differentiated body;
  body.argnums = chosen_of(judge, grad, inputs.size());
  body.mapped_levels = state.levels.size();
  body.first_tensor = state.tensors.size();
  body.first_storage = state.storages.size();
  body.first_node = state.nodes.size();
  body.first_counter = state.counters.size();
  body.inference_outside = state.tls.inference_mode.v;
  body.records_outside = records_outside<Concrete>(judge, state.tls.grad_mode && !state.tls.inference_mode).v;
  const Tls outer = state.tls;
  const Tls own = inside(judge, outer);
  {
    Beginning beginning(judge, state, body);
    beginning.refuse(inputs);
    const Restored found(state.tls);
    state.tls = own;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool chosen = std::ranges::find(body.argnums, i) != body.argnums.end();
      beginning.add(inputs[i], is_differentiated<Concrete>(judge, chosen).v);
    }
  }
  state.frames.push_back({.found = outer, .whole = true, .variables = state.slots, .transform = grad});
  state.tls = own;
  for (std::size_t i = 0; i < body.inputs.size() && i < enter.parameters.size(); ++i)
    bind(state, enter.parameters[i], body.inputs[i].shown);
  state.differentiated.push_back(std::move(body));
}

void leave_grad(const Judge& judge, State& state, const LeaveTransform& leave) {
  if (state.frames.empty() || !state.frames.back().variables || state.differentiated.empty())
    throw std::logic_error("the script leaves the body of torch.func.grad that it did not enter");
  const TensorId returned = held_all(state, leave.returned).at(0);
  const std::int64_t dims = rank(state, returned);
  raise_if(check_scalar<Concrete>(judge, dims != 0), {std::to_string(dims)});
  Whole root = whole_of(state, returned);
  std::vector<Whole> results = gradients_of_body(judge, state, root);
  const bool value = std::get<Grad>(*state.frames.back().transform).value;
  const std::vector<Differentiated::Input> inputs = state.differentiated.back().inputs;
  GradEnding(judge, state).run();
  if (value) {
    const auto is_input = std::ranges::find(inputs, root.tensor, &Differentiated::Input::own);
    results.push_back(is_input != inputs.end() ? whole_of(state, is_input->given) : std::move(root));
  }
  state.tls = state.frames.back().found;
  state.slots = *state.frames.back().variables;
  state.frames.pop_back();
  for (std::size_t i = 0; i < results.size() && i < leave.results.size(); ++i) {
    const bool whole = results[i].dims.empty() || results[i].tensor == kNoTensor;
    bind(state, leave.results[i], whole ? results[i].tensor : seen(state, results[i]));
  }
}

void abandon_grad(const Judge& judge, State& state) {
  GradEnding(judge, state).run();
  state.slots = *state.frames.back().variables;
}

}  // namespace plumbline::reference::transforms
