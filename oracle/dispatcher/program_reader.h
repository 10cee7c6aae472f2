// The inside of reading programs about the dispatcher: errors, key sets, guards, and kernels.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/dispatcher/program_words.h"
#include "oracle/program/ast.h"

namespace plumbline::dispatcher {

/// Words the errors of one file, and reads the expressions that kernels and statements share.
class Words {
 public:
  explicit Words(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(program::Place place, std::string problem, std::string advice) const;

  /// The call that a statement is, or fails with `advice`.
  const program::Invocation& call(const program::Expression& e, std::string_view advice) const;
  /// A text; `what` says which: "the operator's name".
  std::string text(const program::Expression& e, std::string_view what) const;
  /// "CPU" for `torch._C.DispatchKey.CPU`.
  std::string key(const program::Expression& e) const;
  /// "CPU" for `torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)`.
  std::string key_of_set(const program::Expression& e) const;
  /// "probe::f" for `torch.ops.probe.f`; none for anything else.
  static std::optional<std::string> operator_named(const std::string& dotted);
  /// None for a `with` that enters no guard.
  std::optional<KeyGuard> guard(const program::Expression& item) const;
  /// Fails where a call has other arguments than `count` without a name.
  void need_arguments(const program::Invocation& call, std::size_t count, program::Place place,
                      std::string_view advice) const;

 private:
  std::string file_;
};

/// A kernel as it is written.
struct WrittenKernel {
  ProbeKernel kernel;
  bool takes_op = false;  ///< it has a parameter `op`, as a fallback's must
};

/// The kernel that a function inside a test is.
WrittenKernel read_kernel(const program::Function& function, const Words& words);

/// What is known where an operator is called.
struct CallReading {
  const Words& words;
  const Definitions& definitions;
  const std::set<ProbeTensor>& tensors;  ///< those that are made
};

/// `torch.ops.NS.OP(…)` and `torch.ops.NS.OP.default.redispatch(KEYSET, …)` in a test.
DispatchStatement read_call(const program::Invocation& call, program::Place place, const CallReading& known);

}  // namespace plumbline::dispatcher
