// The dispatch keys that programs name: `torch._C.DispatchKey.CPU`, and sets of one key.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"

namespace plumbline::program {

inline constexpr std::string_view kKeyPrefix = "torch._C.DispatchKey.";
inline constexpr std::string_view kKeySet = "torch._C.DispatchKeySet";

/// Reports what is wrong with a part of a program, and what to do. Does not return.
using Refuse = std::function<void(Place place, std::string problem, std::string advice)>;

/// Whether torch._C.DispatchKey names this runtime key of PyTorch 2.13. It also names Undefined.
bool is_named_key(std::string_view name);
/// All of them.
std::vector<std::string> named_keys();
/// Whether PyTorch 2.13 can register a kernel for the key: an alias key, or a runtime key that its parser of keys
/// knows.
bool is_kernel_key(std::string_view name);

/// Whether `Undefined`, whose key set is empty, may be written.
enum class Undefined : std::uint8_t { refused, accepted };

/// "CPU" for `torch._C.DispatchKey.CPU`; anything but a runtime key that Python names is refused.
std::string key_named(const Expression& e, Undefined undefined, const Refuse& refuse);
/// "CPU" for `torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)`.
std::string key_of_set(const Expression& e, Undefined undefined, const Refuse& refuse);

/// The inverses.
Expression key_expression(const std::string& key);
Expression key_set_expression(const std::string& key);

}  // namespace plumbline::program
