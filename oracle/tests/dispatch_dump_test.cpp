// Dumps of a dispatcher, and the input of `why`: malformed input is reported with its place.
#include <gtest/gtest.h>

#include "oracle/dispatcher/compare_tables.h"
#include "oracle/dispatcher/why.h"

namespace plumbline::dispatcher::dispatch_dump_test {
namespace {

std::string error_of(const std::vector<std::string>& lines) {
  std::size_t next = 0;
  const auto give = [&](std::string& line) {
    if (next == lines.size()) return false;
    line = lines[next];
    ++next;
    return true;
  };
  try {
    read_dump_lines(give, [](const DumpedKeys&) {}, [](const DumpedOperator&) {});
    return "";
  } catch (const DumpError& error) {
    return error.what();
  }
}

const std::string kOperator = R"({"name":"a::b","kernels":["k"],"registrations":[["CPU",0,true,false]],"table":[]})";

TEST(DispatchDump, that_has_all_its_operators_is_accepted) {
  EXPECT_EQ(error_of({kOperator, R"({"operators":1})"}), "");
}
TEST(DispatchDump, that_ends_early_is_refused) {
  EXPECT_NE(error_of({kOperator}).find("ends after line 1"), std::string::npos);
}
TEST(DispatchDump, that_lost_an_operator_is_refused) {
  EXPECT_NE(error_of({R"({"operators":1})"}).find("it has 0 operators but says that it has 1"), std::string::npos);
}
TEST(DispatchDump, that_is_not_json_is_refused_with_its_line) {
  EXPECT_NE(error_of({kOperator, "no"}).find("line 2"), std::string::npos);
}
TEST(DispatchDump, its_fallbacks_are_the_table_of_an_operator) {
  std::vector<std::string> lines{
      R"({"operators":0})",
      R"({"keys":[],"entries":1,"sets":{},"fallbacks":{"name":"a::b","kernels":["k"],"registrations":[],)"
      R"("table":[["CPU",0,"backend fallback",true]]}})"};
  const auto give = [&](std::string& line) {
    line = lines.back();
    lines.pop_back();
    return true;
  };
  std::map<std::string, DumpedEntry> found;
  read_dump_lines(give, [&](const DumpedKeys& keys) { found = keys.fallbacks; }, [](const DumpedOperator&) {});
  EXPECT_EQ(found, (std::map<std::string, DumpedEntry>{{"CPU", {"k", "backend fallback", true}}}));
}
TEST(DispatchDump, a_failing_command_is_reported) {
  EXPECT_THROW(read_dump("false", [](const DumpedKeys&) {}, [](const DumpedOperator&) {}), DumpError);
}

const KeyLayout& layout() { return layout_of(Profile::sound); }

TEST(DispatchDump, a_kernel_for_an_unknown_key_is_refused) {
  DumpedOperator op{"a::b", {{"Nope", "k", true, false}}, {}};
  EXPECT_THROW((void)registrations_of(layout(), op), DumpError);
}

TEST(TableComparison, a_different_entry_is_reported_with_both_sides) {
  TableComparison comparison(Judge<Concrete>{}, layout());
  DumpedOperator op{"a::b", {{"CPU", "mine", true, false}}, {{"CPU", {"yours", "kernel", false}}}};
  comparison.one(op);
  ASSERT_EQ(comparison.report().entries_differ.size(), 1U);
  EXPECT_EQ(comparison.report().entries_differ[0].what, "a::b CPU");
}
TEST(TableComparison, a_missing_entry_is_reported) {
  TableComparison comparison(Judge<Concrete>{}, layout());
  comparison.one({"a::b", {{"CPU", "mine", true, false}}, {}});
  EXPECT_EQ(comparison.report().entries_differ.size(), 1U);
}
TEST(TableComparison, without_an_operator_no_entry_agrees) {
  EXPECT_FALSE(TableComparison(Judge<Concrete>{}, layout()).report().agrees());
}

Why why_of(const std::string& table, const std::vector<std::string>& keys) {
  return why(Judge<Concrete>{}, layout(), operator_from_text(layout(), table, "mine.txt"), {}, keys, std::nullopt,
             std::nullopt);
}
TEST(Why, a_call_arrives_at_its_highest_key) {
  const Why way = why_of("CPU: mine\nAutograd: recorded\nADInplaceOrView: fallthrough\nBackendSelect: fallthrough\n",
                         {"CPU", "AutogradCPU"});
  EXPECT_EQ(way.steps.front().key, "AutogradCPU");
  EXPECT_TRUE(way.steps.front().runs);
}
TEST(Why, fallthrough_entries_are_skipped) {
  const Why way = why_of("CPU: mine\nADInplaceOrView: fallthrough\nBackendSelect: fallthrough\n", {"CPU"});
  EXPECT_EQ(way.steps.back().key, "CPU");
  EXPECT_TRUE(way.steps.back().runs);
}
TEST(Why, a_hole_is_reported) {
  EXPECT_TRUE(why_of("CPU: mine\nADInplaceOrView: fallthrough\nBackendSelect: fallthrough\n", {"CUDA"}).hole);
}
// 1.13 has 14 backends: Dense's bit there is a backend's in 2.13, which is never excluded.
TEST(Why, exclusion_works_in_the_layout_of_1_13_too) {
  const KeyLayout& early = layout_of(Profile::torch_1_13);
  const Why way = why(Judge<Concrete>{Profile::torch_1_13}, early, operator_from_text(early, "CPU: mine\n", "mine.txt"),
                      {}, {"CPU", "AutogradCPU"}, std::vector<std::string>{}, std::vector<std::string>{"CPU"});
  EXPECT_EQ(key_names(early, way.effective), std::vector<std::string>{"AutogradCPU"});
}
TEST(Why, a_malformed_registration_is_reported_with_its_line) {
  try {
    (void)operator_from_text(layout(), "CPU: mine\nnonsense\n", "mine.txt");
    FAIL();
  } catch (const DumpError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("mine.txt:2: "));
  }
}
TEST(Why, an_unknown_key_is_reported) { EXPECT_THROW((void)why_of("CPU: mine\n", {"Nope"}), std::runtime_error); }

}  // namespace
}  // namespace plumbline::dispatcher::dispatch_dump_test
