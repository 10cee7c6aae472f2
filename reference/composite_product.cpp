// Composite ops that compute: matmul and softmax, as the ops that they call.
#include <array>

#include "reference/call.h"
#include "reference/composite.h"
#include "reference/raise.h"
#include "spec/ops/op_ids.h"
#include "spec/rules/geo_value.h"

namespace plumbline::reference {

namespace {

using Ids = std::vector<TensorId>;

/// matmul, by the ranks of its two tensors [aten/src/ATen/native/LinearAlgebra.cpp, _matmul_impl].
class Matmul {
 public:
  Matmul(CompositeRun& run, TensorId left, TensorId right) : run_(run), left_(left), right_(right) {}

  TensorId result() {
    const std::size_t left = sizes(left_).size();
    const std::size_t right = sizes(right_).size();
    if (left == 0 || right == 0)
      raise(ErrorClass::shape,
            text("both arguments to matmul need to be at least 1D, but they are ", left, "D and ", right, "D"));
    if (left == 1 && right == 1) return call(OpId::dot, left_, right_);
    if (left == 2 && right == 1) return call(OpId::mv, left_, right_);
    if (left == 1 && right == 2) {
      const TensorId row = run_.call(OpId::unsqueeze, {run_.value(left_), std::int64_t{0}});
      const TensorId product = call(OpId::mm, row, right_);
      return run_.call(OpId::squeeze__dim, {run_.value(product), std::int64_t{0}});
    }
    if (left == 2 && right == 2) return call(OpId::mm, left_, right_);
    return folds() ? folded() : stacked();
  }

 private:
  Sizes sizes(TensorId id) const { return sizes_of(run_.tensor(id).geometry); }
  bool requires_grad(TensorId id) const { return requires_grad_of(run_.judge(), run_.state(), id); }
  TensorId call(OpId op, TensorId a, TensorId b) { return run_.call(op, {run_.value(a), run_.value(b)}); }
  TensorId reshaped(TensorId id, Sizes to) { return run_.call(OpId::reshape, {run_.value(id), std::move(to)}); }
  TensorId viewed(TensorId id, Sizes to) { return run_.call(OpId::_unsafe_view, {run_.value(id), std::move(to)}); }
  TensorId expanded(TensorId id, Sizes to) { return run_.call(OpId::expand, {run_.value(id), std::move(to), false}); }
  /// `x.mT`.
  TensorId turned(TensorId id) {
    return run_.call(OpId::transpose_int, {run_.value(id), std::int64_t{-2}, std::int64_t{-1}});
  }

  /// Whether the stack of matrices is multiplied as one tall matrix [should_fold].
  bool folds() const {
    const bool left_larger = sizes(left_).size() >= sizes(right_).size();
    const TensorId larger = left_larger ? left_ : right_;
    const TensorId smaller = left_larger ? right_ : left_;
    if (sizes(larger).size() < 3 || sizes(smaller).size() > 2) return false;
    return matmul_folds<Concrete>(run_.judge(), stays(larger), requires_grad(smaller),
                                  transposed(larger, sizes(smaller).size()))
        .v;
  }

  /// Whether the larger operand is one tall matrix already.
  bool stays(TensorId larger) const {
    if (sizes(left_).size() == 2) return false;
    Sizes of = sizes(larger);
    Sizes strides = strides_of(run_.tensor(larger).geometry);
    if (larger != left_) {
      std::swap(of[of.size() - 2], of.back());
      std::swap(strides[of.size() - 2], strides.back());
    }
    if (element_count(of) == 0) return true;
    for (std::size_t i = 0; i + 2 < of.size(); ++i)
      if (strides[i] != strides[i + 1] * of[i + 1]) return false;
    return true;
  }

  /// 1.13 does not fold a stack of transposed matrices [should_fold of 1.13].
  bool transposed(TensorId stack, std::size_t other) const {
    const Sizes of = sizes(stack);
    const Sizes strides = strides_of(run_.tensor(stack).geometry);
    return of.size() == 3 && other == 2 && strides.back() != 1 && strides.front() == of[1] * of[2];
  }

