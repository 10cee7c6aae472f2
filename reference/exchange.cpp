// `.data` and set_: tensors that share or take over another tensor's storage.
#include "reference/bits.h"
#include "reference/call.h"
#include "reference/raise.h"
#include "spec/rules/aut.h"
#include "spec/rules/geo_exchange.h"

namespace plumbline::reference {

namespace {

std::int32_t new_counter(State& state) {
  state.counters.push_back({});
  return static_cast<std::int32_t>(state.counters.size()) - 1;
}

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

/// A tracked view whose storage was exchanged.
void keep_view(const Judge& judge, Tensor& tensor) {
  tensor.meta.tracked = exchanged_stays_view<Concrete>(judge, tensor.meta.tracked);
  if (!tensor.meta.tracked.v) tensor.base = kNoTensor;
}

}  // namespace

TensorId get_data(const Judge& judge, State& state, TensorId id) {
  const Tensor& source = at(state, id);
  const Bool<Concrete> inference = is_inference(judge, source.meta, state.tls);
  Tensor data;
  data.meta.keys = data_keys(judge, source.meta.keys, state.tls);
  data.meta.requires_grad = data_requires_grad<Concrete>(judge, requires_grad_of(judge, state, id));
  const bool shares = data_shares_counter(judge).v;
  const bool makes = fresh_counted(judge, inference).v || data_makes_counter(judge, state.tls).v;
  data.counter = shares ? source.counter : makes ? new_counter(state) : -1;
  data.meta.counted = data.counter >= 0;
  data.meta.tracked = data_tracked(judge, inference);
  if (data.meta.tracked.v) data.base = id;
  take_memory(state, data, source, data_shares_storage(judge).v);
  state.tensors.push_back(std::move(data));
  return static_cast<TensorId>(state.tensors.size()) - 1;
}

void set_data(const Judge& judge, State& state, TensorId id, TensorId source) {
  Tensor& tensor = at(state, id);
  const Tensor& data = at(state, source);
  refuse_bits({&tensor, &data}, "`.data =`");
  const bool requires_it = requires_grad_of(judge, state, id);
  const auto error = static_cast<ErrorClass>(check_set_data<Concrete>(judge, requires_it, is_inexact(data.dtype)).v);
  if (error != ErrorClass::none)
    raise(error, "data set to a tensor that requires gradients must be floating point or complex dtype");
  tensor.meta.requires_grad =
      set_data_requires_grad<Concrete>(judge, tensor.meta.requires_grad, requires_grad_of(judge, state, source));
  tensor.meta.keys = set_data_keys(judge, tensor.meta.keys, data.meta.keys);
  if (set_data_shares_counter(judge).v) tensor.counter = data.counter;
  tensor.meta.counted = tensor.counter >= 0;
  keep_view(judge, tensor);
  take_memory(state, tensor, data, set_data_shares_storage(judge).v);
}

void take_source(const Judge& judge, State& state, TensorId id, TensorId from) {
  Tensor& tensor = at(state, id);
  const Tensor& source = at(state, from);
  refuse_bits({&tensor, &source}, "set_");
  tensor.meta.keys = set_source_keys(judge, tensor.meta.keys, source.meta.keys);
  keep_view(judge, tensor);
  take_memory(state, tensor, source, set_source_shares_storage(judge).v);
}

}  // namespace plumbline::reference
