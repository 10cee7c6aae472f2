// The abstract machine's state, as plain values.
#pragma once

#include <cstdint>
#include <memory>
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

/// A tensor object.
struct Tensor {
  Meta meta;
  Geometry geometry;
  Dtype dtype = Dtype::float32;
  std::int32_t storage = -1;     ///< index into `State::storages`
  std::int32_t counter = -1;     ///< index into `State::counters`; −1: no version counter
  TensorId base = kNoTensor;     ///< of a tracked view
  std::int64_t recorded_at = 0;  ///< the version at which a tracked view's history was recorded
  bool wrapped_number = false;   ///< a Python number passed for a tensor
};

/// The memory that tensors share.
struct Storage {
  std::vector<Element> elements;
};

/// A version counter, which a tensor shares with its views.
struct Counter {
  std::int64_t version = 0;
  bool free = false;  ///< its first version is unspecified (VER-10); `version` counts from there
};

/// A guard that was entered, and the thread state that it found.
struct Frame {
  Tls found;
};

/// Everything that a program can change.
struct State {
  Tls tls;
  std::vector<Tensor> tensors;
  std::vector<Storage> storages;
  std::vector<Counter> counters;
  std::vector<TensorId> slots;  ///< what each local variable holds; kNoTensor: nothing
  std::vector<Frame> frames;    ///< the guards that are open, outermost first
};

}  // namespace plumbline::reference
