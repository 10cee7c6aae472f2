// A runner as a child process: one JSON line per request, one per answer.
#include "bench/driver/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "support/interrupt.h"

namespace plumbline::bench {

namespace {

constexpr int kProtocol = 1;
constexpr double kCaseLimit_s = 120;   // with making its operands; a slow BLAS multiplies 1024 x 1024 in 0.3 s
constexpr double kCountLimit_s = 600;  // under a simulator
constexpr int kLookEvery_ms = 100;
constexpr double kEnd_s = 2;
constexpr std::size_t kErrorsKept = 1000;
constexpr std::size_t kLongest = std::size_t{16} << 20;

std::string name_of(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<double> positive_numbers(const Json& json) {
  std::vector<double> numbers = json.get<std::vector<double>>();
  for (const double number : numbers)
    if (!std::isfinite(number) || number < 0) throw std::runtime_error(fmt::format("{} is not a time", number));
  return numbers;
}

RunnerInfo info_of(const Json& json) {
  if (json.at("protocol") != kProtocol)
    throw std::runtime_error(
        fmt::format("it uses protocol {}, but this program needs {}", json.at("protocol").dump(), kProtocol));
  RunnerInfo info;
  info.name = json.at("name");
  info.sides = json.at("sides").get<std::vector<std::string>>();
  if (info.sides.empty()) throw std::runtime_error("it has no side");
  for (const Json& one : json.at("cases"))
    info.cases.push_back({one.at("id"), one.value("countable", true), one.value("heavy", false)});
  info.cpu = json.value("cpu", "unknown");
  info.cpus = json.value("cpus", 1);
  info.libraries = json.value("libraries", Json::array());
  info.counts_instructions = json.value("counts_instructions", false);
  info.counts_memory = json.value("counts_memory", false);
  return info;
}

}  // namespace

Runner::Runner(std::vector<std::string> words, double limit_s) : words_(std::move(words)) {
  try {
    child_ = std::make_unique<Child>(words_);
  } catch (const std::runtime_error& error) {
    throw RunnerFailed(error.what());
  }
  const Json answer = ask({{"cmd", "start"}}, limit_s);
  try {
    info_ = info_of(answer);
  } catch (const std::exception& error) {
    fail(fmt::format("its description breaks the protocol ({})", error.what()));
  }
}

Times Runner::time(const std::string& id, const std::vector<std::string>& sides, int repetitions, double seconds) {
  const Json answer =
      ask({{"cmd", "time"}, {"case", id}, {"sides", sides}, {"repetitions", repetitions}, {"seconds", seconds}},
          kCaseLimit_s);
  try {
    Times times;
    for (const auto& [side, ns] : answer.at("ns").items())
      if (std::vector<double> found = positive_numbers(ns); !found.empty()) times[side] = std::move(found);
    return times;
  } catch (const std::exception& error) {
    fail(fmt::format("its times break the protocol ({})", error.what()));
  }
}

std::map<std::string, double> Runner::count(const std::string& id, const std::vector<std::string>& sides) {
  const Json answer = ask({{"cmd", "count"}, {"case", id}, {"sides", sides}}, kCountLimit_s);
  try {
    return answer.at("instructions").get<std::map<std::string, double>>();
  } catch (const std::exception& error) {
    fail(fmt::format("its counts break the protocol ({})", error.what()));
  }
}

Json Runner::memory(const std::string& id, const std::vector<std::string>& sides) {
  const Json answer = ask({{"cmd", "memory"}, {"case", id}, {"sides", sides}}, kCaseLimit_s);
  if (!answer.contains("memory")) fail("its answer has no memory");
  return answer["memory"];
}

void Runner::drop() { ask({{"cmd", "drop"}}, kCaseLimit_s); }

Json Runner::ask(const Json& request, double limit_s) {
  const std::string line = request.dump() + "\n";
  // A request is short and the runner waits for it, so the socket's buffer takes it at once.
  if (send(child_->input(), line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
    fail(child_->wait(kEnd_s) ? "it ended" : "it does not read its requests");
  const std::string said = next_line(limit_s);
  Json answer = Json::parse(said, nullptr, false);
  if (!answer.is_object()) fail(fmt::format("its answer is not a JSON object: {}", said.substr(0, 80)));
  if (answer.contains("error"))
    throw CaseFailed(answer["error"].is_string() ? answer["error"].get<std::string>() : "?");
  return answer;
}

std::string Runner::next_line(double limit_s) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration<double>(limit_s);
  for (;;) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    if (cli::interrupted()) throw Interrupted();
    if (Clock::now() > limit) fail(fmt::format("no answer within {} s", limit_s));
    if (received_.size() > kLongest) fail("its answer is too long");
    std::array<pollfd, 2> streams{{{child_->output(), POLLIN, 0}, {child_->errors(), POLLIN, 0}}};
    if (poll(streams.data(), streams.size(), kLookEvery_ms) <= 0) continue;
    if (streams[1].revents != 0) take_errors();
    if (streams[0].revents == 0) continue;
    std::array<char, 65536> chunk;
    const ssize_t got = read(child_->output(), chunk.data(), chunk.size());
    if (got > 0) received_.append(chunk.data(), static_cast<std::size_t>(got));
    if (got == 0) fail("it ended");
  }
}

void Runner::take_errors() {
  std::array<char, 4096> chunk;
  const ssize_t got = read(child_->errors(), chunk.data(), chunk.size());
  if (got == 0) return child_->close_errors();
  if (got < 0) return;
  errors_.append(chunk.data(), static_cast<std::size_t>(got));
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

void Runner::fail(const std::string& what) {
  std::string message = fmt::format("the runner '{}' failed: {}", name_of(words_), what);
  if (const auto end = child_->wait(what == "it ended" ? kEnd_s : 0)) {
    if (end->signal != 0) message += fmt::format(" by signal {} ({})", end->signal, strsignal(end->signal));
    if (end->signal == 0) message += fmt::format(" with exit code {}", end->code);
  }
  for (int reads = 0; reads < 4 && child_->errors() >= 0; ++reads) take_errors();
  if (const std::size_t end = errors_.find_last_not_of(" \n"); end != std::string::npos)
    message += fmt::format("; its standard error ends with: {}", errors_.substr(0, end + 1));
  throw RunnerFailed(message);
}

}  // namespace plumbline::bench
