// The kernels of FuncTorchBatched, one for each op that is not composite: an op on batched tensors is the op for each
// example. Ops that take elements by their places run once, on the tensors of all examples.
#include "optimized/ops/kernels.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "optimized/autograd/history.h"
#include "optimized/autograd/meta.h"
#include "optimized/cpu/checks.h"
#include "optimized/ops.h"
#include "optimized/tensor/error.h"
#include "optimized/transforms/batched.h"
#include "optimized/transforms/body.h"
#include "optimized/transforms/func_grad.h"
#include "optimized/transforms/pointwise.h"
#include "spec/vocabulary/memory_format.h"

namespace plumbline::optimized {

namespace {

/// Whether Autograd's kernels look at what is done with it.
bool records(const Tensor& whole) {
  return thread_state().grad_mode && !thread_state().inference_mode && requires_grad(whole);
}

template <class Use>
void each_tensor(Stack& stack, const Use& use) {
  for (Boxed& value : stack) {
    if (auto* tensor = std::get_if<Tensor>(&value); tensor != nullptr && tensor->defined()) use(*tensor);
    if (auto* list = std::get_if<std::vector<Tensor>>(&value)) std::ranges::for_each(*list, use);
  }
}

/// One call with batched arguments.
class BatchedCall {
 public:
  BatchedCall(OpId id, Stack& stack, int level) : id_(id), op_(plumbline::op(id)), stack_(stack), level_(level) {}

  void run() {
    if (op_.kind == OpKind::Out) raise(ErrorClass::mapped_out, {qualified_name(op_)});
    if (op_.kind == OpKind::InplaceView || op_.aliases == Aliases::argument || id_ == OpId::resize_ ||
        id_ == OpId::detach_)
      raise_saying(ErrorClass::unclassified, qualified_name(op_) + " is not supported in a mapped body");
    if (op_.kind == OpKind::Inplace) {
      check_levels();
      check_captured_write(id_, std::get<Tensor>(stack_.at(0)));
    }
    const ExcludeKeys own_calls(Functionality::FuncTorchGradWrapper);  // that check is of the body's calls
    if (op_.kind == OpKind::Inplace) return write();
    if (id_ == OpId::detach) return detached();
    if (op_.kind == OpKind::View) return views();
    if (is_pointwise(id_) && promotes_as_one() && !asks_for_a_format()) {
      at_once(stack_);
      return each_tensor(stack_, [&](Tensor& result) { result = seen(result); });
    }
    if (id_ == OpId::as_strided_copy) check_strided(std::get<Tensor>(stack_.at(0)));
    for_each_example(stack_);
  }

 private:
  /// What is behind a tensor with examples of this level; null: it has none.
  const Batched* of(const Tensor& tensor) const {
    const Batched* one = batched(tensor);
    return one != nullptr && one->level == level_ ? one : nullptr;
  }
  Tensor seen(const Tensor& whole) const { return make_batched(whole, 0, level_); }
  std::int64_t examples() const { return mapped_levels().at(static_cast<std::size_t>(level_) - 1).examples; }

  /// The tensor of all examples, which are in its first dimension.
  static Tensor in_front(const Batched& one) { return with_dim_moved(one.value, one.dim, 0); }

  /// Whether the tensors of all examples are promoted as those of one: tensors without dimensions rank lower.
  bool promotes_as_one() const {
    std::vector<Tensor> seen, whole;
    for (std::size_t i = 0; i < op_.arguments.size(); ++i) {
      const auto* tensor = std::get_if<Tensor>(&stack_.at(i));
      if (tensor == nullptr || !is_promoted(op_.arguments[i])) continue;
      seen.push_back(*tensor);
      const Batched* one = of(*tensor);
      whole.push_back(one != nullptr ? one->value : *tensor);
    }
    return seen.size() < 2 || result_type(seen) == result_type(whole);
  }
  /// Whether an example is to have another memory format than its tensor.
  bool asks_for_a_format() const {
    const auto* format = std::get_if<Scalar>(&stack_.back());
    return op_.arguments.back().type == ArgType::MemoryFormat && format != nullptr &&
           static_cast<MemoryFormat>(format->integer()) != MemoryFormat::preserve &&
           static_cast<MemoryFormat>(format->integer()) != MemoryFormat::contiguous;
  }

  /// The tensor of all examples with `rank` dimensions of an example, and the examples in dimension `dim`; of one
  /// without examples, with a dimension of size 1 there if that is not the first. A number stays one, which may be on
  /// the CPU beside another device.
  Tensor aligned(const Tensor& tensor, int rank, int dim) const {
    const Batched* one = of(tensor);
    if (one == nullptr && (dim == 0 || tensor.dim() == 0)) return tensor;
    const int padding = rank - tensor.dim();
    Tensor whole = one != nullptr ? in_front(*one) : tensor;
    for (int i = 0; i < padding; ++i) whole = unsqueeze(whole, one != nullptr ? 1 : 0);
    if (one == nullptr) return unsqueeze(whole, dim);
    return with_dim_moved(whole, 0, dim);
  }

