# Two programs that hold.
import torch


def test_view_shares_its_version(device):  # VER-04
    x = torch.zeros([2, 3], device=device)
    y = x.view([6])
    y.add_(1)
    assert x._version == 1


def test_view_of_a_normal_tensor_is_normal(device):  # INF-03
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        y = x.view([2])
    assert y.is_inference() is False
