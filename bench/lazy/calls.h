// The calls of the lazy rows, written once for all sides: on the lazy device, and on the CPU.
#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <utility>

#include "bench/calls.h"

namespace plumbline::bench {

/// Floats of a tensor in a chain: 16 MiB, so that what stays in caches shows.
inline constexpr std::int64_t kChainElements = std::int64_t{1} << 22U;

/// Whether what a call made is read, so that a lazy side computes it.
enum class Read : bool { no, yes };
/// Whether every order of computation gives the same bits.
enum class Bits : bool { differ, equal };

/// A call whose result a lazy side computes at the end of it. `Side` has, beside what bench/calls.h needs, mul, t and
/// softmax, and finish(tensor), which has a tensor computed and copies nothing.
template <class Side, class Function>
class Computed final : public Workload {
 public:
  Computed(Function function, Read read, Bits bits) : function_(std::move(function)), read_(read), bits_(bits) {}

  void run(std::uint64_t times) override {
    for (; times != 0; --times) {
      const typename Side::Tensor made = function_();
      if (read_ == Read::yes) Side::finish(made);
      benchmark::DoNotOptimize(made);
    }
  }
  Outcome outcome() override {
    Outcome outcome = Side::outcome_of(function_());
    if (bits_ == Bits::differ) outcome.elements.clear();
    return outcome;
  }

 private:
  Function function_;
  Read read_;
  Bits bits_;
};

template <class Side, class Function>
std::unique_ptr<Workload> computed(Function function, Read read = Read::yes, Bits bits = Bits::equal) {
  return std::make_unique<Computed<Side, Function>>(std::move(function), read, bits);
}

/// A lazy case on this side; null for any other case.
template <class Side>
std::unique_ptr<Workload> lazy_workload_of(const Case& one) {
  using Tensor = typename Side::Tensor;
  if (!is_lazy(one)) return nullptr;
  Operands<Side> operands(one);
  constexpr std::int64_t kRows = 64;
  constexpr std::int64_t kWidth = 512;
  switch (one.call) {
    case Call::add:
      return computed<Side>(
          [a = operands.plain({one.size}), b = operands.plain({one.size})] { return Side::add(a, b); }, Read::no);
    case Call::chain:
      return computed<Side>([ops = one.size, x = operands.plain({kChainElements}), a = operands.plain({kChainElements}),
                             b = operands.plain({kChainElements})] {
        Tensor y = x;
        for (std::int64_t i = 0; i < ops; ++i)
          y = i % 3 == 0 ? Side::mul(y, a) : i % 3 == 1 ? Side::add(y, b) : Side::relu(y);
        return y;
      });
    case Call::perceptron:
      return computed<Side>([x = operands.plain({kRows, kWidth}), w1 = operands.plain({kWidth, kWidth}),
                             b1 = operands.plain({kWidth}), w2 = operands.plain({kWidth, kWidth}),
                             b2 = operands.plain({kWidth})] {
        const Tensor hidden = Side::relu(Side::add(Side::mm(x, w1), b1));
        return Side::relu(Side::add(Side::mm(hidden, w2), b2));
      });
    case Call::attention:
      return computed<Side>(
          [q = operands.plain({kWidth, kRows}), k = operands.plain({kWidth, kRows}),
           v = operands.plain({kWidth, kRows}), mask = operands.plain({kWidth, kWidth}), scale = operands.plain({1})] {
            const Tensor scores = Side::add(Side::mul(Side::mm(q, Side::t(k)), scale), mask);
            return Side::mm(Side::softmax(scores), v);
          },
          Read::yes, Bits::differ);
    default:
      return nullptr;
  }
}

}  // namespace plumbline::bench
