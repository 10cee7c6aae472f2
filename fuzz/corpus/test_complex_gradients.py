# AUT: gradients of complex numbers.
import torch


# the gradient of y is that of the result times the conjugate of x
def test_the_derivative_of_a_product_is_conjugated(device):  # AUT-99
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.tensor([complex(0.5, 1.0), complex(2.0, 0.0)], device=device, requires_grad=True)
    z = torch.mul(x, y)
    g = torch.tensor([complex(1.0, 1.0), complex(0.0, 2.0)], device=device)
    z.backward(g)
    assert y.grad.tolist() == [complex(3.0, -1.0), complex(-2.0, 6.0)]


def test_the_derivative_of_a_quotient_is_conjugated(device):  # AUT-99
    x = torch.tensor([complex(1.0, 2.0)], device=device, requires_grad=True)
    y = torch.tensor([complex(0.0, 2.0)], device=device)
    z = torch.div(x, y)
    g = torch.tensor([complex(2.0, 0.0)], device=device)
    z.backward(g)
    assert x.grad.tolist() == [complex(0.0, 1.0)]


def test_a_real_factor_gets_the_real_part(device):  # AUT-100
    x = torch.tensor([1.0, 3.0], device=device, requires_grad=True)
    y = torch.tensor([complex(0.5, 1.0), complex(2.0, 0.0)], device=device)
    z = torch.mul(x, y)
    g = torch.tensor([complex(1.0, 1.0), complex(0.0, 2.0)], device=device)
    z.backward(g)
    h = x.grad
    assert h.dtype == torch.float32
    assert h.tolist() == [1.5, 0.0]


# the gradient is a view of a complex tensor, so its strides are doubled
def test_the_gradient_of_a_real_term_is_a_view_of_the_complex_one(device):  # AUT-100, AUT-50
    x = torch.tensor([1.0, 3.0], device=device, requires_grad=True)
    y = torch.tensor([complex(0.5, 1.0), complex(2.0, 0.0)], device=device)
    z = torch.add(y, x)
    g = torch.tensor([complex(1.0, 1.0), complex(0.0, 2.0)], device=device)
    h, = torch.autograd.grad(z, [x], g)
    assert h.tolist() == [1.0, 0.0]
    assert h.stride() == (2,)


# PyTorch fails an internal assertion here, and in where: their formulas forget the real part
def test_the_terms_of_a_complex_sum_get_the_real_part(device):  # AUT-100
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    z = torch.sum(x, dtype=torch.complex64)
    g = torch.tensor(complex(3.0, 1.0), device=device)
    z.backward(g)
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_tensor_copied_into_a_complex_one_gets_the_real_part(device):  # AUT-100
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    w = torch.zeros([2], dtype=torch.complex64, device=device)
    w.copy_(x)
    u = w.to(torch.complex128)
    g = torch.tensor([complex(1.0, 1.0), complex(3.0, -1.0)], dtype=torch.complex128, device=device)
    u.backward(g)
    assert x.grad.tolist() == [1.0, 3.0]


# tools/autograd/derivatives.yaml, _conj: the gradient is the conjugate of the one that arrives, as a view
def test_the_gradient_of_conj_is_a_conjugate_view(device):  # AUT-25
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device, requires_grad=True)
    c = torch.ops.aten.conj.default(x)
    g = torch.tensor([complex(1.0, 1.0), complex(0.0, 2.0)], device=device)
    c.backward(g, retain_graph=True)
    assert x.grad.tolist() == [complex(1.0, -1.0), complex(0.0, -2.0)]
    c.backward(g)
    assert x.grad.tolist() == [complex(2.0, -2.0), complex(0.0, -4.0)]


def test_the_gradient_of_a_part_is_a_view_of_new_parts(device):  # AUT-99
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device, requires_grad=True)
    f = torch.tensor([complex(0.0, 1.0)], device=device)
    y = torch.mul(x, f)
    r = torch.ops.aten.real.default(y)
    g = torch.tensor([1.0, 2.0], device=device)
    a, b = torch.autograd.grad(r, [y, x], g)
    assert a.tolist() == [complex(1.0, 0.0), complex(2.0, 0.0)]
    assert a._is_view() is True
    assert b.tolist() == [complex(0.0, -1.0), complex(0.0, -2.0)]


def test_a_write_through_a_complex_view_is_recorded(device):  # AUT-99
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device, requires_grad=True)
    f = torch.tensor([[complex(0.0, 1.0)]], device=device)
    y = x.clone()
    z = y.view([2, 1])
    z.mul_(f)
    s = y.sum()
    g = torch.tensor(complex(1.0, 0.0), device=device)
    s.backward(g)
    assert x.grad.tolist() == [complex(0.0, -1.0), complex(0.0, -1.0)]


# aten/src/ATen/ExpandUtils.h, sum_to: a view of the sum
def test_the_gradient_of_an_operand_with_fewer_dimensions_is_a_view(device):  # KEY-07
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    z = torch.mul(x, y)
    g = torch.ones([2, 2], device=device)
    h, = torch.autograd.grad(z, [x], g)
    assert h.tolist() == [4.0, 6.0]
    assert h._is_view() is True
