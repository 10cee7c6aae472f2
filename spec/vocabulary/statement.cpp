// Says which statements are unsafe.
#include "spec/vocabulary/statement.h"

namespace plumbline {

bool is_unsafe(const StatementKind& statement) {
  if (const auto* call = std::get_if<Call>(&statement)) return op(call->op).unsafe;
  if (const auto* enter = std::get_if<Enter>(&statement)) return enter->kind >= GuardKind::below_autograd;
  return std::holds_alternative<GetData>(statement) || std::holds_alternative<SetData>(statement);
}

}  // namespace plumbline
