// The internals of reading programs about the dispatcher: errors, key sets, guards, and kernels.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/ast.h"
#include "language/dispatcher/program_words.h"

namespace plumbline::dispatcher {

/// Reports the errors of one file, and reads the expressions that kernels and statements share.
class Words {
 public:
  explicit Words(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(program::Place place, std::string problem, std::string advice) const;
  /// Calls `fail`.
  program::Refuse refusing() const;

  /// The call that an expression consists of; otherwise fails with `advice`.
  const program::Invocation& call(const program::Expression& e, std::string_view advice) const;
  /// A string; `what` names it: "the operator's name".
  std::string text(const program::Expression& e, std::string_view what) const;
  /// "CPU" for `torch._C.DispatchKey.CPU`.
  std::string key(const program::Expression& e) const;
  /// "CPU" for `torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)`.
  std::string key_of_set(const program::Expression& e) const;
  /// "probe::f" for `torch.ops.probe.f`; nothing for anything else.
  static std::optional<std::string> operator_named(const std::string& dotted);
  /// Nothing for a `with` that does not enter a guard.
  std::optional<KeyGuard> guard(const program::Expression& item) const;
  /// Fails unless a call has exactly `count` positional arguments and no keywords.
  void need_arguments(const program::Invocation& call, std::size_t count, program::Place place,
                      std::string_view advice) const;

 private:
  std::string file_;
};

/// A kernel as it is written.
struct WrittenKernel {
  ProbeKernel kernel;
  bool takes_op = false;  ///< it has a parameter `op`, which a fallback needs
};

/// Reads a function inside a test as a kernel.
WrittenKernel read_kernel(const program::Function& function, const Words& words);

/// What is known at a call of an operator.
struct CallReading {
  const Words& words;
  const Definitions& definitions;
  const std::set<ProbeTensor>& tensors;  ///< the tensors that are made
};

/// `torch.ops.NS.OP(…)` and `torch.ops.NS.OP.default.redispatch(KEYSET, …)` in a test.
DispatchStatement read_call(const program::Invocation& call, program::Place place, const CallReading& known);

}  // namespace plumbline::dispatcher
