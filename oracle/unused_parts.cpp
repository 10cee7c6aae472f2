// Removing the parts of a script that none of its statements uses any more.
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "oracle/minimise.h"

namespace plumbline {

namespace {

using Statements = std::vector<Statement>;

/// Parts with numbers: those that are used, in the order of their first uses.
template <class Part>
class Used {
 public:
  explicit Used(std::vector<Part>& all) : all_(all) {}
  /// Notes a use, and makes `number` the part's new one.
  void use(std::int32_t& number) {
    const auto [at, first] = numbers_.emplace(number, static_cast<std::int32_t>(kept_.size()));
    if (first) kept_.push_back(all_.at(static_cast<std::size_t>(number)));
    number = at->second;
  }
  /// The part's new number; -1 if no use of it was noted.
  std::int32_t number(std::int32_t number) const {
    const auto found = numbers_.find(number);
    return found == numbers_.end() ? -1 : found->second;
  }
  void finish() { all_ = std::move(kept_); }

 private:
  std::vector<Part>& all_;
  std::vector<Part> kept_;
  std::map<std::int32_t, std::int32_t> numbers_;
};

void use_operators(Statements& statements, Used<CustomOperator>& operators) {
  for (Statement& statement : statements) {
    if (auto* define = std::get_if<DefineOperator>(&statement.kind)) operators.use(define->op);
    if (auto* add = std::get_if<AddKernel>(&statement.kind)) operators.use(add->op);
    if (auto* invoke = std::get_if<Invoke>(&statement.kind); invoke != nullptr && invoke->op != kCalledOperator)
      operators.use(invoke->op);
  }
}

void drop_unused_kernels(Script& script) {
  Used<CustomKernel> kernels(script.kernels);
  for (Statement& statement : script.statements) {
    if (auto* add = std::get_if<AddKernel>(&statement.kind); add != nullptr && add->kernel) kernels.use(*add->kernel);
    if (auto* add = std::get_if<AddFallback>(&statement.kind); add != nullptr && add->kernel) kernels.use(*add->kernel);
  }
  kernels.finish();
}

/// Also an operator that only a kernel calls stays.
void drop_unused_operators(Script& script) {
  Used<CustomOperator> operators(script.operators);
  use_operators(script.statements, operators);
  for (CustomKernel& kernel : script.kernels) use_operators(kernel.statements, operators);
  operators.finish();
}

void use_functions(Statements& statements, Used<CustomBackward>& functions) {
  for (Statement& statement : statements) {
    if (auto* enter = std::get_if<EnterForward>(&statement.kind)) functions.use(enter->function);
    if (auto* hook = std::get_if<RegisterHook>(&statement.kind)) functions.use(hook->function);
    if (auto* saved = std::get_if<EnterSavedTensorsHooks>(&statement.kind)) {
      functions.use(saved->pack);
      functions.use(saved->unpack);
    }
    if (auto* removed = std::get_if<RemoveHook>(&statement.kind))
      removed->function = functions.number(removed->function);
  }
}

void drop_unused_functions(Script& script) {
  Used<CustomBackward> functions(script.functions);
  use_functions(script.statements, functions);
  for (CustomKernel& kernel : script.kernels) use_functions(kernel.statements, functions);
  functions.finish();
}

}  // namespace

void drop_unused_parts(Script& script) {
  drop_unused_kernels(script);
  drop_unused_operators(script);
  drop_unused_functions(script);
}

}  // namespace plumbline
