// Testing one mutant against the obligations and the programs that reach its site.
#pragma once

#include <memory>
#include <string>

#include "mutation/rules/suite.h"
#include "mutation/rules/workers.h"

namespace plumbline::mutants {

/// An obligation or a program that shows a mutant.
struct Witness {
  std::string name;  ///< the obligation or the program; empty if there is none
  Profile profile = Profile::sound;
  std::string what;     ///< "refuted"; "line 7: version of y: expected 1, got 0"
  std::string flipped;  ///< the rule that both runs misread: the mutant changes the rule's misreading
};

/// The result for a mutant.
struct Fate {
  Witness proof;
  Witness program;
  std::size_t asked = 0;      ///< questions put to the solver
  std::size_t identical = 0;  ///< questions that the mutant does not change
  std::string unknown;        ///< a question that the solver could not decide
  std::string mistake;        ///< an obligation that is not as expected without the mutant, so it cannot kill it
  bool ran = false;           ///< the hunt was completed

  std::string to_json() const;
  static Fate from_json(const std::string& text);
};

/// Hunts mutants one after the other. It remembers the solver's answers and what killed mutants, so similar mutants
/// should follow each other. Use it in a worker.
class Hunter {
 public:
  Hunter(const Suite& suite, const Announce& announce);
  ~Hunter();
  Hunter(const Hunter&) = delete;
  Hunter& operator=(const Hunter&) = delete;

  /// Asks the obligations that reach the site, the cheapest first, until a verdict is not the expected one. If all are
  /// expected (or always, with `programs`), runs the programs that reach it until one behaves differently. A mutant
  /// that changes only a misreading is tested against both with that rule flipped.
  Fate hunt(const Place& place, bool programs);

 private:
  class Asker;
  std::unique_ptr<Asker> asker_;
};

/// The fate of a mutant whose worker did not finish: the step that it was at shows the mutant.
Fate fate_of_lost(const Ended& ended);

}  // namespace plumbline::mutants
