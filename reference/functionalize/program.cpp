// Emits functionalized bodies.
#include "reference/functionalize/program.h"

#include <algorithm>
#include <map>

#include "spec/ops/op_ids.h"
#include "spec/vocabulary/call_slots.h"

namespace plumbline::reference::functionalize {
namespace {

void mark(std::vector<bool>& used, const Call& call) {
  each_argument_slot(call, [&](Slot slot) { used[static_cast<std::size_t>(slot)] = true; });
}

}  // namespace

bool is_outside(const Program& program, Slot slot) {
  return std::ranges::find(program.inputs, slot) != program.inputs.end() ||
         std::ranges::find(program.captured, slot) != program.captured.end();
}

Slot Writer::fresh(const std::string& stem, Value value) {
  program_.names.push_back(stem);
  program_.values.push_back(std::move(value));
  return static_cast<Slot>(program_.values.size() - 1);
}

Slot Writer::call(OpId op, std::vector<plumbline::Value> arguments, const std::string& stem, Value value) {
  const Slot made = fresh(stem, std::move(value));
  add({op, std::move(arguments), {made}});
  return made;
}

void number_names(Program& program) {
  std::map<std::string, int> next;
  for (std::string& name : program.names) {
    const std::string stem = name;
    for (int& n = next[stem]; n > 0 && next.contains(name = stem + "_" + std::to_string(n)); ++n) {
    }
    ++next[stem];
    if (name != stem) next[name] = 1;
  }
}

bool Writer::gives_row_major(const Call& call, const Sizes& sizes) {
  if (view_of_copy(call.op) || op(call.op).kind == OpKind::Factory) return true;
  bool all = std::ranges::find(sizes, 0) == sizes.end();
  each_argument_slot(call, [&](Slot slot) { all = all && value(slot).row_major && value(slot).sizes == sizes; });
  return all;
}

void remove_unused(Program& program) {
  std::vector<bool> used(program.values.size(), false);
  for (const Slot slot : program.returned) used[static_cast<std::size_t>(slot)] = true;
  for (const Statement& statement : program.epilogue) mark(used, std::get<Call>(statement.kind));
  std::vector<bool> kept(program.core.size());
  for (std::size_t i = program.core.size(); i-- > 0;) {
    const StatementKind& kind = program.core[i].kind;
    if (const auto* made = std::get_if<MakeTensor>(&kind)) {
      kept[i] = used[static_cast<std::size_t>(made->result)];
      continue;
    }
    const auto& call = std::get<Call>(kind);
    kept[i] = written_argument(op(call.op)) >= 0 || call.op == OpId::rand ||
              std::ranges::any_of(call.results, [&](Slot slot) { return used[static_cast<std::size_t>(slot)]; });
    if (kept[i]) mark(used, call);
  }
  auto end = program.core.begin();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i]) continue;
    if (auto& statement = program.core[i]; &*end != &statement) *end = std::move(statement);
    ++end;
  }
  program.core.erase(end, program.core.end());
}

}  // namespace plumbline::reference::functionalize