  /// Calls the op on the tensors of all examples, with as many dimensions of an example each. What is written stays as
  /// it is: a view of a leaf would raise another error.
  void at_once(Stack& stack) {
    const bool writes = op_.kind == OpKind::Inplace;
    int rank = 0;
    each_tensor(stack, [&](const Tensor& tensor) { rank = std::max(rank, tensor.dim()); });
    const Batched* written = writes ? of(std::get<Tensor>(stack.at(0))) : nullptr;
    if (written != nullptr && rank > std::get<Tensor>(stack.at(0)).dim()) refuse_larger_operand();
    const int dim = written != nullptr ? written->dim : 0;
    bool first = writes;
    each_tensor(stack, [&](Tensor& tensor) {
      tensor = std::exchange(first, false) ? Tensor(written->value) : aligned(tensor, rank, dim);
    });
    stack_call_of(id_)(stack);
  }

  /// The arguments for one example.
  Stack example(const Stack& stack, std::int64_t number) const {
    Stack one = stack;
    each_tensor(one, [&](Tensor& tensor) {
      if (const Batched* behind = of(tensor)) tensor = select(behind->value, behind->dim, number);
    });
    return one;
  }

  /// The results of the op for all examples, one after another.
  static Boxed joined(std::vector<Stack>& results, std::size_t place) {
    const auto join = [&](const auto& part) {
      std::vector<Tensor> parts;
      for (Stack& one : results) parts.push_back(part(one.at(place)));
      return optimized::stack(parts, 0);
    };
    const auto* list = std::get_if<std::vector<Tensor>>(&results.front().at(place));
    if (list == nullptr) return join([](const Boxed& result) { return std::get<Tensor>(result); });
    std::vector<Tensor> all;
    for (std::size_t i = 0; i < list->size(); ++i)
      all.push_back(join([i](const Boxed& result) { return std::get<std::vector<Tensor>>(result).at(i); }));
    return all;
  }

  void for_each_example(Stack& stack) {
    std::vector<Stack> results;
    for (std::int64_t i = 0; i < examples(); ++i) {
      results.push_back(example(stack, i));
      stack_call_of(id_)(results.back());
    }
    if (results.empty())
      raise_saying(ErrorClass::unclassified, qualified_name(op_) + " is not supported without examples");
    Stack whole;
    for (std::size_t i = 0; i < results.front().size(); ++i) whole.push_back(joined(results, i));
    each_tensor(whole, [&](Tensor& result) { result = seen(result); });
    stack = std::move(whole);
  }

  void detached() {
    const Batched one = *of(std::get<Tensor>(stack_.at(0)));
    stack_ = {make_batched(detach(one.value), one.dim, level_)};
  }

  /// The view that the op makes of the first example, and the same of all others.
  void views() {
    const Tensor self = std::get<Tensor>(stack_.at(0));
    const Batched one = *of(self);
    if (id_ == OpId::as_strided) check_strided(self);
    const Tensor whole = innermost(one.value);
    if (records(whole)) (void)grad_fn_of(whole);  // its errors come first
    Stack first = stack_;
    const Tensor alone = alias_of(one.value, self.sizes(), self.strides(), self.offset());
    first.at(0) = alone;
    {
      const AutoDispatchBelowADInplaceOrView quiet;
      stack_call_of(id_)(first);
    }
    if (id_ == OpId::view_dtype)  // each example begins elsewhere
      for (std::int64_t i = 1; i < examples(); ++i) {
        const AutoDispatchBelowADInplaceOrView quiet;
        Stack other = stack_;
        other.at(0) = alias_of(one.value, self.sizes(), self.strides(), self.offset() + i * one.value.stride(one.dim));
        stack_call_of(id_)(other);
      }
    each_tensor(first, [&](Tensor& view) { view = view.is_same(alone) ? self : of_all(one, view); });
    stack_ = std::move(first);
  }
  /// as_strided sees nothing of other examples.
  void check_strided(const Tensor& self) const {
    const auto& sizes = std::get<std::vector<std::int64_t>>(stack_.at(1));
    const auto& strides = std::get<std::vector<std::int64_t>>(stack_.at(2));
    const auto* asked = std::get_if<Scalar>(&stack_.at(3));
    const std::int64_t offset = asked != nullptr ? asked->integer() : self.offset();
    if (sizes.size() != strides.size() || std::ranges::find(sizes, 0) != sizes.end()) return;
    const auto last = [](IntList of_sizes, IntList of_strides, std::int64_t from) {
      for (std::size_t i = 0; i < of_sizes.size(); ++i) from += (of_sizes[i] - 1) * of_strides[i];
      return from;
    };
    if (self.numel() == 0 || offset < self.offset() ||
        last(sizes, strides, offset) > last(self.sizes(), self.strides(), self.offset()))
      raise(ErrorClass::mapped_outside);
  }
  /// With the examples in front. If there is one, no element depends on their stride, and elements of any size fit it.
  static Tensor with_any_stride(const Batched& one, Dtype dtype) {
    const Tensor whole = in_front(one);
    if (whole.size(0) != 1 || item_size(dtype) == item_size(whole.dtype())) return whole;
    std::vector<std::int64_t> strides(whole.strides().begin(), whole.strides().end());
    strides.front() = static_cast<std::int64_t>(sizeof(double));
    return as_strided(whole, whole.sizes(), strides, whole.offset());
  }
  Tensor of_all(Batched one, const Tensor& first) const {
    if (id_ == OpId::view_dtype)
      one = {call<op::view_dtype>(with_any_stride(one, first.dtype()), first.dtype()), 0, level_};
    std::vector<std::int64_t> sizes{one.value.size(one.dim)}, strides{one.value.stride(one.dim)};
    std::ranges::copy(first.sizes(), std::back_inserter(sizes));
    std::ranges::copy(first.strides(), std::back_inserter(strides));
    const Tensor view = as_strided(one.value, sizes, strides, first.offset());
    if (op_.many_results) {
      AutogradMeta* meta = innermost(view).impl().autograd;
      if (meta != nullptr && meta->creation == CreationMeta::DEFAULT) meta->creation = CreationMeta::MULTI_OUTPUT_NODE;
    }
    return seen(view);
  }

