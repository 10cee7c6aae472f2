// Random messages of the protocol.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/tests/protocol_random_values.h"

namespace plumbline::protocol_random {

// Random messages: they are random as JSON, but the programs need not make sense.

inline Value any_value() {
  switch (below(9)) {
    case 0:
      return None{};
    case 1:
      return any_truth();
    case 2:
      return any_integer();
    case 3:
      return any_number();
    case 4:
      return static_cast<Dtype>(below(kDtypeNames.size()));
    case 5:
      return any_integers();
    case 6:
      return some(3, any_slot);
    case 7:
      return Complex{any_number(), any_number()};
    default:
      return any_slot();
  }
}

inline std::string any_key() {
  constexpr std::array<std::string_view, 5> kKeys{"CPU", "ADInplaceOrView", "AutogradCPU", "PrivateUse1", "SparseCPU"};
  return std::string(kKeys[static_cast<std::size_t>(below(kKeys.size()))]);
}

inline Enter any_enter() {
  Enter enter{static_cast<GuardKind>(below(9)), any_truth()};
  if (enter.kind == GuardKind::exclude_key || enter.kind == GuardKind::include_key) enter.key = any_key();
  return enter;
}

inline std::vector<Slot> slots(std::size_t count) {
  std::vector<Slot> all(count);
  for (Slot& slot : all) slot = any_slot();
  return all;
}
inline std::optional<Slot> perhaps_a_slot() { return any_truth() ? std::optional(any_slot()) : std::nullopt; }
inline Root any_root() { return {any_slot(), perhaps_a_slot()}; }

inline Call any_call() {
  const auto id = static_cast<OpId>(below(static_cast<int>(op_table().size())));
  const Op& o = op(id);
  Call call{id, {}, o.many_results ? some(3, any_slot) : slots(any_truth() ? o.results : 0), any_truth()};
  for (std::size_t i = 0; i < o.arguments.size(); ++i) call.arguments.push_back(any_value());
  return call;
}

inline StatementKind any_logged() {
  return any_truth() ? StatementKind(RaiseError{any_text()}) : AppendToLog{any_text()};
}

inline StatementKind any_statement() {
  switch (below(23)) {
    case 22:
      return MakeMetaTensor{any_slot(), Dtype::int64, {below(3), below(3)}};
    case 18:
      return QueryKernel{any_text(), any_text(), static_cast<QueryKernel::What>(below(kQueryNames.size()))};
    case 19:
      return QueryThreadKey{any_key(), any_truth()};
    case 20:
      return any_truth() ? StatementKind(ReadLog{}) : ClearLog{};
    case 21:
      return any_logged();
    case 0:
      return any_call();
    case 1: {
      MakeTensor make{any_slot(), Dtype::float64, {below(3), below(3)}, {}, any_truth()};
      for (std::int64_t i = 0; i < make.sizes[0] * make.sizes[1]; ++i) make.values.push_back(any_number());
      make.on_cpu = any_truth();
      return make;
    }
    case 2:
      return any_enter();
    case 3:
      return Exit{};
    case 4:
      return Try{};
    case 5:
      return EndTry{};
    case 6:
      return SetRequiresGrad{any_slot(), any_truth(), any_truth()};
    case 7:
      return Read{any_slot(), static_cast<Field>(below(kFields))};
    case 8:
      return ReadThread{static_cast<ThreadField>(below(kThreadFields))};
    case 9:
      return GetData{any_slot(), any_slot()};
    case 10:
      return SetData{any_slot(), any_slot()};
    case 11:
      return Backward{any_slot(), perhaps_a_slot(), any_truth(), some(2, any_slot), some(2, any_root)};
    case 12:
      return GetGrad{any_slot(), any_slot()};
    case 13:
      return SetGrad{any_slot(), perhaps_a_slot()};
    case 14:
      return RetainGrad{any_slot()};
    case 15:
      return ManualSeed{any_integer()};
    case 16: {
      GetGradients get{any_slot(), some(2, any_slot), {}, perhaps_a_slot(), any_truth(), any_truth()};
      get.inputs.push_back(any_slot());
      if (any_truth()) get.results = get.inputs;
      get.more = some(2, any_root);
      return get;
    }
    default:
      return Snapshot{};
  }
}

inline StatementKind any_statement_of_backward() {
  switch (below(6)) {
    case 0:
      return any_call();
    case 1:
      return any_enter();
    case 2:
      return Exit{};
    case 5:
      return any_logged();
    case 3:
      return any_truth() ? StatementKind(Try{}) : EndTry{};
    default:
      return LoadSaved{some(3, any_slot)};
  }
}

inline StatementKind any_statement_of_kernel() {
  switch (below(5)) {
    case 0:
      return any_call();
    case 1:
      return any_enter();
    case 4:
      return any_logged();
    case 2:
      return GetData{any_slot(), any_slot()};
    default:
      return Exit{};
  }
}

/// Statements with nested forwards and threads, and hooks.
inline void add_statements(Script& script, int depth, bool in_forward = false) {
  const auto add = [&](StatementKind kind) { script.statements.push_back({std::move(kind), below(100)}); };
  for (int i = 0, n = below(6); i < n; ++i) {
    const int kind = below(depth > 0 ? 11 : 6);
    if (kind < 6) {
      add(any_statement());
    } else if (kind == 9 && !in_forward && below(3) == 0) {
      const auto number = static_cast<std::int32_t>(script.functions.size());
      for (int f = 0; f < 2; ++f)
        script.functions.push_back(
            {any_text(), {any_slot()}, some(3, [] { return Statement{any_call(), below(100)}; }), {any_slot()}});
      add(EnterSavedTensorsHooks{number, number + 1});
    } else if (kind == 9 && !in_forward) {
      const auto number = static_cast<std::int32_t>(script.functions.size());
      const auto body = some(3, [] { return Statement{any_call(), below(100)}; });
      const bool after = any_truth();
      script.functions.push_back({any_text(), {any_slot()}, body, {after ? std::nullopt : perhaps_a_slot()}});
      add(RegisterHook{any_slot(), number, after});
      if (any_truth()) add(RemoveHook{number});
    } else if (kind == 6) {
      add(StartThread{});
      add_statements(script, depth - 1);  // hooks are refused only in a forward's own statements
      if (any_truth()) {
        add(PauseThread{});
        add_statements(script, depth - 1);
        add(ResumeThread{});
      }
      add(JoinThread{});
    } else if (kind == 7) {
      const auto inputs = slots(static_cast<std::size_t>(below(3))),
                 returned = slots(static_cast<std::size_t>(below(3)));
      add(EnterFunctionalize{static_cast<Remove>(below(2)), inputs, slots(inputs.size())});
      add_statements(script, depth - 1, in_forward);
      add(LeaveFunctionalize{returned, slots(returned.size())});
    } else if (kind == 10) {
      const auto inputs = slots(static_cast<std::size_t>(below(3))),
                 returned = slots(static_cast<std::size_t>(below(3)));
      const auto dims = [](std::size_t count) {
        std::vector<MappedDim> all(count);
        for (MappedDim& dim : all)
          if (any_truth()) dim = below(5) - 2;
        return all;
      };
      const bool maps = any_truth();
      Transform transform = Vmap{dims(inputs.size()), static_cast<Randomness>(below(3))};
      if (!maps) transform = Grad{{below(5) - 2}, any_truth()};
      add(EnterTransform{std::move(transform), inputs, slots(inputs.size())});
      add_statements(script, depth - 1, in_forward);
      add(LeaveTransform{maps ? dims(returned.size()) : std::vector<MappedDim>(), returned, slots(returned.size()),
                         !maps});
    } else {
      const auto gradients = some(2, any_slot);
      const auto returned = some(3, perhaps_a_slot);
      add(EnterForward{static_cast<std::int32_t>(script.functions.size()), slots(returned.size())});
      const auto body = some(3, [] { return Statement{any_statement_of_backward(), below(100)}; });
      script.functions.push_back({any_text(), gradients, body, returned});
      if (any_truth()) add(ContextCall{static_cast<ContextKind>(below(3)), some(3, any_slot)});
      add_statements(script, depth - 1, true);
      add(LeaveForward{slots(gradients.size()), slots(gradients.size())});
    }
  }
}

inline SchemaValue any_schema_tensor(std::string name) {
  const bool marked = any_truth();
  return {std::move(name), marked ? "a" : "", marked && any_truth()};
}
inline SchemaValue any_argument(std::string name) {
  SchemaValue made = any_schema_tensor(std::move(name));
  made.kind = static_cast<SchemaValue::Kind>(below(static_cast<int>(kSchemaKindTexts.size())));
  if (is_number(made.kind)) made.alias.clear();
  made.written = made.written && !made.alias.empty();
  return made;
}

inline Value any_value_of(SchemaValue::Kind kind) {
  switch (kind) {
    case SchemaValue::Kind::tensor:
      return any_slot();
    case SchemaValue::Kind::optional:
      return any_truth() ? Value(any_slot()) : None{};
    case SchemaValue::Kind::list:
      return some(3, any_slot);
    case SchemaValue::Kind::integer:
      return any_integer();
    case SchemaValue::Kind::real:
      return any_number();
    case SchemaValue::Kind::truth:
      return any_truth();
  }
  return None{};
}
/// What a call of the operator is given; `kernel`: in one with these parameters, also its numbers.
inline std::vector<Value> any_inputs(const CustomOperator& op, const CustomKernel* kernel = nullptr) {
  std::vector<Value> all;
  for (std::size_t i = 0; i < op.arguments.size(); ++i) {
    const bool given = kernel != nullptr && !kernel->parameters.empty() && is_number(op.arguments[i].kind);
    all.push_back(given && any_truth() ? Value(NumberOf{kernel->parameters[i]}) : any_value_of(op.arguments[i].kind));
  }
  return all;
}

inline KeyStep any_key_step() {
  const auto kind = static_cast<KeyStep::Kind>(below(static_cast<int>(KeyStep::Kind::only)));
  return {kind, takes_key(kind) ? any_key() : ""};
}

inline CustomOperator any_operator(std::size_t number) {
  CustomOperator op{"mine::f" + std::to_string(number), {any_argument("x")}, {}};
  if (any_truth()) op.arguments.push_back(any_argument("y"));
  for (int i = 0, n = below(3); i < n; ++i) op.returns.push_back(any_schema_tensor(""));
  return op;
}

/// A kernel of the operator of that number.
inline CustomKernel any_kernel(const CustomOperator& op, std::int32_t number) {
  CustomKernel kernel{any_text()};
  // Each parameter has its own slot: NumberOf names one.
  for (std::size_t i = 0; i < op.arguments.size(); ++i)
    kernel.parameters.push_back(static_cast<Slot>(50 + static_cast<int>(i)));
  kernel.statements = some(3, [] { return Statement{any_statement_of_kernel(), below(100)}; });
  kernel.returned = slots(op.returns.size());
  kernel.with_keyset = any_truth();
  kernel.any_arguments = any_truth();
  if (kernel.any_arguments) {
    kernel.parameters.clear();
    kernel.returns_passed = any_truth();
    if (kernel.returns_passed) kernel.returned.clear();
    Invoke passed{any_truth() ? number : kCalledOperator, {}, {}};
    passed.passes_arguments = true;
    kernel.statements.push_back({std::move(passed), 0});
  }
  if (!kernel.with_keyset) return kernel;
  kernel.statements.push_back({AppendToLog{"", true}, 0});
  Invoke again{number, any_inputs(op, &kernel), slots(op.returns.size())};
  again.redispatch = some(3, any_key_step);
  if (any_truth())
    again.redispatch->insert(again.redispatch->begin(), {KeyStep::Kind::only, any_truth() ? any_key() : "Undefined"});
  kernel.statements.push_back({std::move(again), 0});
  return kernel;
}

/// Registers some kernels of each operator, and calls it.
inline void use_operators(Script& script) {
  const auto add = [&](StatementKind kind) { script.statements.push_back({std::move(kind), below(100)}); };
  if (!script.operators.empty()) add(MakeLibrary{"lib", "mine", static_cast<MakeLibrary::Kind>(below(3))});
  for (std::size_t i = 0; i < script.operators.size(); ++i) {
    const CustomOperator& op = script.operators[i];
    const auto number = static_cast<std::int32_t>(i);
    add(DefineOperator{"lib", number});
    for (int k = 0, n = below(3); k < n; ++k) {
      AddKernel kernel{"lib", number, any_text()};
      if (any_truth()) kernel.kernel = static_cast<std::int32_t>(script.kernels.size());
      if (kernel.kernel) script.kernels.push_back(any_kernel(op, number));
      add(std::move(kernel));
    }
    add(Invoke{number, any_inputs(op), slots(op.returns.size())});
  }
  if (!script.operators.empty() && any_truth()) add(AddFallback{"lib", any_text()});
  if (!script.operators.empty() && any_truth()) add(DropLibrary{"lib"});
}

inline Script any_script() {
  Script script;
  script.names = some(5, any_text);
  for (int i = 0, n = below(3); i < n; ++i) script.operators.push_back(any_operator(script.operators.size()));
  use_operators(script);
  add_statements(script, 2);
  return script;
}

inline Failure any_failure() {
  return {static_cast<ErrorClass>(1 + below(static_cast<int>(ErrorClass::unclassified))), any_text(), any_text()};
}

inline Values any_values() {
  Values v;
  if (any_truth())
    v.floats = some(6, any_number);
  else
    v.integers = any_integers();
  if (any_truth()) v.known.assign(v.floats.size() + v.integers.size(), any_truth());
  if (any_truth() && v.integers.empty())
    for (std::size_t i = 0; i < v.floats.size(); ++i) v.bounds.push_back(any_number());
  return v;
}

inline Reading any_reading() {
  switch (below(10)) {
    case 0:
      return std::monostate{};
    case 1:
      return None{};
    case 2:
      return any_truth();
    case 3:
      return any_integer();
    case 4:
      return any_text();
    case 5:
      return any_integers();
    case 6:
      return some(3, any_text);
    case 7:
      return any_values();
    case 8:
      return any_failure();
    default:
      return any_truth() ? Unspecified{any_text(), -1, 0} : Unspecified{any_text(), below(1000), below(1000)};
  }
}

inline std::vector<Reading> readings(int count) {
  std::vector<Reading> all;
  for (int i = 0; i < count; ++i) all.push_back(any_reading());
  return all;
}

inline Trace any_trace() {
  const auto outcome = [] {
    Outcome o;
    o.statement = static_cast<std::size_t>(below(1000));
    if (any_truth()) o.failure = any_failure();
    if (any_truth()) o.reading = any_reading();
    if (any_truth())
      o.kernels =
          some(3, [] { return KernelRun{static_cast<Functionality>(1 + below(kFunctionalities)), any_truth()}; });
    if (any_truth()) {
      o.thread = readings(kThreadFields);
      o.tensors = some(3, [] { return TensorReading{any_slot(), readings(kFields)}; });
    }
    return o;
  };
  return {some(5, outcome), any_truth()};
}

}  // namespace plumbline::protocol_random
