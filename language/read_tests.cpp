// Reading tests one by one.
#include "language/read_tests.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "language/lowerer.h"

namespace plumbline::program {

namespace {

/// Every test of the text, by its line `def test_…`, with the same error.
std::vector<Unread> all_unread(std::string_view text, const ProgramError& error) {
  std::vector<Unread> unread;
  std::istringstream lines{std::string(text)};
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    constexpr std::string_view kDef = "def ";
    if (!line.starts_with("def test_")) continue;
    unread.push_back({line.substr(kDef.size(), line.find('(') - kDef.size()), number, error});
  }
  return unread;
}

/// The error that says why a test cannot be lowered: that of the helper which it names, if the helper is to blame.
const ProgramError& cause(const ProgramError& error, const std::vector<Unread>& unread) {
  const auto helper = std::ranges::find_if(unread, [&](const Unread& one) {
    return !is_test(one.name) && error.problem.find(one.name) != std::string::npos;
  });
  return helper != unread.end() ? helper->error : error;
}

}  // namespace

ReadTests read_tests(std::string_view text, const std::string& file) {
  std::vector<Unread> unread;
  Program program;
  try {
    program = parse(text, file, &unread);
  } catch (const ProgramError& error) {
    ReadTests none{{}, all_unread(text, error)};
    if (none.unread.empty()) throw;
    return none;
  }
  const auto outside = std::ranges::find(unread, "", &Unread::name);
  if (outside != unread.end()) {
    ReadTests none{{}, all_unread(text, outside->error)};
    if (none.unread.empty()) throw ProgramError(outside->error);
    return none;
  }
  if (std::ranges::none_of(unread, is_test, &Unread::name)) require_tests(program);
  require_distinct_names(program);
  ReadTests read;
  for (const Function& function : program.functions) {
    if (!is_test(function.name)) continue;
    try {
      read.tests.push_back(Lowerer(program, function).run());
    } catch (const ProgramError& error) {
      read.unread.push_back({function.name, function.place.line, cause(error, unread)});
    }
  }
  std::ranges::copy_if(unread, std::back_inserter(read.unread), is_test, &Unread::name);
  return read;
}

}  // namespace plumbline::program
