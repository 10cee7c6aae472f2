// A functionalized body for its caller: the same results as without functionalization, with some readings unspecified.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Not a real rule: a judge with it flipped misreads nothing, and runs bodies in their functionalized form.
inline constexpr Rule kNoFault{Family::FUN, 0, "A functionalized body means what the body means.", "", ""};

/// Not a real rule either: bodies run as only alias removal makes them, for a backend without views.
inline constexpr Rule kWithoutViews{Family::FUN, 99, "A backend without views runs what alias removal gives.", "", ""};

void enter_functionalize(const Judge& judge, State& state, const EnterFunctionalize& enter);
void leave_functionalize(const Judge& judge, State& state, const LeaveFunctionalize& leave);

/// Records a call or a MakeTensor that ran, if it ran in a body.
void note_in_body(State& state, const Statement& statement);

/// Raises an error if `call` would write a tensor that its functionalized body captured.
void refuse_captured_write(const Judge& judge, State& state, const Call& call);

/// The state after an error in a functionalized body, whose frame is the last one.
void abandon_functionalize(const Judge& judge, State& state);

}  // namespace plumbline::reference
