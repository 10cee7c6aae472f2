// Forked worker processes, each with a pipe.
#include "mutation/rules/workers.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support/sanitizers.h"

namespace plumbline::mutants {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFirstLimit_s = 60;
constexpr int kPoll_ms = 200;
/// A limit, because a mutant can ask for any amount of memory.
constexpr rlim_t kMemory_bytes = rlim_t{6} << 30;

void write_all(int to, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(to, text.data() + at, text.size() - at);
    if (n <= 0) _exit(1);
    at += static_cast<std::size_t>(n);
  }
}

/// The pipe carries lines: "step LIMIT TEXT", "line TEXT", and "done" at the end.
[[noreturn]] void be_worker(int to, const std::function<void(const Announce&, const Tell&)>& work) {
  std::signal(SIGINT, SIG_IGN);
  if constexpr (!kReservesAddresses) {
    const rlimit memory{kMemory_bytes, kMemory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  try {
    work([to](const std::string& step, int limit_s) { write_all(to, fmt::format("step {} {}\n", limit_s, step)); },
         [to](const std::string& line) { write_all(to, fmt::format("line {}\n", line)); });
    write_all(to, "done\n");
  } catch (const std::exception& error) {
    write_all(to, fmt::format("step 1 {}\n", error.what()));
    _exit(1);
  }
  _exit(0);
}

struct Worker {
  std::size_t index = 0;
  pid_t pid = 0;
  int from = -1;
  std::string text;
  Clock::time_point until;
  Ended ended;

  bool complete = false;

  /// Takes the complete lines that have arrived.
  void take() {
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      if (text.starts_with("step ")) {
        const std::size_t space = text.find(' ', 5);
        until = Clock::now() + std::chrono::seconds(std::stoi(text.substr(5, space - 5)));
        ended.step = text.substr(space + 1, end - space - 1);
      } else if (text.starts_with("line ")) {
        ended.lines.push_back(text.substr(5, end - 5));
      } else {
        complete = true;
      }
      text.erase(0, end + 1);
    }
  }
};

Worker start(std::size_t index, const std::function<void(std::size_t, const Announce&, const Tell&)>& work,
             const std::vector<Worker>& others) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe for a worker");
  const pid_t pid = fork();
  if (pid < 0) throw std::runtime_error("cannot start a worker process");
  if (pid == 0) {
    close(ends[0]);
    for (const Worker& other : others) close(other.from);
    be_worker(ends[1], [&](const Announce& announce, const Tell& tell) { work(index, announce, tell); });
  }
  close(ends[1]);
  Worker worker;
  worker.index = index;
  worker.pid = pid;
  worker.from = ends[0];
  worker.until = Clock::now() + std::chrono::seconds(kFirstLimit_s);
  return worker;
}

/// Whether it ended: its pipe was closed, or its time limit passed.
bool advance(Worker& worker, bool readable) {
  if (readable) {
    char buffer[4096];
    const ssize_t n = read(worker.from, buffer, sizeof buffer);
    if (n > 0) {
      worker.text.append(buffer, static_cast<std::size_t>(n));
      worker.take();
      return false;
    }
    worker.ended.how = worker.complete ? Ended::How::finished : Ended::How::died;
    return true;
  }
  if (Clock::now() < worker.until) return false;
  worker.ended.how = Ended::How::hung;
  return true;
}

void reap(const Worker& worker) {
  if (worker.ended.how == Ended::How::hung) kill(worker.pid, SIGKILL);
  close(worker.from);
  waitpid(worker.pid, nullptr, 0);
}

}  // namespace

void run_workers(std::size_t count, unsigned jobs,
                 const std::function<void(std::size_t, const Announce&, const Tell&)>& work,
                 const std::function<void(std::size_t, const Ended&)>& done, const std::function<bool()>& stop) {
  std::vector<Worker> running;
  std::size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < jobs && !stop()) running.push_back(start(next++, work, running));
    if (running.empty()) return;
    std::vector<pollfd> polled;
    for (const Worker& worker : running) polled.push_back({worker.from, POLLIN, 0});
    poll(polled.data(), polled.size(), kPoll_ms);
    for (std::size_t i = running.size(); i-- > 0;) {
      if (!advance(running[i], (polled[i].revents & (POLLIN | POLLHUP)) != 0)) continue;
      reap(running[i]);
      const Worker ended = std::move(running[i]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      done(ended.index, ended.ended);
    }
  }
}

}  // namespace plumbline::mutants
