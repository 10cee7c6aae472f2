// The blocks of a script: which one an error in a statement reaches, and what lies in threads and forwards.
#include "fuzz/blocks.h"

#include "language/slots.h"

namespace plumbline::fuzz {

Blocks::Blocks(const Script& script) : around_(script.statements.size()), ends_(script.statements.size()) {
  std::vector<std::size_t> open;
  std::vector<Around> outer;
  Around now;
  for (std::size_t i = 0; i < script.statements.size(); ++i) {
    const StatementKind& kind = script.statements[i].kind;
    const Around inside = now;
    if (closes_block(kind) && !open.empty()) {
      ends_[open.back()] = i;
      now = outer.back();
      open.pop_back();
      outer.pop_back();
    }
    around_[i] = std::holds_alternative<LeaveForward>(kind) || leaves_body(kind) ? inside : now;
    if (!opens_block(kind)) continue;
    open.push_back(i);
    outer.push_back(now);
    if (std::holds_alternative<Try>(kind)) now = {i, now.thread, std::nullopt};
    if (std::holds_alternative<StartThread>(kind)) now = {std::nullopt, i, std::nullopt};
    if (std::holds_alternative<PauseThread>(kind) && now.thread) now = around_[*now.thread];
    if ((std::holds_alternative<EnterForward>(kind) || enters_body(kind)) && !now.forward) now.forward = i;
  }
}

}  // namespace plumbline::fuzz
