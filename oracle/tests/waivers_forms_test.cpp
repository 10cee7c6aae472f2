// The forms in waivers: dates, lists, counts and patterns, each at its limits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/waivers.h"

namespace plumbline::waivers_forms_test {
namespace {

using nlohmann::json;

json entry() {
  return {{"id", "W-1"},
          {"test", "test_a.py::test_one"},
          {"rules", {"INF-06"}},
          {"implementation", "torch-2.13"},
          {"ops", {"*"}},
          {"when", {"outside_inference_mode"}},
          {"signature", "add_.Tensor/values"},
          {"reason", "a reason"},
          {"link", "https://example.org"},
          {"expires", "2027-06-30"}};
}
/// The error for a list of these entries, or "accepted".
std::string said(const std::vector<json>& entries, const std::string& today = "2027-01-01") {
  const std::string path = testing::TempDir() + "plumbline_forms_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << json{{"waivers", entries}}.dump();
  std::string what = "accepted";
  try {
    load_waivers(path, today);
  } catch (const WaiverError& error) {
    what = error.what();
  }
  std::filesystem::remove(path);
  return what;
}
std::string said(const std::string& member, const json& value, const std::string& today = "2027-01-01") {
  json one = entry();
  one[member] = value;
  return said({one}, today);
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(WaiverForms, a_date_has_ten_characters_and_is_in_the_calendar) {
  for (const char* good : {"2027-01-31", "2028-02-29", "9999-12-31", "2027-10-09"})
    EXPECT_EQ(said("expires", good), "accepted") << good;
  for (const char* bad :
       {"2027-1-31",  "2027-01-311", "2027-01-3",  "2027/01-31", "2027-01/31", "202x-01-31", "2027-x1-31",
        "2027-0x-31", "2027-01-x1",  "2027-01-3x", "-027-01-31", "2027--1-31", "2027-01--1", "2027-13-01",
        "2027-00-10", "2027-02-29",  "2027-04-31", "2027-01-00", "2027 01 31", " 027-01-31"})
    EXPECT_TRUE(has(said("expires", bad), "it must be a date like 2027-01-31")) << bad;
}

TEST(WaiverForms, the_last_day_counts) {
  EXPECT_EQ(said("expires", "2027-06-30", "2027-06-30"), "accepted");
  EXPECT_TRUE(has(said("expires", "2027-06-30", "2027-07-01"), "expired on 2027-06-30; look at the divergence again"));
}

TEST(WaiverForms, lists_are_not_empty_and_have_no_empty_strings) {
  for (const char* list : {"ops", "rules", "when", "signature", "test", "implementation"}) {
    for (const json& bad : {json(1), json(json::array()), json({1}), json({"INF-06", ""}), json({""}), json({"a", 1}),
                            json(nullptr), json(json::object())})
      EXPECT_TRUE(has(said(list, bad), "it must be a list of strings that is not empty")) << list << bad;
    EXPECT_TRUE(has(said(list, ""), "it must be a string that is not empty")) << list;
  }
  for (const char* text : {"id", "reason", "link", "expires"})
    for (const json& bad : {json(1), json(""), json(json::array())})
      EXPECT_TRUE(has(said(text, bad), "it must be a string that is not empty")) << text;
}

TEST(WaiverForms, entries_are_numbered_and_each_has_its_own_id) {
  json second = entry();
  second["id"] = "W-2";
  EXPECT_EQ(said({entry(), second}), "accepted");
  EXPECT_TRUE(has(said({entry(), second, second}), ": waiver 3 ('W-2') has the same id as an earlier one"));
  json several = entry();
  several["implementation"] = {"torch-2.13", "torch-1.13"};
  EXPECT_TRUE(has(said({several, several}), ": waiver 2 ('W-1') has the same id as an earlier one"));
}

TEST(WaiverForms, a_count_is_at_least_1) {
  EXPECT_EQ(said("within", 1), "accepted");
  for (const json& bad : {json(0), json(-1), json(1.0), json("1"), json(nullptr), json(true)})
    EXPECT_TRUE(has(said("within", bad), "it must be a number of at least 1")) << bad;
}

TEST(WaiverForms, today_is_a_date) {
  EXPECT_EQ(said("expires", today(), today()), "accepted");
  EXPECT_GT(today(), "2024-01-01");
}

TEST(WaiverForms, a_star_matches_any_text_and_no_text) {
  for (const char* pattern : {"*", "**", "a*c", "*abc", "abc*", "a*b*c", "*b*", "abc"})
    EXPECT_TRUE(fits_glob("abc", pattern)) << pattern;
  for (const char* pattern : {"", "ab", "abcd", "b*", "*b", "a*d*", "*abcd", "a*a*c", "abc*c"})
    EXPECT_FALSE(fits_glob("abc", pattern)) << pattern;
  EXPECT_TRUE(fits_glob("", ""));
  EXPECT_TRUE(fits_glob("", "*"));
  EXPECT_FALSE(fits_glob("", "a"));
}

Waiver waiver(const std::string& id) {
  Waiver w;
  w.id = id;
  w.tests = {"a.py::b"};
  w.implementation = "torch-2.13";
  w.ops = {"x"};
  w.signatures = {"s"};
  w.within = 10;
  return w;
}
Description torch() {
  Description d;
  d.name = "libtorch";
  d.version = "2.13.0";
  d.profile = "torch-2.13";
  return d;
}

TEST(WaiverForms, the_first_waiver_that_fits_excuses_and_the_others_are_stale) {
  Waivers waivers({waiver("W-1"), waiver("W-2")});
  waivers.ran(torch(), "a.py::b");
  ASSERT_NE(waivers.find(torch(), "a.py::b", {"x", {}, "s"}), nullptr);
  EXPECT_EQ(waivers.find(torch(), "a.py::b", {"x", {}, "s"})->id, "W-1");
  ASSERT_EQ(waivers.stale().size(), 1U);
  EXPECT_NE(waivers.stale()[0].find("waiver 'W-2' is stale"), std::string::npos);
  EXPECT_EQ(waivers.find_generated(torch(), {"x", {}, "s"})->id, "W-1");
  EXPECT_EQ(waivers.find_generated(torch(), {"y", {}, "s"}), nullptr);
  EXPECT_EQ(waivers.find_generated(torch(), {"x", {}, "t"}), nullptr);
  EXPECT_EQ(waivers.find(torch(), "a.py::b", {"x", {}, "t"}), nullptr);
}

TEST(WaiverForms, waivers_are_judged_only_by_programs_that_can_show_them) {
  Waiver body = waiver("W-2"), unsafe = waiver("W-3");
  body.when = {"functionalizes"};
  unsafe.when = {"excluded_a_backend"};
  const Waivers waivers({waiver("W-1"), body, unsafe});
  const auto ids = [&](Generated generated) {
    std::string all;
    for (const std::string& line : waivers.stale_of_generated(torch(), 10, {}, generated)) all += line.substr(0, 12);
    return all;
  };
  EXPECT_EQ(ids(Generated::plain), "waiver 'W-1'");
  EXPECT_EQ(ids(Generated::functionalized), "waiver 'W-2'");
  EXPECT_EQ(ids(Generated::unsafe), "waiver 'W-3'");
}

TEST(WaiverForms, an_occurrence_under_an_unknown_profile_has_no_facts) {
  const Script script{{{MakeTensor{Slot{0}, Dtype::float32, {}, {0}}, 1}}, {"a"}};
  Difference difference;
  difference.signature = "s";
  Description stranger = torch();
  stranger.profile = "mine";
  EXPECT_TRUE(occurrence_of(script, difference, stranger).facts.empty());
  EXPECT_EQ(occurrence_of(script, difference, stranger).op, "tensor");
  EXPECT_FALSE(occurrence_of(script, difference, torch()).facts.empty());
  difference.blamed = 1;
  EXPECT_EQ(occurrence_of(script, difference, torch()).op, "") << "the script has no such statement";
  EXPECT_EQ(occurrence_of(script, difference, torch()).signature, "s");
}

}  // namespace
}  // namespace plumbline::waivers_forms_test
