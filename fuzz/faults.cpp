// The planted faults.
#include "fuzz/faults.h"

#include <algorithm>

#include "spec/ops.h"
#include "spec/rules/catalogue.h"

namespace plumbline::fuzz {

namespace {

using Edit = std::function<void(const Script&, RunResult&)>;

Reading& field_of(TensorReading& tensor, Field field) { return tensor.fields[static_cast<std::size_t>(field)]; }
const Call* call_at(const Script& script, const Outcome& outcome) {
  return std::get_if<Call>(&script.statements[outcome.statement].kind);
}

/// Edits each tensor of each snapshot.
template <class EditTensor>
Edit each_tensor(EditTensor edit) {
  return [edit](const Script& script, RunResult& result) {
    if (Trace* trace = std::get_if<Trace>(&result))
      for (Outcome& outcome : trace->outcomes)
        for (TensorReading& tensor : outcome.tensors) edit(script, outcome, tensor);
  };
}

bool is_true(const Reading& reading) {
  const bool* truth = std::get_if<bool>(&reading);
  return truth != nullptr && *truth;
}

/// Whether the last op in front of `outcome` that wrote a tensor or gave it its slot is of this kind.
bool last_was(const Script& script, const Outcome& outcome, Slot slot, OpKind kind) {
  for (std::size_t i = outcome.statement; i-- > 0;) {
    const Call* call = std::get_if<Call>(&script.statements[i].kind);
    if (call == nullptr) continue;
    const bool binds = std::ranges::find(call->results, slot) != call->results.end();
    const bool writes =
        !call->arguments.empty() && call->arguments[0] == Value(slot) && op(call->op).aliases == Aliases::self;
    if (binds || writes) return op(call->op).kind == kind;
  }
  return false;
}

const Edit version_not_bumped = each_tensor([](const Script& script, const Outcome& outcome, TensorReading& tensor) {
  auto* version = std::get_if<std::int64_t>(&field_of(tensor, Field::version));
  if (version != nullptr && *version > 0 && last_was(script, outcome, tensor.tensor, OpKind::Inplace)) --*version;
});

const Edit element_off = each_tensor([](const Script& script, const Outcome& outcome, TensorReading& tensor) {
  auto* values = std::get_if<Values>(&field_of(tensor, Field::values));
  if (values == nullptr || !last_was(script, outcome, tensor.tensor, OpKind::Inplace)) return;
  if (!values->floats.empty()) values->floats.back() += 1;
  if (!values->integers.empty()) values->integers.back() += 1;
});

const Edit strides_swapped = each_tensor([](const Script&, const Outcome&, TensorReading& tensor) {
  auto* strides = std::get_if<std::vector<std::int64_t>>(&field_of(tensor, Field::strides));
  if (strides != nullptr && strides->size() >= 2 && is_true(field_of(tensor, Field::is_view)))
    std::swap(strides->front(), strides->back());
});

const Edit inference_from_mode = each_tensor([](const Script&, const Outcome& outcome, TensorReading& tensor) {
  if (is_true(field_of(tensor, Field::is_view)))
    field_of(tensor, Field::is_inference) = outcome.thread[static_cast<std::size_t>(ThreadField::inference_mode)];
});

const Edit clone_shares_storage = each_tensor([](const Script& script, const Outcome& outcome, TensorReading& tensor) {
  for (std::size_t i = 0; i < outcome.statement; ++i)
    if (const Call* call = std::get_if<Call>(&script.statements[i].kind))
      if (op(call->op).name == "clone" && std::ranges::find(call->results, tensor.tensor) != call->results.end())
        if (const Slot* source = std::get_if<Slot>(&call->arguments[0]))
          field_of(tensor, Field::storage) =
              std::min<std::int64_t>(static_cast<std::int64_t>(*source), static_cast<std::int64_t>(tensor.tensor));
});

const Edit grad_fn_forgotten = each_tensor([](const Script& script, const Outcome& outcome, TensorReading& tensor) {
  if (last_was(script, outcome, tensor.tensor, OpKind::Inplace) && is_true(field_of(tensor, Field::grad_fn)))
    field_of(tensor, Field::grad_fn) = false;
});

void error_swallowed(const Script& script, RunResult& result) {
  if (Trace* trace = std::get_if<Trace>(&result))
    for (Outcome& outcome : trace->outcomes)
      if (call_at(script, outcome) != nullptr && outcome.failure.error != ErrorClass::none) outcome.failure = {};
}

void error_of_another_class(const Script&, RunResult& result) {
  if (Trace* trace = std::get_if<Trace>(&result))
    for (Outcome& outcome : trace->outcomes)
      if (outcome.failure.error == ErrorClass::index_range) outcome.failure.error = ErrorClass::dim_range;
}

void crash_on_unfold(const Script& script, RunResult& result) {
  for (const Statement& statement : script.statements)
    if (const Call* call = std::get_if<Call>(&statement.kind))
      if (op(call->op).name == "unfold") result = Breakdown{Breakdown::Kind::crash, "signal 11 (planted)"};
}

}  // namespace

std::vector<Fault> planted_faults() {
  return {
      {"version-not-bumped", "an in-place op counts no version", version_not_bumped},
      {"error-swallowed", "a call that raises is reported as done", error_swallowed},
      {"error-class", "an index error is reported as a dimension error", error_of_another_class},
      {"element-off", "one element is off by one behind an in-place op", element_off},
      {"strides-swapped", "the strides of a view are swapped", strides_swapped},
      {"inference-from-mode", "is_inference of a view is the current mode", inference_from_mode},
      {"clone-shares", "clone is reported to share its source's storage", clone_shares_storage},
      {"grad-fn-forgotten", "an in-place op leaves no grad_fn", grad_fn_forgotten},
      {"crash", "the process dies on unfold", crash_on_unfold},
      {"flip-INF-03", "in the reference a view takes the inference bit from the mode", {}, &INF_03},
      {"flip-TLS-07", "in the reference an error leaves the guard's state behind", {}, &TLS_07},
      {"flip-GEO-26", "in the reference clone and functional results share storage", {}, &GEO_26},
      {"flip-VER-04", "in the reference a view has a version counter of its own", {}, &VER_04},
      {"flip-VIEW-08", "in the reference a forbidden write through a view is allowed", {}, &VIEW_08},
  };
}

RunResult FaultyAdapter::run(const Script& script) {
  RunResult result = inner_->run(script);
  edit_(script, result);
  return result;
}

std::vector<RunResult> FaultyAdapter::run_all(std::span<const Script> scripts) {
  std::vector<RunResult> results = inner_->run_all(scripts);
  for (std::size_t i = 0; i < results.size(); ++i) edit_(scripts[i], results[i]);
  return results;
}

}  // namespace plumbline::fuzz