  TensorId folded() {
    const bool turns = sizes(right_).size() > sizes(left_).size();
    const TensorId stack = turns ? turned(right_) : left_;
    TensorId other = turns ? left_ : right_;
    if (turns && sizes(left_).size() == 2) other = run_.call(OpId::t, {run_.value(left_)});
    Sizes out = sizes(stack);
    const std::int64_t inner = out.back();
    out.pop_back();
    const std::int64_t rows = element_count(out);
    const bool by_matrix = sizes(other).size() == 2;
    if (by_matrix) out.push_back(sizes(other)[1]);
    const TensorId tall = reshaped(stack, {rows, inner});
    const TensorId product = viewed(call(by_matrix ? OpId::mm : OpId::mv, tall, other), out);
    if (!by_matrix || !turns) return product;
    return run_.call(OpId::contiguous, {run_.value(turned(product)), std::int64_t{0}});
  }

  TensorId stacked() {
    const Sizes a = sizes(left_);
    const Sizes b = sizes(right_);
    if (matmul_stacks_late<Concrete>(run_.judge(), a.size() == 3 && b.size() == 3 && a[0] != b[0]).v) {
      const auto squeezed = [&](TensorId id) {
        return run_.call(OpId::squeeze_dim, {run_.value(id), std::int64_t{0}});
      };
      if (a[0] == 1 && requires_grad(left_)) return Matmul(run_, squeezed(left_), right_).result();
      if (b[0] == 1 && requires_grad(right_)) return Matmul(run_, left_, squeezed(right_)).result();
    }
    const bool vector = b.size() == 1;
    const bool late = matmul_stacks_late<Concrete>(run_.judge(), vector).v;
    const std::int64_t rows = a.size() > 1 ? a[a.size() - 2] : 1;
    const std::int64_t inner = vector ? b[0] : b[b.size() - 2];
    Sizes batch = broadcast_sizes(run_.judge(), stack_of(a), stack_of(b));
    const std::int64_t count = element_count(batch);
    const auto behind = [&](std::initializer_list<std::int64_t> more) {
      Sizes all = batch;
      all.insert(all.end(), more);
      return all;
    };
    const TensorId left = reshaped(expanded(left_, behind({rows, a.back()})), {count, rows, a.back()});
    TensorId right = kNoTensor;
    if (vector && !late) {
      right = reshaped(expanded(right_, behind({inner, 1})), {count, inner, 1});
    } else if (vector) {
      right = reshaped(expanded(right_, behind({inner})), {count, inner});
      right = run_.call(OpId::unsqueeze, {run_.value(right), std::int64_t{2}});
    } else {
      right = reshaped(expanded(right_, behind({inner, b.back()})), {count, inner, b.back()});
    }
    if (a.size() > 1) batch.push_back(rows);
    if (!vector) batch.push_back(b.back());
    TensorId product = call(OpId::bmm, left, right);
    if (late) product = run_.call(OpId::squeeze_dim, {run_.value(product), std::int64_t{-1}});
    return viewed(product, batch);
  }

  /// The dimensions in front of the matrix.
  static Sizes stack_of(const Sizes& sizes) {
    return sizes.size() < 3 ? Sizes{} : Sizes(sizes.begin(), sizes.end() - 2);
  }

  CompositeRun& run_;
  TensorId left_;
  TensorId right_;
};

Ids matmul(CompositeRun& run) { return {Matmul(run, run.arguments().tensor(0), run.arguments().tensor(1)).result()}; }

// [aten/src/ATen/native/SoftMax.cpp, softmax]
Ids softmax(CompositeRun& run) {
  TensorId input = run.arguments().tensor(0);
  const std::optional<Dtype> dtype = run.arguments().dtype(2);
  if (dtype && *dtype != run.tensor(input).dtype)
    input = run.call(OpId::_to_copy, {run.value(input), *dtype, None{}, None{}, None{}, false, None{}});
  return {run.call(OpId::_softmax, {run.value(input), run.arguments().integer(1), false})};
}

}  // namespace

std::span<const CompositeEntry> product_composites() {
  static constexpr std::array entries{CompositeEntry{OpId::matmul, matmul}, CompositeEntry{OpId::softmax_int, softmax}};
  return entries;
}

}  // namespace plumbline::reference
