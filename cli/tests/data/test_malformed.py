# A call that PyTorch does not have either.
import torch

def test_typo(device):  # VER-03
    x = torch.zeroes([2], device=device)
