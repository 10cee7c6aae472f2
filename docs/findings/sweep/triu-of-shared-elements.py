# triu_ and tril_ give wrong elements where those of the tensor share memory.
import torch

x = torch.ones(1, 2).expand(2, 2)
expected = x.triu()
x.triu_()
print(x, expected)
assert torch.equal(x, expected)
