// Making dispatch scripts shorter.
#include "fuzz/dispatcher/minimise.h"

#include <map>
#include <optional>

namespace plumbline::fuzz {

namespace {

/// The script without statement `i`; a guard goes with its end, or its end with it.
std::optional<DispatchScript> without(const DispatchScript& script, std::size_t i) {
  DispatchScript less = script;
  const auto at = less.statements.begin() + static_cast<std::ptrdiff_t>(i);
  if (std::holds_alternative<LeaveGuard>(*at)) return std::nullopt;
  if (std::holds_alternative<EnterGuard>(*at)) {
    int depth = 0;
    for (auto end = at; end != less.statements.end(); ++end) {
      depth += std::holds_alternative<EnterGuard>(*end) ? 1 : std::holds_alternative<LeaveGuard>(*end) ? -1 : 0;
      if (depth == 0) {
        less.statements.erase(end);
        break;
      }
    }
  }
  less.statements.erase(less.statements.begin() + static_cast<std::ptrdiff_t>(i));
  return less;
}

/// Simpler forms of a kernel, the simplest first.
std::vector<ProbeKernel> simpler(const ProbeKernel& kernel) {
  std::vector<ProbeKernel> all;
  const auto with = [&](auto change) {
    ProbeKernel less = kernel;
    change(less);
    if (!(less == kernel)) all.push_back(std::move(less));
  };
  with([](ProbeKernel& k) { k = {k.name, k.with_keyset, ProbeKernel::Act::nothing, {}, "", std::nullopt, k.raises}; });
  with([](ProbeKernel& k) { k.guard.reset(); });
  with([](ProbeKernel& k) { k.raises = false; });
  with([](ProbeKernel& k) {
    if (k.steps.size() > 1) k.steps.pop_back();
  });
  with([](ProbeKernel& k) {
    if (k.act != ProbeKernel::Act::redispatch) k.with_keyset = false;
  });
  return all;
}

/// Without the kernels that nothing registers.
void drop_unused(DispatchScript& script) {
  std::map<std::size_t, std::size_t> places;
  std::vector<ProbeKernel> kept;
  const auto keep = [&](std::optional<std::size_t>& kernel) {
    if (!kernel) return;
    const auto [at, added] = places.emplace(*kernel, kept.size());
    if (added) kept.push_back(script.kernels[*kernel]);
    kernel = at->second;
  };
  for (DispatchStatement& statement : script.statements) {
    if (auto* impl = std::get_if<ImplOp>(&statement)) keep(impl->kernel);
    if (auto* fallback = std::get_if<FallbackOp>(&statement)) keep(fallback->kernel);
  }
  script.kernels = std::move(kept);
}

}  // namespace

DispatchScript minimised(DispatchScript script, const std::function<bool(const DispatchScript&)>& keeps,
                         std::size_t most) {
  std::size_t tries = 0;
  const auto accept = [&](DispatchScript less) {
    if (++tries > most || !keeps(less)) return false;
    script = std::move(less);
    return true;
  };
  for (bool changed = true; changed && tries < most;) {
    changed = false;
    for (std::size_t i = script.statements.size(); i-- > 0;) {
      if (i >= script.statements.size()) continue;
      if (auto less = without(script, i)) changed = accept(std::move(*less)) || changed;
    }
    for (std::size_t k = 0; k < script.kernels.size(); ++k)
      for (const ProbeKernel& one : simpler(script.kernels[k])) {
        DispatchScript less = script;
        less.kernels[k] = one;
        if (accept(std::move(less))) {
          changed = true;
          break;
        }
      }
  }
  drop_unused(script);
  return script;
}

}  // namespace plumbline::fuzz
