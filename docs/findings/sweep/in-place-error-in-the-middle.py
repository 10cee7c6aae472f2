# An in-place call that raises at one element has written those before it.
import torch

x = torch.tensor([9, 9, 9])
try:
    x.floor_divide_(torch.tensor([2, 2, 0]))
except RuntimeError as error:
    print(error)
print(x)
assert torch.equal(x, torch.tensor([9, 9, 9]))
