// The slots that a statement of any kind takes and binds.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "spec/ops/ops.h"
#include "spec/vocabulary/call_slots.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// Calls `takes` for each slot whose tensor `kind` uses, then `gives` for each slot that it assigns, in order. Works on
/// constant and on mutable statements. `CustomBackward` has the slots of a function's backward.
template <class Kind, class Takes, class Gives>
void visit_slots(Kind& kind, Takes takes, Gives gives) {
  const auto each = [](auto& slots, auto& f) {
    for (auto& slot : slots) f(slot);
  };
  const auto each_number = [](auto& values, auto& f) {
    for (auto& value : values)
      if (auto* number = std::get_if<NumberOf>(&value)) f(number->parameter);
  };
  const auto each_root = [](auto& backward, auto& f) {
    const auto root = [&](auto& one) {
      f(one.tensor);
      if (one.gradient) f(*one.gradient);
    };
    root(backward);
    for (auto& one : backward.more) root(one);
  };
  std::visit(
      [&]<class T>(T& s) {
        using S = std::remove_const_t<T>;
        if constexpr (std::is_same_v<S, Call>) {
          each_argument_slot(s, takes);
          each_number(s.arguments, takes);
          each(s.results, gives);
        } else if constexpr (std::is_same_v<S, MakeTensor> || std::is_same_v<S, MakeMetaTensor>) {
          gives(s.result);
        } else if constexpr (std::is_same_v<S, GetData> || std::is_same_v<S, GetGrad>) {
          takes(s.tensor);
          gives(s.result);
        } else if constexpr (std::is_same_v<S, SetData>) {
          takes(s.tensor);
          takes(s.data);
        } else if constexpr (std::is_same_v<S, Backward>) {
          each_root(s, takes);
          each(s.inputs, takes);
        } else if constexpr (std::is_same_v<S, GetGradients>) {
          each_root(s, takes);
          each(s.inputs, takes);
          each(s.results, gives);
        } else if constexpr (std::is_same_v<S, SetGrad>) {
          takes(s.tensor);
          if (s.grad) takes(*s.grad);
        } else if constexpr (std::is_same_v<S, SetRequiresGrad> || std::is_same_v<S, RetainGrad> ||
                             std::is_same_v<S, RegisterHook> || std::is_same_v<S, Read>) {
          takes(s.tensor);
        } else if constexpr (std::is_same_v<S, EnterForward>) {
          each(s.inputs, takes);
        } else if constexpr (std::is_same_v<S, LeaveForward>) {
          each(s.returned, takes);
          each(s.results, gives);
        } else if constexpr (std::is_same_v<S, EnterFunctionalize> || std::is_same_v<S, EnterTransform>) {
          each(s.inputs, takes);
          each(s.parameters, gives);
        } else if constexpr (std::is_same_v<S, LeaveFunctionalize> || std::is_same_v<S, LeaveTransform>) {
          each(s.returned, takes);
          each(s.results, gives);
        } else if constexpr (std::is_same_v<S, ContextCall>) {
          each(s.tensors, takes);
        } else if constexpr (std::is_same_v<S, LoadSaved>) {
          each(s.results, gives);
        } else if constexpr (std::is_same_v<S, Invoke>) {
          for (auto& input : s.inputs) each_slot_of(input, takes);
          each_number(s.inputs, takes);
          each(s.results, gives);
        }
      },
      kind);
}

/// The variable whose tensor a call writes.
inline std::optional<Slot> written_slot(const StatementKind& kind) {
  const auto* call = std::get_if<Call>(&kind);
  const int place = call == nullptr ? -1 : written_argument(op(call->op));
  if (place < 0) return std::nullopt;
  const auto* slot = std::get_if<Slot>(&call->arguments.at(static_cast<std::size_t>(place)));
  return slot != nullptr ? std::optional(*slot) : std::nullopt;
}

/// The script without its file's lines: all are 0.
inline Script without_lines(Script script) {
  for (Statement& statement : script.statements) statement.line = 0;
  for (CustomBackward& function : script.functions)
    for (Statement& statement : function.statements) statement.line = 0;
  for (CustomKernel& kernel : script.kernels)
    for (Statement& statement : kernel.statements) statement.line = 0;
  return script;
}

/// Whether a statement opens a block that a later one closes: a guard, a Try, a thread, a thread's wait, a forward, or
/// the body of a transform.
inline bool opens_block(const StatementKind& kind) {
  return std::holds_alternative<Enter>(kind) || std::holds_alternative<EnterSavedTensorsHooks>(kind) ||
         std::holds_alternative<Try>(kind) || std::holds_alternative<StartThread>(kind) ||
         std::holds_alternative<PauseThread>(kind) || std::holds_alternative<EnterForward>(kind) || enters_body(kind);
}
inline bool closes_block(const StatementKind& kind) {
  return std::holds_alternative<Exit>(kind) || std::holds_alternative<EndTry>(kind) ||
         std::holds_alternative<JoinThread>(kind) || std::holds_alternative<ResumeThread>(kind) ||
         std::holds_alternative<LeaveForward>(kind) || leaves_body(kind);
}

/// The statement that closes what `open` opens, or nothing.
inline std::optional<std::size_t> partner(const std::vector<Statement>& statements, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < statements.size(); ++i) {
    if (opens_block(statements[i].kind)) ++depth;
    if (closes_block(statements[i].kind)) --depth;
    if (depth == 0) return i == open ? std::nullopt : std::optional(i);
  }
  return std::nullopt;
}

}  // namespace plumbline
