// The builder: operators that a graph may call, as torch.library's documentation asks for them.
#include <algorithm>
#include <array>
#include <string_view>

#include "fuzz/building.h"
#include "spec/ops/op_ids.h"

namespace plumbline::fuzz {

namespace {

using Keys = std::array<std::string_view, 2>;

/// For which keys one kernel is registered. "Meta" makes it the fake kernel too; with "CPU" alone there is none.
constexpr std::array<Keys, 5> kKeys{
    {{"CPU", "Meta"}, {"CPU", "Meta"}, {"CPU"}, {"CompositeExplicitAutograd"}, {"CompositeImplicitAutograd"}}};

/// It returns new tensors, or writes what it says, or both.
CustomOperator operator_for_graphs(std::size_t number, ManyChoices& choices) {
  CustomOperator op{"mine::f" + std::to_string(number + 1), {{"x"}}, {}};
  const bool writes = choices.one_in(2);
  if (writes) op.arguments[0] = {"x", "a", true};
  if (choices.one_in(3)) op.arguments.push_back({"y"});
  if (choices.one_in(4)) op.arguments.push_back({"n", "", false, SchemaValue::Kind::integer});
  const std::size_t returns = writes && choices.one_in(2) ? 0 : choices.one_in(4) ? 2 : 1;
  op.returns.resize(returns);
  return op;
}

/// Writes its first argument, directly or through a view, if the schema says so; what it returns is computed. `slots`:
/// how many are in use.
CustomKernel kernel_for_graphs(const CustomOperator& op, std::size_t& slots, ManyChoices& choices) {
  CustomKernel made{"k" + op.name.substr(op.name.find("::") + 2)};
  std::vector<Slot> tensors;
  std::vector<Value> factors{std::int64_t{2}};
  const auto fresh = [&slots] { return static_cast<Slot>(slots++); };
  const auto add = [&](Call call) { made.statements.push_back({std::move(call), 0}); };
  for (const SchemaValue& argument : op.arguments) {
    made.parameters.push_back(fresh());
    if (is_number(argument.kind))
      factors.emplace_back(NumberOf{made.parameters.back()});
    else
      tensors.push_back(made.parameters.back());
  }
  if (op.arguments[0].written) {
    Slot written = tensors[0];
    if (choices.one_in(3)) {
      const Slot view = fresh();
      add(Call{OpId::unsqueeze, {written, std::int64_t{0}}, {view}, false});
      written = view;
    }
    if (choices.one_in(3))
      add(Call{OpId::zero_, {written}, {}, false});
    else if (choices.one_in(3))
      add(Call{OpId::copy_, {written, tensors.back(), false}, {}, false});
    else
      add(Call{OpId::mul__Tensor, {written, factors.back()}, {}, false});
  }
  while (made.returned.size() < op.returns.size()) {
    made.returned.push_back(fresh());
    add(Call{OpId::mul_Tensor, {choices.any(tensors), choices.any(factors)}, {made.returned.back()}, false});
  }
  return made;
}

}  // namespace

std::int32_t Builder::define_operator_for_graphs(ManyChoices& choices) {
  const std::size_t own = slots_;
  const CustomOperator op = operator_for_graphs(script_.operators.size(), choices);
  const CustomKernel kernel = kernel_for_graphs(op, slots_, choices);
  end_names(own, slots_);
  const std::int32_t number = add_operator(op, "lib");
  const Keys keys = choices.any(kKeys);
  register_kernel(AddKernel{"lib", number, std::string(keys[0])}, kernel);
  const auto same = static_cast<std::int32_t>(script_.kernels.size()) - 1;
  if (!keys[1].empty()) perform(AddKernel{"lib", number, std::string(keys[1]), same});
  return number;
}

std::vector<Slot> Builder::live_for_operator(std::int32_t number) const {
  const auto below = [&](const Statement& statement) {
    const auto* added = std::get_if<AddKernel>(&statement.kind);
    return added != nullptr && added->op == number && added->key != "CompositeImplicitAutograd";
  };
  std::vector<Slot> slots = live();
  if (std::ranges::any_of(script_.statements, below))
    std::erase_if(slots, [&](Slot slot) {
      return reference::requires_grad_of(judge_, state_, state_.slots[static_cast<std::size_t>(slot)]);
    });
  return slots;
}

void Builder::call_operator_in_graph(const Gene& gene, Choices& draws) {
  constexpr std::size_t kMost = 2;
  ManyChoices choices(gene);
  if (live().empty()) return make(choose_literal_sizes(draws), draws, 0);
  if (!is_light()) return leave_out(LeftOut::too_large);
  if (computing_.empty() || (computing_.size() < kMost && choices.one_in(4)))
    computing_.push_back(define_operator_for_graphs(choices));
  const std::int32_t number = choices.any(computing_);
  const std::vector<Slot> slots = live_for_operator(number);
  if (slots.empty()) return make(choose_literal_sizes(draws), draws, 0);
  Invoke invoke = any_invoke(number, slots, choices);
  const std::size_t results = invoke.results.size();
  if (perform(std::move(invoke))) slots_ += results;
}

}  // namespace plumbline::fuzz
