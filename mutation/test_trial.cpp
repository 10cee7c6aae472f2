// Running a test executable until its first failure.
#include "mutation/test_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "support/conversation.h"

namespace plumbline::mutate {

namespace {

/// The name of the first failed test; empty if the output names none.
std::string failed_test(const std::string& output) {
  constexpr std::string_view kFailed = "[  FAILED  ] ";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kFailed))
      return line.substr(kFailed.size(), line.find_first_of(" ,", kFailed.size()) - kFailed.size());
  return "";
}

}  // namespace

TestTrial::TestTrial(std::string source, const std::string& driver, std::function<bool()> stop)
    : source_(std::move(source)), stop_(std::move(stop)) {
  limit_s_ = kFirstLimit_s;
  const auto start = std::chrono::steady_clock::now();
  const Fate fate = hunt("", driver, std::filesystem::path(driver).parent_path().string());
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  limit_s_ = fate.stopped ? 0 : limit_s(took);
  if (!fate.stopped && (fate.kill != Kill::none || !fate.failure.empty()))
    throw std::runtime_error(
        fmt::format("without a mutant the tests fail: {}{}. Fix that first: {}", fate.what, fate.failure, driver));
}

Fate TestTrial::hunt(const std::string& /*file*/, const std::string& driver, const std::string& folder) const {
  Fate fate;
  fate.step = "tests";
  fate.command = driver;
  const Conversation said = converse({"/usr/bin/env", "-u", "GTEST_OUTPUT", "-C", source_, "TEST_TMPDIR=" + folder,
                                      "TMPDIR=" + folder, driver, "--gtest_fail_fast", "--gtest_brief=1"},
                                     "", limit_s_, kStepOutput, stop_);
  if (said.stopped == Conversation::Stopped::asked) {
    fate.stopped = true;
  } else if (said.stopped != Conversation::Stopped::no) {
    fate.kill = Kill::hang;
    fate.what = fmt::format("the tests were not finished after {:.0f} s", limit_s_);
  } else if (!said.end || said.end->signal != 0) {
    fate.kill = Kill::crash;
    fate.what = said.end ? fmt::format("signal {}", said.end->signal) : "it did not end";
  } else if (said.end->code != 0) {
    const std::string test = failed_test(said.output);
    fate.kill = test.empty() ? Kill::crash : Kill::divergence;
    fate.what = test.empty() ? fmt::format("exit code {}", said.end->code) : test;
  }
  return fate;
}

}  // namespace plumbline::mutate
