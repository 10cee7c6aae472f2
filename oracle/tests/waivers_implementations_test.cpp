// Waivers of any implementation: which names they take, whom they excuse, and what they see of earlier statements.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "oracle/reading_text.h"
#include "oracle/waivers.h"
#include "spec/ops/op_ids.h"

namespace plumbline::waivers_implementations_test {
namespace {

using nlohmann::json;

constexpr const char* kTest = "test_a.py::test_one";

json entry(const json& implementation) {
  return {{"id", "W-1"},
          {"within", 100},
          {"rules", {"INF-06"}},
          {"implementation", implementation},
          {"ops", {"add_.Tensor"}},
          {"when", {"raises"}},
          {"signature", {"add_.Tensor/*"}},
          {"reason", "a reason"},
          {"link", "https://example.org"},
          {"expires", "2027-06-30"}};
}

std::vector<Waiver> load(const std::vector<json>& entries) {
  const std::string path = testing::TempDir() + "plumbline_names_" + std::to_string(getpid()) + ".json";
  std::ofstream(path) << json{{"waivers", entries}}.dump();
  try {
    std::vector<Waiver> waivers = load_waivers(path, "2027-01-01");
    std::filesystem::remove(path);
    return waivers;
  } catch (const WaiverError&) {
    std::filesystem::remove(path);
    throw;
  }
}

std::string refused(const json& one) {
  try {
    load({one});
  } catch (const WaiverError& error) {
    return error.what();
  }
  return "accepted";
}

Description named(const std::string& name, const std::string& version = "2.13.0+cpu") {
  Description description;
  description.name = name;
  description.version = version;
  description.profile = "torch-2.13";
  return description;
}

Occurrence occurrence(Against against = Against::reference) {
  return {"add_.Tensor", {"raises"}, "add_.Tensor/values", "[1]", {}, against};
}

bool excuses(const std::vector<Waiver>& waivers, const Description& one, const Occurrence& what = occurrence()) {
  return Waivers(waivers).find_generated(one, what) != nullptr;
}

TEST(WaiverNames, a_name_holds_for_any_version_and_a_star_for_any_name_that_fits) {
  const auto lazy = load({entry("lazy")});
  EXPECT_TRUE(excuses(lazy, named("lazy")));
  EXPECT_TRUE(excuses(lazy, named("lazy", "2.12.0")));
  EXPECT_FALSE(excuses(lazy, named("meta")));
  EXPECT_FALSE(excuses(lazy, named("python")));
  const auto compile = load({entry("compile-*")});
  EXPECT_TRUE(excuses(compile, named("compile-inductor")));
  EXPECT_FALSE(excuses(compile, named("export")));
  const auto one = load({entry("lazy-2.13.0")});
  EXPECT_TRUE(excuses(one, named("lazy")));
  EXPECT_TRUE(excuses(one, named("lazy", "2.13.0, torch_xla 2.9.0"))) << "other packages do not matter";
  EXPECT_FALSE(excuses(one, named("lazy", "2.12.0")));
}

TEST(WaiverNames, a_name_that_no_implementation_has_is_refused) {
  for (const char* good : {"torch-2.13", "torch-1.13", "python", "python-2.9.1", "python-cuda-2.11.0",
                           "libtorch-2.13.0", "lazy", "torch_xla-2.9.0", "compile-*", "*", "numpy"})
    EXPECT_EQ(refused(entry(good)), "accepted") << good;
  for (const char* bad : {"lasy", "torch-2.14", "compiled-*", "torch"}) {
    const std::string said = refused(entry(bad));
    EXPECT_NE(said.find("waiver 1 ('W-1') names an unknown implementation '" + std::string(bad) + "'; "),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("`plumbline list implementations`"), std::string::npos) << said;
  }
}

TEST(WaiverNames, a_waiver_of_a_profile_says_only_what_eager_pytorch_does) {
  const auto waivers = load({entry("torch-2.13")});
  for (const char* eager : {"libtorch", "python", "python-cuda"}) {
    EXPECT_TRUE(excuses(waivers, named(eager))) << eager;
    EXPECT_TRUE(excuses(waivers, named(eager), occurrence(Against::statement))) << eager;
  }
  EXPECT_FALSE(excuses(waivers, named("lazy"))) << "it differs from the reference, which does what eager PyTorch does";
  EXPECT_TRUE(excuses(waivers, named("lazy"), occurrence(Against::statement)));
}

TEST(WaiverNames, only_an_implementation_that_is_named_must_need_it) {
  json of_test = entry({"compile-*", "lazy", "torch-2.13"});
  of_test["test"] = kTest;
  const auto stale = [&](const std::string& name) {
    Waivers waivers(load({of_test}));
    waivers.ran(named(name), kTest);
    return waivers.stale().size();
  };
  EXPECT_EQ(stale("lazy"), 1U);
  EXPECT_EQ(stale("python"), 1U);
  EXPECT_EQ(stale("compile-inductor"), 0U) << "not all that fit a star need it";
  EXPECT_EQ(stale("meta"), 0U) << "its profile is only near";
}

TEST(WaiverNames, a_waiver_of_generated_programs_excuses_tests_too) {
  Waivers waivers(load({entry("lazy")}));
  EXPECT_NE(waivers.find(named("lazy"), kTest, occurrence()), nullptr);
  json of_test = entry("lazy");
  of_test["test"] = "test_a.py::test_two";
  of_test.erase("within");
  EXPECT_EQ(Waivers(load({of_test})).find(named("lazy"), kTest, occurrence()), nullptr);
}

TEST(WaiverNames, got_is_what_the_implementation_gave) {
  json one = entry("lazy");
  one["got"] = {"*no version*", "[1*"};
  EXPECT_TRUE(excuses(load({one}), named("lazy")));
  one["got"] = "*no version*";
  EXPECT_FALSE(excuses(load({one}), named("lazy")));
}

TEST(WaiverNames, with_earlier_the_predicate_may_hold_of_a_statement_that_the_difference_depends_on) {
  const Slot x{0}, part{1}, other{2};
  const Script script{{{MakeTensor{x, Dtype::float32, {2}, {1, 2}}},
                       {Call{OpId::alias, {x}, {part}}},
                       {MakeTensor{other, Dtype::float32, {2}, {1, 2}}},
                       {Call{OpId::zero_, {x}, {}}},
                       {Call{OpId::zero_, {other}, {}}}},
                      {"x", "part", "other"}};
  json one = entry("lazy");
  one["ops"] = "alias";
  one["when"] = "gives_a_view";
  one["signature"] = "zero_/values";
  const auto waived = [&](std::size_t place) {
    Difference difference;
    difference.blamed = place;
    difference.signature = "zero_/values";
    return excuses(load({one}), named("lazy"), occurrence_of(script, difference, named("lazy")));
  };
  EXPECT_FALSE(waived(3)) << "the predicate is about the statement itself";
  one["earlier"] = true;
  EXPECT_TRUE(waived(3)) << "it writes the memory of the view";
  EXPECT_FALSE(waived(4)) << "a fault of an unrelated tensor stays a divergence";
  one["when"] = "self_is_inference";
  EXPECT_FALSE(waived(3)) << "another fact would have to hold";
  one["earlier"] = "yes";
  EXPECT_NE(refused(one).find("has 'earlier' \"yes\"; it must be true or false"), std::string::npos);
}

TEST(WaiverNames, with_anywhere_the_predicate_may_hold_of_a_statement_that_the_difference_does_not_depend_on) {
  const Slot x{0}, other{1};
  Script script{{{MakeTensor{x, Dtype::boolean, {2}, {1, 0}}},
                 {MakeTensor{other, Dtype::float32, {2}, {1, 2}}},
                 {Call{OpId::add_Tensor, {x, x, std::int64_t{2}}, {Slot{2}}}},
                 {Call{OpId::zero_, {other}, {}}}},
                {"x", "other", "sum"}};
  json one = entry("lazy");
  one["ops"] = "add.Tensor";
  one["when"] = {"self_is_bool", "takes_an_alpha"};
  one["signature"] = "zero_/values";
  const auto waived = [&] {
    Difference difference;
    difference.blamed = 3;
    difference.signature = "zero_/values";
    return excuses(load({one}), named("lazy"), occurrence_of(script, difference, named("lazy")));
  };
  one["earlier"] = true;
  EXPECT_FALSE(waived()) << "what is written does not depend on the sum";
  one["anywhere"] = true;
  EXPECT_TRUE(waived());
  std::get<Call>(script.statements[2].kind).arguments[2] = std::int64_t{1};
  EXPECT_FALSE(waived()) << "the predicate must hold of some statement";
}

TEST(WaiverNames, an_occurrence_may_be_judged_after_its_program_is_gone) {
  json one = entry("lazy");
  one["ops"] = "zero_";
  one["when"] = "self_is_bool";
  one["anywhere"] = true;
  one["signature"] = "neg/values";
  Difference difference;
  difference.blamed = 2;
  difference.signature = "neg/values";
  auto script = std::make_unique<Script>(Script{{{MakeTensor{Slot{0}, Dtype::boolean, {1}, {1}}},
                                                 {Call{OpId::zero_, {Slot{0}}, {}}},
                                                 {Call{OpId::neg, {Slot{0}}, {Slot{1}}}}},
                                                {"x", "y"}});
  const Occurrence occurrence = occurrence_of(*script, difference, named("lazy"));
  script.reset();
  EXPECT_TRUE(excuses(load({one}), named("lazy"), occurrence));
}

TEST(WaiverNames, entries_of_one_page_share_its_name) {
  json page = entry("lazy");
  page["id"] = "lazy-contiguous-does-not-copy";
  page["link"] = "docs/findings/lazy-contiguous-does-not-copy.md";
  EXPECT_EQ(load({page, page}).size(), 2U);
  page["link"] = "docs/findings/lazy-stack-of-two-dtypes-truncates.md";
  EXPECT_NE(refused(page).find("docs/findings/ID.md, where ID is the entry's id"), std::string::npos);
  EXPECT_THROW(load({entry("lazy"), entry("lazy")}), WaiverError) << "they are not of one page";
}

TEST(WaiverNames, a_crash_may_be_of_any_statement_of_the_program) {
  json one = entry("lazy");
  one["ops"] = "zero_";
  one["when"] = "written_requires_grad";
  one["signature"] = "run/crash";
  one["earlier"] = true;
  const Waivers waivers(load({one}));
  const Slot x{0}, y{1};
  Script script{{{MakeTensor{x, Dtype::float32, {1}, {1}, true}},
                 {Call{OpId::neg, {x}, {y}}},
                 {Call{OpId::zero_, {y}, {}}},
                 {Call{OpId::neg, {x}, {x}}}},
                {"x", "y"}};
  Difference crash;
  crash.signature = "run/crash";
  const Description lazy = named("lazy");
  EXPECT_NE(waivers.find_generated(lazy, occurrence_of(script, crash, lazy)), nullptr);
  script.statements[2].kind = Call{OpId::exp_, {y}, {}};
  EXPECT_EQ(waivers.find_generated(lazy, occurrence_of(script, crash, lazy)), nullptr);
}

std::set<std::string> pages() {
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(std::string(PLUMBLINE_SOURCE) + "/docs/findings"))
    if (file.path().extension() == ".md" && file.path().stem() != "README") names.insert(file.path().stem());
  return names;
}

TEST(Findings, each_page_has_an_entry_or_says_why_not) {
  std::set<std::string> entries;
  for (const Waiver& one : load_waivers(PLUMBLINE_CORPUS "/findings.json", "")) {
    entries.insert(one.id);
    EXPECT_TRUE(pages().contains(one.id)) << one.id << " has no page";
    EXPECT_EQ(one.link, "docs/findings/" + one.id + ".md");
  }
  for (const std::string& page : pages()) {
    std::ifstream file(std::string(PLUMBLINE_SOURCE) + "/docs/findings/" + page + ".md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const bool says_why = text.find("- **No entry in findings.json:** ") != std::string::npos;
    EXPECT_NE(entries.contains(page), says_why) << page;
  }
}

TEST(Findings, are_loaded_beside_the_waivers_unless_a_file_is_given) {
  const std::size_t both = load_waivers_or("", PLUMBLINE_CORPUS, "").size();
  const std::size_t waivers = load_waivers(PLUMBLINE_CORPUS "/waivers.json", "").size();
  const std::size_t findings = load_waivers(PLUMBLINE_CORPUS "/findings.json", "").size();
  EXPECT_EQ(both, waivers + findings);
  EXPECT_EQ(load_waivers_or(PLUMBLINE_CORPUS "/waivers.json", PLUMBLINE_CORPUS, "").size(), waivers);
}

/// A fault that no page explains: the values of a sum of two plain tensors are wrong.
TEST(Findings, excuse_no_unrelated_fault) {
  const Waivers findings(load_waivers(PLUMBLINE_CORPUS "/findings.json", ""));
  const Slot x{0}, view{1}, y{2};
  const Script script{{{MakeTensor{x, Dtype::float32, {2}, {1, 2}}},
                       {Call{OpId::transpose_int, {x, std::int64_t{0}, std::int64_t{0}}, {view}}},
                       {Call{OpId::neg, {x}, {y}}},
                       {Call{OpId::zero_, {y}, {}}}},
                      {"x", "view", "y"}};
  for (const char* name : {"lazy", "meta", "fake", "torch_xla", "torchax", "compile-inductor", "numpy"})
    for (const char* field :
         {"values", "version", "is_inference: false -> true", "requires_grad: false -> true",
          "error: none -> unclassified", "error: none -> shape", "dtype: float32 -> int32", "sizes"})
      for (const std::size_t place : {1, 2, 3}) {
        Difference difference;
        difference.blamed = place;
        difference.signature = statement_name(script.statements[place]) + "/" + field;
        const Waiver* waiver = findings.find_generated(named(name), occurrence_of(script, difference, named(name)));
        EXPECT_EQ(waiver, nullptr) << waiver->id << " excuses " << difference.signature << " on " << name;
      }
}

}  // namespace
}  // namespace plumbline::waivers_implementations_test
