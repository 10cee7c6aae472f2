# normal of a mean without dimensions does not resize out=, and returns it without elements.
import torch

got = torch.normal(torch.tensor(1.0), 1.0, out=torch.empty(0))
print(got.shape, torch.normal(torch.tensor(1.0), 1.0).shape)
assert got.shape == ()
