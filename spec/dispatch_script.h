// A program about the dispatcher itself, as a script: libraries that come and go, kernels that log and redispatch,
// guards, calls, and readings of the tables. Keys are called by their names, since versions lay them out differently.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/dispatch_error.h"

namespace plumbline {

/// How deep kernels may call each other before it counts as recursion without end, in every implementation.
inline constexpr int kDeepestCall = 40;

/// One step of an expression of key sets in a kernel that is given its own (`ks`).
struct KeyStep {
  enum class Kind : std::uint8_t {
    after_autograd,         ///< `ks & torch._C._after_autograd_keyset`
    after_adinplaceorview,  ///< `ks & torch._C._after_ADInplaceOrView_keyset`
    keep,                   ///< `ks & torch._C.DispatchKeySet(torch._C.DispatchKey.KEY)`
    add,                    ///< `ks | torch._C.DispatchKeySet(torch._C.DispatchKey.KEY)`
    remove                  ///< `ks.remove(torch._C.DispatchKey.KEY)`: its functionality alone
  };
  Kind kind{};
  std::string key;  ///< of the last three

  friend bool operator==(const KeyStep&, const KeyStep&) = default;
};

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
  std::string key;  ///< of exclude and include

  friend bool operator==(const KeyGuard&, const KeyGuard&) = default;
};

/// A kernel: it logs its name, then acts, then perhaps raises. It is given the tensors of the call.
struct ProbeKernel {
  enum class Act : std::uint8_t {
    nothing,
    redispatch,  ///< the operator that is called, by `steps` from its own key set:
                 ///< `torch.ops.NS.OP.default.redispatch(…)`
    call         ///< the operator `op`, with the same arguments: `torch.ops.NS.OP(…)`
  };
  std::string name;
  bool with_keyset = false;  ///< registered `with_keyset=True`: it is given its key set `ks`; `redispatch` needs it
  Act act = Act::nothing;
  std::vector<KeyStep> steps;
  std::string op;                 ///< of `redispatch` and `call`: "probe::f"
  std::optional<KeyGuard> guard;  ///< around the action
  bool raises = false;            ///< at its end, behind the action: `raise RuntimeError("NAME raised")`

  friend bool operator==(const ProbeKernel&, const ProbeKernel&) = default;
};

/// A tensor that a call is given, made for it beforehand.
enum class ProbeTensor : std::uint8_t {
  cpu,            ///< `torch.zeros([1])`
  requires_grad,  ///< the same, that requires grad
  inference,      ///< the same, made in inference mode
  meta,           ///< `torch.zeros([1], device="meta")`
  none            ///< None, for an optional tensor
};

/// The shapes of arguments that a probe's operators have. None returns anything.
enum class ProbeSchema : std::uint8_t {
  tensor,    ///< "(Tensor x) -> ()"
  two,       ///< "(Tensor x, Tensor y) -> ()"
  optional,  ///< "(Tensor x, Tensor? y) -> ()"
  list,      ///< "(Tensor[] xs) -> ()"
  number,    ///< "(int n) -> ()": no tensor at all
  malformed  ///< "(Tensr x) -> ()": does not parse
};

/// The texts behind the operator's name, in the schemas' order.
inline constexpr std::array<std::string_view, 6> kSchemaTexts{"(Tensor x) -> ()",
                                                              "(Tensor x, Tensor y) -> ()",
                                                              "(Tensor x, Tensor? y) -> ()",
                                                              "(Tensor[] xs) -> ()",
                                                              "(int n) -> ()",
                                                              "(Tensr x) -> ()"};

/// `lib = torch.library.Library(NS, KIND)`.
struct MakeLibrary {
  enum class Kind : std::uint8_t { DEF, IMPL, FRAGMENT };
  std::string library;  ///< the variable
  std::string space;    ///< "probe"; "_" for fallbacks
  Kind kind{};
  friend bool operator==(const MakeLibrary&, const MakeLibrary&) = default;
};
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
  std::string key;                    ///< a runtime key or an alias key; an unknown name is an error of the program
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
/// `lib._destroy()`: everything that it registered goes.
struct DropLibrary {
  std::string library;
  friend bool operator==(const DropLibrary&, const DropLibrary&) = default;
};
/// A guard around the statements up to its `LeaveGuard`; they nest.
struct EnterGuard {
  KeyGuard guard;
  friend bool operator==(const EnterGuard&, const EnterGuard&) = default;
};
struct LeaveGuard {
  friend bool operator==(const LeaveGuard&, const LeaveGuard&) = default;
};
/// `torch.ops.probe.f(x)`; the tensors in the schema's order, for `list` its items, for `number` none.
struct InvokeOp {
  std::string op;  ///< "probe::f"
  std::vector<ProbeTensor> tensors;
  friend bool operator==(const InvokeOp&, const InvokeOp&) = default;
};
/// `torch.ops.probe.f.default.redispatch(KEYSET, x)`; KEYSET: these keys joined with `|`, none: the empty set.
struct RedispatchOp {
  std::string op;
  std::vector<std::string> keys;
  std::vector<ProbeTensor> tensors;
  friend bool operator==(const RedispatchOp&, const RedispatchOp&) = default;
};
/// A reading of an operator's table.
struct QueryOp {
  enum class What : std::uint8_t {
    has_kernel,    ///< `torch._C._dispatch_has_kernel_for_dispatch_key(OP, KEY)`: registered for the very key
    has_computed,  ///< `torch._C._dispatch_has_computed_kernel_for_dispatch_key(OP, KEY)`: the table's entry
    falls_through  ///< `torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough(OP, KEY)`
  };
  std::string op;
  std::string key;
  What what{};
  friend bool operator==(const QueryOp&, const QueryOp&) = default;
};

/// A reading of the thread's own sets.
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

/// Whether a statement reads something.
inline bool is_query(const DispatchStatement& statement) {
  return std::holds_alternative<QueryOp>(statement) || std::holds_alternative<QueryTls>(statement);
}

struct DispatchScript {
  std::vector<ProbeKernel> kernels;
  std::vector<DispatchStatement> statements;
  std::vector<int> lines;  ///< of the statements, in a file; empty: none

  friend bool operator==(const DispatchScript& a, const DispatchScript& b) {
    return a.kernels == b.kernels && a.statements == b.statements;
  }
};

/// One kernel's run: its name and, where it is given one, its key set by names of runtime keys.
struct KernelLog {
  std::string kernel;
  std::vector<std::string> keys;  ///< rising; only where `with_keyset`; of the empty set "Undefined" alone
  friend bool operator==(const KernelLog&, const KernelLog&) = default;
};

/// What one statement did.
struct DispatchOutcome {
  DispatchError error = DispatchError::none;
  std::string message;          ///< of the error, as it was worded; not compared
  std::vector<KernelLog> log;   ///< the kernels that ran, in order
  std::optional<bool> reading;  ///< of a QueryOp or a QueryTls
};

/// One outcome for each statement: an error ends its statement alone.
using DispatchTrace = std::vector<DispatchOutcome>;

}  // namespace plumbline
