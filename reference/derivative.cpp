// A node's step in backward: from the gradients of its outputs to those of its inputs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "reference/by_schema_backward.h"
#include "reference/call.h"
#include "reference/complex_gradients.h"
#include "reference/custom_function.h"
#include "reference/graph.h"
#include "reference/passed_gradient.h"
#include "reference/raise.h"
#include "reference/saved_hooks.h"
#include "reference/transforms/mapped.h"
#include "reference/world.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/aut_backward.h"
#include "spec/rules/aut_fallback.h"
#include "spec/rules/aut_grad.h"
#include "spec/rules/geo_value.h"
#include "spec/rules/sav.h"

namespace plumbline::reference {

namespace {

using Elements = std::vector<Element>;

/// If data was exchanged without autograd's knowledge, recorded sizes may no longer fit.
void same_count(std::size_t a, std::size_t b) {
  if (a != b) throw ReferenceLimit("backward() through a tensor whose data was replaced by data of other sizes");
}

std::size_t count_of(const Geometry& geometry) { return static_cast<std::size_t>(element_count(sizes_of(geometry))); }

/// A substitute for an input, on which the op's kernel runs again: the same sizes, its own elements, and a storage of
/// at least `extent` elements.
Tensor stand_in(State& state, const Node::Input& input, const Elements& elements, bool keeps_places,
                std::size_t extent) {
  same_count(count_of(input.geometry), elements.size());
  Tensor tensor;
  tensor.dtype = input.dtype;
  tensor.geometry = input.geometry;
  if (!keeps_places) {
    const Sizes sizes = sizes_of(input.geometry);
    tensor.geometry = geometry_of(sizes, row_major(sizes));
  }
  const std::vector<std::int64_t> places = places_of(tensor.geometry);
  Storage storage;
  storage.dtype = input.dtype;
  storage.elements.resize(extent);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto place = static_cast<std::size_t>(places[i]);
    if (place >= storage.elements.size()) storage.elements.resize(place + 1);
    if (storage.elements[place].trace >= 0)
      throw ReferenceLimit("backward() through as_strided of a tensor whose elements overlap");
    storage.elements[place] = elements[i];
  }
  tensor.storage = static_cast<std::int32_t>(state.storages.size());
  state.storages.push_back(std::move(storage));
  return tensor;
}

/// The derivative of an op: that of its kernel, at the saved values.
class OpDerivative {
 public:
  OpDerivative(const Judge& judge, State& state, const Node& node) : judge_(judge), state_(state), node_(node) {}

  std::vector<Gradient> run(const std::vector<Gradient>& given) {
    const bool scatters = node_.op == OpId::as_strided_scatter;
    const bool strided =
        scatters || node_.op == OpId::as_strided || node_.op == OpId::as_strided_ || node_.op == OpId::as_strided_copy;
    if (node_.mapping && (strided || op(node_.op).name.ends_with("_scatter")))
      throw ReferenceLimit("backward() through " + qualified_name(op(node_.op)) + " in a mapped body");
    std::vector<Taken> arguments, saved_outputs;  // hooks may write what others have unpacked: all are called first
    for (const Node::Input& input : node_.inputs)
      arguments.push_back(input.saved ? take(*input.saved) : Taken{.elements = input.elements});
    for (const Node::Output& output : node_.outputs)
      saved_outputs.push_back(output.saved ? take(*output.saved) : Taken{});
    for (const Node::Input& input : node_.inputs) {
      Elements elements = elements_now(arguments[traces_.size()]);
      auto& traces = traces_.emplace_back();
      for (Element& element : elements) {
        const bool goes = input.edge.goes() && is_inexact(input.dtype);
        element.trace = goes ? tape_.variable() : -1;
        element.imag_trace = goes && is_complex(input.dtype) ? tape_.variable() : -1;
        traces.push_back({element.trace, element.imag_trace});
      }
      replay_.slots.push_back(static_cast<TensorId>(replay_.tensors.size()));
      const bool keeps_places = strided && traces_.size() == 1;  // self, which contains the window
      const std::size_t extent = keeps_places ? window(scatters ? 2 : 1) : 0;
      replay_.tensors.push_back(stand_in(replay_, input, elements, keeps_places, extent));
    }
    std::vector<Elements> saved_results;
    for (const Taken& output : saved_outputs) saved_results.push_back(elements_now(output));
    const std::vector<Elements> results = recomputed();
    std::vector<std::pair<std::int32_t, Element>> seeds;
    for (std::size_t k = 0; k < given.size() && k < results.size(); ++k) {
      if (!saved_results[k].empty()) same_values(results[k], saved_results[k]);
      if (!given[k]) continue;
      same_count(given[k]->size(), results[k].size());
      for (std::size_t i = 0; i < results[k].size(); ++i) {
        seeds.emplace_back(results[k][i].trace, part((*given[k])[i], false));
        if (results[k][i].imag_trace >= 0)
          seeds.emplace_back(results[k][i].imag_trace, turned(part((*given[k])[i], true)));
      }
    }
    const Dtype whole = node_.outputs.front().dtype;
    const Dtype dtype = is_inexact(whole) ? part_of(whole) : Dtype::float64;
    const Elements gradients = tape_.back(seeds, dtype);
    const auto gradient_of = [&](std::int32_t trace, Dtype to) {
      return trace < 0 ? Element{} : converted(gradients[static_cast<std::size_t>(trace)], dtype, part_of(to));
    };
    std::vector<Gradient> out;
    for (std::size_t i = 0; i < node_.inputs.size(); ++i) {
      Gradient& gradient = out.emplace_back();
      if (!node_.inputs[i].edge.goes()) continue;
      gradient.emplace();
      const Dtype to = node_.inputs[i].dtype;
      for (const auto& [real, imag] : traces_[i]) {
        const Element one = gradient_of(real, to);
        gradient->push_back(is_complex(to) ? with_free_parts(joined(one, turned(gradient_of(imag, to)))) : one);
      }
      const auto refused = static_cast<ErrorClass>(check_real_part<Concrete>(judge_, takes_real_part(node_, i)).v);
      if (refused != ErrorClass::none) raise(refused, "a complex gradient of a real tensor");
      gradient = with_free_zeros(std::move(*gradient));
    }
    if (op(node_.op).name.ends_with("_scatter") && given[0]) judge_scatter(*given[0], out, scatters);
    return out;
  }

