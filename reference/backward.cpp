// Backward through what was recorded: add, sub, mul, sum and clone, of equal sizes.
#include <algorithm>
#include <map>

#include "reference/call.h"
#include "reference/raise.h"
#include "spec/op_ids.h"
#include "spec/rules/aut.h"
#include "spec/rules/inf.h"
#include "spec/rules/ver.h"

namespace plumbline::reference {

namespace {

using Gradient = std::vector<double>;

double real_of(const Operand& number) { return number.integral ? static_cast<double>(number.integer) : number.real; }

const Tensor& at(const State& state, TensorId id) { return state.tensors[static_cast<std::size_t>(id)]; }

/// One run of backward: gradients are gathered first, and written to `.grad` only once nothing can raise any more.
class Engine {
 public:
  Engine(const Judge& judge, State& state) : judge_(judge), state_(state) {}

  void run(TensorId root) {
    const Tensor& tensor = at(state_, root);
    const Sizes sizes = sizes_of(tensor.geometry);
    if (element_count(sizes) != 1) throw ReferenceLimit("backward() of a tensor that has not one element");
    give(input_of(state_, root), {1.0});
    while (!waiting_.empty()) {  // a node's inputs were recorded before it
      const auto last = std::prev(waiting_.end());
      const auto [node, gradient] = *last;
      waiting_.erase(last);
      go_back(state_.nodes[static_cast<std::size_t>(node)], gradient);
    }
    for (const auto& [leaf, gradient] : leaves_) accumulate(leaf, gradient);
  }

  static Node::Input input_of(const State& state, TensorId id) {
    const Tensor& tensor = at(state, id);
    Node::Input input;
    input.sizes = sizes_of(tensor.geometry);
    if (!tensor.meta.has_grad_fn.v) {
      input.leaf = tensor.meta.requires_grad.v ? id : kNoTensor;
      input.lost = !tensor.meta.requires_grad.v && tensor.base != kNoTensor;
      return input;
    }
    input.next = tensor.node;
    input.lost = tensor.node == kNoNode;
    return input;
  }

 private:
  void give(const Node::Input& input, const Gradient& gradient) {
    if (input.lost) throw ReferenceLimit("backward() through a view or an in-place op");
    if (!wanted(input)) return;
    Gradient& sum = input.next != kNoNode ? waiting_[input.next] : leaves_[input.leaf];
    if (sum.empty()) sum.assign(gradient.size(), 0);
    for (std::size_t i = 0; i < gradient.size(); ++i) sum[i] += gradient[i];
  }

  static Gradient scaled(Gradient gradient, double by) {
    for (double& g : gradient) g *= by;
    return gradient;
  }

  Gradient value_of(const Node::Input& input, std::size_t size) const {
    if (!input.saved) return Gradient(size, input.number);
    const SavedTensor& saved = *input.saved;
    const std::int64_t now =
        saved.counter < 0 ? saved.version : state_.counters[static_cast<std::size_t>(saved.counter)].version;
    const auto error = static_cast<ErrorClass>(check_saved_version<Concrete>(judge_, saved.version, now).v);
    if (error != ErrorClass::none)
      raise(error, error_message(error, {"…", std::to_string(now), std::to_string(saved.version), "…"}));
    Gradient values;
    const auto& memory = state_.storages[static_cast<std::size_t>(saved.storage)].elements;
    for (const std::int64_t place : places_of(saved.geometry))
      values.push_back(memory.at(static_cast<std::size_t>(place)).real);
    return values;
  }

  void go_back(const Node& node, const Gradient& gradient) {
    const auto product = [&](const Node::Input& with) {
      Gradient out = value_of(with, gradient.size());
      for (std::size_t i = 0; i < out.size(); ++i) out[i] *= gradient[i];
      return out;
    };
    switch (node.op) {
      case OpId::add_Tensor:
      case OpId::sub_Tensor:
        same_sizes(node);
        give(node.inputs[0], gradient);
        return give(node.inputs[1], scaled(gradient, node.op == OpId::sub_Tensor ? -node.alpha : node.alpha));
      case OpId::mul_Tensor:
        same_sizes(node);
        if (wanted(node.inputs[0])) give(node.inputs[0], product(node.inputs[1]));
        if (wanted(node.inputs[1])) give(node.inputs[1], product(node.inputs[0]));
        return;
      case OpId::sum:
        return give(node.inputs[0],
                    Gradient(static_cast<std::size_t>(element_count(node.inputs[0].sizes)), gradient.front()));
      case OpId::clone:
        return give(node.inputs[0], gradient);
      default:
        throw ReferenceLimit("backward() through " + qualified_name(op(node.op)));
    }
  }

