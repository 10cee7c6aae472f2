// The abstract statements of a program, which the reference and every adapter run. A program file is lowered to them:
// names become slots, calls name an op of the table, and functions are inlined.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "spec/ops/ops.h"
#include "spec/vocabulary/body.h"
#include "spec/vocabulary/dtype.h"
#include "spec/vocabulary/key_step.h"
#include "spec/vocabulary/registration.h"

namespace plumbline {

struct None {
  friend bool operator==(const None&, const None&) = default;
};

/// In a kernel: the number, True or False that it was given for this parameter.
struct NumberOf {
  Slot parameter;
  friend bool operator==(const NumberOf&, const NumberOf&) = default;
};

/// Python's `complex(real, imag)`, where the schema says Scalar.
struct Complex {
  double real = 0;
  double imag = 0;
  friend bool operator==(const Complex&, const Complex&) = default;
};

/// Devices as the values of arguments: the CPU, and the test's parameter `device`. None is the test's device for a
/// factory, and the device of its tensor for another op.
inline constexpr std::string_view kCpu = "cpu";
inline constexpr std::string_view kTestDevice = "device";

/// An argument's value.
using Value = std::variant<None, bool, std::int64_t, double, Dtype, std::vector<std::int64_t>, Slot, std::vector<Slot>,
                           NumberOf, std::string, Complex>;

/// One call of an op. `arguments` has one value for each argument of the schema, defaults filled in.
/// If the schema says Tensor, a number is Python's wrapped number. Results go to `results` in order; an op with many
/// results must have as many slots as it returns.
struct Call {
  OpId op;
  std::vector<Value> arguments;
  std::vector<Slot> results;
  bool requires_grad = false;  ///< a factory's keyword `requires_grad=True`
};

/// `torch.tensor(data, dtype=…, requires_grad=…)`: a new tensor with these values, row-major.
struct MakeTensor {
  Slot result;
  Dtype dtype;
  std::vector<std::int64_t> sizes;
  std::vector<double> values;  ///< a complex element is two; integers beyond 2^53 cannot be written
  bool requires_grad = false;
  bool on_cpu = false;  ///< `device="cpu"`: in a program of two devices
};
/// `torch.empty(sizes, dtype=…, device="meta")`: a tensor without memory, which only the program's own operators take.
/// Its elements, and its `.grad`, are not observed.
struct MakeMetaTensor {
  Slot result;
  Dtype dtype;
  std::vector<std::int64_t> sizes;
};

enum class GuardKind : std::uint8_t {
  inference_mode,    ///< torch.inference_mode(value)
  no_grad,           ///< torch.no_grad()
  enable_grad,       ///< torch.enable_grad()
  set_grad_enabled,  ///< torch.set_grad_enabled(value)
  // Unsafe guards: they can break any invariant, by design.
  below_autograd,              ///< torch._C._AutoDispatchBelowAutograd()
  below_ad_inplace_or_view,    ///< torch._C._AutoDispatchBelowADInplaceOrView()
  exclude_key,                 ///< torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.key))
  include_key,                 ///< torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.key)
  auto_non_variable_type_mode  ///< C++'s deprecated at::AutoNonVariableTypeMode; Python never had it
};

/// Enters a guard; the matching `Exit` leaves it. An error leaves all guards down to the innermost `Try`.
struct Enter {
  GuardKind kind;
  bool value = true;     ///< for the guards that take a value
  std::string key = {};  ///< for exclude_key and include_key, a runtime key: "AutogradCPU"
};
struct Exit {};

/// `with pytest.raises(…):` an error inside is an outcome, and the run goes on after the matching `EndTry`.
/// Without one, an error ends the run.
struct Try {};
struct EndTry {};

/// `x.requires_grad = value`, or `x.requires_grad_(value)`: PyTorch accepts the method with True on a non-leaf.
struct SetRequiresGrad {
  Slot tensor;
  bool value;
  bool method = false;
};

/// `y = x.data`: a tensor on the same storage, unknown to autograd and to x's version counter. Unsafe.
struct GetData {
  Slot result;
  Slot tensor;
};
/// `x.data = y`: `tensor` takes everything of `data` except its autograd metadata and version counter. Unsafe.
struct SetData {
  Slot tensor;
  Slot data;
};

/// A tensor from which backward starts, and its gradient.
struct Root {
  Slot tensor;
  std::optional<Slot> gradient = std::nullopt;
  friend bool operator==(const Root&, const Root&) = default;
};
/// `y.backward(gradient, retain_graph=…, create_graph=…, inputs=[x, …])`; from several tensors,
/// `torch.autograd.backward([y, …], …)`.
struct Backward {
  Slot tensor;
  std::optional<Slot> gradient = std::nullopt;
  bool retain_graph = false;
  std::vector<Slot> inputs = {};  ///< the tensors that get a `.grad`; empty: every leaf that backward reaches
  std::vector<Root> more = {};    ///< the tensors after the first
  bool create_graph = false;  ///< the gradients are recorded; Python's retain_graph is this one's value if not given
};
/// `g, … = torch.autograd.grad(y, [x, …], gradient, retain_graph=…, create_graph=…, allow_unused=…)`; from several
/// tensors, `torch.autograd.grad([y, …], …)`. A result of an input that no gradient reaches holds nothing.
struct GetGradients {
  Slot tensor;
  std::vector<Slot> inputs;   ///< at least one
  std::vector<Slot> results;  ///< one for each input, or none: the gradients are not kept
  std::optional<Slot> gradient = std::nullopt;
  bool retain_graph = false;
  bool allow_unused = false;
  std::vector<Root> more = {};  ///< the tensors after the first
  bool create_graph = false;    ///< as for Backward
};
/// All tensors from which a Backward or a GetGradients starts.
template <class Kind>
std::vector<Root> roots_of(const Kind& kind) {
  std::vector<Root> roots{{kind.tensor, kind.gradient}};
  roots.insert(roots.end(), kind.more.begin(), kind.more.end());
  return roots;
}
/// `g = x.grad`. If x has no gradient, the slot holds nothing.
struct GetGrad {
  Slot result;
  Slot tensor;
};

/// `x.grad = y`; without a value, `x.grad = None`.
struct SetGrad {
  Slot tensor;
  std::optional<Slot> grad = std::nullopt;
};
/// `x.retain_grad()`.
struct RetainGrad {
  Slot tensor;
};

/// `h = x.register_hook(hook)`: backward calls the hook with x's gradient, with grad mode off; a tensor that it returns
/// takes the gradient's place. `Script::functions` has it, with one gradient and one result, and without LoadSaved. It
/// also uses the variables around it. `after` is for `x.register_post_accumulate_grad_hook(hook)`: backward calls the
/// hook with x itself, after `x.grad` has got the gradient; the hook returns nothing.
struct RegisterHook {
  Slot tensor;
  std::int32_t function;  ///< index into `Script::functions`; each registration has its own
  bool after = false;
};
/// `h.remove()`, of the registration with this function. Without effect if it raised an error, or the second time.
struct RemoveHook {
  std::int32_t function;
};

/// `with torch.autograd.graph.saved_tensors_hooks(pack, unpack):`, up to the matching Exit. Each tensor that an op or a
/// custom function of this thread saves for backward is given to `pack`; backward gives `unpack` what pack returned,
/// and uses what it returns. Both are in `Script::functions`, with one gradient (the argument) and one result, and
/// without LoadSaved. Like hooks they use the variables around them.
struct EnterSavedTensorsHooks {
  std::int32_t pack;
  std::int32_t unpack;
};

/// `torch.manual_seed(seed)`: for the default CPU generator, which all threads share.
struct ManualSeed {
  std::int64_t seed;
};

/// `t.start()`, and later `t.join()`: the statements up to the matching JoinThread run in a new thread, with a new
/// thread's state; tensors are shared. An error that no Try inside catches ends the thread, not the program, and the
/// guards that the thread entered end with it.
struct StartThread {};
struct JoinThread {};
/// The innermost thread waits: the statements up to the matching ResumeThread run in the thread that started it. In a
/// program, one thread sets a threading.Event and the other one waits for it. Only guards may be open in the waiting
/// thread. If an error has ended the thread before, the statements run all the same; if one of
/// them raises an error that no Try among them catches, the waiting thread ends too.
struct PauseThread {};
struct ResumeThread {};

/// `y, … = F.apply(x, …)` of a custom torch.autograd.Function: the statements up to the matching LeaveForward are
/// F.forward's body, which runs with grad mode off. Its parameters are the tensors of `inputs` themselves.
struct EnterForward {
  std::int32_t function;  ///< index into `Script::functions`; each apply has its own
  std::vector<Slot> inputs;
};
/// F.forward returns `returned`; what F.apply makes of each goes to the matching slot of `results`.
struct LeaveForward {
  std::vector<Slot> returned;
  std::vector<Slot> results;
};
/// `ctx.save_for_backward(…)`, `ctx.mark_dirty(…)`, `ctx.mark_non_differentiable(…)`, only in forward's body; the last
/// call of a kind counts.
enum class ContextKind : std::uint8_t { save_for_backward, mark_dirty, mark_non_differentiable };
inline constexpr std::array<std::string_view, 3> kContextKindNames{"save_for_backward", "mark_dirty",
                                                                   "mark_non_differentiable"};
struct ContextCall {
  ContextKind kind;
  std::vector<Slot> tensors;
};
/// `a, … = ctx.saved_tensors`, only in backward's body.
struct LoadSaved {
  std::vector<Slot> results;
};

/// `y, … = torch.ops.NAMESPACE.NAME(x, …)` of one of the program's own operators. Which of its kernels run depends on
/// the dispatch keys; nothing is observed in them, and an error of one is the call's.
struct Invoke {
  std::int32_t op;            ///< index into `Script::operators`, or kCalledOperator
  std::vector<Value> inputs;  ///< as the schema says: a Slot, None, a list of slots, or a number, True or False
  std::vector<Slot> results;  ///< as many as the operator returns, or none: they are not kept
  /// For `torch.ops.NAMESPACE.NAME.default.redispatch(KEYS, x, …)`: what makes KEYS, in order, from the key set `ks` of
  /// the kernel around it; without such a kernel the first step is `only`. Guards and the keys of the inputs then play
  /// no part.
  std::optional<std::vector<KeyStep>> redispatch = {};
  bool passes_arguments = false;  ///< `*args` in place of inputs: all that the kernel around it, with `any_arguments`,
                                  ///< was given. `results` is empty.
};
/// In a kernel: the operator that was called. A fallback in Python has it as its parameter `op`.
inline constexpr std::int32_t kCalledOperator = -1;

/// `raise RuntimeError(message)`.
struct RaiseError {
  std::string message;
};

/// `log.append(text)`: a script has one list of texts, which is empty at first.
struct AppendToLog {
  std::string text;
  bool keys = false;  ///< `log.append(repr(ks))` of the kernel's key set: "DispatchKeySet(CPU, AutogradCPU)"; no `text`
};
/// Reads the list: `assert log == […]`. The outcome's reading is a list of texts.
struct ReadLog {};
/// `log.clear()`.
struct ClearLog {};

/// What can be read of one tensor.
enum class Field : std::uint8_t {
  dtype,          ///< text, "float32"
  sizes,          ///< list of integers
  strides,        ///< list of integers
  offset,         ///< integer, in elements
  values,         ///< list of numbers, row-major
  storage,        ///< the lowest live slot that shares the storage, an integer
  keys,           ///< list of names "Functionality" or "FunctionalityBackend", ordered by bit
  is_inference,   ///< truth
  version,        ///< integer, or an error
  requires_grad,  ///< truth
  is_leaf,        ///< truth, or an error
  grad_fn,        ///< whether there is one: truth, or an error
  is_view,        ///< truth
  base,           ///< the lowest live slot that is the base, -1: no base, -2: a base that is in no slot
  creation_meta,  ///< text: "DEFAULT", "NO_GRAD_MODE", "MULTI_OUTPUT_NODE", "INFERENCE_MODE", "IN_CUSTOM_FUNCTION", or
                  ///< nothing
  grad,           ///< the values of `.grad`, row-major, or nothing
};
inline constexpr int kFields = 16;

/// What can be read of the thread.
enum class ThreadField : std::uint8_t {
  inference_mode,  ///< torch.is_inference_mode_enabled()
  grad_mode,       ///< torch.is_grad_enabled()
  included,        ///< the TLS included set, as names
  excluded,        ///< the TLS excluded set, as names
};
inline constexpr int kThreadFields = 4;

/// Reads one field, as a statement of its own: the reading, or its error, is the outcome.
struct Read {
  Slot tensor;
  Field field;
};
struct ReadThread {
  ThreadField field;
};
/// Reads every field of the thread and of every live tensor, in the order of slots and of `Field`. An error of a
/// reading is a reading, and never ends the run.
struct Snapshot {};

using StatementKind =
    std::variant<Call, MakeTensor, Enter, Exit, Try, EndTry, SetRequiresGrad, GetData, SetData, Backward, GetGrad, Read,
                 ReadThread, Snapshot, SetGrad, RetainGrad, ManualSeed, StartThread, JoinThread, EnterForward,
                 LeaveForward, ContextCall, LoadSaved, EnterFunctionalize, LeaveFunctionalize, Invoke, GetGradients,
                 RegisterHook, RemoveHook, PauseThread, ResumeThread, EnterSavedTensorsHooks, MakeLibrary,
                 DefineOperator, AddKernel, DropLibrary, AddFallback, QueryKernel, QueryThreadKey, RaiseError,
                 AppendToLog, ReadLog, ClearLog, MakeMetaTensor, EnterTransform, LeaveTransform>;

/// A statement, and its line in the program (0: unknown).
struct Statement {
  StatementKind kind;
  int line = 0;
};

/// Whether a statement can break an invariant by design: `.data`, `set_`, the guards that take the dispatcher below
/// Autograd or ADInplaceOrView, and calls of the program's own operators, whose kernels may do anything. The invariants
/// hold for programs without such statements.
bool is_unsafe(const StatementKind& statement);

/// Whether a kernel of a custom operator may contain the statement: a call, a guard, a part of a custom function, an
/// entry in the log or an error.
bool fits_kernel(const StatementKind& statement);

/// Whether a statement begins, or ends, a functionalized body or the body of a transform.
bool enters_body(const StatementKind& statement);
bool leaves_body(const StatementKind& statement);

/// Whether a statement registers something with `torch.library`, or ends it.
bool is_registration(const StatementKind& statement);

/// Whether the body of a backward or a hook may contain the statement: a call, a guard, a Try, LoadSaved, an entry in
/// the log or an error. `after`: of a hook after accumulation, also GetGrad and SetGrad.
bool fits_backward(const StatementKind& statement, bool after);

/// The backward of one apply of a custom function, or a hook. It runs when backward() reaches the apply or the tensor,
/// once each time, with grad mode off. Its statements are those for which `fits_backward`; nothing is observed in it.
struct CustomBackward {
  std::string name;             ///< the class's or the hook's name
  std::vector<Slot> gradients;  ///< its parameters after ctx: a gradient for each result
  std::vector<Statement> statements;
  std::vector<std::optional<Slot>>
      returned;  ///< gradients or None, in the order of EnterForward's inputs; their number may be wrong (AUT-47)
};

/// A kernel of custom operators. Its statements are those for which `fits_kernel`.
struct CustomKernel {
  std::string name;  ///< the function's
  /// For each argument of the operator. The slot of a tensor, or of an optional one that is there, holds it. Others
  /// hold nothing: a number is read as `NumberOf`, and lists of tensors are only passed on, by a kernel with
  /// `any_arguments`.
  std::vector<Slot> parameters = {};
  std::vector<Statement> statements = {};
  std::vector<Slot> returned = {};
  bool with_keyset = false;    ///< registered `with_keyset=True`: its first parameter is its key set `ks`
  bool any_arguments = false;  ///< its parameter is `*args`: it has no others, and serves any operator
  /// It returns what its last Invoke with `passes_arguments` returned; only with `any_arguments`. `returned` is empty.
  bool returns_passed = false;
};

/// How deep kernels of custom operators may call each other; deeper is recursion without end.
inline constexpr int kDeepestKernels = 40;

/// A lowered program, ready to run.
struct Script {
  std::vector<Statement> statements;
  std::vector<std::string> names;  ///< the slots' names
  std::vector<CustomBackward> functions = {};
  std::vector<CustomOperator> operators = {};  ///< each name once
  std::vector<CustomKernel> kernels = {};      ///< what `AddKernel` registers
};

/// Whether the script names the CPU beside the test's device. Then that device is CUDA, or another accelerator that the
/// trace calls CUDA, and an implementation that runs tests on the CPU cannot run the script.
bool has_two_devices(const Script& script);

}  // namespace plumbline
