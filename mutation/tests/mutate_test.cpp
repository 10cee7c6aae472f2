// Source mutants: written lists, the sample, how a report counts, and the command's refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "cli/tests/command.h"
#include "mutation/entries.h"
#include "mutation/report.h"
#include "mutation/sample.h"

namespace plumbline::mutate {
namespace {

Site site(const std::string& file = "optimized/cpu/a.cpp", int nth = 1) {
  Site one;
  one.file = file;
  one.line = 3;
  one.column = 7;
  one.function = "f";
  one.text = "return a < b;";
  one.change = "< -> <=";
  one.nth = nth;
  return one;
}

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "plumbline_mutate.json";
  std::ofstream(path) << text;
  return path;
}
/// The error for a list; empty if it is accepted.
template <class Load>
std::string refusal(const Load& load) {
  try {
    load();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}
std::string refusal_of_survivors(const std::string& text) {
  return refusal([&] { load_survivors(written(text), PLUMBLINE_SOURCE); });
}
constexpr const char* kBy = "mutation/tests/mutate_test.cpp::an_entry_fits_what_it_names";
std::string survivor(const std::string& more = "") {
  return fmt::format(
      R"({{"survivors": [{{"file": "a.cpp", "line": "b;", "change": "0 -> 1", "reason": "It is so.", "by": "{}"{}}}]}})",
      kBy, more);
}

TEST(Entries, an_entry_fits_what_it_names) {
  Entry entry;
  entry.file = "optimized/cpu/a.cpp";
  EXPECT_TRUE(entry.fits(site()));
  EXPECT_FALSE(entry.fits(site("optimized/cpu/b.cpp")));
  entry.function = "f";
  entry.line = "return a < b;";
  entry.change = "< -> <=";
  entry.nth = 1;
  EXPECT_TRUE(entry.fits(site()));
  EXPECT_FALSE(entry.fits(site("optimized/cpu/a.cpp", 2)));
  for (std::string Entry::* member : {&Entry::function, &Entry::line, &Entry::change}) {
    Entry other = entry;
    other.*member = "another";
    EXPECT_FALSE(other.fits(site()));
  }
}

TEST(Entries, a_folder_fits_its_files) {
  Entry entry;
  entry.file = "optimized/cpu/";
  EXPECT_TRUE(entry.fits(site()));
  EXPECT_FALSE(entry.fits(site("optimized/ops/a.cpp")));
}

TEST(Entries, a_star_stands_for_any_text) {
  Entry entry;
  entry.file = "optimized/cpu/a.cpp";
  for (const char* line : {"*", "return *;", "*b*", "return a < b;*", "*r*a*;"}) {
    entry.line = line;
    EXPECT_TRUE(entry.fits(site())) << line;
  }
  for (const char* line : {"return *", "*c*;", "return a < b;;*", "*;*;"}) {
    entry.line = line;
    EXPECT_EQ(entry.fits(site()), std::string(line) == "return *") << line;
  }
}

TEST(Entries, survivors_are_read) {
  const auto entries = load_survivors(written(survivor(R"(, "function": "f", "nth": 2)")), PLUMBLINE_SOURCE);
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].name(), "a.cpp, f, 'b;', 0 -> 1, number 2");
  EXPECT_EQ(entries[0].reason, "It is so.");
}

TEST(Entries, a_left_out_region_needs_a_file_and_a_reason) {
  EXPECT_EQ(load_left_out(written(R"({"left_out": [{"file": "a/", "reason": "It is so."}]})")).size(), 1U);
  EXPECT_NE(refusal([] { load_left_out(written(R"({"left_out": [{"file": "a/"}]})")); }).find("lacks 'reason'"),
            std::string::npos);
}

TEST(Entries, a_malformed_list_is_refused) {
  EXPECT_NE(refusal([] { load_mutants("/nowhere.json"); }).find("cannot be read"), std::string::npos);
  EXPECT_NE(refusal_of_survivors("nothing").find("is not JSON"), std::string::npos);
  EXPECT_NE(refusal_of_survivors("[]").find("does not have the form"), std::string::npos);
  EXPECT_NE(refusal_of_survivors(R"({"survivors": [1]})").find("entry 1 is not an object"), std::string::npos);
  EXPECT_NE(refusal_of_survivors(survivor(R"(, "where": "here")")).find("unknown member 'where'"), std::string::npos);
  EXPECT_NE(refusal_of_survivors(survivor(R"(, "nth": 0)")).find("at least 1"), std::string::npos);
  EXPECT_NE(refusal_of_survivors(survivor(R"(, "function": "")")).find("not empty"), std::string::npos);
  EXPECT_NE(refusal_of_survivors(R"({"survivors": [{"file": "a"}]})").find("lacks 'line'"), std::string::npos);
}

