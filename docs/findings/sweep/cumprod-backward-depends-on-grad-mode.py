# With grad mode off, cumprod_backward of integers with a zero raises an error; with grad mode on it computes.
import torch

grad, x = torch.tensor([1, 2]), torch.tensor([0, 4])
backward = torch.ops.aten.cumprod_backward
expected = backward(grad, x, 0, torch.cumprod(x, 0))
with torch.no_grad():
    got = backward(grad, x, 0, torch.cumprod(x, 0))
assert torch.equal(got, expected)
