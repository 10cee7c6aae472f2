// The commands that test a mutant's driver, and how their reports are read.
#include "mutation/hunter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "adapters/adapter.h"
#include "oracle/verdict.h"
#include "support/conversation.h"

namespace plumbline::mutate {

namespace {

using nlohmann::json;

constexpr const char* kProgramSeconds = "5";
constexpr std::string_view kDispatcher = "optimized/dispatcher/";
constexpr std::string_view kFunctionalize = "optimized/functionalize/";
constexpr std::size_t kShown = 240;
constexpr const char* kLog = "sanitizer";  ///< the prefix of the report files

/// How a driver broke down, according to the adapter's message [adapters/process/process.cpp].
Kill kill_of(const std::string& what) {
  const auto has = [&](std::string_view text) { return what.find(text) != std::string::npos; };
  if (has("run/hang") || has("no answer within")) return Kill::hang;
  if (has("run/crash") || has("run/exit") || has("killed by signal") || has("killed: it used") || has("it ended"))
    return Kill::crash;
  return Kill::divergence;
}

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

int code_of(const Conversation& said) { return said.end && said.end->signal == 0 ? said.end->code : -1; }

/// A sanitizer's report in the folder, as one line; empty if there is none. Removes the report.
std::string take_report(const std::string& folder) {
  std::string first;
  std::vector<std::filesystem::path> logs;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(kLog)) logs.push_back(entry.path());
  for (const auto& log : logs) {
    std::ifstream file(log);
    for (std::string line; first.empty() && std::getline(file, line);)
      if (line.find("Sanitizer") != std::string::npos || line.find("runtime error") != std::string::npos) first = line;
    if (first.empty()) first = "a sanitizer's report";
    std::filesystem::remove(log);
  }
  return first;
}

/// Shortens a text to one line.
std::string shortened(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text.substr(0, kShown);
}

/// The result for one program in a report of `run`.
struct Shown {
  std::string program, verdict, what;
};
std::vector<Shown> programs_of(const json& report) {
  std::vector<Shown> all;
  for (const json& one : report.value("results", json::array())) {
    Shown shown{text_of(one, "file") + "::" + text_of(one, "test"), text_of(one, "verdict"), text_of(one, "message")};
    const json findings = one.value("findings", json::array());
    if (shown.what.empty() && !findings.empty())
      shown.what = fmt::format("{}: expected {}, got {}", text_of(findings[0], "what"),
                               text_of(findings[0], "expected"), text_of(findings[0], "got"));
    all.push_back(std::move(shown));
  }
  return all;
}

/// The first failure in a report of `fuzz`.
std::string failure_of(const json& report) {
  for (const json& campaign : report.value("campaigns", json::array())) {
    for (const char* list : {"failures", "findings", "monitors"})
      for (const json& one : campaign.value(list, json::array()))
        if (!one.value("explained", false) && text_of(one, "verdict") != name_of(Verdict::harness_error))
          return fmt::format("program {}: {}{}: {}", one.value("index", 0), text_of(one, "signature"),
                             text_of(one, "breach"), text_of(one, "message"));
  }
  return "";
}

}  // namespace

std::string_view name_of(Kill kill) {
  constexpr std::array<std::string_view, 6> names{"none", "divergence",    "crash",
                                                  "hang", "refused start", "sanitizer's report"};
  return names.at(static_cast<std::size_t>(kill));
}

/// One run of a step.
struct Hunter::Ran {
  Conversation said;
  std::string command;
  json report;           ///< null if it wrote none
  std::string reported;  ///< the sanitizer's report
  double seconds = 0;
};

std::vector<Hunter::Step> Hunter::all_steps() const {
  const std::string& bin = options_.bin;
  const bool counted = options_.programs > 0;
  const std::vector<std::string> fuzz{bin + "/plumbline-fuzz",
                                      "fuzz",
                                      counted ? "--programs" : "--seconds",
                                      counted ? std::to_string(options_.programs) : fmt::format("{}", options_.seconds),
                                      "--seed",
                                      "1",
                                      "--first",
                                      "--jobs",
                                      "1",
                                      "--timeout",
                                      kProgramSeconds};
  const auto fuzz_with = [&](const char* option) {
    std::vector<std::string> words = fuzz;
    words.emplace_back(option);
    return words;
  };
  const auto programs_in = [&](const std::string& folder) {
    return std::vector<std::string>{bin + "/plumbline-run", "run",    folder, "--corpus",
                                    options_.corpus,        "--jobs", "1",    "--timeout",
                                    kProgramSeconds};
  };
  std::vector<Step> steps{{"curated programs about the dispatcher", Kind::programs, kDispatcher,
                           programs_in(options_.corpus + "/dispatcher")},
                          {"curated programs", Kind::programs, "", programs_in(options_.corpus)},
                          {"fuzzing the dispatcher", Kind::fuzzing, kDispatcher, fuzz_with("--dispatcher")},
                          {"fuzzing", Kind::fuzzing, "", fuzz}};
  if (counted) steps.push_back({"fuzzing unsafe statements", Kind::fuzzing, "", fuzz_with("--unsafe")});
  if (counted) steps.push_back({"fuzzing bodies", Kind::fuzzing, kFunctionalize, fuzz_with("--functionalize")});
  return steps;
}