  void write() {
    const Tensor self = std::get<Tensor>(stack_.at(0));
    if (is_pointwise(id_) && promotes_as_one()) {
      check_overlaps();
      at_once(stack_);
    } else {
      write_anew();
    }
    stack_ = {self};
  }
  /// Whether a functionalized body gives the written tensor's memory the examples that it lacks.
  bool gets_examples(const std::set<int>& has, const std::set<int>& others) const {
    FunctionalBody* const body = FunctionalBody::current();
    if (body == nullptr) return false;
    std::set<int> lacks;
    std::ranges::set_difference(others, has, std::inserter(lacks, lacks.end()));
    if (!body->give_examples(std::get<Tensor>(stack_.at(0)), lacks)) return false;
    each_tensor(stack_, [&](const Tensor& tensor) { body->see_examples(tensor); });
    return true;
  }
  /// Raises mapped_write if an argument has examples of a level of which the written tensor has none.
  void check_levels() {
    std::set<int> written, others;
    bool first = true;
    each_tensor(stack_, [&](const Tensor& tensor) {
      std::set<int>& levels = std::exchange(first, false) ? written : others;
      for (const Batched* one = batched(tensor); one != nullptr; one = batched(one->value)) levels.insert(one->level);
    });
    if (std::ranges::includes(written, others) || gets_examples(written, others)) return;
    const std::string name = op_.name == "index_fill_" ? std::string(op_.name) : "inplace arithmetic";
    raise(ErrorClass::mapped_write, {name, name});
  }
  /// Raises the errors of an op whose arguments for one example share memory.
  void check_overlaps() {
    if (examples() == 0) return;
    const Tensor written = std::get<Tensor>(stack_.at(0));
    const Stack one = example(stack_, 0);
    const auto& self = std::get<Tensor>(one.at(0));
    const auto shares = [&](const Boxed& value) {
      const auto* other = std::get_if<Tensor>(&value);
      return other != nullptr && other->defined() && other->storage() == self.storage();
    };
    if (std::none_of(one.begin() + 1, one.end(), shares)) return;
    const Tensor whole = innermost(of(written)->value);
    check_history(whole);
    check_wholes();
    check_first(whole);
  }
  /// Raises the error of tensors of all examples that overlap, which comes before those of an example.
  void check_wholes() {
    const auto& self = std::get<Tensor>(stack_.at(0));
    const Batched& written = *of(self);
    if (id_ == OpId::masked_fill__Scalar || batched(written.value) != nullptr) return;  // it looks at its mask first
    each_tensor(stack_, [&](const Tensor& tensor) {
      if (&tensor == &self || of(tensor) == nullptr || tensor.dim() > self.dim()) return;
      if (tensor.storage() != self.storage()) return;
      const AutoDispatchBelowADInplaceOrView untracked;
      check_partial_overlap(written.value, aligned(tensor, self.dim(), written.dim));
    });
  }
  /// The same tensor on another storage.
  static Tensor moved(const Tensor& tensor, const Ref<Storage>& to) {
    if (const Batched* outer = batched(tensor)) return make_batched(moved(outer->value, to), outer->dim, outer->level);
    Tensor made = alias_of(tensor, tensor.sizes(), tensor.strides(), tensor.offset());
    made.impl().move_to(to);
    return made;
  }
  /// Raises the errors of the op: autograd's, and those of its kernel for one example, on a copy of the memory.
  void check_write() const {
    const Tensor whole = innermost(of(std::get<Tensor>(stack_.at(0)))->value);
    check_history(whole);
    check_first(whole);
  }
  static void check_history(const Tensor& whole) {
    if (records(whole)) check_inplace(whole);
    if (whole.is_inference() && !thread_state().inference_mode) raise(ErrorClass::inference_inplace);
  }
  /// Raises the error of an operand that has more dimensions than what is written, for one example.
  void refuse_larger_operand() const {
    const Tensor whole = innermost(of(std::get<Tensor>(stack_.at(0)))->value);
    if (records(whole)) check_inplace(whole);
    check_first(whole);
  }
  /// Calls the op for one example, on a copy of the memory that it writes.
  void check_first(const Tensor& whole) const {
    if (examples() == 0) return;
    const GradMode off(false);
    Stack first = example(stack_, 0);
    const Ref<Storage>& storage = whole.storage();
    const Ref<Storage> copy = storage->copied();
    copy->set_level(storage->level());
    each_tensor(first, [&](Tensor& tensor) {
      if (tensor.storage() == storage) tensor = moved(tensor, copy);
    });
    stack_call_of(id_)(first);
  }
  /// Copies what the functional op returns into the written tensor, so that it counts one version.
  void write_anew() {
    const Tensor self = std::get<Tensor>(stack_.at(0));
    const Batched written = *of(self);
    check_write();
    if (id_ == OpId::copy_)  // from another dtype
      return void(copy_(written.value, aligned(std::get<Tensor>(stack_.at(1)), self.dim(), written.dim)));
    const std::optional<OpId> twin = functional_twin(id_);
    if (!twin) raise_saying(ErrorClass::unclassified, qualified_name(op_) + " is not supported in a mapped body");
    BatchedCall(*twin, stack_, level_).for_each_example(stack_);
    copy_(written.value, aligned(std::get<Tensor>(stack_.at(0)), self.dim(), written.dim));
  }

