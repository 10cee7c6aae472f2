// Statements and readings in words, for messages and signatures.
#include "oracle/reading_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "adapters/protocol/names.h"
#include "language/slots.h"

namespace plumbline {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

constexpr std::size_t kShown = 24;  // items of a list

template <class T, class Show>
std::string list_text(const std::vector<T>& items, Show show) {
  const bool cut = items.size() > kShown;
  std::string text = "[";
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (cut && i == kShown / 2) {
      i = items.size() - kShown / 2;
      text += fmt::format(", … ({} more) …", items.size() - kShown);
    }
    text += fmt::format("{}{}", i == 0 ? "" : ", ", show(items[i], i));
  }
  return text + "]";
}

std::string values_text(const Values& values) {
  const auto known = [&](std::size_t i) { return values.known.empty() || values.known[i]; };
  if (!values.integers.empty())
    return list_text(values.integers,
                     [&](std::int64_t v, std::size_t i) { return known(i) ? std::to_string(v) : "?"; });
  return list_text(values.floats, [&](double v, std::size_t i) { return known(i) ? fmt::format("{}", v) : "?"; });
}

bool writes(const StatementKind& kind) {
  if (std::holds_alternative<SetRequiresGrad>(kind) || std::holds_alternative<SetData>(kind) ||
      std::holds_alternative<Backward>(kind) || std::holds_alternative<GetGradients>(kind) ||
      std::holds_alternative<SetGrad>(kind) || std::holds_alternative<RetainGrad>(kind) ||
      std::holds_alternative<Invoke>(kind))
    return true;
  const auto* call = std::get_if<Call>(&kind);
  return call != nullptr && written_argument(op(call->op)) >= 0;
}

bool binds(const StatementKind& kind, Slot slot) {
  bool found = false;
  visit_slots(kind, [](Slot) {}, [&](Slot given) { found = found || given == slot; });
  return found;
}

bool steers_thread(const StatementKind& kind) {
  return std::holds_alternative<Enter>(kind) || std::holds_alternative<Exit>(kind) ||
         std::holds_alternative<EnterSavedTensorsHooks>(kind) || std::holds_alternative<EndTry>(kind) ||
         std::holds_alternative<StartThread>(kind) || std::holds_alternative<JoinThread>(kind) ||
         std::holds_alternative<PauseThread>(kind) || std::holds_alternative<ResumeThread>(kind) ||
         std::holds_alternative<EnterForward>(kind) || std::holds_alternative<LeaveForward>(kind) ||
         enters_body(kind) || leaves_body(kind);
}

/// Whether a statement appends to the log, or runs functions of the program that may.
bool may_log(const StatementKind& kind) {
  return std::holds_alternative<AppendToLog>(kind) || std::holds_alternative<ClearLog>(kind) ||
         std::holds_alternative<Invoke>(kind) || std::holds_alternative<Backward>(kind) ||
         std::holds_alternative<GetGradients>(kind);
}

/// Whether `kind` may have made what `reading` reads.
bool may_have_made(const StatementKind& kind, const StatementKind& reading) {
  if (std::holds_alternative<ReadLog>(reading)) return may_log(kind);
  if (std::holds_alternative<QueryKernel>(reading)) return is_registration(kind);
  return steers_thread(kind);
}

}  // namespace

std::string statement_name(const Statement& statement) {
  return std::visit(
      Overloaded{[](const Call& s) { return qualified_name(op(s.op)); },
                 [](const MakeTensor&) -> std::string { return "tensor"; },
                 [](const MakeMetaTensor&) -> std::string { return "empty"; },
                 [](const Enter& s) { return std::string(name_of(s.kind)); },
                 [](const Exit&) -> std::string { return "exit"; },
                 [](const Try&) -> std::string { return "try"; },
                 [](const EndTry&) -> std::string { return "end_try"; },
                 [](const SetRequiresGrad&) -> std::string { return "requires_grad="; },
                 [](const GetData&) -> std::string { return "data"; },
                 [](const SetData&) -> std::string { return "data="; },
                 [](const Backward&) -> std::string { return "backward"; },
                 [](const GetGradients&) -> std::string { return "autograd.grad"; },
                 [](const RegisterHook& s) -> std::string {
                   return s.after ? "register_post_accumulate_grad_hook" : "register_hook";
                 },
                 [](const RemoveHook&) -> std::string { return "remove"; },
                 [](const EnterSavedTensorsHooks&) -> std::string { return "saved_tensors_hooks"; },
                 [](const GetGrad&) -> std::string { return "grad"; },
                 [](const Read&) -> std::string { return "read"; },
                 [](const ReadThread&) -> std::string { return "read_thread"; },
                 [](const Snapshot&) -> std::string { return "snapshot"; },
                 [](const SetGrad&) -> std::string { return "grad="; },
                 [](const RetainGrad&) -> std::string { return "retain_grad"; },
                 [](const ManualSeed&) -> std::string { return "manual_seed"; },
                 [](const StartThread&) -> std::string { return "start"; },
                 [](const JoinThread&) -> std::string { return "join"; },
                 [](const PauseThread&) -> std::string { return "wait"; },
                 [](const ResumeThread&) -> std::string { return "go_on"; },
                 [](const EnterForward&) -> std::string { return "apply"; },
                 [](const LeaveForward&) -> std::string { return "return"; },
                 [](const EnterFunctionalize&) -> std::string { return "functionalize"; },
                 [](const LeaveFunctionalize&) -> std::string { return "return"; },
                 [](const EnterTransform& s) -> std::string {
                   return std::holds_alternative<Grad>(s.transform) ? "grad" : "vmap";
                 },
                 [](const LeaveTransform&) -> std::string { return "return"; },
                 [](const ContextCall& s) { return std::string(kContextKindNames[static_cast<std::size_t>(s.kind)]); },
                 [](const LoadSaved&) -> std::string { return "saved_tensors"; },
                 [](const Invoke&) -> std::string { return "custom operator"; },
                 [](const MakeLibrary&) -> std::string { return "Library"; },
                 [](const DefineOperator&) -> std::string { return "define"; },
                 [](const AddKernel&) -> std::string { return "impl"; },
                 [](const DropLibrary&) -> std::string { return "_destroy"; },
                 [](const AddFallback&) -> std::string { return "fallback"; },
                 [](const RaiseError&) -> std::string { return "raise"; },
                 [](const AppendToLog&) -> std::string { return "append"; },
                 [](const ClearLog&) -> std::string { return "clear"; },
                 [](const ReadLog& s) { return std::string(answer_name(s)); },
                 [](const QueryKernel& s) { return std::string(answer_name(s)); },
                 [](const QueryThreadKey& s) { return std::string(answer_name(s)); }},
      statement.kind);
}

