// Backward's arguments and results: the gradient that it starts from, the tensors whose gradients are asked for.
#include "spec/machine/backward.h"

#include "reference/call.h"
#include "reference/complex_gradients.h"
#include "reference/devices.h"
#include "reference/engine.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_inputs.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

/// Errors name the tensor by its place among those that the caller passed.
Occasion about_number(std::size_t i) {
  return {.message = [i](ErrorClass error) { return error_message(error, {std::to_string(i)}); }};
}

/// The gradient that backward starts from [torch/autograd/__init__.py, _make_grads].
std::optional<Elements> first_gradient(const Judge& judge, State& state, const Start& start, std::size_t index) {
  const Tensor& tensor = at(state, start.root);
  const Sizes sizes = sizes_of(tensor.geometry);
  if (start.given || requires_grad_of(judge, state, start.root))
    check_start(tensor, start.given ? &at(state, *start.given) : nullptr);
  if (start.given) {
    const Tensor& gradient = at(state, *start.given);
    const Sizes own = sizes_of(gradient.geometry);
    World world(judge, state, {.message = [&](ErrorClass) {
                  return text("Mismatch in shape: grad_output[", index, "] has a shape of torch.Size(", printed(own),
                              ") and output[", index, "] has a shape of torch.Size(", printed(sizes), ").");
                }});
    machine::check_first_gradient<World>(world, start.root, true, own == sizes);
    Elements elements;
    Tensor stretched = gradient;
    stretched.geometry = broadcast_to(gradient.geometry, broadcast_sizes(judge, own, sizes));
    for (const Element& element : elements_of(state, stretched))
      elements.push_back(converted(element, gradient.dtype, tensor.dtype));
    return elements;
  }
  World world(judge, state);
  machine::check_first_gradient<World>(world, start.root, false, false);
  if (!requires_grad_of(judge, state, start.root)) return std::nullopt;
  return Elements(static_cast<std::size_t>(element_count(sizes)), Element{.real = 1, .integer = 1});
}

}  // namespace

Gradient fitted(const Judge& judge, const std::string& function, std::size_t index, const Tensor& gradient,
                std::vector<Element> elements, const Sizes& wanted) {
  const Sizes own = sizes_of(gradient.geometry);
  const bool same = own == wanted;
  bool expandable = own.size() >= wanted.size();
  for (std::size_t i = 1; expandable && i <= wanted.size(); ++i) {
    const std::int64_t size = wanted[wanted.size() - i];
    expandable = size == 1 || size == own[own.size() - i];
  }
  const auto error = static_cast<ErrorClass>(check_expandable<Concrete>(judge, same, expandable).v);
  if (error != ErrorClass::none)
    raise(error, text(function.empty() ? "" : "Function " + function + " returned an ", "invalid gradient at index ",
                      index, " - got ", printed(own), " but expected shape compatible with ", printed(wanted)));
  if (same) return elements;
  const Arithmetic in(gradient.dtype);
  std::vector<std::vector<Element>> terms(static_cast<std::size_t>(element_count(wanted)));
  const auto places = places_of(broadcast_to(geometry_of(wanted, row_major(wanted)), own));
  for (std::size_t i = 0; i < elements.size(); ++i) terms[static_cast<std::size_t>(places[i])].push_back(elements[i]);
  std::vector<Element> sums;
  for (const auto& group : terms) sums.push_back(in.sum(group));
  return sums;
}

