// A redispatch's key set in Python: `ks & torch._C._after_autograd_keyset`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"
#include "language/key_names.h"
#include "spec/vocabulary/key_step.h"

namespace plumbline::program {

inline constexpr std::string_view kAfterAutograd = "torch._C._after_autograd_keyset";
inline constexpr std::string_view kAfterADInplaceOrView = "torch._C._after_ADInplaceOrView_keyset";

/// How a program's key sets are read.
struct KeyReading {
  std::function<bool(const std::string&)> is_key_set;   ///< whether a name is the kernel's parameter
  std::function<void(const Expression&)> refuse_start;  ///< for any other start; does not return
  Refuse refuse;
};

/// The steps, in the order in which they apply, that make `e`.
std::vector<KeyStep> read_key_steps(const Expression& e, const KeyReading& reading);

/// The inverse; `ks`: the kernel's parameter.
Expression key_steps_expression(const std::string& ks, const std::vector<KeyStep>& steps);

}  // namespace plumbline::program
