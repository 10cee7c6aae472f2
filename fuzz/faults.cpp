// The planted faults.
#include "fuzz/faults.h"

#include <algorithm>

#include "adapters/protocol/names.h"
#include "oracle/lookup.h"
#include "oracle/monitors.h"
#include "spec/ops/ops.h"

namespace plumbline::fuzz {

namespace {

using Edit = std::function<void(const Script&, RunResult&)>;
using Names = std::vector<std::string>;

/// Where a field was read: by a snapshot or by a statement of its own.
struct Place {
  const Script& script;
  std::size_t statement;
  Slot tensor{};
};

void put(Outcome& outcome, const Reading& reading) {
  const auto* failure = std::get_if<Failure>(&reading);
  outcome.failure = failure == nullptr ? Failure{} : *failure;
  outcome.reading = reading;
}

/// Edits every reading of a field.
template <class EditReading>
Edit each(Field field, EditReading edit) {
  return [field, edit](const Script& script, RunResult& result) {
    Trace* trace = std::get_if<Trace>(&result);
    if (trace == nullptr) return;
    for (Outcome& outcome : trace->outcomes) {
      for (TensorReading& tensor : outcome.tensors)
        edit(Place{script, outcome.statement, tensor.tensor}, tensor.fields[static_cast<std::size_t>(field)]);
      const auto* read = std::get_if<Read>(&script.statements[outcome.statement].kind);
      if (read == nullptr || read->field != field) continue;
      Reading reading = reading_of(outcome);
      edit(Place{script, outcome.statement, read->tensor}, reading);
      put(outcome, reading);
    }
  };
}
template <class EditReading>
Edit each(ThreadField field, EditReading edit) {
  return [field, edit](const Script& script, RunResult& result) {
    Trace* trace = std::get_if<Trace>(&result);
    if (trace == nullptr) return;
    for (Outcome& outcome : trace->outcomes) {
      if (!outcome.thread.empty()) edit(outcome.thread[static_cast<std::size_t>(field)]);
      const auto* read = std::get_if<ReadThread>(&script.statements[outcome.statement].kind);
      if (read != nullptr && read->field == field) edit(outcome.reading);
    }
  };
}

/// The last call before a place that gave the slot its tensor or wrote it; null: there is no such call.
const Call* last_call(const Place& place) {
  for (std::size_t i = place.statement; i-- > 0;) {
    const Call* call = std::get_if<Call>(&place.script.statements[i].kind);
    if (call == nullptr) continue;
    const bool binds = std::ranges::find(call->results, place.tensor) != call->results.end();
    const bool writes =
        !call->arguments.empty() && call->arguments[0] == Value(place.tensor) && op(call->op).aliases == Aliases::self;
    if (binds || writes) return call;
  }
  return nullptr;
}
bool last_was(const Place& place, OpKind kind) {
  const Call* call = last_call(place);
  return call != nullptr && op(call->op).kind == kind;
}
bool last_was(const Place& place, std::string_view name) {
  const Call* call = last_call(place);
  return call != nullptr && op(call->op).name == name;
}

void version_not_bumped(const Place& place, Reading& reading) {
  auto* version = std::get_if<std::int64_t>(&reading);
  if (version != nullptr && *version > 0 && last_was(place, OpKind::Inplace)) --*version;
}
void element_off(const Place& place, Reading& reading) {
  auto* values = std::get_if<Values>(&reading);
  if (values == nullptr || !last_was(place, OpKind::Inplace)) return;
  if (!values->floats.empty()) values->floats.back() += 1;
  if (!values->integers.empty()) values->integers.back() += 1;
}
void strides_swapped(const Place& place, Reading& reading) {
  auto* strides = std::get_if<std::vector<std::int64_t>>(&reading);
  if (strides != nullptr && strides->size() >= 2 && last_was(place, OpKind::View))
    std::swap(strides->front(), strides->back());
}
void sizes_of_the_base(const Place& place, Reading& reading) {
  auto* sizes = std::get_if<std::vector<std::int64_t>>(&reading);
  if (sizes != nullptr && sizes->size() >= 2 && last_was(place, "transpose")) std::swap(sizes->front(), sizes->back());
}
void offset_lost(const Place& place, Reading& reading) {
  if (last_was(place, OpKind::View)) reading = std::int64_t{0};
}
void dtype_single(const Place&, Reading& reading) {
  auto* name = std::get_if<std::string>(&reading);
  if (name != nullptr && *name == "float64") *name = "float32";
}
void inference_from_mode(const Place& place, Reading& reading) {
  if (last_was(place, OpKind::View)) reading = bool(inside_inference_mode(place.script).at(place.statement));
}
void clone_shares_storage(const Place& place, Reading& reading) {
  const Call* call = last_call(place);
  if (call == nullptr || op(call->op).name != "clone") return;
  if (const Slot* source = std::get_if<Slot>(&call->arguments[0]))
    reading = std::min<std::int64_t>(static_cast<std::int64_t>(*source), static_cast<std::int64_t>(place.tensor));
}
void key_missing(const Place&, Reading& reading) {
  if (auto* names = std::get_if<Names>(&reading)) std::erase(*names, "ADInplaceOrView");
}
void grad_required_behind_detach(const Place& place, Reading& reading) {
  if (last_was(place, "detach")) reading = true;
}
void everything_a_leaf(const Place&, Reading& reading) {
  if (std::holds_alternative<bool>(reading)) reading = true;
}
void grad_fn_forgotten(const Place& place, Reading& reading) {
  if (std::holds_alternative<bool>(reading) && last_was(place, OpKind::Inplace)) reading = false;
}
void view_forgotten(const Place& place, Reading& reading) {
  const Call* call = last_call(place);
  if (call == nullptr || op(call->op).kind != OpKind::View) return;
  const auto made = std::ranges::find_if(
      place.script.statements, [&](const Statement& statement) { return std::get_if<Call>(&statement.kind) == call; });
  const auto statement = static_cast<std::size_t>(made - place.script.statements.begin());
  if (inside_inference_mode(place.script).at(statement)) reading = false;
}
void base_is_the_source(const Place& place, Reading& reading) {
  const auto* base = std::get_if<std::int64_t>(&reading);
  if (base == nullptr || *base < 0 || !last_was(place, OpKind::View)) return;
  if (const Slot* source = std::get_if<Slot>(&last_call(place)->arguments[0]))
    reading = static_cast<std::int64_t>(*source);
}
void creation_default(const Place&, Reading& reading) {
  if (auto* name = std::get_if<std::string>(&reading)) *name = "DEFAULT";
}
void size_one_kept(const Place& place, Reading& reading) {
  auto* sizes = std::get_if<std::vector<std::int64_t>>(&reading);
  if (sizes == nullptr || sizes->empty() || !last_was(place, "expand")) return;
  sizes->front() = 1;
}
void stride_one(const Place& place, Reading& reading) {
  auto* strides = std::get_if<std::vector<std::int64_t>>(&reading);
  if (strides != nullptr && !strides->empty() && last_was(place, "slice")) strides->back() = 1;
}
void sum_of_nothing(const Place& place, Reading& reading) {
  auto* values = std::get_if<Values>(&reading);
  if (values == nullptr || !last_was(place, "sum")) return;
  std::ranges::fill(values->floats, 0.0);
  std::ranges::fill(values->integers, 0);
}
void view_shares_nothing(const Place& place, Reading& reading) {
  if (last_was(place, OpKind::View)) reading = static_cast<std::int64_t>(place.tensor);
}
void functional_never_inference(const Place& place, Reading& reading) {
  if (last_was(place, OpKind::Functional)) reading = false;
}
void version_bumped_twice(const Place& place, Reading& reading) {
  auto* version = std::get_if<std::int64_t>(&reading);
  if (version != nullptr && *version > 0 && last_was(place, OpKind::Inplace)) ++*version;
}
void mode_takes_grad_mode(const Place&, Reading& reading) {
  auto* name = std::get_if<std::string>(&reading);
  if (name != nullptr && *name == "INFERENCE_MODE") *name = "NO_GRAD_MODE";
}
void grad_of_a_view_forgotten(const Place& place, Reading& reading) {
  if (last_was(place, OpKind::View)) reading = false;
}
void mode_never_on(Reading& reading) { reading = false; }
void view_key_not_included(Reading& reading) {
  if (auto* names = std::get_if<Names>(&reading)) std::erase(*names, "ADInplaceOrView");
}
void grad_mode_on(Reading& reading) { reading = true; }
void nothing_excluded(Reading& reading) {
  if (auto* names = std::get_if<Names>(&reading))
    std::erase_if(*names, [](const std::string& name) { return name.starts_with("Autograd"); });
}

/// Edits the error of each call.
template <class EditFailure>
Edit each_error(EditFailure edit) {
  return [edit](const Script& script, RunResult& result) {
    if (Trace* trace = std::get_if<Trace>(&result))
      for (Outcome& outcome : trace->outcomes)
        if (std::holds_alternative<Call>(script.statements[outcome.statement].kind)) edit(outcome.failure);
  };
}
void error_swallowed(Failure& failure) { failure = {}; }
void error_of_another_class(Failure& failure) {
  if (failure.error != ErrorClass::dim_range) return;
  failure = {ErrorClass::shape, error_message(ErrorClass::shape, {}), "RuntimeError"};
}

void crash_on_unfold(const Script& script, RunResult& result) {
  for (const Statement& statement : script.statements)
    if (const Call* call = std::get_if<Call>(&statement.kind))
      if (op(call->op).name == "unfold") result = Breakdown{Breakdown::Kind::crash, "signal 11 (planted)"};
}

Fault fault(std::string_view name, std::string_view sentence, Field field, void (*edit)(const Place&, Reading&)) {
  return {name, sentence, field, each(field, edit)};
}

}  // namespace

std::vector<Fault> planted_faults() {
  using enum Field;
  return {
      fault("dtype-single", "float64 is reported as float32", dtype, dtype_single),
      fault("sizes-of-the-base", "a transposed view has its base's sizes", sizes, sizes_of_the_base),
      fault("strides-swapped", "the strides of a view are swapped", strides, strides_swapped),
      fault("offset-lost", "a view begins where its storage does", offset, offset_lost),
      fault("element-off", "one element is off by one after an in-place op", values, element_off),
      fault("clone-shares", "clone is reported to share its source's storage", storage, clone_shares_storage),
      fault("key-missing", "no tensor carries ADInplaceOrView", keys, key_missing),
      fault("inference-from-mode", "is_inference of a view is the current mode", is_inference, inference_from_mode),
      fault("version-not-bumped", "an in-place op counts no version", version, version_not_bumped),
      fault("grad-behind-detach", "detach gives a tensor that requires grad", requires_grad,
            grad_required_behind_detach),
      fault("always-a-leaf", "every tensor is a leaf", is_leaf, everything_a_leaf),
      fault("grad-fn-forgotten", "an in-place op leaves no grad_fn", grad_fn, grad_fn_forgotten),
      fault("view-forgotten", "a view made inside inference mode is no view", is_view, view_forgotten),
      fault("base-of-a-view", "the base of a view of a view is that view", base, base_is_the_source),
      fault("creation-default", "every view has creation metadata DEFAULT", creation_meta, creation_default),
      fault("size-one-kept", "expand leaves the first size at 1", sizes, size_one_kept),
      fault("stride-one", "a slice has stride 1, whatever its step", strides, stride_one),
      fault("sum-of-nothing", "sum gives 0", values, sum_of_nothing),
      fault("view-shares-nothing", "a view is reported to have storage of its own", storage, view_shares_nothing),
      fault("never-inference", "a functional result is never an inference tensor", is_inference,
            functional_never_inference),
      fault("version-bumped-twice", "an in-place op counts two versions", version, version_bumped_twice),
      fault("mode-as-no-grad", "a view made in inference mode has NO_GRAD_MODE", creation_meta, mode_takes_grad_mode),
      fault("grad-of-a-view", "a view never requires grad", requires_grad, grad_of_a_view_forgotten),
      {"mode-never-on", "inference mode is never on", ThreadField::inference_mode,
       each(ThreadField::inference_mode, mode_never_on)},
      {"view-key-excluded", "ADInplaceOrView is not in the included set", ThreadField::included,
       each(ThreadField::included, view_key_not_included)},
      {"grad-mode-on", "grad mode is never off", ThreadField::grad_mode, each(ThreadField::grad_mode, grad_mode_on)},
      {"nothing-excluded", "no guard excludes an Autograd key", ThreadField::excluded,
       each(ThreadField::excluded, nothing_excluded)},
      {"error-swallowed", "a call that raises is reported as done", RaisedAtAll{}, each_error(error_swallowed)},
      {"error-class", "a dimension out of range is reported as an error of shapes", ErrorKind{},
       each_error(error_of_another_class)},
      {"crash", "the process dies on unfold", {}, crash_on_unfold},
  };
}

std::string_view name_of(const ShownBy& shown_by) {
  if (const auto* field = std::get_if<Field>(&shown_by)) return plumbline::name_of(*field);
  if (const auto* field = std::get_if<ThreadField>(&shown_by)) return plumbline::name_of(*field);
  if (std::holds_alternative<RaisedAtAll>(shown_by)) return "errors";
  return std::holds_alternative<ErrorKind>(shown_by) ? "error classes" : "-";
}

Description without(Description description, const ShownBy& shown_by) {
  if (const auto* field = std::get_if<Field>(&shown_by))
    description.fields[static_cast<std::size_t>(*field)] = Strictness::ignore;
  if (const auto* field = std::get_if<ThreadField>(&shown_by))
    description.thread[static_cast<std::size_t>(*field)] = Strictness::ignore;
  if (std::holds_alternative<RaisedAtAll>(shown_by)) description.errors = Strictness::ignore;
  if (std::holds_alternative<ErrorKind>(shown_by)) description.errors = Strictness::kind;
  return description;
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
