// Writing scripts: their statements, and the custom functions among them.
#include <array>

#include "adapters/protocol/names.h"
#include "adapters/protocol/writer.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::protocol {
namespace {

/// `,"key":`, before a member that is not the first.
void key(Writer& w, std::string_view name) {
  w.raw(",\"");
  w.raw(name);
  w.raw("\":");
}

void write(Writer& w, const Value& value) {
  const auto object = [&](std::string_view begin, const auto& write_rest) {
    w.raw(begin);
    write_rest();
    w.raw("}");
  };
  std::visit(
      Overloaded{[&](None) { w.raw("null"); }, [&](bool b) { w.truth(b); }, [&](std::int64_t i) { w.integer(i); },
                 [&](double d) { w.number(d); }, [&](Dtype d) { w.text(name_of(d)); },
                 [&](const std::vector<std::int64_t>& v) { w.integers(v); },
                 [&](const std::vector<Slot>& v) { object("{\"slots\":", [&] { w.slots(v); }); },
                 [&](Slot s) { object("{\"slot\":", [&] { w.slot(s); }); },
                 [&](NumberOf number) { object("{\"number_of\":", [&] { w.slot(number.parameter); }); },
                 [&](const std::string& text) { object("{\"text\":", [&] { w.text(text); }); },
                 [&](const Complex& number) {
                   object("{\"complex\":",
                          [&] { w.list(std::array{number.real, number.imag}, [&](double part) { w.number(part); }); });
                 }},
      value);
}

void write(Writer& w, const Call& call) {
  w.raw(R"("call","op":)");
  w.text((op(call.op).by_schema ? "aten::" : "") + qualified_name(op(call.op)));
  w.raw(",\"arguments\":");
  w.list(call.arguments, [&](const Value& v) { write(w, v); });
  w.raw(",\"results\":");
  w.slots(call.results);
  if (call.requires_grad) w.raw(",\"requires_grad\":true");
}

void write(Writer& w, const MakeTensor& make) {
  w.raw(R"("make","result":)");
  w.slot(make.result);
  w.raw(",\"dtype\":");
  w.text(name_of(make.dtype));
  w.raw(",\"sizes\":");
  w.integers(make.sizes);
  w.raw(",\"values\":");
  w.list(make.values, [&](double d) { w.number(d); });
  if (make.requires_grad) w.raw(",\"requires_grad\":true");
  if (make.on_cpu) w.raw(R"(,"device":"cpu")");
}

void write(Writer& w, const MakeMetaTensor& make) {
  w.raw(R"("make_meta","result":)");
  w.slot(make.result);
  key(w, "dtype");
  w.text(name_of(make.dtype));
  key(w, "sizes");
  w.integers(make.sizes);
}

/// A statement that takes one tensor from another.
void of_tensor(Writer& w, std::string_view what, Slot result, Slot tensor) {
  w.text(what);
  w.raw(",\"result\":");
  w.slot(result);
  w.raw(",\"tensor\":");
  w.slot(tensor);
}

void slot_member(Writer& w, std::string_view name, Slot slot) {
  key(w, name);
  w.slot(slot);
}
void slots_member(Writer& w, std::string_view name, const std::vector<Slot>& slots) {
  key(w, name);
  w.slots(slots);
}

void write(Writer& w, const Enter& enter) {
  w.raw("\"enter\",\"guard\":");
  w.text(name_of(enter.kind));
  key(w, "value");
  w.truth(enter.value);
  if (!takes_key(enter.kind)) return;
  key(w, "key");
  w.text(enter.key);
}
void write(Writer& w, Exit) { w.raw("\"exit\""); }
void write(Writer& w, Try) { w.raw("\"try\""); }
void write(Writer& w, EndTry) { w.raw("\"end_try\""); }
void write(Writer& w, Snapshot) { w.raw("\"snapshot\""); }
void write(Writer& w, StartThread) { w.raw("\"start_thread\""); }
void write(Writer& w, JoinThread) { w.raw("\"join_thread\""); }
void write(Writer& w, PauseThread) { w.raw("\"pause_thread\""); }
void write(Writer& w, ResumeThread) { w.raw("\"resume_thread\""); }

void write(Writer& w, const SetRequiresGrad& set) {
  w.raw("\"set_requires_grad\"");
  slot_member(w, "tensor", set.tensor);
  key(w, "value");
  w.truth(set.value);
  if (set.method) w.raw(",\"method\":true");
}
void write(Writer& w, const GetData& get) { of_tensor(w, "get_data", get.result, get.tensor); }
void write(Writer& w, const SetData& set) {
  w.raw("\"set_data\"");
  slot_member(w, "tensor", set.tensor);
  slot_member(w, "data", set.data);
}
/// The tensors from which backward starts, after the first.
void more_member(Writer& w, const std::vector<Root>& more) {
  if (more.empty()) return;
  w.raw(",\"more\":");
  w.list(more, [&](const Root& root) {
    w.raw("{\"tensor\":");
    w.slot(root.tensor);
    if (root.gradient) slot_member(w, "gradient", *root.gradient);
    w.raw("}");
  });
}
void write(Writer& w, const Backward& backward) {
  w.raw("\"backward\"");
  slot_member(w, "tensor", backward.tensor);
  if (backward.gradient) slot_member(w, "gradient", *backward.gradient);
  if (backward.retain_graph) w.raw(",\"retain_graph\":true");
  if (backward.create_graph) w.raw(",\"create_graph\":true");
  if (!backward.inputs.empty()) slots_member(w, "inputs", backward.inputs);
  more_member(w, backward.more);
}
void write(Writer& w, const GetGradients& get) {
  w.raw("\"get_gradients\"");
  slot_member(w, "tensor", get.tensor);
  slots_member(w, "inputs", get.inputs);
  slots_member(w, "results", get.results);
  if (get.gradient) slot_member(w, "gradient", *get.gradient);
  if (get.retain_graph) w.raw(",\"retain_graph\":true");
  if (get.create_graph) w.raw(",\"create_graph\":true");
  if (get.allow_unused) w.raw(",\"allow_unused\":true");
  more_member(w, get.more);
}
void write(Writer& w, const GetGrad& get) { of_tensor(w, "get_grad", get.result, get.tensor); }
void write(Writer& w, const SetGrad& set) {
  w.raw("\"set_grad\"");
  slot_member(w, "tensor", set.tensor);
  if (set.grad) slot_member(w, "grad", *set.grad);
}
void write(Writer& w, const RetainGrad& retain) {
  w.raw("\"retain_grad\"");
  slot_member(w, "tensor", retain.tensor);
}
void write(Writer& w, const RegisterHook& hook) {
  w.raw("\"register_hook\"");
  slot_member(w, "tensor", hook.tensor);
  key(w, "function");
  w.integer(hook.function);
  if (hook.after) w.raw(",\"after\":true");
}
void write(Writer& w, const RemoveHook& hook) {
  w.raw("\"remove_hook\",\"function\":");
  w.integer(hook.function);
}
void write(Writer& w, const EnterSavedTensorsHooks& hooks) {
  w.raw("\"enter_saved_tensors_hooks\",\"pack\":");
  w.integer(hooks.pack);
  key(w, "unpack");
  w.integer(hooks.unpack);
}
void write(Writer& w, const ManualSeed& seed) {
  w.raw("\"manual_seed\",\"seed\":");
  w.integer(seed.seed);
}

template <class Enter>
void begin_members(Writer& w, const Enter& enter) {
  slots_member(w, "inputs", enter.inputs);
  slots_member(w, "parameters", enter.parameters);
}
template <class Leave>
void end_members(Writer& w, std::string_view what, const Leave& leave) {
  w.text(what);
  slots_member(w, "returned", leave.returned);
  slots_member(w, "results", leave.results);
}
void write(Writer& w, const EnterForward& enter) {
  w.raw("\"enter_forward\",\"function\":");
  w.integer(enter.function);
  slots_member(w, "inputs", enter.inputs);
}
void write(Writer& w, const LeaveForward& leave) { end_members(w, "leave_forward", leave); }
void dims_member(Writer& w, std::string_view name, const std::vector<MappedDim>& dims) {
  key(w, name);
  w.list(dims, [&](const MappedDim& dim) { dim ? w.integer(*dim) : w.raw("null"); });
}
void write(Writer& w, const EnterFunctionalize& enter) {
  w.raw("\"enter_functionalize\",\"remove\":");
  w.text(kRemoveNames[static_cast<std::size_t>(enter.remove)]);
  begin_members(w, enter);
}
void write(Writer& w, const LeaveFunctionalize& leave) { end_members(w, "leave_functionalize", leave); }
void write(Writer& w, const EnterTransform& enter) {
  if (const auto* grad = std::get_if<Grad>(&enter.transform)) {
    w.raw("\"enter_grad\",\"value\":");
    w.truth(grad->value);
    key(w, "argnums");
    w.list(grad->argnums, [&](std::int64_t argnum) { w.integer(argnum); });
  } else {
    const auto& vmap = std::get<Vmap>(enter.transform);
    w.raw("\"enter_vmap\",\"randomness\":");
    w.text(kRandomnessNames[static_cast<std::size_t>(vmap.randomness)]);
    dims_member(w, "in_dims", vmap.in_dims);
  }
  begin_members(w, enter);
}
void write(Writer& w, const LeaveTransform& leave) {
  end_members(w, leave.differentiates ? "leave_grad" : "leave_vmap", leave);
  if (!leave.differentiates) dims_member(w, "out_dims", leave.out_dims);
}
void write(Writer& w, const ContextCall& call) {
  w.text(name_of(call.kind));
  slots_member(w, "tensors", call.tensors);
}
void write(Writer& w, const LoadSaved& load) {
  w.raw("\"load_saved\"");
  slots_member(w, "results", load.results);
}

/// The statement's kind, and the library that it is about.
void of_library(Writer& w, std::string_view what, const std::string& library) {
  w.text(what);
  key(w, "library");
  w.text(library);
}
void operator_member(Writer& w, std::int32_t op) {
  key(w, "operator");
  w.integer(op);
}

void write(Writer& w, const MakeLibrary& make) {
  of_library(w, "make_library", make.library);
  key(w, "namespace");
  w.text(make.space);
  key(w, "kind");
  w.text(kLibraryKindNames[static_cast<std::size_t>(make.kind)]);
}
void write(Writer& w, const DefineOperator& define) {
  of_library(w, "define_operator", define.library);
  operator_member(w, define.op);
}
void write(Writer& w, const AddKernel& add) {
  of_library(w, "add_kernel", add.library);
  operator_member(w, add.op);
  key(w, "key");
  w.text(add.key);
  key(w, "kernel");
  add.kernel ? w.integer(*add.kernel) : w.raw("null");
}
void write(Writer& w, const AddFallback& add) {
  of_library(w, "add_fallback", add.library);
  key(w, "key");
  w.text(add.key);
  key(w, "kernel");
  add.kernel ? w.integer(*add.kernel) : w.raw("null");
}
void write(Writer& w, const QueryKernel& query) {
  w.raw("\"query_kernel\",\"operator\":");
  w.text(query.op);
  key(w, "key");
  w.text(query.key);
  key(w, "what");
  w.text(kQueryNames[static_cast<std::size_t>(query.what)]);
}
void write(Writer& w, const QueryThreadKey& query) {
  w.raw("\"query_thread_key\",\"key\":");
  w.text(query.key);
  if (query.excluded) w.raw(",\"excluded\":true");
}
void write(Writer& w, const RaiseError& raised) {
  w.raw("\"raise\",\"message\":");
  w.text(raised.message);
}
void write(Writer& w, const AppendToLog& append) {
  if (append.keys) return w.raw("\"append_to_log\",\"keys\":true");
  w.raw("\"append_to_log\",\"text\":");
  w.text(append.text);
}
void write(Writer& w, ReadLog) { w.raw("\"read_log\""); }
void write(Writer& w, ClearLog) { w.raw("\"clear_log\""); }
void write(Writer& w, const DropLibrary& drop) { of_library(w, "drop_library", drop.library); }

void write(Writer& w, const Invoke& invoke) {
  w.raw("\"invoke\",\"operator\":");
  w.integer(invoke.op);
  key(w, "inputs");
  w.list(invoke.inputs, [&](const Value& value) { write(w, value); });
  slots_member(w, "results", invoke.results);
  if (invoke.passes_arguments) w.raw(",\"passes_arguments\":true");
  if (!invoke.redispatch) return;
  key(w, "redispatch");
  w.list(*invoke.redispatch, [&](const KeyStep& step) {
    w.raw("{\"kind\":");
    w.text(kKeyStepNames[static_cast<std::size_t>(step.kind)]);
    key(w, "key");
    w.text(step.key);
    w.raw("}");
  });
}

void write(Writer& w, const Read& read) {
  w.raw("\"read\"");
  slot_member(w, "tensor", read.tensor);
  key(w, "field");
  w.text(name_of(read.field));
}
void write(Writer& w, const ReadThread& read) {
  w.raw("\"read_thread\",\"field\":");
  w.text(name_of(read.field));
}

void write(Writer& w, const Statement& statement) {
  w.raw("{\"do\":");
  std::visit([&](const auto& kind) { write(w, kind); }, statement.kind);
  if (statement.line != 0) {
    key(w, "line");
    w.integer(statement.line);
  }
  w.raw("}");
}

void statements(Writer& w, const std::vector<Statement>& all) {
  w.list(all, [&](const Statement& s) { write(w, s); });
}

void write(Writer& w, const CustomBackward& function) {
  w.raw("{\"name\":");
  w.text(function.name);
  slots_member(w, "gradients", function.gradients);
  key(w, "statements");
  statements(w, function.statements);
  key(w, "returned");
  w.list(function.returned, [&](const std::optional<Slot>& slot) { slot ? w.slot(*slot) : w.raw("null"); });
  w.raw("}");
}

void write(Writer& w, const CustomKernel& kernel) {
  w.raw("{\"name\":");
  w.text(kernel.name);
  if (kernel.with_keyset) w.raw(",\"with_keyset\":true");
  if (kernel.any_arguments) w.raw(",\"any_arguments\":true");
  if (kernel.returns_passed) w.raw(",\"returns_passed\":true");
  slots_member(w, "parameters", kernel.parameters);
  key(w, "statements");
  statements(w, kernel.statements);
  slots_member(w, "returned", kernel.returned);
  w.raw("}");
}

void write(Writer& w, const CustomOperator& op) {
  w.raw("{\"namespace\":");
  w.text(space_of(op.name));
  key(w, "schema");
  w.text(schema_text(op));
  w.raw("}");
}

}  // namespace

void write(Writer& w, const Script& script) {
  w.raw("{\"names\":");
  w.list(script.names, [&](const std::string& name) { w.text(name); });
  key(w, "statements");
  statements(w, script.statements);
  if (!script.functions.empty()) {
    key(w, "functions");
    w.list(script.functions, [&](const CustomBackward& f) { write(w, f); });
  }
  if (!script.operators.empty()) {
    key(w, "operators");
    w.list(script.operators, [&](const CustomOperator& op) { write(w, op); });
  }
  if (!script.kernels.empty()) {
    key(w, "kernels");
    w.list(script.kernels, [&](const CustomKernel& kernel) { write(w, kernel); });
  }
  w.raw("}");
}

}  // namespace plumbline::protocol
