// Coverage: which curated programs show which sentence of the texts, and by which rules.
#pragma once

#include <string>
#include <vector>

#include "oracle/curated.h"
#include "oracle/tables/pairs.h"
#include "oracle/tables/sentences.h"

namespace plumbline::tables {

/// `docs/COVERAGE.md`: for each text a table sentence → programs, each with what turned it red; then what is counted,
/// by text: sentences, those with programs, those that say what another one says, those with a reason; pairs, shown by
/// a flip and otherwise; and the rules that no sentence leads to.
std::string coverage_markdown(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                              const std::vector<Pair>& pairs);

/// The same as JSON: {"texts": [{"name", "sentences", …}], "sentences": [{…, "pairs"}], "rules_without_sentence": […],
/// "problems": […]}.
std::string coverage_json(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                          const std::vector<Pair>& pairs);

/// What must not be, a line each: a sentence with neither program nor reason, or with both; a program that names a
/// sentence that is not in the inventory; a pair that nothing shows; a rule of a sentence, or an `otherwise`, that
/// shows none of its pairs; and an `as` that leads to no program.
std::vector<std::string> coverage_problems(const std::vector<CuratedTest>& tests,
                                           const std::vector<Sentence>& sentences, const std::vector<Pair>& pairs);

}  // namespace plumbline::tables
