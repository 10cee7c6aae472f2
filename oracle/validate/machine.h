// A machine that runs calls on terms: tensors see memory through sizes, strides and offsets, and nothing else is known
// of views. It executes bodies as they are and as they are functionalized, and shares no code with the rules FUN.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "oracle/validate/terms.h"
#include "reference/functionalize/body.h"
#include "reference/kernels.h"

namespace plumbline::validate {

using reference::functionalize::Facts;

/// How many elements a tensor has that stand one after the other, row-major; nothing where they do not.
std::optional<std::int64_t> run_of(const reference::Geometry& geometry);
bool have_equal_sizes(const reference::Geometry& a, const reference::Geometry& b);
bool has_sizes(const reference::Geometry& geometry, const reference::Sizes& sizes);

class Machine {
 public:
  /// `terms` and `judge` outlive it.
  Machine(Terms& terms, const reference::Judge& judge) : terms_(terms), judge_(judge) {}

  /// A storage of so many elements, each a variable, and a tensor that sees it.
  std::int32_t add_storage(std::int64_t elements, Dtype dtype);
  void add_tensor(Slot slot, const Facts& facts);

  /// Runs one step. Throws reference::Raise where the op raises, and ReferenceLimit where what it writes depends on the
  /// order of the writes; then no tensor has changed.
  void run(const Call& call);
  void run(const MakeTensor& made);
  void run(const Statement& statement);

  bool has(Slot slot) const;
  Facts facts(Slot slot) const;
  /// Whether dtype, sizes, strides and offset are those of a tensor of another machine.
  bool sees_alike(Slot slot, const Machine& other, Slot of_other) const;
  std::int32_t storage(Slot slot) const { return tensor(slot).storage; }
  /// How many of its elements the memory of a tensor holds.
  std::int64_t capacity(Slot slot) const;
  const std::vector<Term>& memory(std::int32_t storage) const { return memory_[static_cast<std::size_t>(storage)]; }
  Dtype memory_dtype(std::int32_t storage) const { return state_.storages[static_cast<std::size_t>(storage)].dtype; }
  /// Whether it has these sizes and this dtype.
  bool is_of(Slot slot, const reference::Sizes& sizes, Dtype dtype) const;
  /// The elements, row-major.
  std::vector<Term> elements(Slot slot) const;
  void clear();

 private:
  /// What a pointwise op reads of one argument, element by element; of a number always the same.
  struct Column {
    const Term* first = nullptr;
    std::size_t step = 1;
    std::vector<Term> made = {};  ///< where the elements do not stand in memory so
  };

  const reference::Tensor& tensor(Slot slot) const;
  std::vector<Term> elements(const reference::Tensor& tensor) const;
  /// How many elements it has, where they stand one after the other in memory of its dtype, row-major.
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
  /// A fresh tensor that sees memory of its own so; binds it.
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
  /// The same of a pointwise op.
  std::vector<Term> computed_by_element(OpId op, const std::vector<Value>& arguments, const reference::Sizes& sizes,
                                        Dtype dtype);
  Column column(const Value& argument, const reference::Sizes& sizes) const;
  std::vector<Term> spread(const Value& argument, const reference::Sizes& sizes) const;
  /// The number of the name of an op.
  std::uint32_t symbol_of(OpId op);
  /// Makes the tensor's memory hold so many of its elements; those that are new are unspecified.
  void grow_memory(const reference::Tensor& tensor, std::int64_t count);
  void look_for_overlap(const Call& call, const reference::Tensor& written);

  Terms& terms_;
  const reference::Judge& judge_;
  reference::State state_;
  std::vector<std::vector<Term>> memory_;  ///< by storage
  std::uint64_t drawn_ = 0;                ///< random tensors
  std::vector<std::uint32_t> symbols_;     ///< by op, once it was asked for
};

}  // namespace plumbline::validate
