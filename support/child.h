// A child process with pipes to its three streams, in a process group of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumbline {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  void reset();

 private:
  int fd_;
};

/// Splits a command line into words as a shell does (quotes, `~`, `$NAME`; no command substitution). Throws
/// std::runtime_error if it cannot be split or is empty.
std::vector<std::string> shell_words(const std::string& command);

/// Quotes a word of a command line, so that shell_words reads it back unchanged.
std::string quoted_word(const std::string& word);

/// A running child. The kernel kills it when the thread that started it ends, so that thread must outlive it; the
/// destructor kills its whole process group and leaves no zombie.
class Child {
 public:
  /// If the command cannot be started, throws std::runtime_error that says what to do.
  explicit Child(const std::vector<std::string>& words);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  pid_t pid() const { return pid_; }
  int input() const { return input_.get(); }    ///< written to without blocking, by send with MSG_NOSIGNAL
  int output() const { return output_.get(); }  ///< read without blocking
  int errors() const { return errors_.get(); }  ///< read without blocking
  void close_input() { input_.reset(); }
  void close_errors() { errors_.reset(); }

  /// Waits up to `seconds` for the end, and says how the child ended.
  struct End {
    int signal = 0;  ///< 0: it ended by itself
    int code = 0;
  };
  std::optional<End> wait(double seconds) const;
  /// "killed by signal 11 (Segmentation fault)", "it ended with exit code 7".
  static std::string text_of(const End& end);

 private:
  pid_t pid_ = -1;
  Descriptor input_, output_, errors_;
};

}  // namespace plumbline
