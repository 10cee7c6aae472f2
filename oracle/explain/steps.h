// Explaining a run of the reference: for each statement what came of it, and which rules decided.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "spec/observation.h"
#include "spec/rule.h"
#include "spec/statement.h"

namespace plumbline::explain {

/// How far a rule that a statement consulted mattered there.
enum class Weight : std::uint8_t {
  agreed,    ///< its misreading would have said the same
  weighed,   ///< its misreading would have said something else, which would not show right behind the statement
  everyday,  ///< its misreading would show, as it does in the everyday program (see `everyday_program`)
  decided,   ///< its misreading would show, and the everyday program has nothing of it
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
  std::vector<CallKeys> calls;  ///< of a call that kernels were chosen for, and of those inside it
  std::vector<Reading> before;  ///< the thread's readings: kThreadFields of them
  std::vector<Reading> behind;
  std::vector<Ruling> rulings;  ///< in the order of the catalogue
};

/// A script as a profile's rules ran it.
struct Explanation {
  Profile profile = Profile::sound;
  std::vector<Step> steps;  ///< in the order in which they ran; what an error skipped has none
  Trace trace;              ///< of the same run
  std::string limit;        ///< why the reference stopped before the program's end; empty: it did not
};

/// Runs a script on the reference, statement by statement, and for each rule that mattered once more with its
/// misreading. A script that the reference cannot execute to its end is explained as far as it goes.
Explanation explain(const Script& script, Profile profile);

/// The names of a key set (a word of CallKeys), as readings have them.
std::vector<std::string> names_of_keys(std::uint64_t word);

/// The program by which everyday rules are told from those worth a word: normal tensors, no guard, no gradient.
std::string_view everyday_program();

}  // namespace plumbline::explain
