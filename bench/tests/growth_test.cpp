// How cost grows: slopes of made-up times, and their output.
#include "bench/driver/growth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace plumbline::bench {
namespace {

constexpr std::array kSizes{1, 10, 100, 1000};

/// Views of views at four sizes. One takes 50 size^ours and 300 size^theirs nanoseconds.
TableReport deep_report(double ours, double theirs) {
  TableReport report;
  report.versions = {"2.13.0"};
  report.cpu = "a CPU";
  for (const int size : kSizes) {
    Row row;
    row.what = *find_case("deep/" + std::to_string(size) + "/functionalized");
    row.stock["2.13.0"] = {{50 * std::pow(size, ours)}, {300 * std::pow(size, theirs)}, {}};
    report.rows.push_back(row);
  }
  return report;
}

TEST(Growth, the_exponent_is_that_of_the_whole) {
  const auto all = growths(deep_report(0, 1));
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].curves.size(), 2U);
  EXPECT_NEAR(all[0].curves[0].exponent, 1, 1e-9);
  EXPECT_NEAR(all[0].curves[1].exponent, 2, 1e-9);
  EXPECT_TRUE(all[0].kept());
}

TEST(Growth, a_cost_for_one_that_grows_is_not_linear) {
  const auto all = growths(deep_report(0.2, 1));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].kept());
  EXPECT_NE(growth_text(all).find("size^1.20: NOT linear"), std::string::npos) << growth_text(all);
}

TEST(Growth, needs_three_sizes) {
  TableReport report = deep_report(0, 1);
  report.rows.resize(2);
  EXPECT_TRUE(growths(report).empty());
  EXPECT_EQ(growth_text({}), "");
}

TEST(Growth, a_size_that_failed_is_left_out) {
  TableReport report = deep_report(0, 1);
  report.rows[1].error = "gone";
  ASSERT_EQ(growths(report).size(), 1U);
  EXPECT_EQ(growths(report)[0].sizes, (std::vector<std::int64_t>{1, 100, 1000}));
}

TEST(Growth, a_cost_that_should_be_constant_must_be_constant) {
  TableReport report;
  for (const int size : {1, 1000, 100'000}) {
    Row row;
    row.what = *find_case("alive/" + std::to_string(size) + "/inference");
    row.stock[""] = {{10 * std::pow(size, 0.2)}, {}, {}};
    report.rows.push_back(row);
  }
  const auto all = growths(report);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_NEAR(all[0].curves[0].exponent, 0.2, 1e-9);
  EXPECT_FALSE(all[0].kept());
}

TEST(Growth, is_in_the_text_the_picture_and_the_json) {
  const TableReport report = deep_report(0, 1);
  EXPECT_NE(table_text(report).find("size^1.00: linear"), std::string::npos) << table_text(report);
  EXPECT_NE(table_svg(report).find("views of views, functionalized: time of one"), std::string::npos);
  const auto json = nlohmann::json::parse(table_json(report));
  ASSERT_EQ(json.at("growth").size(), 1U);
  EXPECT_NEAR(json["growth"][0].at("curves").at(1).at("exponent").get<double>(), 2, 1e-9);
  EXPECT_EQ(json["growth"][0].at("kept"), true);
}

TEST(Growth, every_family_has_at_least_three_sizes) {
  TableReport report;
  for (const Case& one : cases()) {
    Row row;
    row.what = one;
    row.stock[""] = {{10}, {}, {}};
    report.rows.push_back(row);
  }
  EXPECT_EQ(growths(report).size(), 6U);  // deep in three modes, rows, alive, nested
}

}  // namespace
}  // namespace plumbline::bench
