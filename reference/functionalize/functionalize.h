// Functionalization: three passes from body to body, which compose. PR 63048.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "reference/functionalize/program.h"

namespace plumbline::reference::functionalize {

/// (a) Alias removal: every view becomes its copy, and every write is replayed onto what aliases the written tensor.
/// Writes stay; no two variables of the core share memory. Throws NotFunctional, and ReferenceLimit for what the pass
/// cannot take.
Program remove_aliases(const Judge& judge, const Body& body);

/// (b) Mutation removal: `a.add_(b)` becomes `a_1 = a.add(b)`, and what was `a` is `a_1` from there on. Takes the
/// result of (a): a body without aliases. Inputs that were written get their value in the epilogue.
Program remove_mutations(const Judge& judge, Program program);

/// (c) View reapplication: `{view}_copy` becomes the view where the value is nobody else's. Takes the result of (b).
Program reapply_views(const Judge& judge, Program program);

/// Which passes to run, in order.
enum class Passes : std::uint8_t { a, ab, abc };
inline constexpr std::array kPasses{Passes::a, Passes::ab, Passes::abc};

Program functionalize(const Judge& judge, const Body& body, Passes passes);
/// What the last of these passes makes of `before`, the result of those before it; of the body for pass (a) alone.
Program last_pass(const Judge& judge, const Body& body, Program before, Passes passes);
std::string_view name_of(Passes passes);

/// What is wrong with a program by the promises of its passes: a view in the core (a), a write in it (ab), something in
/// the epilogue that is none of what may stand there. Nothing where it keeps them.
std::optional<std::string> broken_promise(const Program& program, Passes passes);

}  // namespace plumbline::reference::functionalize
