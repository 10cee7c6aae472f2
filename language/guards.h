// Guards: how each is written in Python, in both directions.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "language/ast.h"
#include "language/key_names.h"
#include "spec/vocabulary/statement.h"

namespace plumbline::program {

/// Which arguments a guard takes.
enum class Takes : std::uint8_t {
  nothing,         ///< torch.no_grad()
  optional_truth,  ///< torch.inference_mode(), torch.inference_mode(False)
  truth,           ///< torch.set_grad_enabled(True)
  key_set,         ///< torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView))
  key,             ///< torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU)
};

/// A guard's name in Python, and which arguments it takes.
struct GuardSpelling {
  std::string_view name;
  GuardKind kind;
  Takes takes;
};

inline constexpr std::string_view kExcludeGuard = "torch._C._ExcludeDispatchKeyGuard";

/// Every guard that programs can enter.
std::span<const GuardSpelling> guards();

/// The guard with this dotted name, or null.
const GuardSpelling* guard_named(std::string_view name);

/// `torch.inference_mode(False)`: the item of the `with` that enters it. C++'s at::AutoNonVariableTypeMode, which
/// Python never had, is written `at_AutoNonVariableTypeMode()` for people to read; no program can contain it.
Expression written(const Enter& enter);

/// Whether a name means C++'s at::AutoNonVariableTypeMode, with any prefix.
bool is_auto_non_variable_type_mode(std::string_view name);

/// One line that lists the guards, for advice.
std::string list_of_guards();

/// Whether a script enters a guard that Python does not have.
bool has_cpp_guard(const Script& script);

}  // namespace plumbline::program
