# What the body of torch.func.grad writes.
import pytest
import torch


def test_a_captured_tensor_is_not_written(device):  # TRF-19
    def body(a):
        w.add_(1)
        b = a.sum()
        return b

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    w = torch.tensor([1.0, 1.0, 1.0], device=device)
    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"):
        g = torch.func.grad(body)(x)
    assert w.tolist() == [1.0, 1.0, 1.0]


def test_a_captured_tensor_is_written_by_out(device):  # AUT-13
    def body(a):
        torch.add(y, 1, out=w)
        b = a.sum()
        return b

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([1.0, 1.0, 1.0], device=device)
    w = torch.zeros(3, device=device)
    g = torch.func.grad(body)(x)
    assert w.tolist() == [2.0, 2.0, 2.0]


def test_what_the_body_made_is_written(device):  # AUT-07
    def body(a):
        b = torch.zeros(3, device=device)
        b.add_(a)
        c = b.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]


def test_an_input_that_is_a_constant_is_written(device):  # TRF-19 TRF-23
    def body(a, b):
        b.add_(a)
        c = b.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([1.0, 1.0, 1.0], device=device)
    g = torch.func.grad(body)(x, y)
    assert g.tolist() == [4.0, 6.0, 8.0]
    assert y.tolist() == [2.0, 3.0, 4.0]
    assert y.requires_grad is False
    assert y._version == 1


def test_a_written_input_has_a_history_that_leads_outside(device):  # TRF-20
    def body(a, b):
        b.add_(a)
        c = b.mul(b)
        d = c.sum()
        return d

    w = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = torch.tensor([1.0, 1.0, 1.0], device=device)
    g = torch.func.grad(body)(w, y)
    assert g.tolist() == [4.0, 6.0, 8.0]
    assert g.requires_grad is True
    assert y.requires_grad is True
    assert y.is_leaf is False


def test_a_differentiated_input_is_a_leaf(device):  # TRF-20 AUT-03
    def body(a):
        a.add_(1)
        b = a.sum()
        return b

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        g = torch.func.grad(body)(x)
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_a_differentiated_input_is_written_under_no_grad(device):  # VER-01
    def body(a):
        with torch.no_grad():
            a.add_(1)
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [4.0, 6.0, 8.0]
    assert x.tolist() == [2.0, 3.0, 4.0]
    assert x._version == 1


def test_a_saved_tensor_that_is_written_is_noticed(device):  # VER-15
    def body(a, b):
        c = a.mul(b)
        b.add_(1)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([1.0, 1.0, 1.0], device=device)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        g = torch.func.grad(body)(x, y)