 private:
  /// The imaginary part of a gradient, with the sign that the tape's derivative by it has.
  Element turned(Element imag) const {
    if (!derivative_is_conjugated(judge_).v) imag.real = -imag.real;
    return imag;
  }

  /// A saved tensor: what a hook made of it, or its elements.
  struct Taken {
    TensorId made = kNoTensor;
    Elements elements = {};
  };
  Taken take(const SavedTensor& saved) const {
    if (saved_version_is_checked<Concrete>(judge_, saved.packed != kNoTensor).v)
      return {.elements = unpack(judge_, state_, saved)};
    return {.made = unpacked(judge_, state_, saved)};
  }
  Elements elements_now(const Taken& taken) const {
    return taken.made == kNoTensor ? taken.elements : elements_of(state_, at(state_, taken.made));
  }

  /// The gradient of a scatter's first argument, if the profile's differs from that of the kept elements (AUT-59). The
  /// gradient of elements of src that went to one place is unspecified, because it is unspecified which one stayed.
  void judge_scatter(const Elements& given, std::vector<Gradient>& out, bool strided) const {
    const auto how = static_cast<ScatterGradient>(scatter_gradient<Concrete>(judge_, strided).v);
    if (out[0] && how == ScatterGradient::whole) out[0] = given;
    if (!strided) return;
    const std::vector<std::int64_t> seen = scatter_window(node_);
    const Element unspecified{.known = false};
    for (std::size_t i = 0; out[1] && i < seen.size(); ++i)
      if (std::ranges::count(seen, seen[i]) > 1) (*out[1])[i] = unspecified;
    if (!out[0] || how == ScatterGradient::kept_alone || how == ScatterGradient::whole) return;
    const Element other = how == ScatterGradient::replaced_alone ? Element{} : unspecified;
    for (std::size_t i = 0; i < given.size(); ++i)  // places from the first element of row-major memory
      (*out[0])[i] = std::ranges::find(seen, static_cast<std::int64_t>(i)) != seen.end() ? given[i] : other;
  }

  static constexpr std::int64_t kLargestWindow = 1 << 20;
  /// How far as_strided's window reaches into the storage; `size`: the place of that argument.
  std::size_t window(std::size_t size) const {
    const auto& sizes = std::get<Sizes>(node_.values[size]);
    const auto& strides = std::get<Sizes>(node_.values[size + 1]);
    const auto* offset = std::get_if<std::int64_t>(&node_.values[size + 2]);
    std::int64_t end = offset != nullptr ? *offset : node_.inputs.front().geometry.offset.v;
    for (std::size_t i = 0; i < sizes.size() && i < strides.size(); ++i) end += (sizes[i] - 1) * strides[i];
    if (end > kLargestWindow) throw ReferenceLimit("backward() through as_strided far beyond its tensor");
    return static_cast<std::size_t>(std::max<std::int64_t>(end + 1, 0));
  }

