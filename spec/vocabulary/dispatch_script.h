// A program about the dispatcher, as a script: libraries, kernels that log and redispatch, guards, calls, and queries
// of the tables. Keys are given by name, because their layout differs between versions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/vocabulary/dispatch_error.h"
#include "spec/vocabulary/key_step.h"
#include "spec/vocabulary/statement.h"

namespace plumbline {

/// How deep kernels may call each other; deeper is recursion without end, in every implementation.
inline constexpr int kDeepestCall = 40;

/// A guard of the thread's key sets, entered around statements or around a kernel's action.
struct KeyGuard {
  enum class Kind : std::uint8_t {
    exclude,                ///< `torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(KEY))`
    include,                ///< `torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.KEY)`
    below_autograd,         ///< `torch._C._AutoDispatchBelowAutograd()`
    below_adinplaceorview,  ///< `torch._C._AutoDispatchBelowADInplaceOrView()`
    inference_mode,         ///< `torch.inference_mode()`
    inference_mode_off      ///< `torch.inference_mode(False)`
  };
  Kind kind{};
  std::string key;  ///< for exclude and include

  friend bool operator==(const KeyGuard&, const KeyGuard&) = default;
};

/// A kernel: it logs its name, acts, and then may raise an error. It receives the tensors of the call.
struct ProbeKernel {
  enum class Act : std::uint8_t {
    nothing,
    redispatch,  ///< the called operator, with `steps` applied to its own key set:
                 ///< `torch.ops.NS.OP.default.redispatch(…)`
    call         ///< the operator `op`, with the same arguments: `torch.ops.NS.OP(…)`
  };
  std::string name;
  bool with_keyset = false;  ///< registered `with_keyset=True`: it receives its key set `ks`; `redispatch` needs it
  Act act = Act::nothing;
  std::vector<KeyStep> steps;
  std::string op;                 ///< for `redispatch` and `call`: "probe::f"
  std::optional<KeyGuard> guard;  ///< around the action
  bool raises = false;            ///< at its end, after the action: `raise RuntimeError("NAME raised")`

