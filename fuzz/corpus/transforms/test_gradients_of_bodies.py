# torch.func.grad and grad_and_value: argnums, modes, and what is returned.
import pytest
import torch


def test_the_gradient_of_a_number(device):  # TRF-23
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]
    assert g.requires_grad is False
    assert x.requires_grad is False


def test_the_value_comes_with_the_gradient(device):  # TRF-23
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g, y = torch.func.grad_and_value(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]
    assert y.tolist() == 14.0
    assert y.requires_grad is False


def test_a_body_that_returns_a_vector_is_refused(device):  # TRF-18
    def body(a):
        b = a.mul(a)
        return b

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="scalar Tensor"):
        g = torch.func.grad(body)(x)


def test_argnums_says_the_input(device):  # AUT-13
    def body(a, b):
        c = a.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([4.0, 5.0, 6.0], device=device)
    g = torch.func.grad(body, argnums=1)(x, y)
    assert g.tolist() == [1.0, 2.0, 3.0]
    h, k = torch.func.grad(body, argnums=(-1, 0))(x, y)
    assert h.tolist() == [1.0, 2.0, 3.0]
    assert k.tolist() == [4.0, 5.0, 6.0]


def test_an_input_that_argnums_does_not_say_is_a_constant(device):  # TRF-20
    def body(a, b):
        c = a.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([4, 5, 6], device=device)
    g = torch.func.grad(body)(x, y)
    assert g.tolist() == [4.0, 5.0, 6.0]


def test_argnums_beyond_the_inputs_are_refused(device):  # TRF-25
    def body(a, b):
        c = a.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="Got argnum=2, but only 2 positional inputs"):
        g = torch.func.grad(body, argnums=2)(x, x)


def test_argnums_that_say_an_input_twice_are_refused(device):  # TRF-26
    def body(a, b):
        c = a.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="argnums elements must be unique"):
        g, h = torch.func.grad(body, argnums=(0, -2))(x, x)


def test_integers_have_no_gradient(device):  # AUT-12
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="floating point"):
        g = torch.func.grad(body)(x)


def test_the_gradient_of_a_constant_is_zeros(device):  # TRF-22
    def body(a):
        b = y.sum()
        return b

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([1.0, 1.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [0.0, 0.0, 0.0]


def test_the_gradient_by_an_unused_input_is_zeros(device):  # TRF-22
    def body(a, b):
        c = a.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g, h = torch.func.grad(body, argnums=(0, 1))(x, x)
    assert g.tolist() == [1.0, 1.0, 1.0]
    assert h.tolist() == [0.0, 0.0, 0.0]


def test_grad_mode_is_on_in_the_body(device):  # TRF-21
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with torch.no_grad():
        g = torch.func.grad(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]


def test_no_grad_in_the_body_makes_constants(device):  # AUT-01
    def body(a):
        with torch.no_grad():
            b = a.mul(a)
        c = b.mul(a)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [1.0, 4.0, 9.0]


def test_inference_mode_is_off_in_the_body(device):  # TRF-27
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    with torch.inference_mode():
        g = torch.func.grad(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]
    assert g.is_inference() is False


def test_an_inference_tensor_has_a_gradient(device):  # AUT-13
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    with torch.inference_mode():
        x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [2.0, 4.0, 6.0]


def test_a_detached_tensor_is_a_constant(device):  # AUT-13
    def body(a):
        b = a.detach()
        c = b.mul(a)
        d = c.sum()
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    g = torch.func.grad(body)(x)
    assert g.tolist() == [1.0, 2.0, 3.0]


def test_the_value_may_be_the_input(device):  # AUT-03
    def body(a):
        return a

    x = torch.tensor(2.0, device=device, requires_grad=True)
    g, y = torch.func.grad_and_value(body)(x)
    assert g.tolist() == 1.0
    assert y.is_leaf is True
    assert y.requires_grad is True
