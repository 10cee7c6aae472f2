// Work that is recorded while a functionalized body runs, and then done as one graph.
#include "optimized/cuda/recording.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

namespace {

thread_local Recording* recording = nullptr;

struct Counters {
  std::atomic<std::uint64_t> recorded = 0;
  std::atomic<std::uint64_t> started = 0;
  std::atomic<std::uint64_t> unsaved = 0;
};
Counters counters;

/// The bytes of a row of `count` elements.
template <class T>
struct Row {
  const std::byte* begin;
  const std::byte* end;

  Row(const T* row, std::uint32_t count)
      : begin(reinterpret_cast<const std::byte*>(row)), end(begin + count * sizeof(T)) {}
  bool meets(const Row& other) const { return begin < other.end && other.begin < end; }
  /// Whether an element that both have has the same number in both, and so the same thread.
  bool agrees_with(const Row& other) const { return !meets(other) || begin == other.begin; }
};

template <class T, class Visit>
void for_each_row(const ChainStep<T>& step, std::uint32_t count, const Visit& visit) {
  for (const StepOperand<T>& operand : step.operands)
    if (operand.source == StepSource::row) visit(Row<T>(operand.row, count));
}

/// Does it at the end of a scope, also after an error.
template <class Do>
class AtEnd {
 public:
  explicit AtEnd(Do it) : it_(std::move(it)) {}
  ~AtEnd() { it_(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  Do it_;
};

}  // namespace

Recording::Recording(BlockPool& pool, const Starter& starter, bool again)
    : pool_(pool), starter_(starter), home_(current_stream().number), stream_(new_stream().number), again_(again) {
  if (!again) pool_.hand_over(home_, stream_, false);
  recording = this;
}

Recording::~Recording() {
  recording = nullptr;
  try {
    static_cast<void>(start_all());
  } catch (...) {  // NOLINT(bugprone-empty-catch): another error is on its way
  }
  if (!again_) pool_.hand_over(stream_, home_, true);
}

void Recording::finish() {
  recording = nullptr;
  static_cast<void>(start_all());
}

Recording* Recording::here() { return recording; }

RecordingCounts Recording::counts() {
  return {counters.recorded.load(), counters.started.load(), counters.unsaved.load()};
}

void Recording::release(std::byte* block) {
  if (pool_.stream_of(block) != stream_) {
    later_.push_back(block);
    return;
  }
  work_.emplace_back(Released{block, block + pool_.size_of(block)});
  pool_.release(block);
}

void Recording::observe() {
  if (again_)
    raise_saying(ErrorClass::unclassified, "CUDA error: a graph that is done again cannot wait for the device");
  static_cast<void>(start_all());
}

Start Recording::start_all() {
  std::vector<Start> all = starts();
  work_.clear();
  const AtEnd release([this] {
    if (!again_)
      for (std::byte* const block : std::exchange(later_, {})) pool_.release(block);
  });
  if (all.empty()) return [] {};
  return starter_.together([all = std::move(all)] {
    for (const Start& one : all) one();
  });
}

std::vector<Start> Recording::starts() const {
  std::vector<Start> all;
  for (std::size_t i = 0; i < work_.size();) {
    const Work* const work = std::get_if<Work>(&work_[i]);
    if (work != nullptr && std::holds_alternative<Step<float>>(work->step)) {
      i = add_chain<float>(i, all);
    } else if (work != nullptr && std::holds_alternative<Step<double>>(work->step)) {
      i = add_chain<double>(i, all);
    } else {
      if (work != nullptr) all.push_back(one(*work));
      ++i;
    }
  }
  return all;
}

Start Recording::one(const Work& work) {
  ++counters.recorded;
  ++counters.started;
  return work.start;
}

template <class T>
std::size_t Recording::add_chain(std::size_t first, std::vector<Start>& starts) const {
  Chain<T> chain;
  const Places places = grow_chain(first, chain);
  if (chain.length == 1) {
    starts.push_back(one(std::get<Work>(work_[first])));
    return first + 1;
  }
  for (std::uint32_t s = 0; s < chain.length; ++s) {
    ChainStep<T>& step = chain.steps.at(s);
    const Row<T> result(step.out, chain.count);
    const auto overwrites = [&](const ChainStep<T>& later) { return later.out == step.out; };
    const bool overwritten = std::any_of(chain.steps.begin() + s + 1, chain.steps.begin() + chain.length, overwrites);
    step.saves = !overwritten && !is_released(result.begin, result.end, places[s], places.back());
    if (!step.saves) ++counters.unsaved;
  }
  counters.recorded += chain.length;
  ++counters.started;
  if constexpr (std::same_as<T, float>) starts.emplace_back([chain, start = starter_.floats] { start(chain); });
  if constexpr (std::same_as<T, double>) starts.emplace_back([chain, start = starter_.doubles] { start(chain); });
  return places.back() + 1;
}

template <class T>
Recording::Places Recording::grow_chain(std::size_t first, Chain<T>& chain) const {
  Places places;
  for (std::size_t i = first; i < work_.size() && chain.length < Chain<T>::kMostSteps; ++i) {
    const Work* const work = std::get_if<Work>(&work_[i]);
    if (work == nullptr) continue;
    const auto* const next = std::get_if<Step<T>>(&work->step);
    if (next == nullptr || (chain.length != 0 && next->count != chain.count)) break;
    ChainStep<T> step = next->step;
    if (chain.length != 0 && !follows(chain, step)) break;
    chain.count = next->count;
    chain.steps.at(chain.length++) = step;
    places.push_back(i);
  }
  return places;
}

template <class T>
bool Recording::follows(const Chain<T>& chain, ChainStep<T>& step) {
  bool goes_on = false;
  for (StepOperand<T>& operand : step.operands)
    if (operand.source == StepSource::row && operand.row == chain.steps.at(chain.length - 1).out) {
      operand = {StepSource::before, nullptr, T(0)};
      goes_on = true;
    }
  if (!goes_on) return false;
  // A thread does all steps for its elements, and no thread waits for another: so none may write what another reads or
  // writes, and what a step has written is not read again, since it may be left out.
  const Row<T> out(step.out, chain.count);
  return std::all_of(chain.steps.begin(), chain.steps.begin() + chain.length, [&](const ChainStep<T>& earlier) {
    const Row<T> result(earlier.out, chain.count);
    bool apart = out.agrees_with(result);
    for_each_row(earlier, chain.count, [&](const Row<T>& read) { apart = apart && out.agrees_with(read); });
    for_each_row(step, chain.count, [&](const Row<T>& read) { apart = apart && !result.meets(read); });
    return apart;
  });
}

bool Recording::is_released(const std::byte* begin, const std::byte* end, std::size_t place, std::size_t last) const {
  for (std::size_t i = place + 1; i < work_.size(); ++i) {
    const auto* const memory = std::get_if<Released>(&work_[i]);
    if (memory == nullptr && i > last) return false;
    if (memory != nullptr && memory->begin <= begin && end <= memory->end) return true;
  }
  return false;
}

Graph::Graph(BlockPool& pool, const Starter& starter, const std::function<void()>& body) : pool_(pool) {
  std::optional<Recording> once(std::in_place, pool, starter, true);
  home_ = once->home();
  stream_ = once->stream();
  pool.pin(stream_, true);
  try {
    body();
    replay_ = once->start_all();
    held_ = once->later();
  } catch (...) {
    held_ = once->later();
    once.reset();
    give_memory_back();
    throw;
  }
}

void Graph::give_memory_back() {
  if (elsewhere_) pool_.wait();
  for (std::byte* const block : held_) pool_.release(block);
  pool_.pin(stream_, false);
  pool_.hand_over(stream_, home_, true);
}

Graph::~Graph() {
  replay_ = nullptr;
  give_memory_back();
}

}  // namespace plumbline::optimized::cuda
