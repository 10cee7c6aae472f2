# One head of attention, created and run in one mode, with weights as in training.
# inference-mode-docs, 'we make the following performance guarantees'; `plumbline table workload` measures them here.
import torch


def attention(device):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    torch.manual_seed(7)
    wq = torch.rand([2, 2], device=device, requires_grad=True)
    wk = torch.rand([2, 2], device=device, requires_grad=True)
    wv = torch.rand([2, 2], device=device, requires_grad=True)
    q = torch.mm(x, wq)
    k = torch.mm(x, wk)
    v = torch.mm(x, wv)
    kt = k.transpose(0, 1)
    s = torch.mm(q, kt)
    s.mul_(0.5)
    p = s.softmax(1)
    o = torch.mm(p, v)
    y = o.view([4])
    return y


def test_attention_in_normal_mode(device):  # VER-03 AUT-13
    y = attention(device)
    assert y._is_view() is True
    assert y.requires_grad is True


def test_attention_in_no_grad_mode(device):  # AUT-01 VIEW-05
    with torch.no_grad():
        y = attention(device)
    assert y._is_view() is True
    assert y.requires_grad is False


def test_attention_in_inference_mode(device):  # INF-04 VIEW-02
    with torch.inference_mode():
        y = attention(device)
    assert y._is_view() is False
    assert y.is_inference() is True
