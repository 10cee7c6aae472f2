// The commands on adapters that misbehave: each program gets its verdict, and processes, memory and time stay bounded.
#include <sys/resource.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "adapters/tests/processes.h"
#include "cli/tests/command.h"

namespace plumbline {
namespace {

using command::has;
using command::last_line;
using command::Ran;

/// One of the ways to fail, and what the commands report.
struct Misbehaviour {
  const char* how;
  const char* signature;
  const char* message;
  const char* options = "--timeout 5";
};

/// For printing in a test's name.
void PrintTo(const Misbehaviour& m, std::ostream* out) { *out << m.how; }

/// The argument of --on: misbehaves as `how` on programs that call `op`, and cannot run the others.
std::string on(const std::string& op, const std::string& how, const std::string& mark) {
  return fmt::format("--on 'process:python3 ../../../adapters/tests/data/fake.py on {} {} {}'", op, how, mark);
}

/// The memory of the largest of this test's processes and their children so far, in MiB.
std::int64_t largest_process_mib() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss >> 10;
}

/// Counts of the closing line: passed, all, unsupported, unspecified, divergent.
std::array<int, 5> counts(const Ran& ran) {
  std::array<int, 5> c{};
  std::istringstream line(last_line(ran));
  std::string word;
  line >> c[0] >> word >> c[1] >> word >> c[2] >> word >> c[3] >> word >> c[4] >> word;
  EXPECT_TRUE(line && word == "divergent") << ran.text;
  return c;
}

class InRun : public testing::TestWithParam<Misbehaviour> {};
class InFuzz : public testing::TestWithParam<Misbehaviour> {};

TEST_P(InRun, each_program_gets_its_verdict) {
  const Misbehaviour m = GetParam();
  const std::string mark = fresh_path();
  const Ran ran = command::plumbline(
      fmt::format("run test_good.py test_breakdowns.py {} --jobs 2 {}", m.options, on("zeros", m.how, mark)));
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_TRUE(has(ran, fmt::format("signature: {}", m.signature)));
  EXPECT_TRUE(has(ran, m.message));
  const auto [passed, all, unsupported, unspecified, divergent] = counts(ran);
  EXPECT_EQ(all, 5);
  EXPECT_GT(divergent, 0);
  EXPECT_EQ(unsupported + divergent, all) << last_line(ran);
  EXPECT_LT(ran.text.size(), 20'000U);
  EXPECT_EQ(processes_left_with(mark), 0);
}

TEST_P(InFuzz, each_program_gets_its_verdict) {
  const Misbehaviour m = GetParam();
  const std::string mark = fresh_path();
  const Ran ran = command::plumbline(
      fmt::format("fuzz -v --programs 20 --seed 1 --jobs 2 {} {}", m.options, on("sum", m.how, mark)));
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_TRUE(has(ran, m.signature));
  EXPECT_TRUE(has(ran, m.message));
  const auto [passed, all, unsupported, unspecified, divergent] = counts(ran);
  EXPECT_EQ(all, 20);
  EXPECT_GT(divergent, 0);
  EXPECT_EQ(unsupported + divergent, all) << last_line(ran);
  EXPECT_LT(ran.text.size(), 20'000U);
  EXPECT_EQ(processes_left_with(mark), 0);
}

std::string name_of(const testing::TestParamInfo<Misbehaviour>& info) { return info.param.how; }

INSTANTIATE_TEST_SUITE_P(
    Adapter, InRun,
    testing::Values(Misbehaviour{"crash", "run/crash", "killed by signal 11"},
                    Misbehaviour{"exit", "run/exit", "it ended with exit code 7"},
                    Misbehaviour{"hang", "run/hang", "no answer within 0.1 s", "--timeout 0.1"},
                    Misbehaviour{"trickle", "run/hang", "bytes of an unfinished line", "--timeout 0.1"},
                    Misbehaviour{"garbage", "run/garbage", "Traceback (most recent call last):"},
                    Misbehaviour{"half_line", "run/garbage", "it ended in the middle of a line"},
                    Misbehaviour{"wrong_id", "run/garbage", "was asked"},
                    Misbehaviour{"bad_trace", "run/garbage", "expected statements below"},
                    Misbehaviour{"close_output", "run/garbage", "it closed its output but kept running"},
                    Misbehaviour{"stderr_forever", "run/hang", "standard error ends with: yyy", "--timeout 0.1"},
                    Misbehaviour{"leave_child", "run/garbage", "does not follow the protocol"},
                    Misbehaviour{"deep", "run/garbage", "at most 32 deep"},
                    Misbehaviour{"long_message", "run/garbage", "a string of at most 64 KiB"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(Adapter, InFuzz,
                         testing::Values(Misbehaviour{"crash", "run/crash", "killed by signal 11"},
                                         Misbehaviour{"hang", "run/hang", "no answer within 0.1 s", "--timeout 0.1"},
                                         Misbehaviour{"garbage", "run/garbage", "Traceback (most recent call last):"},
                                         Misbehaviour{"half_line", "run/garbage", "it ended in the middle of a line"},
                                         Misbehaviour{"leave_child", "run/garbage", "does not follow the protocol"}),
                         name_of);

TEST(Misbehaviour, an_answer_before_its_turn_is_garbage) {
  const std::string mark = fresh_path();
  const Ran ran = command::plumbline("fuzz -v --programs 20 --timeout 0.2 " + on("sum", "wrong_order", mark));
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_TRUE(has(ran, "run/garbage"));
  EXPECT_TRUE(has(ran, "was asked"));
  EXPECT_EQ(counts(ran)[1], 20);
  EXPECT_EQ(processes_left_with(mark), 0);
}

TEST(Misbehaviour, memory_is_bounded) {
  for (const char* how : {"memory", "memory_of_a_child"}) {
    const std::string mark = fresh_path();
    const Ran ran =
        command::plumbline("run test_good.py --jobs 1 --timeout 60 --memory-limit 300 " + on("zeros", how, mark));
    EXPECT_EQ(ran.code, 1) << ran.text;
    EXPECT_TRUE(has(ran, "signature: run/crash"));
    EXPECT_TRUE(has(ran, "MiB of memory, the limit is 300 MiB (--memory-limit)"));
    EXPECT_EQ(processes_left_with(mark), 0);
  }
  EXPECT_LT(largest_process_mib(), 2000);
}

TEST(Misbehaviour, a_huge_answer_takes_bounded_memory) {
  for (const char* how : {"gigabytes", "wide"}) {
    const std::string mark = fresh_path();
    const Ran ran = command::plumbline("run test_good.py --jobs 1 --timeout 60 " + on("zeros", how, mark));
    EXPECT_EQ(ran.code, 1) << ran.text;
    EXPECT_TRUE(has(ran, "signature: run/garbage"));
    EXPECT_EQ(processes_left_with(mark), 0);
  }
  EXPECT_LT(largest_process_mib(), 2000);
}

TEST(Misbehaviour, an_odd_description_ends_both_commands_before_they_begin) {
  const std::pair<const char*, const char*> all[] = {{"bad_start", "one JSON object on one line"},
                                                     {"huge_start", "a line of more than 64 MiB"},
                                                     {"deep_start", "at most 32 deep"},
                                                     {"huge_name", "at $.name"},
                                                     {"odd_name", "without control characters"},
                                                     {"odd_profile", "at $.profile"},
                                                     {"huge_ulps", "at $.ulps"},
                                                     {"odd_fields", "at $.fields"},
                                                     {"die_at_start", "cannot find my library"}};
  for (const auto& [how, message] : all) {
    const std::string mark = fresh_path();
    for (const char* command : {"run test_good.py", "fuzz --programs 20"}) {
      const Ran ran = command::plumbline(
          fmt::format("{} --on 'process:python3 ../../../adapters/tests/data/fake.py {} {}'", command, how, mark));
      EXPECT_EQ(ran.code, 2) << command << " " << how;
      EXPECT_TRUE(has(ran, message)) << command << " " << how;
      EXPECT_LT(ran.text.size(), 4000U) << command << " " << how;
    }
    EXPECT_EQ(processes_left_with(mark), 0) << how;
  }
}

TEST(Misbehaviour, random_deaths_while_two_workers_fuzz_lose_no_program) {
  const std::string mark = fresh_path();
  const Ran ran =
      command::plumbline("fuzz --programs 256 --jobs 2 --timeout 30 " + on("any", "die_at_random_or_cannot", mark));
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_TRUE(has(ran, "run/crash"));
  const auto [passed, all, unsupported, unspecified, divergent] = counts(ran);
  EXPECT_EQ(all, 256);
  EXPECT_EQ(unsupported + divergent, 256);
  EXPECT_GT(unsupported, 100);
  EXPECT_GT(divergent, 10);
  EXPECT_EQ(processes_left_with(mark), 0);
}

TEST(Misbehaviour, the_report_does_not_depend_on_the_workers) {
  const auto report = [](const std::string& jobs) {
    const Ran ran = command::plumbline(
        "fuzz --programs 300 --seed 3 --json - --jobs " + jobs + " " + on("zeros", "crash", "any"), "2>/dev/null");
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(ran.text, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << ran.text;
    json.erase("timing");
    return json.dump();
  };
  EXPECT_EQ(report("1"), report("2"));
}

TEST(Misbehaviour, an_interrupt_leaves_no_process) {
  const std::string mark = fresh_path();
  const Ran ran = command::plumbline("fuzz --programs 1000 --jobs 2 --timeout 600 " + on("any", "hang", mark), "2>&1",
                                     "timeout -s INT -k 1 1");
  EXPECT_NE(ran.code, 0);
  EXPECT_EQ(processes_left_with(mark), 0);
}

}  // namespace
}  // namespace plumbline
