// Explaining a run of the reference: the outcome of each statement, and the rules that decided it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spec/rules/rule.h"
#include "spec/vocabulary/observation.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::explain {

/// How much a rule mattered at a statement that consulted it.
enum class Weight : std::uint8_t {
  agreed,    ///< its misreading would have said the same
  weighed,   ///< its misreading would have said something else, but nothing shows it right after the statement
  everyday,  ///< its misreading would show, as it does in the everyday program (see `everyday_program`)
  decided,   ///< its misreading would show, and it does not show in the everyday program
};
inline constexpr std::array<std::string_view, 4> kWeightNames{"agreed", "weighed", "everyday", "decided"};

/// A rule that a statement consulted.
struct Ruling {
  const Rule* rule = nullptr;
  Weight weight = Weight::agreed;
};

/// One statement as the reference ran it.
struct Step {
  std::size_t statement = 0;  ///< in the script
  int line = 0;               ///< in the program; 0: none
  Outcome outcome;
  std::vector<CallKeys> calls;  ///< the keys of the call and of the calls inside it
  std::vector<Reading> before;  ///< the thread's fields before the statement: kThreadFields readings
  std::vector<Reading> behind;  ///< the same after it
  std::vector<Ruling> rulings;  ///< in the order of the catalogue
};

/// A script as a profile's rules ran it.
struct Explanation {
  Profile profile = Profile::sound;
  std::vector<Step> steps;  ///< in the order of the run; a statement that an error skipped has no step
  Trace trace;              ///< of the same run
  std::string limit;        ///< why the reference stopped before the program's end; empty: it reached the end
};

/// Runs a script on the reference, statement by statement, and runs a statement again under the misreading of each rule
/// that mattered. A rule of the dispatcher's tables may show much later than it is asked: its ruling is at the first
/// statement that shows it. If the reference cannot execute the whole script, the explanation ends where the run ends.
Explanation explain(const Script& script, Profile profile);

/// The names of the keys in a key set (a word of CallKeys), as readings show them.
std::vector<std::string> names_of_keys(std::uint64_t word);

/// The program whose rules count as usual: normal tensors, no guard, no gradient.
std::string_view everyday_program();

}  // namespace plumbline::explain
