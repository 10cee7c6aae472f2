// Overload resolution: finds the op that a call means, as PyTorch does.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "language/ast.h"
#include "spec/ops/ops.h"
#include "spec/vocabulary/memory_format.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program {

/// How a call is written.
enum class CallForm : std::uint8_t {
  function,  ///< torch.NAME(…)
  method,    ///< x.NAME(…)
  packet,    ///< torch.ops.aten.NAME(…) and torch.ops.aten.NAME.OVERLOAD(…)
};

/// Values that are accepted and ignored: the test's `device`, and the only layout.
enum class Dropped : std::uint8_t { device, strided };

/// An argument as given, with its place.
struct Actual {
  std::variant<Value, Dropped, MemoryFormat> value;
  Place place;
  SchemaValue::Kind kind = SchemaValue::Kind::tensor;  ///< of a NumberOf
};

/// The arguments of a call; for a method, `self` is the first positional one.
struct Actuals {
  std::vector<Actual> positional;
  std::vector<std::pair<std::string, Actual>> keywords;
  Place place;  ///< the place of the op's name
};

struct Resolved {
  OpId op;
  std::vector<Value> arguments;  ///< one for each argument of the schema, with defaults filled in
  bool requires_grad = false;    ///< a factory's keyword, if it is called as torch.NAME
};

/// Why a call fits no op, and what to do.
struct Mismatch {
  Place place;
  std::string problem;
  std::string advice;
};

/// The first overload of the op `name` in the table that takes these arguments (`overload`: "" is any overload,
/// "default" the one without a name).
std::variant<Resolved, Mismatch> resolve(CallForm form, std::string_view name, std::string_view overload,
                                         const Actuals& actuals);

/// The default of an argument that is not given. Layouts and memory formats, which have no Value, are None: PyTorch
/// chooses.
Value default_of(const Argument& argument);

/// Whether Python has the op in this form (`alias`, `slice`, `_to_copy` and `_unsafe_view` have neither function nor
/// method, although native_functions.yaml declares them). `set_` has only a method: the method compares dtypes, the
/// op does not.
bool has_form(const Op& op, CallForm form);

/// The names of all ops with this form, for "did you mean".
std::vector<std::string> names_with_form(CallForm form);

}  // namespace plumbline::program
