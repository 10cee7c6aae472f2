// The abstract machine: executes the rules on plain values, one statement at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/state.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// The state in which a program starts.
State initial_state(const Judge& judge);

/// The same for a script, whose custom functions and operators it has.
State initial_state(const Judge& judge, const Script& script);

/// Executes one statement and returns its outcome (Try and EndTry only matter to `run`). After an error the state is as
/// the rules say, and nothing else has changed. Guards stay open: see `unwind`.
Outcome step(const Judge& judge, State& state, const Statement& statement);

/// Ends the guards above `depth`, as an error does.
void unwind(const Judge& judge, State& state, std::size_t depth);

/// Runs the statements of a custom function's backward: the first error, or the last statement's outcome.
Outcome run_body(const Judge& judge, State& state, const std::vector<Statement>& statements);

/// Runs a script from the initial state.
Trace run(const Judge& judge, const Script& script);

/// Called before each statement with its place, the state before it, and the number of guards that stay open if it
/// raises an error.
using Watch = std::function<void(std::size_t, const State&, std::size_t)>;
Trace run(const Judge& judge, const Script& script, const Watch& watch);

/// The state before the statement at `place`; nothing if the run does not reach it.
std::optional<State> state_before(const Judge& judge, const Script& script, std::size_t place);

/// One field of a tensor. Reading a view's history may change the state, as in PyTorch.
Reading read(const Judge& judge, State& state, TensorId tensor, Field field);
Reading read_thread(const Judge& judge, const State& state, ThreadField field);

/// The names of a key set's runtime keys, as in c10, in the order of bits: "CPU", "ADInplaceOrView",
/// "AutogradCPU"; without a backend "AutogradFunctionality".
std::vector<std::string> key_names(const KeySet<Concrete>& keys);

}  // namespace plumbline::reference
