// The calls of the rows, written once for all sides. A side has functions of these names, with PyTorch's meaning.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/rows.h"
#include "bench/workload.h"

namespace plumbline::bench {

/// Elements of an operand: -1, 0 or 1, so that sums and products of any order are exact and compared bit for bit.
inline std::vector<float> elements(std::int64_t count, std::uint32_t seed) {
  constexpr std::size_t kPeriod = 65'521;  // a prime: no two rows of a matrix are equal
  std::vector<float> made(static_cast<std::size_t>(count));
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::size_t i = 0; i < std::min(made.size(), kPeriod); ++i) {
    state = state * 1664525U + 1013904223U;
    made[i] = static_cast<float>(static_cast<int>((state >> 16) % 3) - 1);
  }
  for (std::size_t i = kPeriod; i < made.size(); i += kPeriod)
    std::copy_n(made.begin(), std::min(kPeriod, made.size() - i), made.begin() + static_cast<std::ptrdiff_t>(i));
  return made;
}

/// A call as a workload. `Side` has Tensor, Guard (of a mode), outcome_of and trim.
template <class Side, class Function>
class Timed final : public Workload {
 public:
  Timed(Mode mode, Function function, bool initialised)
      : mode_(mode), function_(std::move(function)), initialised_(initialised) {}

  void run(std::uint64_t times) override {
    const typename Side::Guard guard(mode_);
    for (; times != 0; --times) call();
  }
  Outcome outcome() override {
    const typename Side::Guard guard(mode_);
    call();
    call();
    if constexpr (std::is_void_v<Result>) {
      return {"nothing", {}};
    } else {
      Outcome outcome = Side::outcome_of(function_());
      if (!initialised_) outcome.elements.clear();
      return outcome;
    }
  }
  bool hold(std::size_t count) override {
    if constexpr (std::is_same_v<Result, typename Side::Tensor>) {
      held_.clear();
      held_.reserve(kMostHeld);
      Side::trim();
      const typename Side::Guard guard(mode_);
      for (std::size_t i = 0; i < count; ++i) held_.push_back(function_());
      return true;
    }
    return false;
  }

 private:
  using Result = std::invoke_result_t<Function&>;

  void call() {
    if constexpr (std::is_void_v<Result>) {
      function_();
      benchmark::ClobberMemory();
    } else {
      auto&& result = function_();
      benchmark::DoNotOptimize(result);
    }
  }

  Mode mode_;
  Function function_;
  bool initialised_;  ///< whether the result's elements are defined
  std::vector<typename Side::Tensor> held_;
};

template <class Side, class Function>
std::unique_ptr<Workload> timed(Mode mode, Function function, bool initialised = true) {
  return std::make_unique<Timed<Side, Function>>(mode, std::move(function), initialised);
}

/// Hides the argument's value from the compiler.
template <class T>
const T& opaque(const T& argument) {
  benchmark::DoNotOptimize(argument);
  return argument;
}

/// The operands of a case, made in its mode.
template <class Side>
class Operands {
 public:
  using Tensor = typename Side::Tensor;

  explicit Operands(const Case& one) : mode_(one.mode) {}

  /// A tensor that does not require grad.
  Tensor plain(std::initializer_list<std::int64_t> sizes) {
    const bool functional = mode_ == Mode::functional;
    const typename Side::Guard guard(made_in());
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) count *= size;
    const Tensor made = Side::tensor(elements(count, ++made_), sizes);
    return functional ? Side::functional(made) : made;
  }
  /// A tensor that requires grad, if the mode is `grad` or `no_grad`.
  Tensor leaf(std::initializer_list<std::int64_t> sizes) {
    Tensor made = plain(sizes);
    if (mode_ == Mode::grad || mode_ == Mode::no_grad) Side::require_grad(made);
    return made;
  }

 private:
  Mode made_in() const {
    if (mode_ == Mode::outside) return Mode::inference;
    return mode_ == Mode::functional || mode_ == Mode::below ? Mode::normal : mode_;
  }

  Mode mode_;
  std::uint32_t made_ = 0;
};

/// An in-place call. If its history is recorded, it is cut now and then, since it would grow without end.
template <class Side, class Write>
std::unique_ptr<Workload> writing(const Case& one, const typename Side::Tensor& written, const Write& write) {
  if (one.mode != Mode::grad) return timed<Side>(one.mode, [=]() -> const auto& { return write(opaque(written)); });
  constexpr int kLongest = 64;
  return timed<Side>(one.mode, [=, calls = 0]() mutable -> const auto& {
    if (++calls % kLongest == 0) Side::detach_(written);
    return write(opaque(written));
  });
}

