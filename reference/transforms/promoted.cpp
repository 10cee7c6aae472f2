// Memory without examples that gets some.
#include "reference/transforms/promoted.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference/bits.h"
#include "reference/call.h"
#include "reference/raise.h"
#include "reference/transforms/batched.h"
#include "spec/rules/trf.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::transforms {

namespace {

/// Gives examples of `levels`, the outermost first, to all tensors of one memory.
class Promotion {
 public:
  Promotion(const Judge& judge, State& state, std::int32_t storage, const std::set<std::size_t>& levels)
      : judge_(judge), state_(state), storage_(storage), levels_(levels) {}

  void run() {
    repeat_memory();
    const std::size_t count = state_.tensors.size();
    for (std::size_t i = 0; i < count; ++i)
      if (state_.tensors[i].storage == storage_) make_whole(static_cast<TensorId>(i));
    for (const auto& [seen, whole] : wholes_) {
      TensorId& base = at(state_, whole).base;
      if (base != kNoTensor) base = wholes_.at(base);
    }
    for (const auto& [seen, whole] : wholes_) show_example(seen, whole);
    for (std::size_t i = 0; i < count; ++i)
      if (state_.tensors[i].storage == storage_) state_.tensors[i].storage = repeated_;
  }

 private:
  void repeat_memory() {
    Storage all = state_.storages[static_cast<std::size_t>(storage_)];
    const std::vector<Element> once = all.elements;
    for (const std::size_t level : levels_) examples_.push_back(state_.levels[level].examples);
    for (std::int64_t i = 1; i < element_count(examples_); ++i)
      all.elements.insert(all.elements.end(), once.begin(), once.end());
    bytes_ = static_cast<std::int64_t>(once.size() * static_cast<std::size_t>(item_size(all.dtype)));
    state_.storages.push_back(std::move(all));
    repeated_ = static_cast<std::int32_t>(state_.storages.size()) - 1;
  }

  /// The tensor of all examples for one that has none of these levels, which it may be of inner levels.
  void make_whole(TensorId tensor) {
    if (const auto level = level_of(state_, tensor)) {
      if (*level < *levels_.rbegin()) throw ReferenceLimit("memory that gets examples of an inner level later");
      return;  // it sees a tensor that gets them
    }
    if (requires_grad_of(judge_, state_, tensor) || has_bits(at(state_, tensor)))
      throw ReferenceLimit("memory with a history that gets examples");
    Tensor whole = at(state_, tensor);
    const auto item = item_size(whole.dtype);
    if (bytes_ % item != 0) throw ReferenceLimit("memory of odd length that gets examples");
    Sizes sizes = examples_, strides;
    for (std::size_t i = 0; i < examples_.size(); ++i) {
      std::int64_t stride = bytes_ / item;
      for (std::size_t inner = i + 1; inner < examples_.size(); ++inner) stride *= examples_[inner];
      strides.push_back(stride);
    }
    std::ranges::copy(sizes_of(whole.geometry), std::back_inserter(sizes));
    std::ranges::copy(strides_of(whole.geometry), std::back_inserter(strides));
    whole.geometry = geometry_of(sizes, strides, whole.geometry.offset.v);
    whole.storage = repeated_;
    whole.computed_mapped = true;
    state_.tensors.push_back(std::move(whole));
    wholes_[tensor] = static_cast<TensorId>(state_.tensors.size()) - 1;
  }

  /// The tensor is from now on what the body sees of the whole one.
  void show_example(TensorId tensor, TensorId whole) {
    for (const std::size_t level : levels_) {
      if (level != *levels_.rbegin()) {
        whole = add_batched(state_, level, {whole, 0});
        continue;
      }
      state_.levels[level].tensors[tensor] = {whole, 0};
      Tensor& seen = at(state_, tensor);
      seen.base = kNoTensor;
      seen.meta.tracked = false;
    }
  }

  const Judge& judge_;
  State& state_;
  std::int32_t storage_;
  std::int32_t repeated_ = -1;  ///< the memory with all examples
  std::set<std::size_t> levels_;
  Sizes examples_;
  std::int64_t bytes_ = 0;               ///< of one example
  std::map<TensorId, TensorId> wholes_;  ///< by what the body sees
};

/// Whether a functionalized body inside all of these levels made the memory.
bool is_made_inside(const State& state, std::int32_t storage, const std::set<std::size_t>& levels) {
  return std::ranges::any_of(state.frames, [&](const Frame& frame) {
    return frame.before != nullptr && storage >= static_cast<std::int32_t>(frame.before->storages.size()) &&
           *levels.rbegin() < frame.before->levels.size();
  });
}

}  // namespace

void promote_written(const Judge& judge, State& state, OpId id, std::span<const Value> values) {
  if (op(id).kind != OpKind::Inplace) return;
  const auto* written = std::get_if<Slot>(&values[static_cast<std::size_t>(written_argument(op(id)))]);
  if (written == nullptr) return;
  const Whole whole = whole_of(state, held(state, *written));
  std::set<std::size_t> lacking;
  for (const Value& value : values)
    each_slot_of(value, [&](const Slot& slot) {
      const Whole read = whole_of(state, held(state, slot));
      for (const auto& [level, dim] : read.dims)
        if (!whole.dims.contains(level)) lacking.insert(level);
    });
  if (lacking.empty()) return;
  const std::int32_t storage = at(state, whole.tensor).storage;
  if (!gets_examples<Concrete>(judge, is_made_inside(state, storage, lacking)).v) return;
  Promotion(judge, state, storage, lacking).run();
}

}  // namespace plumbline::reference::transforms
