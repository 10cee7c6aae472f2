// Ops that are registered on LibTorch's dispatcher for the benchmarks alone: as in bench/sides/ours_ops.cpp.
#pragma once

#include <ATen/core/Tensor.h>

namespace plumbline::bench::own_ops {

/// Its kernel does nothing.
void noop(const at::Tensor& a);
/// Add in place. Of the first the kernel at Autograd bumps the version, of the second that at ADInplaceOrView.
const at::Tensor& write_fused(const at::Tensor& to, const at::Tensor& from);
const at::Tensor& write_split(const at::Tensor& to, const at::Tensor& from);
/// Add. At Functionalize the first has the boxed fallback, the second a kernel as a code generator writes it.
at::Tensor op_fallback(const at::Tensor& a, const at::Tensor& b);
at::Tensor op_generated(const at::Tensor& a, const at::Tensor& b);

}  // namespace plumbline::bench::own_ops
