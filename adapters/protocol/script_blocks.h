// Checks, statement by statement, that a script's blocks nest, and that it uses its functions and operators as they are
// defined.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/protocol/cursor.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::protocol {

class Blocks {
 public:
  /// `script`, which must outlive it, has its functions and operators, and before its first statement its kernels.
  explicit Blocks(const Script& script)
      : script_(script), used_(script.functions.size()), hooks_(script.functions.size()) {}

  /// The next statement, which stands at `c`. Throws as Cursor::expected.
  void check(const StatementKind& kind, const Cursor& c);
  bool all_closed() const { return open_.empty(); }

 private:
  static constexpr std::int32_t kThread = -1, kPause = -2;

  void check_hook(const StatementKind& kind, const Cursor& c);
  void check_registration(const StatementKind& kind, const Cursor& c);
  /// The operator of this number, at the member "operator" of `c`.
  const CustomOperator& operator_at(std::int32_t number, const Cursor& c) const;
  /// The operator, which must be of the library's namespace.
  const CustomOperator& operator_in(const std::string& library, std::int32_t number, const Cursor& c) const;
  const CustomKernel& kernel_at(std::int32_t number, const Cursor& c) const;
  void check_thread(const StatementKind& kind, const Cursor& c);
  /// The function at `c`, used for the first time.
  std::size_t unused(std::int32_t function, const Cursor& c, const char* member = "function");
  /// The function, whose body must be one of a hook; `after`: of one after accumulation.
  const CustomBackward& check_hook_body(std::size_t function, bool after, const Cursor& c, const char* member);
  /// Leaves the innermost block: a thread, its wait, or a forward, whose function it returns.
  std::int32_t close(const Cursor& c, std::int32_t kind, std::string_view what);

  const Script& script_;
  std::map<std::string, std::string, std::less<>> libraries_;  ///< the namespace of each one that is not dropped
  std::set<std::string, std::less<>> made_;                    ///< their names, also of those that are dropped
  std::vector<bool> used_;
  std::vector<bool> hooks_;  ///< the functions that are hooks
  std::vector<std::int32_t> open_;
};

/// Checks that the kernel which the statement at `c` registers, if it does, fits the operators that it is for. The
/// script is complete.
void check_kernel(const Script& script, const StatementKind& kind, const Cursor& c);

}  // namespace plumbline::protocol
