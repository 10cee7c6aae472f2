// The abstract machine: executes the rules on plain values, one statement at a time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reference/state.h"
#include "spec/observation.h"

namespace plumbline::reference {

/// The state in which a program starts.
State initial_state(const Judge& judge);

/// Executes one statement (Try and EndTry only steer `run`) and returns its outcome. On an error the state
/// is what the rules say that it is; nothing else has changed. Guards stay as they are: see `unwind`.
Outcome step(const Judge& judge, State& state, const Statement& statement);

/// Leaves the guards above `depth` as an error does.
void unwind(const Judge& judge, State& state, std::size_t depth);

/// Runs the statements of a custom function's backward: the first error, or the last statement's outcome.
Outcome run_body(const Judge& judge, State& state, const std::vector<Statement>& statements);

/// Runs a script from the initial state.
Trace run(const Judge& judge, const Script& script);

/// Is told of each statement that is about to begin: its place, the state in which it begins, and how many guards an
/// error in it would leave open.
using Watch = std::function<void(std::size_t, const State&, std::size_t)>;
Trace run(const Judge& judge, const Script& script, const Watch& watch);

/// The state in which the statement at `place` begins; nothing where the run does not reach it.
std::optional<State> state_before(const Judge& judge, const Script& script, std::size_t place);

/// One field of a tensor as read now; reading a view's history may change the state, as it does in PyTorch.
Reading read(const Judge& judge, State& state, TensorId tensor, Field field);
Reading read_thread(const Judge& judge, const State& state, ThreadField field);

/// The names of a key set's runtime keys, as c10 has them, in the order of bits: "CPU", "ADInplaceOrView",
/// "AutogradCPU"; without a backend "AutogradFunctionality".
std::vector<std::string> key_names(const KeySet<Concrete>& keys);

}  // namespace plumbline::reference
