// What is counted: instructions under callgrind, calls of malloc, and bytes that results keep.
#include "bench/runner/counts.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include "bench/malloc/counts.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
// Without valgrind's headers, no instructions are counted, and the runner says so.
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION
#define CALLGRIND_STOP_INSTRUMENTATION
#define CALLGRIND_DUMP_STATS
#endif

namespace plumbline::bench {

namespace {

constexpr std::uint64_t kCounted = 200;  // calls that are counted, after as many to warm up

std::uint64_t calls_of(const Entry& entry) {
  return std::max<std::uint64_t>(kCounted / static_cast<std::uint64_t>(entry.items), 1);
}

/// The `totals:` of the dump, which is then removed. Callgrind numbers its dumps from 1.
double total_of_dump(const std::string& callgrind_out, int number) {
  const std::string path = callgrind_out + "." + std::to_string(number);
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("totals:")) {
      file.close();
      std::remove(path.c_str());
      return std::stod(line.substr(line.find(':') + 1));
    }
  throw std::runtime_error("callgrind wrote no totals to " + path + "; is there room on the disk?");
}

using ReadCounts = decltype(&plumbline_malloc_counts);
ReadCounts malloc_counts() {
  static const auto found = reinterpret_cast<ReadCounts>(dlsym(RTLD_DEFAULT, "plumbline_malloc_counts"));
  return found;
}

double peak_of_one(const Suite& suite, Workload& workload) {
  static const auto begin =
      reinterpret_cast<decltype(&plumbline_malloc_begin_peak)>(dlsym(RTLD_DEFAULT, "plumbline_malloc_begin_peak"));
  suite.trim();
  begin();
  const std::int64_t before = malloc_counts()().peak_bytes;
  workload.run(1);
  return static_cast<double>(malloc_counts()().peak_bytes - before);
}

std::optional<double> kept_by_one(Workload& workload) {
  constexpr auto kHeld = Workload::kMostHeld;
  if (!workload.hold(0)) return std::nullopt;
  const std::int64_t before = malloc_counts()().live_bytes;
  workload.hold(kHeld);
  const std::int64_t after = malloc_counts()().live_bytes;
  workload.hold(0);
  return static_cast<double>(after - before) / static_cast<double>(kHeld);
}

double mallocs_of_one(Workload& workload, const Entry& entry) {
  workload.run(calls_of(entry));
  const std::int64_t before = malloc_counts()().calls;
  workload.run(calls_of(entry));
  return static_cast<double>(malloc_counts()().calls - before) / static_cast<double>(calls_of(entry));
}

}  // namespace

bool counts_instructions(const std::string& callgrind_out) {
  return !callgrind_out.empty() && RUNNING_ON_VALGRIND != 0;
}

std::map<std::string, double> count_instructions(const Prepared& prepared, const std::string& callgrind_out) {
  static int dumps = 0;
  const std::uint64_t calls = calls_of(prepared.entry());
  std::map<std::string, double> counts;
  for (const std::string& side : prepared.sides()) {
    Workload* workload = prepared.on(side);
    if (workload == nullptr) continue;
    workload->run(calls);
    CALLGRIND_START_INSTRUMENTATION;
    workload->run(calls);
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS;
    const double total = total_of_dump(callgrind_out, ++dumps);
    counts[side] = total / static_cast<double>(calls) / static_cast<double>(prepared.entry().items);
  }
  return counts;
}

bool counts_memory() { return malloc_counts() != nullptr; }

std::map<std::string, Memory> count_memory(const Suite& suite, const Prepared& prepared) {
  std::map<std::string, Memory> counts;
  for (const std::string& side : prepared.sides())
    if (Workload* workload = prepared.on(side))
      counts[side] = {mallocs_of_one(*workload, prepared.entry()), kept_by_one(*workload),
                      peak_of_one(suite, *workload)};
  return counts;
}

}  // namespace plumbline::bench