namespace {

/// Where the gradients of the chosen tensors arrive [torch/csrc/autograd/autograd.cpp, run_backward].
Chosen chosen_of(const Judge& judge, State& state, const std::vector<TensorId>& inputs, bool returned) {
  Chosen chosen{{}, inputs.empty(), returned};
  for (const TensorId input : inputs) {
    const Edge edge = gradient_edge(judge, state, input);
    if (chosen_retains<Concrete>(judge, returned).v) retain_grad(judge, state, input);
    World world(judge, state);
    machine::check_chosen_input(world, input);
    for (const Node& node : state.nodes)
      for (const Node::Input& recorded : node.inputs)
        if (edge.leaf != kNoTensor && recorded.edge.leaf == edge.leaf && recorded.dtype != at(state, input).dtype)
          throw ReferenceLimit("the gradient of a leaf whose dtype has changed since it was used");
    chosen.edges.push_back(edge);
  }
  return chosen;
}

/// Where the engine starts, after the checks of all tensors: the gradients come first.
std::vector<Engine::From> checked(const Judge& judge, State& state, const std::vector<Start>& starts) {
  std::vector<std::optional<Elements>> gradients;
  for (std::size_t i = 0; i < starts.size(); ++i) gradients.push_back(first_gradient(judge, state, starts[i], i));
  std::vector<Engine::From> found;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const TensorId root = starts[i].root;
    World world(judge, state, about_number(i));
    machine::check_root(world, root);
    if (!gradients[i]) continue;
    const Edge edge = gradient_edge(judge, state, root);
    // A view of a leaf made while grad mode was off requires grad with its base, and has no graph.
    if (!edge.goes()) raise_class(ErrorClass::no_graph, {std::to_string(i)});
    found.push_back({edge, at(state, root), std::move(*gradients[i]), starts[i].given});
  }
  return found;
}

/// The returned gradients.
std::vector<TensorId> go(const Judge& judge, State& state, const std::vector<Start>& starts, GraphUse graph,
                         const std::vector<TensorId>& inputs, bool returned) {
  std::vector<Engine::From> found = checked(judge, state, starts);
  if (found.empty()) return std::vector<TensorId>(inputs.size(), kNoTensor);
  Chosen chosen = chosen_of(judge, state, inputs, returned);
  for (std::size_t i = 0; i < found.size(); ++i) {
    Engine::From& from = found[i];
    if (from.edge.node == kNoNode) {
      if (from.given) check_gradient_device(judge, "", i, at(state, *from.given), from.tensor.device);
      continue;
    }
    const Node& node = state.nodes[static_cast<std::size_t>(from.edge.node)];  // the tensor may have been resized since
    const auto& output = node.outputs[static_cast<std::size_t>(from.edge.output)];
    from.gradient = *fitted(judge, "", i, from.tensor, std::move(from.gradient), output.sizes);
    if (from.given) check_gradient_device(judge, "", i, at(state, *from.given), output.device);
  }
  if (several_roots_are_one_backward(judge).v) {
    Engine engine(judge, state, graph, std::move(chosen));
    engine.run(std::move(found));
    return engine.returned();
  }
  std::vector<TensorId> last;
  for (Engine::From& from : found) {
    Engine engine(judge, state, graph, chosen);
    engine.run({std::move(from)});
    last = engine.returned();
  }
  return last;
}

/// Runs `work`, and undoes what it did if it raises an error and the rules say so.
template <class Work>
void undone_if_it_fails(const Judge& judge, State& state, const Work& work) {
  state.hook_wrote = false;
  State before = state;
  try {
    work();
  } catch (const Raise&) {
    if (state.hook_wrote)
      throw ReferenceLimit(
          "a backward that raises an error after a hook has written a tensor or a hook after accumulation was called");
    if (backward_is_undone<Concrete>(judge, true).v) undo(state, std::move(before));
    throw;
  }
}

}  // namespace

void run_backward(const Judge& judge, State& state, const std::vector<Start>& starts, GraphUse graph,
                  const std::vector<TensorId>& inputs) {
  undone_if_it_fails(judge, state, [&] { go(judge, state, starts, graph, inputs, false); });
}

std::vector<TensorId> gradients_of(const Judge& judge, State& state, const std::vector<Start>& starts, GraphUse graph,
                                   const std::vector<TensorId>& inputs, bool allow_unused) {
  std::vector<TensorId> gradients;
  undone_if_it_fails(judge, state, [&] {
    gradients = go(judge, state, starts, graph, inputs, true);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      World world(judge, state, about_number(i));
      machine::check_returned<World>(world, inputs[i], gradients[i] != kNoTensor, allow_unused);
    }
  });
  return gradients;
}

}  // namespace plumbline::reference
