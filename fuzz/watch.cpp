// The monitors' breaches by kind, and the program that shows each.
#include "fuzz/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "fuzz/reproducer_test.h"
#include "fuzz/shrink.h"
#include "language/parse.h"
#include "language/print.h"
#include "oracle/reading_text.h"

namespace plumbline::fuzz {

namespace {

std::set<std::string> unsafe_kinds(const Script& script) {
  std::set<std::string> kinds;
  for (const Statement& statement : script.statements)
    if (is_unsafe(script, statement)) kinds.insert(statement_name(statement));
  return kinds;
}

Sighting sighting_of(const Script& script, const Breach& breach, const std::set<std::string>& kinds,
                     const Description& implementation, const Waivers& waivers) {
  Sighting one;
  const std::string_view name = kInvariantNames.at(static_cast<std::size_t>(breach.invariant));
  one.message = describe(breach.difference);
  one.explained = true;
  if (const Waiver* waiver = waivers.find_generated(
          implementation, occurrence_of(script, breach.difference, implementation, Against::statement))) {
    one.waiver = waiver->id;
    one.key = fmt::format("{} ({})", name, waiver->id);
    return one;
  }
  if (!kinds.empty()) {
    one.key = fmt::format("{} through {}", name, *kinds.begin());
    return one;
  }
  one.key = breach.difference.signature;
  one.explained = false;
  return one;
}

/// The first breach of the kind that `key` names, or null.
const Breach* breach_of(const std::string& key, const Script& script, const std::vector<Breach>& breaches,
                        const Description& implementation, const Waivers& waivers) {
  const std::set<std::string> kinds = unsafe_kinds(script);
  if (kinds.size() > 1) return nullptr;
  for (const Breach& breach : breaches)
    if (sighting_of(script, breach, kinds, implementation, waivers).key == key) return &breach;
  return nullptr;
}

/// Writes the file and reads it back: it must fail on the implementation.
void write(Reproducer& made, const program::Test& test, Adapter& adapter, const Label& label) {
  program::Program program = program::raise(test);
  program.header = label.header;
  made.text = program::print(program);
  const program::Test again = program::lower(program::parse(made.text, label.name + ".py")).at(0);
  made.statements = again.script.statements.size();
  const Comparison found = check_expectations(again, adapter.run(again.script), adapter.describe());
  made.verified = found.verdict == Verdict::divergent;
  made.message = found.message;
  if (!found.differences.empty()) made.line = found.differences.front().line;
  made.note = made.verified ? "" : "when read back, it does not fail on " + adapter.describe().name;
}

}  // namespace

std::vector<Sighting> sightings(const Script& script, const RunResult& result, const Description& implementation,
                                const Waivers& waivers) {
  const auto* trace = std::get_if<Trace>(&result);
  if (trace == nullptr) return {};
  const std::vector<Breach> breaches = monitor(script, *trace, implementation);
  if (breaches.empty()) return {};
  const std::set<std::string> kinds = unsafe_kinds(script);
  if (kinds.size() > 1) return {};
  std::vector<Sighting> found;
  for (const Breach& breach : breaches) {
    Sighting one = sighting_of(script, breach, kinds, implementation, waivers);
    if (std::ranges::find(found, one.key, &Sighting::key) == found.end()) found.push_back(std::move(one));
  }
  return found;
}

void note(std::vector<Sighting>& all, Sighting one) {
  const auto known = std::ranges::find(all, one.key, &Sighting::key);
  if (known == all.end())
    all.push_back(std::move(one));
  else
    known->times += one.times;
}

Reproducer show_breach(const rc::Shrinkable<Genes>& genes, const Recipe& recipe, const Sighting& sighting,
                       Adapter& adapter, const Waivers& waivers, std::size_t runs, const Label& label) {
  const Failing shows = [&](const Script& script) -> std::string {
    const RunResult result = adapter.run(script);
    const auto* trace = std::get_if<Trace>(&result);
    if (trace == nullptr) return "";
    const std::vector<Breach> breaches = monitor(script, *trace, adapter.describe());
    return breach_of(sighting.key, script, breaches, adapter.describe(), waivers) == nullptr ? "" : sighting.key;
  };
  const Shrunk small = shrink(genes, recipe, sighting.key, shows, runs);
  Reproducer made;
  made.note = "it did not happen when run again";
  const RunResult result = adapter.run(small.script);
  const auto* trace = std::get_if<Trace>(&result);
  if (trace == nullptr) return made;
  const std::vector<Breach> breaches = monitor(small.script, *trace, adapter.describe());
  const Breach* breach = breach_of(sighting.key, small.script, breaches, adapter.describe(), waivers);
  if (breach == nullptr) return made;
  const Held held{as_promised(*trace, *breach),
                  result,
                  {Verdict::divergent, describe(breach->difference), {breach->difference}, 0, 0}};
  for (const Keep keep : {Keep::nothing, Keep::history}) {
    program::Test test = reproducer_test(small.script, held, keep);
    test.name = label.name;
    test.rules = label.rules;
    try {
      write(made, test, adapter, label);
    } catch (const std::exception& error) {  // it has no form in Python; the next way of writing it may have one
      made.note = error.what();
    }
    if (made.verified) break;
  }
  return made;
}

}  // namespace plumbline::fuzz
