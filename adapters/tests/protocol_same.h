// When two messages of the protocol are the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <variant>
#include <vector>

#include "adapters/protocol/protocol.h"

namespace plumbline::protocol_random {

// Equality, written out: the types have none. A NaN equals a NaN, and -0.0 is not 0.0.

inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
inline bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) { return same(x, y); });
}
inline bool same(const Complex& a, const Complex& b) { return same(a.real, b.real) && same(a.imag, b.imag); }
inline bool same(const Failure& a, const Failure& b) {
  return a.error == b.error && a.message == b.message && a.exception == b.exception;
}
inline bool same(const Values& a, const Values& b) {
  return same(a.floats, b.floats) && a.integers == b.integers && a.known == b.known && same(a.bounds, b.bounds);
}
template <class T>
inline bool same(const T& a, const T& b)
  requires std::equality_comparable<T>
{
  return a == b;
}
inline bool same(std::monostate, std::monostate) { return true; }
inline bool same(const Statement& a, const Statement& b);
inline bool same(const CustomBackward& a, const CustomBackward& b);
inline bool same(const CustomKernel& a, const CustomKernel& b);
inline bool same(const CustomOperator& a, const CustomOperator& b);
inline bool same(const TensorReading& a, const TensorReading& b);
inline bool same(const Outcome& a, const Outcome& b);
template <class... T>
inline bool same(const std::variant<T...>& a, const std::variant<T...>& b);
template <class T>
inline bool same_list(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return same(x, y); });
}
inline bool same(const Call& a, const Call& b) {
  return a.op == b.op && same_list(a.arguments, b.arguments) && a.results == b.results &&
         a.requires_grad == b.requires_grad;
}
inline bool same(const MakeMetaTensor& a, const MakeMetaTensor& b) {
  return a.result == b.result && a.dtype == b.dtype && a.sizes == b.sizes;
}
inline bool same(const MakeTensor& a, const MakeTensor& b) {
  return a.result == b.result && a.dtype == b.dtype && a.sizes == b.sizes && same(a.values, b.values) &&
         a.requires_grad == b.requires_grad && a.on_cpu == b.on_cpu;
}
inline bool same(const Enter& a, const Enter& b) { return a.kind == b.kind && a.value == b.value && a.key == b.key; }
inline bool same(const GetData& a, const GetData& b) { return a.result == b.result && a.tensor == b.tensor; }
inline bool same(const SetData& a, const SetData& b) { return a.tensor == b.tensor && a.data == b.data; }
inline bool same(const Backward& a, const Backward& b) {
  return roots_of(a) == roots_of(b) && a.retain_graph == b.retain_graph && a.inputs == b.inputs;
}
inline bool same(const GetGradients& a, const GetGradients& b) {
  return roots_of(a) == roots_of(b) && a.inputs == b.inputs && a.results == b.results &&
         a.retain_graph == b.retain_graph && a.allow_unused == b.allow_unused;
}
inline bool same(const SetGrad& a, const SetGrad& b) { return a.tensor == b.tensor && a.grad == b.grad; }
inline bool same(const RetainGrad& a, const RetainGrad& b) { return a.tensor == b.tensor; }
inline bool same(const RegisterHook& a, const RegisterHook& b) {
  return a.tensor == b.tensor && a.function == b.function && a.after == b.after;
}
inline bool same(const RemoveHook& a, const RemoveHook& b) { return a.function == b.function; }
inline bool same(const EnterSavedTensorsHooks& a, const EnterSavedTensorsHooks& b) {
  return a.pack == b.pack && a.unpack == b.unpack;
}
inline bool same(const ManualSeed& a, const ManualSeed& b) { return a.seed == b.seed; }
inline bool same(StartThread, StartThread) { return true; }
inline bool same(JoinThread, JoinThread) { return true; }
inline bool same(PauseThread, PauseThread) { return true; }
inline bool same(ResumeThread, ResumeThread) { return true; }
inline bool same(const EnterForward& a, const EnterForward& b) {
  return a.function == b.function && a.inputs == b.inputs;
}
inline bool same(const LeaveForward& a, const LeaveForward& b) {
  return a.returned == b.returned && a.results == b.results;
}
inline bool same(const EnterFunctionalize& a, const EnterFunctionalize& b) {
  return a.remove == b.remove && a.inputs == b.inputs && a.parameters == b.parameters;
}
inline bool same(const LeaveFunctionalize& a, const LeaveFunctionalize& b) {
  return a.returned == b.returned && a.results == b.results;
}
inline bool same(const EnterTransform& a, const EnterTransform& b) {
  return a.transform == b.transform && a.inputs == b.inputs && a.parameters == b.parameters;
}
inline bool same(const LeaveTransform& a, const LeaveTransform& b) {
  return a.out_dims == b.out_dims && a.returned == b.returned && a.results == b.results &&
         a.differentiates == b.differentiates;
}
inline bool same(const ContextCall& a, const ContextCall& b) { return a.kind == b.kind && a.tensors == b.tensors; }
inline bool same(const LoadSaved& a, const LoadSaved& b) { return a.results == b.results; }
inline bool same(const Invoke& a, const Invoke& b) {
  return a.op == b.op && same_list(a.inputs, b.inputs) && a.results == b.results && a.redispatch == b.redispatch &&
         a.passes_arguments == b.passes_arguments;
}
inline bool same(const MakeLibrary& a, const MakeLibrary& b) { return a == b; }
inline bool same(const DropLibrary& a, const DropLibrary& b) { return a == b; }
inline bool same(const DefineOperator& a, const DefineOperator& b) { return a.library == b.library && a.op == b.op; }
inline bool same(const AddKernel& a, const AddKernel& b) {
  return a.library == b.library && a.op == b.op && a.key == b.key && a.kernel == b.kernel;
}
inline bool same(const AddFallback& a, const AddFallback& b) {
  return a.library == b.library && a.key == b.key && a.kernel == b.kernel;
}
inline bool same(const QueryKernel& a, const QueryKernel& b) {
  return a.op == b.op && a.key == b.key && a.what == b.what;
}
inline bool same(const QueryThreadKey& a, const QueryThreadKey& b) {
  return a.key == b.key && a.excluded == b.excluded;
}
inline bool same(const RaiseError& a, const RaiseError& b) { return a.message == b.message; }
inline bool same(const AppendToLog& a, const AppendToLog& b) { return a.text == b.text && a.keys == b.keys; }
inline bool same(ReadLog, ReadLog) { return true; }
inline bool same(ClearLog, ClearLog) { return true; }
inline bool same(const GetGrad& a, const GetGrad& b) { return a.result == b.result && a.tensor == b.tensor; }
inline bool same(const SetRequiresGrad& a, const SetRequiresGrad& b) {
  return a.tensor == b.tensor && a.value == b.value && a.method == b.method;
}
inline bool same(const Read& a, const Read& b) { return a.tensor == b.tensor && a.field == b.field; }
inline bool same(const ReadThread& a, const ReadThread& b) { return a.field == b.field; }
inline bool same(Exit, Exit) { return true; }
inline bool same(Try, Try) { return true; }
inline bool same(EndTry, EndTry) { return true; }
inline bool same(Snapshot, Snapshot) { return true; }
template <class... T>
inline bool same(const std::variant<T...>& a, const std::variant<T...>& b) {
  return std::visit(
      []<class A, class B>(const A& x, const B& y) {
        if constexpr (std::same_as<A, B>) return same(x, y);
        return false;
      },
      a, b);
}
inline bool same(const Statement& a, const Statement& b) { return a.line == b.line && same(a.kind, b.kind); }
inline bool same(const TensorReading& a, const TensorReading& b) {
  return a.tensor == b.tensor && same_list(a.fields, b.fields);
}
inline bool same(const Outcome& a, const Outcome& b) {
  return a.statement == b.statement && same(a.failure, b.failure) && same(a.reading, b.reading) &&
         a.kernels == b.kernels && same_list(a.thread, b.thread) && same_list(a.tensors, b.tensors);
}
inline bool same(const CustomBackward& a, const CustomBackward& b) {
  return a.name == b.name && a.gradients == b.gradients && same_list(a.statements, b.statements) &&
         a.returned == b.returned;
}
inline bool same(const CustomKernel& a, const CustomKernel& b) {
  return a.name == b.name && a.parameters == b.parameters && same_list(a.statements, b.statements) &&
         a.returned == b.returned && a.with_keyset == b.with_keyset && a.any_arguments == b.any_arguments &&
         a.returns_passed == b.returns_passed;
}
inline bool same(const CustomOperator& a, const CustomOperator& b) {
  return a.name == b.name && a.arguments == b.arguments && a.returns == b.returns;
}
inline bool same(const Script& a, const Script& b) {
  return a.names == b.names && same_list(a.statements, b.statements) && same_list(a.functions, b.functions) &&
         same_list(a.operators, b.operators) && same_list(a.kernels, b.kernels);
}
inline bool same(const Trace& a, const Trace& b) {
  return a.completed == b.completed && same_list(a.outcomes, b.outcomes);
}

}  // namespace plumbline::protocol_random