  /// The op's results, each element with its trace.
  std::vector<Elements> recomputed() {
    const Effect effect = replayed();
    std::vector<Elements> results;
    for (const Fresh& fresh : effect.fresh) results.push_back(fresh.elements);
    for (const Geometry& view : effect.views) results.push_back(elements_at(view));
    if (effect.written) results.push_back(*effect.written);
    if (effect.layout && !effect.written) results.push_back(elements_at(*effect.layout));
    if (results.empty()) results.push_back(elements_at(replay_.tensors.front().geometry));  // copy_ onto itself
    return results;
  }

  Effect replayed() {
    if (node_.mapping)
      return transforms::mapped_meaning(judge_, replay_, node_.op, node_.values, *node_.mapping, &tape_);
    const Arguments arguments(replay_, op(node_.op), node_.values);
    return meaning({judge_, replay_, node_.op, arguments, &tape_});
  }

  Elements elements_at(const Geometry& geometry) const {
    Tensor view = replay_.tensors.front();
    view.geometry = geometry;
    return elements_of(replay_, view);
  }

  static void same_values(const Elements& computed, const Elements& saved) {
    const auto differ = [](const Element& a, const Element& b) {
      if (!a.known || !b.known) return a.known != b.known;
      const auto apart = [](double x, double y) { return x != y && !(std::isnan(x) && std::isnan(y)); };
      return apart(a.real, b.real) || apart(a.imag, b.imag);
    };
    for (std::size_t i = 0; i < computed.size() && i < saved.size(); ++i)
      if (differ(computed[i], saved[i]))
        throw ReferenceLimit("backward() through a result that was written without a version bump");
  }

  const Judge& judge_;
  State& state_;
  const Node& node_;
  State replay_;
  Tape tape_;
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> traces_;  ///< of real and imaginary parts
};

/// The element of `base` at each place.
std::map<std::int64_t, std::size_t> elements_by_place(const Geometry& base) {
  std::map<std::int64_t, std::size_t> by_place;
  const std::vector<std::int64_t> places = places_of(base);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!by_place.emplace(places[i], i).second)
      throw ReferenceLimit("backward() through a view of a tensor whose elements overlap");
  return by_place;
}

std::vector<Gradient> view_of_base(const Node& node, const Gradient& given) {
  if (!given || !node.inputs.front().edge.goes()) return {std::nullopt};
  const auto by_place = elements_by_place(node.base);
  const Arithmetic in(node.outputs.front().dtype);
  Elements gradient(count_of(node.base));
  const std::vector<std::int64_t> places = places_of(node.view);
  same_count(places.size(), given->size());
  for (std::size_t i = 0; i < places.size(); ++i)
    if (const auto found = by_place.find(places[i]); found != by_place.end())
      gradient[found->second] = in.add(gradient[found->second], (*given)[i]);
  return {with_free_zeros(std::move(gradient))};
}

/// The view's part of the gradient goes through the function that wrote it; the rest stays
/// [torch/csrc/autograd/functions/ tensor.cpp, CopySlices::apply].
std::vector<Gradient> copy_slices(const Judge& judge, State& state, const Node& node, const Gradient& given) {
  const std::size_t inputs = node.inputs.size();
  if (!given) return std::vector<Gradient>(inputs);
  same_count(count_of(node.base), given->size());
  const auto by_place = elements_by_place(node.base);
  const std::vector<std::int64_t> places = places_of(node.view);
  std::vector<std::size_t> parts;
  for (const std::int64_t place : places) {
    const auto found = by_place.find(place);
    if (found == by_place.end() || std::ranges::find(parts, found->second) != parts.end())
      throw ReferenceLimit("backward() through a view that reaches outside its base or whose elements overlap");
    parts.push_back(found->second);
  }
  Elements slice;
  for (const std::size_t part : parts) slice.push_back((*given)[part]);
  std::vector<Gradient> out = input_gradients(judge, state, node.function, {std::move(slice)});
  Elements base = *given;
  if (out[0]) same_count(out[0]->size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) base[parts[i]] = out[0] ? (*out[0])[i] : Element{};
  out.resize(inputs);
  out[0].reset();
  if (node.inputs.front().edge.goes()) out[0] = with_free_zeros(std::move(base));
  return out;
}