  friend bool operator==(const ProbeKernel&, const ProbeKernel&) = default;
};

/// A tensor argument of a call, made before it.
enum class ProbeTensor : std::uint8_t {
  cpu,            ///< `torch.zeros([1])`
  requires_grad,  ///< the same, with requires_grad=True
  inference,      ///< the same, made in inference mode
  meta,           ///< `torch.zeros([1], device="meta")`
  none            ///< None, for an optional tensor
};

/// The argument lists of a probe's operators, which return nothing.
enum class ProbeSchema : std::uint8_t {
  tensor,    ///< "(Tensor x) -> ()"
  two,       ///< "(Tensor x, Tensor y) -> ()"
  optional,  ///< "(Tensor x, Tensor? y) -> ()"
  list,      ///< "(Tensor[] xs) -> ()"
  number,    ///< "(int n) -> ()": no tensor at all
  malformed  ///< "(Tensr x) -> ()": does not parse
};

/// The text of each schema after the operator's name, in the order of the enumerators.
inline constexpr std::array<std::string_view, 6> kSchemaTexts{"(Tensor x) -> ()",
                                                              "(Tensor x, Tensor y) -> ()",
                                                              "(Tensor x, Tensor? y) -> ()",
                                                              "(Tensor[] xs) -> ()",
                                                              "(int n) -> ()",
                                                              "(Tensr x) -> ()"};

/// `lib.define("f(Tensor x) -> ()")`.
struct DefineOp {
  std::string library;
  std::string op;  ///< "f"
  ProbeSchema schema{};
  friend bool operator==(const DefineOp&, const DefineOp&) = default;
};
/// `lib.impl("f", kernel, KEY)`, or with `torch.library.fallthrough_kernel`.
struct ImplOp {
  std::string library;
  std::string op;
  std::string key;                    ///< a runtime key or an alias key; an unknown name is an error in the program
  std::optional<std::size_t> kernel;  ///< index into `DispatchScript::kernels`; none: fallthrough
  friend bool operator==(const ImplOp&, const ImplOp&) = default;
};
/// `lib.fallback(kernel, KEY)` of a Library("_", "IMPL").
struct FallbackOp {
  std::string library;
  std::string key;
  std::optional<std::size_t> kernel;
  friend bool operator==(const FallbackOp&, const FallbackOp&) = default;
};
/// A guard around the statements up to its `LeaveGuard`; they nest.
struct EnterGuard {
  KeyGuard guard;
  friend bool operator==(const EnterGuard&, const EnterGuard&) = default;
};
struct LeaveGuard {
  friend bool operator==(const LeaveGuard&, const LeaveGuard&) = default;
};
/// `torch.ops.probe.f(x)`; the tensors in the schema's order, for `list` its items, for `number` no tensor.
struct InvokeOp {
  std::string op;  ///< "probe::f"
  std::vector<ProbeTensor> tensors;
  friend bool operator==(const InvokeOp&, const InvokeOp&) = default;
};
/// `torch.ops.probe.f.default.redispatch(KEYSET, x)`; KEYSET: these keys joined with `|`; without keys the empty set.
struct RedispatchOp {
  std::string op;
  std::vector<std::string> keys;
  std::vector<ProbeTensor> tensors;
  friend bool operator==(const RedispatchOp&, const RedispatchOp&) = default;
};
/// A query of an operator's table.
struct QueryOp {
  enum class What : std::uint8_t {
    has_kernel,    ///< `torch._C._dispatch_has_kernel_for_dispatch_key(OP, KEY)`: a kernel is registered for the key
                   ///< itself
    has_computed,  ///< `torch._C._dispatch_has_computed_kernel_for_dispatch_key(OP, KEY)`: the table's entry
    falls_through  ///< `torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough(OP, KEY)`
  };
  std::string op;
  std::string key;
  What what{};
  friend bool operator==(const QueryOp&, const QueryOp&) = default;
};

/// A query of the thread's key sets.
struct QueryTls {
  enum class What : std::uint8_t {
    included,  ///< `torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.KEY)`
    excluded   ///< `torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.KEY)`
  };
  std::string key;  ///< a runtime key
  What what{};
  friend bool operator==(const QueryTls&, const QueryTls&) = default;
};

using DispatchStatement = std::variant<MakeLibrary, DefineOp, ImplOp, FallbackOp, DropLibrary, EnterGuard, LeaveGuard,
                                       InvokeOp, RedispatchOp, QueryOp, QueryTls>;

/// Whether a statement is a query.
inline bool is_query(const DispatchStatement& statement) {
  return std::holds_alternative<QueryOp>(statement) || std::holds_alternative<QueryTls>(statement);
}

struct DispatchScript {
  std::vector<ProbeKernel> kernels;
  std::vector<DispatchStatement> statements;
  std::vector<int> lines;  ///< the statements' lines in a file; empty: unknown

  friend bool operator==(const DispatchScript& a, const DispatchScript& b) {
    return a.kernels == b.kernels && a.statements == b.statements;
  }
};

/// One run of a kernel: its name and, if it receives one, its key set as names of runtime keys.
struct KernelLog {
  std::string kernel;
  std::vector<std::string> keys;  ///< from lowest to highest; only if `with_keyset`; "Undefined" for the empty set
  friend bool operator==(const KernelLog&, const KernelLog&) = default;
};

/// What one statement did.
struct DispatchOutcome {
  DispatchError error = DispatchError::none;
  std::string message;          ///< the error's text; not compared
  std::vector<KernelLog> log;   ///< the kernels that ran, in order
  std::optional<bool> reading;  ///< the answer to a QueryOp or a QueryTls
};

/// One outcome for each statement: an error ends only its own statement.
using DispatchTrace = std::vector<DispatchOutcome>;

}  // namespace plumbline
