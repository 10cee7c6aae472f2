// Reading the memory of a process and its descendants from /proc.
#include "support/resident.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <vector>

namespace plumbline {

namespace {

/// The processes that the threads of `process` started; empty if it has ended in the meantime.
std::vector<pid_t> children_of(pid_t process) {
  std::vector<pid_t> children;
  std::error_code ended;
  for (std::filesystem::directory_iterator task(fmt::format("/proc/{}/task", process), ended), last;
       !ended && task != last; task.increment(ended)) {
    std::ifstream file(task->path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

std::int64_t own_bytes(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  std::int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

std::int64_t resident_bytes(pid_t process) {
  std::int64_t sum = 0;
  std::set<pid_t> seen;  // a process id may be reused meanwhile; this prevents an endless loop
  for (std::vector<pid_t> open{process}; !open.empty();) {
    const pid_t next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    sum += own_bytes(next);
    for (const pid_t child : children_of(next)) open.push_back(child);
  }
  return sum;
}

}  // namespace plumbline
