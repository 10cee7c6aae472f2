// The steps of making an environment, each a process whose output is shown as it comes.
#include "environments/make.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string_view>
#include <vector>

#include "adapters/process/process.h"
#include "environments/advice.h"
#include "environments/folders.h"
#include "support/conversation.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/terminal.h"

namespace plumbline::environments {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLongest_s = 6 * 3600.0;  // of one step: gigabytes over a slow line
constexpr std::size_t kMostOutput = std::size_t{16} << 20;
constexpr std::size_t kEndKept = 8192;
constexpr auto kSilence = std::chrono::seconds(30);
constexpr double kProgramLimit_s = 10;
constexpr const char* kPythonVersion = "import sys; print('%d.%d' % sys.version_info[:2])";

void say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

/// Prints what a step prints, line by line and dimmed, and now and then that it still runs.
class Shown {
 public:
  explicit Shown(bool is_shown) : is_shown_(is_shown), screen_(screen_of_stdout()) {}

  void hear(std::string_view part) {
    heard_ = Clock::now();
    end_.append(part);
    if (end_.size() > kEndKept) end_.erase(0, end_.size() - kEndKept);
    line_.append(part);
    for (std::size_t at = line_.find('\n'); at != std::string::npos; at = line_.find('\n')) {
      print(line_.substr(0, at));
      line_.erase(0, at + 1);
    }
  }
  /// For `converse`: whether the step is to be ended. It calls this several times a second.
  bool look() {
    if (is_shown_ && Clock::now() - heard_ > kSilence) {
      heard_ = Clock::now();
      print(fmt::format("still at work after {} s", std::chrono::round<std::chrono::seconds>(heard_ - began_).count()));
    }
    return cli::interrupted();
  }
  void finish() {
    if (!line_.empty()) print(line_);
  }
  const std::string& end() const { return end_; }

 private:
  void print(const std::string& line) const {
    if (is_shown_) say("  " + screen_.paint(Colour::dim, line));
  }

  bool is_shown_;
  Screen screen_;
  std::string line_;  ///< the beginning of a line
  std::string end_;
  Clock::time_point began_ = Clock::now(), heard_ = began_;
};

/// Runs a step to its end, and returns its output.
std::string run(const std::string& what, const std::vector<std::string>& words, bool is_shown) {
  Shown shown(is_shown);
  const Conversation said = converse(
      words, "", kLongest_s, kMostOutput, [&] { return shown.look(); },
      [&](std::string_view part) { shown.hear(part); });
  shown.finish();
  if (said.stopped == Conversation::Stopped::asked) throw Interrupted(what);
  if (said.end && said.end->signal == 0 && said.end->code == 0) return said.output;
  const std::string how = !said.end               ? "did not end"
                          : said.end->signal != 0 ? fmt::format("was ended by signal {}", said.end->signal)
                                                  : fmt::format("failed with exit code {}", said.end->code);
  throw Failed(
      fmt::format("{} {}: {}{}", what, how, advice_for(shown.end()), is_shown ? "" : fmt::format("\n{}", shown.end())));
}

void check_python(const std::string& python, const std::string& oldest) {
  std::string version;
  try {
    version = run(python, {python, "-c", kPythonVersion}, false);
  } catch (const Failed&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {  // it is not there, or it is no program
    throw Failed(
        fmt::format("'{}' cannot be started. Install Python (Debian and Ubuntu: apt-get install python3-venv), or name "
                    "one with --python",
                    python));
  }
  version.erase(version.find_last_not_of(" \r\n") + 1);
  if (!is_new_enough(version, oldest))
    throw Failed(fmt::format("'{}' is Python {}, but the packages need {} or later. Name a newer one with --python",
                             python, version, oldest));
}

/// pip's temporary files, gigabytes of them, go to `temporary`: a pip that is killed leaves them.
void install(const Environment& environment, const std::string& python, const fs::path& temporary) {
  fs::create_directories(temporary);
  std::vector<std::string> words{"env", "TMPDIR=" + temporary.string(), python,       "-m",
                                 "pip", "--disable-pip-version-check",  "--no-input", "install"};
  if (!environment.index.empty()) words.insert(words.end(), {"--extra-index-url", environment.index});
  words.insert(words.end(), environment.packages.begin(), environment.packages.end());
  run("pip install", words, true);
  fs::remove_all(temporary);
}

}  // namespace

void make(const Environment& environment, const fs::path& all, const std::string& python) {
  check_python(python, environment.python);
  NewFolder folder(all, environment.name);
  const std::string own_python = folder.path() / "bin" / "python3";
  say(fmt::format("{}: making a virtual environment in {}", environment.name, folder.path().string()));
  run(python + " -m venv", {python, "-m", "venv", folder.path()}, true);
  if (!environment.packages.empty()) {
    say(fmt::format("{}: installing {}", environment.name, fmt::join(environment.packages, ", ")));
    install(environment, own_python, folder.path() / "tmp");
  }
  write_file(folder.path() / kInstalled,
             run("pip freeze", {own_python, "-m", "pip", "--disable-pip-version-check", "freeze"}, false));
  folder.put_in_place();
}

bool start_each(const Environment& environment, const Implementations& known, const Places& places) {
  bool all_started = true;
  for (const NamedImplementation& one : known.implementations) {
    if (one.environment != environment.name) continue;
    say(fmt::format("{}: starting {}", environment.name, one.name));
    try {
      if (const std::string why = why_not_here(one, places); !why.empty()) throw std::runtime_error(why);
      const ProcessAdapter adapter(command_line_of(one, places), kProgramLimit_s);
      const Description& said = adapter.describe();
      say(fmt::format("{}: {} is here: {} {}, profile {}", environment.name, one.name, said.name, said.version,
                      said.profile));
    } catch (const std::runtime_error& error) {
      all_started = false;
      fmt::print(stderr, "plumbline env: the environment {} is complete, but {} does not start: {}\n", environment.name,
                 one.name, error.what());
    }
  }
  return all_started;
}

}  // namespace plumbline::environments
