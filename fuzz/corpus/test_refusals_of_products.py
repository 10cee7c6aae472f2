# What mm and addmm refuse, and what they return for arguments that are just valid.
import pytest
import torch


# LinearAlgebra.cpp, TORCH_META_FUNC(mm)
def test_mm_takes_two_matrices_whose_inner_sizes_are_the_same(device):  # GEO-05
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    v = torch.tensor([1.0, 2.0, 3.0], device=device)
    c = torch.zeros([1, 3, 2], device=device)
    with pytest.raises(RuntimeError, match="self must be a matrix"):
        torch.mm(v, a)
    with pytest.raises(RuntimeError, match="self must be a matrix"):
        torch.mm(c, a)
    with pytest.raises(RuntimeError, match="mat2 must be a matrix"):
        torch.mm(a, v)
    with pytest.raises(RuntimeError, match="mat2 must be a matrix"):
        torch.mm(a, c)
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 2x3\)"):
        torch.mm(a, a)
    one = torch.ones([1, 2], device=device)
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 1x2\)"):
        torch.mm(a, one)
    b = a.t()
    z = torch.mm(a, b)
    assert z.tolist() == [[14.0, 32.0], [32.0, 77.0]]


# BlasKernel.cpp, LinearAlgebra.cpp: 'expected m1 and m2 to have the same dtype'; there is no kernel for bools
def test_mm_takes_matrices_of_one_dtype_that_are_not_of_bools(device):  # TYPE-41
    a = torch.ones([2, 2], device=device)
    d = torch.ones([2, 2], dtype=torch.float64, device=device)
    i = torch.ones([2, 2], dtype=torch.int32, device=device)
    n = torch.ones([2, 2], dtype=torch.int64, device=device)
    b = torch.ones([2, 2], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="have the same dtype|expected scalar type"):
        torch.mm(a, d)
    with pytest.raises(RuntimeError, match="have the same dtype|expected scalar type"):
        torch.mm(n, i)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.mm(b, b)
    y = torch.mm(d, d)
    z = torch.mm(i, i)
    assert y.dtype is torch.float64
    assert z.dtype is torch.int32
    assert z.tolist() == [[2, 2], [2, 2]]
    u = torch.add(i, a)
    w = torch.mm(u, a)
    assert w.tolist() == [[4.0, 4.0], [4.0, 4.0]]


# LinearAlgebra.cpp, addmm_impl_cpu_: 'if (result.numel() == 0) return', and zeros where the inner size is 0
def test_mm_of_bools_without_products_needs_no_kernel(device):  # TYPE-44
    b = torch.ones([2, 0], dtype=torch.bool, device=device)
    c = torch.ones([0, 3], dtype=torch.bool, device=device)
    d = torch.ones([0, 2], dtype=torch.bool, device=device)
    e = torch.ones([2, 2], dtype=torch.bool, device=device)
    f = torch.ones([2, 0], dtype=torch.bool, device=device)
    g = torch.mm(d, e)
    h = torch.mm(e, f)
    k = torch.mm(b, c)
    n = k.sum()
    assert list(g.shape) == [0, 2]
    assert list(h.shape) == [2, 0]
    assert k.tolist() == [[False, False, False], [False, False, False]]
    assert n.dtype is torch.int64
    x = torch.ones([1, 1], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.mm(x, x)


# LinearAlgebra.cpp: an inner size of 0 makes sums of nothing
def test_products_over_an_inner_size_of_0_are_zeros(device):  # GEO-01
    a = torch.zeros([2, 0], device=device)
    b = torch.zeros([3, 0], device=device)
    c = b.t()
    z = torch.mm(a, c)
    assert z.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    v = torch.zeros([0], device=device)
    w = torch.mv(b, v)
    assert w.tolist() == [0.0, 0.0, 0.0]
    d = torch.dot(v, v)
    assert d.tolist() == 0.0
    e = torch.zeros([2, 1, 0], device=device)
    f = torch.zeros([2, 3, 0], device=device)
    g = f.transpose(1, 2)
    h = torch.bmm(e, g)
    k = h.select(-1, 2)
    assert k.tolist() == [[0.0], [0.0]]


# LinearAlgebra.cpp, ADDMM_META: mat1 and mat2 are matrices, and fit
def test_addmm_takes_matrices_whose_inner_sizes_are_the_same(device):  # GEO-05
    s = torch.zeros([2, 2], device=device)
    a = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    v = torch.tensor([1.0, 2.0, 3.0], device=device)
    b = a.t()
    with pytest.raises(RuntimeError, match="mat1 must be a matrix, got 1-D tensor"):
        torch.addmm(s, v, b)
    with pytest.raises(RuntimeError, match="mat2 must be a matrix, got 1-D tensor"):
        torch.addmm(s, a, v)
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 2x3\)"):
        torch.addmm(s, a, a)
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(2x3 and 2x3\)"):
        torch.addmm(s, a, a, beta=2)
    z = torch.addmm(s, a, b)
    assert z.tolist() == [[14.0, 32.0], [32.0, 77.0]]


