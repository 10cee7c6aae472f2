// A kernel for a chain of pointwise steps, each of which computes from the result of the one before: what several
// kernels of Rows compute, with one load of each operand and one store of each result that is needed.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "optimized/cuda/functions.h"
#include "optimized/cuda/kernel.h"
#include "optimized/cuda/pointwise.h"
#include "optimized/elements/computed.h"

namespace plumbline::optimized::cuda {

enum class StepFunction : std::uint8_t { add, sub, mul, div, add_scaled, neg, relu, exp, tanh, sqrt, same, scaled };

constexpr StepFunction step_function(Arithmetic op) { return static_cast<StepFunction>(op); }
constexpr StepFunction step_function(UnaryFunction f) {
  return static_cast<StepFunction>(static_cast<std::uint8_t>(StepFunction::neg) + static_cast<std::uint8_t>(f));
}
static_assert(step_function(Arithmetic::add_scaled) == StepFunction::add_scaled);
static_assert(step_function(UnaryFunction::sqrt) == StepFunction::sqrt);

/// Where a step's operand comes from.
enum class StepSource : std::uint8_t { none, before, row, number };

template <class T>
struct StepOperand {
  StepSource source = StepSource::none;
  const T* row = nullptr;
  T number = T(0);
};

template <class T>
struct ChainStep {
  StepFunction function = StepFunction::same;
  std::array<StepOperand<T>, 2> operands;
  T alpha = T(1);  ///< of add_scaled and scaled
  T* out = nullptr;
  bool saves = true;  ///< whether the result is written
};

/// Rows of floats, `count` elements each, as the operands of Rows are.
template <std::floating_point T>
struct Chain {
  using Shared = Nothing;
  using Own = Nothing;
  static constexpr int kPhases = 1;
  static constexpr std::uint32_t kMostSteps = 12;
  static constexpr std::uint32_t kCount = Packet<T>::kCount;

  std::uint32_t count = 0;  ///< of elements, at least 1
  std::uint32_t length = 0;
  std::array<ChainStep<T>, kMostSteps> steps;

  PLUMBLINE_HOST_DEVICE std::uint32_t packets() const { return count / kCount; }
  std::uint32_t blocks() const { return packets() < kThreads ? 1 : blocks_for(packets(), kThreads); }

  template <int P>
  PLUMBLINE_HOST_DEVICE void phase(const Place& place, Shared&, Own&) const {
    const std::uint32_t packet = place.block * kThreads + place.thread;
    if (packet < packets()) compute<Packet<T>>(packet);
    const std::uint32_t rest = packets() * kCount + place.thread;
    if (place.block + 1 == place.blocks && rest < count) compute<Single>(rest);
  }

 private:
  struct Single {
    static constexpr std::uint32_t kCount = 1;
    std::array<T, 1> elements;
  };