std::string_view answer_name(const StatementKind& kind) {
  if (std::holds_alternative<ReadLog>(kind)) return "log";
  if (const auto* query = std::get_if<QueryKernel>(&kind)) return kQueryNames[static_cast<std::size_t>(query->what)];
  const auto* query = std::get_if<QueryThreadKey>(&kind);
  if (query == nullptr) return "";
  return query->excluded ? "excluded" : "included";
}

std::string answer_subject(const StatementKind& kind) {
  if (const auto* query = std::get_if<QueryKernel>(&kind))
    return fmt::format("{} of {} for {}", answer_name(kind), query->op, query->key);
  if (const auto* query = std::get_if<QueryThreadKey>(&kind))
    return fmt::format("whether {} is {}", query->key, answer_name(kind));
  return fmt::format("the {}", answer_name(kind));
}

std::string answer_text(const Reading& answer) {
  const auto* texts = std::get_if<std::vector<std::string>>(&answer);
  return texts == nullptr
             ? reading_text(answer)
             : list_text(*texts, [](const std::string& text, std::size_t) { return fmt::format("'{}'", text); });
}

std::string slot_name(const Script& script, Slot slot) {
  const auto number = static_cast<std::size_t>(slot);
  return number < script.names.size() ? script.names[number] : fmt::format("slot {}", static_cast<std::int32_t>(slot));
}

std::string failure_text(const Failure& failure) {
  if (failure.error == ErrorClass::none) return "no error";
  return fmt::format("{}{}{}", name_of(failure.error), failure.message.empty() ? "" : ": ", failure.message);
}

std::string reading_text(const Reading& reading) {
  return std::visit(
      Overloaded{[](std::monostate) -> std::string { return "not observable"; },
                 [](None) -> std::string { return "None"; }, [](bool b) -> std::string { return b ? "True" : "False"; },
                 [](std::int64_t i) { return std::to_string(i); },
                 [](const std::string& s) { return fmt::format("'{}'", s); },
                 [](const std::vector<std::int64_t>& list) {
                   return list_text(list, [](std::int64_t v, std::size_t) { return std::to_string(v); });
                 },
                 [](const std::vector<std::string>& list) { return fmt::format("{{{}}}", fmt::join(list, ", ")); },
                 [](const Values& values) { return values_text(values); },
                 [](const Failure& failure) { return fmt::format("the error {}", failure_text(failure)); },
                 [](const Unspecified& u) { return fmt::format("anything ({})", u.rule); }},
      reading);
}

std::string reading_text(Field field, const Reading& reading, const Script& script) {
  const auto* slot = std::get_if<std::int64_t>(&reading);
  if (slot == nullptr || (field != Field::base && field != Field::storage)) return reading_text(reading);
  if (*slot == -1) return "None";
  if (*slot < 0) return "a tensor that no variable holds";
  return fmt::format("{}{}", field == Field::storage ? "that of " : "", slot_name(script, static_cast<Slot>(*slot)));
}

std::string_view kernel_name(Functionality kernel) {
  return kernel == Functionality::Dense ? "CPU" : kFunctionalityNames.at(static_cast<std::size_t>(kernel));
}

std::string kernels_text(const std::vector<KernelRun>& kernels, std::string_view between) {
  std::vector<std::string> names;
  for (const KernelRun& run : kernels)
    names.push_back(fmt::format("{}{}", kernel_name(run.kernel), run.fallthrough ? "(fallthrough)" : ""));
  return fmt::format("{}", fmt::join(names, between));
}

std::size_t blamed_statement(const Script& script, std::size_t statement, const Slot* tensor) {
  const StatementKind reading = statement < script.statements.size() ? script.statements[statement].kind : Snapshot{};
  for (std::size_t i = std::min(statement, script.statements.size()); i-- > 0;) {
    const StatementKind& kind = script.statements[i].kind;
    if (tensor == nullptr ? may_have_made(kind, reading) : writes(kind) || binds(kind, *tensor)) return i;
  }
  return statement;
}

}  // namespace plumbline
