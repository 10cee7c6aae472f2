// Raising backward: `y.backward(…)`, `torch.autograd.backward([y, z], …)` and `torch.autograd.grad(y, [x], …)`.
#include <algorithm>
#include <memory>

#include "language/observe.h"
#include "language/raiser.h"

namespace plumbline::program {
namespace {

Expression list_of(const CallWriter& calls, const std::vector<Slot>& slots) {
  List list;
  for (const Slot slot : slots) list.items.push_back({Name{calls.name(slot)}, {}});
  return {std::move(list), {}};
}

/// `y`, or `[y, z]`: where backward starts.
Expression tensors_of(const CallWriter& calls, const std::vector<Root>& roots) {
  std::vector<Slot> slots;
  for (const Root& root : roots) slots.push_back(root.tensor);
  return slots.size() == 1 ? Expression{Name{calls.name(slots[0])}, {}} : list_of(calls, slots);
}

/// `g`, or `[g, None]`; nothing if no tensor has a gradient.
Expressions gradients_of(const CallWriter& calls, const std::vector<Root>& roots) {
  if (std::ranges::none_of(roots, [](const Root& root) { return root.gradient.has_value(); })) return {};
  List list;
  for (const Root& root : roots)
    list.items.push_back(root.gradient ? Expression{Name{calls.name(*root.gradient)}, {}}
                                       : Expression{NoneLiteral{}, {}});
  if (roots.size() == 1) return list.items;
  return {{std::move(list), {}}};
}

Invocation invocation(const std::string& callee) {
  return {std::make_shared<const Expression>(dotted(callee)), {}, {}};
}

void set(Invocation& call, const std::string& keyword, bool value) {
  if (value) call.keywords.push_back({keyword, Expression{true, {}}});
}

/// retain_graph=, if it is not create_graph's value, and create_graph=True.
template <class Kind>
void set_graph_options(Invocation& call, const Kind& kind) {
  if (kind.retain_graph != kind.create_graph)
    call.keywords.push_back({"retain_graph", Expression{kind.retain_graph, {}}});
  set(call, "create_graph", kind.create_graph);
}

}  // namespace

Expression CallWriter::backward(const Backward& backward) const {
  const std::vector<Root> roots = roots_of(backward);
  const bool many = roots.size() > 1;
  Invocation call = invocation(many ? "torch.autograd.backward" : name(backward.tensor) + ".backward");
  call.positional = gradients_of(*this, roots);
  if (many) call.positional.insert(call.positional.begin(), tensors_of(*this, roots));
  set_graph_options(call, backward);
  if (!backward.inputs.empty()) call.keywords.push_back({"inputs", list_of(*this, backward.inputs)});
  return {std::move(call), {}};
}

Expression CallWriter::gradients(const GetGradients& get) const {
  const std::vector<Root> roots = roots_of(get);
  Invocation call = invocation("torch.autograd.grad");
  call.positional = gradients_of(*this, roots);
  call.positional.insert(call.positional.begin(), {tensors_of(*this, roots), list_of(*this, get.inputs)});
  set_graph_options(call, get);
  set(call, "allow_unused", get.allow_unused);
  return {std::move(call), {}};
}

}  // namespace plumbline::program
