// What a runner runs on: the CPU, and the libraries that are loaded.
#include "bench/runner/machine.h"

#include <sys/stat.h>

#include <fstream>
#include <set>

namespace plumbline::bench {

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

}  // namespace

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(':') + 2, line.size()));
  return "unknown";
}

nlohmann::json libraries() {
  std::set<std::string> paths;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const std::size_t path = line.find('/');
        path != std::string::npos && line.find(".so", path) != std::string::npos)
      paths.insert(line.substr(path));
  nlohmann::json found = nlohmann::json::array();
  for (const std::string& path : paths) {
    struct stat status{};
    if (stat(path.c_str(), &status) == 0)
      found.push_back({{"path", path},
                       {"bytes", status.st_size},
                       {"changed_ns", status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec}});
  }
  return found;
}

}  // namespace plumbline::bench
