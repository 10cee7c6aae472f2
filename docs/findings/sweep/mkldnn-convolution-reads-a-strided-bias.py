# mkldnn_convolution reads a strided bias as if it were contiguous.
import torch

x, weight, bias = torch.ones(1, 1, 3, 3), torch.ones(2, 1, 2, 2), torch.tensor([1.0, 9.0, 2.0])[::2]
got = torch.ops.aten.mkldnn_convolution(x, weight, bias, [0, 0], [1, 1], [1, 1], 1)
expected = torch.ops.aten.mkldnn_convolution(x, weight, bias.contiguous(), [0, 0], [1, 1], [1, 1], 1)
print(got[0, 1, 0, 0], expected[0, 1, 0, 0])
assert torch.equal(got, expected)
