// A program as written: the syntax tree of the pytest-runnable subset, with the places it came from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace plumbline::program {

/// A place in a file; lines and columns count from 1.
struct Place {
  int line = 0;
  int column = 0;
};

struct Expression;
using Expressions = std::vector<Expression>;

// Equality ignores places.

struct NoneLiteral {
  friend bool operator==(const NoneLiteral&, const NoneLiteral&) = default;
};
struct Name {
  std::string id;
  friend bool operator==(const Name&, const Name&) = default;
};
struct List {
  Expressions items;
  friend bool operator==(const List&, const List&);
};
struct Tuple {
  Expressions items;
  friend bool operator==(const Tuple&, const Tuple&);
};
/// `value.name`.
struct Attribute {
  std::shared_ptr<const Expression> value;
  std::string name;
  friend bool operator==(const Attribute&, const Attribute&);
};
/// `left & right` or `left | right`: key sets. Only in the first argument of a redispatch.
struct KeyMask {
  char operation = '&';
  std::shared_ptr<const Expression> left;
  std::shared_ptr<const Expression> right;
  friend bool operator==(const KeyMask&, const KeyMask&);
};
/// `*args` as the last argument of a call: the arguments of the kernel around it.
struct Starred {
  std::string id;
  friend bool operator==(const Starred&, const Starred&) = default;
};
struct Keyword;
/// `callee(positional…, keyword=…)`.
struct Invocation {
  std::shared_ptr<const Expression> callee;
  Expressions positional;
  std::vector<Keyword> keywords;
  friend bool operator==(const Invocation&, const Invocation&);
};

/// `complex(1.0, 2.0)`: a complex number, by its parts.
struct ComplexNumber {
  double real = 0;
  double imag = 0;
  friend bool operator==(const ComplexNumber& a, const ComplexNumber& b);
};

/// Numbers keep Python's distinction between int and float; `float("inf")` and `float("nan")` are doubles, and one
/// not-a-number is equal to another, for it is the same program.
struct Expression {
  std::variant<NoneLiteral, bool, std::int64_t, double, std::string, Name, List, Tuple, Attribute, Invocation, KeyMask,
               Starred, ComplexNumber>
      node;
  Place place;  ///< for an attribute or a call, the last name's: `view` in `x.view(6)`
  friend bool operator==(const Expression&, const Expression&);
};

/// `name=value` in a call.
struct Keyword {
  std::string name;
  Expression value;
  friend bool operator==(const Keyword&, const Keyword&) = default;
};

/// The place of the expression's first character.
Place start_of(const Expression& expression);
/// "torch._C.DispatchKey" for a name with attributes; otherwise empty.
std::string dotted_name(const Expression& expression);

struct Line;
using Block = std::vector<Line>;

