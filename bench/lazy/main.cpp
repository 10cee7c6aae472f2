// plumbline-bench-lazy: time and memory of the lazy device beside eager, ours and LibTorch's.
#include <malloc.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

#include "bench/driver/statistics.h"
#include "bench/lazy/rows.h"
#include "optimized/lazy/lazy.h"
#include "optimized/tensor/error.h"
#include "optimized/tensor/pool.h"
#include "support/command_line.h"

using namespace plumbline;

namespace {

/// What this process has used of processors, with all its threads; other processes do not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Nanoseconds for one op: the median of repetitions of at least `least` seconds.
double nanoseconds(const bench::lazy::Row& row, int repetitions, double least) {
  const auto seconds_of = [&](std::uint64_t calls) {
    const double begin = cpu_seconds();
    for (std::uint64_t i = 0; i < calls; ++i) row.call();
    return cpu_seconds() - begin;
  };
  std::uint64_t calls = 1;
  while (seconds_of(calls) < least) calls *= 2;
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) times.push_back(seconds_of(calls) / static_cast<double>(calls));
  return bench::median(times) * 1e9 / static_cast<double>(row.ops);
}

/// A line of /proc/self/status, in KiB; 0 if the system has none.
double kib_of(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1));
  return 0;
}

/// How many MiB more than before are resident at the peak of one call. Freed memory goes back to the system at once.
double peak_mib(const bench::lazy::Row& row) {
  row.call();
  optimized::trim_pools();
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak begins again here
  const double before = kib_of("VmRSS");
  row.call();
  return (kib_of("VmHWM") - before) / 1024;
}

/// Prints what `measure` gives for each side of each row, and how many times less that is than for the first side.
template <class Measure>
void print(const std::vector<bench::lazy::Measured>& sides, const std::string& unit, const Measure& measure) {
  for (std::size_t row = 0; row < sides.front().rows.size(); ++row) {
    std::cout << sides.front().rows[row].name << ", " << unit << '\n';
    double first = -1;
    for (const bench::lazy::Measured& side : sides) {
      if (row >= side.rows.size()) continue;
      const double found = measure(side.rows[row]);
      if (first < 0) first = found;
      std::cout << "  " << std::left << std::setw(16) << side.name << std::right << std::fixed << std::setprecision(2)
                << std::setw(14) << found;
      if (found > 0) std::cout << std::setw(10) << first / found << "x";
      std::cout << '\n';
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("plumbline-bench-lazy",
                   "Measures ops on the lazy device beside the same ops on the CPU, on one thread: the time of an op, "
                   "in processor time, and how much memory is resident at the peak of a call beyond what was before. "
                   "If LibTorch is built, "
                   "its lazy device is measured, too.");
  line.footer("example:\n  plumbline-bench-lazy");
  line.version("plumbline-bench-lazy " PLUMBLINE_VERSION);
  int repetitions = 9;
  line.option("--repetitions", repetitions, "how often each row is measured").range(1);
  double least = 0.05;
  line.option("--least", least, "how many seconds a repetition takes at least").positive();
  std::int64_t elements = std::int64_t{1} << 22;
  line.option("--elements N", elements, "of a tensor in a chain; at least 4096").range(4096);
  if (const auto code = line.parse(argc, argv)) return *code;
  std::vector<bench::lazy::Measured> sides{bench::lazy::ours(elements), bench::lazy::ours_lazily(elements)};
  for (bench::lazy::Measured& one : bench::lazy::libtorch(elements)) sides.push_back(std::move(one));
  sides.push_back(bench::lazy::floor());
  try {
    print(sides, "ns an op", [&](const bench::lazy::Row& row) { return nanoseconds(row, repetitions, least); });
    constexpr int kMapped = 1 << 16;
    mallopt(M_MMAP_THRESHOLD, kMapped);
    print(sides, "MiB at the peak", peak_mib);
  } catch (const optimized::Error& error) {
    std::cerr << "plumbline-bench-lazy: " << error.what() << '\n';
    return 5;
  }
  for (const bench::lazy::Measured& side : sides)
    if (!side.why_not.empty()) std::cout << side.name << " cannot start: " << side.why_not << '\n';
  const optimized::lazy::Counts counts = optimized::lazy::counts();
  std::cout << "lazy: " << counts.calls << " calls, " << counts.evaluated << " graphs done, " << counts.hits
            << " plans found, " << counts.misses << " made, " << counts.fused << " values without memory\n";
  return 0;
}
