// Every rule of key sets, guards, tables, undone views and mapped bodies supports an obligation: its misreading refutes
// one.
#include <gtest/gtest.h>

#include "spec/proofs/lens.h"
#include "spec/proofs/prove.h"
#include "spec/proofs/single_rules.h"
#include "spec/rules/catalogue.h"
#include "spec/rules/fun.h"

namespace plumbline::proofs {
namespace {

std::vector<const Rule*> rules() {
  std::vector<const Rule*> all;
  for (const Rule* rule : kRules)
    if (rule->family == Family::KEY || rule->family == Family::TLS) all.push_back(rule);
  all.insert(all.end(), kDispatchRules.begin(), kDispatchRules.end());
  all.insert(all.end(), kTransformRules.begin(), kTransformRules.end());
  for (const Rule* rule : {&FUN_06, &FUN_07, &FUN_08, &FUN_09, &FUN_10, &FUN_11, &FUN_12, &FUN_13, &FUN_14, &FUN_15})
    all.push_back(rule);
  return all;
}
std::vector<Obligation> obligations() {
  std::vector<Obligation> all = key_set_obligations();
  for (const auto& part : {guard_obligations(), dispatch_obligations(), lens_undoing(), transform_rules()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

class Flipped : public ::testing::TestWithParam<const Rule*> {};
TEST_P(Flipped, refutes_an_obligation) {
  static const std::vector<Obligation> all = obligations();
  std::size_t asked = 0;
  for (const Obligation& obligation : all) {
    Decisions decisions;
    (void)obligation.build(judge_of({}, decisions));
    if (!decisions.consulted.test(GetParam()->index())) continue;
    ++asked;
    const Proof proof = prove(obligation, {Profile::sound, GetParam()});
    if (proof.verdict != Verdict::unknown && !proof.as_expected()) return;
  }
  FAIL() << GetParam()->id() << " is consulted by " << asked
         << " obligations and none falls: " << GetParam()->text().misreading;
}
INSTANTIATE_TEST_SUITE_P(Rules, Flipped, ::testing::ValuesIn(rules()), [](const auto& info) {
  std::string name = info.param->id();
  name[name.find('-')] = '_';
  return name;
});

class InProfile : public ::testing::TestWithParam<ProfileInfo> {};
TEST_P(InProfile, every_obligation_of_key_sets_guards_and_tables_is_as_expected) {
  for (const Obligation& obligation : obligations()) {
    const Proof proof = prove(obligation, {GetParam().profile});
    EXPECT_TRUE(proof.as_expected()) << obligation.name << ": " << proof.why;
  }
}
INSTANTIATE_TEST_SUITE_P(Profiles, InProfile, ::testing::ValuesIn(kProfiles), [](const auto& info) {
  std::string name(info.param.name);
  for (char& c : name)
    if (c == '-' || c == '.') c = '_';
  return name;
});

}  // namespace
}  // namespace plumbline::proofs
