// Writing to a child and reading from it at the same time, until its end or a limit.
#include "support/conversation.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

namespace plumbline {

namespace {

constexpr std::size_t kErrorsKept = 4096;
constexpr double kLookEvery_ms = 200;

using Heard = std::function<void(std::string_view)>;

/// Appends what can be read now, and passes it to `heard`. False at the end of the stream.
bool drain(int fd, std::string& text, const Heard& heard) {
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got > 0) {
      const std::string_view part(buffer.data(), static_cast<std::size_t>(got));
      text += part;
      if (heard) heard(part);
      return true;
    }
    if (got == 0) return false;
    if (errno != EINTR) return errno == EAGAIN;
  }
}

/// Sends what can be sent now. True if nothing is left to send, or if the child no longer reads.
bool sent_all(int fd, const std::string& input, std::size_t& sent) {
  while (sent < input.size()) {
    const ssize_t n = send(fd, input.data() + sent, input.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno != EAGAIN;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

Conversation converse(const std::vector<std::string>& words, const std::string& input, double seconds,
                      std::size_t limit, const std::function<bool()>& stop, const Heard& heard) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  const auto left = [&] { return std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count(); };
  Child child(words);
  Conversation said;
  std::size_t sent = 0;
  bool writing = true;
  bool output = true;
  bool errors = true;
  while (output || errors) {
    if (left() <= 0) {
      said.stopped = Conversation::Stopped::time;
      return said;
    }
    if (stop && stop()) {
      said.stopped = Conversation::Stopped::asked;
      return said;
    }
    std::array<pollfd, 3> streams{{{output ? child.output() : -1, POLLIN, 0},
                                   {errors ? child.errors() : -1, POLLIN, 0},
                                   {writing ? child.input() : -1, POLLOUT, 0}}};
    if (poll(streams.data(), streams.size(),
             static_cast<int>(std::clamp(1000 * left() + 1, 0.0, stop ? kLookEvery_ms : 1e6))) <= 0)
      continue;
    if (streams[2].revents != 0 && sent_all(child.input(), input, sent)) {
      child.close_input();
      writing = false;
    }
    if (streams[0].revents != 0) output = drain(child.output(), said.output, heard);
    if (streams[1].revents != 0) {
      errors = drain(child.errors(), said.errors, heard);
      said.errors.resize(std::min(said.errors.size(), kErrorsKept));
    }
    if (said.output.size() > limit) {
      said.stopped = Conversation::Stopped::output;
      return said;
    }
  }
  said.end = child.wait(std::max(0.0, left()));
  if (!said.end) said.stopped = Conversation::Stopped::time;
  return said;
}

}  // namespace plumbline
