// `plumbline bench`: help, wrong usage, bad input, exit codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/tests/command.h"

namespace {

using command::has;
using command::plumbline;
using command::Ran;

const std::string kFixture = std::string("'process:") + PLUMBLINE_FIXTURE + " --serve'";

TEST(Bench, help_has_examples_and_exit_codes) {
  const Ran ran = plumbline("bench --help");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "examples:"));
  EXPECT_TRUE(has(ran, "exit codes: 0 ran, 1 a regression"));
  EXPECT_TRUE(has(plumbline("--help"), "bench "));
}

TEST(Bench, lists_its_cases_with_the_rows_of_the_targets) {
  const Ran ran = plumbline("bench --list");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "add/1/inference"));
  EXPECT_TRUE(has(ran, "MLP 8-16-4, inference"));
}

TEST(Bench, wrong_usage_exits_with_2_and_says_what_goes) {
  EXPECT_TRUE(has(plumbline("bench --filter ''"), "--filter is empty"));
  EXPECT_TRUE(has(plumbline("bench --filter '('"), "is no regular expression"));
  EXPECT_TRUE(has(plumbline("bench --gate much --against x"), "write 3% or 0.03"));
  EXPECT_TRUE(has(plumbline("bench --save a --against b"), "do not go together"));
  EXPECT_TRUE(has(plumbline("bench --save ''"), "--save needs a name"));
  EXPECT_TRUE(has(plumbline("bench --save ../x"), "is no name to save under"));
  EXPECT_TRUE(has(plumbline("bench --save optimized"), "taken for something else"));
  EXPECT_TRUE(has(plumbline("bench --on libtorch-0.1 --save x"), "there is no runner for 'libtorch-0.1'"));
  EXPECT_TRUE(has(plumbline("bench --on " + kFixture), "goes with --save and --against"));
  EXPECT_TRUE(has(plumbline("bench --json /no/such/folder/x"), "cannot be written"));
  for (const char* wrong :
       {"--filter ''", "--filter '('", "--gate much", "--save a --against b", "--save ''", "--against ''",
        "--save optimized", "--nonsense", "--on nothing", "--json /no/such/folder/x"})
    EXPECT_EQ(plumbline(std::string("bench ") + wrong).code, 2) << wrong;
}

TEST(Bench, a_filter_that_chooses_nothing_exits_with_4) {
  EXPECT_EQ(plumbline("bench --filter no_such_case").code, 4);
  EXPECT_EQ(plumbline("bench --on " + kFixture + " --filter no_such_case --save x").code, 4);
  const Ran ran = plumbline("bench --on " + kFixture + " --against " + kFixture + " --filter no_such_case");
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(has(ran, "chooses no case"));
}

TEST(Bench, what_it_is_held_against_must_be_there_and_well_formed) {
  const std::string folder = testing::TempDir() + "bench_cli_" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/good");
  std::ofstream(folder + "/bad.json") << R"({"plumbline_bench": 1, "kind": "samples"})";
  const std::string against = "bench --on " + kFixture + " --store " + folder + " --against ";
  const Ran unknown = plumbline(against + "nothing");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown, "no such saved report, file or implementation"));
  const Ran bad = plumbline(against + folder + "/bad.json");
  EXPECT_EQ(bad.code, 2);
  EXPECT_TRUE(has(bad, "bad.json is no saved report: it has no string `implementation`"));
  EXPECT_EQ(plumbline(against + folder + "/none.json").code, 2);
  EXPECT_EQ(plumbline(against + folder + "/good").code, 2);
  std::filesystem::remove_all(folder);
}

TEST(Bench, an_interrupt_leaves_what_was_measured) {
  const Ran ran = plumbline("bench --on " + kFixture + " --against " + kFixture + " --no-instructions", "2>&1",
                            "timeout --signal=INT 2");
  EXPECT_EQ(ran.code, 124);  // what `timeout` says; that the report is there is what matters
  EXPECT_TRUE(has(ran, "interrupted, not confirmed"));
}

}  // namespace
