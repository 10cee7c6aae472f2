# Modes around bodies, and in them; modes and custom functions inside each other.
import torch


class Tripled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.no_grad():
            y = torch.mul(x, 3)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 3)
        return h


class SixTimes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = Tripled.apply(x)
        z = torch.mul(y, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 6)
        return h


def test_no_grad_in_a_functionalized_body(device):  # AUT-01 FUN-01
    def f(x):
        with torch.no_grad():
            y = x.mul(2)
        z = x.mul(y)
        return y, z

    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y, z = torch.func.functionalize(f)(x)
    assert y.requires_grad is False
    assert z.requires_grad is True
    s = z.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_inference_mode_in_a_functionalized_body(device):  # INF-04
    def f(x):
        with torch.inference_mode():
            y = x.mul(2)
        return y

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(f)(x)
    assert y.is_inference() is True
    assert y.tolist() == [2.0, 4.0]


def test_a_functionalized_body_in_inference_mode(device):  # FUN-01
    def f(x):
        y = x.view(2)
        y.add_(1)
        z = x.mul(2)
        return z

    with torch.inference_mode():
        x = torch.tensor([1.0, 2.0], device=device)
        y = torch.func.functionalize(f, remove="mutations_and_views")(x)
    assert x.tolist() == [2.0, 3.0]
    assert y.tolist() == [4.0, 6.0]
    assert y.is_inference() is True


def test_a_functionalized_body_in_no_grad(device):  # AUT-01 FUN-01
    def f(x):
        x.add_(1)
        y = x.mul(2)
        return y

    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    with torch.no_grad():
        y = torch.func.functionalize(f)(x)
    assert x.tolist() == [2.0, 3.0]
    assert y.requires_grad is False


def test_a_map_in_no_grad(device):  # AUT-01 TRF-01
    def f(x):
        y = x.mul(2)
        return y

    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    with torch.no_grad():
        y = torch.vmap(f)(x)
    assert y.requires_grad is False
    assert y.tolist() == [2.0, 4.0]


def test_inference_mode_in_a_differentiated_body(device):  # INF-01 TRF-22
    def f(x):
        with torch.inference_mode():
            y = x.mul(2)
            s = y.sum()
        return s

    x = torch.tensor([1.0, 2.0], device=device)
    g = torch.func.grad(f)(x)
    assert g.tolist() == [0.0, 0.0]


def test_no_grad_in_inference_mode(device):  # INF-02
    with torch.inference_mode():
        with torch.no_grad():
            x = torch.tensor([1.0, 2.0], device=device)
    assert x.is_inference() is True


def test_no_grad_in_no_grad(device):  # AUT-01
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    with torch.no_grad():
        with torch.no_grad():
            y = x.mul(2)
        z = x.mul(2)
    assert y.requires_grad is False
    assert z.requires_grad is False


def test_no_grad_in_a_custom_function(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = Tripled.apply(x)
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_custom_function_in_no_grad(device):  # AUT-01
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    with torch.no_grad():
        y = Tripled.apply(x)
    assert y.requires_grad is False


def test_a_custom_function_in_a_custom_function(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = SixTimes.apply(x)
    s = y.sum()
    s.backward()
    assert y.tolist() == [6.0, 12.0]
    assert x.grad.tolist() == [6.0, 6.0]
