# native_channel_shuffle of no elements works on the CPU, and raises an error on meta.
import torch

print(torch.native_channel_shuffle(torch.empty(0, 2, 0, 1), 2).shape)
torch.native_channel_shuffle(torch.empty(0, 2, 0, 1, device="meta"), 2)
