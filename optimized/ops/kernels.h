// The kernels that the runtime registers for the ops of the table, file by file.
#pragma once

#include <span>
#include <vector>

#include "optimized/ops/call.h"

namespace plumbline::optimized {

/// What backends have for the ops: each file under cpu/ lists its own. A kernel checks everything that can be wrong
/// before it writes or makes anything, and knows nothing about autograd, versions or views.
std::span<const OpKernel> factory_kernels();
std::span<const OpKernel> pointwise_kernels();
std::span<const OpKernel> unary_kernels();
std::span<const OpKernel> slope_kernels();
std::span<const OpKernel> comparison_kernels();
std::span<const OpKernel> copy_kernels();
std::span<const OpKernel> reduction_kernels();
std::span<const OpKernel> maximum_kernels();
std::span<const OpKernel> matrix_kernels();
std::span<const OpKernel> index_kernels();
std::span<const OpKernel> join_kernels();
std::span<const OpKernel> view_kernels();
std::span<const OpKernel> view_copy_kernels();
std::span<const OpKernel> scatter_kernels();
/// In-place views, `resize_` and `set_`: the ops that change a tensor's layout or its storage.
std::span<const OpKernel> layout_kernels();

/// All of them, list by list. They compute by the primitives of the thread's device.
std::vector<std::span<const OpKernel>> dense_kernels();

/// What stands on other devices in the place of kernels whose first branch reads a single element on the CPU.
std::span<const OpKernel> device_pointwise_kernels();
std::span<const OpKernel> device_unary_kernels();
std::span<const OpKernel> device_comparison_kernels();
std::span<const OpKernel> device_copy_kernels();
std::span<const OpKernel> device_reduction_kernels();
std::vector<std::span<const OpKernel>> device_kernels();

/// BackendSelect's kernels of the factories, which have no tensor to bring a backend's key.
std::span<const OpKernel> backend_select_kernels();

/// CompositeImplicitAutograd: ops that run as the ops that they call.
std::span<const OpKernel> shape_composites();
std::span<const OpKernel> product_composites();

/// Autograd's and ADInplaceOrView's kernels, which are generated from the table.
std::span<const OpKernel> autograd_kernels();
std::span<const OpKernel> ad_inplace_or_view_kernels();

/// Functionalize's kernels, and those in front of all while a functionalized body runs
/// (FuncTorchDynamicLayerFrontMode's), which are generated from the table as well.
std::span<const OpKernel> functionalize_kernels();
std::span<const OpKernel> front_kernels();
/// FuncTorchBatched's, which run while a mapped body runs.
std::span<const OpKernel> batched_kernels();
/// FuncTorchGradWrapper's, which run before all others while a differentiated body runs.
std::span<const OpKernel> grad_kernels();

}  // namespace plumbline::optimized
