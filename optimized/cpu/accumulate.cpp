// The CPU's sums of elements that go to the same places.
#include <concepts>

#include "optimized/cpu/primitives.h"
#include "optimized/elements/elements.h"

namespace plumbline::optimized {

namespace {

template <class T, class I>
void scatter_into(const IndexLoops& loops, const I* index, const T* from, T* to) {
  loops.places.for_each([&](const Steps<3>& at) { to[at[2] + index[at[0]] * loops.step] += from[at[1]]; });
}

}  // namespace

void cpu::scatter_add(const IndexLoops& loops, const Operand& index, const Operand& from, const Operand& to) {
  visit_dtype(to.dtype, [&]<class T>(T) {
    if constexpr (std::floating_point<T>) {
      const auto* const added = reinterpret_cast<const T*>(from.data);
      auto* const sums = reinterpret_cast<T*>(to.data);
      index.dtype == Dtype::int64 ? scatter_into(loops, reinterpret_cast<const std::int64_t*>(index.data), added, sums)
                                  : scatter_into(loops, reinterpret_cast<const std::int32_t*>(index.data), added, sums);
    }
  });
}

void cpu::add_up(const LoopNest<2>& places, const Operand& to, const Operand& from) {
  visit_dtype(to.dtype, [&]<class T>(T) {
    if constexpr (std::floating_point<T>)
      places.for_each([sums = reinterpret_cast<T*>(to.data), added = reinterpret_cast<const T*>(from.data)](
                          const Steps<2>& at) { sums[at[0]] += added[at[1]]; });
  });
}

}  // namespace plumbline::optimized
