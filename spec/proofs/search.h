// Bounded search: the shortest program, on plain values, after which something is true.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "spec/proofs/moves.h"

namespace plumbline::proofs {

/// One statement of a program: a move on tensors numbered in the order in which they are made.
struct Act {
  int move = 0;  ///< index into `moves<Concrete>()`
  int x = 0;
  int y = 0;
  int z = 0;
  bool asked = false;
  bool raises = false;

  bool operator==(const Act&) const = default;
};

/// Every move of the machine on plain values; acts index into it.
const std::vector<Move<Concrete>>& all_moves();

/// Does an act, and returns the machine after it.
Machine<Concrete> act_on(const Judge<Concrete>& judge, const Heap<Concrete>& heap, const Act& act);

/// The limits of a search.
struct SearchLimits {
  int length = 6;  ///< statements
  int tensors = 3;
  int guards = 2;                   ///< open at once
  std::size_t states = 300'000;     ///< how many different states are visited
  std::vector<std::string> unsafe;  ///< the unsafe moves that may be used
  std::vector<std::string> only;    ///< the moves that may be used; empty: every safe move
};

struct SearchResult {
  std::vector<Act> acts;
  bool found = false;
  bool complete = true;  ///< only the limits on length, tensors and guards cut the search
  std::size_t states = 0;
};

/// A heap before a statement, the statement, and the machine after it.
using Goal = std::function<bool(const Heap<Concrete>& before, const Act& act, const Machine<Concrete>& after)>;

/// The first of the shortest programs whose last statement makes `goal` true, in a fixed order.
SearchResult shortest(const Judge<Concrete>& judge, const SearchLimits& limits, const Goal& goal);

/// A program on which two runs differ.
struct Split {
  SearchResult search;     ///< its acts are the first run's
  std::vector<Act> other;  ///< the second run's
  std::string what;        ///< "the last statement raises under torch-2.13 alone", "requires_grad of t1: …"
};

/// Two runs of each program, and how they are compared.
struct Twins {
  const Judge<Concrete>& one;
  const Judge<Concrete>& other;
  /// The difference of the two runs after a statement; empty: no difference.
  std::function<std::string(const Machine<Concrete>& one, const Machine<Concrete>& other)> differ;
  std::function<Act(const Act&)> others = [](const Act& act) { return act; };  ///< the second run's statement
  /// Whether a program may have this statement; the heap is the first run's before it.
  std::function<bool(const Heap<Concrete>& before, const Act& act)> may = [](const auto&, const auto&) { return true; };
  bool behind_errors = true;   ///< programs go on after a statement that raises an error
  std::string_view last = {};  ///< the move that the program must end with, with no difference before it
};
/// The first of the shortest programs on which they differ, in a fixed order.
Split shortest_split(const Twins& twins, const SearchLimits& limits);

/// The shortest program after which two judges differ in an error or in what can be read of a tensor.
Split shortest_difference(const Judge<Concrete>& one, const Judge<Concrete>& other, const SearchLimits& limits);
/// The same for key sets; `last` is the first statement after which they differ.
Split shortest_difference_by(const Judge<Concrete>& one, const Judge<Concrete>& other, const SearchLimits& limits,
                             std::string_view last);

/// The shortest program without an error that differs between InferenceMode (the first run) and no_grad (the second).
/// It has only statements that the refinement's theorem allows, and those that its premise `dropped` forbids:
/// "requires_grad", "detach_", "resize_", "requires-grad-inside" or "enable-grad-inside"; empty: no premise is dropped.
Split shortest_parting(const Judge<Concrete>& judge, const SearchLimits& limits, std::string_view dropped);

/// How many tensors a heap has; they are numbered from 0.
int tensors_in(const Heap<Concrete>& heap);

}  // namespace plumbline::proofs
