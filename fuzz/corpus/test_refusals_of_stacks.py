# What bmm, mv, dot and matmul refuse, and what they return for arguments that are just valid.
import pytest
import torch


# LinearAlgebra.cpp, TORCH_META_FUNC(bmm): common_checks_baddbmm_bmm
def test_bmm_takes_two_stacks_of_matrices_that_fit(device):  # GEO-05
    a = torch.tensor([[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]], device=device)
    m = torch.zeros([2, 3], device=device)
    four = torch.zeros([1, 2, 3, 1], device=device)
    with pytest.raises(RuntimeError, match="batch1 must be a 3D tensor"):
        torch.bmm(m, a)
    with pytest.raises(RuntimeError, match="batch1 must be a 3D tensor"):
        torch.bmm(four, a)
    with pytest.raises(RuntimeError, match="batch2 must be a 3D tensor"):
        torch.bmm(a, m)
    with pytest.raises(RuntimeError, match="batch2 must be a 3D tensor"):
        torch.bmm(a, four)
    fewer = torch.zeros([1, 3, 2], device=device)
    shorter = torch.zeros([2, 1, 2], device=device)
    with pytest.raises(RuntimeError, match="Expected size for first two dimensions of batch2 tensor to be"):
        torch.bmm(a, fewer)
    with pytest.raises(RuntimeError, match="Expected size for first two dimensions of batch2 tensor to be"):
        torch.bmm(a, shorter)
    with pytest.raises(RuntimeError, match="Expected size for first two dimensions of batch2 tensor to be"):
        torch.bmm(a, a)
    b = a.transpose(1, 2)
    z = torch.bmm(a, b)
    assert z.tolist() == [[[14.0]], [[77.0]]]


# LinearAlgebra.cpp, bmm_out_or_baddbmm_: 'expected scalar type'
def test_bmm_takes_stacks_of_one_dtype_that_is_not_bool(device):  # TYPE-41
    a = torch.ones([2, 1, 1], device=device)
    d = torch.ones([2, 1, 1], dtype=torch.float64, device=device)
    i = torch.ones([2, 1, 1], dtype=torch.int64, device=device)
    b = torch.ones([2, 1, 1], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="expected scalar type"):
        torch.bmm(a, d)
    with pytest.raises(RuntimeError, match="expected scalar type"):
        torch.bmm(i, a)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.bmm(b, b)
    s = torch.add(i, a)
    y = torch.bmm(s, a)
    z = torch.bmm(i, i)
    assert y.tolist() == [[[2.0]], [[2.0]]]
    assert z.tolist() == [[[1]], [[1]]]


# LinearAlgebra.cpp, bmm_out_or_baddbmm_: nothing is checked if there is nothing to multiply
def test_bmm_without_products_needs_no_kernel(device):  # GEO-01
    a = torch.ones([0, 1, 1], dtype=torch.bool, device=device)
    c = torch.ones([2, 0, 1], dtype=torch.bool, device=device)
    d = torch.ones([2, 1, 1], dtype=torch.bool, device=device)
    e = torch.ones([2, 1, 0], dtype=torch.bool, device=device)
    f = c.transpose(-1, -2)
    r = torch.bmm(a, a)
    s = torch.bmm(c, d)
    t = torch.bmm(d, e)
    u = torch.bmm(e, c)
    v = torch.bmm(d, f)
    assert list(r.shape) == [0, 1, 1]
    assert list(s.shape) == [2, 0, 1]
    assert list(t.shape) == [2, 1, 0]
    assert u.tolist() == [[[False]], [[False]]]
    assert list(v.shape) == [2, 1, 0]
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.bmm(d, d)


# Blas.cpp, ADDMV_META: 'vector + matrix @ vector expected', 'size mismatch'
def test_mv_takes_a_matrix_and_a_vector_that_fit(device):  # GEO-05
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    v = torch.tensor([1.0, 10.0, 100.0], device=device)
    n = torch.tensor(1.0, device=device)
    c = torch.zeros([1, 2, 3], device=device)
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        torch.mv(n, v)
    with pytest.raises(RuntimeError, match=r"vector \+ matrix @ vector expected, got 1, 1, 1"):
        torch.mv(v, v)
    with pytest.raises(RuntimeError, match=r"vector \+ matrix @ vector expected, got 1, 3, 1"):
        torch.mv(c, v)
    with pytest.raises(RuntimeError, match=r"vector \+ matrix @ vector expected, got 1, 2, 2"):
        torch.mv(a, a)
    with pytest.raises(RuntimeError, match=r"vector \+ matrix @ vector expected, got 1, 2, 0"):
        torch.mv(a, n)
    with pytest.raises(RuntimeError, match="size mismatch, got"):
        b = a.t()
        torch.mv(b, v)
    one = torch.ones([1], device=device)
    with pytest.raises(RuntimeError, match="size mismatch, got"):
        torch.mv(a, one)
    y = torch.mv(a, v)
    assert y.tolist() == [321.0, 654.0]
    t = a.t()
    w = torch.tensor([1.0, 10.0], device=device)
    z = torch.mv(t, w)
    assert z.tolist() == [41.0, 52.0, 63.0]


