// Talking to an adapter process: sends requests ahead, takes one answer for each, and turns every failure into a
// verdict.
#include "adapters/process/process.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "adapters/protocol/protocol.h"
#include "adapters/protocol/show.h"
#include "support/resident.h"

namespace plumbline {

namespace {

constexpr std::size_t kAhead = 64;                           // requests in flight
constexpr std::size_t kLongestLine = std::size_t{64} << 20;  // bytes of one answer
constexpr std::size_t kErrorsKept = 2048;
constexpr std::size_t kSentKept = std::size_t{1} << 20;  // sent bytes that are kept before they are dropped
constexpr double kStartLimit_s = 120;                    // an implementation may take long to load, but only once
constexpr double kEndLimit_s = 2;  // to end, after it closed its output or got the request to stop
constexpr int kStartsTried = 3;
constexpr std::int64_t kLookEvery_ms =
    25;                           // how often the child's memory is checked: it can grow by some 100 MB in between
constexpr int kLateReads = 1100;  // reads after the limit: enough for the longest line

auto seconds(double s) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(s));
}

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
  if (end->signal != 0)
    return {Breakdown::Kind::crash,
            with_errors(fmt::format("killed by signal {} ({}){}", end->signal, strsignal(end->signal), half))};
  if (!half.empty() && end->code == 0) return garbage(fmt::format("it ended{}", half));
  return {Breakdown::Kind::exit, with_errors(fmt::format("it ended with exit code {}{}", end->code, half))};
}

/// The scripts of one call of `run_all`, while the child runs them.
class ProcessAdapter::Batch {
 public:
  Batch(ProcessAdapter& adapter, std::span<const Script> scripts)
      : adapter_(adapter), scripts_(scripts), results_(scripts.size(), Breakdown{}) {
    for (std::size_t i = 0; i < scripts.size(); ++i) waiting_.push_back(i);
  }

  std::vector<RunResult> run() {
    while (!waiting_.empty() || !flying_.empty()) {
      if (auto breakdown = adapter_.ensure_started()) {  // nothing is in flight without a child
        results_[waiting_.front()] = std::move(*breakdown);
        waiting_.pop_front();
        second_try_ = false;
        continue;
      }
      launch();
      Answer answer = adapter_.next_line(limit_);
      if (!answer.breakdown) answer.breakdown = land(answer.line);
      if (answer.breakdown) break_down(std::move(*answer.breakdown));
    }
    return std::move(results_);
  }

 private:
  struct Flight {
    std::size_t script;
    std::int64_t id;
  };

  /// Sends scripts ahead; a script on its second try is sent alone.
  void launch() {
    if (flying_.empty()) start_clock();
    if (adapter_.sent_ > kSentKept) adapter_.to_send_.erase(0, std::exchange(adapter_.sent_, 0));
    while (!waiting_.empty() && flying_.size() < (second_try_ ? 1 : kAhead)) {
      const std::size_t i = waiting_.front();
      waiting_.pop_front();
      flying_.push_back({i, adapter_.next_id_++});
      adapter_.to_send_ += encode_run(flying_.back().id, scripts_[i]);
      adapter_.to_send_ += '\n';
    }
    adapter_.send_some();
  }

  void start_clock() { limit_ = Clock::now() + seconds(adapter_.timeout_s_ * (second_try_ ? 2 : 1)); }

  /// Takes an answer; a breakdown if it does not follow the protocol.
  std::optional<Breakdown> land(const std::string& line) {
    const Flight& flight = flying_.front();
    bool restart = false;
    try {
      Reply reply = decode_reply(line, adapter_.torch_version_);
      if (reply.id != flight.id)
        return adapter_.garbage(fmt::format("the id is {}, but {} was asked", reply.id, flight.id));
      restart = reply.restart;
      for (const auto& [name, count] : reply.counts) adapter_.counts_[name] += count;
      if (auto* cannot = std::get_if<CannotRun>(&reply.result)) {
        results_[flight.script] = Breakdown{Breakdown::Kind::unsupported, std::move(cannot->why)};
      } else if (auto* leaked = std::get_if<Leaked>(&reply.result)) {
        results_[flight.script] = Breakdown{Breakdown::Kind::leak, std::move(leaked->what)};
        restart = true;
      } else {
        auto& trace = std::get<0>(reply.result);
        check_trace(trace, scripts_[flight.script]);
        results_[flight.script] = std::move(trace);
      }
    } catch (const ProtocolError& e) {
      return adapter_.garbage(e.what());
    }
    flying_.pop_front();
    second_try_ = false;
    if (restart) start_again();
    start_clock();
    return std::nullopt;
  }

  /// Blames the script that was running, which is the oldest in flight; the others will run again.
  void break_down(Breakdown breakdown) {
    const bool again = breakdown.kind == Breakdown::Kind::hang && !second_try_;
    if (!again) {
      results_[flying_.front().script] = std::move(breakdown);
      flying_.pop_front();
    }
    second_try_ = again;
    start_again();
  }

  /// Ends the child. The scripts in flight will run in a new one.
  void start_again() {
    adapter_.child_.reset();
    adapter_.to_send_.clear();
    adapter_.sent_ = 0;
    for (; !flying_.empty(); flying_.pop_back()) waiting_.push_front(flying_.back().script);
  }

  ProcessAdapter& adapter_;
  std::span<const Script> scripts_;
  std::vector<RunResult> results_;
  std::deque<std::size_t> waiting_;
  std::deque<Flight> flying_;
  bool second_try_ = false;  ///< the first waiting script hung once
  Clock::time_point limit_;
};

RunResult ProcessAdapter::run(const Script& script) { return std::move(run_all({&script, 1}).front()); }
std::vector<RunResult> ProcessAdapter::run_all(std::span<const Script> scripts) { return Batch(*this, scripts).run(); }

}  // namespace plumbline
