// Building the obligations and running the programs without a mutant.
#include "mutation/rules/suite.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

#include "spec/rules/catalogue.h"

namespace plumbline::mutants {

namespace {

/// During its lifetime the thread's sites are recorded.
class Recording {
 public:
  explicit Recording(sites::Recorder& recorder) { sites::state().recorder = &recorder; }
  ~Recording() { sites::state().recorder = nullptr; }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

/// The profiles in which an obligation can differ from `sound`.
std::vector<Profile> other_profiles(const proofs::Obligation& obligation, const Decisions& asked) {
  std::vector<Profile> profiles;
  for (const ProfileInfo& info : kProfiles) {
    const Profile profile = info.profile;
    if (profile == Profile::sound) continue;
    bool varies = obligation.expected_of(profile) != obligation.expected_of(Profile::sound);
    const auto look = [&](const Rule* rule) {
      varies = varies || (asked.consulted.test(rule->index()) && rule->variant(profile) != nullptr);
    };
    for (const Rule* rule : kRules) look(rule);
    for (const Rule* rule : kDispatchRules) look(rule);
    for (const Rule* rule : kTransformRules) look(rule);
    if (varies) profiles.push_back(profile);
  }
  return profiles;
}

std::size_t terms_of(const proofs::Question& question) {
  std::unordered_set<std::uint32_t> seen;
  const auto count = [&](proofs::Term root) {
    proofs::visit_from_below(
        root, [&](proofs::Term term) { return seen.contains(term.index); },
        [&](proofs::Term term) { seen.insert(term.index); });
  };
  for (const proofs::Term premise : question.premises) count(premise);
  count(question.claim);
  return seen.size();
}

Baseline build(const proofs::Obligation& obligation, sites::Recorder& recorder) {
  Baseline baseline;
  baseline.obligation = &obligation;
  Decisions decisions;
  {
    const Recording recording(recorder);
    baseline.question = obligation.build({.profile = Profile::sound, .decisions = &decisions});
  }
  baseline.cost = terms_of(baseline.question);
  baseline.asked = decisions.consulted;
  baseline.profiles = other_profiles(obligation, decisions);
  baseline.implied = obligation.name.starts_with("heap.all-clauses.");
  return baseline;
}

std::vector<std::vector<std::size_t>> groups_of(const std::vector<Baseline>& baselines) {
  std::map<std::vector<proofs::Term>, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> costs;
  for (std::size_t i = 0; i < baselines.size(); ++i) {
    const auto [at, fresh] = numbers.try_emplace(baselines[i].question.premises, groups.size());
    if (fresh || at->first.empty()) {  // an obligation without premises is asked by itself
      if (!fresh) at->second = groups.size();
      groups.emplace_back();
      costs.push_back(0);
    }
    groups[at->second].push_back(i);
    costs[at->second] = std::max(costs[at->second], baselines[i].cost);
  }
  std::vector<std::size_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t g) { return std::pair(costs[g], g); });
  std::vector<std::vector<std::size_t>> sorted;
  for (const std::size_t g : order) sorted.push_back(std::move(groups[g]));
  return sorted;
}

}  // namespace

Suite make_suite(const std::string& source, const std::string& corpus) {
  Suite suite;
  suite.obligations = proofs::all_obligations();
  suite.programs = load_programs(corpus);
  Inventory inventory(source);
  for (std::size_t i = 0; i < suite.obligations.size(); ++i) {
    sites::Recorder recorder;
    suite.baselines.push_back(build(suite.obligations[i], recorder));
    inventory.add_obligation(i, recorder);
  }
  for (std::size_t i = 0; i < suite.programs.size(); ++i) {
    sites::Recorder recorder;
    const Recording recording(recorder);
    suite.program_baselines.push_back({&suite.programs[i], shown_by(suite.programs[i], Profile::sound)});
    for (const ProfileInfo& info : kProfiles)  // this also reaches what only a variant asks
      if (info.profile != Profile::sound) shown_by(suite.programs[i], info.profile);
    inventory.add_program(i, recorder);
  }
  suite.places = inventory.places();
  suite.groups = groups_of(suite.baselines);
  return suite;
}

}  // namespace plumbline::mutants
