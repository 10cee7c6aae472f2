# native_group_norm_backward reads strided tensors as if they were contiguous.
import torch

grad, x = torch.rand(2, 4, 3), torch.rand(2, 4, 3)
_, mean, rstd = torch.native_group_norm(x, None, None, 2, 4, 3, 2, 1e-5)
strided_grad, strided_x = (one.transpose(1, 2).contiguous().transpose(1, 2) for one in (grad, x))
backward = torch.ops.aten.native_group_norm_backward
expected = backward(grad, x, mean, rstd, None, 2, 4, 3, 2, [True, False, False])[0]
got = backward(strided_grad, strided_x, mean, rstd, None, 2, 4, 3, 2, [True, False, False])[0]
print(torch.equal(x, strided_x), (expected - got).abs().max() > 0.1)
assert torch.allclose(expected, got)
