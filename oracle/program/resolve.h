// Overload resolution: which op of the table a call means, as PyTorch decides it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oracle/program/ast.h"
#include "spec/ops.h"
#include "spec/statement.h"

namespace plumbline::program {

/// How a call is written.
enum class CallForm : std::uint8_t {
  function,  ///< torch.NAME(…)
  method,    ///< x.NAME(…)
  packet,    ///< torch.ops.aten.NAME(…) and torch.ops.aten.NAME.OVERLOAD(…)
};

/// Values that are accepted and dropped: the test's `device`, and the one layout.
enum class Dropped : std::uint8_t { device, strided };

/// An argument as given, and where.
struct Actual {
  std::variant<Value, Dropped> value;
  Place place;
};

/// The arguments of a call; of a method, `self` is the first positional one.
struct Actuals {
  std::vector<Actual> positional;
  std::vector<std::pair<std::string, Actual>> keywords;
  Place place;  ///< of the op's name
};

struct Resolved {
  OpId op;
  std::vector<Value> arguments;  ///< one for each of the schema, defaults filled in
  bool requires_grad = false;    ///< a factory's keyword, where it is called as torch.NAME
};

/// Why a call fits no op, and what to do.
struct Mismatch {
  Place place;
  std::string problem;
  std::string advice;
};

/// The op `name` (`overload`: "" any, "default" the one without) that takes these arguments: the first of the
/// table's overloads that fits.
std::variant<Resolved, Mismatch> resolve(CallForm form, std::string_view name, std::string_view overload,
                                         const Actuals& actuals);

/// The value of an argument that has a default and is not given. What has no Value of its own (a layout, a memory
/// format) is None: PyTorch's own choice.
Value default_of(const Argument& argument);

/// Whether Python has the op in this form (`alias`, `slice`, `_to_copy` and `_unsafe_view` have neither function nor
/// method, whatever native_functions.yaml says). `set_` has a method alone: it is the method that compares dtypes, and
/// not the op.
bool has_form(const Op& op, CallForm form);

/// The names of all ops that have this form, for "did you mean".
std::vector<std::string> names_with_form(CallForm form);

}  // namespace plumbline::program
