// Validation: a body as it is and as it is functionalized, held against each other for all values of its inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "oracle/validate/machine.h"
#include "reference/functionalize/functionalize.h"

namespace plumbline::validate {

namespace passes = reference::functionalize;

/// What came of one body.
struct Validated {
  /// Where the two differ, in words; nothing where every element that is specified is one term, or Z3 says that it is
  /// equal for all values, and sizes, strides, offsets, dtypes and what shares memory are equal, dtypes of memory and
  /// of values inside of the program too.
  std::optional<std::string> difference = {};
  /// The two terms, where it is a difference of one element.
  std::optional<std::pair<Term, Term>> terms = {};
  /// How many elements were different terms, and how many of these pairs are equal by Z3.
  std::uint64_t asked = 0;
  std::uint64_t equal = 0;
};

/// Runs bodies on two machines over one arena. Used for many, one after the other.
class Validator {
 public:
  explicit Validator(const reference::Judge& sound) : before_(terms_, sound), after_(terms_, sound) {}

  Validated validate(const passes::Body& body, const passes::Program& program);
  /// The same where the body's steps have run on `before()` since `begin`; for one program or several.
  Validated validate_after_run(const passes::Body& body, const passes::Program& program);
  /// Forgets everything, and makes the body's outside tensors.
  void begin(const passes::Body& body);
  Machine& before() { return before_; }
  Terms& terms() { return terms_; }

 private:
  static void make_outside(Machine& machine, const passes::Body& body);
  Validated compare(const passes::Body& body, const passes::Program& program);
  void compare(const passes::Body& body, const passes::Program& program, Validated& found) const;
  /// Runs a program on `after_`; where a value is not what the passes say, in words.
  std::optional<std::string> run_program(const passes::Program& program);
  /// What is compared, in words: asked where it differs.
  using Name = std::function<std::string()>;
  std::optional<std::string> compare_facts(const Name& name, Slot was, Slot is) const;
  /// Adds what it finds; whether the two are equal.
  bool compare_terms(const Name& name, const std::vector<Term>& before, const std::vector<Term>& after,
                     Validated& found) const;

  Terms terms_;
  Machine before_, after_;
};

}  // namespace plumbline::validate
