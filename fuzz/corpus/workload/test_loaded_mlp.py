# A perceptron whose weights were loaded before, as for a trained model: its weights stay normal tensors.
# inference-mode-docs, 'we make the following performance guarantees'; `plumbline table workload` measures them here.
import torch


def mlp(x, w1, b1, w2):
    w1t = w1.t()
    h = torch.mm(x, w1t)
    h.add_(b1)
    a = h.relu()
    f = a.view([2, 2])
    y = torch.mm(f, w2)
    return y


def test_loaded_mlp_in_normal_mode(device):  # VER-03 AUT-13
    torch.manual_seed(5)
    w1 = torch.rand([2, 3], device=device, requires_grad=True)
    b1 = torch.rand([2], device=device, requires_grad=True)
    w2 = torch.rand([2, 1], device=device, requires_grad=True)
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    y = mlp(x, w1, b1, w2)
    assert y.requires_grad is True


def test_loaded_mlp_in_no_grad_mode(device):  # AUT-01
    torch.manual_seed(5)
    w1 = torch.rand([2, 3], device=device, requires_grad=True)
    b1 = torch.rand([2], device=device, requires_grad=True)
    w2 = torch.rand([2, 1], device=device, requires_grad=True)
    with torch.no_grad():
        x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
        y = mlp(x, w1, b1, w2)
    assert y.requires_grad is False


def test_loaded_mlp_in_inference_mode(device):  # INF-04 TLS-02
    torch.manual_seed(5)
    w1 = torch.rand([2, 3], device=device, requires_grad=True)
    b1 = torch.rand([2], device=device, requires_grad=True)
    w2 = torch.rand([2, 1], device=device, requires_grad=True)
    with torch.inference_mode():
        x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
        y = mlp(x, w1, b1, w2)
    assert y.is_inference() is True
    assert w1.is_inference() is False
    assert w1.requires_grad is True
    assert w1._version == 0
