// cuBLAS, which multiplies matrices of floats on a GPU. It is loaded when the device starts, so building needs none.
#include "optimized/cuda/cublas.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>

#include "optimized/tensor/error.h"

namespace plumbline::optimized::cuda::cublas {

namespace {

// What the functions take and return, as docs.nvidia.com/cuda/cublas declares them: a handle is a pointer, an operation
// 0 (as it is) or 1 (transposed), a status 0 where all is well.
using Handle = void*;
using Status = int;
template <class T>
using MultiplyFunction = Status (*)(Handle, int, int, std::int64_t, std::int64_t, std::int64_t, const T*, const T*,
                                    std::int64_t, const T*, std::int64_t, const T*, T*, std::int64_t);

struct Functions {
  Status (*create)(Handle*) = nullptr;
  Status (*set_stream)(Handle, void*) = nullptr;
  MultiplyFunction<float> of_floats = nullptr;
  MultiplyFunction<double> of_doubles = nullptr;
  Handle handle = nullptr;
  std::mutex mutex;  ///< a handle has one stream, and serves one thread at a time
};
/// Never destroyed: tensors of static storage may be used until the very end.
Functions& functions() {
  static auto* const all = new Functions;  // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

void* open_library() {
  const char* const given = std::getenv("PLUMBLINE_CUBLAS");
  const std::array<std::string, 3> names{given == nullptr ? "" : given, "libcublas.so.13", PLUMBLINE_CUBLAS_LIBRARY};
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); library != nullptr) return library;
  }
  return nullptr;
}

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

template <class T>
Status multiply(MultiplyFunction<T> function, const Gemm& it) {
  const T alpha = static_cast<T>(it.alpha);
  const T beta = static_cast<T>(it.beta);
  return function(functions().handle, it.a.turned ? 1 : 0, it.b.turned ? 1 : 0, it.rows, it.columns, it.inner, &alpha,
                  reinterpret_cast<const T*>(it.a.data), it.a.step, reinterpret_cast<const T*>(it.b.data), it.b.step,
                  &beta, reinterpret_cast<T*>(it.c.data), it.c.step);
}

}  // namespace

std::string load() {
  Functions& all = functions();
  void* const library = open_library();
  if (library == nullptr)
    return "there is no cuBLAS 13 (libcublas.so.13); install it (pip install 'nvidia-cublas==13.*'), and set "
           "PLUMBLINE_CUBLAS to its file if the system does not find it";
  if (!find(library, "cublasCreate_v2", all.create) || !find(library, "cublasSetStream_v2", all.set_stream) ||
      !find(library, "cublasSgemm_v2_64", all.of_floats) || !find(library, "cublasDgemm_v2_64", all.of_doubles))
    return "the cuBLAS that is here is too old: it has no products with sizes of 64 bits; install cuBLAS 13";
  if (const Status status = all.create(&all.handle); status != 0)
    return "cuBLAS does not start: status " + std::to_string(status) + " of cublasCreate";
  return {};
}

void gemm(const Gemm& it, void* stream) {
  Functions& all = functions();
  const std::scoped_lock lock(all.mutex);
  Status status = all.set_stream(all.handle, stream);
  if (status == 0) status = it.dtype == Dtype::float64 ? multiply(all.of_doubles, it) : multiply(all.of_floats, it);
  if (status != 0)
    raise_saying(ErrorClass::unclassified,
                 "CUDA error: cuBLAS refused a product of matrices with status " + std::to_string(status));
}

}  // namespace plumbline::optimized::cuda::cublas
