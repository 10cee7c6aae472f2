# Under functionalize, logsumexp and std with an out= of float64 are computed in float32.
import torch


def call(x):
    return torch.logsumexp(x, 0, out=torch.empty((), dtype=torch.float64))


x = torch.tensor([1.0, 2.0])
expected, got = call(x), torch.func.functionalize(call)(x)
print(expected.item(), got.item())
assert expected.item() == got.item()
