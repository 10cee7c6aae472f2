// The catalogue: every rule, in the order of families and numbers, with separate lists for the dispatcher and for
// functionalization. What only walks over rules includes this, and is not compiled again when a rule changes.
#pragma once

#include <span>
#include <string_view>

#include "spec/rules/rule.h"

namespace plumbline {

extern const std::span<const Rule* const> kRules;

/// The rules of registrations, tables and redispatch. Only programs that use torch.library show them.
extern const std::span<const Rule* const> kDispatchRules;

/// The rules of functionalization. The code that the passes make of a body shows them, not the body's results.
extern const std::span<const Rule* const> kFunctionalizeRules;

/// The rules of what the caller of a functionalized body sees. The machine asks them, and FUN-26.
extern const std::span<const Rule* const> kFunctionalizedCallRules;

/// The rules of the transforms of torch.func. Only programs that have one show them.
extern const std::span<const Rule* const> kTransformRules;

/// The laws of the sweep (OP), which hold of every operator. No judge is asked for them, so none can be misread:
/// `plumbline sweep` holds an implementation's operators to them.
extern const std::span<const Rule* const> kLawRules;

/// All of them, one list after another, the laws last.
extern const std::span<const Rule* const> kAllRules;

/// Those that judges are asked for: all but the laws.
extern const std::span<const Rule* const> kAskedRules;

/// The rule with this id ("INF-03"), or null.
const Rule* find_rule(std::string_view id);

/// The rule with this id, which judges are asked for. Throws std::runtime_error, with what to do, if there is no such
/// rule or if it is a law.
const Rule& asked_rule(std::string_view id);

}  // namespace plumbline
