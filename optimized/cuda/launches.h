// The primitives of CUDA: which kernels compute what, on the device or on the host.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "optimized/cuda/functions.h"
#include "optimized/cuda/index.h"
#include "optimized/cuda/pointwise.h"
#include "optimized/cuda/product.h"
#include "optimized/cuda/random.h"
#include "optimized/cuda/reduce.h"
#include "optimized/cuda/rows.h"
#include "optimized/elements/primitives.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda {

/// Most elements that one launch computes.
inline constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 30;

inline Elements elements_of(const Operand& operand) {
  if (operand.device == Backend::CUDA) return {operand.data, operand.dtype};
  Elements number{nullptr, operand.dtype};
  std::memcpy(&number.number, operand.data, static_cast<std::size_t>(operand.item()));
  return number;
}

template <class T>
T* begin_of(const Operand& operand) {
  return reinterpret_cast<T*>(operand.data);
}

/// The loops over operands that broadcast to `sizes`, by the first one's memory.
template <std::size_t N>
LoopNest<static_cast<int>(N)> nest_over(IntList sizes, const std::array<Operand, N>& operands) {
  LoopNest<static_cast<int>(N)> nest(static_cast<int>(sizes.size()));
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    Steps<static_cast<int>(N)> steps;
    for (std::size_t k = 0; k < N; ++k) steps[k] = broadcast_stride(operands[k], sizes, d);
    nest.add(sizes[d], steps);
  }
  nest.sort();
  nest.merge();
  return nest;
}

