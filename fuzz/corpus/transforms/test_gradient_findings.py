# torch.func.grad: where PyTorch departs from the rules.
import pytest
import torch


def test_a_captured_tensor_is_not_written_in_another_dtype(device):  # TRF-19
    def body(a):
        b = w.view(torch.int32)
        b.zero_()
        c = b.to(torch.float32)
        d = c.sum()
        return d

    w = torch.tensor([1.0, 2.0], device=device)
    x = torch.tensor(3.0, device=device)
    with pytest.raises(RuntimeError):
        g = torch.func.grad(body)(x)
    assert w.tolist() == [1.0, 2.0]


def test_a_captured_tensor_is_not_written_after_detach(device):  # TRF-19
    def body(a):
        b = w.detach()
        b.zero_()
        c = b.sum()
        return c

    w = torch.tensor([1.0, 2.0], device=device)
    x = torch.tensor(3.0, device=device)
    with pytest.raises(RuntimeError):
        g = torch.func.grad(body)(x)
    assert w.tolist() == [1.0, 2.0]


def test_the_gradient_of_unbind_is_no_view(device):  # AUT-13
    def body(a):
        b, c = a.unbind(0)
        d = b.sum()
        return d

    with torch.inference_mode():
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
        g = torch.func.grad(body)(x)
    assert g.tolist() == [[1.0, 1.0], [0.0, 0.0]]
    assert g._is_view() is False
