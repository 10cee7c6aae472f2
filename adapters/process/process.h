// The adapter for an implementation that runs as a process and speaks the protocol of docs/PROTOCOL.md.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "adapters/adapter.h"
#include "adapters/exhibit.h"
#include "support/child.h"

namespace plumbline {

/// Runs programs in a child process; several are sent ahead. Any failure of the child is a verdict on the program that
/// it was running; a new child then runs the others. The thread that makes the adapter must outlive it.
class ProcessAdapter : public Adapter, public Exhibitor {
 public:
  /// Starts `command` (a command line as in a shell) and asks for its description. `timeout_s` is the limit for one
  /// program. `memory_limit_mib` is as in AdapterOptions: a process that uses more is killed, which counts as a crash.
  /// If it does not start or does not follow the protocol, throws std::runtime_error that says what to do.
  ProcessAdapter(std::string command, double timeout_s, std::int64_t memory_limit_mib = kMemoryLimit_mib);
  ~ProcessAdapter() override;

  const Description& describe() const override { return description_; }
  RunResult run(const Script& script) override;
  std::vector<RunResult> run_all(std::span<const Script> scripts) override;
  Counts counts() const override { return counts_; }
  std::optional<Exhibit> show(const Script& script, std::size_t statement, const std::string& found) override;

 private:
  using Clock = std::chrono::steady_clock;
  class Batch;  ///< of batch.h

  /// One line from the child, or how it failed.
  struct Answer {
    std::string line;
    std::optional<Breakdown> breakdown;
  };

  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }
  Description start();
  void stop();
  void end_child();
  std::optional<Breakdown> ensure_started();
  Answer next_line(Clock::time_point limit);
  std::optional<Breakdown> take_output();
  std::optional<Breakdown> look_at_memory();
  void take_errors();
  void send_some();
  Exhibit end_after(std::string why);
  Breakdown ended();
  Breakdown hung() const;
  Breakdown garbage(const std::string& what) const;
  std::string with_errors(std::string message) const;

  std::vector<std::string> words_;
  std::string command_;
  double timeout_s_;
  std::int64_t memory_limit_mib_;
  Description description_;
  bool shows_ = false;  ///< it takes the request `show`
  std::string torch_version_;

  std::unique_ptr<Child> child_;
  std::string to_send_;  ///< requests; those from `sent_` on are not written yet
  std::size_t sent_ = 0;
  std::string received_;         ///< output after the last line that was taken
  std::size_t searched_ = 0;     ///< how much of it is known to have no line end
  Clock::time_point next_look_;  ///< when to check the child's memory again
  std::string errors_;           ///< the end of its standard error
  std::int64_t next_id_ = 1;
  std::deque<Script> ran_;  ///< the latest scripts that the child has answered, oldest first
  Counts counts_;           ///< the sums of what the answers say
  int failed_starts_ = 0;   ///< in a row
  std::string start_failure_;
};

}  // namespace plumbline
