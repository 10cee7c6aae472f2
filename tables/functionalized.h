// Functionalization under inference mode: what the sixteen combinations of value, modes and op do.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "adapters/adapter.h"
#include "spec/rules/rule.h"
#include "spec/vocabulary/profile.h"

namespace plumbline::tables {

/// What a functionalized call did to its input `x`, and what its result `y` is.
struct FunctionalizedBehaviour {
  ErrorClass error = ErrorClass::none;
  bool late = false;                         ///< the error was raised after the body, not at its write
  bool written = false;                      ///< x has other values
  std::optional<bool> counted;               ///< x's version rose; nothing: x has no version counter
  std::optional<bool> inference;             ///< y is an inference tensor; nothing: there is no y
  std::optional<bool> shares;                ///< y shares memory with x
  std::optional<std::string> creation_meta;  ///< of y; nothing: y is no tracked view

  friend bool operator==(const FunctionalizedBehaviour&, const FunctionalizedBehaviour&) = default;
};

/// One combination.
struct FunctionalizedRow {
  bool inference_value;  ///< x is an inference tensor
  bool wrapped_inside;   ///< functionalize is called, so x is wrapped, in inference mode
  bool op_inside;        ///< the body's op runs in inference mode
  bool mutation;         ///< the op is a mutation; else a view

  FunctionalizedBehaviour specified;  ///< what the invariants require
  std::string_view reason;            ///< why
};
std::span<const FunctionalizedRow> functionalized_rows();

/// The row as a test that PyTorch runs.
std::string program_of(const FunctionalizedRow& row);

/// What an implementation does; nothing if it cannot run the program, and then `why` says why.
std::optional<FunctionalizedBehaviour> observed(const FunctionalizedRow& row, Adapter& adapter, std::string& why);

/// The invariant that is broken: "immutability" or "no-aliasing"; empty if both hold.
std::string_view broken_invariant(const FunctionalizedRow& row, const FunctionalizedBehaviour& did);

/// "written, version rises, y: inference tensor, shares memory".
std::string behaviour_text(const FunctionalizedBehaviour& behaviour);

}  // namespace plumbline::tables
