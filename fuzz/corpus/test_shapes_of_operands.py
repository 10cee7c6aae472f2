# Pointwise ops, copies and fills of many sizes and layouts: the expected result of each path of a loop.
import pytest
import torch


def test_arithmetic_of_transposed_and_row_major_operands(device):  # GEO-05
    u = torch.arange(70, device=device)
    x = u.view([2, 35])
    y = u.view([35, 2])
    t = y.t()
    a = torch.add(x, t)
    b = torch.sub(t, x)
    c = torch.mul(t, t)
    d = torch.div(x, 2)
    e = a.select(1, 34)
    f = b.select(1, 34)
    g = c.select(1, 34)
    h = d.select(1, 34)
    assert a.stride() == (35, 1)
    assert b.stride() == (1, 2)
    assert e.tolist() == [102, 138]
    assert f.tolist() == [34, 0]
    assert g.tolist() == [4624, 4761]
    assert h.tolist() == [17.0, 34.5]
    t.sub_(1)
    n = t.select(0, 0)
    o = n.sum()
    assert o.tolist() == 1155


def test_arithmetic_in_place_of_other_layouts(device):  # GEO-05
    u = torch.arange(222, device=device)
    f = u.to(torch.float32)
    x = f.view([6, 37])
    y = x.t()
    row = torch.arange(6, device=device)
    y.add_(row)
    a = y.select(0, 36)
    assert a.tolist() == [36.0, 74.0, 112.0, 150.0, 188.0, 226.0]
    gaps = torch.ops.aten.slice(x, 1, 0, 37, 3)
    gaps.mul_(2)
    b = x.select(1, 36)
    c = x.select(1, 35)
    assert b.tolist() == [72.0, 148.0, 224.0, 300.0, 376.0, 452.0]
    assert c.tolist() == [35.0, 73.0, 111.0, 149.0, 187.0, 225.0]
    whole = torch.zeros([6, 37], dtype=torch.float64, device=device)
    z = whole.t()
    z.sub_(y, alpha=2)
    d = whole.select(1, 36)
    assert d.tolist() == [-144.0, -296.0, -448.0, -600.0, -752.0, -904.0]
    i = torch.ones([37, 6], dtype=torch.int32, device=device)
    i.add_(row, alpha=-1)
    e = i.select(0, 36)
    assert e.tolist() == [1, 0, -1, -2, -3, -4]
    z.div_(2)
    g = z.select(0, 36)
    assert g.tolist() == [-72.0, -148.0, -224.0, -300.0, -376.0, -452.0]


def test_arithmetic_of_a_row_and_a_column(device):  # GEO-18
    u = torch.arange(37, device=device)
    row = u.to(torch.float32)
    w = torch.arange(5, device=device)
    column = w.view([5, 1])
    a = torch.add(column, row)
    b = torch.mul(row, column)
    c = torch.sub(column, row)
    d = torch.add(row, column, alpha=2)
    one = torch.tensor([[[3]]], device=device)
    e = torch.add(row, one)
    n = torch.tensor(3, device=device)
    f = torch.mul(row, n)
    g = torch.mul(n, row)
    h = a.select(1, 36)
    k = b.select(1, 36)
    m = c.select(1, 36)
    o = d.select(1, 36)
    p = e.select(2, 36)
    q = f.select(0, 36)
    r = g.select(0, 36)
    assert a.dtype is torch.float32
    assert h.tolist() == [36.0, 37.0, 38.0, 39.0, 40.0]
    assert k.tolist() == [0.0, 36.0, 72.0, 108.0, 144.0]
    assert m.tolist() == [-36.0, -35.0, -34.0, -33.0, -32.0]
    assert o.tolist() == [36.0, 38.0, 40.0, 42.0, 44.0]
    assert p.tolist() == [[39.0]]
    assert list(e.shape) == [1, 1, 37]
    assert q.tolist() == 108.0
    assert r.tolist() == 108.0


