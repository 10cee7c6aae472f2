// The lowering of one test: statements, calls and asserts share this state.
#pragma once

#include <string>
#include <vector>

#include "oracle/program/guards.h"
#include "oracle/program/lower.h"
#include "oracle/program/resolve.h"
#include "oracle/program/scope.h"

namespace plumbline::program {

/// Where the result of a call goes: names of a frame, or nowhere.
struct Targets {
  Frame* frame = nullptr;
  std::vector<std::string> names;
  bool unpack = false;
  Place place;
  int line = 0;  ///< of the statement that is being lowered
};

/// Lowers one test function. Used once.
class Lowerer {
 public:
  Lowerer(const Program& program, const Function& function) : program_(program), function_(function) {}
  Test run();

 private:
  // lower.cpp: statements and functions
  void block(const Block& block, bool raises);
  void line(const Line& line);
  void assign(const Assign& assign, Place place);
  void set_attribute(const SetAttribute& set, Place place);
  void inline_function(const Function& callee, const Invocation& call, Place place, const Targets& targets);
  std::map<std::string, Binding> bind_parameters(const Function& callee, const Invocation& call, Place place);
  void finish_return(const Return& returned, Place place);
  void deliver(const Expression& value, const Targets& targets);
  void bind(const Targets& targets, const Binding& binding, Place place);
  bool dropped_return(const Block& block) const;

  // lower_with.cpp: guards and expected errors
  void with(const With& with, Place place, bool raises);
  Enter guard(const Invocation& item, const GuardSpelling& spelling, Place place);
  void expect_error(const Invocation& item, const With& with, Place place);

  // lower_data.cpp: `.data`, `.grad` and `backward`
  /// `y = x.data`, `g = x.grad`.
  void get_part(const Expression& part, const Targets& targets);
  void backward(const Expression& tensor, const Invocation& call, Place place, const Targets& targets);
  /// Fails where `x.data` or `x.grad` stands inside the expression.
  void need_no_part(const Expression& expression) const;

  // lower_call.cpp: calls and arguments
  void call(const Expression& expression, const Targets& targets);
  void op_call(CallForm form, const std::string& name, const std::string& overload, const Actuals& actuals,
               const Targets& targets);
  void make_tensor(const Invocation& call, Place place, const Targets& targets);
  void requires_grad_(const Expression& tensor, const Invocation& call, Place place, const Targets& targets);
  Actuals actuals(const Invocation& call, Place place);
  Actual evaluate(const Expression& expression);
  std::vector<std::int64_t> integers(const Expressions& items);
  Binding look_up(const Expression& name);
  Slot tensor(const Expression& expression);
  bool truth(const Expression& expression, std::string_view what);
  /// A literal: the expression itself, or what its name stands for.
  Expression literal(const Expression& expression);
  std::optional<Dtype> dtype(const Expression& expression) const;
  [[noreturn]] void unknown_call(const Expression& callee);
  void need_import(const std::string& module, Place place) const;

  // lower_assert.cpp: observations and what is expected of them
  std::optional<Observation> observed(const Expression& expression);
  Observed read(const Observation& observation, bool with_sizes, int line);
  void assertion(const Assert& assertion, Place place);
  void expect_truth(Expectation expectation, const Observed& observed, const Assert& assertion);
  void expect_values(Expectation expectation, const Expression& right);
  Reading expected(const Observed& observed, const Assert& assertion);
  Reading expected_sequence(bool as_list, const Expression& right);
  Reading expected_name(std::string_view prefix, const Expression& right);
  [[noreturn]] void wrong_right(const Expression& right, const std::string& wanted);

  std::size_t emit(StatementKind kind, int line);
  [[noreturn]] void fail(Place place, std::string problem, std::string advice) const;

  struct Returning {
    Targets targets;
    bool done = false;
  };

  const Program& program_;
  const Function& function_;
  Test test_;
  Scope scope_;
  std::vector<Returning> returns_;  ///< one for each function that is being inlined
};

/// Whether an expression is `x.data` or `x.grad`.
bool is_part(const Expression& expression);

/// The items of `[[1, 2], [3, 4]]` row-major, and the sizes that the nesting says. The literal stands in a program
/// or is bound to a name of it.
struct NestedList {
  std::vector<std::int64_t> sizes;
  Expressions numbers;
};
/// Nothing where a row has another length or depth than the first.
std::optional<NestedList> flatten(const Expression& expression);

}  // namespace plumbline::program
