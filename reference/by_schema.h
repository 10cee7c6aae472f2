// Ops of which only the schema is known: what they compute comes from a run of an implementation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/kernels.h"

namespace plumbline::reference {

/// A tensor that such a run is given or makes: no view, with a storage of its own, made outside every mode.
struct PlainTensor {
  Dtype dtype = Dtype::float32;
  Sizes sizes;
  Sizes strides;
  std::int64_t offset = 0;
  std::vector<Element> elements;  ///< in row-major order of the indices; those of an argument are known
  std::int64_t room = 0;          ///< how many elements its storage holds, for an argument that has none
  // Of a result:
  bool is_view = false;   ///< autograd tracks it as a view
  bool is_first = false;  ///< it is the first tensor of the call, the very same
  bool in_first = false;  ///< its storage is that tensor's
  bool in_other = false;  ///< it is another tensor of the call, or shares memory with one, or with another result
};

/// A backward of a plain call, whose tensors are clones of leaves.
struct PlainBackward {
  std::vector<std::int64_t> leaves;  ///< the tensors that require grad, by number
  /// The gradient of each result, where it has one; empty: nothing is done but recording. Nothing: each result that
  /// requires grad has the gradient 0.5.
  std::optional<std::vector<std::optional<PlainTensor>>> gradients = {};
  std::int64_t disturbed = -1;  ///< what is written to before it: a tensor, or a result, numbered after the tensors
  bool twice = false;           ///< it runs twice
  bool bare = false;            ///< the tensors are the leaves, not clones of them
};

/// A call of an op in the simplest form: outside every mode, on new tensors.
struct PlainCall {
  OpId op;
  std::vector<PlainTensor> tensors;
  std::vector<Value> arguments;  ///< as in a Call; a Slot is an index into `tensors`
  bool escaped = false;          ///< the tensors are made in inference mode, and the call is outside of it
  bool on_meta = false;          ///< the tensors have no memory, and only the error is of interest
  bool no_grad = false;          ///< grad mode is off
  std::optional<PlainBackward> backward = {};
};

/// What it did.
struct PlainOutcome {
  std::string limit;               ///< why nothing can be said; empty: something can
  std::optional<Failure> failure;  ///< its error; its class is `by_schema`, and the words are the implementation's
  std::vector<PlainTensor> results;
  std::vector<PlainTensor> after;      ///< the tensors that it was given, after it
  std::vector<std::int64_t> versions;  ///< how many versions each of them counted
  // With a backward:
  std::vector<bool> recorded = {};  ///< by result: it has a grad_fn
  /// Of the tensors; nothing: it has none. `in_other`: it shares memory with a result's gradient, a tensor, or an
  /// earlier one of these.
  std::vector<std::optional<PlainTensor>> gradients = {};
};

/// Runs a call. It may be called from several threads at once.
using PlainRun = std::function<PlainOutcome(const PlainCall&)>;

/// Lets ops by schema compute as `run` does, in the whole process; nothing: they are a ReferenceLimit.
void compute_by_schema(PlainRun run);
/// Whether ops by schema can be run.
bool computes_by_schema();

/// Throws ReferenceLimit: the op, "known by its schema", and what it does that is out of reach.
[[noreturn]] void refuse_by_schema(OpId op, std::string_view what);
/// The call's plain form, with the layouts that the arguments have. Throws ReferenceLimit if it has none: nothing
/// computes ops by schema, or an argument's elements are not specified.
PlainCall plain_call_of(const KernelCall& call);
/// Makes its tensors row-major.
void lay_out_by_rows(PlainCall& plain);
/// Runs it. Throws ReferenceLimit if nothing can be said.
PlainOutcome run_plainly(const PlainCall& plain);
/// The elements of `exact`, with what another layout changed as their bound; a large change is no rounding.
std::vector<Element> with_bounds(OpId op, const PlainTensor& laid_out, const PlainTensor& exact);

/// The effect of a call of an op by schema. Raises the error of the implementation's own run. Throws ReferenceLimit
/// where that run cannot stand for the call: an argument's elements are not specified, the op writes memory that
/// another argument sees, a result is an argument or shares its memory.
///
/// The call is run with the layouts that the arguments have. If one is not row-major, it is run on row-major ones too:
/// the elements are those of that run, since no layout may change them, up to the rounding of another order.
Effect effect_by_schema(const KernelCall& call);

/// Raises the error that the call has on tensors without memory, whose kernels are others.
void check_on_meta_by_schema(const KernelCall& call);

/// Makes the elements of a tensor unspecified: a call stopped somewhere in it.
void forget_elements(State& state, TensorId written);

/// Makes results of such a call tracked views of tensors that no one else sees, where the implementation shows them:
/// its kernel calls other ops, and no Autograd kernel has run (VIEW-18). Does nothing in profiles in which no result is
/// one, and in inference mode.
void hide_bases(const KernelCall& call, State& state, std::vector<TensorId>& results);

}  // namespace plumbline::reference
