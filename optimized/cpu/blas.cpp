// OpenBLAS: loaded when it is first needed, since loading it takes longer than most programs run, and starts threads.
#include "optimized/cpu/blas.h"

#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <type_traits>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::blas {

namespace {

static_assert(std::is_same_v<Int, blasint>);

class Library {
 public:
  static const Library& get() {
    static const Library loaded;
    return loaded;
  }

 private:
  void* handle_;

 public:
  decltype(&scipy_cblas_sgemm) sgemm;
  decltype(&scipy_cblas_dgemm) dgemm;
  decltype(&scipy_cblas_sgemv) sgemv;
  decltype(&scipy_cblas_dgemv) dgemv;

 private:
  Library()
      : handle_(dlopen(PLUMBLINE_OPENBLAS_LIBRARY, RTLD_NOW | RTLD_LOCAL)),
        sgemm(symbol<decltype(sgemm)>("scipy_cblas_sgemm")),
        dgemm(symbol<decltype(dgemm)>("scipy_cblas_dgemm")),
        sgemv(symbol<decltype(sgemv)>("scipy_cblas_sgemv")),
        dgemv(symbol<decltype(dgemv)>("scipy_cblas_dgemv")) {
    // parallel.h decides which threads work on an op.
    symbol<decltype(&scipy_openblas_set_num_threads)>("scipy_openblas_set_num_threads")(1);
  }

  template <class Function>
  Function symbol(const char* name) const {
    void* const found = handle_ == nullptr ? nullptr : dlsym(handle_, name);
    if (found == nullptr)
      raise_saying(ErrorClass::unclassified, "OpenBLAS has changed since this was built, so it cannot be used: " +
                                                 std::string(PLUMBLINE_OPENBLAS_LIBRARY) + " has no " + name);
    return reinterpret_cast<Function>(found);
  }
};

CBLAS_TRANSPOSE transpose(bool turned) { return turned ? CblasTrans : CblasNoTrans; }

}  // namespace

void load() { (void)Library::get(); }

template <class T>
void gemm(Int rows, Int columns, Int inner, const Operand<T>& a, const Operand<T>& b, T* c, Int step) {
  const auto run = [&](const auto function) {
    function(CblasRowMajor, transpose(a.turned), transpose(b.turned), rows, columns, inner, 1, a.data, a.step, b.data,
             b.step, 0, c, step);
  };
  if constexpr (std::is_same_v<T, float>) run(Library::get().sgemm);
  if constexpr (std::is_same_v<T, double>) run(Library::get().dgemm);
}

template <class T>
void gemv(Int rows, Int columns, const Operand<T>& a, const T* x, Int x_step, T* y, Int y_step) {
  for (std::ptrdiff_t i = 0; i < rows; ++i) y[i * y_step] = 0;  // it may be read, though it is multiplied by 0
  const Int stored_rows = a.turned ? columns : rows;
  const Int stored_columns = a.turned ? rows : columns;
  const auto run = [&](const auto function) {
    function(CblasRowMajor, transpose(a.turned), stored_rows, stored_columns, 1, a.data, a.step, x, x_step, 0, y,
             y_step);
  };
  if constexpr (std::is_same_v<T, float>) run(Library::get().sgemv);
  if constexpr (std::is_same_v<T, double>) run(Library::get().dgemv);
}

template void gemm(Int, Int, Int, const Operand<float>&, const Operand<float>&, float*, Int);
template void gemm(Int, Int, Int, const Operand<double>&, const Operand<double>&, double*, Int);
template void gemv(Int, Int, const Operand<float>&, const float*, Int, float*, Int);
template void gemv(Int, Int, const Operand<double>&, const double*, Int, double*, Int);

}  // namespace plumbline::optimized::blas
