// The runners of one run, each started when it is first asked for and again after it failed.
#include "bench/driver/fleet.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace plumbline::bench {

namespace {

constexpr double kStart_s = 120;
constexpr double kSimulatedStart_s = 300;

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "plumbline-bench-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr)
    throw RunnerFailed(fmt::format("cannot make the folder {}: {}; set TMPDIR to a folder that you may write", pattern,
                                   std::strerror(errno)));
  path_ = pattern;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Runner& Fleet::get(const Implementation& implementation, Kind kind) {
  Ship& ship = ships_[{implementation.name, kind}];
  if (ship.runner != nullptr) return *ship.runner;
  if (!ship.failure.empty()) throw RunnerFailed(ship.failure);
  std::vector<std::string> words = implementation.words;
  if (kind == Kind::tuned) words = tuned(words);
  if (kind == Kind::memory) words = counting_memory(words);
  if (kind == Kind::instructions) {
    const std::filesystem::path folder = folder_.path() / fmt::format("callgrind-{}", ships_.size());
    std::filesystem::create_directory(folder);
    words = counting_instructions(words, folder);
    if (words.empty()) throw RunnerFailed("valgrind is not installed (Debian: apt-get install valgrind)");
  }
  try {
    ship.runner = std::make_unique<Runner>(words, kind == Kind::instructions ? kSimulatedStart_s : kStart_s);
  } catch (const RunnerFailed& failed) {
    ship.failure = failed.what();
    throw;
  }
  return *ship.runner;
}

void Fleet::lose(const Implementation& implementation, Kind kind) { ships_.erase({implementation.name, kind}); }

void Fleet::end(Kind kind) {
  std::erase_if(ships_, [&](const auto& ship) { return ship.first.second == kind; });
}

}  // namespace plumbline::bench
