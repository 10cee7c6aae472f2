// Pairs of a sentence and a program that names it: what shows, on the reference, that the program shows the sentence.
#pragma once

#include <string>
#include <vector>

#include "oracle/curated.h"
#include "oracle/tables/sentences.h"

namespace plumbline::tables {

/// One pair, and what turned the program red.
struct Pair {
  std::string sentence;            ///< its id
  std::string program;             ///< "test_views.py::test_a"
  std::vector<std::string> flips;  ///< the rules of the sentence whose misreading turns the program red
  std::string otherwise;  ///< what the inventory says that does instead, and did: "draft-1's INF-16"; else empty
};

/// Runs each program of each pair on the reference: with each rule of the sentence flipped, and, where none turns it
/// red, as the sentence's `otherwise` says. In the order of the sentences, then of the tests. `corpus` is the folder of
/// the programs, from which those are read that are edited.
std::vector<Pair> judge_pairs(const std::vector<CuratedTest>& tests, const std::vector<Sentence>& sentences,
                              const std::string& corpus);

/// The curated programs that may name sentences: those of `corpus`, and those about functionalization, whose file is
/// "functionalize/test_….py". Throws as `load_curated`.
std::vector<CuratedTest> programs_of_sentences(const std::string& corpus);

}  // namespace plumbline::tables
