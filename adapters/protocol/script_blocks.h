// Checks, statement by statement, that a script's blocks nest, and that it uses its functions and operators as they are
// defined.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "adapters/protocol/cursor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::protocol {

class Blocks {
 public:
  Blocks(const std::vector<CustomBackward>& functions, const std::vector<CustomOperator>& operators)
      : functions_(functions), operators_(operators), used_(functions.size()), hooks_(functions.size()) {}

  /// The next statement, which stands at `c`. Throws as Cursor::expected.
  void check(const StatementKind& kind, const Cursor& c);
  bool all_closed() const { return open_.empty(); }

 private:
  static constexpr std::int32_t kThread = -1, kPause = -2;

  void check_hook(const StatementKind& kind, const Cursor& c);
  void check_thread(const StatementKind& kind, const Cursor& c);
  /// The function at `c`, used for the first time.
  std::size_t unused(std::int32_t function, const Cursor& c, const char* member = "function");
  /// The function, whose body must be one of a hook; `after`: of one after accumulation.
  const CustomBackward& check_hook_body(std::size_t function, bool after, const Cursor& c, const char* member);
  /// Leaves the innermost block: a thread, its wait, or a forward, whose function it returns.
  std::int32_t close(const Cursor& c, std::int32_t kind, std::string_view what);

  const std::vector<CustomBackward>& functions_;
  const std::vector<CustomOperator>& operators_;
  std::vector<bool> used_;
  std::vector<bool> hooks_;  ///< the functions that are hooks
  std::vector<std::int32_t> open_;
};

}  // namespace plumbline::protocol
