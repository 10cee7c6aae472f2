// The backend's kernels: the meaning of each op in the table, as a pure function of its arguments.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/arguments.h"
#include "reference/arithmetic.h"
#include "reference/bytes.h"
#include "reference/memory.h"
#include "spec/machine/kernels.h"
#include "spec/vocabulary/observation.h"

namespace plumbline::reference {

/// A result with its own storage.
struct Fresh {
  Sizes sizes;
  Sizes strides;
  Dtype dtype;
  std::vector<Element> elements;  ///< in row-major order of the indices
  std::int64_t offset = 0;
  std::vector<Element> around = {};  ///< the whole storage, if it has more than these elements
};

/// The effect of a call, not yet applied: views of its first argument, new results, or a change of the written
/// argument.
struct Effect {
  bool is_self = false;  ///< of a view op: the result is its first argument, the very same
  std::vector<Geometry> views;
  std::optional<Dtype> view_dtype;            ///< for view.dtype: the views' dtype, if it is not the first argument's
  std::optional<KeySet<Concrete>> view_bits;  ///< the views' keys Conjugate and Negative, if not the first argument's
  std::vector<Fresh> fresh;
  std::optional<std::vector<Element>> written;    ///< the written argument's elements, row-major
  std::optional<Geometry> layout;                 ///< the written argument's new geometry
  std::int64_t grown = 0;                         ///< the least number of elements of its storage: resize_, out=
  TensorId source = kNoTensor;                    ///< for set_: the tensor whose storage the first argument takes
  std::shared_ptr<const std::mt19937> generator;  ///< for rand: the generator after the call
  std::optional<std::int64_t> counts;  ///< of a composite op by schema: the versions that the ops count which it calls
  std::optional<Failure> raises;       ///< raised after the rest is done, in a profile where an error may leave changes
};

/// A call, as the op's kernel receives it.
struct KernelCall {
  const Judge& judge;
  const State& state;
  OpId op;
  const Arguments& arguments;
  Tape* tape = nullptr;  ///< set if a derivative is needed

  const Tensor& tensor(std::size_t i) const { return state.tensors[static_cast<std::size_t>(arguments.tensor(i))]; }
  Arithmetic arithmetic(Dtype dtype) const { return Arithmetic(dtype, tape); }
};

/// The effect of the call. Raises the op's errors; only reads the state.
Effect meaning(const KernelCall& call);
/// What a call of resize_ changes of its tensor, if it raises no error.
machine::Resizing<Concrete> change_by_resize(const KernelCall& call);

/// Throws std::logic_error, which names the op, if the effect breaks the contract on which the machine has decided
/// checks and versions: an op that does not write changes no argument, and one that writes makes no tensor. `kept`: the
/// layout of the written argument if the call said that it stays, or null.
void hold_to_contract(OpId op, const Effect& effect, const Geometry* kept = nullptr);
/// Whether a tensor, a dtype or a number among the arguments is complex.
bool has_complex(const KernelCall& call);
/// Whether the meaning that an everyday op by schema has of its own covers complex elements.
bool everyday_computes_complex(OpId op);
/// The effect of another op with the same arguments.
Effect meaning_as(const KernelCall& call, OpId op);
/// Replaces the views of an effect by copies: row-major, or with strides in the order of the view's.
void copy_views(const KernelCall& call, Effect& effect, bool row_major_copies);
/// Whether the op has a kernel here, or runs as the ops that it calls.
bool has_meaning(OpId op);

/// An op and its kernel. Each file of kernels lists its own.
using Kernel = Effect (*)(const KernelCall&);
struct KernelEntry {
  OpId op;
  Kernel kernel;
};
std::span<const KernelEntry> factory_kernels();
std::span<const KernelEntry> pointwise_kernels();
std::span<const KernelEntry> unary_kernels();
std::span<const KernelEntry> comparison_kernels();
std::span<const KernelEntry> sum_kernels();
std::span<const KernelEntry> max_kernels();
std::span<const KernelEntry> matrix_kernels();
std::span<const KernelEntry> view_kernels();
std::span<const KernelEntry> copy_kernels();

std::span<const KernelEntry> memory_kernels();
std::span<const KernelEntry> index_kernels();
std::span<const KernelEntry> join_kernels();
std::span<const KernelEntry> out_kernels();
/// Those of the ops by schema that see complex numbers and their parts.
std::span<const KernelEntry> bit_kernels();
/// Those of other ops by schema.
std::span<const KernelEntry> everyday_kernels();

/// `torch.contiguous_format` as a memory format's value.
inline constexpr std::int64_t kContiguousFormat = 0;

/// The memory format that the argument `memory_format` is; nothing if it is None.
std::optional<MemoryFormat> format_asked(const Arguments& arguments);
/// The error of a tensor of these sizes in a format that its op does not preserve; `refused`: the words for
/// torch.preserve_format.
std::optional<Failure> format_failure(const Judge& judge, const Sizes& sizes, MemoryFormat format,
                                      std::string_view refused);
/// The strides of a new tensor in a format that it can have.
Sizes strides_in(const Judge& judge, const Sizes& sizes, MemoryFormat format);

/// A number as an element of `dtype`.
Element element_of(const Operand& number, Dtype dtype);
/// The same for an op that takes a number of `dtype`: raises an error if the dtype cannot hold it.
Element checked_element(const Operand& number, Dtype dtype);
/// A new tensor of `sizes` with equal elements; raises an error for negative sizes.
Fresh filled(const Sizes& sizes, Dtype dtype, const Element& element);
/// Raises an error after the op's changes, in a profile where an error may leave changes (GEO-75); otherwise at once.
Effect raised_after(const Judge& judge, Effect done, Failure failure);
/// "[2, 3]", as PyTorch prints sizes.
std::string printed(const Sizes& sizes);
/// Raises storage_bounds: elements at these places need `needed` elements of a storage that has only `bytes` bytes.
[[noreturn]] void raise_storage_bounds(const Sizes& sizes, const Sizes& strides, std::int64_t offset, Dtype dtype,
                                       std::int64_t needed, std::int64_t bytes);
/// The sizes that two sizes broadcast to; raises PyTorch's error if they do not.
Sizes broadcast_sizes(const Judge& judge, const Sizes& a, const Sizes& b);
/// A dimension of `rank` (at least 1), counted from the front; raises an error if it is out of range.
int wrapped_dim(const Judge& judge, std::int64_t dim, std::size_t rank);

}  // namespace plumbline::reference