def test_arithmetic_of_one_element_of_several_ranks(device):  # GEO-18
    x = torch.tensor([[2.0]], device=device)
    n = torch.tensor(3.0, device=device)
    v = torch.tensor([4.0], device=device)
    deep = torch.tensor([[[[[5.0]]]]], device=device)
    pair = torch.tensor([6.0, 7.0], device=device)
    a = torch.add(x, n)
    b = torch.add(n, x)
    c = torch.mul(x, v)
    d = torch.sub(v, deep)
    e = torch.add(deep, deep)
    f = torch.add(x, x, alpha=2)
    g = torch.add(x, pair)
    assert a.tolist() == [[5.0]]
    assert b.tolist() == [[5.0]]
    assert c.tolist() == [[8.0]]
    assert d.tolist() == [[[[[-1.0]]]]]
    assert e.tolist() == [[[[[10.0]]]]]
    assert f.tolist() == [[6.0]]
    assert g.tolist() == [[8.0, 9.0]]
    x.add_(n)
    v.mul_(v)
    x.sub_(v, alpha=2)
    n.add_(1)
    assert x.tolist() == [[-27.0]]
    assert v.tolist() == [16.0]
    assert n.tolist() == 4.0
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        n.add_(v)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        x.add_(pair)
    w = v.expand([1, 1])
    w.add_(1)
    assert v.tolist() == [17.0]


def test_arithmetic_of_nothing(device):  # GEO-18
    x = torch.zeros([0, 3], device=device)
    v = torch.ones([3], device=device)
    one = torch.ones([1, 1], device=device)
    two = torch.ones([2, 3], device=device)
    a = torch.add(x, v)
    b = torch.mul(one, x)
    c = torch.div(x, 2)
    x.add_(v)
    d = x.exp()
    e = torch.neg(x)
    assert list(a.shape) == [0, 3]
    assert list(b.shape) == [0, 3]
    assert list(c.shape) == [0, 3]
    assert list(d.shape) == [0, 3]
    assert list(e.shape) == [0, 3]
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(0\) must match the size of tensor b \(2\)"):
        torch.add(x, two)
    with pytest.raises(RuntimeError, match=r"The size of tensor a \(2\) must match the size of tensor b \(0\)"):
        two.add_(x)
    row = torch.ones([1, 3], device=device)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        row.add_(x)
    f = two.add(v)
    assert f.tolist() == [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]


def test_unary_ops_of_other_layouts(device):  # GEO-05
    u = torch.arange(-35, 35, device=device)
    f = u.to(torch.float32)
    x = f.view([2, 35])
    t = x.t()
    gaps = torch.ops.aten.slice(x, 1, 0, 35, 2)
    a = torch.neg(t)
    b = torch.relu(t)
    c = torch.neg(gaps)
    d = torch.relu(gaps)
    e = torch.mul(gaps, gaps)
    g = e.sqrt()
    i = u.view([2, 35])
    j = torch.neg(i)
    k = torch.relu(i)
    m = a.select(0, 34)
    n = b.select(0, 34)
    o = c.select(1, 17)
    p = d.select(1, 17)
    q = g.select(1, 17)
    r = j.select(1, 34)
    s = k.select(1, 34)
    assert a.stride() == (1, 35)
    assert m.tolist() == [1.0, -34.0]
    assert n.tolist() == [0.0, 34.0]
    assert o.tolist() == [1.0, -34.0]
    assert p.tolist() == [0.0, 34.0]
    assert q.tolist() == [1.0, 34.0]
    assert r.tolist() == [1, -34]
    assert s.tolist() == [0, 34]
    gaps.neg_()
    v = x.select(1, 34)
    w = x.select(1, 33)
    assert v.tolist() == [1.0, -34.0]
    assert w.tolist() == [-2.0, 33.0]
    t.relu_()
    y = x.select(1, 34)
    assert y.tolist() == [1.0, 0.0]
    z = x.sum()
    assert z.tolist() == 613.0


def test_comparisons_of_other_layouts(device):  # GEO-05
    u = torch.arange(74, device=device)
    x = u.view([2, 37])
    y = u.view([37, 2])
    t = y.t()
    f = t.to(torch.float32)
    a = x.gt(t)
    b = x.ge(t)
    c = f.eq(x)
    d = f.gt(36.5)
    e = x.gt(36)
    gaps = torch.ops.aten.slice(f, 1, 0, 37, 4)
    g = gaps.ge(36)
    row = f.narrow(0, 1, 1)
    h = f.eq(row)
    k = a.sum([1])
    m = b.sum([1])
    n = c.sum([1])
    o = d.sum([1])
    p = e.sum([1])
    q = g.sum([1])
    r = h.sum([1])
    assert k.tolist() == [0, 36]
    assert m.tolist() == [1, 37]
    assert n.tolist() == [1, 1]
    assert o.tolist() == [18, 19]
    assert p.tolist() == [0, 37]
    assert q.tolist() == [5, 5]
    assert r.tolist() == [0, 37]


