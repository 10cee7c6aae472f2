// Two threads that take turns: one runs while the other one waits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace plumbline::walk {

/// Ends the body of a thread whose starter no longer lets it go on.
struct Abandoned : std::exception {
  const char* what() const noexcept override { return "the thread that started this one no longer waits for it"; }
};

/// A thread of a script. Of it and of the thread that starts it exactly one runs: control goes over with `start`,
/// `pause` and `go_on`.
class Turns {
 public:
  /// Starts `run` in a new thread, and returns when it pauses or has ended.
  explicit Turns(std::function<void(Turns&)> run);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  /// Ends a thread that still waits: Abandoned leaves its `pause`.
  ~Turns();

  /// In the thread: it waits at this statement until its starter lets it go on. Throws Abandoned.
  void pause(std::size_t statement);
  /// In the starter: the thread goes on; returns when it pauses again or has ended.
  void go_on();
  /// In the starter: the statement at which the thread waits; nothing if it has ended.
  std::optional<std::size_t> waits_at() const { return waits_at_; }
  /// In the starter, after the thread has ended: throws what is no std::exception and left `run`.
  void rethrow() const {
    if (trouble_) std::rethrow_exception(trouble_);
  }

 private:
  void run_thread();
  /// The caller's turn is over; returns when it is its turn again.
  void hand_over(bool to_thread);

  std::function<void(Turns&)> run_;
  std::mutex mutex_;
  std::condition_variable turned_;
  bool threads_turn_ = false;
  bool abandoned_ = false;
  std::optional<std::size_t> waits_at_;
  std::exception_ptr trouble_;
  std::thread thread_;
};

}  // namespace plumbline::walk
