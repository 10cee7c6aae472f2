// The simulation relation: what holds of a functionalized body and of the memory that it stands for, after every step.
#pragma once

#include <string_view>
#include <vector>

#include "spec/proofs/functional.h"
#include "spec/proofs/obligation.h"

namespace plumbline::proofs {

/// What a clause is about: it holds for each of them.
enum class About : std::uint8_t { tensor_and_index, tensor_and_place, storage_and_place };

/// One clause of the relation. `of` is a tensor's term, or a storage's number.
struct SimulationClause {
  std::string_view name;
  std::string_view sentence;
  About about;
  TermBool (*holds)(const Simulation& sim, Term of, const TermNum& at);
};
const std::vector<SimulationClause>& simulation_clauses();

/// One step on both sides, from any state in which the relation holds.
struct SimulatedStep {
  SimulatedStep(const Judge<Symbolic>& judge, std::vector<Term> operands);

  /// Any other tensor, index, storage and place: the claims are about these.
  Term t = any_tensor_term("t");
  TermNum v = any_number("v");
  TermNum s = any_number("s");
  TermNum p = any_number("p");

  std::vector<Term> tensors;  ///< those for which the relation is assumed: the operands and t
  std::vector<ViewLink> links = {};
  std::vector<std::function<TermNum(TermNum)>> backs = {};  ///< of the maps that the step makes
  std::vector<TermBool> premises = {};
  Simulation before;
  FunctionalTerms world;

  Simulation& state() { return world.state(); }
  /// Any contents that may be written to x: elements which show one place are equal.
  Contents writable(Term x, const std::string& name);
  /// Without functionalization: x is written.
  void write_memory(Term x, const Contents& written);
  /// Without functionalization: `made` is a view of `source`, which may be itself.
  void make_alias(Term made, Term source, const ViewLink& link);

  /// The claim that `holds` after the step; the relation is assumed before it, at the tensors, places and indices that
  /// the claim and the step speak of.
  Question question(const TermBool& holds) const;
  /// The claim that a clause holds after the step.
  Question question(const SimulationClause& clause) const;

 private:
  struct Instances {
    std::vector<TermNum> indices, places, storages;
  };
  Instances instances() const;
};

// The parts of functional_obligations().
std::vector<Obligation> functional_steps();  ///< each step keeps the relation; what waits, and writing back
std::vector<Obligation> functional_body();   ///< inputs, results, the passes that print a body

}  // namespace plumbline::proofs
