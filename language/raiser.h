// The internals of raising: how the calls and the readings of a script are written.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "language/lower.h"
#include "language/resolve.h"

namespace plumbline::program {

/// Throws std::invalid_argument for a statement that Python cannot express.
[[noreturn]] void cannot(std::size_t statement, const std::string& why);

/// Keeps each name that Python and programs allow, once; others become x0, x1, …. `test`: the test's own name.
std::vector<std::string> python_names(const std::vector<std::string>& wanted, const std::string& test);
/// Those that nothing else of the program may have: `names`, and those that mean something already.
std::set<std::string> taken_names(const std::vector<std::string>& names, const std::string& test);

/// The parameters of a kernel that are numbers, True or False, with their kinds.
using KernelNumbers = std::map<Slot, SchemaValue::Kind>;

/// Writes calls of ops, of backward, and `torch.tensor`. `device` is how the test's device is written there.
class CallWriter {
 public:
  explicit CallWriter(const std::vector<std::string>& names) : names_(names) {}

  /// The first call form in Python that means this op with these arguments; nothing if there is none.
  std::optional<Expression> call(const Call& call, const Expression& device) const;
  /// Throws std::invalid_argument for a tensor that no list can describe; `at` is its statement.
  Expression tensor(const MakeTensor& made, const Expression& device, std::size_t at) const;
  /// `torch.empty([2], dtype=torch.int64, device="meta")`.
  Expression meta_tensor(const MakeMetaTensor& made) const;
  /// `y.backward(…)` or `torch.autograd.backward([y, z], …)`; `torch.autograd.grad(…)`.
  Expression backward(const Backward& backward) const;
  Expression gradients(const GetGradients& get) const;
  /// `torch.func.functionalize(body, remove=…)(x, …)`.
  Expression functionalized(const std::string& body, const EnterFunctionalize& enter) const;
  /// `torch.vmap(body, in_dims=…, out_dims=…, randomness=…)(x, …)`.
  Expression mapped(const std::string& body, const EnterTransform& enter, const LeaveTransform& leave) const;
  /// `torch.func.grad(body, argnums=…)(x, …)`, or grad_and_value.
  Expression differentiated(const std::string& body, const EnterTransform& enter) const;
  Expression value(const Value& value) const;
  const std::string& name(Slot slot) const;
  /// What follows is inside a kernel with these parameters.
  void enter_kernel(KernelNumbers numbers) { numbers_ = std::move(numbers); }

 private:
  Expression transformed(std::string_view transform, const std::string& body, std::vector<Keyword> options,
                         const std::vector<Slot>& inputs) const;
  static std::optional<MemoryFormat> format(const Value& value, const Argument& argument);
  Expression argument(const Value& given, const Argument& argument, const Expression& device) const;
  Actual actual(const Value& value, const Argument& argument) const;
  std::optional<Expression> in_form(const Call& call, CallForm form, const Expression& device) const;

  const std::vector<std::string>& names_;
  KernelNumbers numbers_;
};

/// Writes the readings of a test as asserts, or as bare observations if nothing is expected of them.
class AssertWriter {
 public:
  /// Throws std::invalid_argument if two expectations belong to one statement. `log`: the log's name.
  AssertWriter(const Test& test, const std::vector<std::string>& names, std::string log);

  /// The line for the reading at `statement`; nothing if the assert of the next statement covers it.
  /// Throws std::invalid_argument for an expectation that no assert can state.
  std::optional<decltype(Line::node)> line(std::size_t statement) const;

 private:
  const Expectation* expectation(std::size_t statement) const;
  const Read* read(std::size_t statement) const;
  const std::string& name(Slot slot) const;
  Expression reading(std::size_t statement) const;
  bool is_second_of_pair(std::size_t statement) const;
  Assert assertion(std::size_t statement, const Expectation& e) const;
  Assert of_values(std::size_t statement, const Expectation& e) const;
  Expression right(Field field, const Expectation& e) const;

  const Test& test_;
  const std::vector<std::string>& names_;
  std::string log_;
  std::map<std::size_t, const Expectation*> expectations_;
};

/// The `pytest.raises(…)` of the Try at `statement`.
Expression expected_error(const Test& test, std::size_t statement);

/// Writes what a script registers with `torch.library`. `at` is the statement.
class LibraryWriter {
 public:
  /// Names the libraries and the kernels. `fresh` makes an unused name like the one that it is given.
  LibraryWriter(const Script& script, const std::function<std::string(const std::string&)>& fresh);

  Assign line(const MakeLibrary& make, std::size_t at) const;
  Assign line(const DefineOperator& define, std::size_t at) const;
  Assign line(const AddKernel& add, std::size_t at) const;
  Assign line(const AddFallback& add, std::size_t at) const;
  Assign line(const DropLibrary& drop, std::size_t at) const;
  const CustomOperator& operator_at(std::int32_t op, std::size_t at) const;
  /// A kernel, and the name of its function.
  const CustomKernel& kernel(std::int32_t number, std::size_t at) const;
  const std::string& kernel_name(std::int32_t number) const { return kernels_[static_cast<std::size_t>(number)]; }
  /// The kernel's parameters that are numbers, as the operator says for which it is registered first.
  KernelNumbers numbers_of(std::int32_t number, std::size_t at) const;
  /// Throws std::invalid_argument for a kernel that is also an operator's.
  bool is_fallback(std::int32_t number, std::size_t at) const;

 private:
  struct Library {
    std::string name;  ///< in the program
    std::string space;
  };
  const Library& library(const std::string& name, std::size_t at) const;
  /// The operator's name in a library of its namespace.
  std::string own_name(std::int32_t op, const Library& library, std::size_t at) const;
  /// `lib.METHOD(before…, kernel, KEY)`.
  Assign added(const std::string& method, Expressions before, const std::optional<std::int32_t>& kernel,
               const std::string& key, std::size_t at) const;

  const Script& script_;
  std::map<std::string, Library> libraries_;
  std::vector<std::string> kernels_;
  std::map<std::int32_t, std::int32_t> of_operators_;  ///< by kernel of operators: the one it is registered for first
  std::set<std::int32_t> fallbacks_;                   ///< the kernels of fallbacks
};

/// A thread that a script starts.
struct RaisedThread {
  Function function = {};
  std::string name = {};
  std::vector<std::string> events = {};
  Block meanwhile = {};  ///< what its starter does while it waits
};
/// A block of the program that is being written.
struct OpenBlock {
  enum class Kind : std::uint8_t {
    function,
    guard,
    attempt,
    thread,
    wait,
    forward,
    backward,
    hook,
    body,
    transformed,
    kernel
  };
  Kind kind = Kind::function;
  Expression item = {};             ///< the `with` item of a guard or a Try
  bool is_cpp = false;              ///< a guard that Python does not have
  EnterForward enter = {};          ///< a forward's
  EnterFunctionalize body_of = {};  ///< a functionalized body's
  EnterTransform transformed = {};  ///< that of another transform's body
  bool needs_device = false;        ///< of a forward or a backward
  bool needs_log = false;           ///< likewise
  std::string goes_on = {};         ///< of a wait: the event for which the thread waits
  RaisedThread thread = {};         ///< of a thread
  Block body = {};
};

/// `[[1.0, 2.0], [3.0, 4.0]]` from row-major items.
Expression nested_list(const Expressions& items, const std::vector<std::int64_t>& sizes);

}  // namespace plumbline::program
