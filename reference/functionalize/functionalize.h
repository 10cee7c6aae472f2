// Functionalization: three composable passes from body to body. PR 63048.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "reference/functionalize/program.h"

namespace plumbline::reference::functionalize {

/// (a) Alias removal: every view becomes a copy, and every write is replayed onto the aliases of the written tensor.
/// Writes stay; no two variables of the core share memory. Throws NotFunctional, and ReferenceLimit for bodies that the
/// pass does not support.
Program remove_aliases(const Judge& judge, const Body& body);

/// (b) Mutation removal: `a.add_(b)` becomes `a_1 = a.add(b)`, and later uses of `a` become `a_1`. Takes the result of
/// (a): a body without aliases. Written inputs get their value in the epilogue.
Program remove_mutations(const Judge& judge, Program program);

/// (c) View reapplication: `{view}_copy` becomes the view again if no one else has the value. Takes the result of (b).
Program reapply_views(const Judge& judge, Program program);

/// Which passes to run, in order.
enum class Passes : std::uint8_t { a, ab, abc };
inline constexpr std::array kPasses{Passes::a, Passes::ab, Passes::abc};

Program functionalize(const Judge& judge, const Body& body, Passes passes);
/// Applies the last of these passes to `before`, the result of the passes before it; pass (a) starts from the body.
Program last_pass(const Judge& judge, const Body& body, Program before, Passes passes);
std::string_view name_of(Passes passes);

/// How a program breaks the promises of its passes: a view in the core (a), a write in the core (ab), or a call that
/// the epilogue may not have. Nothing if it keeps them.
std::optional<std::string> broken_promise(const Program& program, Passes passes);

}  // namespace plumbline::reference::functionalize
