# A write by kron(out=) is not counted, so a gradient that needs the old elements is wrong, and nothing is raised.
import torch

x, y = torch.ones(1, requires_grad=True), torch.tensor([5.0])
z = x * y
torch.kron(torch.tensor([2.0]), torch.tensor([1.0]), out=y)
print(y._version)
z.sum().backward()  # after torch.mul(..., out=y) this raises an error
print(x.grad)
assert x.grad == 5
