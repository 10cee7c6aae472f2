// The layer for command lines: what it takes, what it refuses, and what it prints.
#include "support/command_line.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using plumbline::Command;
using plumbline::CommandLine;
using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

constexpr int kUsage = 2;

/// A command line with one option of each sort.
struct Sample {
  CommandLine line{"sample", "Takes one of each."};
  std::string json, what, profile = "sound", hidden, corpus = "/somewhere/else";
  std::vector<std::string> files, names;
  std::optional<std::string> include;
  unsigned jobs = 0;
  int count = 3;
  double seconds = 0;
  std::uint64_t seed = 1;
  bool all = false, programs = true;
  int ran = 0;

  Sample() {
    Command& run = line.command("run", "runs");
    run.argument("WHAT", what, "what to run").required().choices({"rules", "Ops"});
    run.argument("FILE", files, "files");
    run.json(json);
    run.jobs(jobs);
    run.seed(seed);
    auto& seconds_option = run.seconds(seconds);
    run.option("--count N", count, "a count").range(1, 5).excludes(seconds_option);
    run.option("--profile PROFILE", profile, "a profile");
    run.option("--corpus DIR", corpus, "a folder");
    run.option("--include KEYS", include, "keys");
    run.option("--names NAMES", names, "names").separated_by_commas();
    run.option("--secret S", hidden, "not shown").hidden();
    auto& all_flag = run.flag("--all", all, "all");
    run.flag("--no-programs", programs, "no programs", false).needs(all_flag);
    run.check([this] { return profile == "none" ? "there is no profile none" : ""; });
    run.runs([this] { return ++ran; });
    line.command("other", "does nothing");
  }

  std::optional<int> parse(std::vector<std::string> arguments) {
    CaptureStderr();
    const auto code = line.parse(std::move(arguments));
    error = GetCapturedStderr();
    return code;
  }
  std::string error;
};

