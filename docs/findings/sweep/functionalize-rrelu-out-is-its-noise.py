# Under functionalize, rrelu_with_noise(out=) gives the noise, not the result.
import torch


def call(x):
    return torch.ops.aten.rrelu_with_noise.out(x, torch.full((3,), 0.5), 0.25, 0.25, False, out=torch.empty(3))


x = torch.tensor([-1.0, 2.0, -4.0])
expected, got = call(x), torch.func.functionalize(call)(x)
print(expected, got)
assert torch.equal(expected, got)
