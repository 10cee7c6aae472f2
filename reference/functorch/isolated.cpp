// The layer if only one variant is followed: a functional storage is the whole memory of its base, as one run of
// elements, so that everything else is as without functionalization.
#include <algorithm>
#include <map>

#include "reference/functorch/layer.h"
#include "reference/kernels.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/fun_body.h"

namespace plumbline::reference::functorch {

bool is_isolated(const Judge& judge) { return judge.only_variant != nullptr; }

bool follows_alone(const Judge& judge, const Rule& rule) {
  return is_isolated(judge) && judge.only_variant->index() == rule.index();
}

bool is_flat(const Judge& judge) {
  const auto is_none_of = [&](auto&... rules) { return (!follows_alone(judge, rules) && ...); };
  return is_isolated(judge) && is_none_of(FUN_14, FUN_15, FUN_31, FUN_32);
}

std::int32_t memory_of(const State& state, TensorId tensor) {
  for (const Wrappers& layer : state.layers) {
    const auto found = layer.tensors.find(tensor);
    if (found == layer.tensors.end()) continue;
    tensor = layer.storages[static_cast<std::size_t>(found->second.storage)].original;
    break;
  }
  return state.tensors[static_cast<std::size_t>(tensor)].storage;
}

ViewMeta Layer::place(const Geometry& geometry) {
  ViewMeta made{OpId::as_strided, {sizes_of(geometry), strides_of(geometry), geometry.offset.v}};
  made.reapply_views = true;
  return made;
}

TensorId Layer::flattened(TensorId id) {
  Tensor flat = tensor(id);
  const Storage& storage = state_.storages[static_cast<std::size_t>(flat.storage)];
  flat.geometry = geometry_of({capacity(storage, flat.dtype)}, {1});
  flat.base = kNoTensor;
  flat.meta.tracked = false;
  state_.tensors.push_back(std::move(flat));
  return static_cast<TensorId>(state_.tensors.size()) - 1;
}

TensorId Layer::own_copy(TensorId id) {
  const TensorId made = call(OpId::clone, {id}, {None{}});
  const Tensor of = tensor(id);
  const Storage whole = state_.storages[static_cast<std::size_t>(of.storage)];
  state_.storages.push_back(whole);
  tensor(made).geometry = of.geometry;
  tensor(made).storage = static_cast<std::int32_t>(state_.storages.size()) - 1;
  return made;
}

TensorId Layer::seen_on(TensorId base, std::span<const ViewMeta> metas) {
  for (ViewMeta meta : metas) {
    meta.reapply_views = true;
    base = forward(meta, base);
  }
  return base;
}

bool Layer::has_departing_link(const std::vector<ViewMeta>& metas) const {
  return follows_alone(judge_, FUN_11) &&
         std::ranges::any_of(metas, [](const ViewMeta& meta) { return meta.view == OpId::unfold; });
}

TensorId Layer::copied_for_as_strided(TensorId base) {
  if (!follows_alone(judge_, FUN_15) || wrappers_.reapply_views) return base;
  const auto is_base = [&](const FunctionalStorage& storage) { return storage.base == base; };
  if (std::ranges::any_of(wrappers_.storages, is_base)) return base;
  return call(OpId::clone, {base}, {std::int64_t{kContiguousFormat}});
}

void Layer::refuse_other_departures(const std::vector<ViewMeta>& metas) const {
  const std::size_t own = is_flat(judge_) ? 1 : 0;
  for (std::size_t i = 0; i < metas.size(); ++i) {
    const OpId view = metas[i].view;
    const bool departs = (view == OpId::unfold && !follows_alone(judge_, FUN_11)) ||
                         (view == OpId::expand && !follows_alone(judge_, FUN_14)) ||
                         (view == OpId::as_strided && i > own && !follows_alone(judge_, FUN_15));
    if (departs) throw ReferenceLimit("a write through views that another rule's variant inverts");
  }
}

TensorId Layer::written_into(TensorId base, const std::vector<ViewMeta>& metas, TensorId value) {
  const TensorId made = own_copy(base);
  const TensorId view = seen_on(made, metas);
  if (!repeats_places(tensor(view).geometry)) {
    call(OpId::copy_, {view, value}, {false});
    return made;
  }
  const Tensor to = tensor(view), from = tensor(value);
  auto& written = state_.storages[static_cast<std::size_t>(to.storage)];
  const auto& read = state_.storages[static_cast<std::size_t>(from.storage)];
  if (written.dtype != read.dtype || to.dtype != written.dtype || from.dtype != read.dtype)
    throw ReferenceLimit("a write of repeated elements in another dtype");
  const std::vector<std::int64_t> places = places_of(to.geometry), sources = places_of(from.geometry);
  std::map<std::int64_t, Element> once;
  for (std::size_t i = 0; i < places.size() && i < sources.size(); ++i) {
    const Element& element = read.elements.at(static_cast<std::size_t>(sources[i]));
    const auto [found, is_new] = once.emplace(places[i], element);
    const Element& other = found->second;
    if (!is_new && (other.known != element.known || other.real != element.real || other.integer != element.integer))
      throw ReferenceLimit("a write of different values to a repeated element");
    written.elements.at(static_cast<std::size_t>(places[i])) = element;
  }
  return made;
}

void Layer::refuse_other_dtype(TensorId id) {
  if (tensor(id).dtype != tensor(storage(id).base).dtype)
    throw ReferenceLimit("a new layout of a view in another dtype, with only another rule's variant in force");
}

void Layer::place_anew(TensorId id, const Geometry& geometry) {
  refuse_other_dtype(id);
  wrapper(id).metas = {place(geometry)};
  wrapper(id).value = forward(wrapper(id).metas[0], storage(id).base);
  mirror(id);
}

TensorId Layer::as_it_is(TensorId id) {
  up_to_date(id);
  return seen_on(storage(id).base, wrapper(id).metas);
}

Geometry Layer::eager_geometry(TensorId id) { return tensor(as_it_is(id)).geometry; }

bool Layer::is_given(TensorId id) const {
  const auto memory = [&](TensorId of) { return state_.tensors[static_cast<std::size_t>(of)].storage; };
  return std::ranges::any_of(state_.layers, [&](const Wrappers& layer) {
    return std::ranges::any_of(layer.inputs, [&](TensorId input) { return memory(input) == memory(id); });
  });
}

void Layer::resize_in_place(TensorId id, const Sizes& sizes) {
  if (sizes_of(eager_geometry(id)) == sizes) return;
  refuse_other_dtype(id);
  const Geometry geometry = geometry_of(sizes, row_major(sizes), eager_geometry(id).offset.v);
  apply_updates(id);
  const std::int64_t elements = element_count(sizes) == 0 ? 0 : geometry.offset.v + element_count(sizes);
  const TensorId base = storage(id).base;
  const auto there = sizes_of(tensor(base).geometry).at(0);
  const std::int64_t held = there * item_size(tensor(base).dtype);
  if (elements * item_size(tensor(id).dtype) > held) {
    const std::int64_t of = item_size(tensor(base).dtype);
    const std::int64_t wanted = (elements * item_size(tensor(id).dtype) + of - 1) / of;
    const TensorId grown = own_copy(base);
    call(OpId::resize_, {grown}, {Sizes{wanted}, None{}});
    storage(id).base = grown;
    ++storage(id).generation;
  }
  place_anew(id, geometry);
  wrapper(id).generation = storage(id).generation;
}

TensorId Layer::as_strided(TensorId id, const ViewMeta& meta) {
  refuse_other_dtype(id);
  Geometry geometry = eager_geometry(id);
  const auto* offset = std::get_if<std::int64_t>(&meta.arguments.at(2));
  geometry = geometry_of(std::get<Sizes>(meta.arguments[0]), std::get<Sizes>(meta.arguments[1]),
                         offset != nullptr ? *offset : geometry.offset.v);
  apply_updates(id);
  const TensorId made = wrapped_view(forward(place(geometry), storage(id).base), id, meta);
  wrapper(made).metas = {place(geometry)};
  return made;
}

/// Copies what the body wrote into the memory of the inputs.
void Layer::write_memory(const std::vector<TensorId>& inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorId parameter = wrappers_.parameters[i];
    const FunctionalStorage of = storage(parameter);
    if (of.original != inputs[i] || of.generation == 0) continue;
    if (!is_flat(judge_)) {
      write_back(inputs[i], of.base);
      continue;
    }
    const TensorId memory = flattened(inputs[i]);
    const Sizes elements = sizes_of(tensor(of.base).geometry);
    if (sizes_of(tensor(memory).geometry) != elements) call(OpId::resize_, {memory}, {elements, None{}});
    call(OpId::copy_, {memory, of.base}, {false});
  }
}

