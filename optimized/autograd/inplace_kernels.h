// ADInplaceOrView's kernels of ops that write a tensor: the check before the write, and the version after it.
#pragma once

#include <tuple>

#include "optimized/ops.h"
#include "optimized/tensor/error.h"

namespace plumbline::optimized {

/// Raises inference_inplace if a tensor without a version counter would be written outside inference mode.
inline void check_writable(const TensorImpl& impl) {
  if (impl.uncounted && !thread_state().inference_mode) [[unlikely]]
    raise(ErrorClass::inference_inplace);
}
inline void count_write(TensorImpl& impl) {
  if (!impl.uncounted) impl.bump_version();
}

/// The tensor that the op writes and returns: its first argument, or `out`, its last.
template <class Op, class... A>
const Tensor& written_of(const A&... arguments) {
  return std::get < Op::kind == OpKind::Out ? sizeof...(A) - 1 : 0 > (std::tie(arguments...));
}

template <class Op, class Function = typename Op::Function>
struct InplaceKernel;
template <class Op, class... A>
struct InplaceKernel<Op, const Tensor&(A...)> {
  static const Tensor& run(const Operator& op, KeySet keys, A... arguments) {
    const Tensor& written = written_of<Op>(arguments...);
    check_writable(written.impl());
    redispatch<Op>(op, keys & kAfterADInplaceOrView, arguments...);
    count_write(written.impl());
    return written;
  }
};

}  // namespace plumbline::optimized
