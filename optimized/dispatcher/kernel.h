// A kernel as a dispatch table has it: a boxed function, and possibly one with the operator's own signature.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "optimized/dispatcher/key_set.h"

namespace plumbline::optimized {

class Operator;

/// The arguments of a boxed call, opaque to the dispatcher except for the union of their keys.
struct Frame {
  KeySet keys;
  void* arguments = nullptr;
};

/// Runs a call that arrived with `keys`, the set by which the kernel was found.
using BoxedFunction = void (*)(void* context, const Operator& op, KeySet keys, Frame& frame);
/// The same without a frame; its type is the operator's: `R (*)(const Operator&, KeySet, Arguments…)`. It has no
/// context, so that a call's arguments stay in registers; a kernel that needs one is registered only boxed.
using UnboxedFunction = void (*)();

struct Kernel {
  BoxedFunction boxed = nullptr;
  void* context = nullptr;
  UnboxedFunction unboxed = nullptr;  ///< null: an unboxed call is boxed

  friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// The kernel that falls through [torch::CppFunction::makeFallthrough].
Kernel fallthrough_kernel();

/// Why a call or a registration failed.
enum class DispatchError : std::uint8_t {
  missing_kernel,  ///< no kernel for the key
  ambiguous,       ///< AutogradOther has two possible kernels
  fallthrough,     ///< a fallthrough kernel would run
  defined_twice,   ///< a second definition of an operator, or a second DEF library of a namespace
  unknown_op,      ///< an operator is not defined
  fallback_twice,  ///< the key already has a fallback
  wrong_library,   ///< a fallback outside the namespace "_", or a define in an IMPL library
  unclassified     ///< the key's fallback is functorch's, Python's or Functionalize's, which this runtime does not have
};

/// The failure of a call or a registration, by its class.
struct DispatchFailed : std::runtime_error {
  DispatchFailed(DispatchError failed, const std::string& message, std::string missing = "")
      : std::runtime_error(message), error(failed), key(std::move(missing)) {}
  DispatchError error;
  std::string key;  ///< of a `missing_kernel`: the key that has none, "CPU"; empty: the key set is empty
};

}  // namespace plumbline::optimized
