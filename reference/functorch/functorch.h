// Functionalization as PyTorch ships it: torch.func.functionalize, wrapper by wrapper. The profiles torch-2.13 and
// torch-1.13 run bodies this way; reference/functionalize has the specified behaviour.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reference/state.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference::functorch {

/// Whether the profile's bodies run in this layer (FUN-21 and the rules after it); not if the only followed variant is
/// of a rule outside functionalization.
bool ships(const Judge& judge);

/// Wraps the inputs and binds the parameters. Throws ReferenceLimit for a tensor that requires grad.
void enter(const Judge& judge, State& state, const EnterFunctionalize& enter, const std::vector<TensorId>& inputs);
/// Raises an error where a body does not accept a functional tensor (FUN-36): as an input (`given`), or from a factory.
void check_nesting(const Judge& judge, bool given);
/// Unwraps the results, and writes back into the inputs. If it throws Raise, earlier write-backs stay.
std::vector<TensorId> leave(const Judge& judge, State& state, const std::vector<TensorId>& results);
/// Ends the layer of the innermost body.
void end_layer(State& state);
/// Whether calls go to `dispatch` first: a body is running, and no kernel of its layer.
bool is_on_top(const State& state);
/// Whether the layer treats a composite op as one op: in 2.13, if it returns no view.
bool runs_below(const Judge& judge, OpId composite);
/// One call of an op with its own kernels: functionalized if an argument is a wrapper, or if it has no tensor
/// arguments.
std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels);
/// Functionalize's fallback, for an operator that has no kernel there: `below` calls the operator on the wrappers'
/// values. Raises an error if the schema says that it aliases or writes (FUN-37).
std::vector<TensorId> call_operator(const Judge& judge, State& state, const CustomOperator& op,
                                    std::vector<TensorId> inputs,
                                    const std::function<std::vector<TensorId>(const std::vector<TensorId>&)>& below);
/// A factory's result, wrapped if a body is running.
TensorId lifted(const Judge& judge, State& state, TensorId made);
/// The result of torch.tensor, whose detach_ is a view [torch/csrc/utils/tensor_new.cpp, tensor_ctor].
TensorId literal(const Judge& judge, State& state, TensorId made);
/// The storage in which a tensor began; for a wrapper, that of the wrapped tensor.
std::int32_t memory_of(const State& state, TensorId tensor);
/// The tensor to read: a wrapper's value, regenerated if it is old.
TensorId read(const Judge& judge, State& state, TensorId tensor);

/// Marks that a composite op runs in a body.
class InComposite {
 public:
  /// Throws ReferenceLimit if the op would use a wrapper's outdated number of elements.
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
