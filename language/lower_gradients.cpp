// Lowering backward: `y.backward(…)`, `torch.autograd.backward(y, …)` and `torch.autograd.grad(y, [x, …], …)`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "language/lowerer.h"
#include "language/print.h"

namespace plumbline::program {
namespace {

constexpr std::string_view kBackwardForm =
    "Write y.backward(), y.backward(g), y.backward(g, retain_graph=True, create_graph=True), y.backward(inputs=[x]) or "
    "torch.autograd.backward([y, z], [g, None])";
constexpr std::string_view kGradForm =
    "Write `g, = torch.autograd.grad(y, [x])`; it also takes a gradient, retain_graph=True, create_graph=True and "
    "allow_unused=True";

/// The parameters of torch.autograd.backward and torch.autograd.grad, in their order; y.backward takes those of
/// backward without the first.
constexpr std::array<std::string_view, 6> kBackwardParameters{"tensors",      "grad_tensors",   "retain_graph",
                                                              "create_graph", "grad_variables", "inputs"};
constexpr std::array<std::string_view, 4> kMethodParameters{"gradient", "retain_graph", "create_graph", "inputs"};
constexpr std::array<std::string_view, 9> kGradParameters{"outputs",      "inputs",           "grad_outputs",
                                                          "retain_graph", "create_graph",     "only_inputs",
                                                          "allow_unused", "is_grads_batched", "materialize_grads"};

using Given = std::map<std::string_view, const Expression*>;

/// The arguments of a call by their parameters, without each None; nothing if they do not fit.
std::optional<Given> by_parameter(const Invocation& call, std::span<const std::string_view> parameters) {
  if (call.positional.size() > parameters.size()) return std::nullopt;
  Given given;
  for (std::size_t i = 0; i < call.positional.size(); ++i) given[parameters[i]] = &call.positional[i];
  for (const auto& [name, value] : call.keywords) {
    const auto found = std::ranges::find(parameters, name);
    if (found == parameters.end() || !given.emplace(*found, &value).second) return std::nullopt;
  }
  std::erase_if(given, [](const auto& one) { return std::holds_alternative<NoneLiteral>(one.second->node); });
  return given;
}

/// The items of a list or a tuple, or the expression itself.
std::vector<const Expression*> items_of(const Expression& expression) {
  const auto* list = std::get_if<List>(&expression.node);
  const auto* tuple = std::get_if<Tuple>(&expression.node);
  if (list == nullptr && tuple == nullptr) return {&expression};
  std::vector<const Expression*> items;
  for (const Expression& item : list != nullptr ? list->items : tuple->items) items.push_back(&item);
  return items;
}

template <class Kind>
Kind starting_at(const std::vector<Root>& roots) {
  Kind kind{};
  kind.tensor = roots.front().tensor;
  kind.gradient = roots.front().gradient;
  kind.more.assign(roots.begin() + 1, roots.end());
  return kind;
}

}  // namespace

/// The options of backward and grad.
struct Lowerer::Options {
  bool retain_graph = false;  ///< as create_graph if it is not given
  bool create_graph = false;
  bool allow_unused = false;
};

Lowerer::Options Lowerer::backward_options(const std::map<std::string_view, const Expression*>& given) {
  const auto is_set = [&](std::string_view name) {
    const auto found = given.find(name);
    return found != given.end() && truth(*found->second, name);
  };
  const auto refuse = [&](std::string_view name, std::string problem, std::string advice) {
    if (is_set(name)) fail(start_of(*given.at(name)), fmt::format("{}=True{}", name, problem), std::move(advice));
  };
  const bool create_graph = is_set("create_graph");
  const Options options{given.contains("retain_graph") ? is_set("retain_graph") : create_graph, create_graph,
                        is_set("allow_unused")};
  refuse("materialize_grads", " makes zeros of missing gradients", "Write allow_unused=True");
  refuse("is_grads_batched", ": programs have no vmap", "Call torch.autograd.grad for each gradient");
  is_set("only_inputs");  // it has no effect, but it is a truth value
  return options;
}

std::vector<Slot> Lowerer::one_or_more(const Expression& expression) {
  std::vector<Slot> slots;
  for (const Expression* item : items_of(expression)) slots.push_back(tensor(*item));
  return slots;
}

std::vector<Root> Lowerer::roots(const Expression& tensors, const Expression* gradients) {
  std::vector<Root> roots;
  for (const Slot slot : one_or_more(tensors)) roots.push_back({slot});
  if (roots.empty()) fail(start_of(tensors), "backward starts from no tensor", "Name the tensors");
  if (gradients == nullptr) return roots;
  const std::vector<const Expression*> given = items_of(*gradients);
  if (given.size() != roots.size())
    fail(start_of(*gradients), fmt::format("{} tensors, but {} gradients", roots.size(), given.size()),
         "Write a gradient for each tensor, or None");
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (!std::holds_alternative<NoneLiteral>(given[i]->node)) roots[i].gradient = tensor(*given[i]);
  return roots;
}

void Lowerer::backward(const Expression* self, const Invocation& call, Place place, const Targets& targets) {
  const auto parameters = self != nullptr ? std::span<const std::string_view>(kMethodParameters)
                                          : std::span<const std::string_view>(kBackwardParameters);
  std::optional<Given> given = by_parameter(call, parameters);
  if (!given) fail(place, "backward does not take these arguments", std::string(kBackwardForm));
  if (self == nullptr && !given->contains("tensors"))
    fail(place, "backward has no tensor to start from", std::string(kBackwardForm));
  const auto gradients = given->find(self != nullptr ? "gradient" : "grad_tensors");
  const auto from =
      roots(self != nullptr ? *self : *given->at("tensors"), gradients != given->end() ? gradients->second : nullptr);
  Backward made = starting_at<Backward>(from);
  if (const auto inputs = given->find("inputs"); inputs != given->end()) {
    made.inputs = one_or_more(*inputs->second);
    if (made.inputs.empty()) fail(start_of(*inputs->second), "inputs= is empty", "Name a tensor, or leave it out");
  }
  const Options options = backward_options(*given);
  made.retain_graph = options.retain_graph;
  made.create_graph = options.create_graph;
  if (given->contains("grad_variables"))
    fail(place, "grad_variables is the old name of grad_tensors", std::string(kBackwardForm));
  if (!targets.names.empty())
    fail(targets.place, "backward returns nothing to assign", "Call it without `=`, and read x.grad");
  check_hooks_names(place);
  for (const Slot input : made.inputs) scope_.retains_grad(input);
  scope_.after_backward();
  emit(made, targets.line);
}

void Lowerer::grad(const Invocation& call, Place place, const Targets& targets) {
  std::optional<Given> given = by_parameter(call, kGradParameters);
  if (!given || !given->contains("outputs") || !given->contains("inputs"))
    fail(place, "torch.autograd.grad does not take these arguments", std::string(kGradForm));
  check_hooks_names(place);
  const auto gradients = given->find("grad_outputs");
  GetGradients made =
      starting_at<GetGradients>(roots(*given->at("outputs"), gradients != given->end() ? gradients->second : nullptr));
  made.inputs = one_or_more(*given->at("inputs"));
  if (made.inputs.empty()) fail(start_of(*given->at("inputs")), "grad() has no inputs", std::string(kGradForm));
  const Options options = backward_options(*given);
  made.retain_graph = options.retain_graph;
  made.create_graph = options.create_graph;
  made.allow_unused = options.allow_unused;
  if (!targets.names.empty()) {
    if (!targets.unpack)
      fail(targets.place, "torch.autograd.grad returns a tuple", "Unpack it: `g, = torch.autograd.grad(y, [x])`");
    if (targets.names.size() != made.inputs.size())
      fail(targets.place,
           fmt::format("torch.autograd.grad returns {} gradients, but {} names are assigned", made.inputs.size(),
                       targets.names.size()),
           "Write a name for each input");
    for (const std::string& name : targets.names) made.results.push_back(scope_.assign(*targets.frame, name));
    for (const Slot slot : made.results) scope_.holds_some_object(slot);
  }
  scope_.after_backward();
  emit(std::move(made), targets.line);
}

void Lowerer::requires_grad_(const Expression& self, const Invocation& call, Place place, const Targets& targets) {
  const Expression* given = only_argument(call, "requires_grad");
  if (given == nullptr && !(call.positional.empty() && call.keywords.empty()))
    fail(place, "requires_grad_ does not take these arguments", "Write x.requires_grad_() or x.requires_grad_(False)");
  const bool value = given == nullptr || truth(*given, "requires_grad_");
  const Slot slot = tensor(self);
  emit(SetRequiresGrad{slot, value, true}, targets.line);
  if (!targets.names.empty()) bind(targets, slot, place);
}

}  // namespace plumbline::program
