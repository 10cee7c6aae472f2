# The programs of first-backend.md.
import pytest
import torch

def test_add(device):
    x = torch.ones([2], device=device)
    y = torch.add(x, 1)
    assert y.tolist() == [2.0, 2.0]

def test_refused_add_writes_nothing(device):  # INF-06
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError):
        a.add_(1)
    assert a.tolist() == [1.0, 1.0]

def test_view(device):
    x = torch.ones([2], device=device)
    v = x.view([1, 2])
    assert v._base is x