namespace {

bool is_place(const ViewMeta& meta, const Geometry& geometry) {
  return meta.view == OpId::as_strided && meta.arguments == Layer::place(geometry).arguments;
}

}  // namespace

/// Makes a result that shares memory with an input, from that input.
TensorId Layer::made_from_input(TensorId result, const std::vector<TensorId>& inputs) {
  const std::vector<TensorId>& parameters = wrappers_.parameters;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (parameters[i] == result) return inputs[i];
  const std::span<const ViewMeta> metas = wrapper(result).metas;
  const TensorId original = storage(result).original;
  if (!is_flat(judge_)) return seen_on(original, metas);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (storage(parameters[i]).original == original && !metas.empty() && is_place(metas[0], tensor(inputs[i]).geometry))
      return seen_on(inputs[i], metas.subspan(1));
  return seen_on(original, metas);
}

std::span<const ViewMeta> Layer::behind_place(TensorId id) {
  const std::span<const ViewMeta> metas = wrapper(id).metas;
  const bool placed = is_flat(judge_) && !metas.empty() && is_place(metas[0], tensor(storage(id).original).geometry);
  return metas.subspan(placed ? 1 : 0);
}

bool Layer::is_root(TensorId id) { return behind_place(id).empty(); }

std::vector<TensorId> Layer::results_alone(const std::vector<TensorId>& results, const std::vector<TensorId>& inputs) {
  const std::size_t own = is_flat(judge_) ? 1 : 0;
  std::vector<TensorId> made;
  std::map<std::int32_t, TensorId> roots;  // by functional storage: the tensor that other results are made from
  for (const TensorId result : results) {
    if (!wrappers_.tensors.contains(result) || !is_root(result)) continue;
    Tensor& root = tensor(wrapper(result).value);
    if (std::ranges::find(inputs, storage(result).original) == inputs.end() && storage(result).generation > 0) {
      root.base = kNoTensor;
      root.meta.tracked = false;
    }
    roots.emplace(wrapper(result).storage, wrapper(result).value);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TensorId result = results[i];
    const auto before = std::ranges::find(results, result) - results.begin();
    if (static_cast<std::size_t>(before) < i) {
      made.push_back(made[static_cast<std::size_t>(before)]);
      continue;
    }
    if (!wrappers_.tensors.contains(result)) {
      made.push_back(result);
      continue;
    }
    const Wrapper of = wrapper(result);
    const bool is_input = std::ranges::find(inputs, storage(result).original) != inputs.end();
    const auto shares = [&](TensorId other) {
      return other != result && wrappers_.tensors.contains(other) && wrapper(other).storage == of.storage;
    };
    const bool copied = !wrappers_.reapply_views || storage(result).generation > 0;
    if (is_input) {
      const bool itself = storage(result).generation == 0 && of.metas.size() == own;
      made.push_back(!is_made_from_input<Concrete>(judge_, true).v && copied && !itself
                         ? own_copy(of.value)
                         : made_from_input(result, inputs));
    } else if (std::ranges::any_of(results, shares)) {
      if (!is_made_from_one<Concrete>(judge_, true).v && !wrappers_.reapply_views)
        made.push_back(own_copy(of.value));
      else if (roots.contains(of.storage))
        made.push_back(seen_on(roots.at(of.storage), behind_place(result)));
      else
        made.push_back(seen_on(storage(result).base, of.metas));
    } else {
      made.push_back(of.value);
    }
  }
  return made;
}

