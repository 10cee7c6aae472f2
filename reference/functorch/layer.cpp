// Wrappers: making, updating, writing and unwrapping them.
#include "reference/functorch/layer.h"

#include <algorithm>

#include "reference/call.h"
#include "reference/composite.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"
#include "spec/rules/fun_undo.h"
#include "spec/rules/geo_format.h"

namespace plumbline::reference::functorch {

std::int64_t reached(const Tensor& tensor) {
  std::int64_t last = tensor.geometry.offset.v;
  const Sizes sizes = sizes_of(tensor.geometry), strides = strides_of(tensor.geometry);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return 0;
    last += (sizes[i] - 1) * strides[i];
  }
  return (last + 1) * item_size(tensor.dtype);
}

Wrappers* Layer::layer_of(TensorId tensor) const {
  for (std::size_t number = state_.layers.size(); number-- > 0;)
    if (state_.layers[number].tensors.contains(tensor)) return &state_.layers[number];
  return nullptr;
}

void Layer::mirror(TensorId id) {
  const Tensor value = tensor(wrapper(id).value);
  Tensor& shown = tensor(id);
  shown = value;
  shown.base = kNoTensor;
  shown.meta.tracked = false;
}

void Layer::show(TensorId id, const Tensor& value) {
  wrapper(id).offset = value.geometry.offset.v;
  wrapper(id).elements = element_count(sizes_of(value.geometry));
}

TensorId Layer::wrapped(TensorId value) {
  if (is_wrapper(value)) refuse_nesting(judge_, true);
  const Tensor of = tensor(value);
  const bool flat = is_flat(judge_);
  const TensorId base = flat ? flattened(value) : value;
  state_.tensors.push_back(of);
  const auto made = static_cast<TensorId>(state_.tensors.size()) - 1;
  wrappers_.storages.push_back({base, reached(of), {}, 0, value});
  wrappers_.tensors[made] = {value, static_cast<std::int32_t>(wrappers_.storages.size()) - 1, {}, 0};
  if (flat) wrapper(made).metas.push_back(place(of.geometry));
  show(made, of);
  mirror(made);
  return made;
}

TensorId Layer::wrapped_beside(TensorId input, TensorId beside) {
  const TensorId made = wrapped(input);
  if (tensor(storage(beside).base).dtype != tensor(input).dtype)
    throw ReferenceLimit("two inputs that share memory and have different dtypes");
  wrapper(made).storage = wrapper(beside).storage;
  return made;
}

TensorId Layer::wrapped_view(TensorId value, TensorId of, ViewMeta meta) {
  const Tensor copied = tensor(value);
  state_.tensors.push_back(copied);
  const auto made = static_cast<TensorId>(state_.tensors.size()) - 1;
  Wrapper view = wrapper(of);
  view.value = value;
  view.generation = 0;  // older than any storage that was written
  view.metas.push_back(std::move(meta));
  layer_of(of)->tensors[made] = std::move(view);
  show(made, copied);
  mirror(made);
  return made;
}

TensorId Layer::synced(TensorId id) {
  if (!is_wrapper(id)) return id;
  if (is_regenerated<Concrete>(judge_, wrapper(id).generation, storage(id).generation).v) {
    apply_updates(id);
    regenerate(id);
  }
  return wrapper(id).value;
}

bool Layer::apply_updates(TensorId id) {
  const auto of = [&]() -> FunctionalStorage& { return storage(id); };
  const std::vector<FunctionalStorage::Update> updates = of().updates;
  for (const FunctionalStorage::Update& update : updates) {
    if (is_flat(judge_) && !has_departing_link(update.metas)) {
      const TensorId made = written_into(of().base, update.metas, update.value);
      of().base = made;
      continue;
    }
    if (is_isolated(judge_)) refuse_other_departures(update.metas);
    TensorId written = update.value;
    std::vector<TensorId> bases{of().base};
    for (std::size_t i = 0; i + 1 < update.metas.size(); ++i) bases.push_back(forward(update.metas[i], bases.back()));
    for (std::size_t i = update.metas.size(); i-- > 0;) written = inverse(update.metas[i], bases[i], written);
    of().base = written;
  }
  of().updates.clear();
  return !updates.empty();
}

void Layer::regenerate(TensorId id) {
  TensorId made = storage(id).base;
  const std::vector<ViewMeta> metas = wrapper(id).metas;
  for (const ViewMeta& meta : metas) made = forward(meta, made);
  replace(id, made);
  wrapper(id).generation = storage(id).generation;
}

