// Scopes in scopes: which transforms, modes and custom functions a program has inside which.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::tables {

/// What changes the meaning of the statements in it.
enum class Scope : std::uint8_t { functionalize, vmap, grad, inference_mode, no_grad, custom_function };
inline constexpr std::array<std::string_view, 6> kScopeNames{"functionalize",  "vmap",    "grad",
                                                             "inference_mode", "no_grad", "custom Function"};

/// An outer scope, and one or two that begin inside each other in it, at any depth.
using Nesting = std::vector<Scope>;
/// "vmap > grad".
std::string name_of(const Nesting& nesting);
/// All pairs, then each three of the transforms of torch.func.
std::vector<Nesting> all_nestings();
/// Those of a program, also of one that an error ends.
std::set<Nesting> nestings_of(const Script& script);

/// Why the specification has no program with this nesting; empty: it should have one.
std::string_view not_specified(const Nesting& nesting);

}  // namespace plumbline::tables