TEST(Entries, a_survivor_names_an_existing_test) {
  for (const char* by : {"nothing", "nowhere.cpp::a",
                         "mutation/tests/mutate_test.cpp::no_such"
                         "_test"})
    EXPECT_NE(refusal_of_survivors(fmt::format(R"({{"survivors": [{{"file": "a", "line": "b", "change": "c",
        "reason": "d", "by": "{}"}}]}})",
                                               by))
                  .find("which is not a test"),
              std::string::npos)
        << by;
}

/// `counts[i]` sites of file i.
std::vector<Site> many(std::initializer_list<int> counts) {
  std::vector<Site> sites;
  int file = 0;
  for (const int count : counts) {
    for (int i = 0; i < count; ++i) sites.push_back(site(fmt::format("{}.cpp", file), i + 1));
    ++file;
  }
  return sites;
}
std::size_t same(const std::string&) { return 1; }
/// Hands out all sites, `open` at a time; `makes` says which ones make a mutant. Returns the mutants by name.
std::set<std::string> drawn(Sample sample, std::size_t open, const std::function<bool(const Site&)>& makes) {
  std::set<std::string> mutants;
  std::vector<std::size_t> out;
  while (!sample.done()) {
    while (out.size() < open) {
      const auto next = sample.next();
      if (!next) break;
      out.push_back(*next);
    }
    const Site& one = sample.sites()[out.back()];
    sample.tell(out.back(), makes(one));
    if (makes(one)) mutants.insert(one.key());
    out.pop_back();
  }
  return mutants;
}

TEST(Samples, each_file_has_its_share) {
  const Sample sample(many({600, 300, 100}), 10, 1, same);
  std::map<std::string, int> shares;
  for (const std::size_t i : sample.first_choice()) ++shares[sample.sites()[i].file];
  EXPECT_EQ(shares, (std::map<std::string, int>{{"0.cpp", 6}, {"1.cpp", 3}, {"2.cpp", 1}}));
}

TEST(Samples, the_seed_decides) {
  const auto all = [](const Site&) { return true; };
  const auto with_seed = [&](std::uint64_t seed) { return drawn(Sample(many({300, 200}), 40, seed, same), 1, all); };
  EXPECT_EQ(with_seed(1).size(), 40U);
  EXPECT_EQ(with_seed(1), with_seed(1));
  EXPECT_NE(with_seed(1), with_seed(2));
}

TEST(Samples, a_site_without_a_mutant_is_replaced_in_any_order_of_results) {
  const auto odd = [](const Site& one) { return one.nth % 2 == 1; };
  const auto with_open = [&](std::size_t open) { return drawn(Sample(many({300, 200}), 40, 1, same), open, odd); };
  EXPECT_EQ(with_open(1).size(), 40U);
  EXPECT_EQ(with_open(1), with_open(7));
}

TEST(Samples, missing_mutants_of_a_file_come_from_the_others) {
  const auto other = [](const Site& one) { return one.file != "0.cpp"; };
  const auto with_open = [&](std::size_t open) { return drawn(Sample(many({50, 100, 30}), 60, 1, same), open, other); };
  EXPECT_EQ(with_open(1).size(), 60U);
  EXPECT_EQ(with_open(1), with_open(5));
}

TEST(Samples, end_if_there_are_no_more_sites) {
  EXPECT_EQ(drawn(Sample(many({5, 3}), 100, 1, same), 2, [](const Site& one) { return one.nth > 1; }).size(), 6U);
  EXPECT_TRUE(Sample({}, 100, 1, same).done());
}

TEST(Samples, without_a_number_all_sites_are_taken) { EXPECT_EQ(Sample(many({5, 3}), 0, 1, same).wanted(), 8U); }

TEST(Samples, files_with_a_high_cost_come_first) {
  Sample sample(many({5, 3}), 0, 1, [](const std::string& file) { return file == "1.cpp" ? 9 : 1; });
  EXPECT_EQ(sample.sites()[sample.next().value()].file, "1.cpp");
}

Report report_of(std::initializer_list<std::pair<Outcome, int>> counts) {
  Report report;
  for (const auto& [outcome, count] : counts)
    for (int i = 0; i < count; ++i) {
      Mutant& mutant = report.mutants.emplace_back();
      mutant.site = site();
      mutant.outcome = outcome;
    }
  return report;
}

TEST(Reports, the_share_counts_mutants_without_a_reason) {
  EXPECT_EQ(report_of({{Outcome::killed, 95}, {Outcome::survived, 5}, {Outcome::not_compiled, 9}}).exit_code(), 0);
  EXPECT_EQ(report_of({{Outcome::killed, 94}, {Outcome::survived, 6}}).exit_code(), 1);
  EXPECT_EQ(report_of({{Outcome::killed, 94}, {Outcome::explained, 6}, {Outcome::same_code, 9}}).exit_code(), 0);
}

