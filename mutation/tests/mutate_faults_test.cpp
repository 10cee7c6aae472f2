// Named faults and subjects of mutation: reading, refusals, and which files belong to a subject.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "mutation/command_trial.h"
#include "mutation/faults.h"
#include "mutation/subject.h"
#include "mutation/test_trial.h"

namespace plumbline::mutate::mutate_faults_test {
namespace {

std::string slurp(const std::string& file) {
  std::ifstream stream(std::string(PLUMBLINE_SOURCE) + "/" + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string written(const std::string& text, const std::string& name = "faults.json") {
  const std::string path = testing::TempDir() + "plumbline_" + name;
  std::ofstream(path) << text;
  return path;
}
template <class Ask>
std::string refusal(const Ask& ask) {
  try {
    ask();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

NamedFault fault(const std::string& text, const std::string& with) {
  return {"it", "area", "It is so.", "a.cpp", text, with};
}

TEST(Faults, each_fault_of_the_harness_occurs_once_in_its_source_and_changes_it) {
  const auto faults = load_faults(std::string(PLUMBLINE_SOURCE) + "/mutation/harness_faults.json");
  EXPECT_GE(faults.size(), 40U);
  std::set<std::string> areas;
  for (const NamedFault& one : faults) {
    const std::string source = slurp(one.file);
    EXPECT_NE(mutated(source, site_of(one, source)), source) << one.name;
    EXPECT_TRUE(one.sentence.ends_with('.')) << one.name;
    areas.insert(one.area);
  }
  EXPECT_EQ(areas,
            (std::set<std::string>{"comparison", "coverage", "exit codes", "expectations", "generator", "jobs",
                                   "monitors", "reports", "seeds", "shrinker", "tolerance", "verdicts", "waivers"}));
}

TEST(Faults, each_of_a_hostile_reviewer_stands_once_in_its_source_and_meets_something_there) {
  const auto list = [](const char* name) { return load_faults(fmt::format("{}/mutation/{}", PLUMBLINE_SOURCE, name)); };
  const auto hostile = list("hostile_faults.json");
  const auto known = list("known_faults.json");
  EXPECT_EQ(hostile.size(), 52U);
  std::set<std::pair<std::string, std::string>> places;  // of the harness's faults and those known before
  for (const auto& older : {list("harness_faults.json"), known})
    for (const NamedFault& one : older) places.emplace(one.file, one.text);
  for (const NamedFault& one : hostile) EXPECT_FALSE(places.contains({one.file, one.text})) << one.name << " is known";
  for (const auto& all : {hostile, known})
    for (const NamedFault& one : all) {
      const std::string source = slurp(one.file);
      EXPECT_NE(mutated(source, site_of(one, source)), source) << one.name;
      EXPECT_TRUE(one.sentence.ends_with('.')) << one.name;
      const auto has_it = [&](const std::string& name) { return subject_named(name).has(one.file); };
      EXPECT_TRUE(std::ranges::any_of(subject_names(), has_it)) << one.name;
    }
}

TEST(Faults, each_of_the_machine_stands_once_in_its_source_and_meets_proofs_and_programs) {
  const auto faults = load_faults(PLUMBLINE_SOURCE "/mutation/machine_faults.json");
  EXPECT_GE(faults.size(), 10U);
  for (const NamedFault& one : faults) {
    const std::string source = slurp(one.file);
    EXPECT_NE(mutated(source, site_of(one, source)), source) << one.name;
    EXPECT_TRUE(one.sentence.ends_with('.')) << one.name;
    EXPECT_TRUE(subject_named("proofs").has(one.file)) << one.name;
    EXPECT_TRUE(subject_named("reference").has(one.file)) << one.name;
  }
}

TEST(Faults, a_text_is_replaced_in_its_place) {
  const std::string source = "int a;\n  int b;\n";
  const Site site = site_of(fault("int b", "int c"), source);
  EXPECT_EQ(mutated(source, site), "int a;\n  int c;\n");
  EXPECT_EQ(site.line, 2U);
  EXPECT_EQ(site.column, 3U);
  EXPECT_EQ(site_of(fault("int a", ""), source).column, 1U);
  EXPECT_NE(refusal([&] { site_of(fault("int d", ""), source); }).find("does not occur in a.cpp"), std::string::npos);
  EXPECT_NE(refusal([&] { site_of(fault("int", ""), source); }).find("occurs more than once in a.cpp"),
            std::string::npos);
}

TEST(Faults, a_malformed_list_is_refused) {
  const std::string good = R"({"name": "a", "area": "b", "sentence": "C.", "file": "d", "text": "e", "with": ""})";
  EXPECT_EQ(load_faults(written(fmt::format(R"({{"faults": [{}]}})", good))).size(), 1U);
  const auto refused = [](const std::string& text) { return refusal([&] { load_faults(written(text)); }); };
  EXPECT_NE(refused(fmt::format(R"({{"faults": [{}, {}]}})", good, good)).find("the same name 'a' as an earlier fault"),
            std::string::npos);
  EXPECT_NE(refused(R"({"faults": [{"name": "a"}]})").find("lacks 'area'"), std::string::npos);
  EXPECT_NE(refused("[]").find("does not have the form"), std::string::npos);
  EXPECT_FALSE(refusal([] { load_faults("/nowhere.json"); }).empty());
}

TEST(Subjects, have_their_sources_and_no_others) {
  const Subject& oracle = subject_named("oracle");
  for (const char* file :
       {"oracle/compare.cpp", "oracle/compare_reading.cpp", "oracle/monitors.cpp", "oracle/waivers.cpp",
        "oracle/verdict.cpp", "oracle/expectations.cpp", "oracle/report/report.cpp", "oracle/report/json.cpp"})
    EXPECT_TRUE(oracle.has(file)) << file;
  for (const char* file : {"cli/run.cpp", "oracle/dispatcher/dump.cpp", "fuzz/shrink.cpp", "oracle/compare.h"})
    EXPECT_FALSE(oracle.has(file)) << file;
  EXPECT_TRUE(subject_named("harness").has("fuzz/shrink.cpp"));
  EXPECT_FALSE(subject_named("harness").has("fuzz/tests/shrink_test.cpp"))
      << "a fault in a test is not a fault of the harness";
  EXPECT_TRUE(subject_named("optimized").has("optimized/cpu/blas.cpp"));
  EXPECT_FALSE(subject_named("optimized").has("oracle/compare.cpp"));
  for (const char* name : {"optimized", "oracle", "harness"}) {
    const std::vector<std::string> files = subject_named(name).files(PLUMBLINE_SOURCE);
    EXPECT_GT(files.size(), 5U) << name;
    for (const std::string& file : files) EXPECT_TRUE(subject_named(name).has(file)) << file;
  }
  EXPECT_NE(refusal([] { subject_named("spec"); }).find("The subjects are optimized, oracle, harness"),
            std::string::npos);
}

/// The fate of a mutant whose tests are this shell script.
Fate fate_of(const std::string& script) {
  const std::string path = written("#!/bin/sh\n" + script + "\n", "tests.sh");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  const std::string good = written("#!/bin/sh\nexit 0\n", "good.sh");
  std::filesystem::permissions(good, std::filesystem::perms::owner_all);
  const TestTrial trial(PLUMBLINE_SOURCE, good, [] { return false; });
  return trial.hunt("", path, testing::TempDir());
}

TEST(TestTrials, a_mutant_is_killed_by_a_test_that_fails_or_by_its_end) {
  EXPECT_EQ(fate_of("exit 0").kill, Kill::none);
  const Fate failed = fate_of("echo '[  FAILED  ] Compare.same, where x'; exit 1");
  EXPECT_EQ(failed.kill, Kill::divergence);
  EXPECT_EQ(failed.what, "Compare.same");
  EXPECT_EQ(fate_of("kill -SEGV $$").kill, Kill::crash);
  EXPECT_EQ(fate_of("exit 7").kill, Kill::crash) << "no test is named";
}

/// What a command comes to that ends with 0 without a mutant.
Fate fate_of_command(const std::string& script) {
  const auto executable = [](const std::string& text, const std::string& name) {
    const std::string folder = testing::TempDir() + "plumbline_" + name;
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/command") << "#!/bin/sh\n" + text + "\n";
    std::filesystem::permissions(folder + "/command", std::filesystem::perms::owner_all);
    return folder;
  };
  const std::string bin = executable("exit 3", "bin");
  const std::vector<std::string_view> commands{"say it"};
  const CommandTrial trial(PLUMBLINE_SOURCE, bin, commands, executable("exit 0", "base") + "/command",
                           [] { return false; });
  return trial.hunt("", executable(script, "mutant") + "/command", "");
}

TEST(CommandTrials, a_mutant_is_killed_by_another_exit_code_or_by_its_end) {
  EXPECT_EQ(fate_of_command("test \"$1 $2\" = 'say it'").kill, Kill::none);
  const Fate differs = fate_of_command("echo 'FELL: it'; exit 1");
  EXPECT_EQ(differs.kill, Kill::divergence);
  EXPECT_EQ(differs.what, "exit code 1 in place of 0: FELL: it");
  EXPECT_EQ(differs.step, "say it");
  EXPECT_EQ(fate_of_command("kill -SEGV $$").kill, Kill::crash);
}

TEST(TestTrials, tests_that_fail_without_a_mutant_are_refused) {
  const std::string bad = written("#!/bin/sh\nexit 1\n", "bad.sh");
  std::filesystem::permissions(bad, std::filesystem::perms::owner_all);
  EXPECT_NE(refusal([&] { TestTrial(PLUMBLINE_SOURCE, bad, [] { return false; }); }).find("Fix that first"),
            std::string::npos);
}

}  // namespace
}  // namespace plumbline::mutate::mutate_faults_test