# LinearAlgebra.cpp, ADDMM_META: 'self and mat2 must have the same dtype'; 1.13 says another thing
def test_addmm_takes_three_tensors_of_one_dtype_that_is_not_bool(device):  # TYPE-41
    a = torch.ones([2, 2], device=device)
    d = torch.ones([2, 2], dtype=torch.float64, device=device)
    b = torch.ones([2, 2], dtype=torch.bool, device=device)
    i = torch.ones([2, 2], dtype=torch.int64, device=device)
    with pytest.raises(RuntimeError):
        torch.addmm(d, a, a)
    with pytest.raises(RuntimeError):
        torch.addmm(a, d, a)
    with pytest.raises(RuntimeError):
        torch.addmm(a, a, d)
    with pytest.raises(RuntimeError):
        torch.addmm(a, d, d)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.addmm(b, b, b)
    s = torch.add(i, a)
    y = torch.addmm(s, a, a)
    z = torch.addmm(d, d, d)
    w = torch.addmm(i, i, i)
    assert y.tolist() == [[4.0, 4.0], [4.0, 4.0]]
    assert z.dtype is torch.float64
    assert w.tolist() == [[3, 3], [3, 3]]


# LinearAlgebra.cpp, ADDMM_META: expand_size
def test_addmm_takes_a_self_that_expands_to_the_product(device):  # GEO-05
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    b = torch.tensor([[1.0, 0.0], [0.0, 1.0]], device=device)
    n = torch.tensor(100.0, device=device)
    one = torch.tensor([100.0], device=device)
    row = torch.tensor([10.0, 20.0], device=device)
    flat = torch.tensor([[10.0, 20.0]], device=device)
    column = torch.tensor([[10.0], [20.0], [30.0]], device=device)
    single = torch.tensor([[100.0]], device=device)
    turned = torch.tensor([[10.0, 30.0, 50.0], [20.0, 40.0, 60.0]], device=device)
    whole = turned.t()
    r = torch.addmm(n, a, b)
    s = torch.addmm(one, a, b)
    t = torch.addmm(row, a, b)
    u = torch.addmm(flat, a, b)
    v = torch.addmm(column, a, b)
    w = torch.addmm(single, a, b)
    x = torch.addmm(whole, a, b)
    assert r.tolist() == [[101.0, 102.0], [103.0, 104.0], [105.0, 106.0]]
    assert s.tolist() == [[101.0, 102.0], [103.0, 104.0], [105.0, 106.0]]
    assert t.tolist() == [[11.0, 22.0], [13.0, 24.0], [15.0, 26.0]]
    assert u.tolist() == [[11.0, 22.0], [13.0, 24.0], [15.0, 26.0]]
    assert v.tolist() == [[11.0, 12.0], [23.0, 24.0], [35.0, 36.0]]
    assert w.tolist() == [[101.0, 102.0], [103.0, 104.0], [105.0, 106.0]]
    assert x.tolist() == [[11.0, 22.0], [33.0, 44.0], [55.0, 66.0]]


