# Functionalized bodies inside differentiated ones, and differentiated bodies inside functionalized ones.
import pytest
import torch


def test_a_functionalized_body_is_differentiated(device):  # AUT-07 FUN-01
    def f(x):
        t = torch.zeros(3, device=device)
        t.add_(x)
        y = t.mul(x)
        y.add_(t)
        return y

    def body(x):
        y = torch.func.functionalize(f)(x)
        z = y.sum()
        return z

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [3.0, 5.0, 7.0]


def test_a_functionalized_body_writes_a_constant_of_a_differentiated_one(device):  # TRF-19 TRF-23
    def f(x, y):
        y.add_(x)
        z = y.mul(y)
        return z

    def body(x, y):
        z = torch.func.functionalize(f)(x, y)
        s = z.sum()
        return s

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([1.0, 1.0, 1.0], device=device)
    g = torch.func.grad(body)(x, y)
    assert g.tolist() == [4.0, 6.0, 8.0]
    assert y.tolist() == [2.0, 3.0, 4.0]
    assert y.requires_grad is False


def test_a_functionalized_body_does_not_write_what_the_differentiated_one_captured(device):  # TRF-19
    def f(x, y):
        y.add_(1)
        z = y.select(0, 9)  # an IndexError if the write raises nothing
        return z

    def body(x):
        z = torch.func.functionalize(f)(x, w)
        s = z.sum()
        return s

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    w = torch.tensor([1.0, 1.0, 1.0], device=device)
    with pytest.raises(RuntimeError):
        g = torch.func.grad(body)(x)
    assert w.tolist() == [1.0, 1.0, 1.0]


def test_a_leaf_is_not_written_in_a_functionalized_body(device):  # AUT-03
    def f(x):
        x.mul_(2)
        y = x.mul(3)
        return y

    def body(x):
        y = torch.func.functionalize(f)(x)
        s = y.sum()
        return s

    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    with pytest.raises(RuntimeError):
        y = torch.func.functionalize(f)(x)
    assert x.tolist() == [1.0, 2.0, 3.0]


def test_gradients_go_through_a_functionalized_body(device):  # AUT-13
    def f(x):
        t = x.mul(x)
        v = t.view(3)
        v.add_(1)
        u = t.mul(x)
        return u

    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = torch.func.functionalize(f, remove="mutations_and_views")(x)
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [4.0, 13.0, 28.0]


def test_what_a_functionalized_body_saved_is_guarded_after_it(device):  # VER-15
    def f(x, y):
        z = x.mul(y)
        return z

    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = torch.tensor([4.0, 5.0, 6.0], device=device)
    z = torch.func.functionalize(f)(x, y)
    y.add_(1)
    s = z.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        s.backward()


def test_a_written_input_gets_the_history_of_the_body(device):  # AUT-07
    def f(x, y):
        y.mul_(x)
        z = y.add(1)
        return z

    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = torch.tensor([4.0, 5.0, 6.0], device=device)
    z = torch.func.functionalize(f)(x, y)
    assert y.requires_grad is True
    assert y.is_leaf is False
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [4.0, 5.0, 6.0]


def test_a_functionalized_body_differentiates_another(device):  # AUT-13
    def loss(x):
        y = x.mul(x)
        z = y.sum()
        return z

    def f(x):
        t = x.mul(1)
        t.add_(1)
        g = torch.func.grad(loss)(t)
        x.copy_(g)
        return g

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.functionalize(f, remove="mutations_and_views")(x)
    assert g.tolist() == [4.0, 6.0, 8.0]
    assert x.tolist() == [4.0, 6.0, 8.0]


def test_gradients_of_functionalized_bodies_are_mapped(device):  # TRF-01 TRF-20
    def f(x):
        y = x.mul(x)
        v = y.view(2)
        v.mul_(x)
        return y

    def body(x):
        y = torch.func.functionalize(f, remove="mutations_and_views")(x)
        z = y.sum()
        return z

    def mapped(x):
        g = torch.func.grad(body)(x)
        return g

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.vmap(mapped)(a)
    assert b.tolist() == [[3.0, 12.0], [27.0, 48.0]]


def test_a_functionalized_body_maps_gradients(device):  # TRF-01 TRF-20
    def loss(x):
        y = x.mul(x)
        z = y.sum()
        return z

    def mapped(x):
        g = torch.func.grad(loss)(x)
        return g

    def f(x):
        g = torch.vmap(mapped)(x)
        x.add_(g)
        return g

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.func.functionalize(f)(a)
    assert b.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert a.tolist() == [[3.0, 6.0], [9.0, 12.0]]
