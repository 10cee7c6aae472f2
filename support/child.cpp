// Starting, watching and ending a child process.
#include "support/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace plumbline {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, strerror(errno)));
}

std::pair<Descriptor, Descriptor> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe for the adapter");
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

void set_nonblocking(int fd) {
  if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) != 0) fail("cannot set up a pipe to the adapter");
}

/// In the child, between fork and exec: only calls that are safe there. Writes errno to `report` if exec fails.
[[noreturn]] void become(char* const* words, int input, int output, int errors, int report, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0)
    execvp(words[0], words);
  const int error = errno;
  [[maybe_unused]] const ssize_t sent = write(report, &error, sizeof error);
  _exit(127);
}

}  // namespace

void Descriptor::reset() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

std::vector<std::string> shell_words(const std::string& command) {
  static std::mutex one_at_a_time;  // wordexp is not thread-safe
  const std::lock_guard lock(one_at_a_time);
  wordexp_t split{};
  const int error = wordexp(command.c_str(), &split, WRDE_NOCMD | WRDE_UNDEF);
  std::vector<std::string> words(split.we_wordv, split.we_wordv + (error == 0 ? split.we_wordc : 0));
  if (error == 0) wordfree(&split);
  if (error == 0 && !words.empty()) return words;
  const std::string_view why = error == 0              ? "it is empty"
                               : error == WRDE_BADCHAR ? "one of | & ; < > ( ) { } is outside quotes"
                               : error == WRDE_BADVAL  ? "a variable in it is not set"
                               : error == WRDE_CMDSUB  ? "command substitution is not supported"
                               : error == WRDE_NOSPACE ? "there is no memory left"
                                                       : "a quote is not closed";
  throw std::runtime_error(
      fmt::format("cannot split the adapter's command '{}' into words: {}; write process:\"sh -c '…'\" for what needs "
                  "a shell",
                  command, why));
}

std::string quoted_word(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

Child::Child(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);

  // A socket, not a pipe: send can avoid SIGPIPE, so the program's own signal handling stays as it is.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("cannot make a socket for the adapter");
  input_ = Descriptor(ends[0]);
  Descriptor input(ends[1]);
  auto [output, output_end] = make_pipe();
  auto [errors, errors_end] = make_pipe();
  auto [report, report_end] = make_pipe();
  fcntl(output.get(), F_SETPIPE_SZ, 1 << 20);  // only for speed: the standard size also works
  for (const int fd : {input_.get(), output.get(), errors.get()}) set_nonblocking(fd);

  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("cannot start a process for the adapter");
  if (pid_ == 0) become(argv.data(), input.get(), output_end.get(), errors_end.get(), report_end.get(), parent);
  setpgid(pid_, pid_);  // the child does this too: whichever comes first
  output_ = std::move(output);
  errors_ = std::move(errors);

  report_end.reset();
  int error = 0;
  ssize_t got = 0;
  while ((got = read(report.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got == 0) return;  // exec succeeded: it closed the pipe
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  throw std::runtime_error(
      fmt::format("cannot start the adapter '{}': {}; give a command on PATH, or the path of an executable file",
                  words.front(), strerror(error)));
}

std::string Child::text_of(const End& end) {
  return end.signal != 0 ? fmt::format("killed by signal {} ({})", end.signal, strsignal(end.signal))
                         : fmt::format("it ended with exit code {}", end.code);
}

std::optional<Child::End> Child::wait(double seconds) const {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (auto pause = std::chrono::microseconds(200);; pause = std::min(2 * pause, std::chrono::microseconds(10'000))) {
    siginfo_t info{};
    // WNOWAIT: it stays a zombie until the destructor has killed its group, so that its process id is not reused.
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_)
      return info.si_code == CLD_EXITED ? End{0, info.si_status} : End{info.si_status, 0};
    if (std::chrono::steady_clock::now() >= limit) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
}

Child::~Child() {
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace plumbline
