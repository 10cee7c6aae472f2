// One call of an op, through the kernels that the key set selects: Autograd, ADInplaceOrView, the backend.
#pragma once

#include "reference/kernels.h"
#include "spec/machine/kernels.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// Dispatches a call of `op` and returns its results, which are not bound to names.
std::vector<TensorId> dispatch(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                               std::vector<KernelRun>& kernels);
/// The same for an op with its own kernels.
std::vector<TensorId> run_kernels(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                  std::vector<KernelRun>& kernels);
/// The same on the tensors of all examples; `mapping`: how the op is mapped over them, null if it is not.
std::vector<TensorId> run_mapped(const Judge& judge, State& state, OpId op, std::span<const Value> values,
                                 const transforms::Mapping* mapping, std::vector<KernelRun>& kernels);
/// A call that the machine makes itself: `op` on `tensors`, which need no name, then `more`. It is not reported to
/// listeners for kernels.
std::vector<TensorId> dispatch_on(const Judge& judge, State& state, OpId op, std::span<const TensorId> tensors,
                                  std::vector<Value> more = {});
/// Executes a call and binds its results. If it raises an error, the state is as the rules say. Adds the kernels that
/// the call reaches to `kernels`.
void call_op(const Judge& judge, State& state, const Call& call, std::vector<KernelRun>& kernels);

/// Makes a storage with the elements of a new result, and returns its number.
std::int32_t store(State& state, const Fresh& fresh);

/// The key set that dispatches a call; `arguments`: the union over its tensors. Reported to `Decisions::calls`.
inline KeySet<Concrete> call_keys(const Judge& judge, const KeySet<Concrete>& arguments, const Tls& tls) {
  const KeySet<Concrete> keys = machine::call_keys(judge, arguments, tls);
  if (judge.decisions != nullptr && judge.decisions->calls != nullptr)
    judge.decisions->calls->push_back({arguments.v, tls.included.v, tls.excluded.v, keys.v});
  return keys;
}

/// Makes a slot hold a tensor.
void bind(State& state, Slot slot, TensorId tensor);

/// What `torch.tensor` makes.
Fresh fresh_of(const MakeTensor& make);
/// Makes a tensor as a Python factory does, and returns it.
TensorId make_tensor(const Judge& judge, State& state, Fresh fresh, bool requires_grad);

/// Makes a tensor on the device meta.
TensorId make_meta_tensor(const Judge& judge, State& state, const MakeMetaTensor& make);

/// `x.requires_grad = value`, or the method.
void set_requires_grad(const Judge& judge, State& state, TensorId tensor, bool value, bool method);

/// `x.data`, as a new tensor.
TensorId get_data(const Judge& judge, State& state, TensorId tensor);
/// `x.data = y`.
void set_data(const Judge& judge, State& state, TensorId tensor, TensorId data);
/// `x.set_(y)` after its checks: x takes y's storage and geometry.
void take_source(const Judge& judge, State& state, TensorId tensor, TensorId source);

/// Where backward starts: a tensor, and the gradient given for it.
struct Start {
  TensorId root;
  std::optional<TensorId> given;
};
/// What a backward does with the graph: `retain_graph=` and `create_graph=`.
struct GraphUse {
  bool retain = false;
  bool create = false;
  bool free_layout = false;  ///< how gradients are laid out in memory is not specified (TRF-28)
};
/// `torch.autograd.backward(roots, gradients, retain_graph=…, create_graph=…, inputs=…)`. Throws ReferenceLimit for
/// what the reference does not support.
void run_backward(const Judge& judge, State& state, const std::vector<Start>& starts, GraphUse graph,
                  const std::vector<TensorId>& inputs);
/// `torch.autograd.grad(roots, inputs, gradients, …)`: a gradient for each input; kNoTensor: none reached it. Throws
/// ReferenceLimit as above.
std::vector<TensorId> gradients_of(const Judge& judge, State& state, const std::vector<Start>& starts, GraphUse graph,
                                   const std::vector<TensorId>& inputs, bool allow_unused);
/// A custom backward's gradient, summed to its input's sizes; raises an error if it does not fit.
std::optional<std::vector<Element>> fitted(const Judge& judge, const std::string& function, std::size_t index,
                                           const Tensor& gradient, std::vector<Element> elements, const Sizes& wanted);
/// `x.retain_grad()` and `x.grad = y`.
void retain_grad(const Judge& judge, State& state, TensorId tensor);
void set_grad(const Judge& judge, State& state, TensorId tensor, std::optional<TensorId> grad);

/// The keys that a tensor, or a Python number in its place, shows and brings to a call.
KeySet<Concrete> keys_of(const Judge& judge, const State& state, TensorId tensor);
KeySet<Concrete> keys_of(const Judge& judge, const State& state, const Operand& operand);
/// Whether a call of an op with a derivative on these tensors runs its Autograd kernel.
bool runs_autograd(const Judge& judge, const State& state, std::span<const TensorId> tensors);

/// Whether a tensor requires grad, as read; whether it is an inference tensor.
bool requires_grad_of(const Judge& judge, const State& state, TensorId tensor);
bool is_inference_tensor(const Judge& judge, const State& state, TensorId tensor);

/// Asks for a tensor's history: a tracked view whose base was written regenerates it, or raises an error.
void ask_history(const Judge& judge, State& state, TensorId tensor);

/// A tensor's version; the tensor must have a counter.
std::int64_t version_of(const State& state, const Tensor& tensor);
/// Bumps a counter by `versions`, 0 or 1 (VER-19).
void count_versions(const Judge& judge, State& state, std::int32_t counter, std::int64_t versions);

/// Leaves the version of this counter, if there is one (`counter` ≥ 0), unspecified after a call that no kernel of
/// Autograd made: the ops inside may count, if the thread lets them [VER-10].
void free_version_of_inner_ops(State& state, std::int32_t counter);

}  // namespace plumbline::reference