void check_unpack(const Judge& judge, State& state, const SavedTensor& saved) {
  const Counter* counter = saved.counter < 0 ? nullptr : &state.counters[static_cast<std::size_t>(saved.counter)];
  const std::int64_t now = counter == nullptr ? saved.version : counter->version;
  const bool free = counter != nullptr && counter->free_by != nullptr;
  const auto number = [&](std::int64_t version) { return free ? "…" : std::to_string(version); };
  const auto message = [&](ErrorClass error) -> std::optional<std::string> {
    if (error != ErrorClass::saved_modified) return std::nullopt;
    return error_message(error, {"…", number(now), number(saved.version), "…"});
  };
  World world(judge, state, {.message = message});
  machine::check_unpack<World>(world, saved.tensor, {saved.original, saved.had_grad_fn, saved.version, now});
}

}  // namespace

Elements unpack(const Judge& judge, State& state, const SavedTensor& saved) {
  if (!saved_version_is_checked<Concrete>(judge, saved.packed != kNoTensor).v)
    return elements_of(state, at(state, unpacked(judge, state, saved)));
  check_unpack(judge, state, saved);
  if (saved.packed != kNoTensor) return elements_of(state, at(state, unpacked(judge, state, saved)));
  if (saved.original) {  // the tensor as it is now: its data or layout may have changed without a version bump
    const Tensor& now_held = at(state, saved.tensor);
    if (now_held.dtype != saved.dtype || sizes_of(now_held.geometry) != sizes_of(saved.geometry))
      throw ReferenceLimit("backward() through a tensor whose sizes or dtype were changed without a version bump");
    return elements_of(state, now_held);
  }
  Tensor tensor;
  tensor.geometry = saved.geometry;
  tensor.dtype = saved.dtype;
  tensor.storage = saved.storage;
  return elements_of(state, tensor);
}

bool lacks_derivative(const Judge& judge, const Node& node) {
  if (node.kind != Node::Kind::op) return false;
  if (op(node.op).unsafe && op(node.op).aliases == Aliases::argument) return true;
  return (node.op == OpId::aminmax && !aminmax_has_derivative(judge).v) ||
         !view_copy_has_derivative<Concrete>(judge, node.op == OpId::detach_copy).v;
}

void check_derivative(const Judge& judge, const Node& node) {
  if (lacks_derivative(judge, node)) raise_class(ErrorClass::no_derivative, {"aten::" + std::string(op(node.op).name)});
}

void look_at_saved(const Judge& judge, State& state, NodeId id) {
  const Node node = state.nodes[static_cast<std::size_t>(id)];
  if (node.kind != Node::Kind::op || !looks_at_saved<Concrete>(judge, false).v) return;
  if (node.saves()) check_freed(judge, node);
  check_derivative(judge, node);
  for (const Node::Input& input : node.inputs)
    if (input.saved) (void)unpack(judge, state, *input.saved);
  for (const Node::Output& output : node.outputs)
    if (output.saved) (void)unpack(judge, state, *output.saved);
}

std::vector<Gradient> input_gradients(const Judge& judge, State& state, NodeId id, const std::vector<Gradient>& given,
                                      std::vector<TensorId>* tensors) {
  const Node node = state.nodes[static_cast<std::size_t>(id)];  // a copy: a custom backward may record more nodes
  // The node that wrote a slice releases everything that it saved [torch/csrc/autograd/functions/tensor.cpp,
  // CopySlices::apply].
  if (node.kind == Node::Kind::copy_slices || (node.saves() && node.kind != Node::Kind::custom))
    check_freed(judge, node);
  switch (node.kind) {
    case Node::Kind::op: {
      // The written self of an in-place view op or of copy slices has the edge of the base; its derivative is needed
      // anyway.
      check_derivative(judge, node);
      if (const auto of_parts = gradient_of_parts(node, given.front())) return {*of_parts};
      return node.by_schema != nullptr ? gradients_by_schema(judge, state, node, given, tensors)
                                       : OpDerivative(judge, state, node).run(given);
    }
    case Node::Kind::view_of_base:
      return view_of_base(node, given.front());
    case Node::Kind::copy_slices:
      return copy_slices(judge, state, node, given.front());
    case Node::Kind::custom:
      return run_custom_backward(judge, state, id, given, tensors);
    case Node::Kind::fallback: {
      std::vector<Gradient> none(node.inputs.size());
      if (gives_gradient<Concrete>(judge, true).v)
        for (std::size_t i = 0; i < none.size(); ++i) {
          const auto count = static_cast<std::size_t>(element_count(sizes_of(node.inputs[i].geometry)));
          none[i] = Elements(count);
        }
      return none;
    }
  }
  throw std::logic_error("the reference does not know this kind of node");
}

}  // namespace plumbline::reference