# LinearAlgebra.cpp, ADDMM_META: expand_size; fitting in only one dimension is not enough
def test_addmm_refuses_a_self_that_does_not_expand_to_the_product(device):  # GEO-05
    a = torch.ones([3, 2], device=device)
    b = torch.ones([2, 2], device=device)
    three = torch.zeros([3], device=device)
    wide = torch.zeros([3, 3], device=device)
    wide_row = torch.zeros([1, 3], device=device)
    short = torch.zeros([2, 2], device=device)
    short_column = torch.zeros([2, 1], device=device)
    deep = torch.zeros([1, 3, 2], device=device)
    deeper = torch.zeros([1, 1, 1], device=device)
    none = torch.zeros([0], device=device)
    no_rows = torch.zeros([0, 2], device=device)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(3\)"):
        torch.addmm(three, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(3\)"):
        torch.addmm(wide, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(3\)"):
        torch.addmm(wide_row, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(3\) must match the existing size \(2\)"):
        torch.addmm(short, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(3\) must match the existing size \(2\)"):
        torch.addmm(short_column, a, b)
    with pytest.raises(RuntimeError, match="must be greater or equal to the number of dimensions in the tensor"):
        torch.addmm(deep, a, b)
    with pytest.raises(RuntimeError, match="must be greater or equal to the number of dimensions in the tensor"):
        torch.addmm(deeper, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(0\)"):
        torch.addmm(none, a, b)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(3\) must match the existing size \(0\)"):
        torch.addmm(no_rows, a, b)
    row = torch.tensor([10.0, 20.0], device=device)
    c = torch.tensor([[1.0, 3.0], [0.0, 1.0]], device=device)
    t = c.t()
    z = torch.addmm(row, a, t)
    assert z.tolist() == [[14.0, 21.0], [14.0, 21.0], [14.0, 21.0]]


# The same if the factors are not 1, which takes another path
def test_scaled_addmm_refuses_a_self_that_does_not_expand_to_the_product(device):  # GEO-05
    a = torch.ones([3, 2], device=device)
    b = torch.ones([2, 2], device=device)
    three = torch.zeros([3], device=device)
    wide = torch.zeros([3, 3], device=device)
    short = torch.zeros([2, 2], device=device)
    deep = torch.zeros([1, 3, 2], device=device)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(3\)"):
        torch.addmm(three, a, b, beta=2)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(2\) must match the existing size \(3\)"):
        torch.addmm(wide, a, b, alpha=2)
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(3\) must match the existing size \(2\)"):
        torch.addmm(short, a, b, beta=2)
    with pytest.raises(RuntimeError, match="must be greater or equal to the number of dimensions in the tensor"):
        torch.addmm(deep, a, b, alpha=2)
    n = torch.tensor(100.0, device=device)
    row = torch.tensor([10.0, 20.0], device=device)
    column = torch.tensor([[10.0], [20.0], [30.0]], device=device)
    s = torch.addmm(n, a, b, beta=2, alpha=3)
    t = torch.addmm(row, a, b, beta=2, alpha=3)
    u = torch.addmm(column, a, b, beta=2, alpha=3)
    turned = torch.tensor([[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]], device=device)
    whole = turned.t()
    v = torch.addmm(whole, a, b, beta=2, alpha=3)
    assert v.tolist() == [[8.0, 10.0], [12.0, 14.0], [16.0, 18.0]]
    assert s.tolist() == [[206.0, 206.0], [206.0, 206.0], [206.0, 206.0]]
    assert t.tolist() == [[26.0, 46.0], [26.0, 46.0], [26.0, 46.0]]
    assert u.tolist() == [[26.0, 26.0], [46.0, 46.0], [66.0, 66.0]]


# LinearAlgebra.cpp, addmm_impl_cpu_: 'if (beta.toComplexDouble() == 0.) result.zero_()'
def test_a_factor_of_0_drops_its_term_of_addmm(device):  # GEO-05
    big = torch.tensor([[float("nan"), float("inf")], [0.0, 1.0]], device=device)
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = a.t()
    y = torch.addmm(big, a, b, beta=0)
    assert y.tolist() == [[5.0, 11.0], [11.0, 25.0]]
    z = torch.addmm(b, big, big, alpha=0)
    assert z.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    w = torch.addmm(b, a, a, beta=-1, alpha=0.5)
    assert w.tolist() == [[2.5, 2.0], [5.5, 7.0]]
    i = torch.tensor([[1, 2], [3, 4]], device=device)
    j = i.t()
    k = torch.addmm(j, i, i, beta=3, alpha=-2)
    assert k.tolist() == [[-11, -11], [-24, -32]]
    n = torch.addmm(j, i, i, beta=0, alpha=2)
    assert n.tolist() == [[14, 20], [30, 44]]


# LinearAlgebra.cpp, addmm_impl_cpu_: with an inner size of 0 it is self times beta
def test_addmm_over_an_inner_size_of_0_is_self_times_beta(device):  # GEO-05
    a = torch.zeros([2, 0], device=device)
    b = torch.zeros([0, 3], device=device)
    row = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.addmm(row, a, b)
    z = torch.addmm(row, a, b, beta=2)
    w = torch.addmm(row, a, b, beta=0)
    assert y.tolist() == [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]
    assert z.tolist() == [[2.0, 4.0, 6.0], [2.0, 4.0, 6.0]]
    assert w.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    c = torch.zeros([0, 2], device=device)
    d = torch.zeros([2, 3], device=device)
    e = torch.addmm(row, c, d)
    assert list(e.shape) == [0, 3]
    turned = torch.tensor([[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]], device=device)
    whole = turned.t()
    f = torch.addmm(whole, a, b, beta=0.5)
    assert f.tolist() == [[0.5, 1.0, 1.5], [2.0, 2.5, 3.0]]
