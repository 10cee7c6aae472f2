// The blocks of a script: which one an error in a statement reaches, and what lies in threads and forwards.
#pragma once

#include <optional>
#include <vector>

#include "spec/vocabulary/statement.h"

namespace plumbline::fuzz {

/// The blocks around each statement. A statement that opens or closes a block is outside it, except the end of a
/// forward or of a functionalized body: its error is an error of that body.
class Blocks {
 public:
  explicit Blocks(const Script& script);

  /// The Try that catches an error of `statement`; nothing: the thread, or the run, ends.
  std::optional<std::size_t> catcher(std::size_t statement) const { return around_.at(statement).catcher; }
  /// The StartThread of the innermost thread around it.
  std::optional<std::size_t> thread(std::size_t statement) const { return around_.at(statement).thread; }
  /// The EnterForward of the outermost forward that lies in the same thread and Try; or the EnterFunctionalize of a
  /// functionalized body.
  std::optional<std::size_t> forward(std::size_t statement) const { return around_.at(statement).forward; }
  /// The statement that closes what `statement` opens.
  std::optional<std::size_t> end(std::size_t statement) const { return ends_.at(statement); }

 private:
  struct Around {
    std::optional<std::size_t> catcher, thread, forward;
  };
  std::vector<Around> around_;
  std::vector<std::optional<std::size_t>> ends_;
};

}  // namespace plumbline::fuzz
