// The hooks of saved tensors [torch/csrc/autograd/saved_variable.cpp].
#include "reference/saved_hooks.h"

#include "reference/call.h"
#include "reference/hooks.h"
#include "reference/raise.h"
#include "spec/rules/inf.h"
#include "spec/rules/sav.h"

namespace plumbline::reference {

namespace {

TensorId copied(State& state, TensorId id) {
  Tensor made = at(state, id);
  made.storage = static_cast<std::int32_t>(state.storages.size());
  const Storage copy = state.storages[static_cast<std::size_t>(at(state, id).storage)];
  state.storages.push_back(copy);
  state.tensors.push_back(std::move(made));
  return static_cast<TensorId>(state.tensors.size()) - 1;
}

}  // namespace

void pack(const Judge& judge, State& state, SavedTensor& saved, TensorId tensor) {
  if (!saved_is_packed<Concrete>(judge, !state.saved_hooks.empty()).v) return;
  const SavedTensorsHooks hooks = innermost_pair_packs(judge).v ? state.saved_hooks.back() : state.saved_hooks.front();
  const Restored tls(state.tls);
  state.tls.grad_mode = pack_grad_mode(judge, state.tls.grad_mode);
  const TensorId given = pack_gets_tensor(judge).v ? tensor : copied(state, tensor);
  const auto version = [&] {
    const std::int32_t counter = at(state, given).counter;
    return counter < 0 ? 0 : state.counters[static_cast<std::size_t>(counter)].version;
  };
  const std::int64_t before = version();
  saved.packed = *run_hook(judge, state, hooks.pack, given);
  raise_class(static_cast<ErrorClass>(check_pack<Concrete>(judge, version() != before).v));
  saved.unpack = hooks.unpack;
}

TensorId unpacked(const Judge& judge, State& state, const SavedTensor& saved) {
  if (!saved_is_unpacked<Concrete>(judge, saved.packed != kNoTensor).v) return saved.packed;
  const TensorId made = *run_hook(judge, state, saved.unpack, saved.packed);
  if (at(state, made).dtype != saved.dtype || sizes_of(at(state, made).geometry) != sizes_of(saved.geometry))
    throw ReferenceLimit("an unpack hook that returns a tensor of other sizes or of another dtype");
  if (is_inference_tensor(judge, state, made))
    throw ReferenceLimit("an unpack hook that returns an inference tensor");  // released PyTorch may refuse it
  return made;
}

void leave_saved_hooks(State& state, const Frame& frame) {
  if (frame.saved_hooks) state.saved_hooks = *frame.saved_hooks;
}

}  // namespace plumbline::reference
