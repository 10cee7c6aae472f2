// Running the curated programs on the reference with sites.
#include "oracle/prove/mutants_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/compare.h"
#include "oracle/lookup.h"
#include "oracle/protocol/names.h"
#include "oracle/verdict.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline::mutants {

namespace {

const Description& description() {
  static const Description one = [] {
    Description d;
    d.name = "reference";
    d.fields.fill(Strictness::exact);
    d.thread.fill(Strictness::exact);
    d.closeness = Closeness{0};
    return d;
  }();
  return one;
}

std::string shown(const program::Test& test, Profile profile, const Rule* flipped) {
  const Trace trace = reference::run(reference::Judge{.profile = profile, .flipped = flipped}, test.script);
  const Comparison comparison = check_expectations(test, trace, description());
  std::string text = comparison.verdict == Verdict::pass ? "" : comparison.message;
  for (const Outcome& outcome : trace.outcomes) {
    const Reading reading = reading_of(outcome);
    if (const auto* failure = std::get_if<Failure>(&reading))
      text += fmt::format("{}statement {}: {}", text.empty() ? "" : "; ", outcome.statement, name_of(failure->error));
  }
  return text.empty() ? "passes" : text;
}

std::string shown(const dispatcher::DispatchTest& test, Profile profile, const Rule* flipped) {
  const std::vector<std::string> failures =
      dispatcher::failures(test, reference::run({.profile = profile, .flipped = flipped}, test.script));
  return failures.empty() ? "passes" : fmt::format("{}", fmt::join(failures, "; "));
}

}  // namespace

std::vector<CuratedProgram> load_programs(const std::string& corpus) {
  std::vector<CuratedProgram> programs;
  for (CuratedTest& one : load_curated(corpus))
    programs.push_back({one.file + "::" + one.test.name, std::move(one.test)});
  for (auto& one : dispatcher::load_dispatch_programs(corpus + "/dispatcher"))
    programs.push_back({"dispatcher/" + one.file + "::" + one.test.name, std::move(one.test)});
  return programs;
}

std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped) {
  try {
    return std::visit([&](const auto& test) { return shown(test, profile, flipped); }, program.test);
  } catch (const reference::ReferenceLimit& limit) {
    return fmt::format("the reference cannot execute {}", limit.what());
  } catch (const std::exception& error) {
    return fmt::format("the reference fails: {}", error.what());
  }
}

}  // namespace plumbline::mutants
