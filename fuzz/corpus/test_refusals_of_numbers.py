# Factories and numbers: what each refuses, and its result for arguments that are just valid.
import pytest
import torch


# EmptyTensor.cpp, check_size_nonnegative
def test_factories_refuse_negative_sizes(device):  # GEO-01
    with pytest.raises(RuntimeError, match="negative"):
        torch.zeros([-1], device=device)
    with pytest.raises(RuntimeError, match="negative"):
        torch.ones([2, -1], device=device)
    with pytest.raises(RuntimeError, match="negative"):
        torch.full([-2, 0], 1.0, device=device)
    with pytest.raises(RuntimeError, match="negative"):
        torch.empty([0, -1], device=device)
    with pytest.raises(RuntimeError, match="negative"):
        torch.rand([-1], device=device)
    x = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="negative"):
        x.new_full([-1], 1)
    y = torch.zeros([2, 0, 3], device=device)
    z = torch.ones([], device=device)
    s = y.sum([-1])
    assert list(s.shape) == [2, 0]
    assert z.tolist() == 1.0


# RangeUtils.h, arange_check_bounds
def test_arange_takes_finite_bounds(device):  # TYPE-44
    a = torch.arange(0, device=device)
    b = torch.arange(3, 3, device=device)
    c = torch.arange(-2, 2, device=device)
    d = torch.arange(2.5, device=device)
    e = torch.arange(1, 3.0, device=device)
    f = torch.arange(3, dtype=torch.int32, device=device)
    g = torch.arange(0.5, 2.5, device=device)
    h = torch.arange(1, 4, dtype=torch.float64, device=device)
    k = f.sum()
    assert a.tolist() == []
    assert b.tolist() == []
    assert c.tolist() == [-2, -1, 0, 1]
    assert d.tolist() == [0.0, 1.0, 2.0]
    assert e.tolist() == [1.0, 2.0]
    assert g.tolist() == [0.5, 1.5]
    assert h.tolist() == [1.0, 2.0, 3.0]
    assert k.dtype is torch.int64
    with pytest.raises(RuntimeError, match="unsupported range|negative dimension|possible overflow"):
        torch.arange(float("inf"), device=device)
    with pytest.raises(RuntimeError, match="unsupported range|negative dimension|possible overflow"):
        torch.arange(float("nan"), 3.0, device=device)
    with pytest.raises(RuntimeError, match="unsupported range|negative dimension|possible overflow"):
        torch.arange(0.0, float("nan"), device=device)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.arange(2, dtype=torch.bool, device=device)


# DistributionTemplates.h, uniform_impl_: only floats
def test_rand_makes_floats_alone(device):  # RAND-52
    with pytest.raises(RuntimeError, match="not implemented for 'Long'"):
        torch.rand([2], dtype=torch.int64, device=device)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        torch.rand([2], dtype=torch.bool, device=device)
    torch.manual_seed(5489)
    x = torch.rand([2, 2], dtype=torch.float64, device=device)
    torch.manual_seed(5489)
    y = torch.rand([2], dtype=torch.float64, device=device)
    z = torch.rand([2], dtype=torch.float64, device=device)
    a = x.select(0, 0)
    b = x.select(0, 1)
    c = a.eq(y)
    d = b.eq(z)
    assert c.tolist() == [True, True]
    assert d.tolist() == [True, True]


