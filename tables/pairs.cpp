// Running the programs of each sentence under the misreadings and edits that should turn them red.
#include "tables/pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "language/parse.h"
#include "oracle/compare.h"
#include "reference/machine.h"
#include "reference/raise.h"
#include "spec/rules/catalogue.h"

namespace plumbline::tables {

namespace {

/// Whether the program is red under this judge. A program beyond the reference's limits does not count as red.
bool is_red(const program::Test& test, const reference::Judge& judge) {
  static const Description exact = [] {
    Description description;
    description.name = "reference";
    description.fields.fill(Strictness::exact);
    description.thread.fill(Strictness::exact);
    return description;
  }();
  try {
    return check_expectations(test, reference::run(judge, test.script), exact).verdict == Verdict::divergent;
  } catch (const reference::ReferenceLimit&) {
    return false;
  }
}

/// The text of a file with `from` replaced in the test of this name. Nothing if the test does not contain it, or if it
/// is part of an expectation: a changed expectation shows nothing.
std::optional<std::string> edited(const std::string& path, const std::string& test, const Otherwise& how) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = text.find(fmt::format("\ndef {}(", test));
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(text.find("\ndef ", begin + 1), text.size());
  const std::size_t at = text.find(how.from, begin);
  if (at == std::string::npos || at + how.from.size() > end) return std::nullopt;
  const std::size_t line = text.rfind('\n', at) + 1;
  const std::string_view changed = std::string_view(text).substr(line, text.find('\n', at + how.from.size()) - line);
  if (changed.find("assert ") != changed.npos || changed.find("pytest.raises") != changed.npos) return std::nullopt;
  return text.replace(at, how.from.size(), how.to);
}

bool red_when_edited(const CuratedTest& curated, const Otherwise& how, const std::string& corpus) {
  const std::string path = fmt::format("{}/{}", corpus, curated.file);
  const std::optional<std::string> text = edited(path, curated.test.name, how);
  if (!text) return false;
  try {
    for (const program::Test& test : program::lower(program::parse(*text, path)))
      if (test.name == curated.test.name) return is_red(test, {});
  } catch (const program::ProgramError&) {
    return false;  // an edit that breaks the program shows nothing
  }
  return false;
}

/// What turned the program red, in words; empty if nothing did.
std::string shown_by(const CuratedTest& curated, const Otherwise& how, const std::string& corpus) {
  if (how.profile.empty())
    return red_when_edited(curated, how, corpus)
               ? fmt::format("`{}` {}", how.from, how.to.empty() ? "left out" : fmt::format("changed to `{}`", how.to))
               : "";
  const Rule* rule = find_rule(how.rule);
  const std::optional<Profile> profile = profile_named(how.profile);
  if (rule == nullptr || !profile || rule->variant(*profile) == nullptr) return "";
  return is_red(curated.test, {.profile = *profile, .only_variant = rule})
             ? fmt::format("{}'s {}", how.profile, how.rule)
             : "";
}

Pair judge_pair(const CuratedTest& curated, const Sentence& sentence, const std::string& corpus) {
  Pair pair{sentence.id, fmt::format("{}::{}", curated.file, curated.test.name), {}, ""};
  for (const std::string& id : sentence.rules) {
    const Rule* rule = find_rule(id);
    if (rule != nullptr && is_red(curated.test, {.flipped = rule})) pair.flips.push_back(id);
  }
  for (const Otherwise& how : sentence.otherwise)
    if (how.program == pair.program) pair.otherwise = shown_by(curated, how, corpus);
  return pair;
}

}  // namespace

std::vector<Pair> judge_pairs(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                              const std::string& corpus) {
  std::vector<Pair> pairs;
  for (const Sentence& sentence : sentences)
    for (const CuratedTest& curated : tests)
      if (std::ranges::find(curated.test.sentences, sentence.id) != curated.test.sentences.end())
        pairs.push_back(judge_pair(curated, sentence, corpus));
  return pairs;
}

std::vector<CuratedTest> programs_of_sentences(const std::string& corpus) {
  std::vector<CuratedTest> tests = load_curated(corpus);
  for (const std::string folder : {"functionalize", "transforms"}) {
    const std::string bodies = fmt::format("{}/{}", corpus, folder);
    if (!std::filesystem::is_directory(bodies)) continue;
    for (CuratedTest& curated : load_curated(bodies)) {
      curated.file = fmt::format("{}/{}", folder, curated.file);
      tests.push_back(std::move(curated));
    }
  }
  return tests;
}

}  // namespace plumbline::tables
