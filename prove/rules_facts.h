// Facts from the sources about each rule: the obligations that ask it, and its curated programs' verdicts under each
// profile. They are computed each time, so they cannot be out of date.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "oracle/verdict.h"
#include "spec/proofs/obligation.h"
#include "spec/rules/rule.h"

namespace plumbline::prove {

/// An obligation, and the rules that it asks in the profile `sound`.
struct ObligationFact {
  std::string name;
  std::vector<std::string> rules;                            ///< ids
  std::array<proofs::Verdict, kProfiles.size()> expected{};  ///< by profile
};

/// A curated program on the reference.
struct ProgramFact {
  std::string name;                ///< "test_views.py::test_view_is_tracked"
  std::vector<std::string> rules;  ///< the rules that it names
  /// By profile: pass; unspecified; divergent: the profile departs from the program's asserts, which hold in `sound`;
  /// unsupported: the reference cannot run it.
  std::array<Verdict, kProfiles.size()> fared{};
  std::vector<std::string> reddened_by;  ///< the rules whose misreading makes it fail on the reference
};

struct Facts {
  std::vector<const Rule*> rules;  ///< those that judges are asked for
  std::vector<ObligationFact> obligations;
  std::vector<ProgramFact> programs;
};

/// Every rule, every obligation (built, not proved) and every curated program of the folder, run under each profile.
/// Throws as `load_curated` does.
Facts gather_facts(const std::string& corpus);

}  // namespace plumbline::prove
