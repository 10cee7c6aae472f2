# masked_fill_, index_fill_ and index_put_ write more elements than was asked where elements share memory.
import torch

x = torch.zeros(1).expand(2)
expected = x.masked_fill(torch.tensor([True, False]), 1.0)
x.masked_fill_(torch.tensor([True, False]), 1.0)  # add_ raises an error here
print(x, expected)
assert torch.equal(x, expected)
