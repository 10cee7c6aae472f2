// Observations: how each reading is written in Python, in both directions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "language/ast.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program {

/// A reading as written in Python.
struct Observation {
  std::variant<Field, ThreadField, QueryKernel, QueryThreadKey> what;
  std::optional<Expression> tensor;  ///< whose field is read; empty for the thread and for queries
  std::optional<Expression> other;   ///< the second tensor of `torch._C._is_alias_of(x, y)`
  std::string key;                   ///< of `.has(key)`, as torch._C.DispatchKey names it
  /// For `list(x.shape)`: a list; `x.shape` is a tuple. For `x.grad.tolist()`: the values; `x.grad` may be None.
  bool as_list = false;
};
/// Whether the function of this name answers a question about kernels or about the thread's key sets with True or
/// False.
bool is_query(std::string_view function);
/// For `x.grad.tolist()`.
bool is_grad_list(const Observation& observation);

/// Why an expression that looks like an observation is not one.
struct BadObservation {
  Place place;
  std::string problem;
  std::string advice;
};

/// The observation that an expression stands for; nothing for another expression. Throws BadObservation for wrong
/// arguments and for an unknown key.
std::optional<Observation> observation(const Expression& expression);

/// How a field is written in Python: `x.dtype`, `list(x.shape)`, `torch._C._dispatch_keys(x)`, `x.grad`, …; the storage
/// alone is `x.untyped_storage()`.
Expression observe(Field field, const std::string& tensor);
Expression observe(ThreadField field);
Expression observe(const QueryKernel& query);
Expression observe(const QueryThreadKey& query);

/// `torch.float32` from "torch.float32", and `f(arguments…)`.
Expression dotted(const std::string& name);
Expression call_of(const std::string& callee, Expressions arguments);

/// Whether Python has `torch._C.DispatchKey.NAME` as a key of a key set.
bool is_key_name(std::string_view name);

/// One line that lists the observations, for advice.
std::string list_of_observations();
/// The attributes and methods that are observations, for "did you mean".
std::vector<std::string> observation_names();

}  // namespace plumbline::program
