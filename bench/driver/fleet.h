// The runners of one run, each started when it is first asked for and again after it failed.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "bench/driver/launch.h"
#include "bench/driver/runner.h"

namespace plumbline::bench {

/// A folder for the time of a run, which goes with all that is in it.
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

  /// Throws RunnerFailed where it does not start, at once where it did not before.
  Runner& get(const Implementation& implementation, Kind kind);
  /// It failed: what stands for it is another process from now on.
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
