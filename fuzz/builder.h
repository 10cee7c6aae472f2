// Building a program from genes: each statement is executed on the reference while it is chosen, so operands are
// live, guards nest and every error is caught.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "adapters/level.h"
#include "fuzz/coverage.h"
#include "fuzz/gene.h"
#include "reference/machine.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::fuzz {

/// How often programs are about the dispatcher: registrations for any key, calls whose kernels only log, questions.
enum class Dispatching : std::uint8_t {
  never,
  sometimes,  ///< in programs with unsafe statements
  only        ///< in all programs, and nothing else; they have no other unsafe statements and no bodies
};

/// How programs are built.
struct Recipe {
  reference::Judge judge;      ///< they are built as they run under it
  bool unsafe = false;         ///< with statements that can break any invariant: see `is_unsafe`
  bool functionalize = false;  ///< with functionalized bodies, and without anything that requires grad
  bool transforms = false;     ///< with mapped bodies
  Dispatching dispatching = Dispatching::sometimes;
  bool captures = false;               ///< aimed at implementations that capture graphs: see aimed_at_capture
  bool two_devices = false;            ///< with tensors of the CPU beside those of the test's device
  bool by_schema = false;              ///< also with ops by schema; something must compute them: see by_schema.h
  bool million = true;                 ///< also with tensors of a million elements, which take a second to compare
  bool observe_all = false;            ///< with a snapshot after each gene's statements, not only after some
  Manifest has = {};                   ///< cut to what the implementation has
  std::vector<Profile> profiles = {};  ///< with keys that the versions of all these have, and of the judge's profile

  Recipe() = default;
  Recipe(const reference::Judge& of, bool with_unsafe = false)  // NOLINT(google-explicit-constructor): mostly all of it
      : judge(of), unsafe(with_unsafe) {}
};

/// The reference itself failed on a program, which is a bug in it.
struct ReferenceBroke : std::logic_error {
  ReferenceBroke(const std::string& what, Script program, Statement statement)
      : std::logic_error(what), before(std::move(program)), last(std::move(statement)) {}
  Script before;   ///< what ran
  Statement last;  ///< what it failed on
};

/// The program that `genes` stand for, as it runs under the recipe's judge. It is well-formed: every slot that is read
/// was assigned, guards nest, a statement that raises under the judge is the last in a Try, and the last statement is a
/// Snapshot. Throws ReferenceBroke. Adds what it exercised to `coverage`, if that is given.
Script build(const Genes& genes, const Recipe& recipe, Coverage* coverage = nullptr);

/// "a", "b", …, "z", "a1", …
std::string slot_name(std::size_t slot);

}  // namespace plumbline::fuzz
