// Reading tests one by one: what an error costs.
#include "language/read_tests.h"

#include <gtest/gtest.h>

#include <string>

namespace plumbline::program {
namespace {

const std::string kHead = "import torch\n\n\n";
const std::string kGood = "def test_good(device):\n    x = torch.zeros([2], device=device)\n";
const std::string kLoop =
    "def test_loop(device):\n    for i in range(2):\n        x = torch.zeros([2], device=device)\n";
const std::string kUnknown = "def test_unknown(device):\n    x = torch.zeroes([2], device=device)\n";
const std::string kLater = "\n\ndef test_later(device):\n    x = torch.ones([2], device=device)\n";

/// The names of the tests that were read, then those of the others with the line of their error.
std::string outcome(const std::string& text) {
  const ReadTests read = read_tests(text, "test_x.py");
  std::string all;
  for (const Test& test : read.tests) all += test.name + " ";
  all += "|";
  for (const Unread& one : read.unread) all += " " + one.name + ":" + std::to_string(one.error.place.line);
  return all;
}

TEST(ReadTests, a_test_that_cannot_be_parsed_costs_itself) {
  EXPECT_EQ(outcome(kHead + kGood + "\n\n" + kLoop + kLater), "test_good test_later | test_loop:9");
}

TEST(ReadTests, a_test_that_cannot_be_lowered_costs_itself) {
  EXPECT_EQ(outcome(kHead + kUnknown + kLater), "test_later | test_unknown:5");
}

TEST(ReadTests, all_errors_of_a_file_are_reported) {
  EXPECT_EQ(outcome(kHead + kLoop + "\n\n" + kUnknown + kLater), "test_later | test_unknown:10 test_loop:5");
}

TEST(ReadTests, a_decorated_test_is_not_read_without_its_decorator) {
  EXPECT_EQ(outcome(kHead + "@torch.no_grad()\n" + kGood + kLater), "test_later | test_good:4");
}

TEST(ReadTests, a_helper_that_cannot_be_read_costs_the_tests_that_call_it) {
  const std::string helper = "def twice(x):\n    return x * 2\n\n\n";
  const std::string calls = "\n\ndef test_calls(device):\n    x = torch.ones([2], device=device)\n    y = twice(x)\n";
  EXPECT_EQ(outcome(kHead + helper + kGood + calls), "test_good | test_calls:5");
}

TEST(ReadTests, a_statement_outside_functions_costs_every_test) {
  EXPECT_EQ(outcome(kHead + "torch.set_default_dtype(torch.float64)\n\n\n" + kGood + kLater),
            "| test_good:4 test_later:4");
}

TEST(ReadTests, text_that_is_not_made_of_tokens_costs_every_test) {
  EXPECT_EQ(outcome(kHead + kGood + "    y = x; z = x\n" + kLater), "| test_good:6 test_later:6");
}

TEST(ReadTests, a_file_without_a_test_is_an_error) {
  EXPECT_THROW(read_tests("import torch\n", "test_x.py"), ProgramError);
  EXPECT_THROW(read_tests("x = 3\n", "test_x.py"), ProgramError);
  EXPECT_THROW(read_tests("{", "test_x.py"), ProgramError);
}

TEST(ReadTests, two_tests_of_one_name_are_an_error) {
  EXPECT_THROW(read_tests(kHead + kGood + "\n\n" + kGood, "test_x.py"), ProgramError);
}

}  // namespace
}  // namespace plumbline::program
