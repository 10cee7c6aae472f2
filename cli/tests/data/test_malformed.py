# A loop, which programs may not have.
import torch

def test_loop(device):  # VER-03
    for i in range(3):
        x = torch.zeros([2], device=device)