Hunter::Hunter(HuntOptions options, const std::string& driver, const std::string& folder)
    : options_(std::move(options)) {
  for (Step& step : all_steps()) {
    if (options_.dispatcher && step.about != kDispatcher) continue;
    if (learn(step, driver, folder)) steps_.push_back(std::move(step));
    if (options_.stop()) return;
  }
}

bool Hunter::learn(Step& step, const std::string& driver, const std::string& folder) {
  step.limit_s = kFirstLimit_s;
  Ran ran = run(step, driver, folder);
  if (ran.reported.find("LeakSanitizer") != std::string::npos) {
    notes_.push_back(fmt::format("leaks are ignored, because the driver has leaks without a mutant: {}", ran.reported));
    leaks_count_ = false;
    ran = run(step, driver, folder);
  }
  if (ran.said.stopped == Conversation::Stopped::asked) return false;
  const int code = code_of(ran.said);
  if (code == kExitNothing) {
    notes_.push_back(fmt::format("not run: {}: the driver passes none of the programs", step.name));
    return false;
  }
  std::size_t failed = 0;
  for (Shown& one : programs_of(ran.report)) {
    failed += one.verdict == name_of(Verdict::divergent) || one.verdict == name_of(Verdict::harness_error) ? 1 : 0;
    step.verdicts[one.program] = one.verdict;
  }
  if (!ran.reported.empty() || (code != 0 && failed == step.verdicts.size()))
    throw std::runtime_error(
        fmt::format("without a mutant the driver does not pass '{}' (exit code {}){}. Fix that first: {}", step.name,
                    code, ran.reported.empty() ? "" : ": " + ran.reported, ran.command));
  if (failed > 0)
    notes_.push_back(
        fmt::format("{}: {} of {} fail without a mutant: {}", step.name, failed, step.verdicts.size(), ran.command));
  step.limit_s = limit_s(ran.seconds) + (step.kind == Kind::fuzzing ? options_.seconds : 0);
  return true;
}

std::string Hunter::on(const std::string& driver, const std::string& folder) const {
  if (!options_.sanitized) return fmt::format("process:'{}'", driver);
  return fmt::format("process:env 'ASAN_OPTIONS=log_path={}/{}:detect_leaks={}' '{}'", folder, kLog,
                     leaks_count_ ? 1 : 0, driver);
}

Hunter::Ran Hunter::run(const Step& step, const std::string& driver, const std::string& folder) const {
  const std::string path = folder + "/report.json";
  std::filesystem::remove(path);
  std::vector<std::string> words = step.words;
  const std::string target = on(driver, folder);
  words.insert(words.end(), {"--json", path, "--on", target});
  Ran ran;
  std::vector<std::string> shown(step.words.begin() + 1, step.words.end());
  ran.command = fmt::format("plumbline {} --on \"{}\"", fmt::join(shown, " "), target);
  const auto start = std::chrono::steady_clock::now();
  ran.said = converse(words, "", step.limit_s, kStepOutput, options_.stop);
  ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::ifstream file(path);
  if (file) ran.report = json::parse(file, nullptr, false);
  if (ran.report.is_discarded()) ran.report = nullptr;
  if (options_.sanitized) ran.reported = take_report(folder);
  return ran;
}

void Hunter::judge(const Step& step, const Ran& ran, Fate& fate) const {
  const auto killed = [&](Kill kill, const std::string& what) {
    fate.kill = kill;
    fate.step = step.name + (options_.sanitized ? " with sanitizers" : "");
    fate.what = shortened(what);
    fate.command = ran.command;
  };
  if (ran.said.stopped == Conversation::Stopped::asked) {
    fate.stopped = true;
    return;
  }
  if (ran.said.stopped != Conversation::Stopped::no)
    return killed(Kill::hang, fmt::format("it was not finished after {:.0f} s", ran.seconds));
  if (!ran.reported.empty()) return killed(Kill::report, ran.reported);
  for (const Shown& one : programs_of(ran.report)) {
    const auto usual = step.verdicts.find(one.program);
    if (usual == step.verdicts.end() || usual->second == one.verdict) continue;
    if (one.verdict == name_of(Verdict::harness_error)) {
      fate.failure = fmt::format("{}: {}", one.program, one.what);
      return;
    }
    return killed(kill_of(one.what), fmt::format("{}: {}: {}", one.program, one.verdict, one.what));
  }
  const std::string failure = step.kind == Kind::fuzzing ? failure_of(ran.report) : "";
  if (!failure.empty()) return killed(kill_of(failure), failure);
  if (step.kind == Kind::fuzzing ? code_of(ran.said) != 0 : ran.report.is_null())
    fate.failure = fmt::format("{} ended with exit code {} but reports no difference: {} {}", step.name,
                               code_of(ran.said), shortened(ran.said.errors), ran.command);
}

Fate Hunter::hunt(const std::string& file, const std::string& driver, const std::string& folder) const {
  Fate fate;
  try {
    make_adapter(on(driver, folder), {})->describe();
  } catch (const std::runtime_error& error) {
    fate.kill = Kill::refused;
    fate.step = "start";
    fate.what = shortened(error.what());
    fate.command = driver;
    return fate;
  }
  if (options_.sanitized) take_report(folder);
  for (const Step& step : steps_) {
    if (step.kind == Kind::fuzzing && !file.starts_with(step.about)) continue;
    judge(step, run(step, driver, folder), fate);
    if (fate.kill != Kill::none || fate.stopped || !fate.failure.empty()) break;
  }
  return fate;
}

}  // namespace plumbline::mutate