/// Gives inputs the layout that the body gave them.
void Layer::lay_out(const std::vector<TensorId>& inputs) {
  const std::size_t own = is_flat(judge_) ? 1 : 0;
  std::vector<Geometry> geometries;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::vector<ViewMeta> metas = wrapper(wrappers_.parameters[i]).metas;
    const bool same = metas.size() == own && (own == 0 || is_place(metas[0], tensor(inputs[i]).geometry));
    geometries.push_back(
        tensor(same ? inputs[i] : seen_on(own == 0 ? inputs[i] : flattened(inputs[i]), metas)).geometry);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) tensor(inputs[i]).geometry = geometries[i];
}

std::vector<TensorId> Layer::leave_alone(const std::vector<TensorId>& results) {
  const std::vector<TensorId> inputs = wrappers_.inputs;
  const auto own = [&](TensorId id) { return wrappers_.tensors.contains(id); };
  for (const TensorId result : results)
    if (own(result)) up_to_date(result);
  for (const TensorId parameter : wrappers_.parameters) up_to_date(parameter);
  if (input_gets_layout<Concrete>(judge_, true).v) {
    write_memory(inputs);
    std::vector<TensorId> made = results_alone(results, inputs);
    lay_out(inputs);
    return made;
  }
  std::vector<TensorId> made = results_alone(results, inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorId parameter = wrappers_.parameters[i];
    const bool turned =
        wrapper(parameter).metas.size() > 1 || !is_place(wrapper(parameter).metas.at(0), tensor(inputs[i]).geometry);
    if (storage(parameter).generation == 0 && !turned) continue;
    TensorId value = wrapper(parameter).value;
    if (turned && !wrappers_.reapply_views) value = call(OpId::clone, {value}, {std::int64_t{kContiguousFormat}});
    write_back(inputs[i], value);
  }
  return made;
}

}  // namespace plumbline::reference::functorch
