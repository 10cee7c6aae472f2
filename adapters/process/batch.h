// The scripts of one call of `run_all`: sent ahead, each answered once, each failure blamed on one of them.
#pragma once

#include "adapters/process/process.h"

namespace plumbline {

/// While a child of `adapter` runs `scripts`. A hang, and a death of a child that had run other scripts, are tried
/// again on a fresh child, where the script runs alone. If a death is not repeated there, an earlier script damaged the
/// child: it is found by running the earlier ones again, and blamed.
class ProcessAdapter::Batch {
 public:
  Batch(ProcessAdapter& adapter, std::span<const Script> scripts);

  /// One result for each script, in order.
  std::vector<RunResult> run();

 private:
  struct Flight {
    std::size_t script;
    std::int64_t id;
  };

  void launch();
  void start_clock();
  void send(const Script& script, std::int64_t id);
  std::optional<Breakdown> land(const std::string& line);
  void break_down(Breakdown breakdown);
  void start_again();
  void end_child();
  void blame_for(std::size_t victim);
  void blame(std::size_t victim, std::size_t suspect);
  bool dies_after(std::span<const Script> earlier, std::size_t victim);

  ProcessAdapter& adapter_;
  std::span<const Script> scripts_;
  std::vector<RunResult> results_;
  std::deque<std::size_t> waiting_;
  std::deque<Flight> flying_;
  std::vector<std::size_t> ran_;            ///< those that the present child has answered, oldest first
  std::optional<Breakdown> first_failure_;  ///< the first waiting script failed so, and is tried again
  std::vector<Script> suspects_;            ///< what the child that died had answered, oldest first
  std::vector<std::size_t> own_suspects_;   ///< the last of them, if they are of this batch
  Clock::time_point limit_;
};

}  // namespace plumbline
