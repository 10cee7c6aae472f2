// A program's own operators in the layer [aten/src/ATen/FunctionalizeFallbackKernel.cpp, functionalizeFallback].
#include <algorithm>

#include "reference/custom_operator.h"
#include "reference/functorch/layer.h"
#include "reference/raise.h"
#include "spec/rules/fun_body.h"

namespace plumbline::reference::functorch {

std::vector<TensorId> call_operator(const Judge& judge, State& state, const CustomOperator& op,
                                    std::vector<TensorId> inputs,
                                    const std::function<std::vector<TensorId>(const std::vector<TensorId>&)>& below) {
  check_aliasing_operator(judge, op);
  if (is_isolated(judge)) throw ReferenceLimit("an operator of the program's own, while one variant alone is followed");
  Layer layer(judge, state);
  const bool any = std::ranges::any_of(inputs, [&](TensorId input) { return layer.is_wrapper(input); });
  const bool wraps = any || inputs.empty();
  for (TensorId& input : inputs) input = layer.synced(input);
  const auto called = [&] {
    const Restored layers(state.layers_on);
    --state.layers_on;
    return below(inputs);
  };
  std::vector<TensorId> results = called();
  layer.refuse_functional(results);
  if (wraps)
    for (TensorId& result : results) result = layer.wrapped(result);
  return results;
}

}  // namespace plumbline::reference::functorch
