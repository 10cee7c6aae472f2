# binary_cross_entropy without a reduction does not resize out=, and returns it without elements.
import torch

x, target = torch.rand(2, 2), torch.rand(2, 2)
out = torch.empty(0)
torch.ops.aten.binary_cross_entropy.out(x, target, None, 0, out=out)
expected = torch.nn.functional.binary_cross_entropy(x, target, reduction="none")
print(out.shape, expected.shape)
assert out.shape == expected.shape
