// Compares kernels with the schemas of operators.
#include "spec/vocabulary/kernel_fits.h"

#include <algorithm>
#include <optional>

namespace plumbline {

bool always_raises(const CustomKernel& kernel) {
  const auto last = std::find_if(kernel.statements.rbegin(), kernel.statements.rend(),
                                 [](const Statement& s) { return !std::holds_alternative<Exit>(s.kind); });
  return last != kernel.statements.rend() && std::holds_alternative<RaiseError>(last->kind);
}

bool is_ever_defined(const Script& script, std::int32_t op) {
  return std::ranges::any_of(script.statements, [op](const Statement& statement) {
    const auto* define = std::get_if<DefineOperator>(&statement.kind);
    return define != nullptr && define->op == op;
  });
}

namespace {

/// The values that a statement is given.
const std::vector<Value>* values_of(const StatementKind& kind) {
  if (const auto* call = std::get_if<Call>(&kind)) return &call->arguments;
  const auto* invoke = std::get_if<Invoke>(&kind);
  return invoke == nullptr ? nullptr : &invoke->inputs;
}

bool reads_as_number(const CustomKernel& kernel, Slot parameter) {
  return std::ranges::any_of(kernel.statements, [parameter](const Statement& statement) {
    const std::vector<Value>* values = values_of(statement.kind);
    return values != nullptr && std::ranges::find(*values, Value(NumberOf{parameter})) != values->end();
  });
}

bool takes_the_same(const CustomOperator& a, const CustomOperator& b) {
  return std::ranges::equal(a.arguments, b.arguments, {}, &SchemaValue::kind, &SchemaValue::kind);
}

}  // namespace

std::string misfit(const CustomKernel& kernel, const CustomOperator& op, const std::vector<CustomOperator>& operators) {
  const std::size_t takes = op.arguments.size(), returns = op.returns.size();
  const bool returned = kernel.returns_passed || always_raises(kernel) || kernel.returned.size() == returns;
  if ((!kernel.any_arguments && kernel.parameters.size() != takes) || !returned)
    return "a kernel with " + std::to_string(takes) + " parameters and " + std::to_string(returns) + " returned";
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    if (!is_number(op.arguments[i].kind) && reads_as_number(kernel, kernel.parameters[i]))
      return "a kernel that does not read its parameter " + std::to_string(i) + " as a number";
  std::optional<std::size_t> passed;
  for (const Statement& statement : kernel.statements) {
    const auto* invoke = std::get_if<Invoke>(&statement.kind);
    if (invoke == nullptr || !invoke->passes_arguments) continue;
    const CustomOperator& called =
        invoke->op == kCalledOperator ? op : operators.at(static_cast<std::size_t>(invoke->op));
    if (!takes_the_same(called, op)) return "a kernel that passes its arguments on to operators that take the same";
    passed = called.returns.size();
  }
  if (kernel.returns_passed && passed != returns)
    return "a kernel whose last call with its arguments returns " + std::to_string(returns);
  return "";
}

}  // namespace plumbline