TEST(CommandLine, fills_in_the_variables_and_runs_the_command_that_was_chosen) {
  Sample sample;
  const auto code = sample.parse({"run", "rules", "a.py", "b.py", "--count", "5", "--seed=7", "--names", "a,b",
                                  "--names", "c", "-j2", "--all", "--no-programs", "--include", ""});
  EXPECT_EQ(code, std::nullopt) << sample.error;
  EXPECT_EQ(sample.what, "rules");
  EXPECT_EQ(sample.files, (std::vector<std::string>{"a.py", "b.py"}));
  EXPECT_EQ(sample.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(sample.count, 5);
  EXPECT_EQ(sample.seed, 7U);
  EXPECT_EQ(sample.jobs, 2U);
  EXPECT_TRUE(sample.all);
  EXPECT_FALSE(sample.programs);
  EXPECT_EQ(sample.include, "");
  EXPECT_EQ(sample.profile, "sound");
  EXPECT_EQ(sample.line.run(), 1);
}

TEST(CommandLine, a_usage_error_exits_with_2_and_says_what_is_wrong) {
  const auto refused = [](std::vector<std::string> arguments, const std::string& says) {
    Sample sample;
    arguments.insert(arguments.begin(), {"run", "rules"});
    EXPECT_EQ(sample.parse(arguments), kUsage) << says;
    EXPECT_EQ(sample.error, "sample run: " + says + "\n  sample run --help shows the options.\n");
  };
  refused({"--nonsense"}, "unknown option '--nonsense'");
  refused({"--count"}, "--count needs a value");
  refused({"--count", "6"}, "--count: 6 is not between 1 and 5");
  refused({"--count", "1.5"}, "--count needs a whole number, not '1.5'");
  refused({"--seed", "-1"}, "--seed needs a whole number, not '-1'");
  refused({"--seconds", "0"}, "--seconds: 0 is not above 0");
  refused({"--seconds", "1", "--count", "2"}, "--count and --seconds exclude each other. Give one of them");
  refused({"--jobs", "0"}, "--jobs: 0 is not between 1 and 1024");
  refused({"--seed", "1", "--seed", "2"}, "--seed is given more than once");
  refused({"--no-programs"}, "--no-programs requires --all");
  refused({"--profile", "none"}, "there is no profile none");
  Sample sample;
  EXPECT_EQ(sample.parse({"run"}), kUsage);
  EXPECT_NE(sample.error.find("WHAT is required"), std::string::npos) << sample.error;
  EXPECT_EQ(sample.parse({"run", "nothing"}), kUsage);
  EXPECT_NE(sample.error.find("'nothing' is not one of rules, Ops"), std::string::npos) << sample.error;
  EXPECT_EQ(sample.parse({}), kUsage);
  EXPECT_EQ(sample.parse({"other", "x"}), kUsage);
  EXPECT_NE(sample.error.find("sample other: unexpected argument 'x'"), std::string::npos) << sample.error;
}

TEST(CommandLine, choices_ignore_case_and_give_the_value_as_it_is_listed) {
  Sample sample;
  EXPECT_EQ(sample.parse({"run", "OPS"}), std::nullopt);
  EXPECT_EQ(sample.what, "Ops");
}

TEST(CommandLine, json_without_a_file_is_stdout_wherever_it_stands) {
  const auto json_of = [](std::vector<std::string> arguments) {
    Sample sample;
    EXPECT_EQ(sample.parse(std::move(arguments)), std::nullopt) << sample.error;
    EXPECT_EQ(sample.what, "rules");
    return sample.json;
  };
  EXPECT_EQ(json_of({"run", "rules", "--json"}), "-");
  EXPECT_EQ(json_of({"run", "rules", "--json", "--all"}), "-");
  EXPECT_EQ(json_of({"run", "--json", "rules"}), "-");
  EXPECT_EQ(json_of({"run", "--json", "rules", "a.py"}), "-") << "a.py is not a WHAT";
  EXPECT_EQ(json_of({"run", "rules", "--json", "-"}), "-");
  EXPECT_EQ(json_of({"run", "rules", "--json", "x.json"}), "x.json");
  EXPECT_EQ(json_of({"run", "--json", "x.json", "rules"}), "x.json");
  EXPECT_EQ(json_of({"run", "--json=x.json", "rules"}), "x.json");
  EXPECT_EQ(json_of({"run", "rules"}), "");
}

TEST(CommandLine, help_shows_defaults_but_nothing_that_differs_from_machine_to_machine) {
  Sample sample;
  CaptureStdout();
  EXPECT_EQ(sample.parse({"run", "--help"}), 0);
  const std::string help = GetCapturedStdout();
  for (const char* part :
       {"usage: sample run [OPTIONS] WHAT [FILE...]", "what to run: rules, Ops", "--json [FILE]",
        "a count (1 to 5; default: 3; not with --seconds)", "a profile (default: sound)", "all cores"})
    EXPECT_NE(help.find(part), std::string::npos) << part << " is not in:\n" << help;
  EXPECT_EQ(help.find("/somewhere"), std::string::npos) << help;
  EXPECT_EQ(help.find("--secret"), std::string::npos) << help;
}

TEST(CommandLine, completion_is_told_what_each_option_takes) {
  Sample sample;
  CaptureStdout();
  EXPECT_EQ(sample.parse({"run", "--complete-options"}), 0);
  const std::string lines = "\n" + GetCapturedStdout();
  for (const char* line : {"WHAT rules|Ops", "FILE FILE", "--json FILE", "-j N", "--jobs N", "--all", "--help"})
    EXPECT_NE(lines.find(std::string("\n") + line + "\n"), std::string::npos) << line << " is not in:" << lines;
  EXPECT_EQ(lines.find("--secret"), std::string::npos);
}

TEST(CommandLine, an_executable_with_one_command_leaves_out_its_name) {
  CommandLine line("plumbline mutate", "Makes mutants.");
  std::string what;
  line.argument("WHAT", what, "what to mutate").required();
  EXPECT_EQ(line.parse({"mutate", "oracle"}), std::nullopt);
  EXPECT_EQ(what, "oracle");
  EXPECT_EQ(line.parse({"oracle"}), std::nullopt);
}

}  // namespace
