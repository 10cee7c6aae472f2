// Makes tensors as Python's factories do, and binds the results of calls to names.
#include "reference/call.h"
#include "reference/devices.h"
#include "reference/functorch/functorch.h"
#include "reference/raise.h"
#include "reference/transforms/vmap.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"

namespace plumbline::reference {

void bind(State& state, Slot slot, TensorId tensor) {
  const auto index = static_cast<std::size_t>(slot);
  if (index >= state.slots.size()) state.slots.resize(index + 1, kNoTensor);
  state.slots[index] = tensor;
}

Fresh fresh_of(const MakeTensor& make) {
  Fresh fresh{make.sizes, row_major(make.sizes), make.dtype, {}};
  const auto number = [&](std::size_t i, Dtype dtype) {
    return element_of({kNoTensor, false, make.values.at(i), 0}, dtype);
  };
  const std::size_t numbers = numbers_in(make.dtype);
  for (std::size_t i = 0; i < make.values.size(); i += numbers) {
    fresh.elements.push_back(number(i, make.dtype));
    if (numbers == 2) fresh.elements.back().imag = number(i + 1, part_of(make.dtype)).real;
  }
  return fresh;
}

std::int32_t store(State& state, const Fresh& fresh) {
  Storage storage;
  storage.dtype = fresh.dtype;
  storage.elements = fresh.around;
  if (fresh.around.empty()) storage.elements.resize(fresh.elements.size());
  const std::vector<std::int64_t> places = places_of(geometry_of(fresh.sizes, fresh.strides, fresh.offset));
  for (std::size_t i = 0; i < places.size(); ++i)
    storage.elements.at(static_cast<std::size_t>(places[i])) = fresh.elements[i];
  state.storages.push_back(std::move(storage));
  return static_cast<std::int32_t>(state.storages.size()) - 1;
}

namespace {

/// The tensor with a storage and, where it has one, a version counter of its own.
TensorId added(const Judge& judge, State& state, Tensor made, Storage storage, const machine::Made<Concrete>& what) {
  made.storage = static_cast<std::int32_t>(state.storages.size());
  state.storages.push_back(std::move(storage));
  return add_made(judge, state, what, std::move(made), kNoTensor);
}

}  // namespace

TensorId make_tensor(const Judge& judge, State& state, Fresh fresh, bool requires_grad) {
  const auto what = machine::new_tensor<Concrete>(judge, requires_grad, is_inexact(fresh.dtype), state.tls);
  const auto error = static_cast<ErrorClass>(what.error.v);
  if (error != ErrorClass::none) raise(error, "Only Tensors of floating point and complex dtype can require gradients");
  Tensor made;
  made.dtype = fresh.dtype;
  made.geometry = geometry_of(fresh.sizes, fresh.strides);
  const std::vector<std::int64_t> places = places_of(made.geometry);
  const std::vector<Element> elements = std::move(fresh.elements);
  Storage storage{std::vector<Element>(elements.size()), fresh.dtype};
  for (std::size_t i = 0; i < elements.size(); ++i)
    storage.elements.at(static_cast<std::size_t>(places.at(i))) = elements[i];
  made.device = state.makes_on;
  return added(judge, state, std::move(made), std::move(storage), what);
}

TensorId make_meta_tensor(const Judge& judge, State& state, const MakeMetaTensor& make) {
  auto what = machine::new_tensor<Concrete>(judge, false, is_inexact(make.dtype), state.tls);
  what.meta.keys = (what.meta.keys - Backend::CPU - Functionality::AutocastCPU) | Backend::Meta;
  Tensor made;
  made.dtype = make.dtype;
  made.geometry = geometry_of(make.sizes, row_major(make.sizes));
  made.on_meta = true;
  return added(judge, state, std::move(made), {{}, make.dtype}, what);
}

void call_op(const Judge& judge, State& state, const Call& call, std::vector<KernelRun>& kernels) {
  const Op& table = op(call.op);
  std::vector<TensorId> results;
  if (table.kind == OpKind::Factory) {
    const transforms::Made made(judge, state, call);
    const Arguments arguments(state, table, made.values());
    Effect effect = meaning({judge, state, call.op, arguments});
    if (effect.generator) state.generator = *effect.generator;
    const Restored place(state.makes_on);
    state.makes_on = device_asked(state, table, call.arguments).value_or(test_device(state));
    results.push_back(make_tensor(judge, state, std::move(effect.fresh.front()), call.requires_grad));
    const std::int32_t counter = state.tensors.back().counter;
    if (call.op == OpId::empty_memory_format && counter >= 0)
      state.counters[static_cast<std::size_t>(counter)].version += empty_version(judge).v;
    // torch.ops.aten.NAME has no guard below ADInplaceOrView, as torch.NAME has: the ops inside may count.
    if (table.by_schema) free_version_of_inner_ops(state, counter);
    results.back() = made.seen(state, functorch::lifted(judge, state, results.back()));
  } else {
    results = dispatch(judge, state, call.op, call.arguments, kernels);
  }
  if (call.results.empty()) return;
  if (results.size() != call.results.size()) {
    const bool many = results.size() > call.results.size();
    raise(ErrorClass::unpack,
          many ? text("too many values to unpack (expected ", call.results.size(), ")")
               : text("not enough values to unpack (expected ", call.results.size(), ", got ", results.size(), ")"),
          "ValueError");
  }
  for (std::size_t i = 0; i < results.size(); ++i) bind(state, call.results[i], results[i]);
}

}  // namespace plumbline::reference
