# native_batch_norm_backward does not check the statistics that it is given, and ends the process.
import torch

x = torch.ones(2, 3, 4)
torch.ops.aten.native_batch_norm_backward(x, x, None, None, None, None, None, False, 1e-5, [True, True, True])
