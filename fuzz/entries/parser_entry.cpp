// Fuzzing entry: any bytes as a program. An accepted program prints, parses and lowers to the same again.
#include "adapters/protocol/protocol.h"
#include "fuzz/entries/entry.h"
#include "language/lower.h"
#include "language/parse.h"
#include "language/print.h"
#include "language/read_tests.h"
#include "language/slots.h"

namespace {

using namespace plumbline;
using program::Program;
using program::ProgramError;
using program::Test;

/// The scripts as text, without lines: printing changes the layout of a program.
std::string text_of(const std::vector<Test>& tests) {
  std::string text;
  for (const Test& test : tests) text += fmt::format("{}: {}\n", test.name, encode(without_lines(test.script)));
  return text;
}

/// The program, or nothing if the text is refused.
std::optional<Program> parsed(std::string_view text) {
  try {
    return program::parse(text, "input.py");
  } catch (const ProgramError&) {
    return std::nullopt;
  }
}

/// The tests, or nothing if lowering refuses the program.
std::optional<std::vector<Test>> lowered(const Program& program) {
  try {
    return program::lower(program);
  } catch (const ProgramError&) {
    return std::nullopt;
  }
}

/// The program's tests; nothing if it does not lower.
std::vector<Test> check_printing(const Program& read) {
  const std::string printed = program::print(read);
  const auto again = parsed(printed);
  fuzz::require(again.has_value(), "what is printed is a program", printed);
  fuzz::require(*again == read, "a program is the same once printed and parsed", printed);
  fuzz::require(program::print(*again) == printed, "printing is idempotent", printed);
  const auto first = lowered(read), second = lowered(*again);
  fuzz::require(first.has_value() == second.has_value(), "a printed program lowers where the program does", printed);
  if (!first) return {};
  fuzz::require(text_of(*first) == text_of(*second), "a printed program lowers to the same scripts", printed);
  return *first;
}

/// A script that has no form in Python is an invalid_argument; any other can be raised to a program.
void check_raising(const Test& test) {
  Program raised;
  try {
    raised = program::raise(test);
  } catch (const std::invalid_argument&) {
    return;
  }
  const std::string printed = program::print(raised);
  const auto again = parsed(printed);
  fuzz::require(again.has_value(), "a raised program is printed as one that parses", printed);
  const auto tests = lowered(*again);
  fuzz::require(tests.has_value() && tests->size() == 1, "a raised program is one test that lowers", printed);
}

/// Read one by one, the tests of a program that lowers are the same, and none is left out.
void check_reading(std::string_view text, const std::optional<Program>& whole) {
  const auto tests = whole ? lowered(*whole) : std::nullopt;
  try {
    const program::ReadTests read = program::read_tests(text, "input.py");
    if (tests)
      fuzz::require(read.unread.empty() && text_of(read.tests) == text_of(*tests), "tests are read one by one",
                    std::string(text));
  } catch (const ProgramError&) {
    fuzz::require(!tests, "a program that lowers can be read test by test", std::string(text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto read = parsed(text);
  check_reading(text, read);
  if (!read) return 0;
  for (const Test& test : check_printing(*read)) check_raising(test);
  return 0;
}
