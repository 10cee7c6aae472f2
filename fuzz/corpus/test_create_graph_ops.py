# Derivatives that are ops, with derivatives of their own: those of relu and tanh.
import pytest
import torch


def test_the_gradient_of_relu_depends_on_its_result(device):  # AUT-90
    x = torch.tensor([1.0, -1.0], requires_grad=True, device=device)
    y = torch.relu(x)
    z = y.sum()
    g, = torch.autograd.grad(z, [x], create_graph=True)
    assert g.tolist() == [1.0, 0.0]
    assert g.requires_grad is True
    u = g.sum()
    h, = torch.autograd.grad(u, [x])
    assert h.tolist() == [0.0, 0.0]


def test_the_result_of_relu_is_written_afterwards(device):  # AUT-90 AUT-26
    x = torch.tensor([1.0, -1.0], requires_grad=True, device=device)
    y = torch.relu(x)
    z = torch.mul(y, y)
    u = z.sum()
    g, = torch.autograd.grad(u, [x], create_graph=True)
    with torch.no_grad():
        y.add_(1)
    v = g.sum()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(v, [x])


def test_the_second_derivative_of_tanh(device):  # AUT-90
    x = torch.tensor([0.0], requires_grad=True, device=device)
    y = torch.tanh(x)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x], create_graph=True)
    i, = torch.autograd.grad(h, [x])
    assert g.tolist() == [1.0]
    assert h.tolist() == [0.0]
    assert i.tolist() == [-2.0]


def test_the_derivative_of_relu_is_an_op(device):  # TYPE-41
    g = torch.tensor([2, 3, 4], device=device)
    x = torch.tensor([1.0, 0.0, -1.0], device=device)
    y = torch.ops.aten.threshold_backward.default(g, x, 0)
    assert y.dtype == torch.float32
    assert y.tolist() == [2.0, 0.0, 0.0]


def test_the_derivative_of_tanh_is_an_op(device):  # TYPE-41
    g = torch.tensor([2, 3], device=device)
    x = torch.tensor([0.0, 1.0], device=device)
    y = torch.ops.aten.tanh_backward.default(g, x)
    assert y.dtype == torch.float32
    assert y.tolist() == [2.0, 0.0]


def test_the_second_derivative_of_as_strided_scatter_into_a_constant(device):  # AUT-90
    a = torch.zeros([2], device=device)
    b = torch.tensor(3.0, requires_grad=True, device=device)
    c = a.as_strided_scatter(b, [], [], 1)
    d = torch.mul(c, c)
    e = d.sum()
    g, = torch.autograd.grad(e, [b], create_graph=True)
    assert g.tolist() == 6.0
    assert g.requires_grad is True


def test_as_strided_scatter_into_a_constant_without_elements(device):  # AUT-90
    a = torch.zeros([4, 0], device=device)
    b = torch.zeros([0], requires_grad=True, device=device)
    c = a.as_strided_scatter(b, [0], [1], 0)
    d = c.sum()
    d.backward(create_graph=True)
    e = torch.mul(b, b)
    f = e.sum()
    g, = torch.autograd.grad(f, [b], create_graph=True)
    assert b.grad.tolist() == []
    assert g.requires_grad is True
