# The derivatives of products of matrices and vectors.
import pytest
import torch


def test_a_product_of_matrices_hands_each_factor_the_gradient_times_the_other(device):  # AUT-13
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    b = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    z = torch.mm(a, b)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert a.grad.tolist() == [[1.0, 10.0, 22.0], [100.0, 1000.0, 2200.0]]
    assert b.grad.tolist() == [[401.0, 4010.0], [502.0, 5020.0], [603.0, 6030.0]]


def test_a_factor_by_columns_gets_its_gradient_by_columns(device):  # AUT-13
    m = torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], device=device)
    n = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]], device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    a = m.t()
    b = n.t()
    a.requires_grad_()
    b.requires_grad_()
    z = torch.mm(a, b)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert a.grad.tolist() == [[1.0, 10.0, 22.0], [100.0, 1000.0, 2200.0]]
    assert b.grad.tolist() == [[401.0, 4010.0], [502.0, 5020.0], [603.0, 6030.0]]
    g = a.grad
    h = b.grad
    assert g.stride() == (1, 2)
    assert h.stride() == (1, 3)


def test_addmm_scales_the_gradients_by_beta_and_alpha(device):  # AUT-13
    c = torch.tensor([[0.0, 1.0], [2.0, 3.0]], requires_grad=True, device=device)
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    b = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    z = torch.addmm(c, a, b, beta=2, alpha=3)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert z.tolist() == [[21.0, 26.0], [52.0, 57.0]]
    assert c.grad.tolist() == [[2.0, 20.0], [200.0, 2000.0]]
    assert a.grad.tolist() == [[3.0, 30.0, 66.0], [300.0, 3000.0, 6600.0]]
    assert b.grad.tolist() == [[1203.0, 12030.0], [1506.0, 15060.0], [1809.0, 18090.0]]


def test_bmm_hands_gradients_back_matrix_by_matrix(device):  # AUT-13
    a = torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]], requires_grad=True, device=device)
    b = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]], requires_grad=True, device=device)
    w = torch.tensor([[[1.0, 10.0, 100.0]], [[2.0, 20.0, 200.0]]], device=device)
    z = torch.bmm(a, b)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert a.grad.tolist() == [[[321.0, 654.0]], [[2.0, 20.0]]]
    assert b.grad.tolist() == [[[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]], [[6.0, 60.0, 600.0], [8.0, 80.0, 800.0]]]


def test_dot_and_mv_hand_each_factor_the_other(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    y = torch.tensor([4.0, 5.0, 6.0], requires_grad=True, device=device)
    m = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    v = torch.tensor([1.0, 10.0, 100.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    d = torch.dot(x, y)
    e = torch.mul(d, 2.0)
    e.backward()
    u = torch.mv(m, v)
    p = torch.mul(u, w)
    s = p.sum()
    s.backward()
    assert d.tolist() == 32.0
    assert x.grad.tolist() == [8.0, 10.0, 12.0]
    assert y.grad.tolist() == [2.0, 4.0, 6.0]
    assert u.tolist() == [321.0, 654.0]
    assert m.grad.tolist() == [[1.0, 10.0, 100.0], [10.0, 100.0, 1000.0]]
    assert v.grad.tolist() == [41.0, 52.0, 63.0]


def test_matmul_of_more_dimensions_sums_what_was_broadcast(device):  # AUT-13 AUT-48
    a = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], requires_grad=True, device=device)
    b = torch.tensor([[1.0, 0.0], [2.0, 1.0]], requires_grad=True, device=device)
    c = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    d = torch.tensor([[1.0, 0.0], [2.0, 1.0]], device=device)
    w = torch.tensor([[1.0, 10.0], [1.0, 10.0]], device=device)
    y = torch.matmul(a, d)
    z = torch.matmul(c, b)
    p = torch.mul(y, w)
    q = torch.mul(z, w)
    r = torch.add(p, q)
    s = r.sum()
    s.backward()
    assert z.tolist() == [[[5.0, 2.0], [11.0, 4.0]], [[17.0, 6.0], [23.0, 8.0]]]
    assert a.grad.tolist() == [[[1.0, 12.0], [1.0, 12.0]], [[1.0, 12.0], [1.0, 12.0]]]
    assert b.grad.tolist() == [[16.0, 160.0], [20.0, 200.0]]


def test_matmul_of_vectors_and_matrices_drops_the_dimension_that_was_added(device):  # AUT-13
    v = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    b = torch.tensor([[[1.0, 0.0], [2.0, 1.0]], [[3.0, 1.0], [0.0, 1.0]]], requires_grad=True, device=device)
    z = torch.matmul(v, b)
    y = torch.matmul(b, v)
    p = torch.mul(z, y)
    s = p.sum()
    s.backward()
    assert z.tolist() == [[5.0, 2.0], [3.0, 3.0]]
    assert y.tolist() == [[1.0, 4.0], [5.0, 2.0]]
    assert v.grad.tolist() == [36.0, 16.0]
