# Under vmap, addbmm of uint8 gives int64, with other numbers.
import torch

x = torch.full((2, 3, 3, 3), 7, dtype=torch.uint8)
got = torch.func.vmap(lambda one: torch.addbmm(one[0], one, one))(x)[0]
expected = torch.addbmm(x[0][0], x[0], x[0])
print(got[0], expected[0])
assert got.dtype == expected.dtype and torch.equal(got, expected)
