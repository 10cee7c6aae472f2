// One op by schema, the tensors of its plain runs, and a fixture for tests that make them up.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "adapters/by_schema/plain_run.h"
#include "reference/by_schema.h"
#include "spec/ops/op_ids.h"

namespace plumbline {

/// A vector of float32.
inline reference::PlainTensor vector_of(const std::vector<double>& values) {
  reference::PlainTensor made{Dtype::float32, {static_cast<std::int64_t>(values.size())}, {1}, 0, {}};
  for (const double value : values) made.elements.push_back({.real = value});
  return made;
}

/// An implementation for one test: what its plain runs do, and what they were given.
class MadeUpRuns : public ::testing::Test {
 protected:
  void TearDown() override { reference::compute_by_schema(nullptr); }
  void computes(reference::PlainOutcome outcome) {
    reference::compute_by_schema([this, outcome = std::move(outcome)](const reference::PlainCall& call) {
      calls_.push_back(call);
      return outcome;
    });
  }

  std::vector<reference::PlainCall> calls_;
};

/// The outcome of a run whose one result has one element, in hexadecimal bytes.
inline reference::PlainOutcome outcome_of_bytes(OpId op, const std::string& dtype, const std::string& bytes) {
  sweep::Facts facts;
  facts.defined = true;
  facts.dtype = dtype;
  facts.sizes = {1};
  facts.strides = {1};
  facts.bytes = bytes;
  sweep::Observation observation;
  observation.results = {{-1, "", facts, 0}};
  return outcome_of({op, {}, {}}, observation);
}

/// The second variable is erfinv of the first.
inline const StatementKind kErfinv = Call{OpId::erfinv, {Slot{0}}, {Slot{1}}, false};

}  // namespace plumbline
