// Finding where each block of a script ends.
#include "adapters/walk/blocks.h"

#include <string>

#include "adapters/walk/unsupported.h"

namespace plumbline::walk {

namespace {

enum class Block : std::uint8_t { guard, tried, thread, pause, forward, functionalized, transformed };

std::optional<Block> begun_by(const StatementKind& kind) {
  if (std::holds_alternative<Enter>(kind) || std::holds_alternative<EnterSavedTensorsHooks>(kind)) return Block::guard;
  if (std::holds_alternative<Try>(kind)) return Block::tried;
  if (std::holds_alternative<StartThread>(kind)) return Block::thread;
  if (std::holds_alternative<PauseThread>(kind)) return Block::pause;
  if (std::holds_alternative<EnterForward>(kind)) return Block::forward;
  if (std::holds_alternative<EnterFunctionalize>(kind)) return Block::functionalized;
  if (std::holds_alternative<EnterTransform>(kind)) return Block::transformed;
  return std::nullopt;
}

std::optional<Block> ended_by(const StatementKind& kind) {
  if (std::holds_alternative<Exit>(kind)) return Block::guard;
  if (std::holds_alternative<EndTry>(kind)) return Block::tried;
  if (std::holds_alternative<JoinThread>(kind)) return Block::thread;
  if (std::holds_alternative<ResumeThread>(kind)) return Block::pause;
  if (std::holds_alternative<LeaveForward>(kind)) return Block::forward;
  if (std::holds_alternative<LeaveFunctionalize>(kind)) return Block::functionalized;
  if (std::holds_alternative<LeaveTransform>(kind)) return Block::transformed;
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> ends_of_blocks(const std::vector<Statement>& statements) {
  std::vector<std::size_t> ends(statements.size(), 0), open;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (begun_by(statements[i].kind)) open.push_back(i);
    const auto ended = ended_by(statements[i].kind);
    if (!ended) continue;
    if (open.empty() || begun_by(statements[open.back()].kind) != ended)
      throw Unsupported{"statement " + std::to_string(i) + " ends a block that is not open"};
    ends[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) throw Unsupported{"the block of statement " + std::to_string(open.back()) + " has no end"};
  return ends;
}

std::optional<std::size_t> next_pause(const Body& body, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    if (std::holds_alternative<PauseThread>(body.statements[i].kind)) return i;
    if (std::holds_alternative<StartThread>(body.statements[i].kind)) i = body.ends[i];
  }
  return std::nullopt;
}

}  // namespace plumbline::walk
