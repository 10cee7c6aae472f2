// Two profiles side by side: what changes between them, in programs with a snapshot around each statement.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "language/curated.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::tables {

/// A program that shows a change, made as short as possible.
struct ChangeShown {
  std::string program;  ///< a pytest file
  std::string what;     ///< "keys of x", "add_.Tensor"
  std::string before;
  std::string after;
};

/// One thing that is observed of a run.
struct Change {
  std::string observed;      ///< "kernels", "errors", a field's name
  std::size_t asked = 0;     ///< how often it was observed under both profiles
  std::size_t changed = 0;   ///< how often it differed
  std::size_t programs = 0;  ///< in how many programs it differed
  std::optional<ChangeShown> shown;
};

/// How many kernels the calls of one kind of op ran, fallthroughs not counted.
struct Kernels {
  std::string kind;  ///< "functional"
  std::size_t calls = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

struct ProfileChanges {
  std::size_t programs = 0;
  std::vector<std::string> left_out;  ///< programs that the reference cannot execute under both profiles, and why
  std::vector<Change> changes;        ///< one for each thing observed, changed or not
  std::vector<Kernels> kernels;
};

/// Runs every program under both profiles with a snapshot around each statement, and compares statement by statement.
/// After an error that only one profile raises, nothing more of the program is compared.
ProfileChanges profile_changes(const std::vector<CuratedTest>& tests, Profile before, Profile after);

}  // namespace plumbline::tables
