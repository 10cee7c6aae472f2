// The streams of CUDA on the host: work that is done later, in each stream in the order in which it was started.
#include "optimized/cuda/host_stream.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "optimized/cuda/host_grid.h"
#include "optimized/cuda/host_memory.h"
#include "optimized/cuda/streams.h"

namespace plumbline::optimized::cuda {

namespace {

/// So many of a stream's first works.
struct HostPlace {
  std::uint32_t stream = 0;
  std::uint64_t works = 0;
};

class HostStreams {
 public:
  void start(std::uint32_t stream, std::function<void()> work) {
    const std::scoped_lock lock(mutex_);
    add(stream, std::move(work));
  }
  HostPlace end_of(std::uint32_t stream) {
    const std::scoped_lock lock(mutex_);
    return {stream, queues_[stream].started};
  }
  bool is_done(const HostPlace& place) {
    const std::scoped_lock lock(mutex_);
    return queues_[place.stream].done() >= place.works;
  }
  /// In the queue of the stream stands a work that runs the other one.
  void make_wait(std::uint32_t stream, const HostPlace& place) {
    const std::scoped_lock lock(mutex_);
    add(stream, [this, place] { run_to(place); });
  }
  void wait_for(const HostPlace& place) {
    const std::scoped_lock lock(mutex_);
    run(place);
  }
  void synchronize(std::uint32_t stream) {
    const std::scoped_lock lock(mutex_);
    run({stream, queues_[stream].started});
  }
  void synchronize_all() {
    const std::scoped_lock lock(mutex_);
    std::vector<std::pair<std::uint64_t, HostPlace>> ends;  // by when the last work was started
    for (const auto& [stream, queue] : queues_)
      if (!queue.waiting.empty()) ends.emplace_back(queue.last, HostPlace{stream, queue.started});
    std::ranges::sort(ends, {}, [](const auto& end) { return end.first; });
    constexpr std::array kOrders{Order::backward, Order::forward, Order::inside_out};
    const auto all = static_cast<std::uint32_t>(ends.size());
    const Order order = all < 2 ? Order::forward : kOrders.at(times_ordered_++ % kOrders.size());
    for (std::uint32_t i = 0; i < all; ++i) run(ends[in_order(order, i, all)].second);
  }
  void begin_orders_again() {
    const std::scoped_lock lock(mutex_);
    times_ordered_ = 0;
  }

 private:
  /// Of one stream.
  static constexpr std::size_t kMostWaiting = 64;

  struct Queue {
    std::deque<std::function<void()>> waiting;
    std::uint64_t started = 0;
    std::uint64_t last = 0;  ///< when the last work was started

    std::uint64_t done() const { return started - waiting.size(); }
  };

  void add(std::uint32_t stream, std::function<void()> work) {
    Queue& queue = queues_[stream];
    queue.waiting.push_back(std::move(work));
    ++queue.started;
    queue.last = ++starts_;
    if (queue.waiting.size() >= kMostWaiting) run({stream, queue.started});
  }
  void run(const HostPlace& place) {
    if (queues_[place.stream].done() >= place.works) return;
    const HostAccess access;
    run_to(place);
  }
  /// A work may be one that runs another stream, up to a place before all that was started after it. So no stream comes
  /// back to the work that it is in.
  void run_to(const HostPlace& place) {
    Queue& queue = queues_[place.stream];
    while (queue.done() < place.works) {
      queue.waiting.front()();
      queue.waiting.pop_front();
    }
  }

  std::mutex mutex_;
  std::map<std::uint32_t, Queue> queues_;  ///< by stream
  std::uint64_t starts_ = 0;
  std::size_t times_ordered_ = 0;
};

/// Never destroyed: tensors of static storage may be used until the very end.
HostStreams& host_streams() {
  static auto* const made = new HostStreams;  // NOLINT(cppcoreguidelines-owning-memory)
  return *made;
}

class HostMark final : public Mark {
 public:
  explicit HostMark(const HostPlace& place) : place_(place) {}

  bool reached() const noexcept override { return host_streams().is_done(place_); }
  void wait() const override { host_streams().wait_for(place_); }
  void make_wait() const override { host_streams().make_wait(current_stream().number, place_); }

 private:
  HostPlace place_;
};

}  // namespace

void start(std::function<void()> work) { start_in(current_stream().number, std::move(work)); }
void start_in(std::uint32_t stream, std::function<void()> work) { host_streams().start(stream, std::move(work)); }
void synchronize_on_host(std::uint32_t stream) noexcept { host_streams().synchronize(stream); }
void synchronize() noexcept { host_streams().synchronize_all(); }
void begin_orders_again() { host_streams().begin_orders_again(); }
std::shared_ptr<const Mark> mark_on_host(std::uint32_t stream) {
  return std::make_shared<HostMark>(host_streams().end_of(stream));
}

}  // namespace plumbline::optimized::cuda
