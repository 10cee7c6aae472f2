// Work in separate processes, a few at a time. Each starts as a copy of this one, so no worker sees another's terms. A
// crash or a hang is a result.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace plumbline::mutants {

/// Tells the parent what the worker is about to do, and how long that may take.
using Announce = std::function<void(const std::string& step, int limit_s)>;
/// Sends the parent a line of the result, which it keeps even if the worker dies.
using Tell = std::function<void(const std::string& line)>;

/// How a worker ended.
struct Ended {
  enum class How : std::uint8_t { finished, died, hung };
  How how = How::finished;
  std::vector<std::string> lines;  ///< the lines that it sent
  std::string step;                ///< the last step that it announced
};

/// Runs `work(0)` to `work(count - 1)`, at most `jobs` at a time, and calls `done` for each as it ends. Starts no more
/// work once `stop()` holds. An exception in a worker counts as its death.
void run_workers(std::size_t count, unsigned jobs,
                 const std::function<void(std::size_t, const Announce&, const Tell&)>& work,
                 const std::function<void(std::size_t, const Ended&)>& done, const std::function<bool()>& stop);

}  // namespace plumbline::mutants
