# native_batch_norm(out=) of a channels_last input into empty tensors gives wrong elements.
import torch

x = torch.rand(2, 3, 4, 4).to(memory_format=torch.channels_last)
out = torch.empty(0), torch.empty(0), torch.empty(0)
torch.native_batch_norm(x, None, None, None, None, True, 0.0, 1e-5, out=out)
expected = torch.native_batch_norm(x, None, None, None, None, True, 0.0, 1e-5)
print((out[0] - expected[0]).abs().max() > 0.1, out[0].stride())
assert torch.allclose(out[0], expected[0])