  /// The steps for the i-th packet of each row.
  template <class Few>
  PLUMBLINE_HOST_DEVICE void compute(std::uint32_t i) const {
    Few value{};
    for (std::uint32_t s = 0; s < length; ++s) {
      const ChainStep<T>& step = steps[s];
      value = result<Few>(step, operand(step.operands[0], value, i), operand(step.operands[1], value, i));
      if (step.saves) reinterpret_cast<Few*>(step.out)[i] = value;
    }
  }
  template <class Few>
  PLUMBLINE_HOST_DEVICE static Few operand(const StepOperand<T>& from, const Few& before, std::uint32_t i) {
    if (from.source == StepSource::before) return before;
    if (from.source == StepSource::row) return reinterpret_cast<const Few*>(from.row)[i];
    Few all;
    for (std::uint32_t k = 0; k < Few::kCount; ++k) all.elements[k] = from.number;
    return all;
  }
  template <class Few, class Function>
  PLUMBLINE_HOST_DEVICE static Few each(const Few& a, const Few& b, const Function& function) {
    Few out;
    for (std::uint32_t k = 0; k < Few::kCount; ++k) out.elements[k] = function(a.elements[k], b.elements[k]);
    return out;
  }
  template <UnaryFunction kF>
  struct OfFirst {
    PLUMBLINE_HOST_DEVICE T operator()(T a, T) const { return value_at<kF>(a); }
  };
  struct FirstScaled {
    T alpha;
    PLUMBLINE_HOST_DEVICE T operator()(T a, T) const { return computed<Arithmetic::mul>(alpha, a); }
  };
  template <class Few>
  PLUMBLINE_HOST_DEVICE static Few result(const ChainStep<T>& step, const Few& a, const Few& b) {
    switch (step.function) {
      case StepFunction::add:
        return each(a, b, Computed<Arithmetic::add, T>{});
      case StepFunction::sub:
        return each(a, b, Computed<Arithmetic::sub, T>{});
      case StepFunction::mul:
        return each(a, b, Computed<Arithmetic::mul, T>{});
      case StepFunction::div:
        return each(a, b, Computed<Arithmetic::div, T>{});
      case StepFunction::add_scaled:
        return each(a, b, Computed<Arithmetic::add_scaled, T>{step.alpha});
      case StepFunction::neg:
        return each(a, b, OfFirst<UnaryFunction::neg>{});
      case StepFunction::relu:
        return each(a, b, OfFirst<UnaryFunction::relu>{});
      case StepFunction::exp:
        return each(a, b, OfFirst<UnaryFunction::exp>{});
      case StepFunction::tanh:
        return each(a, b, OfFirst<UnaryFunction::tanh>{});
      case StepFunction::sqrt:
        return each(a, b, OfFirst<UnaryFunction::sqrt>{});
      case StepFunction::scaled:
        return each(a, b, FirstScaled{step.alpha});
      case StepFunction::same:
        break;
    }
    return a;
  }
};

/// A kernel of Rows as the step of a chain. `kIs`: whether it can be one.
template <class K>
struct AsStep {
  static constexpr bool kIs = false;
};
template <std::floating_point T, class Function, int N>
struct StepOfRows {
  static constexpr bool kIs = true;
  using Element = T;

  static ChainStep<T> step(const Rows<T, Function, N>& rows, StepFunction function, T alpha = T(1)) {
    ChainStep<T> made{function, {}, alpha, rows.rows[0], true};
    for (int k = 1; k < N; ++k)
      made.operands.at(static_cast<std::size_t>(k - 1)) =
          rows.rows[k] == nullptr ? StepOperand<T>{StepSource::number, nullptr, rows.numbers[k]}
                                  : StepOperand<T>{StepSource::row, rows.rows[k], T(0)};
    return made;
  }
};
template <std::floating_point T, Arithmetic kOp>
struct AsStep<Rows<T, Computed<kOp, T>, 3>> : StepOfRows<T, Computed<kOp, T>, 3> {
  static ChainStep<T> of(const Rows<T, Computed<kOp, T>, 3>& rows) {
    return AsStep::step(rows, step_function(kOp), rows.function.alpha);
  }
};
template <std::floating_point T, UnaryFunction kF>
struct AsStep<Rows<T, Valued<kF, T>, 2>> : StepOfRows<T, Valued<kF, T>, 2> {
  static ChainStep<T> of(const Rows<T, Valued<kF, T>, 2>& rows) { return AsStep::step(rows, step_function(kF)); }
};
template <std::floating_point T>
struct AsStep<Rows<T, Same<T>, 2>> : StepOfRows<T, Same<T>, 2> {
  static ChainStep<T> of(const Rows<T, Same<T>, 2>& rows) { return AsStep::step(rows, StepFunction::same); }
};
template <std::floating_point T>
struct AsStep<Rows<T, Scaled<T>, 2>> : StepOfRows<T, Scaled<T>, 2> {
  static ChainStep<T> of(const Rows<T, Scaled<T>, 2>& rows) {
    return AsStep::step(rows, StepFunction::scaled, rows.function.factor);
  }
};
template <std::floating_point T>
struct AsStep<Rows<T, Filled<T>, 1>> : StepOfRows<T, Filled<T>, 1> {
  static ChainStep<T> of(const Rows<T, Filled<T>, 1>& rows) {
    ChainStep<T> made = AsStep::step(rows, StepFunction::same);
    made.operands[0] = {StepSource::number, nullptr, rows.function.number};
    return made;
  }
};

}  // namespace plumbline::optimized::cuda
