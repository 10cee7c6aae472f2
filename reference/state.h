// The abstract machine's state, as plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/element.h"
#include "spec/concrete.h"
#include "spec/dtype.h"
#include "spec/rules/geometry.h"
#include "spec/rules/tls.h"
#include "spec/statement.h"

namespace plumbline::reference {

using Geometry = plumbline::Geometry<Concrete>;
using Meta = plumbline::Meta<Concrete>;
using Tls = plumbline::Tls<Concrete>;
using Judge = plumbline::Judge<Concrete>;

/// An index into `State::tensors`: a tensor object; several slots may hold one.
using TensorId = std::int32_t;
inline constexpr TensorId kNoTensor = -1;

/// An index into `State::nodes`.
using NodeId = std::int32_t;
inline constexpr NodeId kNoNode = -1;

/// A tensor object.
struct Tensor {
  Meta meta;
  Geometry geometry;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;     ///< index into `State::storages`
  std::int32_t counter = -1;     ///< index into `State::counters`; −1: no version counter
  TensorId base = kNoTensor;     ///< of a tracked view
  std::int64_t recorded_at = 0;  ///< the version at which a tracked view's history was recorded
  NodeId node = kNoNode;         ///< what its grad_fn does, where the reference knows how to go back through it
  TensorId grad = kNoTensor;     ///< `.grad`
};

/// The memory that tensors share.
struct Storage {
  std::vector<Element> elements;
};

/// A version counter, which a tensor shares with its views.
struct Counter {
  std::int64_t version = 0;
  const Rule* free_by = nullptr;  ///< its first version is unspecified by this rule; `version` counts from there
};

/// A tensor that backward needs, as it was when it was saved.
struct SavedTensor {
  Geometry geometry;
  std::int32_t storage = -1;
  std::int32_t counter = -1;
  std::int64_t version = 0;
};

/// What autograd recorded of one call.
struct Node {
  struct Input {
    TensorId leaf = kNoTensor;  ///< where the gradient is accumulated, if it is
    NodeId next = kNoNode;      ///< where it flows on to, if it does
    bool lost = false;          ///< it flows into a history that the reference does not keep
    std::vector<std::int64_t> sizes;
    std::optional<SavedTensor> saved;
    double number = 0;  ///< of a Python number in a tensor's place
  };
  OpId op{};
  Dtype dtype = Dtype::float32;
  double alpha = 1;
  std::vector<Input> inputs;
};

/// A guard that was entered, and the thread state that it found.
struct Frame {
  Tls found;
  bool whole = false;  ///< the guard puts whole key sets back
};

/// Everything that a program can change.
struct State {
  Tls tls;
  std::vector<Tensor> tensors;
  std::vector<Storage> storages;
  std::vector<Counter> counters;
  std::vector<TensorId> slots;  ///< what each local variable holds; kNoTensor: nothing
  std::vector<Frame> frames;    ///< the guards that are open, outermost first
  std::vector<Node> nodes;      ///< what was recorded, in order
};

}  // namespace plumbline::reference
