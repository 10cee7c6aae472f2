// The loop of every campaign: workers take batches of programs by number, and the results are folded in that order, so
// that what a campaign reports does not depend on how many workers it has.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace plumbline::fuzz {

/// Set by the first Ctrl-C: campaigns end at the next batch. A second one ends the process.
extern std::atomic<bool> interrupted;
void stop_on_interrupt();

struct BatchOptions {
  std::uint64_t programs = 0;  ///< at most; with `seconds`, as many as fit
  double seconds = 0;          ///< 0: no limit; the first batch is always run
  unsigned jobs = 1;
  std::uint64_t at_once = 64;  ///< programs in a batch
};

template <class Part>
class Batches {
 public:
  /// The programs from `first` up to `last`. Called on one thread.
  using Run = std::function<Part(std::uint64_t first, std::uint64_t last)>;

  /// `make_run`: called once by each worker, on its thread.
  Batches(BatchOptions options, std::function<Run()> make_run)
      : options_(options), make_run_(std::move(make_run)), working_(std::max(1U, options.jobs)) {
    const unsigned jobs = working_;  // which workers that are done already count down
    for (unsigned i = 0; i < jobs; ++i) workers_.emplace_back([this] { work(); });
  }
  Batches(const Batches&) = delete;
  Batches& operator=(const Batches&) = delete;
  ~Batches() { stop(); }

  /// Passes each part to `fold`, in order, until all are there, the time is over, `fold` returns false, or Ctrl-C; then
  /// no worker runs. What a worker throws is thrown here, when its batch's turn comes.
  template <class Fold>
  void each(Fold fold) {
    for (auto part = next_part(); part && fold(std::move(*part)); part = next_part()) {
    }
    stop();
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// Workers run at most this many batches ahead of the folding, so that a slow batch does not fill the memory.
  static constexpr std::uint64_t kAhead = 64;

  struct Batch {
    Part part;
    std::exception_ptr failure;  ///< the worker cannot go on
  };

  /// The part whose turn it is; nothing: there are no more.
  std::optional<Part> next_part() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_.contains(folded_) || working_ == 0; });
    const auto found = done_.find(folded_);
    if (found == done_.end()) return std::nullopt;
    Batch batch = std::move(found->second);
    done_.erase(found);
    ++folded_;
    changed_.notify_all();
    if (batch.failure) std::rethrow_exception(batch.failure);
    return std::move(batch.part);
  }

  /// Waits for the workers' last batches, which are not folded.
  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      changed_.notify_all();
    }
    workers_.clear();  // joins
  }

  void work() {
    {
      Run run;
      while (const auto number = next_batch()) {
        Batch batch;
        try {
          if (!run) run = make_run_();
          batch.part = run(*number * options_.at_once, std::min((*number + 1) * options_.at_once, options_.programs));
        } catch (...) {
          batch.failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_.emplace(*number, std::move(batch));
        changed_.notify_all();
      }
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  /// The batch that a free worker takes; nothing: it has no more to do.
  std::optional<std::uint64_t> next_batch() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stop_ || next_ < folded_ + kAhead; });
    const double since = std::chrono::duration<double>(Clock::now() - start_).count();
    const bool late = options_.seconds > 0 && since >= options_.seconds && next_ > 0;
    if (stop_ || late || interrupted || next_ * options_.at_once >= options_.programs) return std::nullopt;
    return next_++;
  }

  const BatchOptions options_;
  const std::function<Run()> make_run_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Batch> done_;  ///< run, but not yet folded
  std::uint64_t next_ = 0;               ///< the batch that the next free worker takes
  std::uint64_t folded_ = 0;             ///< how many were folded
  unsigned working_;
  bool stop_ = false;
  std::vector<std::jthread> workers_;
};

}  // namespace plumbline::fuzz
