// Talking to an adapter process: starts it, reads and writes with time limits, and says how it failed.
#include "adapters/process/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "adapters/process/batch.h"
#include "adapters/protocol/protocol.h"
#include "adapters/protocol/show.h"
#include "support/resident.h"

namespace plumbline {

namespace {

constexpr std::size_t kLongestLine = std::size_t{64} << 20;  // bytes of one answer
constexpr std::size_t kErrorsKept = 2048;
constexpr double kStartLimit_s = 120;  // an implementation may take long to load, but only once
constexpr double kEndLimit_s = 2;      // to end, after it closed its output or got the request to stop
constexpr int kStartsTried = 3;
constexpr std::int64_t kLookEvery_ms =
    25;                           // how often the child's memory is checked: it can grow by some 100 MB in between
constexpr int kLateReads = 1100;  // reads after the limit: enough for the longest line

std::string quoted(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 80)) shown += c >= ' ' && c <= '~' ? c : '?';
  return fmt::format("'{}'{}", shown, text.size() > 80 ? "…" : "");
}

}  // namespace

ProcessAdapter::ProcessAdapter(std::string command, double timeout_s, std::int64_t memory_limit_mib)
    : words_(shell_words(command)),
      command_(std::move(command)),
      timeout_s_(timeout_s),
      memory_limit_mib_(memory_limit_mib) {
  if (!(timeout_s > 0))
    throw std::runtime_error(fmt::format("the limit for a program must be more than 0 s, not {} s", timeout_s));
  description_ = start();
  constexpr std::string_view kTorch = "torch-";
  torch_version_ = description_.profile.starts_with(kTorch) ? description_.profile.substr(kTorch.size()) : "2.13";
}

ProcessAdapter::~ProcessAdapter() { stop(); }

Description ProcessAdapter::start() {
  const auto refuse = [this](const std::string& why) {
    const std::string message = fmt::format("the adapter '{}' did not start: {}", command_, why);
    child_.reset();
    throw std::runtime_error(message);
  };
  child_ = std::make_unique<Child>(words_);
  to_send_ = encode_start() + "\n";
  sent_ = searched_ = 0;
  ran_.clear();
  received_.clear();
  errors_.clear();
  const Answer answer = next_line(Clock::now() + seconds(kStartLimit_s));
  if (answer.breakdown)
    refuse(answer.breakdown->kind == Breakdown::Kind::hang
               ? with_errors(fmt::format("no description within {} s", kStartLimit_s))
               : answer.breakdown->message);
  try {
    Description description = decode_description(answer.line);
    shows_ = decode_shows(answer.line);
    return description;
  } catch (const ProtocolError& e) {
    refuse(with_errors(fmt::format("its description does not follow the protocol (docs/PROTOCOL.md): {}", e.what())));
    throw;  // not reached
  }
}

void ProcessAdapter::stop() {
  if (child_ == nullptr) return;
  const std::string line = encode_stop() + "\n";
  // A child that does not read is killed anyway.
  if (sent_ == to_send_.size()) send(child_->input(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  child_->close_input();
  child_->wait(kEndLimit_s);
  child_.reset();
}

void ProcessAdapter::end_child() {
  child_.reset();
  to_send_.clear();
  sent_ = 0;
}

std::optional<Breakdown> ProcessAdapter::ensure_started() {
  if (child_ != nullptr) return std::nullopt;
  if (failed_starts_ >= kStartsTried)
    return Breakdown{Breakdown::Kind::exit, fmt::format("{} (gave up after {} tries)", start_failure_, kStartsTried)};
  try {
    if (encode(start()) != encode(description_)) {
      child_.reset();
      throw std::runtime_error(fmt::format("the adapter '{}' describes itself differently after a restart", command_));
    }
    failed_starts_ = 0;
    return std::nullopt;
  } catch (const std::runtime_error& e) {
    ++failed_starts_;
    start_failure_ = e.what();
    return Breakdown{Breakdown::Kind::exit, start_failure_};
  }
}

void ProcessAdapter::send_some() {
  while (sent_ < to_send_.size()) {
    const ssize_t n = send(child_->input(), to_send_.data() + sent_, to_send_.size() - sent_, MSG_NOSIGNAL);
    if (n >= 0) {
      sent_ += static_cast<std::size_t>(n);
    } else if (errno != EINTR) {
      // Full: poll waits. Closed by the child: its output says why, and nothing more can be sent.
      if (errno != EAGAIN) sent_ = to_send_.size();
      break;
    }
  }
  if (sent_ == to_send_.size()) {
    to_send_.clear();
    sent_ = 0;
  }
}

void ProcessAdapter::take_errors() {
  char chunk[65536];
  const ssize_t n = read(child_->errors(), chunk, sizeof chunk);
  if (n == 0) return child_->close_errors();
  if (n < 0) return;
  errors_.append(chunk, static_cast<std::size_t>(n));
  if (errors_.size() > kErrorsKept) errors_.erase(0, errors_.size() - kErrorsKept);
}

/// Returns a breakdown if the output has ended; `received_` grows by at most one chunk.
std::optional<Breakdown> ProcessAdapter::take_output() {
  char chunk[65536];
  const ssize_t n = read(child_->output(), chunk, sizeof chunk);
  if (n > 0) received_.append(chunk, static_cast<std::size_t>(n));
  if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR))) return std::nullopt;
  return ended();
}

