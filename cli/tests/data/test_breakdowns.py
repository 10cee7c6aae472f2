# Programs whose names tell the fake adapter how to misbehave.
import torch


def test_hang(device):  # VER-01
    hang = torch.zeros([2], device=device)
    assert hang._version == 0


def test_crash(device):  # VER-01
    crash = torch.zeros([2], device=device)
    assert crash._version == 0


def test_cannot(device):  # VER-01
    unsupported = torch.zeros([2], device=device)
    assert unsupported._version == 0
