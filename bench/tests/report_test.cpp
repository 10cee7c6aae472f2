// The table of rows: ratios, targets, text, JSON and the picture, from made-up times; units and columns.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "bench/driver/grid.h"
#include "bench/driver/svg.h"
#include "bench/driver/table.h"
#include "bench/driver/units.h"

namespace plumbline::bench {
namespace {

const Target* target_of(const std::string& id) {
  for (const Target& target : targets())
    if (id_of(target.what) == id) return &target;
  return nullptr;
}

/// A row whose times are these in every repetition.
Row row_with(const std::string& id, double ours, double early, double late) {
  Row row;
  row.what = *find_case(id);
  row.target = target_of(id);
  row.stock["1.13.1"] = {{ours, ours, ours}, {early, early, early}, {}};
  row.stock["2.13.0"] = {{ours, ours, ours}, {late, late, late}, {}};
  return row;
}

TableReport report_of(std::vector<Row> rows) {
  TableReport report;
  report.versions = {"2.13.0", "1.13.1"};
  report.cpu = "a CPU <of> some \"kind\"";
  report.rows = std::move(rows);
  return report;
}

TEST(Rows, each_target_is_a_case_and_each_case_is_there_once) {
  std::set<std::string> ids;
  for (const Case& one : cases()) EXPECT_TRUE(ids.insert(id_of(one)).second) << id_of(one);
  for (const Target& target : targets()) EXPECT_TRUE(ids.contains(id_of(target.what))) << target.title;
  for (const Target& target : targets())
    if (!target.as.empty()) {
      EXPECT_TRUE(ids.contains(std::string(target.as)));
    }
}

TEST(Rows, have_every_mode_and_size) {
  for (const char* call : {"add", "add_", "copy_", "sum"})
    for (const char* size : {"1", "1024", "1000000", "16777216"})
      for (const char* mode : {"normal", "grad", "no_grad", "inference"})
        EXPECT_TRUE(find_case(std::string(call) + "/" + size + "/" + mode)) << call << size << mode;
  EXPECT_TRUE(find_case("add/16777216/inference/inside"));
  EXPECT_TRUE(find_case("view/normal/callers"));
  EXPECT_FALSE(find_case("add/2/normal"));
}

TEST(Table, the_faster_libtorch_is_the_one_to_beat) {
  const Row row = row_with("add/1/inference", 10, 400, 360);
  EXPECT_DOUBLE_EQ(row.ratio()->value, 36);
  EXPECT_EQ(row.ratio()->version, "2.13.0");
  EXPECT_EQ(report_of({row}).met(row), true);
  const Row slow = row_with("add/1/inference", 10, 400, 340);
  EXPECT_EQ(report_of({slow}).met(slow), false);
}

TEST(Table, the_ratio_is_that_of_the_printed_times) {
  const Row row = row_with("add/1/inference", 1.0449, 37.949, 400);  // printed: 1.04 ns, 37.9 ns
  EXPECT_DOUBLE_EQ(row.ratio()->value, 37.9 / 1.04);
  const std::string text = table_text(report_of({row}));
  EXPECT_NE(text.find("36.4x"), std::string::npos) << text;  // not 36.3x
}

TEST(Table, the_tuned_ratio_stands_beside_its_two_times) {
  Row row = row_with("add/16777216/inference", 10, 80, 80);
  row.tuned["1.13.1"] = {{11, 11}, {22, 22}, {}};
  const std::string text = table_text(report_of({row}));
  EXPECT_NE(text.find("22.0 ns / 11.0 ns"), std::string::npos) << text;
  EXPECT_NE(text.find("2.00x"), std::string::npos) << text;
}

TEST(Table, the_header_explains_a_target_with_biased_counts) {
  EXPECT_NE(
      table_text(report_of({row_with("view/inference", 10, 100, 100)})).find("\nwith biased counts: for a runtime"),
      std::string::npos);
  EXPECT_EQ(table_text(report_of({row_with("add/1/inference", 10, 100, 100)})).find("with biased counts"),
            std::string::npos);
}

TEST(Table, each_ratio_is_of_one_process) {
  Row row = row_with("add/1/inference", 10, 400, 400);
  row.stock["1.13.1"].ours = {20, 20, 20};  // the machine was slower then
  EXPECT_DOUBLE_EQ(row.ratio()->value, 20);
}

TEST(Table, a_row_must_reach_its_tuned_ratio_too) {
  Row row = row_with("add/16777216/inference", 10, 80, 80);  // asks for 6x, and 1.2x tuned
  EXPECT_EQ(report_of({row}).met(row), true);
  row.tuned["1.13.1"] = {{10, 10}, {11, 11}, {}};
  EXPECT_DOUBLE_EQ(row.tuned_ratio()->value, 1.1);
  EXPECT_EQ(report_of({row}).met(row), false);
}

TEST(Table, the_ideal_row_must_reach_the_ratio_of_the_inference_row) {
  const Row inference = row_with("add/1/inference", 10, 400, 400);
  const Row ideal = row_with("add/1/ideal", 11, 500, 500);
  EXPECT_EQ(report_of({inference, ideal}).met(ideal), true);
  EXPECT_EQ(report_of({inference, row_with("add/1/ideal", 13, 500, 500)}).met(row_with("add/1/ideal", 13, 500, 500)),
            false);
  EXPECT_EQ(report_of({ideal}).met(ideal), std::nullopt);
}

TEST(Table, text_has_the_times_ratio_and_verdict_of_a_row) {
  const std::string text =
      table_text(report_of({row_with("add/1/inference", 10, 400, 360), row_with("add/1/normal", 20, 400, 360)}));
  EXPECT_NE(text.find("add, 1 element, inference"), std::string::npos) << text;
  EXPECT_NE(text.find("360 ns (360 ns)"), std::string::npos) << text;
  EXPECT_NE(text.find("36.0x"), std::string::npos) << text;
  EXPECT_NE(text.find("NOT MET"), std::string::npos) << text;
  EXPECT_NE(text.find("2 of 2 cases measured in 0 s; 1 of 2 targets met"), std::string::npos) << text;
}

TEST(Table, an_error_is_printed_and_the_exit_code_is_3) {
  Row row = row_with("add/1/inference", 10, 400, 360);
  row.error = "ours and libtorch have different outcomes";
  const TableReport report = report_of({row});
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_NE(table_text(report).find("error: add/1/inference: ours and libtorch"), std::string::npos);
  EXPECT_EQ(report_of({}).exit_code(), 4);
  EXPECT_EQ(report_of({row_with("add/1/inference", 1, 2, 3)}).exit_code(), 0);
}

TEST(Table, memory_rows_have_targets_of_their_own) {
  Row view = row_with("view/inference", 10, 100, 100);
  view.ours["2.13.0"] = {0, 200, {}};
  view.libtorch["2.13.0"] = {2, 208, {}};
  const std::string text = table_text(report_of({view}));
  EXPECT_NE(text.find("memory kept, view/inference: 200 bytes; target at most 192: NOT MET"), std::string::npos)
      << text;
  EXPECT_NE(text.find("at most 0; target 0: met"), std::string::npos) << text;
}

TEST(Table, json_has_samples_and_verdicts) {
  const auto json = nlohmann::json::parse(table_json(report_of({row_with("add/1/inference", 10, 400, 360)})));
  EXPECT_EQ(json["kind"], "table");
  EXPECT_EQ(json["rows"][0]["id"], "add/1/inference");
  EXPECT_EQ(json["rows"][0]["met"], true);
  EXPECT_EQ(json["rows"][0]["ratio"]["against"], "2.13.0");
  EXPECT_EQ(json["rows"][0]["stock"]["1.13.1"]["libtorch"]["ns"].size(), 3U);
}

TEST(Table, a_lazy_row_stands_beside_eager_with_its_memory) {
  Row row = row_with("chain/10/lazy", 10, 30, 30);
  row.stock.erase("1.13.1");
  row.stock["2.13.0"].eager = {20, 20, 20};
  row.stock["2.13.0"].libtorch_eager = {45, 45, 45};
  row.ours["2.13.0"].peak = 3 << 20;
  row.eager["2.13.0"].peak = 6 << 20;
  row.libtorch["2.13.0"].peak = 12 << 20;
  const std::string text = table_text(report_of({row}));
  EXPECT_NE(
      text.find(
          "eager     lazy  eager/lazy  LibTorch eager  LibTorch lazy  eager/lazy\n"
          "chain/10/lazy, beside 2.13.0  20.0 ns  10.0 ns       2.00x         45.0 ns        30.0 ns       1.50x"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("6.00 MiB  3.00 MiB               -      12.00 MiB"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(table_json(report_of({row})));
  EXPECT_EQ(json["rows"][0]["stock"]["2.13.0"]["eager"]["median_ns"], 20);
  EXPECT_EQ(json["rows"][0]["counts"]["eager"]["2.13.0"]["peak_bytes"], 6 << 20);
  EXPECT_EQ(lazy_text(report_of({row_with("add/1/inference", 10, 400, 360)})), "");
}

TEST(Table, picture_is_well_formed) {
  const std::string svg = table_svg(report_of({row_with("add/1/inference", 10, 400, 360)}));
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("36.0x vs 2.13.0"), std::string::npos);
  EXPECT_NE(svg.find("a CPU &lt;of&gt; some &quot;kind&quot;"), std::string::npos);
}

TEST(Svg, axis_is_logarithmic_and_ends_at_its_ends) {
  const LogAxis axis{100, 300, 1, 1000};
  EXPECT_DOUBLE_EQ(axis.at(1), 100);
  EXPECT_DOUBLE_EQ(axis.at(10), 200);
  EXPECT_DOUBLE_EQ(axis.at(1e9), 400);
}

TEST(Units, times_have_three_digits) {
  EXPECT_EQ(shown_time(1.355), "1.35 ns");
  EXPECT_EQ(shown_time(9.996), "10.0 ns");
  EXPECT_EQ(shown_time(405), "405 ns");
  EXPECT_EQ(shown_time(999.7), "1.00 µs");
  EXPECT_EQ(shown_time(32.14e6), "32.1 ms");
  EXPECT_EQ(shown_time(2e9), "2.00 s");
  EXPECT_EQ(shown_time(9.1234, 4), "9.123 ns");
  EXPECT_EQ(shown_time(999.96, 4), "1.000 µs");
  EXPECT_EQ(shown_change(1.052), "+5.2 %");
  EXPECT_EQ(shown_ratio(42.81), "42.8x");
}

TEST(Units, a_time_as_it_is_shown_is_what_the_text_says) {
  EXPECT_DOUBLE_EQ(as_shown(1.355), 1.35);
  EXPECT_DOUBLE_EQ(as_shown(999.7), 1000);
  EXPECT_DOUBLE_EQ(as_shown(405.4), 405);
  EXPECT_DOUBLE_EQ(as_shown(32.14e6), 32.1e6);
  EXPECT_DOUBLE_EQ(as_shown(9.1234, 4), 9.123);
}

TEST(Units, a_share_is_a_percentage_or_a_number) {
  EXPECT_DOUBLE_EQ(share_of("3%"), 0.03);
  EXPECT_DOUBLE_EQ(share_of("3.5 %"), 0.035);
  EXPECT_DOUBLE_EQ(share_of("0.03"), 0.03);
  for (const char* wrong : {"", "%", "three", "-1%", "nan", "inf", "10", "3%%", "3 percent"})
    EXPECT_THROW(share_of(wrong), std::runtime_error) << wrong;
}

TEST(Grid, columns_are_as_wide_as_their_widest_cell) {
  EXPECT_EQ(grid({{"a", "1"}, {"long", "22"}, {"alone"}}), "a      1\nlong  22\nalone\n");
  EXPECT_EQ(grid({{"µ", "x", "é"}, {"ab", "x", "yes"}}, {2}), "µ   x  é\nab  x  yes\n");
}

}  // namespace
}  // namespace plumbline::bench
