// The op table: every operator that Plumbline knows, as generated from ops.yaml and by_schema.yaml at build time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumbline {

/// The type of an argument or a result in a schema; `SymInt` is `Int`.
enum class ArgType : std::uint8_t {
  Tensor,
  TensorList,
  Int,
  IntList,
  Scalar,
  Bool,
  Float,
  Dtype,
  Layout,
  Device,
  MemoryFormat,
  String,
  FloatList,
  Generator
};

/// What an op does to its arguments.
enum class OpKind : std::uint8_t {
  Factory,      ///< makes a tensor from no tensor
  Functional,   ///< makes new results
  View,         ///< results alias the first argument
  Inplace,      ///< writes its first argument's data
  InplaceView,  ///< changes its first argument's sizes, strides or offset, not its data (`transpose_`)
  Out,          ///< writes its last argument, `out`, which it first resizes to the result's sizes
};

/// The column `aliases:` of the table: whether a result shares storage with an argument.
enum class Aliases : std::uint8_t { never, always, may, self, argument, out };

/// The column `devices:` of the table: which tensors of a call may be on another device than the others.
enum class Devices : std::uint8_t { same, one_number, numbers, any };

/// What autograd saves for backward, when an argument requires grad.
struct Saves {
  std::int8_t saved;  ///< the argument that is saved; kSavesResult − i: result i
  std::int8_t when;   ///< the argument that must require grad
  bool copy;          ///< in-place ops save a copy of `self` as it was
};

inline constexpr std::int8_t kSavesResult = -1;

struct Argument {
  std::string_view name;
  ArgType type;
  bool optional;  ///< `?`: `None` is a value
  bool mutates;   ///< `(a!)`
  bool aliased;   ///< `(a)` or `(a!)`
  bool keyword_only;
  std::optional<std::string_view> default_value;  ///< as in the schema: "1", "None", "contiguous_format", "[0,1]"
};

struct Op {
  std::string_view name;      ///< "add_"
  std::string_view overload;  ///< "Tensor", or empty
  std::string_view schema;    ///< as in PyTorch's native_functions.yaml
  OpKind kind;
  Aliases aliases;
  bool composite;               ///< CompositeImplicitAutograd: it has no autograd kernel of its own
  bool method;                  ///< Python has it as `x.name(…)`
  bool function;                ///< Python has it as `torch.name(…)`
  bool many_results;            ///< it returns a list of tensors
  std::uint8_t results;         ///< how many tensors it returns, if not a list
  std::uint8_t differentiable;  ///< bit i: result i (bit 0: every one in a list) is recorded for backward
  bool unsafe;                  ///< it can break an invariant by design
  bool by_schema;               ///< only its schema is known: it is an op of by_schema.yaml
  bool blas;                    ///< of such an op: it calls BLAS or LAPACK, so its last digits depend on memory
  Devices devices;              ///< which of its tensors may be on another device; not known of an op by schema
  std::span<const Argument> arguments;
  std::span<const Saves> saves;
};

/// An op is named by its place in the table; the generated header defines `enum class OpId`, e.g. `OpId::add__Tensor`.
enum class OpId : std::uint16_t;

/// The place of the argument that the op writes: the first, or `out`; −1: it writes no argument.
constexpr int written_argument(const Op& op) {
  if (op.kind == OpKind::Out) return static_cast<int>(op.arguments.size()) - 1;
  return op.kind == OpKind::Inplace || op.kind == OpKind::InplaceView ? 0 : -1;
}

/// Whether autograd saves it only if `saves.when` requires grad. That is so in an op with several derivatives of which
/// only one uses it; everything else is saved whenever the op is recorded [tools/autograd/gen_variable_type.py,
/// guard_for].
constexpr bool is_guarded(const Op& op, const Saves& saves) {
  int uses = 0;
  bool several = false;
  for (const Saves& other : op.saves) {
    uses += other.saved == saves.saved ? 1 : 0;
    several = several || other.when != saves.when;
  }
  return several && uses == 1;
}
/// Whether an op has a derivative with respect to a tensor argument [tools/autograd/derivatives.yaml:
/// `non_differentiable`].
constexpr bool has_derivative_by(std::string_view argument) {
  return argument != "index" && argument != "mask" && argument != "condition";
}
constexpr bool has_derivative_by(const Argument& argument) { return has_derivative_by(argument.name); }

/// The ops of ops.yaml; an op's place is its OpId.
std::span<const Op> op_table();
/// The ops of by_schema.yaml, of which only the schema is known. Their OpIds follow those of `op_table`.
std::span<const Op> ops_by_schema();
const Op& op(OpId id);
/// The op of either table with this `name` and `overload` ("": no overload), or nothing.
std::optional<OpId> find_op(std::string_view name, std::string_view overload);
/// The functional op whose result an in-place op, or an op with `out=`, writes: the same arguments, without `out`.
std::optional<OpId> functional_twin(OpId id);
/// `view_copy` for `view`: the op that copies the elements of the view.
std::optional<OpId> copy_of_view(OpId view);
/// `view` for `view_copy`.
std::optional<OpId> view_of_copy(OpId copy);
/// "add_.Tensor", or "mm".
std::string qualified_name(const Op& op);

}  // namespace plumbline
