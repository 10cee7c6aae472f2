// One op by schema, and the tensors of its plain runs.
#pragma once

#include <vector>

#include "reference/by_schema.h"
#include "spec/ops/op_ids.h"

namespace plumbline {

/// A vector of float32.
inline reference::PlainTensor vector_of(const std::vector<double>& values) {
  reference::PlainTensor made{Dtype::float32, {static_cast<std::int64_t>(values.size())}, {1}, 0, {}};
  for (const double value : values) made.elements.push_back({.real = value});
  return made;
}

/// The second variable is erfinv of the first.
inline const StatementKind kErfinv = Call{OpId::erfinv, {Slot{0}}, {Slot{1}}, false};

}  // namespace plumbline
