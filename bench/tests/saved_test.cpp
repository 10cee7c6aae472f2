// Saved reports: a report is read as it was written, and a malformed one is refused with the place and the reason.
#include "bench/driver/saved.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder); }
  void TearDown() override { fs::remove_all(folder); }

  std::string write(const std::string& text) const {
    fs::create_directories(folder);
    std::ofstream(folder / "report.json") << text;
    return folder / "report.json";
  }
  /// The error for a report with this text.
  std::string refusal(const std::string& text) const {
    try {
      load(write(text));
    } catch (const SavedError& error) {
      return error.what();
    }
    return "it was read";
  }
  static testing::AssertionResult has(const std::string& text, const std::string& part) {
    if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "'" << part << "' is not in: " << text;
  }
  static std::string report(const std::string& cases) {
    return R"({"plumbline_bench": 1, "kind": "samples", "implementation": "optimized", "side": "ours", "cpu": "c",
               "when": "w", "cases": )" +
           cases + "}";
  }

  const fs::path folder = fs::path(testing::TempDir()) / ("bench_store_" + std::to_string(getpid()));
};

TEST_F(Store, reads_what_it_wrote) {
  Saved saved;
  saved.implementation = "optimized";
  saved.side = "ours";
  saved.cpu = "some CPU";
  saved.when = "now";
  saved.cases["add"] = {{1.5, 2.5}, 17};
  saved.cases["view"] = {{3}, std::nullopt};
  save(folder, "before", saved, "");
  save(folder, "before", saved, "/bin/true");  // replaces it
  const Saved read = load(folder / "before");
  EXPECT_EQ(read.implementation, "optimized");
  EXPECT_EQ(read.cpu, "some CPU");
  EXPECT_EQ(read.cases.at("add").ns, (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(read.cases.at("add").instructions, 17);
  EXPECT_EQ(read.cases.at("view").instructions, std::nullopt);
  EXPECT_EQ(read.runner, folder / "before" / "runner");
  EXPECT_EQ(why_not_runnable(read), "");
  EXPECT_EQ(saved_names(folder), (std::vector<std::string>{"before"}));
}

TEST_F(Store, a_runner_is_not_run_if_its_libraries_have_changed) {
  Saved saved;
  EXPECT_EQ(why_not_runnable(saved), "no runner was saved with it");
  saved.runner = "/no/such/runner";
  EXPECT_TRUE(has(why_not_runnable(saved), "/no/such/runner"));
  saved.runner = "/bin/true";
  EXPECT_EQ(why_not_runnable(saved), "");
  saved.libraries = Json::array({{{"path", "/bin/true"}, {"bytes", 1}, {"changed_ns", 1}}});
  EXPECT_EQ(why_not_runnable(saved), "/bin/true has changed since");
}

TEST_F(Store, malformed_reports_are_refused) {
  EXPECT_TRUE(has(refusal(""), "is not a saved report"));
  EXPECT_TRUE(has(refusal("{"), "line 1, column 2"));
  EXPECT_TRUE(has(refusal("[]"), "plumbline_bench"));
  EXPECT_TRUE(has(refusal(R"({"plumbline_bench": 2})"), "plumbline_bench"));
  EXPECT_TRUE(has(refusal(R"({"plumbline_bench": 1, "kind": "table"})"), "it is a table"));
  EXPECT_TRUE(has(refusal(R"({"plumbline_bench": 1, "kind": "samples"})"), "`implementation`"));
  EXPECT_TRUE(has(refusal(report("[]")), "`cases`"));
  EXPECT_TRUE(has(refusal(report("{}")), "no case"));
  EXPECT_TRUE(has(refusal(report(R"({"add": 1})")), "case add: it has no list `ns`"));
  EXPECT_TRUE(has(refusal(report(R"({"add": {"ns": ["x"]}})")), "not a number"));
  EXPECT_TRUE(has(refusal(report(R"({"add": {"ns": [-1]}})")), "not a number of at least 0"));
  EXPECT_TRUE(has(refusal(report(R"({"add": {"ns": [1e999]}})")), "is not a saved report"));
  EXPECT_TRUE(has(refusal(report(R"({"add": {"ns": [1], "instructions": "many"}})")), "`instructions`"));
  EXPECT_EQ(refusal(report(R"({"add": {"ns": [1]}})")), "it was read");
}

TEST_F(Store, a_missing_report_is_an_error) {
  EXPECT_THROW(load(folder / "none"), SavedError);
  EXPECT_TRUE(saved_names(folder).empty());
}

TEST_F(Store, names_that_could_be_something_else_are_refused) {
  for (const char* name : {"", ".", "..", "a/b", "a b", "optimized", "x.json", ".hidden", "process:x"})
    EXPECT_THROW(check_name(name), SavedError) << name;
  EXPECT_NO_THROW(check_name("before-1.2_x"));
}

}  // namespace
}  // namespace plumbline::bench