template <class Side>
std::unique_ptr<Workload> pointwise_call(const Case& one) {
  using Tensor = typename Side::Tensor;
  Operands<Side> operands(one);
  const Tensor a =
      one.call == Call::add_ && one.mode == Mode::grad ? operands.plain({one.size}) : operands.leaf({one.size});
  switch (one.call) {
    case Call::add:
      return timed<Side>(one.mode, [a, b = operands.plain({one.size})] { return Side::add(opaque(a), opaque(b)); });
    case Call::sum:
      return timed<Side>(one.mode, [a] { return Side::sum(opaque(a)); });
    case Call::add_:
      return writing<Side>(one, a, [b = operands.leaf({one.size})](const Tensor& to) -> const Tensor& {
        return Side::add_(to, opaque(b));
      });
    default:
      return writing<Side>(one, operands.plain({one.size}),
                           [a](const Tensor& to) -> const Tensor& { return Side::copy_(to, opaque(a)); });
  }
}

template <class Side>
std::unique_ptr<Workload> view_call(const Case& one) {
  Operands<Side> operands(one);
  const auto base = operands.leaf({4});
  switch (one.call) {
    case Call::view:
      return timed<Side>(one.mode, [base] { return Side::view(opaque(base), {2, 2}); });
    case Call::slice:
      return timed<Side>(one.mode, [base] { return Side::slice(opaque(base), 0, 1, 3, 1); });
    default:
      return timed<Side>(one.mode, [base, views = std::vector<typename Side::Tensor>(), depth = one.size]() mutable {
        views.clear();
        views.reserve(static_cast<std::size_t>(depth));
        views.push_back(Side::view(opaque(base), {2, 2}));
        while (static_cast<std::int64_t>(views.size()) < depth) views.push_back(Side::view(views.back(), {2, 2}));
      });
  }
}

template <class Side>
std::unique_ptr<Workload> matrix_call(const Case& one) {
  Operands<Side> operands(one);
  if (one.call == Call::mm)
    return timed<Side>(one.mode, [a = operands.leaf({one.size, one.size}), b = operands.plain({one.size, one.size})] {
      return Side::mm(opaque(a), opaque(b));
    });
  return timed<Side>(one.mode, [x = operands.plain({1, 8}), w1 = operands.leaf({8, 16}), b1 = operands.leaf({16}),
                                w2 = operands.leaf({16, 4}), b2 = operands.leaf({4})] {
    return Side::addmm(opaque(b2), Side::relu(Side::addmm(opaque(b1), opaque(x), opaque(w1))), opaque(w2));
  });
}

template <class Side>
std::unique_ptr<Workload> memory_call(const Case& one) {
  Operands<Side> operands(one);
  if (one.call == Call::empty)
    return timed<Side>(one.mode, [size = one.size] { return Side::empty({opaque(size)}); }, false);
  std::vector<typename Side::Tensor> alive;
  for (std::int64_t i = 0; i < one.size; ++i) alive.push_back(operands.plain({1}));
  return timed<Side>(one.mode, [a = operands.plain({1}), b = operands.plain({1}), alive = std::move(alive)] {
    return Side::add(opaque(a), opaque(b));
  });
}

/// Rows of one functional base: all are selected, then all written, then all synced.
template <class Side>
std::unique_ptr<Workload> rows_call(const Case& one) {
  using Tensor = typename Side::Tensor;
  Operands<Side> operands(one);
  if (one.call == Call::row)
    return timed<Side>(one.mode, [base = operands.plain({16, one.size}), b = operands.plain({one.size})] {
      Tensor row = Side::select(opaque(base), 0, 3);
      Side::add_(row, opaque(b));
      Side::sync(row);
      return row;
    });
  constexpr std::int64_t kRow = 256;
  return timed<Side>(one.mode,
                     [base = operands.plain({one.size, kRow}), b = operands.plain({kRow}), rows = std::vector<Tensor>(),
                      count = one.size]() mutable -> const Tensor& {
                       rows.clear();
                       rows.reserve(static_cast<std::size_t>(count));
                       for (std::int64_t i = 0; i < count; ++i) rows.push_back(Side::select(opaque(base), 0, i));
                       for (const Tensor& row : rows) Side::add_(row, opaque(b));
                       for (const Tensor& row : rows) Side::sync(row);
                       return base;
                     });
}

/// Runs `inner` inside `depth` guards.
template <class Side, class Inner>
void nest(std::int64_t depth, const Inner& inner) {
  if (depth == 0) return inner();
  const typename Side::InferenceMode guard;
  Side::barrier();
  nest<Side>(depth - 1, inner);
}

