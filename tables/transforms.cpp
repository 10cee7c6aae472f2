// Finding scopes in scopes.
#include "tables/transforms.h"

#include <algorithm>
#include <optional>

namespace plumbline::tables {

namespace {

/// The scope that a statement begins; nothing: none. Other guards end by Exit, too.
std::optional<Scope> begun_by(const StatementKind& kind) {
  if (std::holds_alternative<EnterFunctionalize>(kind)) return Scope::functionalize;
  if (std::holds_alternative<EnterForward>(kind)) return Scope::custom_function;
  if (const auto* enter = std::get_if<EnterTransform>(&kind))
    return std::holds_alternative<Grad>(enter->transform) ? Scope::grad : Scope::vmap;
  const auto* guard = std::get_if<Enter>(&kind);
  if (guard == nullptr) return std::nullopt;
  if (guard->kind == GuardKind::inference_mode && guard->value) return Scope::inference_mode;
  const bool off = guard->kind == GuardKind::no_grad || (guard->kind == GuardKind::set_grad_enabled && !guard->value);
  return off ? std::optional(Scope::no_grad) : std::nullopt;
}

constexpr std::array kTransforms{Scope::functionalize, Scope::vmap, Scope::grad};

bool is_transform(Scope scope) { return std::ranges::find(kTransforms, scope) != kTransforms.end(); }

bool begins(const StatementKind& kind) {
  return enters_body(kind) || std::holds_alternative<EnterForward>(kind) || std::holds_alternative<Enter>(kind) ||
         std::holds_alternative<EnterSavedTensorsHooks>(kind);
}
bool ends(const StatementKind& kind) {
  return leaves_body(kind) || std::holds_alternative<LeaveForward>(kind) || std::holds_alternative<Exit>(kind);
}

}  // namespace

std::string name_of(const Nesting& nesting) {
  std::string name;
  for (const Scope scope : nesting) {
    if (!name.empty()) name += " > ";
    name += kScopeNames.at(static_cast<std::size_t>(scope));
  }
  return name;
}

std::vector<Nesting> all_nestings() {
  std::vector<Nesting> all;
  for (std::size_t outer = 0; outer < kScopeNames.size(); ++outer)
    for (std::size_t inner = 0; inner < kScopeNames.size(); ++inner)
      all.push_back({static_cast<Scope>(outer), static_cast<Scope>(inner)});
  for (const Scope outer : kTransforms)
    for (const Scope middle : kTransforms)
      for (const Scope inner : kTransforms) all.push_back({outer, middle, inner});
  return all;
}

std::set<Nesting> nestings_of(const Script& script) {
  std::set<Nesting> found;
  std::vector<std::optional<Scope>> open;
  for (const Statement& statement : script.statements) {
    if (ends(statement.kind) && !open.empty()) open.pop_back();
    if (!begins(statement.kind)) continue;
    const std::optional<Scope> scope = begun_by(statement.kind);
    for (std::size_t i = 0; scope && i < open.size(); ++i) {
      if (!open[i]) continue;
      found.insert({*open[i], *scope});
      for (std::size_t j = i + 1; j < open.size(); ++j)
        if (open[j] && is_transform(*open[i]) && is_transform(*open[j]) && is_transform(*scope))
          found.insert({*open[i], *open[j], *scope});
    }
    open.push_back(scope);
  }
  return found;
}

std::string_view not_specified(const Nesting& nesting) {
  const Scope outer = nesting.front(), inner = nesting.back();
  if (is_transform(outer) && inner == Scope::custom_function)
    return "the language has no custom Function in such a body";
  if (outer == Scope::custom_function && is_transform(inner))
    return "the language has no transform in a custom Function";
  return "";
}

}  // namespace plumbline::tables
