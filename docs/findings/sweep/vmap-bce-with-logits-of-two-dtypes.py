# Under vmap and functionalize, binary_cross_entropy_with_logits of two dtypes has another dtype.
import torch

loss = torch.nn.functional.binary_cross_entropy_with_logits
x, target = torch.rand(2, 3, dtype=torch.float64), torch.rand(2, 3)
got = torch.func.vmap(loss)(x, target)
expected = loss(x[0], target[0])
print(got.dtype, expected.dtype)
assert got.dtype == expected.dtype
