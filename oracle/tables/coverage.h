// Coverage: which curated programs show which sentence of the texts, and by which rules.
#pragma once

#include <string>
#include <vector>

#include "oracle/curated.h"
#include "oracle/tables/sentences.h"

namespace plumbline::tables {

/// `docs/COVERAGE.md`: for each text a table sentence → programs → rules in the order of the ids, then what is counted:
/// sentences, those with programs, those with a reason, and the rules that no sentence leads to.
std::string coverage_markdown(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences);

/// The same as JSON: {"sentences": [{…, "programs", "rules"}], "rules_without_sentence": […], "problems": […]}.
std::string coverage_json(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences);

/// What must not be, a line each: a sentence with neither program nor reason, one with both, and a program that names a
/// sentence that is not in the inventory.
std::vector<std::string> coverage_problems(const std::vector<CuratedTest>& tests,
                                           const std::vector<Sentence>& sentences);

}  // namespace plumbline::tables
