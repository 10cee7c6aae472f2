// plumbline-prove-mutants: its workers, the list of survivors, how mutants are counted, and the executable on a sample.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "mutation/rules/run.h"
#include "spec/rules/catalogue.h"

namespace plumbline::mutants {
namespace {

Place place(Token token = Token::both, int nth = 1) {
  Place one;
  one.site = {"spec/rules/inf.h", 212, 47, token};
  one.function = "view_inference";
  one.text = "return a && b && c;";
  one.nth = nth;
  return one;
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "plumbline_" + name + ".json";
  std::ofstream(path) << text;
  return path;
}
const std::string kEntry =
    R"({"file": "spec/rules/inf.h", "function": "view_inference", "line": "return a && b && c;", "change": "&& -> ||")";

struct Ran {
  int code = -1;
  std::string text;
};
Ran mutants(const std::string& arguments, const std::string& redirect = " 2>&1") {
  Ran ran;
  std::FILE* pipe = popen((PLUMBLINE_BIN "/plumbline-prove-mutants " + arguments + redirect).c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) ran.text.append(buffer.data(), n);
  ran.code = WEXITSTATUS(pclose(pipe));
  return ran;
}

using Work = std::function<void(std::size_t, const Announce&, const Tell&)>;
std::map<std::size_t, Ended> run_three(const Work& work) {
  std::map<std::size_t, Ended> ended;
  run_workers(3, 2, work, [&](std::size_t i, const Ended& one) { ended[i] = one; }, [] { return false; });
  return ended;
}

TEST(Workers, give_their_results) {
  const std::string large(200'000, 'x');
  auto ended = run_three([&](std::size_t i, const Announce&, const Tell& tell) {
    tell(std::to_string(i));
    tell(large);
  });
  ASSERT_EQ(ended.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(ended[i].how, Ended::How::finished);
    EXPECT_EQ(ended[i].lines, (std::vector<std::string>{std::to_string(i), large}));
  }
}

TEST(Workers, a_worker_that_dies_is_reported_with_its_step_and_its_lines) {
  auto ended = run_three([](std::size_t i, const Announce& announce, const Tell& tell) {
    announce("program one", 5);
    tell("one");
    announce("program two", 5);
    if (i == 1) std::abort();
    tell("two");
  });
  EXPECT_EQ(ended[0].how, Ended::How::finished);
  EXPECT_EQ(ended[1].how, Ended::How::died);
  EXPECT_EQ(ended[1].step, "program two");
  EXPECT_EQ(ended[1].lines, std::vector<std::string>{"one"});
}

TEST(Workers, a_worker_that_hangs_is_killed) {
  auto ended = run_three([](std::size_t i, const Announce& announce, const Tell&) {
    announce("program three", i == 2 ? 1 : 5);
    if (i == 2) std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  EXPECT_EQ(ended[2].how, Ended::How::hung);
  EXPECT_EQ(ended[2].step, "program three");
}

TEST(Workers, no_more_start_after_a_stop) {
  std::size_t done = 0;
  run_workers(
      5, 1, [](std::size_t, const Announce&, const Tell&) {}, [&](std::size_t, const Ended&) { ++done; },
      [&] { return done == 2; });
  EXPECT_EQ(done, 2U);
}

TEST(Survivors, an_entry_explains_its_text_in_any_place) {
  Survivors all = Survivors::load(
      written("one", fmt::format(R"({{"survivors": [{}, "reason": "It is so.", "by": "heap.tls.add"}}]}})", kEntry)));
  Place moved = place();
  moved.site.line = 99;
  ASSERT_NE(all.explain(moved, change_of(Token::both)), nullptr);
  EXPECT_EQ(all.entries().front().used, 1U);
  EXPECT_EQ(all.explain(place(), change_of(Token::either)), nullptr);
  moved.function = "another";
  EXPECT_EQ(all.explain(moved, change_of(Token::both)), nullptr);
}

TEST(Survivors, nth_distinguishes_equal_changes) {
  Survivors all = Survivors::load(written(
      "nth", fmt::format(R"({{"survivors": [{}, "nth": 2, "reason": "It is so.", "by": "heap.tls.add"}}]}})", kEntry)));
  EXPECT_EQ(all.explain(place(Token::both, 1), change_of(Token::both)), nullptr);
  EXPECT_NE(all.explain(place(Token::both, 2), change_of(Token::both)), nullptr);
}

TEST(Survivors, a_malformed_list_is_refused) {
  EXPECT_THROW(Survivors::load("/nowhere.json"), std::runtime_error);
  EXPECT_THROW(Survivors::load(written("text", "nothing")), std::runtime_error);
  EXPECT_THROW(Survivors::load(written("object", "{}")), std::runtime_error);
  EXPECT_THROW(Survivors::load(written("no_reason", fmt::format(R"({{"survivors": [{}}}]}})", kEntry))),
               std::runtime_error);
  EXPECT_THROW(Survivors::load(written(
                   "typo", fmt::format(R"({{"survivors": [{}, "reasons": "It is so.", "by": "x"}}]}})", kEntry))),
               std::runtime_error);
}

TEST(Fates, can_be_sent_between_processes) {
  Fate fate;
  fate.proof = {"heap.x", Profile::torch_1_13, "proved", ""};
  fate.program = {"test_a.py::test_b", Profile::sound, "line 7: \"1\"", "INF-03"};
  fate.asked = 3;
  const Fate back = Fate::from_json(fate.to_json());
  EXPECT_EQ(back.proof.name, "heap.x");
  EXPECT_EQ(back.proof.profile, Profile::torch_1_13);
  EXPECT_EQ(back.program.what, fate.program.what);
  EXPECT_EQ(back.program.flipped, "INF-03");
  EXPECT_EQ(back.asked, 3U);
  EXPECT_TRUE(back.ran);
}

TEST(Fates, a_program_that_crashes_shows_the_mutant) {
  const Fate fate = fate_of_lost({Ended::How::died, {}, "program test_a.py::test_b"});
  EXPECT_EQ(fate.program.name, "test_a.py::test_b");
  const Fate misread = fate_of_lost({Ended::How::died, {}, "program test_a.py::test_b with misread INF-03"});
  EXPECT_EQ(misread.program.name, "test_a.py::test_b");
  EXPECT_EQ(misread.program.flipped, "INF-03") << "it changes only the misreading";
  EXPECT_TRUE(fate_of_lost({Ended::How::hung, {}, "proof heap.x"}).program.name.empty());
  EXPECT_FALSE(fate_of_lost({Ended::How::hung, {}, "proof heap.x"}).unknown.empty());
}

TEST(Reports, each_kind_has_its_exit_code) {
  const Place one = place();
  Report report;
  EXPECT_EQ(report.exit_code(), 4);
  report.mutants.push_back({&one, {}, ""});
  report.mutants[0].fate.ran = true;
  EXPECT_EQ(report.mutants[0].kind(), Kind::unexplained);
  EXPECT_EQ(report.exit_code(), 1);
  report.mutants[0].reason = "It is so.";
  EXPECT_EQ(report.exit_code(), 0);
  report.stale = {"an entry"};
  EXPECT_EQ(report.exit_code(), 1);
  report.stale.clear();
  report.unreached = {{"spec/rules/inf.h:1:1", "its condition is never true", ""}};
  EXPECT_EQ(report.exit_code(), 1);
  report.unreached[0].reason = "It is so.";
  EXPECT_EQ(report.exit_code(), 0);
  report.mistakes = {"an obligation"};
  EXPECT_EQ(report.exit_code(), 3);
  report.interrupted = true;
  EXPECT_EQ(report.exit_code(), 130);
}

TEST(Calls, are_found_in_the_text) {
  const auto calls = written_calls(PLUMBLINE_SOURCE);
  EXPECT_GT(calls.size(), 150U);
  for (const WrittenCall& call : calls) EXPECT_NE(call.text.find("judge("), std::string::npos) << call.line;
}

/// What the calls in the headers of spec/rules have a value of their own for: profiles, by rule.
std::map<std::string, std::set<std::string>> profiles_in_calls() {
  std::map<std::string, std::set<std::string>> profiles;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_SOURCE "/spec/rules")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    for (const Argument& argument : judge_arguments(lines))
      if (argument.profile) profiles[argument.rule].insert(std::string(name_of(*argument.profile)));
  }
  return profiles;
}

TEST(Calls, have_a_value_for_the_profiles_that_the_text_of_their_rule_names) {
  auto coded = profiles_in_calls();
  EXPECT_FALSE(coded.empty());
  for (const Rule* rule : kAskedRules) {
    std::set<std::string> told;
    for (const Variant& v : rule->text().variants)
      if (!v.sentence.empty()) told.insert(std::string(name_of(v.profile)));
    EXPECT_EQ(told, coded[rule->id()]) << rule->id();
  }
}

TEST(Mutants, a_sample_is_killed_shown_or_explained) {
  const Ran ran = mutants("--sample 10 --jobs 2");
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_NE(ran.text.find(" of 10 mutants killed by a proof"), std::string::npos) << ran.text;
}

TEST(Mutants, the_report_does_not_depend_on_the_jobs) {
  const std::string without_progress = " 2>/dev/null";
  EXPECT_EQ(mutants("--file tls.h --sample 5 --jobs 1", without_progress).text,
            mutants("--file tls.h --sample 5 --jobs 3", without_progress).text);
}

TEST(Mutants, an_entry_that_names_nothing_fails) {
  const std::string list =
      written("stale", fmt::format(R"({{"survivors": [{}, "reason": "It is so.", "by": "heap.tls.add"}}]}})", kEntry));
  const Ran ran = mutants("--rule TLS-16 --sample 1 --survivors " + list);
  EXPECT_EQ(ran.code, 1) << ran.text;
  EXPECT_NE(ran.text.find("names nothing in the sources"), std::string::npos) << ran.text;
}

TEST(Mutants, bad_arguments_are_usage) {
  EXPECT_EQ(mutants("--rule TLS-99").code, 2);
  EXPECT_EQ(mutants("--file nothing.h").code, 2);
  EXPECT_EQ(mutants("--sample 0").code, 2);
  EXPECT_EQ(mutants("--survivors /nowhere.json").code, 2);
  EXPECT_EQ(mutants("--json /nowhere/x.json --sample 1").code, 2);
  const Ran help = mutants("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.text.find("examples:"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::mutants
