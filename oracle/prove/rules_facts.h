// What the sources themselves say of each rule: the obligations that ask it, and how its curated programs fare under
// each profile. Computed each time, so it cannot be out of date.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "oracle/verdict.h"
#include "spec/proofs/obligation.h"
#include "spec/rule.h"

namespace plumbline::prove {

/// An obligation, and what it asks in the profile `sound`.
struct ObligationFact {
  std::string name;
  std::vector<std::string> rules;                            ///< ids
  std::array<proofs::Verdict, kProfiles.size()> expected{};  ///< by profile
};

/// A curated program of tensors or of the dispatcher, on the reference.
struct ProgramFact {
  std::string name;                ///< "test_views.py::test_view_is_tracked"
  std::vector<std::string> rules;  ///< that it names
  /// By profile: pass; unspecified; divergent: the profile departs from what the program asserts, which is what `sound`
  /// holds; unsupported: beyond the reference, or a key that the profile's version has not.
  std::array<Verdict, kProfiles.size()> fared{};
};

struct Facts {
  std::vector<const Rule*> rules;
  std::vector<ObligationFact> obligations;
  std::vector<ProgramFact> programs;
};

/// Every rule, every obligation (built, not proved) and every curated program of the folder, run under each profile.
/// Throws as `load_curated` and `load_dispatch_programs`.
Facts gather_facts(const std::string& corpus);

}  // namespace plumbline::prove
