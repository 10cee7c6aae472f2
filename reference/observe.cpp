// Reads every field of a tensor and of the thread, as Python shows it.
#include <algorithm>

#include "reference/call.h"
#include "reference/functorch/functorch.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "reference/world.h"
#include "spec/rules/trf.h"

namespace plumbline::reference {

namespace {

/// The lowest slot whose tensor satisfies `holds`, or the value `none`.
template <class Predicate>
std::int64_t lowest_slot(const State& state, std::int64_t none, const Predicate& holds) {
  for (std::size_t i = 0; i < state.slots.size(); ++i)
    if (state.slots[i] != kNoTensor && holds(state.slots[i])) return static_cast<std::int64_t>(i);
  return none;
}

Reading values_of(const State& state, const Tensor& tensor) {
  const std::vector<Element> elements = elements_of(state, tensor);
  const std::size_t numbers = numbers_in(tensor.dtype);
  Values values;
  if (is_inexact(tensor.dtype)) {
    values.floats.reserve(elements.size() * numbers);
    for (const Element& element : elements) {
      values.floats.push_back(element.real);
      if (is_complex(tensor.dtype)) values.floats.push_back(element.imag);
    }
  } else {
    values.integers.reserve(elements.size());
    for (const Element& element : elements) values.integers.push_back(element.integer);
  }
  if (!std::ranges::all_of(elements, &Element::known))
    for (const Element& element : elements) values.known.insert(values.known.end(), numbers, element.known);
  const auto bound = [](const Element& element) { return element.known ? element.error : 0; };
  if (std::ranges::any_of(elements, [&](const Element& element) { return bound(element) > 0; }))
    for (const Element& element : elements) values.bounds.insert(values.bounds.end(), numbers, bound(element));
  return values;
}

Reading version_reading(const State& state, const Tensor& tensor) {
  if (tensor.counter < 0)
    return Failure{ErrorClass::inference_version, "Inference tensors do not track version counter.", "RuntimeError"};
  const Counter& counter = state.counters[static_cast<std::size_t>(tensor.counter)];
  if (counter.free_by != nullptr)
    return Unspecified{counter.free_by->id(), counter.number < 0 ? tensor.counter : counter.number,
                       counter.version - counter.first};
  return version_of(state, tensor);
}

/// Whether the field of a tensor that an op computed from examples is unspecified.
bool is_left_open(const Tensor& tensor, Field field) {
  if (field == Field::is_view || field == Field::base || field == Field::creation_meta) return true;
  const auto short_dim = [](std::int64_t size) { return size <= 1; };
  return field == Field::strides && std::ranges::any_of(sizes_of(tensor.geometry), short_dim);
}

/// A reading that first asks for the tensor's history.
template <class Answer>
Reading after_asking(const Judge& judge, State& state, TensorId id, const Answer& answer) {
  try {
    ask_history(judge, state, id);
  } catch (const Raise& raised) {
    return raised.failure;
  }
  return answer();
}

}  // namespace

std::vector<std::string> key_names(const KeySet<Concrete>& keys) {
  const auto every_backend = KeySet<Concrete>::raw(kBackendMask);
  std::vector<std::string> names;
  for (int f = 1; f <= kFunctionalities; ++f) {
    const auto functionality = static_cast<Functionality>(f);
    if (!keys.has_any(functionality).v) continue;
    if (!is_per_backend(functionality)) {
      names.emplace_back(kFunctionalityNames[static_cast<std::size_t>(f)]);
      continue;
    }
    if (!keys.has_any(every_backend).v) {  // no backend: only the functionality
      names.emplace_back(functionality == Functionality::Autograd ? "AutogradFunctionality"
                                                                  : kFunctionalityNames[static_cast<std::size_t>(f)]);
      continue;
    }
    const std::string prefix(functionality == Functionality::Dense ? ""
                                                                   : kFunctionalityNames[static_cast<std::size_t>(f)]);
    for (int b = 0; b < kBackends; ++b)
      if (keys.has_any(static_cast<Backend>(b)).v)
        names.push_back(prefix + std::string(kBackendNames[static_cast<std::size_t>(b)]));
  }
  return names;
}

Reading read(const Judge& judge, State& state, TensorId id, Field field) {
  id = functorch::read(judge, state, id);
  const Tensor& tensor = state.tensors[static_cast<std::size_t>(id)];
  if (mapped_view_is_free<Concrete>(judge, tensor.computed_mapped).v && is_left_open(tensor, field))
    return Unspecified{TRF_16.id()};
  const bool of_layout = field == Field::strides || field == Field::offset || field == Field::is_view ||
                         field == Field::base || field == Field::creation_meta;
  if (gradient_layout_is_free<Concrete>(judge, tensor.free_layout).v && of_layout) return Unspecified{TRF_28.id()};
  switch (field) {
    case Field::dtype:
      return std::string(name_of(tensor.dtype));
    case Field::sizes:
      return sizes_of(tensor.geometry);
    case Field::strides:
      return strides_of(tensor.geometry);
    case Field::offset:
      return tensor.geometry.offset.v;
    case Field::values:
      if (tensor.on_meta) return std::monostate{};
      return values_of(state, tensor);
    case Field::storage:
      return lowest_slot(state, -1, [&](TensorId other) {
        return state.tensors[static_cast<std::size_t>(other)].storage == tensor.storage;
      });
    case Field::keys:
      return key_names(keys_of(judge, state, id));
    case Field::is_inference:
      return is_inference_tensor(judge, state, id);
    case Field::version:
      return version_reading(state, tensor);
    case Field::requires_grad:
      return requires_grad_of(judge, state, id);
    case Field::is_leaf:
      return after_asking(judge, state, id, [&]() -> Reading { return machine::leaf(Seen(judge, state), id).v; });
    case Field::grad_fn:
      return after_asking(judge, state, id, [&]() -> Reading { return tensor.meta.has_grad_fn.v; });
    case Field::is_view:
      return tensor.meta.tracked.v;
    case Field::base:
      if (tensor.base == kNoTensor) return std::int64_t{-1};
      return lowest_slot(state, -2, [&](TensorId other) { return other == tensor.base; });
    case Field::creation_meta:
      if (!tensor.meta.tracked.v) return None{};
      return std::string(kCreationMetaNames[tensor.meta.creation.v]);
    case Field::grad:
      if (tensor.grad == kNoTensor) return None{};
      return values_of(state, state.tensors[static_cast<std::size_t>(tensor.grad)]);
  }
  throw std::logic_error("the reference cannot read this field of a tensor");
}

Reading read_thread(const Judge&, const State& state, ThreadField field) {
  switch (field) {
    case ThreadField::inference_mode:
      return state.tls.inference_mode.v;
    case ThreadField::grad_mode:
      return state.tls.grad_mode.v;
    case ThreadField::included:
      return key_names(state.tls.included);
    case ThreadField::excluded:
      return key_names(state.tls.excluded);
  }
  throw std::logic_error("the reference cannot read this field of the thread");
}

}  // namespace plumbline::reference
