// Reading the optimized runtime's tensors. Nothing here calls an op: values are read from memory.
#include "adapters/optimized/readings.h"

#include "adapters/optimized/call.h"
#include "adapters/optimized/test_device.h"
#include "adapters/walk/elements.h"
#include "adapters/walk/slots.h"
#include "optimized/autograd/variable.h"

namespace plumbline::optimized {

namespace {

/// The functionalities of a key set as programs see it, in the order of their bits; a family of keys is named with each
/// backend: "AutogradCPU".
std::vector<std::string> key_names(KeySet own) {
  const KeySet keys = as_programs_see(own);
  std::vector<std::string> names;
  for (int f = 1; f <= kFunctionalities; ++f) {
    const auto functionality = static_cast<Functionality>(f);
    if (!keys.has_any(functionality)) continue;
    const std::string name(kFunctionalityNames.at(static_cast<std::size_t>(f)));
    const bool family = is_per_backend(functionality);
    if (!family || !keys.has_any(KeySet(kBackendBits))) {
      names.push_back(functionality == Functionality::Autograd ? "AutogradFunctionality" : name);
      continue;
    }
    for (int b = 0; b < kBackends; ++b)
      if (keys.has_any(static_cast<Backend>(b)))
        names.push_back((functionality == Functionality::Dense ? "" : name) +
                        std::string(kBackendNames.at(static_cast<std::size_t>(b))));
  }
  return names;
}

Reading values(const Tensor& t) {
  if (is_meta(t)) return std::monostate{};
  return walk::values({t.sizes(), t.strides(), t.offset(), t.numel()}, t.dtype(), ReadBytes(*t.storage()).data(),
                      static_cast<std::int64_t>(t.storage()->bytes()));
}

const char* name_of(CreationMeta meta) {
  switch (meta) {
    case CreationMeta::DEFAULT:
      return "DEFAULT";
    case CreationMeta::IN_CUSTOM_FUNCTION:
      return "IN_CUSTOM_FUNCTION";
    case CreationMeta::MULTI_OUTPUT_NODE:
      return "MULTI_OUTPUT_NODE";
    case CreationMeta::NO_GRAD_MODE:
      return "NO_GRAD_MODE";
    case CreationMeta::INFERENCE_MODE:
      return "INFERENCE_MODE";
  }
  return "";
}

}  // namespace

Reading read(std::span<const Tensor> slots, std::size_t slot, Field field) {
  const Tensor& t = slots[slot];
  switch (field) {
    case Field::dtype:
      return std::string(plumbline::name_of(t.dtype()));
    case Field::sizes:
      return t.sizes().vec();
    case Field::strides:
      return t.strides().vec();
    case Field::offset:
      return t.offset();
    case Field::values:
      return values(t);
    case Field::storage:
      return walk::lowest(slots, -2, [&](const Tensor& other) { return other.storage() == t.storage(); });
    case Field::keys:
      return key_names(carried_keys(t));
    case Field::is_inference:
      return t.is_inference();
    case Field::version:
      return static_cast<std::int64_t>(version_of(t));
    case Field::requires_grad:
      return requires_grad(t);
    case Field::is_leaf:
      return is_leaf(t);
    case Field::grad_fn:
      return has_grad_fn(t);
    case Field::is_view:
      return is_view(t);
    case Field::base:
      if (!is_view(t)) return std::int64_t{-1};
      return walk::lowest(slots, -2, [&](const Tensor& other) { return other.is_same(base_of(t)); });
    case Field::creation_meta:
      return is_view(t) ? Reading(std::string(name_of(creation_meta_of(t)))) : Reading(None{});
    case Field::grad: {
      const Tensor grad = grad_of(t);
      return grad.defined() ? values(grad) : Reading(None{});
    }
  }
  return std::monostate{};
}

Reading read(ThreadField field) {
  const ThreadState& state = thread_state();
  switch (field) {
    case ThreadField::inference_mode:
      return state.inference_mode;
    case ThreadField::grad_mode:
      return state.grad_mode;
    case ThreadField::included:
      return key_names(state.included);
    case ThreadField::excluded:
      return key_names(state.excluded);
  }
  return std::monostate{};
}

}  // namespace plumbline::optimized
