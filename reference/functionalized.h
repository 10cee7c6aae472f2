// A functionalized body for its caller: the same results as without functionalization, with some readings unspecified.
#pragma once

#include "reference/state.h"

namespace plumbline::reference {

/// Not a real rule, and without a text: a judge with it flipped misreads nothing, and runs bodies in their
/// functionalized form.
inline constexpr Rule kNoFault{Family::FUN, 0};

/// Not a real rule either: bodies run as only alias removal makes them, for a backend without views.
inline constexpr Rule kWithoutViews{Family::FUN, 99};

void enter_functionalize(const Judge& judge, State& state, const EnterFunctionalize& enter);
void leave_functionalize(const Judge& judge, State& state, const LeaveFunctionalize& leave);

/// Whether a functionalized body of the script has the body of another transform in it.
bool has_transform_in_functionalized_body(const Script& script);
/// Whether a body is open.
bool in_body(const State& state);

/// Records a statement that ran, if it is in a body.
void note_in_body(State& state, const Statement& statement);

/// Raises an error if `call` would write a tensor that its functionalized body captured.
void refuse_captured_write(const Judge& judge, State& state, const Call& call);

/// Whether the storage is that of an input of an open body, or was made in the body.
bool is_functional(const State& state, std::int32_t storage);

// The departures of the profile pr-63048. Each does nothing in the other profiles.

/// Raises if `call` is as_strided or as_strided_ of a functional tensor (FUN-15).
void refuse_as_strided(const Judge& judge, State& state, const Call& call);
/// Raises if resize_ needs more elements than the storage of a functional tensor has (FUN-31).
void refuse_longer_storage(const Judge& judge, const State& state, const Tensor& resized, std::int64_t elements);
/// Raises if a body would begin within a body (FUN-36).
void refuse_inner_body(const Judge& judge, const State& state);
/// Gives the inputs of a body that has ended the layouts that they had before it (FUN-24).
void keep_layouts(const Judge& judge, State& state, const State& before, const std::vector<TensorId>& inputs,
                  std::vector<TensorId>& results);

/// The state after an error in a functionalized body, whose frame is the last one.
void abandon_functionalize(const Judge& judge, State& state);

}  // namespace plumbline::reference