TEST(Reports, without_mutants_the_run_tested_nothing) {
  EXPECT_EQ(report_of({}).exit_code(), 4);
  EXPECT_EQ(report_of({{Outcome::not_compiled, 3}, {Outcome::same_code, 1}}).exit_code(), 4);
}

TEST(Reports, stale_entries_undecided_mutants_and_interrupts_have_their_codes) {
  Report report = report_of({{Outcome::killed, 9}});
  report.stale.emplace_back("x");
  EXPECT_EQ(report.exit_code(), 1);
  report.mutants.front().outcome = Outcome::undecided;
  EXPECT_EQ(report.exit_code(), 3);
  report.interrupted = true;
  EXPECT_EQ(report.exit_code(), 130);
}

TEST(Reports, the_last_line_has_the_counts) {
  const std::string text =
      closing_text(report_of({{Outcome::killed, 8}, {Outcome::explained, 1}, {Outcome::survived, 1}}));
  EXPECT_NE(text.find("\n8 of 10 mutants killed (80.0 %), 1 survive with a reason, 1 survive without one; killed of "
                      "those without a reason: 88.9 %, required: 95 %\n"),
            std::string::npos)
      << text;
}

/// A list of left-out regions with an entry that names nothing.
std::string other_list() {
  const std::string path = testing::TempDir() + "plumbline_left_out.json";
  std::ofstream(path) << R"({"left_out": [{"file": "a.cpp", "reason": "It is so."}]})";
  return path;
}

using command::has;
using command::Ran;

Ran mutate(const std::string& arguments) { return command::plumbline("mutate " + arguments); }

TEST(MutateCommand, help_has_examples) {
  const Ran ran = mutate("--help");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(has(ran, "plumbline mutate optimized --mutants 20"));
}

TEST(MutateCommand, wrong_usage_is_refused) {
  EXPECT_EQ(mutate("").code, 2);
  EXPECT_EQ(mutate("reference").code, 2);
  EXPECT_EQ(mutate("optimized --seconds 0").code, 2);
  EXPECT_EQ(mutate("optimized --jobs none").code, 2);
}

TEST(MutateCommand, the_same_seed_lists_the_same_mutants) {
  const Ran ran = mutate("optimized --list --mutants 20 --seed 3");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_EQ(std::ranges::count(ran.text, '\n'), 21) << ran.text;
  EXPECT_EQ(mutate("optimized --list --mutants 20 --seed 3").text, ran.text);
  EXPECT_NE(mutate("optimized --list --mutants 20 --seed 4").text, ran.text);
}

TEST(MutateCommand, of_the_oracle_lists_only_its_files) {
  const Ran ran = mutate("oracle --list --mutants 40 --seed 3");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "oracle/monitors.cpp:"));
  EXPECT_EQ(ran.text.find("optimized/"), std::string::npos);
  EXPECT_TRUE(has(ran, "40 mutants"));
}

TEST(MutateCommand, of_named_faults_lists_each) {
  const Ran ran = mutate("harness --list --faults mutation/harness_faults.json");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_TRUE(has(ran, "waiver-of-any-file | A waiver holds for a test of that name in any file."));
}

TEST(MutateCommand, options_that_exclude_each_other_are_refused) {
  EXPECT_EQ(mutate("oracle --list --dispatcher").code, 2);
  EXPECT_EQ(mutate("harness --list --faults a.json --these b.json").code, 2);
  EXPECT_EQ(mutate("harness --list --faults /nowhere.json").code, 2);
}

TEST(MutateCommand, a_name_without_a_mutant_is_refused) {
  const Ran only = mutate("optimized --list --only no_such_file.cpp");
  EXPECT_EQ(only.code, 2);
  EXPECT_TRUE(has(only, "there are no mutants in 'no_such_file.cpp'"));
  const Ran these = mutate("optimized --list --these " +
                           written(R"({"mutants": [{"file": "a.cpp", "line": "b;", "change": "0 -> 1"}]})"));
  EXPECT_EQ(these.code, 2);
  EXPECT_TRUE(has(these, "does not name a possible mutant"));
}

TEST(MutateCommand, an_entry_that_names_nothing_fails) {
  for (const std::string& list : {"--survivors " + written(survivor()), "--left-out " + other_list()}) {
    const Ran ran = mutate("optimized --list --mutants 3 " + list);
    EXPECT_EQ(ran.code, 1) << ran.text;
    EXPECT_TRUE(has(ran, "names nothing in the sources: remove it"));
  }
}

TEST(MutateCommand, a_malformed_list_is_refused) {
  EXPECT_EQ(mutate("optimized --list --survivors " + written("nothing")).code, 2);
  EXPECT_EQ(mutate("optimized --list --left-out /nowhere.json").code, 2);
}

}  // namespace
}  // namespace plumbline::mutate
