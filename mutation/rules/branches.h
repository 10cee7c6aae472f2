// Vacuity of rules: each select's condition can be true and can be false, and each judge is asked.
#pragma once

#include <array>
#include <string>

#include "mutation/rules/suite.h"
#include "mutation/rules/workers.h"

namespace plumbline::mutants {

/// What shows that a select's condition can be false (0) and can be true (1); empty if nothing does.
struct Branches {
  std::array<std::string, 2> obligation;
  std::array<std::string, 2> program;
  bool ran = false;

  bool reached(std::size_t side) const { return !obligation[side].empty() || !program[side].empty(); }
};

/// Asks the solver about each obligation that reaches the select, until both sides are shown. Call it in a worker.
Branches branches_of(const Suite& suite, const Place& place, const Announce& announce);
std::string to_json(const Branches& branches);
Branches branches_from_json(const std::string& text);

/// The calls of a judge in spec/rules that no obligation and no program reaches.
std::vector<WrittenCall> calls_never_met(const Suite& suite, const std::string& source);

}  // namespace plumbline::mutants
