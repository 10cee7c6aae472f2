# addmv_ and baddbmm_ give wrong elements where those of the tensor share memory; addmm_ and addbmm_ raise an error.
import torch

x, matrix, vector = torch.tensor([5]).expand(2), torch.tensor([[1, 2], [3, 4]]), torch.tensor([2, 3])
expected = x.addmv(matrix, vector)
x.addmv_(matrix, vector)
print(x, expected)
assert torch.equal(x, expected)
