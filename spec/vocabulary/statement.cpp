// Says which statements are unsafe, and which ones bodies may contain.
#include "spec/vocabulary/statement.h"

#include <algorithm>

#include "spec/vocabulary/device_argument.h"

namespace plumbline {

bool is_unsafe(const StatementKind& statement) {
  if (const auto* call = std::get_if<Call>(&statement)) return op(call->op).unsafe;
  if (const auto* enter = std::get_if<Enter>(&statement)) return enter->kind >= GuardKind::below_autograd;
  return std::holds_alternative<GetData>(statement) || std::holds_alternative<SetData>(statement) ||
         std::holds_alternative<Invoke>(statement);
}

namespace {

bool logs_or_raises(const StatementKind& kind) {
  return std::holds_alternative<AppendToLog>(kind) || std::holds_alternative<RaiseError>(kind);
}

}  // namespace

bool fits_kernel(const StatementKind& kind) {
  return logs_or_raises(kind) || std::holds_alternative<Call>(kind) || std::holds_alternative<MakeTensor>(kind) ||
         std::holds_alternative<Enter>(kind) || std::holds_alternative<Exit>(kind) ||
         std::holds_alternative<GetData>(kind) || std::holds_alternative<Invoke>(kind) ||
         std::holds_alternative<EnterForward>(kind) || std::holds_alternative<LeaveForward>(kind) ||
         std::holds_alternative<ContextCall>(kind);
}

bool enters_body(const StatementKind& kind) {
  return std::holds_alternative<EnterFunctionalize>(kind) || std::holds_alternative<EnterTransform>(kind);
}

bool leaves_body(const StatementKind& kind) {
  return std::holds_alternative<LeaveFunctionalize>(kind) || std::holds_alternative<LeaveTransform>(kind);
}

bool is_registration(const StatementKind& kind) {
  return std::holds_alternative<MakeLibrary>(kind) || std::holds_alternative<DefineOperator>(kind) ||
         std::holds_alternative<AddKernel>(kind) || std::holds_alternative<AddFallback>(kind) ||
         std::holds_alternative<DropLibrary>(kind);
}

bool fits_backward(const StatementKind& kind, bool after) {
  return logs_or_raises(kind) || std::holds_alternative<Call>(kind) || std::holds_alternative<Enter>(kind) ||
         std::holds_alternative<Exit>(kind) || std::holds_alternative<Try>(kind) ||
         std::holds_alternative<EndTry>(kind) || std::holds_alternative<LoadSaved>(kind) ||
         (after && (std::holds_alternative<GetGrad>(kind) || std::holds_alternative<SetGrad>(kind)));
}

namespace {

bool names_cpu(const Statement& statement) {
  if (const auto* made = std::get_if<MakeTensor>(&statement.kind)) return made->on_cpu;
  const auto* call = std::get_if<Call>(&statement.kind);
  if (call == nullptr) return false;
  const std::string* device = device_argument(op(call->op), call->arguments);
  return device != nullptr && *device == kCpu;
}

bool any_names_cpu(const auto& parts) {
  return std::ranges::any_of(parts, [](const auto& part) { return std::ranges::any_of(part.statements, names_cpu); });
}

}  // namespace

bool has_two_devices(const Script& script) {
  return std::ranges::any_of(script.statements, names_cpu) || any_names_cpu(script.functions) ||
         any_names_cpu(script.kernels);
}

}  // namespace plumbline
