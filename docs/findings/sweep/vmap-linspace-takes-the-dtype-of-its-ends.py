# Under vmap, linspace and logspace between tensors have the dtype of what is computed, not the default dtype.
import torch

ends = torch.tensor([0.0, 1.0])
got = torch.func.vmap(lambda one: torch.linspace(one, 2.7, 3))(ends)[0]
expected = torch.linspace(ends[0], 2.7, 3)
print(got.dtype, expected.dtype)
assert got.dtype == expected.dtype
