// Waivers: what they refuse, what they excuse, and when they are stale.
#include "oracle/waivers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "spec/ops/op_ids.h"
#include "support/glob.h"

namespace plumbline::waivers_test {
namespace {

using nlohmann::json;

json entry() {
  return {{"id", "W-1"},
          {"test", "test_a.py::test_one"},
          {"rules", {"INF-06"}},
          {"implementation", "torch-2.13"},
          {"ops", {"*"}},
          {"when", {"outside_inference_mode", "self_is_inference"}},
          {"signature", {"add_.Tensor/values", "fill_.Scalar/*"}},
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
  /// The error message for an entry.
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
  json without(const std::string& member) {
    json one = entry();
    one.erase(member);
    return one;
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ = testing::TempDir() + "plumbline_waivers_" + std::to_string(getpid()) +
                      testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
};

TEST_F(WaiversFile, a_missing_file_has_no_waivers) { EXPECT_TRUE(load_waivers("/no/such/file", "2027-01-01").empty()); }

TEST_F(WaiversFile, is_read) {
  const auto waivers = load_one(with("test", {"test_a.py::test_one", "test_a.py::test_two"}));
  ASSERT_EQ(waivers.size(), 1U);
  EXPECT_EQ(waivers[0].tests.size(), 2U);
  EXPECT_EQ(waivers[0].rules, std::vector<std::string>{"INF-06"});
  EXPECT_EQ(waivers[0].ops, std::vector<std::string>{"*"});
  EXPECT_EQ(waivers[0].when, (std::vector<std::string>{"outside_inference_mode", "self_is_inference"}));
  EXPECT_EQ(waivers[0].signatures, (std::vector<std::string>{"add_.Tensor/values", "fill_.Scalar/*"}));
  EXPECT_EQ(waivers[0].within, 0U) << "it is only for curated tests";
}

TEST_F(WaiversFile, a_waiver_of_generated_programs_needs_no_test) {
  json one = without("test");
  one["within"] = 2000;
  const auto waivers = load_one(one);
  ASSERT_EQ(waivers.size(), 1U);
  EXPECT_TRUE(waivers[0].tests.empty());
  EXPECT_EQ(waivers[0].within, 2000U);
}

TEST_F(WaiversFile, a_waiver_without_test_and_within_is_refused) {
  EXPECT_EQ(refused(without("test")),
            path_ +
                ": waiver 1 ('W-1') has neither 'test' nor 'within'; name the tests that show it, or the number "
                "of generated programs that must show it");
}

TEST_F(WaiversFile, a_waiver_of_any_place_says_what_the_error_is) {
  EXPECT_NE(refused(without("when")).find("has neither 'when' nor 'got'"), std::string::npos);
  json one = without("when");
  one["got"] = json::array({"*Inplace update*"});
  EXPECT_TRUE(load_one(one).front().when.empty());
}

TEST_F(WaiversFile, a_waiver_with_an_unknown_fact_is_refused) {
  EXPECT_EQ(refused(with("when", {"outside_inference_mode", "self_is_red"})),
            path_ + ": waiver 1 ('W-1') asks for an unknown fact 'self_is_red'; oracle/facts.h lists the facts");
}

TEST_F(WaiversFile, within_is_at_least_1) {
  for (const json& bad : {json(0), json(-1), json("2000"), json(1.5)})
    EXPECT_NE(refused(with("within", bad)).find("it must be a number of at least 1"), std::string::npos) << bad;
}

TEST_F(WaiversFile, an_error_names_the_file_the_entry_and_the_problem) {
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
  for (const auto& [name, value] : whole.items())
    if (name != "test" && name != "when") {
      EXPECT_TRUE(has(refused(without(name)), "lacks '" + name + "'")) << name;
    }
  for (const char* list : {"ops", "when", "signature", "test"})
    EXPECT_TRUE(has(refused(with(list, json::array())), "'" + std::string(list) + "' []")) << list;
  EXPECT_THROW(load("not JSON"), WaiverError);
  EXPECT_THROW(load("[]"), WaiverError);
  EXPECT_THROW(load(json{{"waivers", json::array({entry(), entry()})}}.dump()), WaiverError)
      << "two entries have one id";
}

/// PyTorch 2.13, as its adapter describes itself.
Description torch() {
  Description description;
  description.name = "libtorch";
  description.version = "2.13.0";
  description.profile = "torch-2.13";
  return description;
}

constexpr const char* kTest = "test_a.py::test_one";

/// A difference that the entry excuses.
Occurrence excused() {
  return {"add_.Tensor", {"outside_inference_mode", "self_is_inference", "raises"}, "add_.Tensor/values"};
}

TEST_F(WaiversFile, a_waiver_excuses_by_implementation_test_and_signature) {
  Waivers waivers(load_one(entry()));
  Description other = torch();
  other.profile = "sound";
  EXPECT_EQ(waivers.find(other, kTest, excused()), nullptr);
  EXPECT_EQ(waivers.find(torch(), "test_a.py::test_two", excused()), nullptr);
  EXPECT_TRUE(waivers.stale().empty()) << "no test of it ran";
  waivers.ran(torch(), "test_a.py::test_two");
  EXPECT_TRUE(waivers.stale().empty()) << "another test ran";
  waivers.ran(torch(), kTest);
  Occurrence occurrence = excused();
  occurrence.signature = "add_.Tensor/sizes";
  EXPECT_EQ(waivers.find(torch(), kTest, occurrence), nullptr);
  EXPECT_EQ(waivers.stale().size(), 1U) << "its test ran on its implementation";
  occurrence.signature = "fill_.Scalar/sizes";
  EXPECT_NE(waivers.find(torch(), kTest, occurrence), nullptr) << "any of the signatures is enough";
  EXPECT_TRUE(waivers.stale().empty());
}

TEST_F(WaiversFile, a_waiver_needs_the_exact_file_and_test_name) {
  Waivers waivers(load_one(with("test", {"test_a.py::test_one", "test_b.py::test_two"})));
  for (const char* other : {"test_b.py::test_one", "test_a.py::test_two", "test_one", "::test_one",
                            "test_a.py::", "a.py::test_one", "test_a.py::test_one_more", ""}) {
    EXPECT_EQ(waivers.find(torch(), other, excused()), nullptr) << other;
    waivers.ran(torch(), other);
    EXPECT_TRUE(waivers.stale().empty()) << other;
  }
  waivers.ran(torch(), kTest);
  waivers.ran(torch(), "test_b.py::test_two");
  EXPECT_EQ(waivers.stale().size(), 2U) << "each of its tests must need it";
  EXPECT_NE(waivers.find(torch(), "test_b.py::test_two", excused()), nullptr);
  ASSERT_EQ(waivers.stale().size(), 1U);
  EXPECT_NE(waivers.stale()[0].find("waiver 'W-1' is stale: test_a.py::test_one on torch-2.13"), std::string::npos);
}

TEST_F(WaiversFile, a_waiver_of_a_profile_must_be_needed_only_by_its_own_release) {
  Waivers waivers(load_one(entry()));
  Description near = torch();
  near.version = "2.11.0+cu130";
  waivers.ran(near, kTest);
  near = torch();
  near.name = "python-cuda";
  waivers.ran(near, kTest);
  EXPECT_TRUE(waivers.stale().empty());
  EXPECT_NE(waivers.find(near, kTest, excused()), nullptr) << "it excuses the others too";
  near.name = "python";
  waivers.ran(near, kTest);
  EXPECT_TRUE(waivers.stale().empty()) << "it was needed";
  Waivers unused(load_one(entry()));
  unused.ran(near, kTest);
  EXPECT_EQ(unused.stale().size(), 1U);
}

TEST_F(WaiversFile, a_waiver_of_one_release_holds_only_for_it) {
  Waivers waivers(load_one(with("implementation", "libtorch-2.13.0")));
  EXPECT_NE(waivers.find(torch(), kTest, excused()), nullptr);
  Description later = torch();
  later.version = "2.13.1";
  EXPECT_EQ(waivers.find(later, kTest, excused()), nullptr);
}

TEST_F(WaiversFile, a_waiver_of_one_release_holds_for_each_build_of_it) {
  Waivers waivers(load_one(with("implementation", "python-2.9.1")));
  Description build = torch();
  build.name = "python";
  for (const char* version : {"2.9.1", "2.9.1+cpu", "2.9.1+cu128"}) {
    build.version = version;
    EXPECT_NE(waivers.find(build, kTest, excused()), nullptr) << version;
  }
  for (const char* version : {"2.9.10", "2.9", "2.9.1a0+cpu", ""}) {
    build.version = version;
    EXPECT_EQ(waivers.find(build, kTest, excused()), nullptr) << version;
  }
}

TEST_F(WaiversFile, a_waiver_of_several_implementations_must_be_needed_by_each) {
  Waivers waivers(load_one(with("implementation", {"torch-1.13", "torch-2.13"})));
  Description earlier = torch();
  earlier.profile = "torch-1.13";
  earlier.version = "1.13.1";
  waivers.ran(torch(), kTest);
  waivers.ran(earlier, kTest);
  EXPECT_NE(waivers.find(torch(), kTest, excused()), nullptr);
  EXPECT_EQ(waivers.stale().size(), 1U) << "1.13 did not need it";
  EXPECT_NE(waivers.find(earlier, kTest, excused()), nullptr);
  EXPECT_TRUE(waivers.stale().empty());
}

TEST_F(WaiversFile, a_waiver_does_not_excuse_outside_its_predicate) {
  Waivers waivers(load_one(entry()));
  for (const char* fact : {"outside_inference_mode", "self_is_inference"}) {
    Occurrence occurrence = excused();
    occurrence.facts.erase(fact);
    EXPECT_EQ(waivers.find(torch(), kTest, occurrence), nullptr) << fact;
  }
  EXPECT_NE(waivers.find(torch(), kTest, excused()), nullptr) << "other facts may hold too";
}

TEST_F(WaiversFile, a_waiver_does_not_excuse_another_op) {
  Waivers waivers(load_one(with("ops", {"fill_.*", "add_.Scalar"})));
  EXPECT_EQ(waivers.find(torch(), kTest, excused()), nullptr);
  Occurrence occurrence = excused();
  occurrence.op = "fill_.Scalar";
  EXPECT_NE(waivers.find(torch(), kTest, occurrence), nullptr);
}

TEST_F(WaiversFile, waivers_of_curated_tests_and_of_generated_programs_excuse_their_own) {
  json generated = without("test");
  generated["id"] = "W-2";
  generated["within"] = 100;
  Waivers waivers(load(json{{"waivers", json::array({entry(), generated})}}.dump()));
  ASSERT_NE(waivers.find(torch(), kTest, excused()), nullptr);
  EXPECT_EQ(waivers.find(torch(), kTest, excused())->id, "W-1");
  ASSERT_NE(waivers.find_generated(torch(), excused()), nullptr);
  EXPECT_EQ(waivers.find_generated(torch(), excused())->id, "W-2");
  Occurrence occurrence = excused();
  occurrence.facts.clear();
  EXPECT_EQ(waivers.find_generated(torch(), occurrence), nullptr);
  Description other = torch();
  other.profile = "sound";
  EXPECT_EQ(waivers.find_generated(other, excused()), nullptr);
}

TEST_F(WaiversFile, a_waiver_of_generated_programs_is_stale_after_so_many) {
  json generated = without("test");
  generated["within"] = 100;
  const Waivers waivers(load_one(generated));
  EXPECT_TRUE(waivers.stale_of_generated(torch(), 99, {}, Generated::plain).empty()) << "too few programs ran";
  ASSERT_EQ(waivers.stale_of_generated(torch(), 100, {}, Generated::plain).size(), 1U);
  EXPECT_NE(
      waivers.stale_of_generated(torch(), 100, {}, Generated::plain)[0].find("waiver 'W-1' is stale: none of 100"),
      std::string::npos);
  EXPECT_TRUE(waivers.stale_of_generated(torch(), 100, {"W-1"}, Generated::plain).empty()) << "one needed it";
  Description other = torch();
  other.profile = "sound";
  EXPECT_TRUE(waivers.stale_of_generated(other, 100, {}, Generated::plain).empty());
  EXPECT_TRUE(Waivers(load_one(entry())).stale_of_generated(torch(), 100, {}, Generated::plain).empty())
      << "it is for curated tests";
}

TEST(Glob, a_star_matches_anything) {
  EXPECT_TRUE(fits_glob("add_.Tensor/values", "*/values"));
  EXPECT_TRUE(fits_glob("add_.Tensor/values", "add_*"));
  EXPECT_TRUE(fits_glob("ab", "*a*b*"));
  EXPECT_FALSE(fits_glob("add_.Tensor/values", "*/version*"));
  EXPECT_FALSE(fits_glob("ab", "a"));
}

}  // namespace
}  // namespace plumbline::waivers_test
