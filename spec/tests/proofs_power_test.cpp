// What the prover may not do: take giving up for a proof, a vacuous question for another one, or a weaker claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <thread>

#include "spec/proofs/prove.h"
#include "spec/rules/catalogue.h"

namespace plumbline::proofs {
namespace {

using S = Symbolic;

Num<S> number(const char* name) { return any_number(name); }

/// Why an obligation cannot be asked on a thread of its own; empty: it can.
std::string refusal_elsewhere(const Obligation& obligation) {
  std::string why;
  std::thread([&] {
    try {
      (void)smtlib_of(obligation, {});
    } catch (const std::logic_error& error) {
      why = error.what();
    }
  }).join();
  return why;
}

/// Terms belong to the thread that makes them: one that is kept for all threads is another one, or none, there.
TEST(Obligations, can_be_asked_on_a_thread_of_their_own) {
  for (const Obligation& one : all_obligations()) {
    if (one.name.starts_with("heap.") || one.name.starts_with("refinement.")) continue;  // many, and of one code
    EXPECT_EQ(refusal_elsewhere(one), "") << one.name;
  }
}

TEST(Solver, that_gives_up_has_proved_nothing) {
  // No cubes add up to a cube: true, and beyond any such limit.
  const Num<S> x = number("x");
  const Num<S> y = number("y");
  const Num<S> z = number("z");
  const Bool<S> cubes = x * x * x + y * y * y == z * z * z;
  const std::array premises{(x > Num<S>(0)).v.t, (y > Num<S>(0)).v.t, (z > Num<S>(0)).v.t};
  const std::array goals{cubes.v.t};
  const Answer answer = solve(premises, goals, {}, 1000);
  EXPECT_EQ(answer.kind, Answer::Kind::unknown);
  EXPECT_FALSE(answer.why.empty());
  const Obligation obligation{"test", "No cubes add up to a cube.", {}};
  Question question = claim(!cubes);
  question.premises.assign(premises.begin(), premises.end());
  const Proof proof = prove_question(obligation, question, {Profile::sound, nullptr, 1000});
  EXPECT_EQ(proof.verdict, Verdict::unknown);
  EXPECT_FALSE(proof.as_expected());
}

TEST(Vacuity, is_asked_of_each_question_anew) {
  const Num<S> x = number("x");
  const Num<S> y = number("y");
  const Num<S> z = number("z");
  const Obligation obligation{"test", "It is less.", {}};
  Question sound = claim(x < z);
  sound.given(x < y).given(y < z);
  Question vacuous = claim(x < z);
  vacuous.given(x < y).given(y < x);
  for (int round = 0; round < 2; ++round) {
    const Proof says_something = prove_question(obligation, sound, {});
    EXPECT_EQ(says_something.verdict, Verdict::proved);
    EXPECT_FALSE(says_something.vacuous);
    const Proof says_nothing = prove_question(obligation, vacuous, {});
    EXPECT_TRUE(says_nothing.vacuous) << "its premises are as many as those of the one before";
    EXPECT_FALSE(says_nothing.as_expected());
  }
}

/// An obligation, and a rule that it must not survive being misread.
struct Falls {
  std::string_view obligation;
  std::string_view rule;
};
constexpr Falls kFalls[]{
    {"heap.no-aliasing.view", "INF-03"},
    {"heap.immutability.add_", "INF-05"},
    {"heap.writes-count.add_", "VER-03"},
    {"heap.views-tracked.view", "VIEW-01"},
    {"heap.one-counter.view", "VER-04"},
    {"heap.counted.factory", "VER-02"},
    {"heap.error-changes-nothing.add_", "VER-09"},
    {"heap.saved-is-normal.mul", "INF-07"},
    {"heap.not-stale.add_", "AUT-08"},
    {"heap.kind-by-mode.factory", "INF-02"},
    {"refinement.inference-mode-as-no-grad.add_", "VER-03"},
    {"refinement.inference-mode-as-no-grad.out", "VER-03"},
    {"refinement.inference-mode-as-no-grad.detach", "INF-03"},
    {"refinement.inference-mode-as-no-grad.clone", "AUT-01"},
    {"refinement.inference-mode-as-no-grad.split", "VIEW-01"},
};

TEST(Power, each_claim_falls_where_a_rule_that_it_rests_on_is_misread) {
  const std::vector<Obligation> all = all_obligations();
  for (const Falls& one : kFalls) {
    const auto obligation = std::ranges::find(all, one.obligation, &Obligation::name);
    ASSERT_NE(obligation, all.end()) << one.obligation;
    const Rule* const rule = find_rule(one.rule);
    ASSERT_NE(rule, nullptr) << one.rule;
    EXPECT_EQ(prove(*obligation, {Profile::sound}).verdict, Verdict::proved) << one.obligation;
    EXPECT_EQ(prove(*obligation, {Profile::sound, rule}).verdict, Verdict::refuted)
        << one.obligation << " holds with " << one.rule << " misread: it claims less than it did";
  }
}

}  // namespace
}  // namespace plumbline::proofs
