// The process adapter with adapters that crash, exit, hang and print garbage: each program gets its verdict, and no
// process is left.
#include "adapters/process/process.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "adapters/tests/processes.h"

namespace plumbline {
namespace {

/// For EXPECT_PRED2.
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
using Kind = Breakdown::Kind;

constexpr double kTimeout_s = 2;

std::string fake(const std::string& mode = "") { return "python3 " PLUMBLINE_ADAPTERS "/fake.py " + mode; }

/// A program that asks the fake adapter for `what`; it has `size` statements, to tell programs apart.
Script program(std::string what = "", std::size_t size = 1) {
  Script script;
  if (!what.empty()) script.names.push_back(std::move(what));
  script.statements.assign(size, Statement{EndTry{}, 0});
  return script;
}

const Breakdown* breakdown(const RunResult& result) { return std::get_if<Breakdown>(&result); }

/// Expects this kind of breakdown and message from `what`, alone and between other programs, which get their traces.
void expect_breakdown(const std::string& what, Kind kind, const std::string& message, double timeout_s = kTimeout_s) {
  ProcessAdapter adapter(fake(), timeout_s);
  std::vector<Script> scripts;
  for (std::size_t i = 0; i < 100; ++i) scripts.push_back(i == 40 ? program(what) : program("", i + 1));
  const auto results = adapter.run_all(scripts);
  ASSERT_EQ(results.size(), scripts.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == 40) {
      ASSERT_NE(breakdown(results[i]), nullptr);
      EXPECT_EQ(breakdown(results[i])->kind, kind) << breakdown(results[i])->message;
      EXPECT_PRED2(contains, breakdown(results[i])->message, message);
    } else {
      ASSERT_EQ(breakdown(results[i]), nullptr) << i << ": " << breakdown(results[i])->message;
      EXPECT_EQ(std::get<Trace>(results[i]).outcomes.size(), i + 1);
    }
  }
}

TEST(ProcessAdapter, describes_itself) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  EXPECT_EQ(adapter.describe().name, "fake");
  EXPECT_EQ(adapter.describe().profile, "torch-2.13");
  EXPECT_EQ(adapter.describe().thread[0], Strictness::ignore);
  EXPECT_EQ(adapter.describe().errors, Strictness::kind);
}

TEST(ProcessAdapter, a_crash_names_signal_and_last_words) {
  expect_breakdown("crash", Kind::crash,
                   "killed by signal 11 (Segmentation fault); its standard error ends with: about to crash");
}
TEST(ProcessAdapter, an_exit_names_its_code_and_last_words) {
  expect_breakdown("exit", Kind::exit, "it ended with exit code 7; its standard error ends with: xxx");
  expect_breakdown("exit", Kind::exit, "the last words");
}
TEST(ProcessAdapter, a_quiet_exit_is_an_exit) { expect_breakdown("exit_quietly", Kind::exit, "exit code 0"); }
TEST(ProcessAdapter, a_hang_is_tried_twice) {
  expect_breakdown("hang", Kind::hang, "no answer within 0.5 s, and none within 1 s on a fresh process", 0.5);
}
TEST(ProcessAdapter, a_trickle_is_a_hang) {
  expect_breakdown("trickle", Kind::hang, "bytes of an unfinished line", 0.5);
}
TEST(ProcessAdapter, garbage_is_shown) {
  expect_breakdown("garbage", Kind::garbage, "Traceback (most recent call last):");
}
TEST(ProcessAdapter, half_a_line_is_garbage) {
  expect_breakdown("half_line", Kind::garbage, "it ended in the middle of a line, '{\"id\":41,\"tra'");
}
TEST(ProcessAdapter, a_crash_in_a_line_is_a_crash) {
  expect_breakdown("crash_half_line", Kind::crash, "in the middle of a line");
}
TEST(ProcessAdapter, a_wrong_id_is_garbage) {
  expect_breakdown("wrong_id", Kind::garbage, "the id is 42, but 41 was asked");
}
TEST(ProcessAdapter, a_trace_of_another_program_is_garbage) {
  expect_breakdown("bad_trace", Kind::garbage, "at $.trace.outcomes[0].statement: expected statements below 1");
}
TEST(ProcessAdapter, gigabytes_are_garbage) {
  expect_breakdown("gigabytes", Kind::garbage, "a line of more than 64 MiB", 60);
}
TEST(ProcessAdapter, a_closed_output_is_garbage) {
  expect_breakdown("close_output", Kind::garbage, "it closed its output but kept running");
}
TEST(ProcessAdapter, unsupported_is_passed_on) { expect_breakdown("unsupported", Kind::unsupported, "not today"); }

