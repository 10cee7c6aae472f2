# torch.func.grad in, around and beside other transforms and autograd.
import pytest
import torch


def test_the_gradient_leads_to_an_input_that_requires_grad(device):  # AUT-90
    def body(a):
        b = a.mul(a)
        c = b.mul(a)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [3.0, 12.0]
    assert g.requires_grad is True
    y = g.sum()
    y.backward()
    assert x.grad.tolist() == [6.0, 12.0]


def test_the_gradient_leads_to_a_captured_tensor_that_requires_grad(device):  # AUT-70
    def body(a):
        b = a.mul(w)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    w = torch.tensor([5.0, 5.0], device=device, requires_grad=True)
    g, y = torch.func.grad_and_value(body)(x)
    assert g.tolist() == [5.0, 5.0]
    assert g.requires_grad is True
    y.backward()
    assert w.grad.tolist() == [1.0, 2.0]


def test_nothing_leads_outside_where_grad_mode_is_off(device):  # TRF-24
    def body(a):
        b = a.mul(w)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    w = torch.tensor([5.0, 5.0], device=device, requires_grad=True)
    with torch.no_grad():
        g, y = torch.func.grad_and_value(body)(x)
    assert g.tolist() == [5.0, 5.0]
    assert g.requires_grad is False
    assert y.requires_grad is False


def test_a_second_derivative(device):  # TRF-20 TRF-23
    def outer(a):
        def inner(b):
            c = b.mul(b)
            d = c.mul(b)
            return d

        g = torch.func.grad(inner)(a)
        return g

    x = torch.tensor(2.0, device=device)
    g = torch.func.grad(outer)(x)
    assert g.tolist() == 12.0
    assert g.requires_grad is False


def test_an_inner_gradient_takes_the_outer_variable_as_a_constant(device):  # AUT-13
    def outer(a):
        def inner(b):
            c = a.add(b)
            return c

        g = torch.func.grad(inner)(y)
        h = g.mul(a)
        return h

    x = torch.tensor(1.0, device=device)
    y = torch.tensor(1.0, device=device)
    g = torch.func.grad(outer)(x)
    assert g.tolist() == 1.0


def test_an_inner_body_does_not_write_what_the_outer_one_made(device):  # TRF-19
    def outer(a):
        z = a.mul(2)

        def inner(b):
            z.add_(1)
            c = b.sum()
            return c

        g = torch.func.grad(inner)(a)
        h = g.sum()
        return h

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"):
        g = torch.func.grad(outer)(x)


def test_a_gradient_for_each_example(device):  # TRF-01 TRF-20
    def outer(a):
        def inner(b):
            c = b.mul(b)
            d = c.sum()
            return d

        g = torch.func.grad(inner)(a)
        return g

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    g = torch.vmap(outer)(x)
    assert g.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_a_gradient_by_one_weight_for_each_example(device):  # TRF-01 TRF-20
    def outer(w, a):
        def inner(v, b):
            c = v.mul(b)
            d = c.sum()
            return d

        g = torch.func.grad(inner)(w, a)
        return g

    w = torch.tensor([1.0, 1.0], device=device)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    g = torch.vmap(outer, in_dims=(None, 0))(w, x)
    assert g.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_the_gradient_of_a_mapped_body(device):  # TRF-01 TRF-20
    def outer(a):
        def inner(b):
            c = b.mul(b)
            return c

        d = torch.vmap(inner)(a)
        e = d.sum()
        return e

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(outer)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]


def test_a_mapped_body_in_a_differentiated_one_does_not_write_what_that_captured(device):  # TRF-19
    def outer(a):
        def inner(b):
            w.add_(1)
            return b

        d = torch.vmap(inner)(a)
        e = d.sum()
        return e

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    w = torch.zeros(2, device=device)
    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"):
        g = torch.func.grad(outer)(x)


def test_a_differentiated_body_in_a_mapped_one_writes_its_examples(device):  # TRF-01 TRF-19
    def outer(a, z):
        def inner(b, y):
            y.add_(b)
            c = y.mul(y)
            d = c.sum()
            return d

        g = torch.func.grad(inner)(a, z)
        return g

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.zeros(2, 2, device=device)
    g = torch.vmap(outer)(x, y)
    assert g.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert y.tolist() == [[1.0, 2.0], [3.0, 4.0]]
