// Asks the solver whether an obligation's premises and the negation of its claim can hold together.
#include "spec/proofs/prove.h"

#include <algorithm>

#include "spec/proofs/smtlib.h"
#include "spec/vocabulary/keys.h"

namespace plumbline::proofs {

namespace {

/// The names of the functionalities and backends of a key set that Z3 printed as #x….
std::string key_names(const std::string& text) {
  if (!text.starts_with("#x")) return text;
  const std::uint64_t word = std::stoull(text.substr(2), nullptr, 16);
  std::string names;
  const auto name = [&](std::string_view one) { names += (names.empty() ? "" : " ") + std::string(one); };
  for (int b = 0; b < kBackends; ++b)
    if ((word & bit_of(static_cast<Backend>(b))) != 0) name(kBackendNames[static_cast<std::size_t>(b)]);
  for (int f = 1; f <= kFunctionalities; ++f)
    if ((word & bit_of(static_cast<Functionality>(f))) != 0) name(kFunctionalityNames[static_cast<std::size_t>(f)]);
  return "{" + names + "}";
}

/// A claim that is a premise, or that was simplified to `true`, needs no solver.
Answer answered(const Question& question, std::span<const Term> goals, std::span<const Term> watched,
                std::uint64_t resource_limit) {
  if (question.claim == truth(true) || std::ranges::find(question.premises, question.claim) != question.premises.end())
    return {Answer::Kind::unsatisfiable};
  return solve(question.premises, goals, watched, resource_limit);
}

/// Whether premises can hold; asked once for consecutive obligations that share them.
Answer can_hold(const std::vector<Term>& premises, std::uint64_t resource_limit) {
  thread_local std::vector<Term> last;
  thread_local Answer::Kind kind{};
  if (!premises.empty() && premises == last) return {kind};
  Answer answer = solve(premises, {}, {}, resource_limit);
  last = premises;
  kind = answer.kind;
  return answer;
}

/// Adds the expected counterexample, so that a refutation must be that one.
void expect_values(const Obligation& obligation, const Question& question, std::vector<Term>& assertions) {
  for (const auto& [name, value] : obligation.counterexample)
    for (const Shown& shown : question.shown)
      if (shown.name == name)
        assertions.push_back(sort_of(shown.term) == Sort::Truth ? same(shown.term, truth(value == "true"))
                                                                : same(shown.term, integer(std::stoll(value))));
}

}  // namespace

Judge<Symbolic> judge_of(const ProveOptions& options, Decisions& decisions) {
  return {options.profile, options.flipped, &decisions, nullptr};
}

Proof prove(const Obligation& obligation, const ProveOptions& options) {
  Decisions decisions;
  const Question question = obligation.build(judge_of(options, decisions));
  Proof proof = prove_question(obligation, question, options);
  proof.rules = decisions.consulted;
  return proof;
}

Proof prove_question(const Obligation& obligation, const Question& question, const ProveOptions& options) {
  Proof proof;
  proof.obligation = &obligation;
  proof.expected = obligation.expected_of(options.profile);
  std::vector<Term> goals{negate(question.claim)};
  if (proof.expected == Verdict::refuted) expect_values(obligation, question, goals);
  std::vector<Term> watched;
  for (const Shown& shown : question.shown) watched.push_back(shown.term);
  const Answer answer = answered(question, goals, watched, options.resource_limit);
  proof.resources = answer.resources;
  proof.milliseconds = answer.milliseconds;
  proof.why = answer.why;
  if (answer.kind == Answer::Kind::unsatisfiable) proof.verdict = Verdict::proved;
  if (answer.kind == Answer::Kind::satisfiable) {
    proof.verdict = Verdict::refuted;
    for (const Shown& shown : question.shown) {
      const std::string& value = answer.values.at(shown.term);
      proof.counterexample.emplace_back(shown.name, shown.keys ? key_names(value) : value);
    }
  }
  if (options.vacuity && proof.verdict == Verdict::proved && !question.premises.empty()) {
    const Answer holds = can_hold(question.premises, options.resource_limit);
    proof.resources += holds.resources;
    proof.milliseconds += holds.milliseconds;
    proof.vacuous = holds.kind == Answer::Kind::unsatisfiable;
    if (holds.kind == Answer::Kind::unknown) {
      proof.verdict = Verdict::unknown;
      proof.why = "whether its premises can hold: " + holds.why;
    }
  }
  return proof;
}

std::string smtlib_of(const Obligation& obligation, const ProveOptions& options) {
  Decisions decisions;
  const Question question = obligation.build(judge_of(options, decisions));
  std::vector<Term> assertions = question.premises;
  assertions.push_back(negate(question.claim));
  const bool refuted = obligation.expected_of(options.profile) == Verdict::refuted;
  if (refuted) expect_values(obligation, question, assertions);
  const std::string comment = obligation.name + ": " + obligation.sentence + "\nProfile " +
                              std::string(name_of(options.profile)) + "; can the premises hold and the claim be false?";
  return smtlib(assertions, comment, refuted ? "sat" : "unsat");
}

}  // namespace plumbline::proofs