  OpId id_;
  const Op& op_;
  Stack& stack_;
  int level_;
};

/// Random numbers: for each example of a level whose randomness is "different", and otherwise the same for all.
void random(const Operator& op, KeySet keys, Frame& frame) {
  auto& stack = *static_cast<Stack*>(frame.arguments);
  auto& sizes = std::get<std::vector<std::int64_t>>(stack.at(0));
  const std::vector<MappedLevel>& levels = mapped_levels();
  std::vector<std::int64_t> whole;
  std::vector<int> different;
  for (std::size_t i = levels.size(); i-- > 0;) {
    if (levels[i].randomness == Randomness::error) raise(ErrorClass::mapped_random);
    if (levels[i].randomness == Randomness::different) different.insert(different.begin(), static_cast<int>(i) + 1);
  }
  for (const int level : different) whole.push_back(levels.at(static_cast<std::size_t>(level) - 1).examples);
  sizes.insert(sizes.begin(), whole.begin(), whole.end());
  op.redispatch(keys & below(Functionality::FuncTorchBatched), frame);
  auto& result = std::get<Tensor>(stack.at(0));
  for (const int level : different) result = make_batched(result, 0, level);
}

/// The innermost level of which an argument has examples; 0: none.
int level_of(Stack& stack) {
  int level = 0;
  each_tensor(stack, [&](const Tensor& tensor) {
    if (const Batched* one = batched(tensor)) level = std::max(level, one->level);
  });
  return level;
}

template <OpId id>
void run_batched(void*, const Operator& op, KeySet keys, Frame& frame) {
  if constexpr (id == OpId::rand) return random(op, keys, frame);
  auto& stack = *static_cast<Stack*>(frame.arguments);
  const int level = level_of(stack);
  if (level == 0) {
    if (plumbline::op(id).kind == OpKind::Inplace || plumbline::op(id).kind == OpKind::InplaceView)
      check_captured_write(id, std::get<Tensor>(stack.at(0)));
    return op.redispatch(keys & below(Functionality::FuncTorchBatched), frame);
  }
  BatchedCall(id, stack, level).run();
}

}  // namespace

std::span<const OpKernel> batched_kernels() {
  static const std::vector<OpKernel> kernels = [] {
    std::vector<OpKernel> all;
    for_each_op([&]<class Op>() {
      if (!plumbline::op(Op::id).composite) all.push_back({Op::id, {&run_batched<Op::id>, nullptr, nullptr}});
    });
    return all;
  }();
  return kernels;
}

}  // namespace plumbline::optimized
