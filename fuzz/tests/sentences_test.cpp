// Compares a rule's sentence with the rule: in generated programs the sentence's premise occurs, its claim holds each
// time, and the claim fails if the rule is misread.
#include "fuzz/tests/sentences.h"

#include <gtest/gtest.h>

#include <vector>

#include "adapters/protocol/protocol.h"
#include "fuzz/builder.h"

namespace plumbline::fuzz {

namespace {

constexpr std::uint64_t kPrograms = 15000;
constexpr int kEnough = 10;  ///< a premise must occur this often before its sentence counts as checked

/// Programs of a seed as they run under the judge; `one` gets each and returns whether to go on. Whether it did.
template <class One>
bool for_programs(std::uint64_t seed, const Judge& judge, bool unsafe, One one) {
  Recipe recipe(judge, unsafe);
  recipe.million = false;  // the state is copied before each statement
  for (std::uint64_t index = 0; index < kPrograms; ++index)
    if (!one(build(genes_at(seed, index).value(), recipe))) return false;
  return true;
}

/// What all programs together say about a sentence.
struct Found {
  Sentence sentence;
  int seen = 0;
  std::string broken_by;  ///< the first program, in the protocol's format
};

/// All sentences, checked in one pass over the programs.
const std::vector<Found>& all_found() {
  static const std::vector<Found> all = [] {
    std::vector<Found> found;
    for (const auto part : {sentences_of_modes(), sentences_of_views(), sentences_of_autograd()})
      for (const Sentence& sentence : part) found.push_back({sentence, 0, {}});
    const Judge sound;
    for (const bool unsafe : {false, true})
      for_programs(1, sound, unsafe, [&](const Script& script) {
        holds_on(sound, script, [&](const Step& step) {
          for (Found& one : found) {
            if (one.sentence.unsafe != unsafe) continue;
            const Said says = one.sentence.look(step);
            one.seen += says == Said::nothing ? 0 : 1;
            if (says == Said::broken && one.broken_by.empty()) one.broken_by = encode(script);
          }
          return true;
        });
        return true;
      });
    return found;
  }();
  return all;
}

std::vector<Sentence> all_sentences() {
  std::vector<Sentence> all;
  for (const auto part : {sentences_of_modes(), sentences_of_views(), sentences_of_autograd()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

class Sentences : public testing::TestWithParam<Sentence> {};

TEST_P(Sentences, hold_in_every_state_that_their_premise_covers) {
  const auto found =
      std::ranges::find(all_found(), GetParam().rule, [](const Found& one) { return one.sentence.rule; });
  ASSERT_NE(found, all_found().end());
  EXPECT_EQ(found->broken_by, "") << GetParam().rule->text().sentence;
  EXPECT_GE(found->seen, kEnough) << "the generator rarely makes the premise of this sentence: "
                                  << GetParam().rule->text().sentence;
}

TEST_P(Sentences, are_broken_where_their_rule_is_misread) {
  Judge misread;
  misread.flipped = GetParam().rule;
  const auto holds = [&](const Script& script) {
    return holds_on(misread, script, [&](const Step& step) { return GetParam().look(step) != Said::broken; });
  };
  // Few programs break AUT-28, so one seed is not always enough.
  bool broken = false;
  for (std::uint64_t seed = 1; seed <= 6 && !broken; ++seed)
    broken = !for_programs(seed, misread, GetParam().unsafe, holds);
  EXPECT_TRUE(broken) << GetParam().rule->text().sentence;
}

INSTANTIATE_TEST_SUITE_P(Rules, Sentences, testing::ValuesIn(all_sentences()), [](const auto& info) {
  std::string name(info.param.rule->id());
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace

}  // namespace plumbline::fuzz