/// As the members of Primitives. `Run::run(kernel, blocks)` starts a kernel, `Run::gemm(Gemm)` a product, and
/// `Run::multiprocessors()` is how many the device has.
template <class Run>
struct Launches {
  static void copy(IntList sizes, const Operand& to, const Operand& from) {
    visit_dtype(from.dtype, [&]<class T>(T) { each<T>(sizes, std::array{to, from}, Same<T>{}); });
  }
  static void fill(const Operand& to, Scalar number) {
    visit_dtype(to.dtype, [&]<class T>(T) { each<T>(to.sizes, std::array{to}, Filled<T>{number.to<T>()}); });
  }
  static void count(const Operand& to, Scalar first) {
    visit_dtype(to.dtype, [&]<class T>(T) {
      first.is_real() ? count_from<T>(to, first.real()) : count_from<T>(to, first.integer());
    });
  }
  static void arithmetic(Arithmetic op, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                         Dtype dtype, Scalar alpha) {
    const std::array operands{out, a, b};
    visit_dtype(dtype, [&]<class T>(T) {
      const T scale = alpha.to<T>();
      switch (op) {
        case Arithmetic::add:
          return each<T>(sizes, operands, Computed<Arithmetic::add, T>{});
        case Arithmetic::sub:
          if constexpr (!std::same_as<T, bool>) each<T>(sizes, operands, Computed<Arithmetic::sub, T>{});
          return;
        case Arithmetic::mul:
          return each<T>(sizes, operands, Computed<Arithmetic::mul, T>{});
        case Arithmetic::div:
          if constexpr (std::floating_point<T>) each<T>(sizes, operands, Computed<Arithmetic::div, T>{});
          return;
        case Arithmetic::add_scaled:
          return each<T>(sizes, operands, Computed<Arithmetic::add_scaled, T>{scale});
      }
    });
  }
  static void unary(UnaryFunction function, IntList sizes, const Operand& out, const Operand& in, Dtype dtype) {
    const std::array operands{out, in};
    switch (function) {
      case UnaryFunction::neg:
        return unary_of<UnaryFunction::neg>(sizes, operands, dtype);
      case UnaryFunction::relu:
        return unary_of<UnaryFunction::relu>(sizes, operands, dtype);
      case UnaryFunction::exp:
        return unary_of<UnaryFunction::exp>(sizes, operands, dtype);
      case UnaryFunction::tanh:
        return unary_of<UnaryFunction::tanh>(sizes, operands, dtype);
      case UnaryFunction::sqrt:
        return unary_of<UnaryFunction::sqrt>(sizes, operands, dtype);
    }
  }
  static void slope(Slope slope, IntList sizes, const Operand& out, const Operand& a, const Operand& b, Dtype dtype,
                    Scalar limit) {
    const std::array operands{out, a, b};
    visit_dtype(dtype, [&]<class T>(T) {
      if (slope == Slope::threshold) {
        if constexpr (!std::same_as<T, bool>) each<T>(sizes, operands, Sloped<Slope::threshold, T>{limit.to<T>()});
      } else {
        if constexpr (std::floating_point<T>) each<T>(sizes, operands, Sloped<Slope::tanh, T>{});
      }
    });
  }
  static void compare(Relation relation, IntList sizes, const Operand& out, const Operand& a, const Operand& b,
                      Dtype dtype) {
    const std::array operands{out, a, b};
    visit_dtype(dtype, [&]<class T>(T) {
      switch (relation) {
        case Relation::gt:
          return each<T>(sizes, operands, Holding<Relation::gt, T>{});
        case Relation::ge:
          return each<T>(sizes, operands, Holding<Relation::ge, T>{});
        case Relation::eq:
          return each<T>(sizes, operands, Holding<Relation::eq, T>{});
      }
    });
  }
  static void choose(IntList sizes, const Operand& out, const Operand& condition, const Operand& yes, const Operand& no,
                     Dtype dtype) {
    visit_dtype(dtype, [&]<class T>(T) { each<T>(sizes, std::array{out, condition, yes, no}, Chosen<T>{}); });
  }
  static void fill_where(IntList sizes, const Operand& to, const Operand& mask, Scalar number) {
    visit_dtype(to.dtype, [&]<class T>(T) {
      for_each_place(nest_over(sizes, std::array{to, mask}), [&](const Places<2>& places) {
        each_thread(FillWhere<T>{places, {elements_of(to), elements_of(mask)}, number.to<T>()});
      });
    });
  }
  static void sum(const ReductionLoops& loops, const Operand& from, const Operand& to, bool mean) {
    visit_dtype(from.dtype, [&]<class From>(From) {
      visit_dtype(to.dtype, [&]<class To>(To) {
        if constexpr (std::floating_point<From> ? std::same_as<From, To> : std::integral<To>) {
          using Carried = std::conditional_t<std::same_as<To, bool>, std::int64_t, To>;
          reduce<From, To>(loops, from, to, Sum<From, To, Carried>{mean ? static_cast<To>(loops.count) : To(1)});
        }
      });
    });
  }
  static void extreme(const ReductionLoops& loops, const Operand& from, const Operand& to, bool largest) {
    visit_dtype(from.dtype, [&]<class T>(T) {
      largest ? reduce<T, T>(loops, from, to, Extreme<T, true>{}) : reduce<T, T>(loops, from, to, Extreme<T, false>{});
    });
  }
  static void search(const RowLoops& loops, const Operand& from, const Operand& indices, const Operand* values) {
    visit_dtype(from.dtype, [&]<class T>(T) {
      T* const found = values == nullptr ? nullptr : begin_of<T>(*values);
      for_each_place(loops.rows, [&](const Places<2>& rows) {
        each_thread(
            Search<T>{{rows, begin_of<T>(from), loops.n, loops.from_step}, begin_of<std::int64_t>(indices), found});
      });
    });
  }
  static void softmax(const RowLoops& loops, const Operand& from, const Operand& to) {
    visit_dtype(from.dtype, [&]<class T>(T) {
      if constexpr (std::floating_point<T>)
        for_each_place(loops.rows, [&](const Places<2>& rows) {
          run(Softmax<T>{{rows, begin_of<T>(from), loops.n, loops.from_step}, begin_of<T>(to), loops.to_step});
        });
    });
  }
  static void gather(const IndexLoops& loops, const Operand& index, const Operand& out, const Operand& self) {
    with_index(self.dtype, loops, index, [&]<class T, class I>(const Indexed<T, I>& of) {
      each_thread(Gather<T, I>{of, begin_of<T>(out), begin_of<T>(self)});
    });
  }
  static void scatter_add(const IndexLoops& loops, const Operand& index, const Operand& from, const Operand& to) {
    with_index(to.dtype, loops, index, [&]<class T, class I>(const Indexed<T, I>& of) {
      if constexpr (std::floating_point<T>) each_thread(ScatterAdd<T, I>{of, begin_of<T>(from), begin_of<T>(to)});
    });
  }
  static void multiply(Dtype dtype, const MatrixOperand& out, Scalar factor, const MatrixOperand& left,
                       const MatrixOperand& right, Scalar added_factor, const MatrixOperand& added) {
    if (out.rows == 0 || out.columns == 0) return;
    visit_dtype(dtype, [&]<class T>(T) {
      const T keep = added_factor.to<T>();
      const bool adds = keep != T(0);
      const bool multiplies = factor.to<T>() != T(0) && left.columns != 0;
      if (!multiplies || adds) begin<T>(dtype, out, keep, added);
      if (!multiplies) return;
      if constexpr (std::floating_point<T>) by_blas(dtype, out, factor.to<T>(), left, right, adds);
      if constexpr (!std::floating_point<T>) by_kernel<T>(out, factor.to<T>(), left, right, adds);
    });
  }
  static void uniform(const Operand& to) {
    const std::int64_t count = numel_of(to.sizes);
    visit_dtype(to.dtype, [&]<class T>(T) {
      if constexpr (std::floating_point<T>) uniform_row<T>(begin_of<T>(to), count);
    });
  }
  static void seed(std::uint64_t seed) { random_generator.seed(seed); }
  static void add_up(const LoopNest<2>& places, const Operand& to, const Operand& from) {
    visit_dtype(to.dtype, [&]<class T>(T) {
      if constexpr (std::floating_point<T>)
        for_each_place(places,
                       [&](const Places<2>& part) { each_thread(AddUp<T>{part, begin_of<T>(to), begin_of<T>(from)}); });
    });
  }

