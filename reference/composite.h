// Composite ops: each runs as the ops that it calls (CompositeImplicitAutograd), so it has no kernels of its own.
#pragma once

#include <initializer_list>
#include <vector>

#include "reference/kernels.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// One run of a composite op. Each call that it makes goes through the dispatcher.
class CompositeRun {
 public:
  CompositeRun(const Judge& judge, State& state, const Arguments& arguments, std::vector<KernelRun>& kernels)
      : judge_(judge), state_(state), arguments_(arguments), kernels_(kernels) {}

  /// Calls an op that returns one tensor, or several.
  TensorId call(OpId op, std::vector<Value> values);
  std::vector<TensorId> calls(OpId op, std::vector<Value> values);
  /// The op's own kernels, with the same arguments.
  std::vector<TensorId> own_kernels(OpId op);
  /// A tensor as an argument of such a call.
  Value value(TensorId tensor);

  /// The composite op itself.
  OpId op() const { return *find_op(arguments_.op().name, arguments_.op().overload); }
  const Judge& judge() const { return judge_; }
  const State& state() const { return state_; }
  const Arguments& arguments() const { return arguments_; }
  const Tensor& tensor(TensorId id) const { return state_.tensors[static_cast<std::size_t>(id)]; }

 private:
  const Judge& judge_;
  State& state_;
  const Arguments& arguments_;
  std::vector<KernelRun>& kernels_;
};

/// A composite op and its body. Each file of composites except the first lists its own.
using CompositeBody = std::vector<TensorId> (*)(CompositeRun&);
struct CompositeEntry {
  OpId op;
  CompositeBody body;
};
std::span<const CompositeEntry> product_composites();
std::span<const CompositeEntry> reshape_composites();
std::span<const CompositeEntry> bit_composites();
std::span<const CompositeEntry> view_composites();

/// Whether the op runs as the ops that it calls.
bool is_expanded(OpId op);
/// Runs it and returns its results, which may be its arguments themselves.
std::vector<TensorId> run_composite(OpId op, CompositeRun& run);

}  // namespace plumbline::reference
