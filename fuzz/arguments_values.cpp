// The arguments of ops that compute: masks, matrices and vectors, dimensions of reductions.
#include <algorithm>
#include <array>

#include "fuzz/meaning.h"

namespace plumbline::fuzz {

namespace {

std::int64_t size_at(const reference::Tensor& tensor, std::size_t i) { return tensor.geometry.sizes[i].v; }

/// A tensor for which `fits` holds; if there is none, one of these sizes and this dtype must be made.
template <class Fits>
Value fitting_tensor(Scene& s, const Fits& fits, Sizes sizes, Dtype dtype) {
  if (s.careless) return first_or_last(s, s.live);
  std::vector<Slot> fitting;
  std::ranges::copy_if(s.live, std::back_inserter(fitting), [&](Slot slot) { return fits(tensor_in(s.state, slot)); });
  if (!fitting.empty()) return s.self() == nullptr ? first_or_last(s, fitting) : other_kind_or_any(s, fitting);
  s.missing = std::move(sizes);
  s.missing_dtype = dtype;
  return None{};
}

/// A mask that broadcasts with self or, for a write, to self.
Value mask(Scene& s) {
  const bool writes = s.op.kind == OpKind::Inplace;
  const auto fits = [&](const reference::Tensor& t) {
    return t.dtype == Dtype::boolean && broadcasts_to(sizes_of(t), s.sizes(), !writes);
  };
  return fitting_tensor(s, fits, s.sizes(), Dtype::boolean);
}

Value condition(Scene& s) {
  const auto fits = [](const reference::Tensor& t) { return t.dtype == Dtype::boolean || t.dtype == Dtype::uint8; };
  const Sizes newest = sizes_of(tensor_in(s.state, s.live.back()));
  return fitting_tensor(s, fits, newest, Dtype::boolean);
}

/// A tensor that broadcasts with every tensor chosen so far.
Value alternative(Scene& s) {
  const auto fits = [&](const reference::Tensor& t) {
    for (std::size_t i = 0; i < s.arguments.size(); ++i)
      if (!broadcasts_to(sizes_of(t), sizes_of(s.tensor(i)), true)) return false;
    return true;
  };
  return fitting_tensor(s, fits, {}, Dtype::float32);
}

/// A vector or a stack of matrices by which self can be multiplied: its second-to-last dimension fits self's last.
Value right_factor(Scene& s, std::size_t least, std::size_t most) {
  const Sizes own = s.sizes();
  const std::int64_t inner = own.empty() ? 1 : own.back();
  const auto fits = [&](const reference::Tensor& t) {
    const std::size_t rank = rank_of(t);
    if (rank < least || rank > most || t.dtype != s.self()->dtype) return false;
    if (rank == 3 && own.size() == 3 && size_at(t, 0) != own[0] && (least == 3 || size_at(t, 0) != 1)) return false;
    return size_at(t, rank < 2 ? 0 : rank - 2) == inner;
  };
  Sizes sizes{inner};
  if (most > 1) sizes.push_back(2);
  if (least == 3) sizes.insert(sizes.begin(), own.empty() ? 1 : own.front());
  return fitting_tensor(s, fits, std::move(sizes), s.self() == nullptr ? Dtype::float32 : s.self()->dtype);
}

Value second_matrix(Scene& s) { return right_factor(s, 2, 2); }
Value second_stack(Scene& s) { return right_factor(s, 3, 3); }
Value second_vector(Scene& s) { return right_factor(s, 1, 1); }
Value second_factor(Scene& s) { return right_factor(s, 1, 3); }

/// The matrices of addmm: their product's sizes are those that self expands to.
Value first_of_product(Scene& s) {
  const Sizes own = s.sizes();
  const bool open = own.size() < 2 || own[0] == 1;
  const auto fits = [&](const reference::Tensor& t) {
    return rank_of(t) == 2 && t.dtype == s.self()->dtype && (open || size_at(t, 0) == own[0]);
  };
  return fitting_tensor(s, fits, {open ? 2 : own[0], 2}, s.self()->dtype);
}
Value second_of_product(Scene& s) {
  const Sizes own = s.sizes();
  const bool open = own.empty() || own.back() == 1;
  const reference::Tensor& left = s.tensor(1);
  const std::int64_t inner = rank_of(left) == 2 ? size_at(left, 1) : 2;  // a careless choice may be no matrix
  const auto fits = [&](const reference::Tensor& t) {
    return rank_of(t) == 2 && t.dtype == s.self()->dtype && size_at(t, 0) == inner &&
           (open || size_at(t, 1) == own.back());
  };
  return fitting_tensor(s, fits, {inner, open ? 2 : own.back()}, s.self()->dtype);
}

Value factor(Scene& s) {
  constexpr std::array<std::int64_t, 5> factors{1, 1, 2, 0, -1};
  const std::size_t pick = s.choices.below(factors.size() + 1);
  return pick < factors.size() ? Value(factors[pick]) : Value(0.5);
}

Value optional_dimension(Scene& s) { return s.choices.one_in(3) ? Value(None{}) : dimension(s); }

Value floating_dtype(Scene& s) {
  if (s.choices.one_in(8)) return dtype(s);
  const bool integral = s.self() != nullptr && !is_floating(s.self()->dtype);
  if (!integral && !s.choices.one_in(4)) return None{};
  return perhaps_half(s.choices.one_in(2) ? Dtype::float64 : Dtype::float32, s.choices);
}
Value seldom_dtype(Scene& s) { return s.choices.one_in(3) ? dtype(s) : Value(None{}); }

constexpr std::array kValueMeanings{
    Meaning{"masked_fill", "mask", mask},
    Meaning{"where", "condition", condition},
    Meaning{"where", "self", alternative},
    Meaning{"where", "other", alternative},
    Meaning{"mm", "mat2", second_matrix},
    Meaning{"bmm", "mat2", second_stack},
    Meaning{"mv", "vec", second_vector},
    Meaning{"dot", "tensor", second_vector},
    Meaning{"matmul", "other", second_factor},
    Meaning{"addmm", "mat1", first_of_product},
    Meaning{"addmm", "mat2", second_of_product},
    Meaning{"addmm", "alpha", factor},
    Meaning{"addmm", "beta", factor},
    Meaning{"mean", "dim", some_dimensions},
    Meaning{"mean", "dtype", floating_dtype},
    Meaning{"softmax", "dtype", floating_dtype},
    Meaning{"rand", "dtype", floating_dtype},
    Meaning{"argmax", "dim", optional_dimension},
    Meaning{"aminmax", "dim", optional_dimension},
    Meaning{"empty_like", "dtype", seldom_dtype},
    Meaning{"zeros_like", "dtype", seldom_dtype},
    Meaning{"ones_like", "dtype", seldom_dtype},
    Meaning{"full_like", "dtype", seldom_dtype},
    Meaning{"new_full", "dtype", seldom_dtype},
};

}  // namespace

std::span<const Meaning> value_meanings() { return kValueMeanings; }

}  // namespace plumbline::fuzz
