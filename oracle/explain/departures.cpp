// Comparing statement by statement, and finding the rule whose variant removes a difference.
#include "oracle/explain/departures.h"

#include <algorithm>
#include <functional>

#include "adapters/reference/reference.h"
#include "oracle/lookup.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"

namespace plumbline::explain {

namespace {

/// The differences of one statement; nothing if it did not run on both sides.
std::vector<Difference> differences_at(std::size_t statement, const Script& script, const Trace& reference,
                                       const Trace& got, const Description& description) {
  const Outcome* expected = outcome_of(reference, statement);
  const Outcome* found = outcome_of(got, statement);
  if (expected == nullptr || found == nullptr) return {};
  return compare(script, {{*expected}, true}, RunResult(Trace{{*found}, true}), description).differences;
}

bool same_place(const Difference& a, const Difference& b) {
  return a.statement == b.statement && a.tensor == b.tensor && a.field == b.field && a.thread == b.thread;
}

/// Whether the snapshot at the end repeats a difference that an earlier statement showed.
bool is_told(const Difference& d, const std::vector<Difference>& before) {
  return d.line == 0 && std::ranges::any_of(before, [&](const Difference& b) {
           return b.tensor == d.tensor && b.field == d.field && b.thread == d.thread && b.expected == d.expected &&
                  b.got == d.got;
         });
}

/// The reference's run under one rule's variant, or under a whole profile if `rule` is null; empty if the reference
/// cannot run it.
Trace varied(const Script& script, Profile profile, const Rule* rule) {
  try {
    return reference::run({.profile = profile, .only_variant = rule}, script);
  } catch (const reference::ReferenceLimit&) {
    return {};
  }
}

/// The runs of an implementation's own profile: with all its variants, and with each variant alone.
struct Variants {
  struct One {
    const Rule* rule;
    Trace trace;
  };
  Trace all;
  std::vector<One> each;

  Variants(const Script& script, Profile profile) : all(varied(script, profile, nullptr)) {
    for (const Rule* rule : kAskedRules)
      if (rule->variant(profile) != nullptr) each.push_back({rule, varied(script, profile, rule)});
  }
};

/// Whether the implementation does not have this difference from this trace of the reference.
bool removes(const Difference& difference, const Trace& trace, const Script& script, const Trace& got,
             const Description& description) {
  if (outcome_of(trace, difference.statement) == nullptr) return false;
  const std::vector<Difference> left = differences_at(difference.statement, script, trace, got, description);
  return std::ranges::none_of(left, [&](const Difference& d) { return same_place(d, difference); });
}

}  // namespace

std::size_t Held::unexplained() const {
  return static_cast<std::size_t>(std::ranges::count_if(departures, std::not_fn(&Departure::explained)));
}

Held hold(const Script& script, const std::string& test, const std::string& name, Adapter& adapter, Profile profile,
          Waivers& waivers) {
  Held held{name, adapter.describe(), {}, {}, {}, {}};
  const RunResult ran = adapter.run(script);
  const RunResult expected = ReferenceAdapter(profile).run(script);
  if (const auto* limit = std::get_if<Breakdown>(&expected)) {
    held.comparison = breakdown(*limit);
    return held;
  }
  const auto& reference = std::get<Trace>(expected);
  held.comparison = compare(script, reference, ran, held.description);
  const auto* got = std::get_if<Trace>(&ran);
  if (got == nullptr || held.comparison.verdict != Verdict::divergent) return held;
  std::vector<Difference> all;
  for (const Outcome& outcome : reference.outcomes)
    for (Difference& d : differences_at(outcome.statement, script, reference, *got, held.description))
      if (!is_told(d, all)) all.push_back(std::move(d));
  if (all.empty()) all = held.comparison.differences;  // the runs differ, but no single statement shows it
  const auto own = profile_named(held.description.profile);
  const std::optional<Variants> variants = own ? std::optional<Variants>(std::in_place, script, *own) : std::nullopt;
  for (Difference& d : all) {
    Departure departure{std::move(d), {}, false, std::nullopt};
    if (const Waiver* waiver =
            waivers.find(held.description, test, occurrence_of(script, departure.difference, held.description)))
      departure.waiver = *waiver;
    if (variants) {
      for (const auto& [rule, trace] : variants->each)
        if (removes(departure.difference, trace, script, *got, held.description)) departure.rules.push_back(rule);
      departure.by_profile =
          departure.rules.empty() && removes(departure.difference, variants->all, script, *got, held.description);
    }
    held.departures.push_back(std::move(departure));
  }
  return held;
}

}  // namespace plumbline::explain
