// How a recorded write through a view changes its base's history and the histories of the other views.
#pragma once

#include "optimized/autograd/node.h"

namespace plumbline::optimized {

/// The node of a base after `written`, a view of it, was written by `by`: the gradient of what the view sees goes
/// through `by`, the rest to what the base was [torch/csrc/autograd/functions/tensor.cpp, CopySlices].
Ref<Node> copy_slices(const Tensor& base, const Tensor& written, const Ref<Node>& by);

/// The node of a view that sees `base` as it is now, only by sizes, strides and offset.
Ref<Node> as_strided_of_base(const Tensor& base, const Tensor& view);

}  // namespace plumbline::optimized
