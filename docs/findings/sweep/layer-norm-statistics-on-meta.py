# native_layer_norm of bfloat16 has statistics of bfloat16 on the CPU, and of float32 on meta.
import torch

x = torch.rand(2, 4, dtype=torch.bfloat16)
cpu, meta = (torch.native_layer_norm(x.to(device), [4], None, None, 1e-5) for device in ("cpu", "meta"))
print([one.dtype for one in cpu], [one.dtype for one in meta])
assert [one.dtype for one in cpu] == [one.dtype for one in meta]
