// The gate: the command finds planted slowdowns, and finds nothing in an unchanged build, ten times.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/tests/command.h"
#include "support/sanitizers.h"

namespace {

using command::has;
using command::plumbline;
using command::Ran;

std::string fixture(const std::string& plant = "") {
  return std::string("'process:") + PLUMBLINE_FIXTURE + " --serve" + (plant.empty() ? "" : " --plant=" + plant) + "'";
}

std::string temporary(const std::string& name) {
  return testing::TempDir() + "bench_gate_" + std::to_string(getpid()) + "_" + name;
}

/// The fixture with a plant, against the fixture without one.
Ran beside(const std::string& plant, const std::string& options) {
  return plumbline("bench --quick --on " + fixture(plant) + " --against " + fixture() + " " + options, "2>/dev/null");
}

/// For tests that measure the fixture with a planted slowdown. Under a sanitizer the slowdown is lost among the costs
/// of its checks, and valgrind cannot run the fixture.
class PlantedSlowdown : public testing::Test {
 protected:
  void SetUp() override {
    if (plumbline::kReservesAddresses) GTEST_SKIP() << "a sanitizer changes what the fixture costs";
  }
};

bool has_valgrind() { return std::system("valgrind --version >/dev/null 2>&1") == 0; }

nlohmann::json parsed(const Ran& ran) { return nlohmann::json::parse(ran.text, nullptr, false); }

const nlohmann::json& case_of(const nlohmann::json& json, const std::string& id) {
  for (const auto& one : json["cases"])
    if (one["id"] == id) return one;
  static const nlohmann::json none;
  return none;
}

TEST_F(PlantedSlowdown, catches_5_percent_more_instructions) {
  if (!has_valgrind()) GTEST_SKIP() << "valgrind is not installed";
  const Ran ran = beside("instructions", "--json -");
  EXPECT_EQ(ran.code, 1) << ran.text;
  const auto json = parsed(ran);
  EXPECT_EQ(case_of(json, "long")["instructions"], "slower");
  EXPECT_EQ(json["regressions"], 1) << ran.text;
}

TEST_F(PlantedSlowdown, catches_15_percent_more_time_at_equal_instructions_an_atomic) {
  const Ran ran = beside("atomic", "--json -");
  EXPECT_EQ(ran.code, 1) << ran.text;
  const auto json = parsed(ran);
  EXPECT_EQ(case_of(json, "locked")["time"], "slower");
  EXPECT_EQ(case_of(json, "locked")["instructions"], "none");
  EXPECT_EQ(json["regressions"], 1) << ran.text;
}

TEST_F(PlantedSlowdown, catches_more_time_at_equal_instructions_a_cache_miss) {
  const Ran ran = beside("miss", "--json -");
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_EQ(case_of(parsed(ran), "reading")["time"], "slower");
  EXPECT_EQ(case_of(parsed(ran), "reading")["instructions"], "none");
}

TEST(Gate, finds_nothing_ten_times_in_an_unchanged_build) {
  for (int i = 0; i < 10; ++i) {
    const Ran ran = beside("", i == 0 ? "" : "--no-instructions");
    EXPECT_EQ(ran.code, 0) << ran.text;
    EXPECT_TRUE(has(ran, "0 of 5 cases regressed"));
  }
}

TEST_F(PlantedSlowdown, a_wider_gate_ignores_what_a_narrower_one_catches) {
  if (!has_valgrind()) GTEST_SKIP() << "valgrind is not installed";
  EXPECT_EQ(beside("instructions", "--filter long --gate 20%").code, 0);
}

TEST_F(PlantedSlowdown, text_names_the_case_that_regressed) {
  const Ran ran = beside("miss", "--filter reading");
  EXPECT_TRUE(has(ran, "REGRESSED: time"));
  EXPECT_TRUE(has(ran, "1 of 1 cases regressed"));
}

TEST_F(PlantedSlowdown, compares_with_a_saved_report) {
  const std::string store = temporary("store");
  EXPECT_EQ(plumbline("bench --quick --on " + fixture() + " --save before --store " + store).code, 0);
  const std::string against = "bench --quick --on " + fixture("miss") + " --store " + store + " --against ";
  const Ran named = plumbline(against + "before", "2>/dev/null");
  EXPECT_EQ(named.code, 1) << named.text;
  EXPECT_TRUE(has(named, "beside the new one"));
  EXPECT_TRUE(has(named, "REGRESSED: time"));
  EXPECT_EQ(plumbline(against + store + "/before/report.json").code, 1);
  const Ran same =
      plumbline("bench --quick --on " + fixture() + " --store " + store + " --against before", "2>/dev/null");
  EXPECT_EQ(same.code, 0) << same.text;
  std::filesystem::remove_all(store);
}

TEST(Gate, writes_json_and_a_picture) {
  const std::string json = temporary("comparison.json");
  const std::string svg = temporary("comparison.svg");
  EXPECT_EQ(beside("", "--no-instructions --filter plain --json " + json + " --svg " + svg).code, 0);
  EXPECT_EQ(nlohmann::json::parse(std::ifstream(json))["kind"], "comparison");
  std::string first;
  std::getline(std::ifstream(svg) >> std::ws, first);
  EXPECT_TRUE(first.starts_with("<svg "));
  std::filesystem::remove(json);
  std::filesystem::remove(svg);
}

TEST(Gate, a_runner_that_crashes_is_a_harness_failure) {
  const Ran crash = beside("crash", "--no-instructions --filter plain");
  EXPECT_EQ(crash.code, 3) << crash.text;
  EXPECT_TRUE(has(crash, "signal 6"));
  EXPECT_EQ(beside("garbage", "--no-instructions").code, 3);
  EXPECT_EQ(plumbline("bench --on 'process:/no/such/runner' --against " + fixture()).code, 3);
  EXPECT_TRUE(has(plumbline("bench --on process:true --against " + fixture()), "it ended with exit code 0"));
}

}  // namespace