# c10/util/TypeCast.h, checked_convert: a number that the dtype cannot hold
def test_a_number_beyond_the_dtype_is_refused(device):  # TYPE-42
    i = torch.zeros([2], dtype=torch.int32, device=device)
    n = torch.zeros([2], dtype=torch.int64, device=device)
    f = torch.zeros([2], device=device)
    i.fill_(2147483647)
    assert i.tolist() == [2147483647, 2147483647]
    i.fill_(-2147483648)
    assert i.tolist() == [-2147483648, -2147483648]
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.fill_(2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.fill_(-2147483649)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.fill_(3e9)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int64_t"):
        n.fill_(1e19)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int64_t"):
        n.fill_(-1e19)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float"):
        f.fill_(1e39)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float"):
        f.fill_(-1e39)
    f.fill_(float("inf"))
    assert f.tolist() == [float("inf"), float("inf")]
    d = torch.full([1], 1e39, dtype=torch.float64, device=device)
    assert d.tolist() == [1e39]
    i.fill_(2.75)
    assert i.tolist() == [2, 2]
    b = torch.zeros([1], dtype=torch.bool, device=device)
    b.fill_(0.5)
    assert b.tolist() == [True]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        n.mul_(0.5)


# The same, wherever an op takes a number for elements
def test_every_op_that_takes_a_number_refuses_one_beyond_the_dtype(device):  # GEO-01
    i = torch.zeros([2], dtype=torch.int32, device=device)
    f = torch.zeros([2, 1], device=device)
    m = torch.tensor([True, False], device=device)
    at = torch.tensor([1], device=device)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        torch.full([2], 2147483648, dtype=torch.int32, device=device)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        torch.full_like(i, 2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.new_full([2], -2147483649)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.masked_fill(m, 2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.masked_fill_(m, 2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.index_fill(0, at, 2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        i.index_fill_(0, at, 2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        torch.add(i, i, alpha=2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float"):
        torch.add(f, f, alpha=1e39)
    assert i.tolist() == [0, 0]
    a = torch.full_like(i, 2147483647)
    b = i.new_full([1, 2], -2147483648)
    c = i.index_fill(-1, at, 2147483647)
    d = torch.full_like(i, 1e39, dtype=torch.float64)
    assert a.tolist() == [2147483647, 2147483647]
    assert b.tolist() == [[-2147483648, -2147483648]]
    assert c.tolist() == [0, 2147483647]
    assert d.tolist() == [1e39, 1e39]


# LinearAlgebra.cpp, addmm_impl_cpu_: beta.to<scalar_t>(), alpha.to<scalar_t>()
def test_addmm_refuses_a_factor_beyond_the_dtype(device):  # GEO-05
    x = torch.tensor([[1, 2], [3, 4]], dtype=torch.int32, device=device)
    t = x.t()
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        torch.addmm(x, x, x, alpha=2147483648)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int"):
        torch.addmm(x, x, x, beta=-2147483649)
    y = torch.addmm(t, x, x, beta=2, alpha=0)
    assert y.tolist() == [[2, 6], [4, 8]]
    f = torch.ones([1, 1], device=device)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float"):
        torch.addmm(f, f, f, alpha=1e39)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float"):
        torch.addmm(f, f, f, beta=1e39)


# TensorFactories.cpp, infer_full_options: without a dtype the number's own decides
def test_full_takes_the_numbers_dtype_and_new_full_the_tensors(device):  # TYPE-44
    a = torch.full([1], 2, device=device)
    b = torch.full([1], 2.5, device=device)
    c = torch.full([2], True, device=device)
    d = a.new_full([1], 2.5)
    e = b.new_full([1], 3)
    f = torch.full_like(c, 7)
    g = torch.full_like(a, 2.5, dtype=torch.float32)
    h = c.sum()
    assert a.dtype is torch.int64
    assert b.dtype is torch.float32
    assert c.dtype is torch.bool
    assert d.tolist() == [2]
    assert e.tolist() == [3.0]
    assert f.tolist() == [True, True]
    assert g.tolist() == [2.5]
    assert h.tolist() == 2


# a number beside a tensor: comparisons follow type promotion
def test_comparisons_take_numbers_and_sizes_that_broadcast(device):  # TYPE-46
    x = torch.tensor([[1], [2]], device=device)
    y = torch.tensor([1.0, 2.0, 3.0], device=device)
    a = x.gt(y)
    b = x.ge(1.5)
    c = y.eq(x)
    d = x.eq(True)
    big = torch.tensor([16777217], device=device)
    near = torch.tensor([16777216.0], device=device)
    e = big.eq(near)
    assert a.tolist() == [[False, False, False], [True, False, False]]
    assert b.tolist() == [[False], [True]]
    assert c.tolist() == [[True, False, False], [False, True, False]]
    assert d.tolist() == [[True], [False]]
    assert e.tolist() == [True]
    two = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(3\) must match the size of tensor b \(2\)"):
        y.gt(two)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(2\) must match the size of tensor b \(3\)"):
        two.ge(y)
    none = torch.zeros([0], device=device)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(3\) must match the size of tensor b \(0\)"):
        y.eq(none)
    f = none.gt(x)
    assert list(f.shape) == [2, 0]
