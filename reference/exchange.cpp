// `.data` and set_: tensors that share or take over another tensor's storage.
#include "reference/bits.h"
#include "reference/call.h"
#include "reference/devices.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/rules/dev.h"

namespace plumbline::reference {

namespace {

/// Gives `to` the storage of `from`, or a copy of it under a misreading.
void take_memory(State& state, Tensor& to, const Tensor& from, bool shared) {
  to.geometry = from.geometry;
  to.dtype = from.dtype;
  to.storage = from.storage;
  if (shared) return;
  Storage copy = state.storages[static_cast<std::size_t>(from.storage)];
  to.storage = static_cast<std::int32_t>(state.storages.size());
  state.storages.push_back(std::move(copy));
}

/// Makes the tensor what the machine says that it is after it took the memory of `from`.
void exchange(State& state, Tensor& tensor, const Tensor& from, const machine::Made<Concrete>& what) {
  tensor.meta = what.meta;
  if (!tensor.meta.tracked.v) tensor.base = kNoTensor;
  take_memory(state, tensor, from, what.shares_storage.v);
}

}  // namespace

TensorId get_data(const Judge& judge, State& state, TensorId id) {
  const Tensor source = at(state, id);
  const auto what = machine::new_data<Concrete>(judge, source.meta, requires_grad_of(judge, state, id), state.tls);
  Tensor data;
  take_memory(state, data, source, what.shares_storage.v);
  data.device = source.device;
  return add_made(judge, state, what, std::move(data), id);
}

void set_data(const Judge& judge, State& state, TensorId id, TensorId source) {
  Tensor& tensor = at(state, id);
  const Tensor& data = at(state, source);
  refuse_bits({&tensor, &data}, "`.data =`");
  const auto told = [&](const Tensor& of, TensorId name) {
    return machine::Exchanged<Concrete>{of.meta, requires_grad_of(judge, state, name), is_inexact(of.dtype)};
  };
  const auto what = machine::after_set_data<Concrete>(judge, told(tensor, id), told(data, source));
  const auto error = static_cast<ErrorClass>(what.error.v);
  if (error != ErrorClass::none)
    raise(error, "data set to a tensor that requires gradients must be floating point or complex dtype");
  if (what.shares_counter.v) tensor.counter = data.counter;
  exchange(state, tensor, data, what);
  if (!state.two_devices) return;
  const bool moved = data_moves<Concrete>(judge, tensor.device != Backend::CPU, data.device != Backend::CPU).v;
  move_to(judge, tensor, moved ? test_device(state) : Backend::CPU);
}

void take_source(const Judge& judge, State& state, TensorId id, TensorId from) {
  Tensor& tensor = at(state, id);
  const Tensor& source = at(state, from);
  refuse_bits({&tensor, &source}, "set_");
  exchange(state, tensor, source, machine::after_set_source<Concrete>(judge, tensor.meta, source.meta));
}

}  // namespace plumbline::reference