/// A guard, entered and left inside `depth` others.
template <class Side>
class Guards final : public Workload {
 public:
  explicit Guards(std::int64_t depth) : depth_(depth) {}
  void run(std::uint64_t times) override {
    nest<Side>(depth_, [&] {
      for (; times != 0; --times) {
        const typename Side::InferenceMode guard;
        Side::barrier();
      }
      Side::barrier();
    });
  }
  Outcome outcome() override {
    Outcome seen;
    nest<Side>(depth_, [&] {
      const typename Side::InferenceMode guard;
      seen.what = Side::in_inference_mode() ? "inside: on" : "inside: off";
    });
    seen.what += Side::in_inference_mode() ? ", after it: on" : ", after it: off";
    return seen;
  }

 private:
  std::int64_t depth_;
};

/// A write of an inference tensor outside the mode, which raises.
template <class Side>
class Illegal final : public Workload {
 public:
  void run(std::uint64_t times) override {
    for (; times != 0; --times) benchmark::DoNotOptimize(write());
  }
  Outcome outcome() override { return {message_of_write(), {}}; }

 private:
  using Tensor = typename Side::Tensor;
  /// Whether it raised.
  bool write() const {
    try {
      Side::add_(opaque(written_), opaque(other_));
    } catch (const typename Side::Error& error) {
      benchmark::DoNotOptimize(&error);
      return true;
    }
    return false;
  }
  std::string message_of_write() const {
    try {
      Side::add_(written_, other_);
    } catch (const typename Side::Error& error) {
      return Side::message_of(error);
    }
    return "did not raise";
  }

  Tensor written_ = Operands<Side>({Call::illegal, Mode::inference, 1}).plain({1});
  Tensor other_ = Operands<Side>({Call::illegal, Mode::normal, 1}).plain({1});
};

/// Another guard than InferenceMode, entered and left.
template <class Side, class Guard>
class Entered final : public Workload {
 public:
  void run(std::uint64_t times) override {
    for (; times != 0; --times) {
      const Guard guard;
      Side::barrier();
    }
  }
  /// What an op gives inside, of a tensor that requires grad: whether it was recorded.
  Outcome outcome() override {
    const auto leaf = Operands<Side>({Call::add, Mode::grad, 1}).leaf({1});
    const Guard guard;
    return Side::outcome_of(Side::add(leaf, leaf));
  }
};

/// The rows that the claims need: a version bump, and ops of our own.
template <class Side>
std::unique_ptr<Workload> own_call(const Case& one) {
  Operands<Side> operands(one);
  const std::int64_t size = std::max<std::int64_t>(one.size, 1);
  const auto a = operands.plain({size});
  if (one.call == Call::bump) return timed<Side>(one.mode, [a] { Side::bump(opaque(a)); });
  const auto b = operands.plain({size});
  switch (one.call) {
    case Call::write_fused:
      return timed<Side>(one.mode, [a, b]() -> const auto& { return Side::write_fused(opaque(a), opaque(b)); });
    case Call::write_split:
      return timed<Side>(one.mode, [a, b]() -> const auto& { return Side::write_split(opaque(a), opaque(b)); });
    case Call::op_fallback:
      return timed<Side>(one.mode, [a, b] { return Side::op_fallback(opaque(a), opaque(b)); });
    default:
      return timed<Side>(one.mode, [a, b] { return Side::op_generated(opaque(a), opaque(b)); });
  }
}

/// The case's call on this side; null where the side does not have it.
template <class Side>
std::unique_ptr<Workload> workload_of(const Case& one) {
  switch (one.call) {
    case Call::dispatch:
      return timed<Side>(one.mode, [x = Operands<Side>(one).plain({1})] { Side::noop(opaque(x)); });
    case Call::guard:
      return std::make_unique<Guards<Side>>(0);
    case Call::nested:
      return std::make_unique<Guards<Side>>(one.size);
    case Call::illegal:
      return std::make_unique<Illegal<Side>>();
    case Call::guard_below:
      return std::make_unique<Entered<Side, typename Side::BelowADInplaceOrView>>();
    case Call::guard_legacy:
      if constexpr (requires { typename Side::AutoNonVariableTypeMode; }) {
        return std::make_unique<Entered<Side, typename Side::AutoNonVariableTypeMode>>();
      } else {
        return nullptr;
      }
    case Call::bump:
    case Call::write_fused:
    case Call::write_split:
    case Call::op_fallback:
    case Call::op_generated:
      return own_call<Side>(one);
    case Call::view:
    case Call::slice:
    case Call::deep:
      return view_call<Side>(one);
    case Call::row:
    case Call::rows:
      return rows_call<Side>(one);
    case Call::mm:
    case Call::mlp:
      return matrix_call<Side>(one);
    case Call::empty:
    case Call::alive:
      return memory_call<Side>(one);
    default:
      return pointwise_call<Side>(one);
  }
}

}  // namespace plumbline::bench
