// Facts: replaying a script on the reference, and looking at the state before a statement.
#include "oracle/facts.h"

#include <algorithm>
#include <utility>

#include "language/slots.h"
#include "oracle/facts_of_arguments.h"
#include "reference/call.h"
#include "reference/machine.h"
#include "reference/memory.h"
#include "reference/raise.h"
#include "reference/transforms/vmap.h"
#include "spec/rules/aut.h"
#include "spec/vocabulary/key_layout.h"

namespace plumbline {

namespace {

using reference::State;
using reference::Tensor;

/// The tensors that a statement takes, in order.
std::vector<Slot> operands(const StatementKind& kind) {
  std::vector<Slot> slots;
  visit_slots(kind, [&](Slot slot) { slots.push_back(slot); }, [](Slot) {});
  return slots;
}

const Tensor* tensor_in(const State& state, Slot slot) {
  const auto i = static_cast<std::size_t>(slot);
  if (i >= state.slots.size() || state.slots[i] == reference::kNoTensor) return nullptr;
  return &state.tensors[static_cast<std::size_t>(state.slots[i])];
}

/// The state before a statement; nothing if the reference does not reach it.
std::optional<State> state_at(const reference::Judge& judge, const Script& script, std::size_t place) {
  try {
    return reference::state_before(judge, script, place);
  } catch (const reference::ReferenceLimit&) {
    return std::nullopt;
  }
}

bool excludes_a_backend(const Statement& statement) {
  const auto* guard = std::get_if<Enter>(&statement.kind);
  if (guard == nullptr || guard->kind != GuardKind::exclude_key) return false;
  const KeyLayout& layout = layout_of(Profile::sound);
  const auto key = runtime_key_named(layout, guard->key);
  return key && (word_of(layout, *key) & backend_mask(layout)) != 0;
}

bool kernel_excludes_a_backend(const Script& script) {
  return std::ranges::any_of(script.kernels, [](const CustomKernel& kernel) {
    return std::ranges::any_of(kernel.statements, excludes_a_backend);
  });
}

/// Whether the statement at `place` is in a functionalized body, or ends one.
bool inside_a_body(const Script& script, std::size_t place) {
  int open = 0;
  for (std::size_t i = 0; i < place; ++i) {
    if (enters_body(script.statements[i].kind)) ++open;
    if (leaves_body(script.statements[i].kind)) --open;
  }
  return open > 0;
}

/// Whether the script registers a hook on a view whose history must be made again for it.
bool hooks_a_stale_view(const reference::Judge& judge, const Script& script) {
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    const auto* hook = std::get_if<RegisterHook>(&script.statements[i].kind);
    const std::optional<State> state = hook == nullptr ? std::nullopt : state_at(judge, script, i);
    const Tensor* tensor = state ? tensor_in(*state, hook->tensor) : nullptr;
    if (tensor != nullptr && tensor->base != reference::kNoTensor && tensor->counter >= 0 &&
        tensor->recorded_at != reference::version_of(*state, *tensor))
      return true;
  }
  return false;
}

bool starts_from_several(const StatementKind& kind) {
  const auto* backward = std::get_if<Backward>(&kind);
  const auto* get = std::get_if<GetGradients>(&kind);
  return (backward != nullptr && !backward->more.empty()) || (get != nullptr && !get->more.empty());
}

bool maps_another_dimension(const Statement& statement) {
  const auto* enter = std::get_if<EnterTransform>(&statement.kind);
  const auto* vmap = enter == nullptr ? nullptr : std::get_if<Vmap>(&enter->transform);
  return vmap != nullptr &&
         std::ranges::any_of(vmap->in_dims, [](const MappedDim& dim) { return dim.value_or(0) != 0; });
}

bool makes_one_like(const Statement& statement) {
  const auto* call = std::get_if<Call>(&statement.kind);
  return call != nullptr && op(call->op).name.ends_with("_like");
}

bool hooks_saved_tensors(const Statement& statement) {
  return std::holds_alternative<EnterSavedTensorsHooks>(statement.kind);
}

bool registers_a_hook(const Statement& statement) { return std::holds_alternative<RegisterHook>(statement.kind); }

bool makes_a_library(const Statement& statement) { return std::holds_alternative<MakeLibrary>(statement.kind); }

bool draws_numbers(const Statement& statement) {
  const auto* call = std::get_if<Call>(&statement.kind);
  return call != nullptr && op(call->op).name.starts_with("rand");
}

bool is_contiguous(const Tensor& tensor) {
  return reference::is_row_major(reference::sizes_of(tensor.geometry), reference::strides_of(tensor.geometry));
}

bool is_all_of_its_memory(const State& state, const Tensor& tensor) {
  if (tensor.storage < 0) return true;
  const auto& memory = state.storages[static_cast<std::size_t>(tensor.storage)];
  const std::int64_t count = reference::element_count(reference::sizes_of(tensor.geometry));
  return is_contiguous(tensor) && tensor.dtype == memory.dtype &&
         static_cast<std::size_t>(count) == memory.elements.size();
}

/// The fact that names the group of an error, or null.
const char* refusal(ErrorClass error) {
  switch (error) {
    case ErrorClass::overlap_internal:
    case ErrorClass::overlap_partial:
      return "refuses_overlap";
    case ErrorClass::dtype_op:
      return "refuses_a_dtype";
    case ErrorClass::dtype_mismatch:
      return "refuses_two_dtypes";
    case ErrorClass::dtype_cast:
      return "refuses_a_cast";
    case ErrorClass::number_cast:
      return "refuses_a_number";
    case ErrorClass::shape:
      return "refuses_sizes";
    case ErrorClass::index_range:
      return "refuses_an_index";
    case ErrorClass::dim_range:
      return "refuses_a_dimension";
    case ErrorClass::range:
      return "refuses_a_range";
    case ErrorClass::view_stride:
      return "refuses_strides";
    case ErrorClass::storage_bounds:
      return "refuses_bounds";
    case ErrorClass::inference_inplace:
    case ErrorClass::inference_saved:
    case ErrorClass::inference_version:
    case ErrorClass::inference_requires_grad:
      return "refuses_inference";
    default:
      return nullptr;
  }
}

/// Whether two of the tensors have one memory.
bool share_memory(const State& state, const std::vector<Slot>& slots) {
  std::set<std::int32_t> seen;
  return std::ranges::any_of(slots, [&](Slot slot) {
    const Tensor* tensor = tensor_in(state, slot);
    return tensor != nullptr && tensor->storage >= 0 && !seen.insert(tensor->storage).second;
  });
}

/// The facts about the geometry and the dtypes of the tensors that it takes.
void add_geometry(std::set<std::string>& facts, const State& state, const StatementKind& kind) {
  std::set<Dtype> dtypes;
  for (const Slot slot : operands(kind)) {
    const Tensor* tensor = tensor_in(state, slot);
    if (tensor == nullptr) continue;
    if (!is_contiguous(*tensor)) {
      facts.insert("argument_is_not_contiguous");
      if (dtypes.empty()) facts.insert("self_is_not_contiguous");
    }
    if (dtypes.empty() && tensor->geometry.rank() == 0) facts.insert("self_has_no_dimensions");
    if (dtypes.empty() && !is_all_of_its_memory(state, *tensor)) facts.insert("self_is_part_of_memory");
    if (reference::repeats_places(tensor->geometry)) facts.insert("argument_repeats_places");
    dtypes.insert(tensor->dtype);
  }
  if (dtypes.size() > 1) facts.insert("arguments_have_two_dtypes");
  if (share_memory(state, operands(kind))) facts.insert("arguments_share_memory");
  const auto written = written_slot(kind);
  const Tensor* tensor = written ? tensor_in(state, *written) : nullptr;
  if (tensor == nullptr) return;
  if (reference::repeats_places(tensor->geometry)) facts.insert("written_repeats_places");
  if (std::ranges::any_of(state.tensors, [&](const Tensor& other) {
        return &other != tensor && other.storage >= 0 && other.storage == tensor->storage;
      }))
    facts.insert("written_shares_memory");
}

/// The memory of the tensors in the slots.
std::set<std::int32_t> memory_of(const State& state, const std::vector<Slot>& slots) {
  std::set<std::int32_t> memory;
  for (const Slot slot : slots)
    if (const Tensor* tensor = tensor_in(state, slot); tensor != nullptr && tensor->storage >= 0)
      memory.insert(tensor->storage);
  return memory;
}

reference::Sizes sizes_in(const State& state, Slot slot) {
  const Tensor* tensor = tensor_in(state, slot);
  return tensor == nullptr ? reference::Sizes{} : reference::sizes_of(tensor->geometry);
}

std::vector<Slot> results_of(const StatementKind& kind) {
  std::vector<Slot> results;
  visit_slots(kind, [](Slot) {}, [&](Slot slot) { results.push_back(slot); });
  return results;
}

bool gives_a_view(const std::set<std::int32_t>& taken, const State& after, const StatementKind& kind) {
  return std::ranges::any_of(memory_of(after, results_of(kind)), [&](std::int32_t one) { return taken.contains(one); });
}

/// The numbers of the tensors in the slots.
std::set<std::int32_t> tensors_in(const State& state, const std::vector<Slot>& slots) {
  std::set<std::int32_t> tensors;
  for (const Slot slot : slots)
    if (tensor_in(state, slot) != nullptr) tensors.insert(state.slots[static_cast<std::size_t>(slot)]);
  return tensors;
}

bool gives_one_of(const std::set<std::int32_t>& tensors, const State& after, const StatementKind& kind) {
  return std::ranges::any_of(tensors_in(after, results_of(kind)),
                             [&](std::int32_t one) { return tensors.contains(one); });
}

bool has_an_equal_view(const State& state, Slot slot) {
  const Tensor* one = tensor_in(state, slot);
  return one != nullptr && std::ranges::any_of(state.slots, [&](reference::TensorId id) {
           if (id == reference::kNoTensor || id == state.slots[static_cast<std::size_t>(slot)]) return false;
           const Tensor& other = state.tensors[static_cast<std::size_t>(id)];
           return one->storage >= 0 && one->storage == other.storage && one->dtype == other.dtype &&
                  one->geometry.offset.v == other.geometry.offset.v &&
                  reference::sizes_of(one->geometry) == reference::sizes_of(other.geometry) &&
                  reference::strides_of(one->geometry) == reference::strides_of(other.geometry);
         });
}

bool gives_more(const reference::Geometry& self, const State& after, const StatementKind& kind) {
  return std::ranges::any_of(results_of(kind), [&](Slot slot) {
    const Tensor* tensor = tensor_in(after, slot);
    return tensor != nullptr &&
           (tensor->geometry.rank() > self.rank() || reference::element_count(reference::sizes_of(tensor->geometry)) >
                                                         reference::element_count(reference::sizes_of(self)));
  });
}

bool has_free_strides(const State& after, const StatementKind& kind) {
  std::vector<Slot> slots = results_of(kind);
  if (const auto written = written_slot(kind)) slots.push_back(*written);
  return std::ranges::any_of(slots, [&](Slot slot) {
    return std::ranges::any_of(sizes_in(after, slot), [](std::int64_t size) { return size < 2; });
  });
}

bool index_has_no_dimensions(const State& state, const StatementKind& kind) {
  const auto* call = std::get_if<Call>(&kind);
  for (std::size_t i = 0; call != nullptr && i < call->arguments.size(); ++i) {
    const auto* slot = std::get_if<Slot>(&call->arguments[i]);
    const Tensor* index = slot == nullptr ? nullptr : tensor_in(state, *slot);
    if (index != nullptr && op(call->op).arguments[i].name == "index") return index->geometry.rank() == 0;
  }
  return false;
}

bool takes_examples(const State& state, const StatementKind& kind) {
  return std::ranges::any_of(operands(kind), [&](Slot slot) {
    return tensor_in(state, slot) != nullptr &&
           reference::transforms::is_batched(state, state.slots[static_cast<std::size_t>(slot)]);
  });
}

bool makes_an_arange_in_the_mode(const reference::Judge& judge, const Script& script, std::size_t place) {
  const auto* call = std::get_if<Call>(&script.statements[place].kind);
  if (call == nullptr || op(call->op).name != "arange") return false;
  const std::optional<State> state = state_at(judge, script, place);
  return state && state->tls.inference_mode.v;
}

bool adds_to_a_gradient(const State& state, const StatementKind& kind) {
  return std::holds_alternative<Backward>(kind) &&
         std::ranges::any_of(state.tensors, [](const Tensor& one) { return one.grad != reference::kNoTensor; });
}

}  // namespace

