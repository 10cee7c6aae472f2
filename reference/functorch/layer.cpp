// Wrappers: made, brought up to date, written, and unwrapped.
#include "reference/functorch/layer.h"

#include <algorithm>

#include "reference/call.h"
#include "reference/composite.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "spec/op_ids.h"
#include "spec/rules/fun.h"

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
  if (is_wrapper(value)) check_nesting(judge_, true);
  const Tensor of = tensor(value);
  state_.tensors.push_back(of);
  const auto made = static_cast<TensorId>(state_.tensors.size()) - 1;
  wrappers_.storages.push_back({value, reached(of), {}, 0});
  wrappers_.tensors[made] = {value, static_cast<std::int32_t>(wrappers_.storages.size()) - 1, {}, 0};
  show(made, of);
  mirror(made);
  return made;
}

TensorId Layer::wrapped_view(TensorId value, TensorId of, ViewMeta meta) {
  const Tensor copied = tensor(value);
  state_.tensors.push_back(copied);
  const auto made = static_cast<TensorId>(state_.tensors.size()) - 1;
  Wrapper view = wrapper(of);
  view.value = value;
  view.generation = 0;  // older than a storage that was ever written
  view.metas.push_back(std::move(meta));
  layer_of(of)->tensors[made] = std::move(view);
  show(made, copied);
  mirror(made);
  return made;
}

TensorId Layer::synced(TensorId id) {
  if (!is_wrapper(id)) return id;
  if (wrapper(id).generation != storage(id).generation && follows(judge_, FUN_03)) {
    apply_updates(id);
    regenerate(id);
  }
  return wrapper(id).value;
}

bool Layer::apply_updates(TensorId id) {
  const auto of = [&]() -> FunctionalStorage& { return storage(id); };
  const std::vector<FunctionalStorage::Update> updates = of().updates;
  for (const FunctionalStorage::Update& update : updates) {
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
  if (tensor(value).dtype != dtype && follows(judge_, FUN_27)) {
    if (leaving_ && is_2_13())
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
  for (std::size_t i = 1; i < written.metas.size() && is_2_13(); ++i)
    if (written.metas[i].is_as_strided)
      raise_class(ErrorClass::not_functional, {std::to_string(written.metas.size()), std::to_string(i)});
  to.updates.push_back({written.value, written.metas});
  if (follows(judge_, FUN_02)) ++to.generation;
  if (!is_2_13()) written.generation = to.generation;  // what was written is taken for what the base will give
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
  if (sharing.size() > 1 || !wrapper(id).metas.empty())
    raise(ErrorClass::not_functional,
          "Attempted to resize a view tensor to a larger size. This is not allowed in the functionalization pass");
  auto& storages = layer_of(id)->storages;
  storages.push_back({value, reached(tensor(value)), {}, 0});
  wrapper(id) = {value, static_cast<std::int32_t>(storages.size()) - 1, {}, 0};
  show(id, tensor(value));
  mirror(id);
}

std::vector<TensorId> Layer::calls(OpId op, const std::vector<TensorId>& tensors, std::vector<Value> more) {
  const Restored below(state_.layers_on);
  state_.layers_on = number_;
  return dispatch_on(judge_, state_, op, tensors, std::move(more));
}

void check_nesting(const Judge& judge, bool given) {
  if (judge(FUN_36, true, false, In{Profile::torch_2_13, false}, In{Profile::torch_1_13, false})) return;
  const bool is_1_13 = judge.profile == Profile::torch_1_13;
  const std::string what = !given ? "tensor" : is_1_13 ? "base" : "base_";
  const std::string file = given ? "FunctionalStorageImpl.cpp" : "functorch/FunctionalizeInterpreter.cpp";
  raise(ErrorClass::not_functional, "!at::functionalization::impl::isFunctionalTensor(" + what +
                                        ") INTERNAL ASSERT FAILED at \"aten/src/ATen/" + file +
                                        "\", please report a bug to PyTorch. ");
}

bool ships(const Judge& judge) { return FUN_21.variant(judge.profile) != nullptr; }

void enter(const Judge& judge, State& state, const EnterFunctionalize& enter, const std::vector<TensorId>& inputs) {
  for (const TensorId input : inputs)
    if (at(state, input).meta.requires_grad.v || at(state, input).meta.has_grad_fn.v)
      throw ReferenceLimit("a tensor that requires grad in a functionalized body");
  Wrappers& made = state.layers.emplace_back();
  state.layers_on = state.layers.size();
  made.reapply_views = enter.remove == Remove::mutations;
  made.inputs = inputs;
  for (std::size_t i = 0; i < inputs.size() && i < enter.parameters.size(); ++i) {
    const TensorId parameter = made.parameters.emplace_back(Layer(judge, state).wrapped(inputs[i]));
    bind(state, enter.parameters[i], parameter);
  }
}

namespace {

/// [torch/csrc/functorch/init.cpp, _propagate_functional_input_mutation]
void write_back(Layer& layer, const Tensor& found, TensorId input, TensorId value) {
  if (input == value) return;
  const Tensor of = layer.tensor(value);
  const Sizes sizes = sizes_of(of.geometry);
  if (element_count(sizes_of(found.geometry)) != element_count(sizes))
    layer.call(OpId::resize_, {input}, {sizes, None{}});
  if (sizes_of(layer.tensor(input).geometry) != sizes)
    layer.call(OpId::as_strided_, {input}, {sizes, strides_of(of.geometry), None{}});
  layer.call(OpId::copy_, {input, value}, {false});
}

TensorId taken_out(Layer& layer, TensorId result) {
  if (!layer.is_wrapper(result)) return result;
  layer.synced(result);
  if (layer.apply_updates(result)) layer.regenerate(result);
  return layer.wrapper(result).value;
}

}  // namespace

std::vector<TensorId> leave(const Judge& judge, State& state, const std::vector<TensorId>& results) {
  Layer layer(judge, state, true);
  std::vector<TensorId> unwrapped;
  for (const TensorId result : results) unwrapped.push_back(taken_out(layer, result));
  const std::vector<TensorId> inputs = state.layers.back().inputs;
  const std::vector<TensorId> parameters = state.layers.back().parameters;
  for (const TensorId parameter : parameters) layer.synced(parameter);
  for (std::size_t i = 0; i < parameters.size() && follows(judge, FUN_20); ++i)
    write_back(layer, layer.tensor(inputs[i]), inputs[i], layer.wrapper(parameters[i]).value);
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
    if (number > 0) check_nesting(judge, false);
    made = Layer(judge, state, number, false).wrapped(made);
  }
  return made;
}

TensorId literal(const Judge& judge, State& state, TensorId made) {
  if (!is_on_top(state)) return made;
  const TensorId wrapper = lifted(judge, state, made);
  Layer(judge, state).mutate_view_meta(wrapper, {OpId::detach, {}});
  return wrapper;
}

TensorId read(const Judge& judge, State& state, TensorId tensor) {
  return is_on_top(state) ? Layer(judge, state).synced(tensor) : tensor;
}

}  // namespace plumbline::reference::functorch