TEST(ProcessAdapter, a_flood_on_standard_error_does_not_block) {
  ProcessAdapter adapter(fake(), 30);
  EXPECT_EQ(breakdown(adapter.run(program("stderr_flood"))), nullptr);
}

TEST(ProcessAdapter, an_endless_flood_on_standard_error_is_a_hang) {
  expect_breakdown("stderr_forever", Kind::hang, "standard error ends with: yyy", 0.5);
}

TEST(ProcessAdapter, a_program_that_hangs_once_gets_its_trace) {
  ProcessAdapter adapter(fake("x " + fresh_path()), 0.5);
  EXPECT_EQ(breakdown(adapter.run(program("hang_once"))), nullptr);
}

/// How many of 40 programs crash if each tenth is `what`.
std::ptrdiff_t crashes_with(const std::string& what) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  std::vector<Script> scripts(40, program());
  for (std::size_t i = 0; i < scripts.size(); i += 10) scripts[i] = program(what);
  return std::ranges::count_if(adapter.run_all(scripts),
                               [](const RunResult& result) { return breakdown(result) != nullptr; });
}

TEST(ProcessAdapter, a_process_that_asks_to_be_restarted_harms_no_other_program) {
  EXPECT_EQ(crashes_with("break_and_say_so"), 0);
}
TEST(ProcessAdapter, a_program_that_damages_the_process_is_blamed_for_a_later_death) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  std::vector<Script> scripts(20, program());
  scripts[7] = program("damage");  // the process dies three programs later
  const auto results = adapter.run_all(scripts);
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(breakdown(results[i]) != nullptr, i == 7) << i;
  ASSERT_NE(breakdown(results[7]), nullptr);
  EXPECT_EQ(breakdown(results[7])->kind, Kind::crash);
  EXPECT_PRED2(contains, breakdown(results[7])->message,
               "it damaged the process, which died 3 later, in a program that runs alone: killed by signal 6");
}

TEST(ProcessAdapter, a_death_names_the_damage_of_an_earlier_call_of_run) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  for (const char* what : {"", "damage", "", ""}) EXPECT_EQ(breakdown(adapter.run(program(what))), nullptr) << what;
  const RunResult result = adapter.run(program());
  ASSERT_NE(breakdown(result), nullptr);
  EXPECT_PRED2(contains, breakdown(result)->message,
               "alone this program runs: the one 3 before it damaged the process");
  ASSERT_EQ(breakdown(result)->suspects.size(), 3U) << "it, and the two that ran after it";
  EXPECT_EQ(breakdown(result)->suspects[0].names, std::vector<std::string>{"damage"});
}

TEST(ProcessAdapter, a_death_that_nothing_repeats_is_not_lost) {
  ProcessAdapter adapter(fake("x " + fresh_path()), kTimeout_s);
  const auto results = adapter.run_all(std::vector<Script>{program(), program("crash_once"), program()});
  EXPECT_EQ(breakdown(results[0]), nullptr);
  ASSERT_NE(breakdown(results[1]), nullptr);
  EXPECT_EQ(breakdown(results[1])->kind, Kind::crash);
  EXPECT_PRED2(contains, breakdown(results[1])->message, "one that ran before it may have damaged the process");
  EXPECT_EQ(breakdown(results[2]), nullptr);
}

TEST(ProcessAdapter, a_crash_of_the_first_program_of_a_process_is_not_tried_again) {
  ProcessAdapter adapter(fake("x " + fresh_path()), kTimeout_s);
  ASSERT_NE(breakdown(adapter.run(program("crash_once"))), nullptr);
}

TEST(ProcessAdapter, a_process_that_breaks_and_does_not_say_so_is_blamed_on_the_program_that_broke_it) {
  EXPECT_EQ(crashes_with("break"), 4);
}

