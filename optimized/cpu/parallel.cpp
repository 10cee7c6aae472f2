// Work on many elements, shared among threads: a pool that starts when it is first needed.
#include "optimized/cpu/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace plumbline::optimized {

namespace {

/// 0: as many as the machine has, which is looked up when needed.
std::atomic<int> threads_wanted{0};

struct Job {
  parallel::Piece piece;
  const void* work;
  std::int64_t n;
  int pieces;
};

/// A multiple of 64 elements, so that no two threads write to one cache line.
std::int64_t boundary(const Job& job, int piece) {
  if (piece == job.pieces) return job.n;
  return job.n / job.pieces * piece & ~std::int64_t{63};
}

void do_piece(const Job& job, int piece) { job.piece(job.work, boundary(job, piece), boundary(job, piece + 1)); }

/// One job at a time. Never destroyed: its threads wait until the process ends.
class Pool {
 public:
  /// Whether the job was done; it is not if the pool has another job.
  bool run(Job job) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    {
      const std::scoped_lock lock(mutex_);
      start_workers(job.pieces - 1);
      job.pieces = std::min(job.pieces, workers_ + 1);
      job_ = job;
      ++jobs_;
      left_ = workers_;
    }
    start_.notify_all();
    do_piece(job, job.pieces - 1);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return left_ == 0; });
    busy_.store(false, std::memory_order_release);
    return true;
  }

 private:
  /// As many as wanted, or as many as the system has.
  void start_workers(int wanted) {
    try {
      for (; workers_ < wanted; ++workers_) std::thread(&Pool::work, this, workers_).detach();
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): the job has fewer pieces then
    }
  }
  void work(int worker) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      start_.wait(lock, [&] { return jobs_ != seen; });
      seen = jobs_;
      const Job job = job_;
      lock.unlock();
      if (worker < job.pieces - 1) do_piece(job, worker);
      lock.lock();
      if (--left_ == 0) done_.notify_one();
    }
  }

  std::atomic<bool> busy_{false};
  std::mutex mutex_;
  std::condition_variable start_, done_;
  Job job_{};
  std::uint64_t jobs_ = 0;
  int workers_ = 0;
  int left_ = 0;  ///< workers that have not finished the job
};

Pool& thread_pool() {
  static auto* const threads = new Pool;  // NOLINT(cppcoreguidelines-owning-memory)
  return *threads;
}

}  // namespace

int num_threads() {
  int wanted = threads_wanted.load(std::memory_order_relaxed);
  if (wanted == 0) {
    wanted = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    threads_wanted.store(wanted, std::memory_order_relaxed);
  }
  return wanted;
}

void set_num_threads(int threads) { threads_wanted.store(std::max(1, threads), std::memory_order_relaxed); }

void parallel::run(std::int64_t n, Piece piece, const void* work) {
  const int threads = num_threads();
  if (threads == 1 || !thread_pool().run({piece, work, n, threads})) piece(work, 0, n);
}

}  // namespace plumbline::optimized
