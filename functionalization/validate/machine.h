// A machine that runs calls on terms. Tensors see memory only through sizes, strides and offsets. It runs original and
// functionalized bodies, and shares no code with the FUN rules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "functionalization/validate/terms.h"
#include "reference/functionalize/body.h"
#include "reference/kernels.h"

namespace plumbline::validate {

using reference::functionalize::Facts;

/// The number of elements of a tensor that is contiguous (row-major); nothing for another tensor.
std::optional<std::int64_t> run_of(const reference::Geometry& geometry);
bool have_equal_sizes(const reference::Geometry& a, const reference::Geometry& b);
bool has_sizes(const reference::Geometry& geometry, const reference::Sizes& sizes);

class Machine {
 public:
  /// `terms` and `judge` outlive it.
  Machine(Terms& terms, const reference::Judge& judge) : terms_(terms), judge_(judge) {}

  /// Adds a storage of this many elements, each a variable, and a tensor that views it.
  std::int32_t add_storage(std::int64_t elements, Dtype dtype);
  void add_tensor(Slot slot, const Facts& facts);

  /// Runs one step. Throws reference::Raise if the op raises, and ReferenceLimit if its result depends on the order of
  /// the writes; then no tensor has changed.
  void run(const Call& call);
  void run(const MakeTensor& made);
  void run(const Statement& statement);

  bool has(Slot slot) const;
  Facts facts(Slot slot) const;
  /// Whether dtype, sizes, strides and offset equal those of a tensor of another machine.
  bool sees_alike(Slot slot, const Machine& other, Slot of_other) const;
  std::int32_t storage(Slot slot) const { return tensor(slot).storage; }
  /// The size of a tensor's memory, in its elements.
  std::int64_t capacity(Slot slot) const;
  const std::vector<Term>& memory(std::int32_t storage) const { return memory_[static_cast<std::size_t>(storage)]; }
  Dtype memory_dtype(std::int32_t storage) const { return state_.storages[static_cast<std::size_t>(storage)].dtype; }
  /// Whether it has these sizes and this dtype.
  bool is_of(Slot slot, const reference::Sizes& sizes, Dtype dtype) const;
  /// The elements, row-major.
  std::vector<Term> elements(Slot slot) const;
  void clear();

 private:
  /// The elements of one argument of a pointwise op; a number gives the same element each time.
  struct Column {
    const Term* first = nullptr;
    std::size_t step = 1;
    std::vector<Term> made = {};  ///< for elements that are not in memory in this order
  };

  const reference::Tensor& tensor(Slot slot) const;
  std::vector<Term> elements(const reference::Tensor& tensor) const;
  /// Its number of elements, if it is contiguous in memory of its own dtype.
  std::optional<std::int64_t> run_in_memory(const reference::Tensor& tensor) const;
  Term element(const reference::Tensor& tensor, std::int64_t place) const;
  void write(const reference::Tensor& tensor, const std::vector<Term>& values);
  void write(const reference::Tensor& tensor, std::int64_t place, Term value);
  void add_storage(std::vector<Term> memory, Dtype dtype);
  void bind(Slot slot, reference::Tensor tensor);
  /// A fresh tensor with these elements; binds it.
  void fresh(Slot slot, const reference::Sizes& sizes, const reference::Sizes& strides, Dtype dtype,
             std::vector<Term> values, std::int64_t offset = 0);
  void fresh_row_major(Slot slot, Dims<Concrete> sizes, Dtype dtype, std::vector<Term> values);
  /// A fresh tensor with this view of its own memory; binds it.
  void fresh(Slot slot, reference::Geometry geometry, Dtype dtype, std::vector<Term> memory);
  reference::Effect effect_of(OpId op, const std::vector<Value>& arguments) const;

  void view(const Call& call);
  void copy_of_view(const Call& call, OpId view);
  void scatter(const Call& call, OpId view);
  void in_place(const Call& call);
  void layout(const Call& call);
  void out(const Call& call);
  void functional(const Call& call);
  bool pointwise(const Call& call);
  void factory(const Call& call);

  /// The elements of an op's result, of `sizes`, in `dtype`.
  std::vector<Term> computed(OpId op, const std::vector<Value>& arguments, const reference::Sizes& sizes, Dtype dtype,
                             std::uint64_t result);
  /// The same for a pointwise op.
  std::vector<Term> computed_by_element(OpId op, const std::vector<Value>& arguments, const reference::Sizes& sizes,
                                        Dtype dtype);
  Column column(const Value& argument, const reference::Sizes& sizes) const;
  std::vector<Term> spread(const Value& argument, const reference::Sizes& sizes) const;
  /// The number of an op's name.
  std::uint32_t symbol_of(OpId op);
  /// Resizes the tensor's memory to this many of its elements; new elements are unspecified.
  void grow_memory(const reference::Tensor& tensor, std::int64_t count);
  void look_for_overlap(const Call& call, const reference::Tensor& written);

  Terms& terms_;
  const reference::Judge& judge_;
  reference::State state_;
  std::vector<std::vector<Term>> memory_;  ///< by storage
  std::uint64_t drawn_ = 0;                ///< how many random tensors were drawn
  std::vector<std::uint32_t> symbols_;     ///< by op, filled when first used
};

}  // namespace plumbline::validate
