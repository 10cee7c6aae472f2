// Two threads that take turns: one runs while the other one waits.
#include "adapters/walk/turns.h"

#include <utility>

namespace plumbline::walk {

Turns::Turns(std::function<void(Turns&)> run) : run_(std::move(run)) {
  threads_turn_ = true;
  thread_ = std::thread([this] { run_thread(); });
  std::unique_lock lock(mutex_);
  turned_.wait(lock, [this] { return !threads_turn_; });
}

Turns::~Turns() {
  if (waits_at_) {
    abandoned_ = true;
    go_on();
  }
  thread_.join();
}

void Turns::run_thread() {
  try {
    run_(*this);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is in the trace
  } catch (...) {
    trouble_ = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  threads_turn_ = false;
  turned_.notify_all();
}

void Turns::hand_over(bool to_thread) {
  std::unique_lock lock(mutex_);
  threads_turn_ = to_thread;
  turned_.notify_all();
  turned_.wait(lock, [this, to_thread] { return threads_turn_ != to_thread; });
}

void Turns::pause(std::size_t statement) {
  waits_at_ = statement;
  hand_over(false);
  if (abandoned_) throw Abandoned();
}

void Turns::go_on() {
  waits_at_.reset();
  hand_over(true);
}

}  // namespace plumbline::walk
