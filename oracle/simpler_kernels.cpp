// Making the kernels of a script's own operators smaller.
#include "oracle/simpler_kernels.h"

#include <utility>

#include "language/slots.h"

namespace plumbline {

namespace {

using Statements = std::vector<Statement>;

/// Without the statement, and if it opens a block, without the block's end.
Statements without_statement(Statements statements, std::size_t at) {
  if (const auto end = partner(statements, at))
    statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(*end));
  statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(at));
  return statements;
}

/// The kernel with fewer steps of its key set; without a key set if it does not redispatch.
std::vector<CustomKernel> with_fewer_key_steps(const CustomKernel& kernel) {
  std::vector<CustomKernel> fewer;
  bool redispatches = false;
  for (std::size_t i = 0; i < kernel.statements.size(); ++i) {
    const auto* invoke = std::get_if<Invoke>(&kernel.statements[i].kind);
    if (invoke == nullptr || !invoke->redispatch) continue;
    redispatches = true;
    for (std::size_t step = invoke->redispatch->size(); step-- > 0;) {
      auto& steps = *std::get<Invoke>(fewer.emplace_back(kernel).statements[i].kind).redispatch;
      steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(step));
    }
  }
  if (kernel.with_keyset && !redispatches) fewer.emplace_back(kernel).with_keyset = false;
  return fewer;
}

}  // namespace

std::vector<Script> with_simpler_kernels(const Script& script) {
  std::vector<Script> simpler;
  const auto with = [&](std::size_t k, CustomKernel kernel) {
    simpler.push_back(script);
    simpler.back().kernels[k] = std::move(kernel);
  };
  for (std::size_t k = script.kernels.size(); k-- > 0;) {
    const CustomKernel& kernel = script.kernels[k];
    for (std::size_t i = kernel.statements.size(); i-- > 0;) {
      if (closes_block(kernel.statements[i].kind)) continue;
      CustomKernel shorter = kernel;
      shorter.statements = without_statement(kernel.statements, i);
      with(k, std::move(shorter));
    }
    for (CustomKernel& fewer_steps : with_fewer_key_steps(kernel)) with(k, std::move(fewer_steps));
    for (std::size_t r = 0; r < kernel.returned.size(); ++r) {
      if (kernel.parameters.empty() || kernel.returned[r] == kernel.parameters[0]) continue;
      CustomKernel returns = kernel;
      returns.returned[r] = kernel.parameters[0];
      with(k, std::move(returns));
    }
  }
  return simpler;
}

}  // namespace plumbline