TEST(ProcessAdapter, a_program_that_leaves_a_mode_on_is_a_leak_and_harms_no_other_program) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  const auto results = adapter.run_all(std::vector<Script>{program(), program("leak"), program()});
  EXPECT_EQ(breakdown(results[0]), nullptr);
  ASSERT_NE(breakdown(results[1]), nullptr);
  EXPECT_EQ(breakdown(results[1])->kind, Kind::leak);
  EXPECT_EQ(breakdown(results[1])->message, "grad mode is off");
  EXPECT_EQ(breakdown(results[2]), nullptr) << "a new process runs it";
}

TEST(ProcessAdapter, counts_are_added_up_over_programs) {
  ProcessAdapter adapter(fake(), kTimeout_s);
  adapter.run_all(std::vector<Script>{program("count"), program(), program("count")});
  EXPECT_EQ(adapter.counts(), (Counts{{"graphs", 4}}));
}

TEST(ProcessAdapter, large_requests_do_not_deadlock) {
  ProcessAdapter adapter(fake(), 60);
  const std::vector<Script> scripts(100, program("", 5'000));
  for (const RunResult& result : adapter.run_all(scripts)) ASSERT_EQ(breakdown(result), nullptr);
}

TEST(ProcessAdapter, random_deaths_lose_nothing) {
  ProcessAdapter adapter(fake(), 30);
  const auto results = adapter.run_all(std::vector<Script>(60, program("die_at_random")));
  ASSERT_EQ(results.size(), 60u);
  int crashes = 0;
  for (const RunResult& result : results)
    if (const Breakdown* b = breakdown(result)) {
      EXPECT_EQ(b->kind, Kind::crash) << b->message;
      ++crashes;
    } else {
      EXPECT_EQ(std::get<Trace>(result).outcomes.size(), 1u);
    }
  EXPECT_GT(crashes, 0);
  EXPECT_LT(crashes, 60);
}

TEST(ProcessAdapter, failed_starts_become_verdicts_and_are_limited) {
  ProcessAdapter adapter(fake("start_once " + fresh_path()), kTimeout_s);
  std::vector<Script> scripts(50, program("exit_quietly"));
  const auto results = adapter.run_all(scripts);
  EXPECT_PRED2(contains, breakdown(results[0])->message, "it ended with exit code 0");
  EXPECT_PRED2(contains, breakdown(results[1])->message,
               "did not start: it ended with exit code 1; its standard error ends with: no second start");
  EXPECT_PRED2(contains, breakdown(results[49])->message, "gave up after 3 tries");
}

TEST(ProcessAdapter, no_process_is_left) {
  const std::string mark = fresh_path();
  {
    ProcessAdapter adapter(fake("x " + mark), 0.5);
    adapter.run_all(std::vector<Script>{program("leave_child"), program("crash"), program("leave_child"),
                                        program("hang"), program("leave_child")});
    EXPECT_GT(processes_with(mark), 0);
  }
  EXPECT_EQ(processes_left_with(mark), 0);
}

TEST(ProcessAdapter, an_adapter_that_does_not_stop_is_killed) {
  const std::string mark = fresh_path();
  {
    ProcessAdapter adapter(fake("deaf " + mark), kTimeout_s);
  }
  EXPECT_EQ(processes_left_with(mark), 0);
}

/// The error of making the adapter.
std::string refusal(const std::string& command) {
  try {
    ProcessAdapter adapter(command, kTimeout_s);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(ProcessAdapter, says_what_to_do_if_it_cannot_start) {
  EXPECT_PRED2(contains, refusal("/nowhere/adapter"),
               "cannot start the adapter '/nowhere/adapter': No such file or directory; give a command on PATH");
  EXPECT_PRED2(contains, refusal("/etc/passwd"), "Permission denied");
  EXPECT_PRED2(contains, refusal(""), "it is empty");
  EXPECT_PRED2(contains, refusal("adapter 'x"), "a quote is not closed");
  EXPECT_PRED2(contains, refusal("a | b"), "is outside quotes");
  EXPECT_PRED2(contains, refusal("true"), "did not start: it ended with exit code 0");
  EXPECT_PRED2(contains, refusal(fake("bad_start")), "its description does not follow the protocol");
  EXPECT_PRED2(contains, refusal(fake("die_at_start")), "cannot find my library");
}

TEST(ShellWords, words_are_split_as_by_a_shell) {
  EXPECT_EQ(shell_words("a 'b c' \"d e\" f\\ g"), (std::vector<std::string>{"a", "b c", "d e", "f g"}));
}

}  // namespace
}  // namespace plumbline
