// Explaining a program about the dispatcher: what each statement does, and which rules decide it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "language/dispatcher/program.h"
#include "oracle/dispatcher/runner.h"

namespace plumbline::dispatcher {

/// A rule that decides a statement: if it is misread, this is the first statement with another outcome.
struct Decision {
  const Rule* rule = nullptr;
  std::string otherwise;  ///< that outcome, or what the reference cannot execute then
};

/// What the reference does if a rule is misread.
struct Misread {
  const Rule* rule = nullptr;
  DispatchTrace trace;
  std::size_t limited = 0;  ///< at a limit: the statement that has it
  std::string limit;        ///< what the reference cannot execute; empty: nothing
};

/// What an implementation did.
struct HeldProgram {
  std::string on;
  std::string verdict;
  std::string message;             ///< empty if it passed
  std::vector<const Rule*> as_if;  ///< each of these rules, misread, gives exactly its trace
};

/// A program on the reference.
struct ExplainedProgram {
  Profile profile = Profile::sound;
  DispatchTrace trace;                           ///< empty if the reference reaches a limit
  std::string limit;                             ///< what it cannot execute; empty: nothing
  std::vector<Misread> misread;                  ///< for each rule
  std::vector<std::vector<Decision>> decisions;  ///< for each statement
  std::vector<HeldProgram> held;
};

ExplainedProgram explain(const DispatchScript& script, Profile profile);

/// The rules whose misreading makes the reference do what `trace` says, if the rules as they stand do not.
std::vector<const Rule*> misreadings_of(const ExplainedProgram& explained, const DispatchScript& script,
                                        const DispatchTrace& trace);

/// As text: each line of the program (`source`: the file's lines) with its outcome and rules. `line`: only this one; 0:
/// all.
std::string text(const ExplainedProgram& explained, const std::string& file, const DispatchTest& test,
                 const std::vector<std::string>& source, int line);
nlohmann::ordered_json json(const ExplainedProgram& explained, const std::string& file, const DispatchTest& test);

}  // namespace plumbline::dispatcher
