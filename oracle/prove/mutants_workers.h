// Work in processes of its own, a few at a time: each begins as a copy of this one, so that none sees another's terms,
// and one that crashes or hangs is a result.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace plumbline::mutants {

/// Tells the parent what the worker is about to do, and how long that may take.
using Announce = std::function<void(const std::string& step, int limit_s)>;
/// Hands the parent a line of the result; it has it whatever becomes of the worker.
using Tell = std::function<void(const std::string& line)>;

/// How a worker ended.
struct Ended {
  enum class How : std::uint8_t { finished, died, hung };
  How how = How::finished;
  std::vector<std::string> lines;  ///< what it told
  std::string step;                ///< the last that it announced
};

/// Runs `work(0)` to `work(count - 1)`, at most `jobs` at a time, and tells `done` of each as it ends. Begins no more
/// once `stop()` holds. An exception in a worker is how it died.
void run_workers(std::size_t count, unsigned jobs,
                 const std::function<void(std::size_t, const Announce&, const Tell&)>& work,
                 const std::function<void(std::size_t, const Ended&)>& done, const std::function<bool()>& stop);

}  // namespace plumbline::mutants
