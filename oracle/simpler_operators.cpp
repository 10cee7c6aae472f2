// Making a script's own operators smaller.
#include "oracle/simpler_operators.h"

#include <algorithm>
#include <utility>

#include "language/slots.h"

namespace plumbline {

namespace {

using Statements = std::vector<Statement>;

bool calls(const Statements& statements, std::size_t number) {
  return std::ranges::any_of(statements, [&](const Statement& statement) {
    const auto* invoke = std::get_if<Invoke>(&statement.kind);
    return invoke != nullptr && invoke->op == static_cast<std::int32_t>(number);
  });
}

/// Whether a statement, or a kernel of another operator, calls it.
bool is_called(const Script& script, std::size_t number) {
  if (calls(script.statements, number)) return true;
  for (std::size_t other = 0; other < script.operators.size(); ++other)
    for (const CustomKernel& kernel : script.operators[other].kernels)
      if (other != number && calls(kernel.statements, number)) return true;
  return false;
}

void number_after_removal(Statements& statements, std::size_t removed) {
  for (Statement& statement : statements)
    if (auto* invoke = std::get_if<Invoke>(&statement.kind);
        invoke != nullptr && invoke->op > static_cast<std::int32_t>(removed))
      --invoke->op;
}

Script without_operator(Script script, std::size_t number) {
  script.operators.erase(script.operators.begin() + static_cast<std::ptrdiff_t>(number));
  number_after_removal(script.statements, number);
  for (CustomOperator& op : script.operators)
    for (CustomKernel& kernel : op.kernels) number_after_removal(kernel.statements, number);
  return script;
}

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

std::vector<Script> with_simpler_operators(const Script& script) {
  std::vector<Script> simpler;
  for (std::size_t o = script.operators.size(); o-- > 0;) {
    if (!is_called(script, o)) simpler.push_back(without_operator(script, o));
    const std::vector<CustomKernel>& kernels = script.operators[o].kernels;
    for (std::size_t k = kernels.size(); k-- > 0;) {
      simpler.push_back(script);
      auto& fewer = simpler.back().operators[o].kernels;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      for (std::size_t i = kernels[k].statements.size(); i-- > 0;) {
        if (closes_block(kernels[k].statements[i].kind)) continue;
        simpler.push_back(script);
        simpler.back().operators[o].kernels[k].statements = without_statement(kernels[k].statements, i);
      }
      for (CustomKernel& fewer_steps : with_fewer_key_steps(kernels[k])) {
        simpler.push_back(script);
        simpler.back().operators[o].kernels[k] = std::move(fewer_steps);
      }
      for (std::size_t r = 0; r < kernels[k].returned.size(); ++r) {
        if (kernels[k].parameters.empty() || kernels[k].returned[r] == kernels[k].parameters[0]) continue;
        simpler.push_back(script);
        simpler.back().operators[o].kernels[k].returned[r] = kernels[k].parameters[0];
      }
    }
  }
  return simpler;
}

}  // namespace plumbline
