// Coverage: which curated programs show which sentence of the texts, and by which rules.
#pragma once

#include <string>
#include <vector>

#include "language/curated.h"
#include "tables/pairs.h"
#include "tables/sentences.h"

namespace plumbline::tables {

/// `docs/COVERAGE.md`: for each text a table sentence → programs, with what turned each program red. Then the counts
/// for each text: sentences, those with programs, those that repeat another one, those with a reason, and the pairs
/// that a flip shows or something else shows. Then the rules that no sentence leads to.
std::string coverage_markdown(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                              const std::vector<Pair>& pairs);

/// The same as JSON: {"texts": [{"name", "sentences", …}], "sentences": [{…, "pairs"}], "rules_without_sentence": […],
/// "problems": […]}.
std::string coverage_json(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                          const std::vector<Pair>& pairs);

/// The errors in the inventory, one line each: a sentence with neither a program nor a reason, or with both; a program
/// that names an unknown sentence; a pair that nothing shows; a rule of a sentence, or an `otherwise`, that shows no
/// pair; and an `as` that leads to no program.
std::vector<std::string> coverage_problems(const std::vector<CuratedTest>& tests,
                                           const std::vector<Sentence>& sentences, const std::vector<Pair>& pairs);

}  // namespace plumbline::tables
