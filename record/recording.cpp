// Reading a recording, and raising it to a program.
#include "record/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "adapters/protocol/cursor.h"
#include "language/join.h"

namespace plumbline::record {

namespace {

using protocol::Cursor;

constexpr int kMostLines = 1 << 30;

Reading expected(const Cursor& c) {
  const auto& json = c.json();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return c.integer();
  if (json.is_array()) return c.integers();
  if (json.is_string()) return c.text();
  c.object({"floats", "integers"});
  Values values;
  if (c.has("floats")) values.floats = c.at("floats").list([](const Cursor& v) { return v.number(); });
  if (c.has("integers")) values.integers = c.at("integers").integers();
  return values;
}

int line(const Cursor& c) { return static_cast<int>(c.at("line").integer(0, kMostLines)); }
std::size_t index(const Cursor& c, const char* key) {
  return static_cast<std::size_t>(c.at(key).integer(0, kMostLines));
}

RecordedTest recorded_test(const Cursor& c) {
  c.object({"name", "script", "expectations", "errors", "notes"});
  RecordedTest one;
  one.test.name = c.at("name").text();
  one.test.script = protocol::script(c.at("script"));
  one.test.expectations = c.at("expectations").list([](const Cursor& e) {
    e.object({"statement", "expected"});
    program::Expectation expectation;
    expectation.statement = index(e, "statement");
    expectation.expected = expected(e.at("expected"));
    return expectation;
  });
  one.test.errors = c.at("errors").list([](const Cursor& e) {
    e.object({"first", "last", "exception"});
    return program::ExpectedError{
        .first = index(e, "first"), .last = index(e, "last"), .exception = e.at("exception").text(), .match = {}};
  });
  one.notes = c.at("notes").list([](const Cursor& n) {
    n.object({"line", "text"});
    return Note{line(n), n.at("text").text()};
  });
  return one;
}

/// The notes as comments above the first statement of their line, or of a later one.
void remark(RecordedTest& recorded) {
  const auto& statements = recorded.test.script.statements;
  for (const Note& note : recorded.notes) {
    auto at = std::ranges::find(statements, note.line, &Statement::line);
    if (at == statements.end())
      at = std::ranges::find_if(statements, [&](const auto& s) { return s.line > note.line; });
    recorded.test.remarks[static_cast<std::size_t>(at - statements.begin())].push_back(
        note.line == 0 ? note.text : fmt::format("line {}: {}", note.line, note.text));
  }
}

/// Each class of a file has a name of its own.
void name_apart(std::vector<CustomBackward>& functions, std::set<std::string>& taken) {
  for (CustomBackward& function : functions) {
    const std::string wanted = function.name;
    for (int n = 2; !taken.insert(function.name).second; ++n) function.name = fmt::format("{}_{}", wanted, n);
  }
}

}  // namespace

Recording read_recording(std::string_view json) {
  const protocol::Json whole = protocol::parsed(json);
  const Cursor c(whole);
  c.object({"tests", "ended", "line", "torch", "output"});
  return {c.at("tests").list(recorded_test), c.at("ended").text(), line(c), c.at("torch").text(),
          c.at("output").text()};
}

program::Program program_of(Recording recording, const std::string& script) {
  program::Program file;
  const std::string name = std::filesystem::path(script).filename();
  file.header.push_back(fmt::format("Recorded by plumbline from {} with PyTorch {}.", name, recording.torch));
  if (!recording.ended_by_itself())
    file.header.push_back(recording.line == 0 ? fmt::format("The script did not end by itself: {}.", recording.ended)
                                              : fmt::format("The script did not end by itself: {}, line {}.",
                                                            recording.ended, recording.line));
  std::set<std::string> classes, tests;
  for (RecordedTest& recorded : recording.tests) {
    remark(recorded);
    name_apart(recorded.test.script.functions, classes);
    const std::string wanted = recorded.test.name;
    for (int n = 2; !tests.insert(recorded.test.name).second; ++n) recorded.test.name = fmt::format("{}_{}", wanted, n);
    try {
      program::join(file, program::raise(recorded.test));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{}: {}", recorded.test.name, error.what()));
    }
  }
  return file;
}

}  // namespace plumbline::record
