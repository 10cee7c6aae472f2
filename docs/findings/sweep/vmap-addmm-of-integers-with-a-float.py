# Under vmap, addmm of integers with a float for beta gives floats with a fraction.
import torch

x = torch.tensor([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
got = torch.func.vmap(lambda one: torch.addmm(one, one, one, beta=0.5))(x)[0]
expected = torch.addmm(x[0], x[0], x[0], beta=0.5)
print(got, expected)
assert got.dtype == expected.dtype
