// Waivers: what is refused, what is excused, what is stale.
#include "oracle/waivers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace plumbline {
namespace {

using nlohmann::json;

json entry() {
  return {{"id", "W-1"},
          {"test", "test_a.py::test_one"},
          {"rules", {"INF-06"}},
          {"implementation", "torch-2.13"},
          {"signature", "add_.Tensor/values"},
          {"reason", "a reason"},
          {"link", "https://example.org"},
          {"expires", "2027-06-30"}};
}

class WaiversFile : public testing::Test {
 protected:
  std::vector<Waiver> load(const std::string& text) {
    std::ofstream(path_) << text;
    return load_waivers(path_, "2027-01-01");
  }
  std::vector<Waiver> load_one(const json& one) { return load(json{{"waivers", json::array({one})}}.dump()); }
  /// The message with which an entry is refused.
  std::string refused(const json& one) {
    try {
      load_one(one);
    } catch (const WaiverError& error) {
      return error.what();
    }
    return "accepted";
  }
  json with(const std::string& member, const json& value) {
    json one = entry();
    one[member] = value;
    return one;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ = testing::TempDir() + "plumbline_waivers_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
};

TEST_F(WaiversFile, a_file_that_is_not_there_has_none) {
  EXPECT_TRUE(load_waivers("/no/such/file", "2027-01-01").empty());
}

TEST_F(WaiversFile, is_read) {
  const auto waivers = load_one(with("test", {"test_a.py::test_one", "test_a.py::test_two"}));
  ASSERT_EQ(waivers.size(), 1U);
  EXPECT_EQ(waivers[0].tests.size(), 2U);
  EXPECT_EQ(waivers[0].rules, std::vector<std::string>{"INF-06"});
}

TEST_F(WaiversFile, is_refused_with_file_entry_and_what_is_wrong) {
  const auto has = [](const std::string& message, const std::string& part) {
    return message.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(refused(with("expires", "2026-12-31")), path_ + ": waiver 1 ('W-1') expired on 2026-12-31"));
  EXPECT_EQ(refused(with("expires", "2027-01-01")), "accepted") << "it holds on its last day";
  EXPECT_TRUE(has(refused(with("expires", "2027-02-30")), "must be a date"));
  EXPECT_TRUE(has(refused(with("expires", "soon")), "must be a date"));
  EXPECT_TRUE(has(refused(with("rules", {"INF-99"})), "INF-99"));
  EXPECT_TRUE(has(refused(with("rules", json::array())), "'rules'"));
  EXPECT_TRUE(has(refused(with("test", "test_one")), "FILE.py::NAME"));
  EXPECT_TRUE(has(refused(with("link", "see issue")), "https://"));
  EXPECT_TRUE(has(refused(with("reason", "")), "'reason'"));
  EXPECT_TRUE(has(refused(with("note", "x")), "'note'"));
  const json whole = entry();
  for (const auto& [name, value] : whole.items()) {
    json without = entry();
    without.erase(name);
    EXPECT_TRUE(has(refused(without), "lacks '" + name + "'")) << name;
  }
  EXPECT_THROW(load("not JSON"), WaiverError);
  EXPECT_THROW(load("[]"), WaiverError);
  EXPECT_THROW(load(json{{"waivers", json::array({entry(), entry()})}}.dump()), WaiverError) << "one id twice";
}

TEST_F(WaiversFile, excuses_by_implementation_test_and_signature) {
  Waivers waivers(load_one(entry()));
  Description torch;
  torch.name = "libtorch";
  torch.version = "2.13.0";
  torch.profile = "torch-2.13";
  Description other = torch;
  other.profile = "sound";
  EXPECT_EQ(waivers.find(other, "test_a.py::test_one", "add_.Tensor/values"), nullptr);
  EXPECT_EQ(waivers.find(torch, "test_a.py::test_two", "add_.Tensor/values"), nullptr);
  EXPECT_TRUE(waivers.stale().empty()) << "nothing of it ran";
  EXPECT_EQ(waivers.find(torch, "test_a.py::test_one", "add_.Tensor/sizes"), nullptr);
  EXPECT_EQ(waivers.stale().size(), 1U) << "its test ran on its implementation";
  ASSERT_NE(waivers.find(torch, "test_a.py::test_one", "add_.Tensor/values"), nullptr);
  EXPECT_TRUE(waivers.stale().empty());
}

TEST(Glob, star_stands_for_anything) {
  EXPECT_TRUE(fits_glob("add_.Tensor/values", "*/values"));
  EXPECT_TRUE(fits_glob("add_.Tensor/values", "add_*"));
  EXPECT_TRUE(fits_glob("ab", "*a*b*"));
  EXPECT_FALSE(fits_glob("add_.Tensor/values", "*/version*"));
  EXPECT_FALSE(fits_glob("ab", "a"));
}

}  // namespace
}  // namespace plumbline