/// Returns a breakdown if the child uses more memory than the limit.
std::optional<Breakdown> ProcessAdapter::look_at_memory() {
  if (memory_limit_mib_ <= 0 || Clock::now() < next_look_) return std::nullopt;
  next_look_ = Clock::now() + std::chrono::milliseconds(kLookEvery_ms);
  const std::int64_t used_mib = resident_bytes(child_->pid()) >> 20;
  if (used_mib <= memory_limit_mib_) return std::nullopt;
  return Breakdown{Breakdown::Kind::crash,
                   with_errors(fmt::format("killed: it used {} MiB of memory, the limit is {} MiB (--memory-limit)",
                                           used_mib, memory_limit_mib_))};
}

ProcessAdapter::Answer ProcessAdapter::next_line(Clock::time_point limit) {
  for (int late = 0;;) {
    if (const std::size_t end = received_.find('\n', searched_); end != std::string::npos && end <= kLongestLine) {
      Answer answer{received_.substr(0, end), std::nullopt};
      received_.erase(0, end + 1);
      searched_ = 0;
      return answer;
    }
    searched_ = received_.size();
    if (searched_ > kLongestLine) return {{}, garbage(fmt::format("a line of more than {} MiB", kLongestLine >> 20))};

    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - Clock::now()).count();
    pollfd streams[] = {{child_->output(), POLLIN, 0},
                        {child_->errors(), POLLIN, 0},
                        {to_send_.empty() ? -1 : child_->input(), POLLOUT, 0}};
    if (auto breakdown = look_at_memory()) return {{}, breakdown};
    const int ready = poll(streams, 3, static_cast<int>(std::clamp<std::int64_t>(left, 0, kLookEvery_ms)));
    if (ready < 0 && errno != EINTR)
      throw std::runtime_error(fmt::format("cannot poll the adapter: {}", strerror(errno)));
    // Answers that are already in the pipe count, even if this process reads them late; an unfinished line does not.
    if (left <= 0 && (ready == 0 || ++late > kLateReads)) return {{}, child_->wait(0) ? ended() : hung()};
    if (ready <= 0) continue;
    if (streams[1].revents != 0) take_errors();
    if (streams[2].revents != 0) send_some();
    if (streams[0].revents != 0)
      if (auto breakdown = take_output()) return {{}, breakdown};
  }
}

std::string ProcessAdapter::with_errors(std::string message) const {
  const std::size_t end = errors_.find_last_not_of(" \n\r\t");
  if (end != std::string::npos)
    message += fmt::format("; its standard error ends with: {}", errors_.substr(0, end + 1));
  return message;
}

Breakdown ProcessAdapter::hung() const {
  std::string message =
      fmt::format("no answer within {} s, and none within {} s on a fresh process", timeout_s_, 2 * timeout_s_);
  if (!received_.empty())
    message += fmt::format("; {} bytes of an unfinished line, {}", received_.size(), quoted(received_));
  return {Breakdown::Kind::hang, with_errors(std::move(message))};
}

Breakdown ProcessAdapter::garbage(const std::string& what) const {
  return {Breakdown::Kind::garbage, with_errors(fmt::format("the answer does not follow the protocol: {}", what))};
}

Breakdown ProcessAdapter::ended() {
  const auto end = child_->wait(kEndLimit_s);
  for (int reads = 0; reads < 16 && child_->errors() >= 0; ++reads) take_errors();  // a pipe cannot hold more
  const std::string half = received_.empty() ? "" : fmt::format(" in the middle of a line, {}", quoted(received_));
  if (!end) return garbage(fmt::format("it closed its output{} but kept running", half));
  if (end->signal != 0) return {Breakdown::Kind::crash, with_errors(Child::text_of(*end) + half)};
  if (!half.empty() && end->code == 0) return garbage(fmt::format("it ended{}", half));
  return {Breakdown::Kind::exit, with_errors(Child::text_of(*end) + half)};
}

RunResult ProcessAdapter::run(const Script& script) { return std::move(run_all({&script, 1}).front()); }
std::vector<RunResult> ProcessAdapter::run_all(std::span<const Script> scripts) { return Batch(*this, scripts).run(); }

}  // namespace plumbline
