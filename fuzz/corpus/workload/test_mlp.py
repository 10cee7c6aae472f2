# A perceptron with one hidden layer, created and run in one mode, with weights as in training.
# inference-mode-docs, 'we make the following performance guarantees'; `plumbline table workload` measures them here.
import pytest
import torch


def mlp(device):
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    torch.manual_seed(5)
    w1 = torch.rand([2, 3], device=device, requires_grad=True)
    b1 = torch.rand([2], device=device, requires_grad=True)
    w2 = torch.rand([2, 1], device=device, requires_grad=True)
    w1t = w1.t()
    h = torch.mm(x, w1t)
    h.add_(b1)
    a = h.relu()
    f = a.view([2, 2])
    y = torch.mm(f, w2)
    return y


def test_mlp_in_normal_mode(device):  # VER-03 AUT-13
    y = mlp(device)
    assert y.requires_grad is True
    assert y.is_inference() is False


def test_mlp_in_no_grad_mode(device):  # AUT-01
    with torch.no_grad():
        y = mlp(device)
    assert y.requires_grad is False
    assert y.is_inference() is False


def test_mlp_in_inference_mode(device):  # INF-04 VER-02
    with torch.inference_mode():
        y = mlp(device)
    assert y.requires_grad is False
    assert y.is_inference() is True
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        y._version
