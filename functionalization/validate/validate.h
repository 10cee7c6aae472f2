// Validation: compares a body with its functionalized form, for all values of its inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "functionalization/validate/machine.h"
#include "reference/functionalize/functionalize.h"

namespace plumbline::validate {

namespace passes = reference::functionalize;

/// The result for one body.
struct Validated {
  /// The difference, in words. Nothing if every specified element is the same term, or equal for all values according
  /// to Z3, and if sizes, strides, offsets, dtypes and shared memory are equal (also dtypes of memory and of values
  /// inside the program).
  std::optional<std::string> difference = {};
  /// The two terms, if one element differs.
  std::optional<std::pair<Term, Term>> terms = {};
  /// The number of elements with different terms, and how many of them are equal according to Z3.
  std::uint64_t asked = 0;
  std::uint64_t equal = 0;
};

/// Runs bodies on two machines over one arena. Use it for many bodies, one after the other.
class Validator {
 public:
  explicit Validator(const reference::Judge& sound) : before_(terms_, sound), after_(terms_, sound) {}

  Validated validate(const passes::Body& body, const passes::Program& program);
  /// The same if the body's steps have already run on `before()` since `begin`; for one program or several.
  Validated validate_after_run(const passes::Body& body, const passes::Program& program);
  /// Forgets everything and makes the body's outside tensors.
  void begin(const passes::Body& body);
  Machine& before() { return before_; }
  Terms& terms() { return terms_; }

 private:
  static void make_outside(Machine& machine, const passes::Body& body);
  Validated compare(const passes::Body& body, const passes::Program& program);
  void compare(const passes::Body& body, const passes::Program& program, Validated& found) const;
  /// Runs a program on `after_`. If a value is not what the passes expect, returns the difference in words.
  std::optional<std::string> run_program(const passes::Program& program);
  /// Names the compared thing; called only for a difference.
  using Name = std::function<std::string()>;
  std::optional<std::string> compare_facts(const Name& name, Slot was, Slot is) const;
  /// Adds the findings; returns whether the two are equal.
  bool compare_terms(const Name& name, const std::vector<Term>& before, const std::vector<Term>& after,
                     Validated& found) const;

  Terms terms_;
  Machine before_, after_;
};

}  // namespace plumbline::validate
