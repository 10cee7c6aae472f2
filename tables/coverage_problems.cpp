// Checking the inventory of sentences and programs: each claim in it must be true.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tables/coverage.h"

namespace plumbline::tables {

namespace {

using Problems = std::vector<std::string>;

bool shows(const Pair& pair, const Otherwise& how) { return pair.program == how.program && !pair.otherwise.empty(); }

bool has_pairs(const std::vector<Pair>& pairs, const std::string& sentence) {
  return std::ranges::find(pairs, sentence, &Pair::sentence) != pairs.end();
}

/// A sentence has programs, or repeats one that has programs, or has a reason; a reason excludes the others.
void check_shown(const Sentence& s, const std::vector<Pair>& pairs, Problems& problems) {
  const bool shown = has_pairs(pairs, s.id);
  if (!shown && s.as.empty() && s.reason.empty())
    problems.push_back(fmt::format(
        "no program names {} (lines {}), and it has no reason; name it after the `def` of a program that shows it, or "
        "say in sentences.json why no program can",
        s.id, s.lines));
  if (shown && !s.reason.empty())
    problems.push_back(
        fmt::format("{} (lines {}) has a reason, but a program names it; remove one of the two", s.id, s.lines));
  if (!s.as.empty() && !s.reason.empty())
    problems.push_back(fmt::format("{} (lines {}) has a reason, but refers to {}; remove one of the two", s.id, s.lines,
                                   fmt::join(s.as, ", ")));
  for (const std::string& other : s.as)
    if (!has_pairs(pairs, other))
      problems.push_back(
          fmt::format("{} refers to {}, which no program names; refer to a sentence that has programs", s.id, other));
}

/// Each pair of the sentence is shown, and each of its rules and `otherwise`s shows a pair.
void check_pairs(const Sentence& s, const std::vector<Pair>& pairs, Problems& problems) {
  for (const Pair& pair : pairs)
    if (pair.sentence == s.id && pair.flips.empty() && pair.otherwise.empty())
      problems.push_back(
          fmt::format("{} × {}: no misreading of {} turns the program red; name another program or rule, or say in "
                      "sentences.json what does (`otherwise`)",
                      s.id, pair.program, s.rules.empty() ? "a rule" : fmt::format("{}", fmt::join(s.rules, ", "))));
  for (const std::string& rule : s.rules)
    if (std::ranges::none_of(pairs, [&](const Pair& pair) {
          return pair.sentence == s.id && std::ranges::find(pair.flips, rule) != pair.flips.end();
        }))
      problems.push_back(fmt::format(
          "{} names {}, but misreading that rule turns no program of the sentence red; remove it", s.id, rule));
  for (const Otherwise& how : s.otherwise) {
    const auto pair = std::ranges::find_if(pairs, [&](const Pair& p) { return p.sentence == s.id && shows(p, how); });
    if (pair == pairs.end())
      problems.push_back(fmt::format("{}: `otherwise` does not turn {} red; correct it", s.id, how.program));
    else if (how.profile.empty() && !pair->flips.empty())
      problems.push_back(fmt::format("{}: `otherwise` of {} is not needed, because {} turns it red; remove it", s.id,
                                     how.program, fmt::join(pair->flips, ", ")));
  }
}

}  // namespace

std::vector<std::string> coverage_problems(const std::vector<CuratedTest>& tests,
                                           const std::vector<Sentence>& sentences, const std::vector<Pair>& pairs) {
  Problems problems;
  for (const Sentence& s : sentences) {
    check_shown(s, pairs, problems);
    check_pairs(s, pairs, problems);
  }
  for (const CuratedTest& t : tests)
    for (const std::string& id : t.test.sentences)
      if (std::ranges::find(sentences, id, &Sentence::id) == sentences.end())
        problems.push_back(fmt::format(
            "{}:{}: {} names the sentence {}, which is not in sentences.json; correct it, or add the sentence", t.file,
            t.test.line, t.test.name, id));
  return problems;
}

}  // namespace plumbline::tables
