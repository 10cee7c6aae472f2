// Making the kernels of a script's own operators smaller.
#include "oracle/simpler_kernels.h"

#include <utility>

#include "language/slots.h"
#include "oracle/simpler_statements.h"

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

/// The kernel with a statement in a simpler form, or without its key set or its results.
std::vector<CustomKernel> with_less(const CustomKernel& kernel) {
  std::vector<CustomKernel> less;
  for (std::size_t i = 0; i < kernel.statements.size(); ++i) {
    for (StatementKind& kind : simpler_call(kernel.statements[i].kind))
      less.emplace_back(kernel).statements[i].kind = std::move(kind);
    const auto* log = std::get_if<AppendToLog>(&kernel.statements[i].kind);
    if (log != nullptr && log->keys) less.emplace_back(kernel).statements[i].kind = AppendToLog{kernel.name};
  }
  if (kernel.with_keyset) less.emplace_back(kernel).with_keyset = false;
  if (kernel.returns_passed) less.emplace_back(kernel).returns_passed = false;
  return less;
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
    for (CustomKernel& less : with_less(kernel)) with(k, std::move(less));
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
