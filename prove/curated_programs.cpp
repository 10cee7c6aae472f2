// Loading the curated programs, and running them on the reference.
#include "prove/curated_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "adapters/protocol/names.h"
#include "oracle/compare.h"
#include "oracle/lookup.h"
#include "oracle/verdict.h"
#include "reference/machine.h"
#include "reference/raise.h"

namespace plumbline {

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

std::string failure(const program::Test& test, const Trace& trace) {
  const Comparison comparison = check_expectations(test, trace, description());
  return comparison.verdict == Verdict::pass ? "" : comparison.message;
}

std::string shown(const program::Test& test, const reference::Judge& judge) {
  const Trace trace = reference::run(judge, test.script);
  std::string text = failure(test, trace);
  for (const Outcome& outcome : trace.outcomes) {
    const Reading reading = reading_of(outcome);
    if (const auto* raised = std::get_if<Failure>(&reading))
      text += fmt::format("{}statement {}: {}", text.empty() ? "" : "; ", outcome.statement, name_of(raised->error));
  }
  return text;
}

/// The result of `run` for a program, or why the reference could not run it.
template <class Run>
std::string said(const CuratedProgram& program, Run run) {
  try {
    return run(program.test);
  } catch (const reference::ReferenceLimit& limit) {
    return fmt::format("the reference cannot execute {}", limit.what());
  } catch (const std::exception& error) {
    return fmt::format("the reference fails: {}", error.what());
  }
}

}  // namespace

std::vector<CuratedProgram> load_programs(const std::string& corpus) {
  std::vector<CuratedProgram> programs;
  for (const std::string folder : {"", "functionalize/", "dispatcher/", "transforms/"})
    for (CuratedTest& one : load_curated(corpus + "/" + folder))
      programs.push_back({folder + one.file + "::" + one.test.name, std::move(one.test)});
  return programs;
}

std::string failure_of(const CuratedProgram& program, const reference::Judge& judge) {
  return said(program, [&](const program::Test& test) { return failure(test, reference::run(judge, test.script)); });
}

std::string shown_by(const CuratedProgram& program, Profile profile, const Rule* flipped) {
  const reference::Judge judge{.profile = profile, .flipped = flipped};
  const std::string text = said(program, [&](const program::Test& test) { return shown(test, judge); });
  return text.empty() ? "passes" : text;
}

std::string source_of(const CuratedProgram& program, const std::string& corpus) {
  const std::size_t colons = program.name.find("::");
  const std::string path = corpus + "/" + program.name.substr(0, colons);
  std::ifstream file(path);
  std::stringstream stream;
  if (file) stream << file.rdbuf();
  const std::string text = stream.str();
  const std::size_t begin = text.find("def " + program.name.substr(colons + 2) + "(");
  if (begin == std::string::npos)
    throw std::runtime_error(fmt::format("{}: there is no {} in it", path, program.name.substr(colons + 2)));
  return text.substr(begin, text.find("\n\n\n", begin) - begin) + "\n";
}

}  // namespace plumbline