std::set<std::string> facts_at(Profile profile, const Script& script, std::size_t place) {
  const StatementKind& kind = script.statements[place].kind;
  const auto before = script.statements.begin() + static_cast<std::ptrdiff_t>(place);
  std::set<std::string> facts;
  const auto add = [&](bool holds, const char* fact) { holds ? void(facts.insert(fact)) : void(); };
  if (const auto* call = std::get_if<Call>(&kind)) add_facts_of_arguments(facts, *call);
  add(starts_from_several(kind), "several_roots");
  add(std::any_of(script.statements.begin(), before, excludes_a_backend) || kernel_excludes_a_backend(script),
      "excluded_a_backend");
  add(std::any_of(script.statements.begin(), before, makes_one_like), "saw_a_factory");
  add(std::any_of(script.statements.begin(), before + 1, draws_numbers), "drew_numbers");
  add(std::any_of(script.statements.begin(), before, hooks_saved_tensors), "packed_a_saved_tensor");
  add(std::any_of(script.statements.begin(), before, registers_a_hook), "saw_a_hook");
  add(std::ranges::any_of(script.statements, makes_a_library), "registers_kernels");
  add(inside_a_body(script, place), "inside_a_body");
  add(std::ranges::any_of(script.statements,
                          [](const Statement& one) { return std::holds_alternative<EnterFunctionalize>(one.kind); }),
      "functionalizes");
  const auto has_transform = [&]<class Of>(const Of*) {
    return std::ranges::any_of(script.statements, [](const Statement& one) {
      const auto* enter = std::get_if<EnterTransform>(&one.kind);
      return enter != nullptr && std::holds_alternative<Of>(enter->transform);
    });
  };
  add(has_transform(static_cast<const Vmap*>(nullptr)), "maps");
  add(has_transform(static_cast<const Grad*>(nullptr)), "differentiates");
  add(std::any_of(script.statements.begin(), before, maps_another_dimension), "maps_another_dimension");
  if (const auto* leave = std::get_if<LeaveTransform>(&kind))
    add(std::ranges::any_of(leave->out_dims, [](const MappedDim& dim) { return dim.value_or(0) != 0; }),
        "examples_are_not_first");
  const reference::Judge judge{.profile = profile};
  add(hooks_a_stale_view(judge, script), "hooks_a_stale_view");
  for (std::size_t i = 0; i < place; ++i)
    add(makes_an_arange_in_the_mode(judge, script, i), "saw_an_arange_of_inference_mode");
  std::optional<State> state = state_at(judge, script, place);
  if (!state) return facts;
  add(takes_examples(*state, kind), "takes_examples");
  add(index_has_no_dimensions(*state, kind), "index_has_no_dimensions");
  add(state->tls.inference_mode.v, "inside_inference_mode");
  add(!state->tls.inference_mode.v, "outside_inference_mode");
  bool first = true;
  for (const Slot slot : operands(kind)) {
    const Tensor* tensor = tensor_in(*state, slot);
    if (tensor == nullptr) continue;
    const bool inference = is_inference<Concrete>(judge, tensor->meta, state->tls).v;
    add(inference, "argument_is_inference");
    add(!inference, "argument_is_normal");
    if (!std::exchange(first, false)) continue;
    add(inference, "self_is_inference");
    add(!inference, "self_is_normal");
    add(tensor->counter >= 0, "self_has_version");
    add(reference::element_count(reference::sizes_of(tensor->geometry)) == 0, "self_is_empty");
    add(!is_inexact(tensor->dtype), "self_is_integral");
    add(tensor->dtype == Dtype::boolean, "self_is_bool");
    add((tensor->meta.requires_grad || tensor->meta.has_grad_fn).v, "self_requires_grad");
  }
  add_geometry(facts, *state, kind);
  std::vector<Slot> own = operands(kind);
  own.resize(std::min<std::size_t>(own.size(), 1));
  if (const auto written = written_slot(kind)) own.push_back(*written);
  add(std::ranges::any_of(own, [&](Slot slot) { return has_an_equal_view(*state, slot); }), "has_an_equal_view");
  if (const auto written = written_slot(kind))
    if (const Tensor* tensor = tensor_in(*state, *written)) {
      add(is_inference<Concrete>(judge, tensor->meta, state->tls).v, "written_is_inference");
      add(tensor->counter >= 0, "written_has_version");
      add(!is_inexact(tensor->dtype), "written_is_integral");
      add((tensor->meta.requires_grad || tensor->meta.has_grad_fn).v, "written_requires_grad");
      add(tensor->dtype == Dtype::float64 && tensor->geometry.rank() == 0, "written_is_a_float64_scalar");
    }
  try {
    const std::vector<Slot> slots = operands(kind);
    const std::set<std::int32_t> taken = memory_of(*state, slots);
    const std::set<std::int32_t> tensors = tensors_in(*state, slots);
    const Tensor* first_tensor = slots.empty() ? nullptr : tensor_in(*state, slots.front());
    const std::optional<reference::Geometry> self =
        first_tensor == nullptr ? std::nullopt : std::optional(first_tensor->geometry);
    const auto written = written_slot(kind);
    const reference::Sizes before_it = written ? sizes_in(*state, *written) : reference::Sizes{};
    add(adds_to_a_gradient(*state, kind), "adds_to_a_gradient");
    const ErrorClass error = reference::step(judge, *state, script.statements[place]).failure.error;
    add(error != ErrorClass::none, "raises");
    if (const char* group = refusal(error)) facts.insert(group);
    add(error == ErrorClass::none && gives_a_view(taken, *state, kind), "gives_a_view");
    add(error == ErrorClass::none && gives_one_of(tensors, *state, kind), "gives_its_argument");
    add(error == ErrorClass::none && self && gives_more(*self, *state, kind), "result_is_larger");
    add(error == ErrorClass::none && has_free_strides(*state, kind), "result_has_free_strides");
    add(written && sizes_in(*state, *written) != before_it, "written_changes_sizes");
  } catch (const reference::ReferenceLimit&) {  // NOLINT(bugprone-empty-catch): the fact stays unknown
  }
  return facts;
}

}  // namespace plumbline
