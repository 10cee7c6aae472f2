// Pairs of a sentence and a program that names it: which misreading or edit turns the program red on the reference.
#pragma once

#include <string>
#include <vector>

#include "language/curated.h"
#include "tables/sentences.h"

namespace plumbline::tables {

/// One pair, and what turned the program red.
struct Pair {
  std::string sentence;            ///< its id
  std::string program;             ///< "test_views.py::test_a"
  std::vector<std::string> flips;  ///< the rules of the sentence whose misreading turns the program red
  std::string otherwise;           ///< what else the inventory names, if it turned the program red: "draft-1's INF-16"
};

/// Runs each program of each pair on the reference: with each rule of the sentence flipped, and as the sentence's
/// `otherwise` says. In the order of the sentences, then of the tests. Programs to edit are read from the folder
/// `corpus`.
std::vector<Pair> judge_pairs(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                              const std::string& corpus);

/// The curated programs that may name sentences: those of `corpus`, and those about functionalization and other
/// transforms, whose file is "functionalize/test_….py" or "transforms/test_….py". Throws as `load_curated`.
std::vector<CuratedTest> programs_of_sentences(const std::string& corpus);

}  // namespace plumbline::tables
