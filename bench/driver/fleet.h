// The runners of one run, each started when it is first asked for and again after it failed.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "bench/driver/launch.h"
#include "bench/driver/runner.h"

namespace plumbline::bench {

/// A folder that is removed, with its files, at the end of the run.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class Fleet {
 public:
  enum class Kind : std::uint8_t { stock, tuned, memory, instructions };

  /// Throws RunnerFailed if the runner does not start; a runner that failed to start once is not started again.
  Runner& get(const Implementation& implementation, Kind kind);
  /// Drops a runner that failed; the next `get` starts a new process.
  void lose(const Implementation& implementation, Kind kind);
  /// Ends every process of a kind.
  void end(Kind kind);

 private:
  struct Ship {
    std::unique_ptr<Runner> runner;
    std::string failure;  ///< why it did not start
  };
  std::map<std::pair<std::string, Kind>, Ship> ships_;
  TemporaryFolder folder_;
};

}  // namespace plumbline::bench
