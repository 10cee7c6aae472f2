// A runner for the tests: a few small calls of known cost. A plant makes one of them slower, or makes it fail.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/runner/serve.h"

namespace {

using namespace plumbline::bench;

/// `steps` of a chain in which each step waits for the one before, and `adds` to memory.
struct Work {
  int steps = 0;
  int adds = 0;
  bool locked = false;              ///< whether the adds are atomic, which needs no more instructions
  std::uint32_t reach = 1U << 10U;  ///< how many words it reads: 4 KiB stay in the first cache, 256 KiB do not
};

/// The memory that a case reads.
std::vector<std::uint32_t>& ground() {
  static std::vector<std::uint32_t> all = [] {
    std::vector<std::uint32_t> made(std::size_t{1} << 16U);
    std::iota(made.begin(), made.end(), 0U);
    return made;
  }();
  return all;
}

void add_plain(std::uint64_t& counter) { asm volatile("addq $1, %0" : "+m"(counter)); }
void add_locked(std::uint64_t& counter) { asm volatile("lock addq $1, %0" : "+m"(counter)); }

class Chain final : public Workload {
 public:
  explicit Chain(const Work& work) : work_(work), add_(work.locked ? &add_locked : &add_plain) { ground(); }

  void run(std::uint64_t times) override {
    std::uint32_t at = 1;
    for (; times != 0; --times) {
      for (int i = 0; i < work_.steps; ++i) {
        at ^= at << 13U;
        at ^= at >> 17U;
        at ^= at << 5U;
      }
      at += ground()[at & (work_.reach - 1)] & 1U;
      at |= 1U;
      for (int i = 0; i < work_.adds; ++i) {
        std::uint64_t& counter = counters_[at & 3U];
        add_(counter);
        at += static_cast<std::uint32_t>(counter) & 2U;  // each add waits for the one before it
      }
      benchmark::DoNotOptimize(at);
    }
  }
  Outcome outcome() override { return {"steps", {}}; }

 private:
  Work work_;
  void (*add_)(std::uint64_t& counter);
  std::array<std::uint64_t, 4> counters_{};
};

/// A workload whose outcome differs from that of every other side.
class Odd final : public Workload {
 public:
  void run(std::uint64_t) override {}
  Outcome outcome() override { return {"something else", {}}; }
};

class Crash final : public Workload {
 public:
  void run(std::uint64_t) override { std::abort(); }
  Outcome outcome() override { return {"steps", {}}; }
};

Work work_of(std::string_view id, std::string_view plant) {
  if (id == "long") return {.steps = plant == "instructions" ? 420 : 400};
  if (id == "locked") return {.steps = 20, .adds = 4, .locked = plant == "atomic"};
  if (id == "reading") return {.steps = 4, .reach = plant == "miss" ? 1U << 16U : 1U << 10U};
  return {.steps = 100, .adds = 2};
}

/// The cases of the claims, with times of known ratios: a row takes more steps in normal mode and with a boxed kernel.
/// The plant `claims_wrong` makes inference mode the slowest. Only some sides have a row, as `guard_legacy` in ours.
Work claim_work_of(std::string_view id, std::string_view plant) {
  const auto has = [&](std::string_view part) { return id.find(part) != std::string_view::npos; };
  if (has("bump")) return {.steps = 100};
  if (has("op_fallback") || has("grad") || has("normal")) return {.steps = 300};
  if (has("inference")) return {.steps = plant == "claims_wrong" ? 600 : 100};
  return {.steps = 200};
}

Suite suite_of_claims(const std::string& plant) {
  Suite suite;
  suite.name = "fixture";
  for (const Case& one : cases()) suite.entries.push_back({id_of(one)});
  suite.sides = {"mine", "floor"};
  suite.make = [plant](const Entry& entry, const std::string& side) -> std::unique_ptr<Workload> {
    if (entry.id.starts_with("guard_legacy")) return nullptr;
    if (plant == "claims_odd" && entry.id == "bump/normal" && side == "floor") return std::make_unique<Odd>();
    return std::make_unique<Chain>(claim_work_of(entry.id, plant));
  };
  return suite;
}

Suite suite_of(const std::string& plant) {
  if (plant.starts_with("claims")) return suite_of_claims(plant);

  Suite suite;
  suite.name = "fixture";
  for (const char* id : {"long", "locked", "reading", "plain", "wide"}) suite.entries.push_back({id});
  suite.entries.back().threads = Threads::callers;
  suite.entries.back().countable = false;
  suite.sides = {"mine", "other"};
  suite.make = [plant](const Entry& entry, const std::string& side) -> std::unique_ptr<Workload> {
    if (plant == "odd" && side == "other") return std::make_unique<Odd>();
    if (plant == "crash" && entry.id == "plain") return std::make_unique<Crash>();
    if (plant == "hang" && entry.id == "plain") pause();
    return std::make_unique<Chain>(work_of(entry.id, plant));
  };
  return suite;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view kPlant = "--plant=";
  std::string plant;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with(kPlant)) plant = std::string_view(argv[i]).substr(kPlant.size());
  if (plant == "garbage") std::printf("this is not JSON\n");
  return runner_main(argc, argv, [&] { return suite_of(plant); });
}
