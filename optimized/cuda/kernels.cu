// The kernels that the runtime has for the device, by dtype.
#include <cstdint>

#include "optimized/cuda/functions.h"
#include "optimized/cuda/launch.cuh"
#include "optimized/cuda/pointwise.h"
#include "optimized/cuda/reduce.h"

namespace plumbline::optimized::cuda {

#define PLUMBLINE_LAUNCH(...) template cudaError_t launch(const __VA_ARGS__&, std::uint32_t, cudaStream_t)
#define PLUMBLINE_ARITHMETIC(OP, T)                               \
  PLUMBLINE_LAUNCH(Pointwise<T, Computed<Arithmetic::OP, T>, 3>); \
  PLUMBLINE_LAUNCH(Rows<T, Computed<Arithmetic::OP, T>, 3>)
#define PLUMBLINE_NUMBER(T)                   \
  PLUMBLINE_ARITHMETIC(add, T);               \
  PLUMBLINE_ARITHMETIC(sub, T);               \
  PLUMBLINE_ARITHMETIC(mul, T);               \
  PLUMBLINE_ARITHMETIC(add_scaled, T);        \
  PLUMBLINE_LAUNCH(Pointwise<T, Same<T>, 2>); \
  PLUMBLINE_LAUNCH(Pointwise<T, Filled<T>, 1>)
#define PLUMBLINE_SUM(FROM, TO, VALUE)                             \
  PLUMBLINE_LAUNCH(ReduceByBlock<FROM, TO, Sum<FROM, TO, VALUE>>); \
  PLUMBLINE_LAUNCH(ReduceByThread<FROM, TO, Sum<FROM, TO, VALUE>>)

PLUMBLINE_NUMBER(float);
PLUMBLINE_NUMBER(double);
PLUMBLINE_NUMBER(std::int64_t);
PLUMBLINE_NUMBER(std::int32_t);
PLUMBLINE_ARITHMETIC(div, float);
PLUMBLINE_ARITHMETIC(div, double);
PLUMBLINE_LAUNCH(Pointwise<bool, Computed<Arithmetic::add, bool>, 3>);
PLUMBLINE_LAUNCH(Pointwise<bool, Computed<Arithmetic::mul, bool>, 3>);
PLUMBLINE_LAUNCH(Pointwise<bool, Same<bool>, 2>);
PLUMBLINE_LAUNCH(Pointwise<bool, Filled<bool>, 1>);
PLUMBLINE_SUM(float, float, float);
PLUMBLINE_SUM(double, double, double);
PLUMBLINE_SUM(std::int64_t, std::int64_t, std::int64_t);
PLUMBLINE_SUM(std::int32_t, std::int64_t, std::int64_t);
PLUMBLINE_SUM(bool, std::int64_t, std::int64_t);

}  // namespace plumbline::optimized::cuda
