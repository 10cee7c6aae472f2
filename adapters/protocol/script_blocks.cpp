// Checks that a script's blocks nest, and that it uses its functions and operators as they are defined.
#include "adapters/protocol/script_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "spec/vocabulary/kernel_fits.h"
#include "spec/vocabulary/schema.h"

namespace plumbline::protocol {

std::size_t Blocks::unused(std::int32_t function, const Cursor& c, const char* member) {
  const auto f = static_cast<std::size_t>(function);
  if (f >= script_.functions.size() || used_[f])
    c.at(member).expected(
        fmt::format("a function below {} that no other apply and no other hook uses", script_.functions.size()));
  used_[f] = true;
  return f;
}

std::int32_t Blocks::close(const Cursor& c, std::int32_t kind, std::string_view what) {
  if (open_.empty() || std::min(open_.back(), 0) != kind) c.at("do").expected(std::string(what));
  const std::int32_t innermost = open_.back();
  open_.pop_back();
  return innermost;
}

const CustomBackward& Blocks::check_hook_body(std::size_t f, bool after, const Cursor& c, const char* member) {
  const CustomBackward& function = script_.functions[f];
  const bool fits = std::ranges::all_of(function.statements, [after](const Statement& statement) {
    return fits_backward(statement.kind, after) && !std::holds_alternative<LoadSaved>(statement.kind);
  });
  if (function.gradients.size() != 1 || function.returned.size() != 1 || !fits)
    c.at(member).expected(fmt::format("a function with one gradient and one returned, and without load_saved{}",
                                      after ? "" : ", get_grad and set_grad"));
  return function;
}

void Blocks::check_hook(const StatementKind& kind, const Cursor& c) {
  if (const auto* hook = std::get_if<RegisterHook>(&kind)) {
    const std::size_t f = unused(hook->function, c);
    const CustomBackward& function = check_hook_body(f, hook->after, c, "function");
    if (hook->after && function.returned.front()) c.at("function").expected("a function that returns null");
    hooks_[f] = true;
  }
  if (const auto* hooks = std::get_if<EnterSavedTensorsHooks>(&kind))
    for (const auto& [function, member] : {std::pair(hooks->pack, "pack"), std::pair(hooks->unpack, "unpack")})
      if (!check_hook_body(unused(function, c, member), false, c, member).returned.front())
        c.at(member).expected("a function that returns a tensor");
  if (const auto* removed = std::get_if<RemoveHook>(&kind)) {
    const auto f = static_cast<std::size_t>(removed->function);
    if (f >= hooks_.size() || !hooks_[f]) c.at("function").expected("the function of a register_hook above");
  }
}

const CustomOperator& Blocks::operator_at(std::int32_t number, const Cursor& c) const {
  const auto at = static_cast<std::size_t>(number);
  if (at >= script_.operators.size())
    c.at("operator").expected(fmt::format("an operator below {}", script_.operators.size()));
  return script_.operators[at];
}

const CustomOperator& Blocks::operator_in(const std::string& library, std::int32_t number, const Cursor& c) const {
  const CustomOperator& op = operator_at(number, c);
  const auto found = libraries_.find(library);
  if (found == libraries_.end()) c.at("library").expected("a library that a make_library above made");
  if (space_of(op.name) != found->second)
    c.at("operator").expected(fmt::format("an operator of the library's namespace \"{}\"", found->second));
  return op;
}

void Blocks::check_registration(const StatementKind& kind, const Cursor& c) {
  if (is_registration(kind) && (!open_.empty() && open_.back() >= 0)) c.at("do").expected("this outside a forward");
  if (const auto* make = std::get_if<MakeLibrary>(&kind)) {
    if (!made_.insert(make->library).second) c.at("library").expected("a name that no library above has");
    libraries_.emplace(make->library, make->space);
  }
  if (const auto* define = std::get_if<DefineOperator>(&kind)) operator_in(define->library, define->op, c);
  if (const auto* drop = std::get_if<DropLibrary>(&kind))
    if (libraries_.erase(drop->library) == 0) c.at("library").expected("a library that a make_library above made");
  if (const auto* add = std::get_if<AddKernel>(&kind)) {
    operator_in(add->library, add->op, c);
    if (add->kernel) kernel_at(*add->kernel, c);
  }
  if (const auto* add = std::get_if<AddFallback>(&kind)) {
    if (!libraries_.contains(add->library)) c.at("library").expected("a library that a make_library above made");
    if (add->kernel && !kernel_at(*add->kernel, c).any_arguments)
      c.at("kernel").expected("a kernel with any_arguments");
  }
}

const CustomKernel& Blocks::kernel_at(std::int32_t number, const Cursor& c) const {
  const auto at = static_cast<std::size_t>(number);
  if (at >= script_.kernels.size()) c.at("kernel").expected(fmt::format("a kernel below {}", script_.kernels.size()));
  return script_.kernels[at];
}

void check_kernel(const Script& script, const StatementKind& kind, const Cursor& c) {
  const auto serves = [&](const std::optional<std::int32_t>& kernel, std::size_t op) {
    if (!kernel || !is_ever_defined(script, static_cast<std::int32_t>(op))) return;
    const std::string wanted =
        misfit(script.kernels[static_cast<std::size_t>(*kernel)], script.operators[op], script.operators);
    if (!wanted.empty()) c.at("kernel").expected(wanted);
  };
  if (const auto* add = std::get_if<AddKernel>(&kind)) serves(add->kernel, static_cast<std::size_t>(add->op));
  if (const auto* add = std::get_if<AddFallback>(&kind))
    for (std::size_t op = 0; op < script.operators.size(); ++op) serves(add->kernel, op);
}

void Blocks::check_thread(const StatementKind& kind, const Cursor& c) {
  if (std::holds_alternative<StartThread>(kind)) open_.push_back(kThread);
  if (std::holds_alternative<JoinThread>(kind)) close(c, kThread, "a join_thread when a thread is the innermost block");
  if (std::holds_alternative<PauseThread>(kind)) {
    if (open_.empty() || open_.back() != kThread)
      c.at("do").expected("a pause_thread when a thread is the innermost block");
    open_.push_back(kPause);
  }
  if (std::holds_alternative<ResumeThread>(kind)) close(c, kPause, "a resume_thread after a pause_thread");
}

void Blocks::check(const StatementKind& kind, const Cursor& c) {
  check_thread(kind, c);
  if (const auto* enter = std::get_if<EnterForward>(&kind)) {
    unused(enter->function, c);
    open_.push_back(enter->function);
  }
  if (const auto* leave = std::get_if<LeaveForward>(&kind)) {
    const std::int32_t f = close(c, 0, "a leave_forward when a forward is the innermost block");
    const std::size_t gradients = script_.functions[static_cast<std::size_t>(f)].gradients.size();
    if (leave->returned.size() != gradients || leave->results.size() != gradients)
      c.expected(fmt::format("{} returned and as many results, a gradient for each", gradients));
  }
  if (const auto* invoke = std::get_if<Invoke>(&kind)) {
    const CustomOperator passed;
    const bool called = invoke->op == kCalledOperator;
    const CustomOperator& op = called ? passed : operator_at(invoke->op, c);
    const CustomOperator& given = invoke->passes_arguments ? passed : op;
    const std::size_t inputs = given.arguments.size(), returns = given.returns.size();
    if (invoke->inputs.size() != inputs || (!invoke->results.empty() && invoke->results.size() != returns))
      c.expected(fmt::format("{} inputs, and {} results or none", inputs, returns));
    for (std::size_t i = 0; i < inputs; ++i)
      if (!takes(given.arguments[i].kind, invoke->inputs[i]))
        c.at("inputs").expected(fmt::format("values as in the schema {}", schema_text(op)));
  }
  check_hook(kind, c);
  check_registration(kind, c);
  const bool in_forward = !open_.empty() && open_.back() >= 0;
  if (std::holds_alternative<ContextCall>(kind) && !in_forward) c.at("do").expected("this only inside a forward");
  if (std::holds_alternative<LoadSaved>(kind)) c.at("do").expected("this only inside a backward");
  if ((std::holds_alternative<RegisterHook>(kind) || std::holds_alternative<EnterSavedTensorsHooks>(kind)) &&
      in_forward)
    c.at("do").expected("this outside a forward");
}

}  // namespace plumbline::protocol
