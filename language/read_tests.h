// Reading the tests of a file one by one: a test that cannot be read costs only itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "language/lower.h"
#include "language/parse.h"

namespace plumbline::program {

struct ReadTests {
  std::vector<Test> tests;     ///< in the order of the file
  std::vector<Unread> unread;  ///< the tests that cannot be read, each with its first error
};

/// Parses and lowers each test of a file. A helper that cannot be read costs the tests that call it; a statement
/// outside functions, or text that is not even made of Python's tokens, costs every test. Throws ProgramError if no
/// function of the text is a test, or if the file as a whole is wrong.
ReadTests read_tests(std::string_view text, const std::string& file);

}  // namespace plumbline::program