 private:
  template <Kernel K>
  static void run(const K& kernel) {
    Run::run(kernel, kernel.blocks());
  }

  template <class Work>
  static void each_thread(const Work& work) {
    run(EachThread<Work>{work});
  }

  template <int N, class Visit>
  static void for_each_place(const LoopNest<N>& nest, const Visit& visit) {
    if (!nest.empty()) for_each_part(nest.levels(), Steps<N>{}, kMostAtOnce, visit);
  }

  /// `operands[0] = function(the others…)`, computed in T.
  template <class T, class Function, std::size_t N>
  static void each(IntList sizes, const std::array<Operand, N>& operands, const Function& function) {
    constexpr int kN = static_cast<int>(N);
    const LoopNest<kN> nest = nest_over(sizes, operands);
    if (nest.empty()) return;
    if constexpr (!std::same_as<T, bool>)
      if (are_rows<T>(nest, operands)) {
        Rows<T, Function, kN> rows{static_cast<std::uint32_t>(nest.size()), {}, {}, function};
        for (std::size_t k = 0; k < N; ++k) {
          if (is_number(operands[k])) {
            rows.numbers[k] = loaded_as<T>(operands[k].dtype, operands[k].data);
          } else {
            rows.rows[k] = begin_of<T>(operands[k]);
          }
        }
        return run(rows);
      }
    std::array<Elements, N> elements;
    std::ranges::transform(operands, elements.begin(), elements_of);
    for_each_place(nest,
                   [&](const Places<kN>& places) { run(Pointwise<T, Function, kN>{places, elements, function}); });
  }
  /// On the CPU, where only numbers are.
  static bool is_number(const Operand& operand) { return operand.device != Backend::CUDA; }
  /// Whether Rows computes it: each operand has Ts in a row, in whole packets from the first, or is a number.
  template <class T, std::size_t N>
  static bool are_rows(const LoopNest<static_cast<int>(N)>& nest, const std::array<Operand, N>& operands) {
    if (nest.levels().size() > 1 || nest.size() > kMostAtOnce) return false;
    for (std::size_t k = 0; k < N; ++k) {
      const Operand& operand = operands[k];
      if (is_number(operand)) continue;
      const bool adjacent = nest.levels().empty() || nest.innermost().steps[k] == 1;
      const bool of_ts = visit_dtype(operand.dtype, []<class Own>(Own) { return std::same_as<Own, T>; });
      if (!adjacent || !of_ts || reinterpret_cast<std::uintptr_t>(operand.data) % sizeof(Packet<T>) != 0) return false;
    }
    return true;
  }

