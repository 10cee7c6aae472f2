// The backend's kernels: what each op of the table means, as a pure function of its arguments.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "reference/arguments.h"
#include "reference/arithmetic.h"
#include "reference/bytes.h"
#include "reference/memory.h"
#include "spec/observation.h"

namespace plumbline::reference {

/// A result with storage of its own.
struct Fresh {
  Sizes sizes;
  Sizes strides;
  Dtype dtype;
  std::vector<Element> elements;  ///< in row-major order of the indices
  std::int64_t offset = 0;
  std::vector<Element> around = {};  ///< the whole storage, where it has more than these elements
};

/// What a call of an op does, before anything is done: views of its first argument, fresh results, or a change of the
/// argument that it writes.
struct Effect {
  std::vector<Geometry> views;
  std::optional<Dtype> view_dtype;  ///< of view.dtype: the views' dtype, where it is not the first argument's
  std::vector<Fresh> fresh;
  std::optional<std::vector<Element>> written;    ///< the written argument's elements, row-major
  std::optional<Geometry> layout;                 ///< the written argument's new geometry
  std::int64_t grown = 0;                         ///< how many elements its storage must have at least: resize_, out=
  TensorId source = kNoTensor;                    ///< of set_: whose storage the first argument takes
  std::shared_ptr<const std::mt19937> generator;  ///< of rand: the generator as it is afterwards
  std::optional<Failure> raises;  ///< raised once the rest was done: where a profile lets an error leave changes
};

/// A call on its way to the op's kernel.
struct KernelCall {
  const Judge& judge;
  const State& state;
  OpId op;
  const Arguments& arguments;
  Tape* tape = nullptr;  ///< where a derivative is asked for

  const Tensor& tensor(std::size_t i) const { return state.tensors[static_cast<std::size_t>(arguments.tensor(i))]; }
  Arithmetic arithmetic(Dtype dtype) const { return Arithmetic(dtype, tape); }
};

/// What the call means. Raises what the op raises; the state is only read.
Effect meaning(const KernelCall& call);
/// The meaning of another op, whose arguments are the same.
Effect meaning_as(const KernelCall& call, OpId op);
/// Makes fresh copies of the views of an effect: row-major, or with strides in the order of the view's.
void copy_views(const KernelCall& call, Effect& effect, bool row_major_copies);
/// Whether the op has a meaning here, or runs as the ops that it calls.
bool has_meaning(OpId op);

/// A kernel, and the op that it is the meaning of. Each file of kernels lists its own.
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

/// `torch.contiguous_format` as a memory format's value.
inline constexpr std::int64_t kContiguousFormat = 0;

/// A number as an element of `dtype`.
Element element_of(const Operand& number, Dtype dtype);
/// The same, of an op that takes its number as one of `dtype`: raises where it is beyond what the dtype can hold.
Element checked_element(const Operand& number, Dtype dtype);
/// A fresh tensor of `sizes`, each element the same; raises for negative sizes.
Fresh filled(const Sizes& sizes, Dtype dtype, const Element& element);
/// What the op raises after what it has done, where the profile lets an error leave changes (GEO-75); else at once.
Effect raised_after(const Judge& judge, Effect done, Failure failure);
/// "[2, 3]", as PyTorch prints sizes.
std::string printed(const Sizes& sizes);
/// The sizes that two sizes broadcast to; raises PyTorch's error where they do not.
Sizes broadcast_sizes(const Judge& judge, const Sizes& a, const Sizes& b);
/// A dimension of `rank` (or of 1), counted from the front; raises where it is out of range.
int wrapped_dim(const Judge& judge, std::int64_t dim, std::size_t rank);

}  // namespace plumbline::reference
