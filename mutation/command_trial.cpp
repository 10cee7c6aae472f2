// Running commands and comparing exit codes.
#include "mutation/command_trial.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "oracle/verdict.h"
#include "support/conversation.h"

namespace plumbline::mutate {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTrialShown = 160;

/// The first line that tells a failure, or else the last.
std::string telling_line(const Conversation& said) {
  std::istringstream lines(said.errors + "\n" + said.output);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("divergent ") != std::string::npos || line.find("FELL") != std::string::npos ||
        line.find("VACUOUS") != std::string::npos || line.find("stale") != std::string::npos ||
        line.find("expected") != std::string::npos)
      return line.substr(0, kTrialShown);
    if (!line.empty()) last = line;
  }
  return last.substr(0, kTrialShown);
}

/// The executables that this one looks for beside itself.
void link_siblings(const fs::path& bin, const fs::path& driver) {
  for (const auto& entry : fs::directory_iterator(bin)) {
    const fs::path link = driver.parent_path() / entry.path().filename();
    if (!fs::exists(fs::symlink_status(link))) fs::create_symlink(entry.path(), link);
  }
}

}  // namespace

struct CommandTrial::Ran {
  Conversation said;
  double seconds = 0;
  int code() const { return said.end && said.end->signal == 0 ? said.end->code : -1; }
};

CommandTrial::CommandTrial(std::string source, std::string bin, std::span<const std::string_view> commands,
                           const std::string& driver, std::function<bool()> stop)
    : source_(std::move(source)), bin_(std::move(bin)), stop_(std::move(stop)) {
  link_siblings(bin_, driver);
  for (const std::string_view command : commands) {
    Step step{std::string(command), 0, kFirstLimit_s};
    const Ran ran = run(step, driver);
    if (ran.said.stopped == Conversation::Stopped::asked) return;
    step.code = ran.code();
    if (step.code == kExitNothing || step.code == kExitUsage) {
      notes_.push_back(fmt::format("not run: {}: {}", command, telling_line(ran.said)));
      continue;
    }
    if (step.code != 0 && step.code != kExitUnknown)
      throw std::runtime_error(fmt::format("'{} {}', without a mutant, ends with exit code {}: {}; fix that first",
                                           driver, command, step.code, telling_line(ran.said)));
    step.limit_s = limit_s(ran.seconds);
    steps_.push_back(std::move(step));
  }
}

CommandTrial::Ran CommandTrial::run(const Step& step, const std::string& driver) const {
  std::vector<std::string> words{"/usr/bin/env", "-C", source_, driver};
  std::istringstream text(step.command);
  for (std::string word; text >> word;) words.push_back(word);
  Ran ran;
  const auto start = std::chrono::steady_clock::now();
  ran.said = converse(words, "", step.limit_s, kStepOutput, stop_);
  ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return ran;
}

Fate CommandTrial::hunt(const std::string& /*file*/, const std::string& driver, const std::string& /*folder*/) const {
  Fate fate;
  link_siblings(bin_, driver);
  for (const Step& step : steps_) {
    const Ran ran = run(step, driver);
    fate.step = step.command;
    fate.command = fmt::format("{} {}", driver, step.command);
    if (ran.said.stopped == Conversation::Stopped::asked) {
      fate.stopped = true;
    } else if (ran.said.stopped != Conversation::Stopped::no) {
      fate.kill = Kill::hang;
      fate.what = fmt::format("it was not done after {:.0f} s", step.limit_s);
    } else if (ran.code() != step.code) {
      fate.kill = ran.code() < 0 ? Kill::crash : Kill::divergence;
      fate.what = fmt::format("exit code {} in place of {}: {}", ran.code(), step.code, telling_line(ran.said));
    }
    if (fate.kill != Kill::none || fate.stopped) break;
  }
  return fate;
}

}  // namespace plumbline::mutate
