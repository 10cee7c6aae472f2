// Tests with tensors of CUDA in several streams, on the host.
#pragma once

#include "optimized/cuda/host_stream.h"
#include "optimized/cuda/streams.h"
#include "optimized/tests/on_cuda.h"
#include "optimized/tests/values.h"

namespace plumbline::optimized::testing {

/// Two streams that no test had before.
class OnStreams : public OnCuda {
 protected:
  cuda::Stream a = cuda::new_stream();
  cuda::Stream b = cuda::new_stream();

  /// A tensor of the default stream, which is done.
  static Tensor ready(const Numbers& numbers) {
    const Tensor made = to_cuda(vector(numbers));
    cuda::synchronize();
    return made;
  }
  static Tensor made_in(cuda::Stream stream, const Numbers& numbers) {
    const cuda::StreamGuard guard(stream);
    return to_cuda(vector(numbers));
  }
  static void fill_in(cuda::Stream stream, const Tensor& x, double number) {
    const cuda::StreamGuard guard(stream);
    fill_(x, number);
    record_stream(x, stream);
  }
  /// If x is of another stream, it must stay until that is done.
  static Tensor unrecorded_neg_in(cuda::Stream stream, const Tensor& x) {
    const cuda::StreamGuard guard(stream);
    return neg(x);
  }
  static Tensor neg_in(cuda::Stream stream, const Tensor& x) {
    record_stream(x, stream);
    return unrecorded_neg_in(stream, x);
  }
  static cuda::Event recorded_in(cuda::Stream stream) {
    const cuda::StreamGuard guard(stream);
    cuda::Event event;
    event.record();
    return event;
  }
  static void wait_in(cuda::Stream stream, const cuda::Event& event) {
    const cuda::StreamGuard guard(stream);
    event.make_wait();
  }
  static Numbers seen_in(cuda::Stream stream, const Tensor& x) {
    const cuda::StreamGuard guard(stream);
    return numbers(to_cpu(x));
  }
};

}  // namespace plumbline::optimized::testing
