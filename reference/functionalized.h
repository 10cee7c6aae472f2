// A functionalized body as its caller sees it: it means what it means as it is, and some of it is free.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Nobody's rule: a judge for whom it is flipped misreads nothing, and runs bodies in their functionalized form.
inline constexpr Rule kNoFault{Family::FUN, 0, "A functionalized body means what the body means.", "", ""};

/// Nobody's rule, too: bodies run in the form that alias removal alone gives, on a backend that has no views.
inline constexpr Rule kWithoutViews{Family::FUN, 99, "A backend without views runs what alias removal gives.", "", ""};

void enter_functionalize(const Judge& judge, State& state, const EnterFunctionalize& enter);
void leave_functionalize(const Judge& judge, State& state, const LeaveFunctionalize& leave);

/// A call or a MakeTensor that ran, if it ran in a body.
void note_in_body(State& state, const Statement& statement);

/// Raises where `call` would write a tensor that the functionalized body around it captured.
void refuse_captured_write(const Judge& judge, State& state, const Call& call);

/// What an error in a functionalized body, whose frame is the last one, leaves.
void abandon_functionalize(const Judge& judge, State& state);

}  // namespace plumbline::reference