  template <class T, class First>
  static void count_from(const Operand& to, First first) {
    const std::int64_t all = to.sizes[0];
    for (std::int64_t begin = 0; begin < all; begin += kMostAtOnce)
      each_thread(Count<T, First>{static_cast<std::uint32_t>(std::min(all - begin, kMostAtOnce)),
                                  static_cast<std::uint64_t>(begin), begin_of<T>(to) + begin, first});
  }

  /// out = factor · added; of a factor of 0, zeros.
  template <class T>
  static void begin(Dtype dtype, const MatrixOperand& out, T factor, const MatrixOperand& added) {
    const std::array<std::int64_t, 2> sizes{out.rows, out.columns};
    const std::array<std::int64_t, 2> out_steps{out.row_step, out.column_step};
    const std::array<std::int64_t, 2> added_steps{added.row_step, added.column_step};
    const Operand to{out.data, sizes, out_steps, dtype, Backend::CUDA};
    if (factor == T(0)) return each<T>(sizes, std::array{to}, Filled<T>{T(0)});
    each<T>(sizes, std::array{to, Operand{added.data, sizes, added_steps, dtype, Backend::CUDA}}, Scaled<T>{factor});
  }
  template <class T>
  static void by_kernel(const MatrixOperand& out, T factor, const MatrixOperand& left, const MatrixOperand& right,
                        bool adds) {
    LoopNest<3> nest(2);
    nest.add(out.rows, {out.row_step, left.row_step, 0});
    nest.add(out.columns, {out.column_step, 0, right.column_step});
    for_each_place(nest, [&](const Places<3>& places) {
      each_thread(Product<T>{places, reinterpret_cast<T*>(out.data), reinterpret_cast<const T*>(left.data),
                             reinterpret_cast<const T*>(right.data), left.columns, left.column_step, right.row_step,
                             factor, adds});
    });
  }
  /// out = factor · (left @ right), and what is in `out` already if it `adds`.
  static void by_blas(Dtype dtype, const MatrixOperand& out, double factor, const MatrixOperand& left,
                      const MatrixOperand& right, bool adds) {
    const auto to = by_columns(out);
    if (!to && by_columns(turned(out))) return by_blas(dtype, turned(out), factor, turned(right), turned(left), adds);
    if (!to)
      return in_a_row(dtype, out, adds, [&](const MatrixOperand& row) {
        by_blas(dtype, row, factor, left, right, adds);
        copy_matrix(dtype, out, row);
      });
    const auto a = by_either(left);
    const auto b = by_either(right);
    if (!a)
      return in_a_row(dtype, left, true,
                      [&](const MatrixOperand& row) { by_blas(dtype, out, factor, row, right, adds); });
    if (!b)
      return in_a_row(dtype, right, true,
                      [&](const MatrixOperand& row) { by_blas(dtype, out, factor, left, row, adds); });
    Run::gemm({dtype, out.rows, out.columns, left.columns, factor, *a, *b, adds ? 1.0 : 0.0, *to});
  }
  static void copy_matrix(Dtype dtype, const MatrixOperand& to, const MatrixOperand& from) {
    visit_dtype(dtype, [&]<class T>(T) { begin<T>(dtype, to, T(1), from); });
  }
  /// Visits the matrix in memory of its own, with its elements if it is `read`.
  template <class Visit>
  static void in_a_row(Dtype dtype, const MatrixOperand& matrix, bool read, const Visit& visit) {
    const DeviceScratch room(static_cast<std::size_t>(matrix.rows * matrix.columns * item_size(dtype)));
    const MatrixOperand row{room.data(), matrix.rows, matrix.columns, 1, matrix.rows};
    if (read) copy_matrix(dtype, row, matrix);
    visit(row);
  }