# Blas.cpp, ADDMV_META and addmv_impl_cpu; of nothing no kernel is asked
def test_mv_takes_one_dtype_that_is_not_bool(device):  # GEO-05
    a = torch.ones([2, 2], device=device)
    d = torch.ones([2], dtype=torch.float64, device=device)
    b = torch.ones([2, 2], dtype=torch.bool, device=device)
    c = torch.ones([2], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError):
        torch.mv(a, d)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.mv(b, c)
    i = torch.tensor([[1, 2], [3, 4]], device=device)
    j = torch.tensor([1, 10], device=device)
    t = i.t()
    y = torch.mv(t, j)
    assert y.tolist() == [31, 42]


# Blas.cpp, dot_check
def test_dot_takes_two_vectors_of_one_length_and_one_dtype(device):  # GEO-05
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    v = torch.tensor([1.0, 2.0], device=device)
    n = torch.tensor(1.0, device=device)
    one = torch.tensor([1.0], device=device)
    d = torch.tensor([1.0, 2.0], dtype=torch.float64, device=device)
    b = torch.tensor([True, True], device=device)
    with pytest.raises(RuntimeError, match="1D tensors expected, but got 2D and 1D tensors"):
        torch.dot(x, v)
    with pytest.raises(RuntimeError, match="1D tensors expected, but got 1D and 2D tensors"):
        torch.dot(v, x)
    with pytest.raises(RuntimeError, match="1D tensors expected, but got 1D and 0D tensors"):
        torch.dot(v, n)
    with pytest.raises(RuntimeError, match="1D tensors expected, but got 0D and 1D tensors"):
        torch.dot(n, one)
    with pytest.raises(RuntimeError, match="inconsistent tensor size, expected tensor"):
        torch.dot(v, one)
    with pytest.raises(RuntimeError, match="dot : expected both vectors to have same dtype"):
        torch.dot(v, d)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.dot(b, b)
    t = x.t()
    row = t.select(0, 1)
    y = torch.dot(row, v)
    assert y.tolist() == 10.0
    z = torch.dot(one, one)
    assert z.tolist() == 1.0


# LinearAlgebra.cpp, _matmul_impl
def test_matmul_refuses_tensors_without_dimensions(device):  # GEO-05
    n = torch.tensor(2.0, device=device)
    v = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError, match="both arguments to matmul need to be at least 1D"):
        torch.matmul(n, v)
    with pytest.raises(RuntimeError, match="both arguments to matmul need to be at least 1D"):
        torch.matmul(v, n)
    d = torch.matmul(v, v)
    assert d.tolist() == 5.0
    m = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = m.t()
    a = torch.matmul(t, v)
    b = torch.matmul(v, t)
    assert a.tolist() == [7.0, 10.0]
    assert b.tolist() == [5.0, 11.0]


# LinearAlgebra.cpp, _matmul_impl: the outer sizes broadcast, the inner ones are the same
def test_matmul_broadcasts_stacks_and_refuses_what_does_not_fit(device):  # GEO-18
    u = torch.arange(12, device=device)
    a = u.view([2, 2, 3])
    b = u.view([2, 1, 3, 2])
    c = torch.matmul(a, b)
    assert list(c.shape) == [2, 2, 2, 2]
    assert c.tolist() == [
        [[[10, 13], [28, 40]], [[46, 67], [64, 94]]],
        [[[28, 31], [100, 112]], [[172, 193], [244, 274]]],
    ]
    d = u.view([3, 2, 2])
    e = u.view([2, 3, 2])
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        torch.matmul(e, d)
    f = e.narrow(0, 0, 1)
    g = torch.matmul(f, d)
    assert list(g.shape) == [3, 3, 2]
    h = u.view([1, 4, 3])
    with pytest.raises(RuntimeError):
        torch.matmul(d, h)


# LinearAlgebra.cpp, should_fold: a stack by one matrix or vector, from either side
def test_matmul_of_a_stack_by_one_matrix_or_vector_fits_the_inner_sizes(device):  # GEO-05
    u = torch.arange(12, device=device)
    a = u.view([2, 2, 3])
    m = torch.tensor([[1, 0], [0, 1], [1, 1]], device=device)
    v = torch.tensor([1, 10, 100], device=device)
    w = torch.tensor([1, 10], device=device)
    b = torch.matmul(a, m)
    c = torch.matmul(a, v)
    d = torch.matmul(w, a)
    e = torch.matmul(m, a)
    assert b.tolist() == [[[2, 3], [8, 9]], [[14, 15], [20, 21]]]
    assert c.tolist() == [[210, 543], [876, 1209]]
    assert d.tolist() == [[30, 41, 52], [96, 107, 118]]
    assert e.tolist() == [[[0, 1, 2], [3, 4, 5], [3, 5, 7]], [[6, 7, 8], [9, 10, 11], [15, 17, 19]]]
    t = a.transpose(1, 2)
    f = torch.matmul(t, w)
    g = torch.matmul(v, t)
    assert f.tolist() == [[30, 41, 52], [96, 107, 118]]
    assert g.tolist() == [[210, 543], [876, 1209]]
    with pytest.raises(RuntimeError, match="size mismatch|cannot be multiplied|first two dimensions"):
        torch.matmul(a, w)
    with pytest.raises(RuntimeError, match="size mismatch|cannot be multiplied|first two dimensions"):
        torch.matmul(v, a)
    with pytest.raises(RuntimeError, match="cannot be multiplied|first two dimensions"):
        torch.matmul(t, m)
