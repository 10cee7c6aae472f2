// Work that is recorded while a functionalized body runs, and then done as one graph, in which chains of pointwise
// kernels become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "optimized/cuda/block_pool.h"
#include "optimized/cuda/chain.h"
#include "optimized/cuda/streams.h"

namespace plumbline::optimized::cuda {

/// Starts work on the device.
using Start = std::function<void()>;

/// How recorded work is started.
struct Starter {
  void (*floats)(const Chain<float>& chain);
  void (*doubles)(const Chain<double>& chain);
  /// Starts all that `start_all` starts, as one graph. What it returns does so again.
  Start (*together)(const Start& start_all);
};

/// What recordings have done, in all.
struct RecordingCounts {
  std::uint64_t recorded = 0;  ///< kernels and copies
  std::uint64_t started = 0;   ///< what was started for them: fewer, where some became one
  std::uint64_t unsaved = 0;   ///< results that no one needed in memory
};

/// While it exists, the thread's work on the device is recorded instead of being started. It is started at the end, and
/// before something is observed. Only a body without effects on anything but its memory may be recorded: what is in
/// between is done later. It is started in the thread's stream, which must not change. Blocks that are allocated
/// meanwhile are used again in the order of the recording. While a thread records, another may work on the device, with
/// other tensors. Recordings do not nest.
class Recording {
 public:
  /// `again`: it can be done again; then nothing may be observed (ErrorClass::unclassified), and its blocks stay its
  /// own after it.
  Recording(BlockPool& pool, const Starter& starter, bool again = false);
  /// Ends it. If `finish` was not called, an error ends the body: what was recorded before is started, and an error of
  /// that is not reported.
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// The thread's; null if it records nothing.
  static Recording* here();

  template <Kernel K>
  void add(const K& kernel, Start start) {
    Work work{std::move(start), {}};
    if constexpr (AsStep<K>::kIs) work.step = Step<typename AsStep<K>::Element>{kernel.count, AsStep<K>::of(kernel)};
    work_.emplace_back(std::move(work));
  }
  void add(Start start) { work_.emplace_back(Work{std::move(start), {}}); }

  std::byte* allocate(std::size_t bytes) { return pool_.allocate(bytes, stream_); }
  void release(std::byte* block);

  /// Records nothing more, and starts what is left.
  void finish();

  /// Starts all that was recorded, since something will be observed.
  void observe();

  /// Starts all that was recorded; what it returns does so again.
  Start start_all();
  /// Of the blocks that are allocated meanwhile.
  std::uint32_t stream() const { return stream_; }
  /// The thread's, in which the work is started.
  std::uint32_t home() const { return home_; }
  /// Blocks from before the recording that were given back meanwhile; of one that can be done again, they stay in use.
  const std::vector<std::byte*>& later() const { return later_; }

  static RecordingCounts counts();

 private:
  template <class T>
  struct Step {
    std::uint32_t count = 0;  ///< of elements
    ChainStep<T> step;
  };
  /// A kernel or a copy; `step`, if it can be one of a chain.
  struct Work {
    Start start;
    std::variant<std::monostate, Step<float>, Step<double>> step;
  };
  /// From here on, no one reads this memory.
  struct Released {
    const std::byte* begin = nullptr;
    const std::byte* end = nullptr;
  };
  using Event = std::variant<Work, Released>;

  /// The events that are the steps of a chain.
  using Places = std::vector<std::size_t>;

  /// How all that was recorded is started, in order.
  std::vector<Start> starts() const;
  /// The same of the work at `first` and what follows, as far as one kernel can do it; returns the event after that.
  template <class T>
  std::size_t add_chain(std::size_t first, std::vector<Start>& starts) const;
  template <class T>
  Places grow_chain(std::size_t first, Chain<T>& chain) const;
  /// Whether the step can follow the chain; its operands then name the result before.
  template <class T>
  static bool follows(const Chain<T>& chain, ChainStep<T>& step);
  /// Whether no one reads these bytes after event `place`, except steps of the chain, which ends at event `last`.
  bool is_released(const std::byte* begin, const std::byte* end, std::size_t place, std::size_t last) const;
  static Start one(const Work& work);

  BlockPool& pool_;
  Starter starter_;
  std::uint32_t home_;
  std::uint32_t stream_;
  bool again_;
  std::vector<Event> work_;
  std::vector<std::byte*> later_;  ///< blocks from before the recording, to be released after it
};

/// A body's work on the device, which can be done again: the same kernels on the same memory. The results of the body
/// are written again; what it reads may have been written meanwhile. It may be done in another stream than the body, by
/// one thread at a time; its memory belongs to the stream of the body.
class Graph {
 public:
  /// Runs the body once. It may not observe anything (ErrorClass::unclassified).
  Graph(BlockPool& pool, const Starter& starter, const std::function<void()>& body);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// In the thread's stream.
  void replay() const {
    elsewhere_ = elsewhere_ || current_stream().number != home_;
    replay_();
  }

 private:
  void give_memory_back();

  BlockPool& pool_;
  std::uint32_t home_ = 0;
  std::uint32_t stream_ = 0;
  mutable bool elsewhere_ = false;  ///< done in another stream than `home_`, too
  std::vector<std::byte*> held_;    ///< memory that the body read, and gave back
  Start replay_;
};

}  // namespace plumbline::optimized::cuda