void Layer::replace(TensorId id, TensorId value) {
  const Dtype dtype = tensor(id).dtype;
  if (twin_is_converted<Concrete>(judge_, tensor(value).dtype != dtype).v) {
    if (leaving_ && is_2_13() && !writes_places<Concrete>(judge_, false).v)
      raise(ErrorClass::not_functional,
            "!value_.key_set().has(c10::DispatchKey::Functionalize) INTERNAL ASSERT FAILED at "
            "\"aten/src/ATen/FunctionalTensorWrapper.cpp\", please report a bug to PyTorch. ");
    value = call(OpId::_to_copy, {value}, {dtype, None{}, None{}, None{}, false, None{}});
  }
  wrapper(id).value = value;
  show(id, tensor(value));
  mirror(id);
}

void Layer::commit_update(TensorId id) {
  Wrapper& written = wrapper(id);
  FunctionalStorage& to = storage(id);
  for (std::size_t i = 1; i < written.metas.size() && is_2_13() && !strided_addresses_memory(judge_).v; ++i)
    if (written.metas[i].is_as_strided)
      raise_class(ErrorClass::not_functional, {std::to_string(written.metas.size()), std::to_string(i)});
  to.updates.push_back({written.value, written.metas});
  to.generation = generation_after_write<Concrete>(judge_, to.generation).v;
  // The written value is taken as the value that the base would give.
  if (!is_2_13() && (!is_isolated(judge_) || follows_alone(judge_, FUN_28))) written.generation = to.generation;
}

void Layer::mutate_view_meta(TensorId id, ViewMeta meta) {
  const TensorId made = forward(meta, wrapper(id).value);
  wrapper(id).metas.push_back(std::move(meta));
  wrapper(id).value = made;
  mirror(id);
}

void Layer::replace_storage(TensorId id, TensorId value) {
  std::vector<TensorId> sharing;
  for (const TensorId held : state_.slots)
    if (held != kNoTensor && is_wrapper(held) && &storage(held) == &storage(id) &&
        std::ranges::find(sharing, held) == sharing.end())
      sharing.push_back(held);
  const bool viewed = sharing.size() > 1 || !wrapper(id).metas.empty();
  if (viewed && grows_viewed_memory(judge_).v)
    throw ReferenceLimit("a resize of a tensor with views beyond its memory");
  if (viewed)
    raise(ErrorClass::not_functional,
          "Attempted to resize a view tensor to a larger size. This is not allowed in the functionalization pass");
  auto& storages = layer_of(id)->storages;
  const TensorId original = storage(id).original;
  const std::int64_t written = is_isolated(judge_) ? 1 : 0;  // leave_alone checks whether the storage was written
  storages.push_back({value, reached(tensor(value)), {}, written, original});
  wrapper(id) = {value, static_cast<std::int32_t>(storages.size()) - 1, {}, written};
  show(id, tensor(value));
  mirror(id);
}

std::vector<TensorId> Layer::calls(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more) {
  const Restored below(state_.layers_on);
  state_.layers_on = number_;
  std::vector<TensorId> results = dispatch_on(judge_, state_, op, tensors, std::move(more));
  refuse_functional(results);
  return results;
}

void Layer::refuse_functional(const std::vector<TensorId>& results) {
  if (number_ > 0 && std::ranges::any_of(results, [&](TensorId result) { return is_wrapper(result); }))
    refuse_nesting(judge_, false);
}

void Layer::write_back(TensorId input, TensorId value) {
  if (input == value) return;
  const Tensor of = tensor(value);
  const Sizes sizes = sizes_of(of.geometry);
  if (element_count(sizes_of(tensor(input).geometry)) != element_count(sizes))
    call(OpId::resize_, {input}, {sizes, None{}});
  if (sizes_of(tensor(input).geometry) != sizes)
    call(OpId::as_strided_, {input}, {sizes, strides_of(of.geometry), None{}});
  call(OpId::copy_, {input, value}, {false});
}

void Layer::up_to_date(TensorId id) {
  synced(id);
  if (apply_updates(id)) regenerate(id);
}

void check_nesting(const Judge& judge, bool given) {
  if (accepts_functional_input(judge).v) return;
  const bool is_1_13 = judge.profile == Profile::torch_1_13;
  const std::string what = !given ? "tensor" : is_1_13 ? "base" : "base_";
  const std::string file = given ? "FunctionalStorageImpl.cpp" : "functorch/FunctionalizeInterpreter.cpp";
  raise(ErrorClass::not_functional, "!at::functionalization::impl::isFunctionalTensor(" + what +
                                        ") INTERNAL ASSERT FAILED at \"aten/src/ATen/" + file +
                                        "\", please report a bug to PyTorch. ");
}

