# native_batch_norm does not check the sizes of the running statistics, and ends the process.
import torch

x = torch.ones(10, 100000)
torch.native_batch_norm(x, None, None, torch.ones(100000), torch.ones(0), True, 0.1, 1e-5)
