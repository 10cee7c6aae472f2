# An assert that fails on every implementation.
import torch


def test_two_versions(device):  # VER-03
    x = torch.zeros([2], device=device)
    x.add_(1)
    assert x._version == 2
