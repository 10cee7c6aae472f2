// The outline of a C++ source: what its brackets enclose, which function contains a token, where statements begin.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "mutation/tokens.h"

namespace plumbline::mutate {

/// What a bracket encloses. `list`: a braced list of values; `other`: parentheses and square brackets.
enum class Inside : std::uint8_t { space, type, enumeration, code, list, other };

/// A bracket's content; the first scope is the file itself, which is a `space`.
struct Scope {
  Inside inside = Inside::space;
  std::string function;  ///< the innermost named function or type around its content; empty if there is none
};

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

struct Outline {
  std::vector<Scope> scopes;
  std::vector<std::size_t> scope_of;  ///< by token: the index of its scope; for a bracket, the scope around it
  std::vector<std::size_t> partner;   ///< by token: the index of the matching bracket; kNowhere for other tokens
  std::vector<std::size_t> start_of;  ///< by token: for a `;` that ends a statement, the statement's first token
};

/// Throws std::runtime_error, with the line, if brackets do not match.
Outline outline_of(const std::vector<Token>& tokens);

/// The position after a template's argument list that begins at `<`; `from` itself if there is none. A `<` with spaces
/// around it is a comparison.
std::size_t behind_angles(const std::vector<Token>& tokens, const Outline& outline, std::size_t from);

}  // namespace plumbline::mutate
