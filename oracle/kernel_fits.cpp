// Whether guards, key sets and kernels have what they need.
#include "oracle/kernel_fits.h"

#include <algorithm>

#include "adapters/protocol/names.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

bool key_fits(std::string_view name) { return name != "Undefined" && is_runtime_key(name); }

bool guard_fits(const Enter& enter) { return takes_key(enter.kind) ? key_fits(enter.key) : enter.key.empty(); }

bool steps_fit(const std::vector<KeyStep>& steps, bool keyed) {
  const bool starts = !steps.empty() && steps.front().kind == KeyStep::Kind::only;
  if (!starts && !keyed) return false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& [kind, key] = steps[i];
    const bool only = kind == KeyStep::Kind::only;
    if (only && i > 0) return false;
    if (takes_key(kind) ? !key_fits(key) && !(only && key == "Undefined") : !key.empty()) return false;
  }
  return true;
}

namespace {

bool passes(const Statement& statement) {
  const auto* invoke = std::get_if<Invoke>(&statement.kind);
  return invoke != nullptr && invoke->passes_arguments;
}

}  // namespace

bool shape_fits(const CustomKernel& kernel) {
  if (kernel.any_arguments && !kernel.parameters.empty()) return false;
  if (!kernel.returns_passed) return true;
  return kernel.any_arguments && kernel.returned.empty() && std::ranges::any_of(kernel.statements, passes);
}

bool calls_the_called_operator(const CustomKernel& kernel) {
  return std::ranges::any_of(kernel.statements, [](const Statement& statement) {
    return passes(statement) && std::get<Invoke>(statement.kind).op == kCalledOperator;
  });
}

}  // namespace plumbline