  template <class T>
  static void uniform_row(T* to, std::int64_t count) {
    const UniformGrid grid(count, Uniform<T>::kCount, Run::multiprocessors());
    Run::run(Uniform<T>{count, to, random_generator.take(grid.offsets)}, grid.blocks);
  }

  template <UnaryFunction kF>
  static void unary_of(IntList sizes, const std::array<Operand, 2>& operands, Dtype dtype) {
    visit_dtype(dtype, [&]<class T>(T) {
      if constexpr (kComputes<kF, T>) each<T>(sizes, operands, Valued<kF, T>{});
    });
  }

  /// With fewer elements for each result, a thread computes it alone.
  static constexpr std::uint32_t kFew = 64;

  template <class From, class To, class Reduction>
  static void reduce(const ReductionLoops& loops, const Operand& from, const Operand& to, const Reduction& reduction) {
    const auto levels = loops.reduced.levels();
    if (levels.size() > static_cast<std::size_t>(Places<1>::kMostLevels) || loops.reduced.size() > kMostAtOnce)
      raise_saying(ErrorClass::unclassified, "CUDA reduces at most 2^30 elements, in at most 16 levels, to one");
    Places<1> reduced;
    reduced.count = 0;
    if (!loops.reduced.empty()) reduced = places_of(levels, Steps<1>{});
    for_each_place(loops.kept, [&](const Places<2>& kept) {
      const Reduced<From, To, Reduction> of{kept, reduced, begin_of<From>(from), begin_of<To>(to), reduction};
      reduced.count > kFew ? run(ReduceByBlock<From, To, Reduction>{of}) : run(ReduceByThread<From, To, Reduction>{of});
    });
  }

  template <class Visit>
  static void with_index(Dtype dtype, const IndexLoops& loops, const Operand& index, const Visit& visit) {
    visit_dtype(dtype, [&]<class T>(T) {
      for_each_place(loops.places, [&](const Places<3>& places) {
        index.dtype == Dtype::int64
            ? visit(Indexed<T, std::int64_t>{places, begin_of<std::int64_t>(index), loops.step})
            : visit(Indexed<T, std::int32_t>{places, begin_of<std::int32_t>(index), loops.step});
      });
    });
  }
};

/// All primitives by `Run`.
template <class Run>
inline constexpr Primitives kPrimitivesBy{
    .copy = Launches<Run>::copy,
    .fill = Launches<Run>::fill,
    .count = Launches<Run>::count,
    .arithmetic = Launches<Run>::arithmetic,
    .unary = Launches<Run>::unary,
    .slope = Launches<Run>::slope,
    .compare = Launches<Run>::compare,
    .choose = Launches<Run>::choose,
    .fill_where = Launches<Run>::fill_where,
    .sum = Launches<Run>::sum,
    .extreme = Launches<Run>::extreme,
    .search = Launches<Run>::search,
    .softmax = Launches<Run>::softmax,
    .gather = Launches<Run>::gather,
    .scatter_add = Launches<Run>::scatter_add,
    .add_up = Launches<Run>::add_up,
    .multiply = Launches<Run>::multiply,
    .uniform = Launches<Run>::uniform,
    .seed = Launches<Run>::seed,
};

}  // namespace plumbline::optimized::cuda
