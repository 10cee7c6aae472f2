// The names that the protocol gives to fields, guards and grades of strictness.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "adapters/adapter.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

inline constexpr std::array<std::string_view, kFields> kFieldNames{
    "dtype",   "sizes",         "strides", "offset",  "values",  "storage", "keys",          "is_inference",
    "version", "requires_grad", "is_leaf", "grad_fn", "is_view", "base",    "creation_meta", "grad"};
inline constexpr std::array<std::string_view, kThreadFields> kThreadFieldNames{"inference_mode", "grad_mode",
                                                                               "included", "excluded"};
inline constexpr std::array<std::string_view, 9> kGuardNames{
    "inference_mode",           "no_grad",     "enable_grad", "set_grad_enabled",           "below_autograd",
    "below_ad_inplace_or_view", "exclude_key", "include_key", "auto_non_variable_type_mode"};
/// Whether a guard takes a dispatch key.
constexpr bool takes_key(GuardKind kind) { return kind == GuardKind::exclude_key || kind == GuardKind::include_key; }
inline constexpr std::array<std::string_view, 3> kProgramsNames{"plain", "captured", "functionalized"};
inline constexpr std::array<std::string_view, 5> kStrictnessNames{"ignore", "kind", "changed", "class", "exact"};

constexpr std::string_view name_of(Field field) { return kFieldNames[static_cast<std::size_t>(field)]; }
constexpr std::string_view name_of(ThreadField field) { return kThreadFieldNames[static_cast<std::size_t>(field)]; }
constexpr std::string_view name_of(GuardKind kind) { return kGuardNames[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(ContextKind kind) { return kContextKindNames[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(Strictness strictness) {
  return kStrictnessNames[static_cast<std::size_t>(strictness)];
}

/// The enumerator whose name is in `names` at its number, or nothing.
template <class E, std::size_t N>
constexpr std::optional<E> enumerator_named(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace plumbline
