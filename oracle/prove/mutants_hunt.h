// One mutant against the obligations and the programs that meet its site.
#pragma once

#include <memory>
#include <string>

#include "oracle/prove/mutants_suite.h"
#include "oracle/prove/mutants_workers.h"

namespace plumbline::mutants {

/// What shows that a mutant is one.
struct Witness {
  std::string name;  ///< an obligation or a program; empty: none
  Profile profile = Profile::sound;
  std::string what;     ///< "refuted"; "line 7: version of y: expected 1, got 0"
  std::string flipped;  ///< the rule that is misread in both runs: the mutant changes what its misreading is
};

/// What became of a mutant.
struct Fate {
  Witness proof;
  Witness program;
  std::size_t asked = 0;      ///< questions put to the solver
  std::size_t identical = 0;  ///< questions that the mutant does not change
  std::string unknown;        ///< a question that the solver did not decide
  std::string mistake;        ///< an obligation that is not as expected without the mutant: it kills nothing
  bool ran = false;           ///< the hunt went through

  std::string to_json() const;
  static Fate from_json(const std::string& text);
};

/// Hunts mutants one after the other, those that are alike best: it remembers what the solver said and what killed.
/// To be used in a worker.
class Hunter {
 public:
  Hunter(const Suite& suite, const Announce& announce);
  ~Hunter();
  Hunter(const Hunter&) = delete;
  Hunter& operator=(const Hunter&) = delete;

  /// Asks the obligations that meet the site, cheapest first, until one's verdict is not the expected one; then, or
  /// where `programs`, in any case, runs the programs that meet it until one shows something else. A mutant of what
  /// only a misreading computes is held against both with that rule flipped.
  Fate hunt(const Place& place, bool programs);

 private:
  class Asker;
  std::unique_ptr<Asker> asker_;
};

/// The fate of one whose worker did not finish: what it was at, is what shows it.
Fate fate_of_lost(const Ended& ended);

}  // namespace plumbline::mutants
