// Operators that a caller defines: kernels on tensors by dispatch key, and Autograd's fallback where there is none for
// Autograd. What torch.library does in Python.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "optimized/dispatcher/dispatcher.h"
#include "optimized/ops/boxed.h"
#include "optimized/tensor/tensor.h"

namespace plumbline::optimized {

class CustomLibrary;

/// A registry of its own: two of them may have operators of one name. Register while no call runs.
class CustomOperators {
 public:
  using Tensors = std::vector<Tensor>;
  /// `keys`: the key set that the kernel is given; it may redispatch with a part of it.
  using Kernel = std::function<Tensors(const Stack& arguments, KeySet keys)>;
  /// The same for any operator: `op` is the one that was called.
  using FallbackKernel = std::function<Tensors(const std::string& op, const Stack& arguments, KeySet keys)>;

  CustomOperators();

  /// A library of a namespace, which must end before this registry. Raises `defined_twice` for a second DEF library of
  /// the namespace.
  std::unique_ptr<CustomLibrary> library(Library::Kind kind, const std::string& space);

  /// Whether a kernel is registered for the key itself, a runtime key or an alias key. These three raise
  /// `unknown_operator` if the operator is neither defined nor has a kernel, and `unknown_key`.
  bool has_kernel(const std::string& name, const std::string& key) const;
  /// Whether a call finds anything at a runtime key's entry. Raises `alias_query` for an alias key.
  bool has_entry(const std::string& name, const std::string& key) const;
  /// Whether the newest kernel of the key falls through. Raises `no_kernel` if there is none.
  bool falls_through(const std::string& name, const std::string& key) const;

  /// Calls the operator. Raises what a kernel raises; `no_kernel` where there is none for the call's keys,
  /// `ambiguous_kernels`, and `unknown_operator`.
  Tensors call(const std::string& name, Stack arguments) const;
  /// The same by `keys`, whatever the arguments' keys and the thread's guards are.
  Tensors redispatch(const std::string& name, KeySet keys, Stack arguments) const;

 private:
  friend class CustomLibrary;
  struct Schema {
    std::vector<bool> written;
  };
  struct Call;

  const Operator& defined(const std::string& name) const;
  const Operator& registered(const std::string& name) const;
  template <class Start>
  Tensors run(const std::string& name, Stack arguments, const Start& start) const;
  static void run_kernel(void* context, const Operator& op, KeySet keys, Frame& frame);
  static void run_fallback(void* context, const Operator& op, KeySet keys, Frame& frame);
  static void fall_back(void* context, const Operator& op, KeySet keys, Frame& frame);

  Dispatcher dispatcher_;
  std::unordered_map<std::string, Schema> schemas_;  ///< also of operators that are no longer defined
};

/// Registrations that end with it.
class CustomLibrary {
 public:
  CustomLibrary(CustomOperators& operators, Library::Kind kind, const std::string& space);

  /// `name`: "mine::f"; `written`: for each result, whether the schema says that it is written, as `Tensor(a!)`. Raises
  /// `defined_twice`, and `library_kind` in an IMPL library.
  void define(const std::string& name, std::vector<bool> written);
  /// Registers a kernel for a runtime key or an alias key: "CPU", "Autograd". Without a function it falls through.
  /// Raises `unknown_key`.
  void impl(const std::string& name, const std::string& key, CustomOperators::Kernel kernel);
  /// Registers what runs for a runtime key where an operator has no kernel. Without a function it falls through. Raises
  /// `unknown_key`, `fallback_twice`, and `library_kind` except in an IMPL library of "_".
  void fallback(const std::string& key, CustomOperators::FallbackKernel kernel);

 private:
  CustomOperators& operators_;
  std::vector<std::unique_ptr<CustomOperators::Kernel>> kernels_;
  std::vector<std::unique_ptr<CustomOperators::FallbackKernel>> fallbacks_;
  Library library_;  ///< ends before the kernels
};

}  // namespace plumbline::optimized
