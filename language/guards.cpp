// Guards: how each is written in Python, in both directions.
#include "language/guards.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "language/observe.h"

namespace plumbline::program {
namespace {

constexpr std::array kGuards{
    GuardSpelling{"torch.inference_mode", GuardKind::inference_mode, Takes::optional_truth},
    GuardSpelling{"torch.no_grad", GuardKind::no_grad, Takes::nothing},
    GuardSpelling{"torch.enable_grad", GuardKind::enable_grad, Takes::nothing},
    GuardSpelling{"torch.set_grad_enabled", GuardKind::set_grad_enabled, Takes::truth},
    GuardSpelling{"torch._C._AutoDispatchBelowAutograd", GuardKind::below_autograd, Takes::nothing},
    GuardSpelling{"torch._C._AutoDispatchBelowADInplaceOrView", GuardKind::below_ad_inplace_or_view, Takes::nothing},
    GuardSpelling{kExcludeGuard, GuardKind::exclude_key, Takes::key_set},
    GuardSpelling{"torch._C._IncludeDispatchKeyGuard", GuardKind::include_key, Takes::key},
};
constexpr std::string_view kCppOnly = "AutoNonVariableTypeMode";

}  // namespace

std::span<const GuardSpelling> guards() { return kGuards; }

const GuardSpelling* guard_named(std::string_view name) {
  const auto found = std::ranges::find(kGuards, name, &GuardSpelling::name);
  return found == kGuards.end() ? nullptr : &*found;
}

Expression written(const Enter& enter) {
  const auto found = std::ranges::find(kGuards, enter.kind, &GuardSpelling::kind);
  if (found == kGuards.end()) return call_of(fmt::format("at_{}", kCppOnly), {});
  const std::string name(found->name);
  switch (found->takes) {
    case Takes::nothing:
      return call_of(name, {});
    case Takes::optional_truth:
      return enter.value ? call_of(name, {}) : call_of(name, {{false, {}}});
    case Takes::truth:
      return call_of(name, {{enter.value, {}}});
    case Takes::key_set:
      return call_of(name, {key_set_expression(enter.key)});
    case Takes::key:
      return call_of(name, {key_expression(enter.key)});
  }
  return call_of(name, {});
}

bool is_auto_non_variable_type_mode(std::string_view name) { return name.ends_with(kCppOnly); }

std::string list_of_guards() {
  return "The guards are torch.inference_mode(), torch.no_grad(), torch.enable_grad(), torch.set_grad_enabled(b), "
         "torch._C._AutoDispatchBelowAutograd(), torch._C._AutoDispatchBelowADInplaceOrView(), "
         "torch._C._ExcludeDispatchKeyGuard(keys), torch._C._IncludeDispatchKeyGuard(key) and "
         "pytest.raises(RuntimeError)";
}

bool has_cpp_guard(const Script& script) {
  return std::ranges::any_of(script.statements, [](const Statement& s) {
    const auto* enter = std::get_if<Enter>(&s.kind);
    return enter != nullptr && enter->kind == GuardKind::auto_non_variable_type_mode;
  });
}

}  // namespace plumbline::program
