// One request and one answer at a time, with a limit for each; a process that died is started again.
#include "sweep/caller.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace plumbline::sweep {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double kListLimit_s = 120;  // an implementation may take long to load
constexpr double kEndLimit_s = 2;
constexpr std::size_t kLongestAnswer = std::size_t{256} << 20;

}  // namespace

ProcessCaller::ProcessCaller(std::vector<std::string> words, double timeout_s)
    : words_(std::move(words)), timeout_s_(timeout_s) {}
ProcessCaller::~ProcessCaller() = default;

Registered ProcessCaller::registered() {
  const auto answer = ask(R"({"cmd":"operators"})", kListLimit_s);
  if (const auto* broken = std::get_if<Broken>(&answer))
    throw std::runtime_error(fmt::format("'{}' lists no operators: {}", words_.front(), broken->message));
  try {
    const json list = json::parse(std::get<std::string>(answer));
    if (list.contains("unsupported")) throw std::runtime_error(list.at("unsupported").get<std::string>());
    Registered all;
    all.version = list.at("version");
    if (list.contains("settings")) {
      all.settings.clear();
      for (const json& name : list.at("settings")) all.settings.push_back(setting_named(name.get<std::string>()));
    }
    for (const json& one : list.at("operators")) all.operators.push_back(operator_from(one));
    return all;
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("'{}' lists its operators in another form than docs/SWEEP.md: {}", words_.front(), error.what()));
  }
}

std::variant<Observation, Broken> ProcessCaller::call(const Experiment& experiment) {
  const auto answer = ask(json{{"cmd", "call"}, {"experiment", to_json(experiment)}}.dump(), timeout_s_);
  if (const auto* broken = std::get_if<Broken>(&answer)) return *broken;
  try {
    const json answered = json::parse(std::get<std::string>(answer));
    if (answered.contains("unsupported")) return Broken{Broken::Kind::unsupported, answered.at("unsupported")};
    if (answered.contains("crash")) {  // it cannot go on: a GPU's context is lost, say
      child_.reset();
      return Broken{Broken::Kind::crash, answered.at("crash")};
    }
    return observation_from(answered.at("observation"));
  } catch (const json::exception& error) {
    child_.reset();
    return Broken{Broken::Kind::crash, fmt::format("its answer has another form than docs/SWEEP.md: {}", error.what())};
  }
}

std::variant<std::string, Broken> ProcessCaller::ask(const std::string& request, double timeout_s) {
  if (child_ == nullptr) child_ = std::make_unique<Child>(words_);
  const std::string text = request + "\n";
  std::size_t sent = 0;
  std::string received;
  const auto limit =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout_s));
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now()).count();
    if (left <= 0) {
      child_.reset();
      return Broken{Broken::Kind::hang, fmt::format("no answer within {} s", timeout_s)};
    }
    pollfd streams[] = {{child_->output(), POLLIN, 0},
                        {child_->errors(), POLLIN, 0},
                        {sent < text.size() ? child_->input() : -1, POLLOUT, 0}};
    if (poll(streams, 3, static_cast<int>(left)) < 0 && errno != EINTR)
      throw std::runtime_error(fmt::format("cannot poll a caller: {}", strerror(errno)));
    char chunk[65536];
    if (streams[1].revents != 0 && read(child_->errors(), chunk, sizeof chunk) == 0) child_->close_errors();
    if (streams[2].revents != 0) {
      const ssize_t n = send(child_->input(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
      if (n > 0) sent += static_cast<std::size_t>(n);
      if (n < 0 && errno != EINTR && errno != EAGAIN) return died();
    }
    if (streams[0].revents == 0) continue;
    const ssize_t n = read(child_->output(), chunk, sizeof chunk);
    if (n == 0) return died();
    if (n > 0) received.append(chunk, static_cast<std::size_t>(n));
    if (received.size() > kLongestAnswer) {
      child_.reset();
      return Broken{Broken::Kind::crash, fmt::format("an answer of more than {} MiB", kLongestAnswer >> 20)};
    }
    for (std::size_t end = received.find('\n'); end != std::string::npos; end = received.find('\n')) {
      std::string line = received.substr(0, end);
      received.erase(0, end + 1);
      if (line.starts_with('{')) return line;  // what else is there, an operator printed
    }
  }
}

Broken ProcessCaller::died() {
  const auto end = child_->wait(kEndLimit_s);
  child_.reset();
  if (!end) return {Broken::Kind::crash, "it closed its output but kept running"};
  return {Broken::Kind::crash, Child::text_of(*end)};
}

}  // namespace plumbline::sweep