def test_copies_between_layouts_and_dtypes(device):  # GEO-05
    u = torch.arange(74, device=device)
    x = u.view([2, 37])
    y = u.view([37, 2])
    t = y.t()
    f = torch.zeros([2, 37], device=device)
    f.copy_(t)
    a = f.select(1, 36)
    assert a.tolist() == [72.0, 73.0]
    g = f.t()
    c = g.clone()
    d = g.contiguous()
    assert c.stride() == (1, 37)
    assert d.stride() == (2, 1)
    e = d.select(0, 36)
    assert e.tolist() == [72.0, 73.0]
    i = g.to(torch.int32)
    h = i.select(0, 35)
    assert h.tolist() == [70, 71]
    b = x.to(torch.bool)
    k = b.sum([1])
    assert k.tolist() == [36, 37]
    row = u.narrow(0, 0, 37)
    f.copy_(row)
    m = f.select(1, 36)
    assert m.tolist() == [36.0, 36.0]
    n = torch.tensor(5, device=device)
    f.copy_(n)
    o = f.sum()
    assert o.tolist() == 370.0
    three = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError, match="must match"):
        f.copy_(three)
    deep = torch.zeros([1, 2, 37], device=device)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        f.copy_(deep)
    half = torch.ops.aten.slice(f, 1, 0, 37, 2)
    half.fill_(1)
    p = f.sum([1])
    assert p.tolist() == [109.0, 109.0]
    half.zero_()
    q = f.sum([1])
    assert q.tolist() == [90.0, 90.0]


def test_choices_of_other_layouts(device):  # GEO-05
    u = torch.arange(74, device=device)
    x = u.view([2, 37])
    y = u.view([37, 2])
    t = y.t()
    m = x.gt(36)
    a = torch.where(m, x, t)
    b = a.select(1, 36)
    c = a.select(1, 1)
    assert b.tolist() == [72, 73]
    assert c.tolist() == [2, 38]
    mt = y.gt(36)
    n = mt.t()
    d = x.masked_fill(n, -1)
    e = d.sum([1])
    f = d.select(1, 18)
    assert e.tolist() == [153, 800]
    assert f.tolist() == [18, -1]
    gaps = torch.ops.aten.slice(x, 1, 0, 37, 2)
    half = torch.ops.aten.slice(m, 1, 0, 37, 2)
    gaps.masked_fill_(half, 0)
    g = x.sum([1])
    assert g.tolist() == [666, 990]
    scalar = torch.tensor(1.5, device=device)
    h = torch.where(m, x, scalar)
    k = h.select(1, 1)
    assert h.dtype is torch.float32
    assert k.tolist() == [1.5, 38.0]


# TypeProperties.cpp, combine_categories: each pair of a tensor, a tensor without dimensions and a number
def test_results_take_the_dtype_of_the_operand_that_counts(device):  # TYPE-40 TYPE-41
    b = torch.tensor([True, False], device=device)
    i = torch.tensor([1, 2], dtype=torch.int32, device=device)
    f = torch.tensor([0.5, 1.5], device=device)
    n = torch.tensor(3, device=device)
    d = torch.tensor(0.25, dtype=torch.float64, device=device)
    t = torch.tensor(True, device=device)
    a = torch.add(b, n)
    c = torch.add(i, n)
    e = torch.add(i, d)
    g = torch.add(f, d)
    h = torch.add(n, t)
    k = torch.add(t, 2)
    m = torch.add(n, 0.5)
    o = torch.add(d, 1)
    p = torch.add(b, 2.5)
    q = torch.mul(i, t)
    r = torch.add(b, i)
    s = torch.cat([b, i])
    u = torch.cat([i, f])
    v = torch.where(b, n, d)
    w = torch.where(b, i, n)
    assert a.tolist() == [4, 3]
    assert a.dtype is torch.int64
    assert c.dtype is torch.int32
    assert e.dtype is torch.float64
    assert g.dtype is torch.float32
    assert h.dtype is torch.int64
    assert k.dtype is torch.int64
    assert m.dtype is torch.float32
    assert o.dtype is torch.float64
    assert p.tolist() == [3.5, 2.5]
    assert q.dtype is torch.int32
    assert r.dtype is torch.int32
    assert s.tolist() == [1, 0, 1, 2]
    assert u.dtype is torch.float32
    assert v.tolist() == [3.0, 0.25]
    assert w.dtype is torch.int32