  static bool wanted(const Node::Input& input) {
    return input.lost || input.next != kNoNode || input.leaf != kNoTensor;
  }

  static void same_sizes(const Node& node) {
    if (!node.inputs[1].sizes.empty() && node.inputs[0].sizes != node.inputs[1].sizes)
      throw ReferenceLimit("backward() through an op that broadcasts");
  }

  void accumulate(TensorId leaf, const Gradient& gradient) {
    const Tensor& tensor = at(state_, leaf);
    const Sizes sizes = sizes_of(tensor.geometry);
    const TensorId held = tensor.grad;
    if (element_count(sizes) != static_cast<std::int64_t>(gradient.size()) ||
        (held != kNoTensor && sizes_of(at(state_, held).geometry) != sizes))
      throw ReferenceLimit("backward() to a leaf whose data was exchanged for another size");
    if (held != kNoTensor && backward_accumulates(judge_).v) return add_in_place(held, gradient);
    Fresh fresh{sizes, row_major(sizes), tensor.dtype, {}};
    for (const double g : gradient) fresh.elements.push_back(element_of({kNoTensor, false, g, 0}, tensor.dtype));
    const TensorId made = make_tensor(judge_, state_, std::move(fresh), false);
    Tensor& fresh_grad = state_.tensors[static_cast<std::size_t>(made)];
    if (!gradient_counted<Concrete>(judge_, fresh_grad.counter >= 0).v) fresh_grad.counter = -1;
    fresh_grad.meta.counted = fresh_grad.counter >= 0;
    if (fresh_grad.counter >= 0) state_.counters[static_cast<std::size_t>(fresh_grad.counter)].free_by = &VER_17;
    state_.tensors[static_cast<std::size_t>(leaf)].grad = made;
  }

  /// The engine writes a gradient that is there in place, below Autograd.
  void add_in_place(TensorId grad, const Gradient& gradient) {
    const Tensor& tensor = at(state_, grad);
    const auto refuse = [&] {
      const auto error = static_cast<ErrorClass>(
          check_inplace_inference<Concrete>(judge_, tensor.counter < 0, false, false, state_.tls).v);
      if (error != ErrorClass::none) raise(error, error_message(error, {}));
    };
    const bool before = checks_before_write(judge_).v;
    if (before) refuse();
    auto& memory = state_.storages[static_cast<std::size_t>(tensor.storage)].elements;
    const std::vector<std::int64_t> places = places_of(tensor.geometry);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      Element& element = memory.at(static_cast<std::size_t>(places[i]));
      element = element_of({kNoTensor, false, element.real + gradient[i], 0}, tensor.dtype);
    }
    if (!before) refuse();
    if (tensor.counter >= 0)
      state_.counters[static_cast<std::size_t>(tensor.counter)].version +=
          version_step<Concrete>(judge_, static_cast<std::int64_t>(gradient.size()), state_.tls).v;
  }

  const Judge& judge_;
  State& state_;
  std::map<NodeId, Gradient> waiting_;
  std::map<TensorId, Gradient> leaves_;
};

}  // namespace

NodeId record_node(State& state, OpId id, const Arguments& arguments, Dtype result) {
  const Op& table = op(id);
  Node node;
  node.op = id;
  node.dtype = result;
  for (std::size_t i = 0; i < table.arguments.size(); ++i) {
    if (table.arguments[i].name == "alpha") node.alpha = real_of(arguments.number(i));
    if (table.arguments[i].type != ArgType::Tensor) continue;
    const Operand operand = arguments.operand(i);
    if (operand.is_number()) {
      node.inputs.emplace_back().number = real_of(operand);
      continue;
    }
    Node::Input& input = node.inputs.emplace_back(Engine::input_of(state, operand.tensor));
    const Tensor& tensor = at(state, operand.tensor);
    const bool saved = std::ranges::any_of(
        table.saves, [&](const Saves& saves) { return saves.saved == static_cast<std::int8_t>(i); });
    if (saved)
      input.saved = SavedTensor{tensor.geometry, tensor.storage, tensor.counter,
                                tensor.counter < 0 ? 0 : version_of(state, tensor)};
  }
  state.nodes.push_back(std::move(node));
  return static_cast<NodeId>(state.nodes.size()) - 1;
}

void run_backward(const Judge& judge, State& state, TensorId root) {
  const auto error = static_cast<ErrorClass>(check_backward<Concrete>(judge, requires_grad_of(judge, state, root)).v);
  if (error != ErrorClass::none) raise(error, error_message(error, {}));
  if (requires_grad_of(judge, state, root)) Engine(judge, state).run(root);
}

}  // namespace plumbline::reference
