// A kernel's key set in Python: `ks & torch._C._after_autograd_keyset`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"
#include "spec/vocabulary/key_step.h"

namespace plumbline::program {

inline constexpr std::string_view kAfterAutograd = "torch._C._after_autograd_keyset";
inline constexpr std::string_view kAfterADInplaceOrView = "torch._C._after_ADInplaceOrView_keyset";

/// How a program's key sets are read: whether a name is the kernel's parameter, the key of `torch._C.DispatchKey.KEY`
/// and of a set of one key, and the errors: for what a key set must not start with, and for any other expression.
struct KeyReading {
  std::function<bool(const std::string&)> is_key_set;
  std::function<std::string(const Expression&)> key;
  std::function<std::string(const Expression&)> key_of_set;
  std::function<void(const Expression&)> refuse_start;                                   ///< does not return
  std::function<void(const Expression&, std::string problem, std::string advice)> fail;  ///< does not return
};

/// The steps, in the order in which they apply, that make `e` from the kernel's parameter.
std::vector<KeyStep> read_key_steps(const Expression& e, const KeyReading& reading);

/// The inverse.
Expression key_steps_expression(const std::string& ks, const std::vector<KeyStep>& steps);

}  // namespace plumbline::program
