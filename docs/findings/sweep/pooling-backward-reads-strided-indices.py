# The backwards of adaptive_max_pool3d and fractional_max_pool read strided indices as if they were contiguous.
import torch

x = torch.rand(1, 4, 4, 4)
pooled, indices = torch.nn.functional.adaptive_max_pool3d(x, 2, return_indices=True)
strided = indices.transpose(1, 3).contiguous().transpose(1, 3)
backward = torch.ops.aten.adaptive_max_pool3d_backward
expected, got = backward(pooled, x, indices), backward(pooled, x, strided)
print(torch.equal(indices, strided), (expected - got).abs().max())
assert torch.equal(expected, got)
