# The backwards of fractional max pooling do not check the sizes of indices, and end the process.
import torch

x = torch.ones(2, 3, 2, 2, 2)
torch.ops.aten.fractional_max_pool3d_backward(x, x, [2, 2, 2], [2, 2, 2], torch.empty(0, dtype=torch.int64))