void refuse_nesting(const Judge& judge, bool given) {
  check_nesting(judge, given);
  throw ReferenceLimit("a functionalized body inside another one, as PyTorch runs it");
}

bool ships(const Judge& judge) {
  const Rule* alone = judge.only_variant;
  // A variant of GEO-37 is about tensors of bodies too.
  const bool of_bodies = alone != nullptr && (alone->family == Family::FUN || alone == &GEO_37);
  return FUN_21.variant(judge.profile) != nullptr &&
         (alone == nullptr || (of_bodies && alone->variant(judge.profile) != nullptr));
}

namespace {

/// If FUN-21's variant is followed, inputs that share memory have separate functional storages.
TensorId wrapped_input(const Judge& judge, State& state, std::size_t i) {
  Layer layer(judge, state);
  const std::vector<TensorId> inputs = state.layers.back().inputs;
  for (std::size_t j = 0; j < i; ++j) {
    if (at(state, inputs[j]).storage != at(state, inputs[i]).storage || storage_of_input<Concrete>(judge, 0, 1).v == 1)
      continue;
    const TensorId beside = state.layers.back().parameters[j];
    if (inputs[i] == inputs[j]) return beside;
    if (!is_flat(judge)) throw ReferenceLimit("inputs that share memory, with only another rule's variant in force");
    return layer.wrapped_beside(inputs[i], beside);
  }
  return layer.wrapped(inputs[i]);
}

}  // namespace

void enter(const Judge& judge, State& state, const EnterFunctionalize& enter, const std::vector<TensorId>& inputs) {
  for (const TensorId input : inputs)
    if (at(state, input).meta.requires_grad.v || at(state, input).meta.has_grad_fn.v)
      throw ReferenceLimit("a tensor that requires grad in a functionalized body");
  Wrappers& made = state.layers.emplace_back();
  state.layers_on = state.layers.size();
  made.reapply_views = enter.remove == Remove::mutations;
  made.inputs = inputs;
  for (std::size_t i = 0; i < inputs.size() && i < enter.parameters.size(); ++i) {
    const TensorId parameter = wrapped_input(judge, state, i);
    made.parameters.push_back(parameter);
    bind(state, enter.parameters[i], parameter);
  }
}

namespace {

TensorId taken_out(Layer& layer, TensorId result) {
  if (!layer.is_wrapper(result)) return result;
  layer.up_to_date(result);
  return layer.wrapper(result).value;
}

}  // namespace

std::vector<TensorId> leave(const Judge& judge, State& state, const std::vector<TensorId>& results) {
  Layer layer(judge, state, true);
  if (is_isolated(judge)) {
    std::vector<TensorId> made = layer.leave_alone(results);
    end_layer(state);
    return made;
  }
  std::vector<TensorId> unwrapped;
  for (const TensorId result : results) unwrapped.push_back(taken_out(layer, result));
  const std::vector<TensorId> inputs = state.layers.back().inputs;
  const std::vector<TensorId> parameters = state.layers.back().parameters;
  for (const TensorId parameter : parameters) layer.synced(parameter);
  for (std::size_t i = 0; i < parameters.size() && is_copied_back<Concrete>(judge, 1).v; ++i)
    layer.write_back(inputs[i], layer.wrapper(parameters[i]).value);
  end_layer(state);
  return unwrapped;
}

void end_layer(State& state) {
  state.layers.pop_back();
  state.layers_on = state.layers.size();
}

bool runs_below(const Judge& judge, OpId composite) {
  return judge.profile == Profile::torch_2_13 && op(composite).kind != OpKind::View;
}

bool is_on_top(const State& state) { return state.layers_on > 0; }

TensorId lifted(const Judge& judge, State& state, TensorId made) {
  for (std::size_t number = 0; number < state.layers_on; ++number) {
    if (number > 0) refuse_nesting(judge, false);
    made = Layer(judge, state, number, false).wrapped(made);
  }
  return made;
}

TensorId literal(const Judge& judge, State& state, TensorId made) {
  if (!is_on_top(state)) return made;
  const TensorId wrapper = lifted(judge, state, made);
  if (is_flat(judge)) return wrapper;
  Layer layer(judge, state);
  layer.mutate_view_meta(wrapper, layer.meta(OpId::detach, {}));
  return wrapper;
}

TensorId read(const Judge& judge, State& state, TensorId tensor) {
  return is_on_top(state) ? Layer(judge, state).synced(tensor) : tensor;
}

}  // namespace plumbline::reference::functorch