/// `a, b = value`, or a bare `value` where there are no targets: a call, an attribute or a name.
struct Assign {
  std::vector<std::string> targets;
  bool unpack = false;  ///< `a, = value` and `a, b = value`: the targets take the items of a list
  Expression value;
  friend bool operator==(const Assign&, const Assign&) = default;
};
/// `object.attribute = value`.
struct SetAttribute {
  std::string object;
  std::string attribute;
  Expression value;
  friend bool operator==(const SetAttribute&, const SetAttribute&) = default;
};
enum class Relation : std::uint8_t { equal, is, is_not };
/// `assert left relation right`.
struct Assert {
  Expression left;
  Relation relation;
  Expression right;
  friend bool operator==(const Assert&, const Assert&) = default;
};
/// `with item:`; The item may be `pytest.raises`. `with a, b:` is read as two nested blocks.
struct With {
  Expression item;
  Block body;
  friend bool operator==(const With&, const With&);
};
struct Return {
  std::optional<Expression> value;
  friend bool operator==(const Return&, const Return&) = default;
};
struct Pass {
  friend bool operator==(const Pass&, const Pass&) = default;
};
/// `raise value`.
struct Raise {
  Expression value;
  friend bool operator==(const Raise&, const Raise&) = default;
};
/// A line with only a comment.
struct Remark {
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct Function;
/// `def` inside a function.
struct Define {
  std::shared_ptr<const Function> function;
  friend bool operator==(const Define&, const Define&);
};

/// One statement, with the comment after it.
struct Line {
  std::variant<Assign, SetAttribute, Assert, With, Return, Pass, Raise, Remark, Define> node;
  Place place;
  std::string comment;  ///< without `#` and one space; empty if there is no comment
  friend bool operator==(const Line&, const Line&);
};

/// `def name(parameters):`, with the comments above it and after its colon.
struct Function {
  std::string name;
  std::vector<std::string> parameters;  ///< the last one may be starred, "*args", except in a method
  Block body;
  Place place;
  std::vector<std::string> comments_above;
  std::string comment;
  Expressions decorators = {};  ///< calls of `torch.library.impl`, the uppermost first
  friend bool operator==(const Function&, const Function&);
};

/// `class name(torch.autograd.Function):` and its methods, each a `@staticmethod`.
struct Class {
  std::string name;
  std::vector<Function> methods;
  std::size_t before = 0;  ///< the index of the first function below it; the number of functions if there is none
  Place place;
  std::vector<std::string> comments_above;
  std::string comment;
  std::vector<std::string> comments_below;  ///< at the end of the class
  friend bool operator==(const Class&, const Class&);
};

/// A statement outside functions: it makes a library, or registers something in one.
struct Registration {
  Line line;
  std::size_t before = 0;  ///< the index of the first function below it; the number of functions if there is none
  std::vector<std::string> comments_above = {};
  friend bool operator==(const Registration&, const Registration&) = default;
};

/// A file: comments, imports, registrations, classes and functions; functions named `test_…` are tests.
struct Program {
  std::string file;
  std::vector<std::string> header;   ///< the comment lines at the top, without `#`
  std::vector<std::string> imports;  ///< "pytest", "torch", …, in order
  /// Whether the file has `pytestmark = …`, so that an error in a thread fails the test (kThreadErrors).
  bool thread_errors = false;
  std::vector<Function> functions;
  std::vector<Class> classes;                    ///< in order
  std::vector<Registration> registrations = {};  ///< in order
  std::vector<std::string> footer;               ///< the comment lines at the end
  std::optional<std::string> trailer;            ///< the lines that only Python reads (language/trailer.h), as written
  friend bool operator==(const Program&, const Program&);
};

/// pytest only warns about an error that ends a thread, even a failed assert. With this line below the imports the
/// test fails.
inline constexpr std::string_view kThreadErrors =
    "pytestmark = pytest.mark.filterwarnings(\"error::pytest.PytestUnhandledThreadExceptionWarning\")";

/// How a program says that a function is functionalized: `torch.func.functionalize(body, remove="mutations")(x)`.
inline constexpr std::string_view kFunctionalize = "torch.func.functionalize";
/// How it says that a function is mapped over examples: `torch.vmap(body, in_dims=(0, None))(x, y)`.
inline constexpr std::string_view kVmap = "torch.vmap", kVmapOfFunc = "torch.func.vmap";
/// How it says that a function is differentiated: `torch.func.grad(body, argnums=1)(x, y)`; the second gives the value,
/// too.
inline constexpr std::string_view kGrad = "torch.func.grad", kGradAndValue = "torch.func.grad_and_value";
/// Whether the function of this name takes a body, and returns a function to call.
constexpr bool makes_transform(std::string_view name) {
  return name == kFunctionalize || name == kVmap || name == kVmapOfFunc || name == kGrad || name == kGradAndValue;
}
inline constexpr std::string_view kSavedTensorsHooks = "torch.autograd.graph.saved_tensors_hooks";
inline constexpr std::string_view kLibraryClass = "torch.library.Library";
inline constexpr std::string_view kHook = "register_hook", kHookAfter = "register_post_accumulate_grad_hook";

/// Whether a block ends with `raise`, also inside a guard.
bool ends_by_raising(const Block& block);

/// An error in a program: where it is, what was found, what was expected and what to do. `what()` is
/// "FILE:LINE:COLUMN: PROBLEM. ADVICE."; line and column are left out if the error is about the whole file (line 0).
struct ProgramError : std::runtime_error {
  ProgramError(std::string file, Place place, std::string what_is_wrong, std::string what_to_do);
  std::string file;
  Place place;
  std::string problem;
  std::string advice;
};

}  // namespace plumbline::program
