# The gradient of kron is wrong, and nothing is raised, where an argument is written to before the backward.
import torch

x, y = torch.tensor([2.0], requires_grad=True), torch.tensor([3.0])
z = torch.kron(x, y)
y.zero_()
z.sum().backward()  # x * y raises an error here
print(x.grad)
assert x.grad == 3
