// The stream of CUDA on the host: work that is done later, in the order in which it was started.
#include "optimized/cuda/host_stream.h"

#include <mutex>
#include <utility>
#include <vector>

#include "optimized/cuda/host_memory.h"

namespace plumbline::optimized::cuda {

namespace {

class Stream {
 public:
  void start(std::function<void()> work) {
    const std::scoped_lock lock(mutex_);
    waiting_.push_back(std::move(work));
    if (waiting_.size() >= kMostWaiting) do_all();
  }
  void synchronize() {
    const std::scoped_lock lock(mutex_);
    if (!waiting_.empty()) do_all();
  }

 private:
  static constexpr std::size_t kMostWaiting = 64;

  void do_all() {
    const HostAccess access;
    for (const auto& work : waiting_) work();
    waiting_.clear();
  }

  std::mutex mutex_;
  std::vector<std::function<void()>> waiting_;
};

/// Never destroyed: tensors of static storage may be used until the very end.
Stream& stream() {
  static auto* const made = new Stream;  // NOLINT(cppcoreguidelines-owning-memory)
  return *made;
}

}  // namespace

void start(std::function<void()> work) { stream().start(std::move(work)); }
void synchronize() noexcept { stream().synchronize(); }

}  // namespace plumbline::optimized::cuda
