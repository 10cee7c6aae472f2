// Functionalization as PyTorch ships it: torch.func.functionalize, wrapper by wrapper. The profiles torch-2.13 and
// torch-1.13 run bodies this way; what they owe instead is what reference/functionalize does.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "reference/state.h"
#include "spec/observation.h"

namespace plumbline::reference::functorch {

/// Whether the profile's bodies run in this layer (FUN-21 and the rules behind it): not where a rule's variant alone is
/// followed that is none of functionalization.
bool ships(const Judge& judge);

/// Wraps the inputs and binds the parameters. Throws ReferenceLimit for a tensor that requires grad.
void enter(const Judge& judge, State& state, const EnterFunctionalize& enter, const std::vector<TensorId>& inputs);
/// Raises where no body takes what is functional already (FUN-36): what it is given, or else what a factory made.
void check_nesting(const Judge& judge, bool given);
/// Unwraps the results, and writes back into the inputs. Throws Raise with what was written back before in place.
std::vector<TensorId> leave(const Judge& judge, State& state, const std::vector<TensorId>& results);
/// The innermost body is over, or left.
void end_layer(State& state);
/// Whether calls go to `dispatch` first: a body runs, and no kernel of the layer.
bool is_on_top(const State& state);
/// Whether a composite op is one op to the layer: in 2.13, where it gives no view.
bool runs_below(const Judge& judge, OpId composite);
/// One call of an op with kernels of its own: functionalized where an argument is a wrapper, or where it has no tensor
/// arguments.
std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels);
/// What a factory has made, wrapped where a body runs.
TensorId lifted(const Judge& judge, State& state, TensorId made);
/// What torch.tensor has made; its detach_ is a view [torch/csrc/utils/tensor_new.cpp, tensor_ctor].
TensorId literal(const Judge& judge, State& state, TensorId made);
/// The memory that a tensor began in: a wrapper's is that of what was wrapped.
std::int32_t memory_of(const State& state, TensorId tensor);
/// What is read in place of a tensor: a wrapper's value, made again where it is old.
TensorId read(const Judge& judge, State& state, TensorId tensor);

/// While a composite op runs in a body.
class InComposite {
 public:
  /// Throws ReferenceLimit where the op would count the elements of a wrapper that does not know them.
  InComposite(const Judge& judge, State& state, OpId op, std::span<const Value> values);
  ~InComposite();
  InComposite(const InComposite&) = delete;
  InComposite& operator=(const InComposite&) = delete;

 private:
  State& state_;
  bool entered_;
  std::size_t layer_ = 0;
  std::optional<OpId> found_;
};

}  // namespace plumbline::reference::functorch
