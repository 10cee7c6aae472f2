// Computing the migration table: runs each workload under each guard, and judges it by its gradient.
#include "tables/migration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "adapters/reference/reference.h"
#include "language/lower.h"
#include "language/parse.h"
#include "oracle/reading_text.h"

namespace plumbline::tables {

namespace {

constexpr std::string_view kBelow = "torch._C._AutoDispatchBelowADInplaceOrView()";
constexpr std::string_view kPlaceholder = "GUARD";

constexpr std::array<MigrationGuard, 6> kGuards{{
    {"no guard", "", {}},
    {"at::AutoNonVariableTypeMode (the old guard)", kBelow, GuardKind::auto_non_variable_type_mode},
    {"c10::InferenceMode", "torch.inference_mode()", {}},
    {"at::AutoDispatchBelowADInplaceOrView", kBelow, {}},
    {"at::AutoDispatchBelowAutograd", "torch._C._AutoDispatchBelowAutograd()", {}},
    {"at::NoGradGuard", "torch.no_grad()", {}},
}};

/// The test's source; without a guard, the block's statements stand unindented.
std::string source_of(const Workload& workload, const MigrationGuard& guard, bool for_reading) {
  std::string source = "def test_migration(device):\n";
  bool inside = false;
  for (std::string_view rest = workload.program; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end == std::string_view::npos ? rest.size() : end + 1, rest.size()));
    if (line == fmt::format("with {}:", kPlaceholder)) {
      inside = guard.python.empty();
      if (inside) continue;
      source += guard.instead && for_reading ? fmt::format("    with {}:  # only C++ has this guard\n",
                                                           guard.name.substr(0, guard.name.find(' ')))
                                             : fmt::format("    with {}:\n", guard.python);
      continue;
    }
    if (inside && line.starts_with("    ")) line.remove_prefix(4);
    source += fmt::format("    {}\n", line);
  }
  return source;
}

program::Test lowered(const Workload& workload, const MigrationGuard& guard) {
  const std::string source = "import torch\n\n\n" + source_of(workload, guard, false);
  program::Test test = program::lower(program::parse(source, "the migration table")).at(0);
  for (Statement& statement : test.script.statements)
    if (auto* enter = std::get_if<Enter>(&statement.kind); enter != nullptr && guard.instead)
      if (enter->kind == GuardKind::below_ad_inplace_or_view) enter->kind = *guard.instead;
  return test;
}

Fate fate_of(const Workload& workload, const Script& script, const RunResult& result) {
  if (const auto* broken = std::get_if<Breakdown>(&result)) return {Fate::Kind::unknown, broken->message};
  const auto& trace = std::get<Trace>(result);
  if (trace.outcomes.empty()) return {Fate::Kind::unknown, "an empty trace"};
  const Outcome& last = trace.outcomes.back();
  if (last.failure.error != ErrorClass::none)
    return {Fate::Kind::error,
            fmt::format("{} in {}", name_of(last.failure.error), statement_name(script.statements.at(last.statement)))};
  const auto* values = std::get_if<Values>(&last.reading);
  if (values == nullptr) return {Fate::Kind::unknown, "the gradient was not shown"};
  const bool right = values->floats == workload.right;
  return {right ? Fate::Kind::right : Fate::Kind::silently_wrong, reading_text(last.reading)};
}

}  // namespace

std::span<const MigrationGuard> migration_guards() { return kGuards; }

const std::vector<Workload>& workloads() {
  static const std::vector<Workload> all{
      {"Under the guard, the program writes to a tensor that was saved for backward",
       "inference-mode-docs, line 24",
       "w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)\n"
       "x = torch.tensor([5.0, 7.0], device=device)\n"
       "y = w.mul(x)\n"
       "with GUARD:\n"
       "    x.add_(1)\n"
       "loss = y.sum()\n"
       "loss.backward()\n"
       "g = w.grad\n",
       {5.0, 7.0}},
      {"Inference: tensors are made and computed under the guard, and training then uses the result",
       "inference-mode-docs, lines 28 to 42",
       "w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)\n"
       "with GUARD:\n"
       "    data = torch.tensor([4.0, 6.0], device=device)\n"
       "    data.add_(1)\n"
       "y = w.mul(data)\n"
       "data.add_(1)\n"
       "loss = y.sum()\n"
       "loss.backward()\n"
       "g = w.grad\n",
       {5.0, 7.0}},
      {"A custom kernel computes its result under the guard, like ROIAlignFunction",
       "inference-mode-docs, lines 57 to 86",
       "w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)\n"
       "rois = torch.tensor([4.0, 6.0], device=device)\n"
       "with GUARD:\n"
       "    scaled = rois.add(1)\n"
       "y = w.mul(scaled)\n"
       "loss = y.sum()\n"
       "loss.backward()\n"
       "g = w.grad\n",
       {5.0, 7.0}},
  };
  return all;
}

std::string migration_program(const Workload& workload, const MigrationGuard& guard) {
  return source_of(workload, guard, true);
}

namespace {

/// The script with the gradient read at its end.
Script with_reading(const Workload& workload, const MigrationGuard& guard) {
  Script script = lowered(workload, guard).script;
  const auto& grad = std::get<GetGrad>(script.statements.back().kind);
  script.statements.push_back({Read{grad.result, Field::values}, 0});
  return script;
}

}  // namespace

Fate computed_fate(const Workload& workload, const MigrationGuard& guard, Profile profile, const Rule* flipped) {
  const Script script = with_reading(workload, guard);
  return fate_of(workload, script, ReferenceAdapter(profile, flipped).run(script));
}

Fate observed_fate(const Workload& workload, const MigrationGuard& guard, Adapter& adapter) {
  const Script script = with_reading(workload, guard);
  return fate_of(workload, script, adapter.run(script));
}

std::string fate_text(const Fate& fate) {
  constexpr std::array<std::string_view, 4> kNames{"right", "SILENTLY WRONG", "error", "unknown"};
  return fmt::format("{}: {}", kNames.at(static_cast<std::size_t>(fate.kind)), fate.what);
}

}  // namespace plumbline::tables
