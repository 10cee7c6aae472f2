// The baseline for mutants: the obligations and the curated programs without a mutant.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "mutation/rules/place.h"
#include "prove/curated_programs.h"
#include "spec/proofs/prove.h"

namespace plumbline::mutants {

/// An obligation without a mutant.
struct Baseline {
  const proofs::Obligation* obligation = nullptr;
  proofs::Question question;          ///< in `sound`
  std::bitset<Rule::kIndices> asked;  ///< the rules that it asks
  std::vector<Profile> profiles;      ///< other profiles with a variant of a rule that it asks, or with another verdict
  bool implied = false;  ///< it follows from other obligations: a move's clauses from the quantified invariant
  std::size_t cost = 0;  ///< the number of terms of its question in `sound`; cheap questions are asked first
};

/// A program without a mutant.
struct ProgramBaseline {
  const CuratedProgram* program = nullptr;
  std::string shown;  ///< in `sound`
};

struct Suite {
  std::vector<proofs::Obligation> obligations;
  std::vector<CuratedProgram> programs;
  std::vector<Baseline> baselines;  ///< one for each obligation
  std::vector<ProgramBaseline> program_baselines;
  std::vector<Place> places;
  /// The obligations that share their premises, by index; the cheapest group first.
  std::vector<std::vector<std::size_t>> groups;
};

/// Builds every question, runs every program once, and records which sites each of them reaches. Throws
/// std::runtime_error.
Suite make_suite(const std::string& source, const std::string& corpus);

}  // namespace plumbline::mutants
