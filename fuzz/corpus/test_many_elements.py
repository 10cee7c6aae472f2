# Ops on more elements than a vector of the machine has, of each dtype and in several layouts.
import pytest
import torch


def test_arithmetic_on_many_integers(device):  # TYPE-43
    x = torch.arange(67, device=device)
    y = torch.arange(5, 72, device=device)
    a = torch.add(x, y, alpha=3)
    b = torch.sub(x, y, alpha=2)
    c = torch.mul(x, y)
    d = torch.div(x, y)
    e = torch.neg(x)
    f = torch.add(x, 7)
    g = torch.mul(y, 2)
    h = torch.relu(b)
    q = a.sum()
    assert q.tolist() == 9849
    r = b.sum()
    assert r.tolist() == -2881
    t = e.sum()
    assert t.tolist() == -2211
    u = f.sum()
    assert u.tolist() == 2680
    v = g.sum()
    assert v.tolist() == 5092
    w = h.sum()
    assert w.tolist() == 0
    assert d.dtype is torch.float32


def test_arithmetic_on_many_small_integers(device):  # TYPE-43
    u = torch.arange(67, device=device)
    x = u.to(torch.int32)
    v = torch.arange(5, 72, device=device)
    y = v.to(torch.int32)
    a = torch.add(x, y, alpha=3)
    b = torch.sub(x, y, alpha=2)
    c = torch.mul(x, y)
    d = torch.div(x, y)
    e = torch.neg(x)
    f = torch.add(x, 7)
    g = torch.mul(y, 2)
    h = torch.relu(b)
    assert a.dtype is torch.int32
    assert d.dtype is torch.float32
    q = a.sum()
    assert q.tolist() == 9849
    r = b.sum()
    assert r.tolist() == -2881
    t = e.sum()
    assert t.tolist() == -2211


def test_arithmetic_on_many_floats(device):  # TYPE-41
    u = torch.arange(67, device=device)
    x = u.to(torch.float32)
    v = torch.arange(5, 72, device=device)
    y = v.to(torch.float32)
    a = torch.add(x, y, alpha=3)
    b = torch.sub(x, y, alpha=2)
    c = torch.mul(x, y)
    d = torch.div(y, 0.5)
    e = torch.neg(x)
    f = torch.add(x, 7)
    g = torch.relu(b)
    h = torch.sqrt(c)
    i = torch.add(u, y)
    assert i.dtype is torch.float32
    q = a.sum()
    assert q.tolist() == 9849.0
    r = b.sum()
    assert r.tolist() == -2881.0
    t = d.sum()
    assert t.tolist() == 5092.0
    w = e.sum()
    assert w.tolist() == -2211.0
    k = g.sum()
    assert k.tolist() == 0.0
    m = i.sum()
    assert m.tolist() == 4757.0


def test_arithmetic_on_many_doubles(device):  # TYPE-41
    u = torch.arange(67, device=device)
    x = u.to(torch.float64)
    v = torch.arange(5, 72, device=device)
    y = v.to(torch.float64)
    w = v.to(torch.float32)
    a = torch.add(x, y, alpha=3)
    b = torch.sub(x, y, alpha=2)
    c = torch.mul(x, y)
    d = torch.div(y, 0.5)
    e = torch.neg(x)
    f = torch.add(x, 7)
    g = torch.relu(b)
    h = torch.sqrt(c)
    i = torch.add(u, w)
    assert i.dtype is torch.float32
    q = a.sum()
    assert q.tolist() == 9849.0
    r = b.sum()
    assert r.tolist() == -2881.0
    t = d.sum()
    assert t.tolist() == 5092.0
    k = e.sum()
    assert k.tolist() == -2211.0


def test_comparisons_of_many_elements(device):  # TYPE-44
    x = torch.arange(67, device=device)
    u = torch.arange(-1, 66, device=device)
    y = u.to(torch.float32)
    v = torch.full([67], 33.5, device=device)
    a = torch.gt(x, y)
    b = torch.ge(y, x)
    c = torch.eq(x, y)
    d = torch.gt(x, v)
    e = torch.ge(x, 33)
    f = torch.eq(x, 33)
    g = torch.gt(y, 33)
    z = y.to(torch.float64)
    h = torch.ge(z, 33)
    i = x.to(torch.int32)
    j = torch.gt(i, 33)
    q = a.sum()
    assert q.tolist() == 67
    r = b.sum()
    assert r.tolist() == 0
    t = c.sum()
    assert t.tolist() == 0
    w = d.sum()
    assert w.tolist() == 33
    k = e.sum()
    assert k.tolist() == 34
    m = f.sum()
    assert m.tolist() == 1
    n = g.sum()
    assert n.tolist() == 32
    q1 = h.sum()
    assert q1.tolist() == 33
    r1 = j.sum()
    assert r1.tolist() == 33


def test_rows_that_are_not_dense(device):  # TYPE-43
    u = torch.arange(210, device=device)
    x = u.view([3, 70])
    a = torch.ops.aten.slice(x, 1, 1, 70, 2)
    t = x.t()
    b = torch.ops.aten.slice(t, 0, 0, 35, 1)
    c = b.t()
    d = torch.add(a, c)
    e = torch.mul(a, 2)
    f = a.to(torch.float32)
    g = torch.sub(f, c)
    h = torch.div(c, c)
    i = torch.neg(a)
    j = torch.gt(a, c)
    k = a.clone()
    l = t.contiguous()
    q = torch.zeros([5, 7], device=device)
    r = q.t()
    m = torch.exp(r)
    assert d.size() == (3, 35)
    v = e.sum()
    assert v.tolist() == 22050
    w = i.sum()
    assert w.tolist() == -11025
    n = j.sum()
    assert n.tolist() == 105
    assert h.dtype is torch.float32


def test_broadcasting_of_many_elements(device):  # TYPE-43
    x = torch.arange(67, device=device)
    u = torch.arange(3, device=device)
    y = u.view([3, 1])
    z = y.to(torch.float32)
    a = torch.add(x, y)
    b = torch.mul(y, x)
    c = torch.sub(z, x)
    q = torch.add(y, 1)
    d = torch.div(x, q)
    e = torch.gt(x, y)
    f = x.expand([3, 67])
    g = torch.add(f, a)
    h = torch.where(e, x, y)
    v = torch.zeros([3, 67], dtype=torch.int64, device=device)
    v.add_(x)
    v.mul_(y)
    r = a.sum()
    assert r.tolist() == 6834
    t = b.sum()
    assert t.tolist() == 6633
    assert d.dtype is torch.float32
    w = e.sum()
    assert w.tolist() == 195
    k = v.sum()
    assert k.tolist() == 6633


def test_sums_over_many_elements(device):  # TYPE-44
    u = torch.arange(335, device=device)
    x = u.view([5, 67])
    y = u.view([67, 5])
    z = x.to(torch.float32)
    w = y.to(torch.float64)
    v = x.to(torch.int32)
    a = torch.sum(x, [0])
    b = torch.sum(x, [1])
    c = torch.sum(y, [0])
    d = torch.sum(y, [1])
    e = torch.sum(z, [0])
    f = torch.sum(z, [1])
    g = torch.sum(w, [0])
    h = torch.sum(w, [1])
    i = torch.sum(v, [0])
    q = x.t()
    j = torch.sum(q, [0])
    r = z.t()
    k = torch.sum(r, [1], keepdim=True)
    l = torch.mean(z, [1])
    m = torch.mean(w)
    t = torch.gt(x, 100)
    n = torch.sum(t, [1])
    q1 = u.view([5, 67])
    r1 = q1.t()
    o = r1.sum()
    assert i.dtype is torch.int64
    assert b.tolist() == [2211, 6700, 11189, 15678, 20167]
    assert c.tolist() == [11055, 11122, 11189, 11256, 11323]
    assert f.tolist() == [2211.0, 6700.0, 11189.0, 15678.0, 20167.0]
    assert g.tolist() == [11055.0, 11122.0, 11189.0, 11256.0, 11323.0]
    assert l.tolist() == [33.0, 100.0, 167.0, 234.0, 301.0]
    assert m.tolist() == 167.0
    assert n.tolist() == [0, 33, 67, 67, 67]
    assert o.tolist() == 55945


def test_extremes_of_many_elements(device):  # VAL-47
    u = torch.arange(335, device=device)
    x = u.view([5, 67])
    z = x.to(torch.float32)
    n = torch.neg(z)
    w = n.to(torch.float64)
    a = torch.max(z)
    b = torch.max(n)
    c, i = torch.max(z, 1)
    d, j = torch.max(n, 0)
    e, k = torch.max(x, 1)
    f = torch.argmax(n)
    g = torch.argmax(w, 1)
    h = torch.argmax(x, 0, keepdim=True)
    l, m = torch.aminmax(z)
    o, p = torch.aminmax(w, dim=1)
    q = torch.zeros([67], device=device)
    r = torch.argmax(q)
    t = torch.softmax(q, 0)
    assert a.tolist() == 334.0
    assert b.tolist() == 0.0
    assert i.tolist() == [66, 66, 66, 66, 66]
    assert c.tolist() == [66.0, 133.0, 200.0, 267.0, 334.0]
    assert f.tolist() == 0
    assert g.tolist() == [0, 0, 0, 0, 0]
    assert l.tolist() == 0.0
    assert m.tolist() == 334.0
    assert o.tolist() == [-66.0, -133.0, -200.0, -267.0, -334.0]
    assert r.tolist() == 0


def test_products_of_larger_matrices(device):  # AUT-13
    u = torch.arange(561, device=device)
    v = torch.arange(340, device=device)
    q = u.view([33, 17])
    x = q.to(torch.float32)
    r = v.view([17, 20])
    y = r.to(torch.float32)
    x.requires_grad_()
    z = torch.mm(x, y)
    t = x.t()
    w = t.contiguous()
    k = w.t()
    m = y.t()
    n = m.contiguous()
    q1 = n.t()
    a = torch.mm(k, q1)
    r1 = u.view([33, 17])
    t1 = v.view([17, 20])
    b = torch.mm(r1, t1)
    d = torch.eq(z, b)
    e = torch.eq(a, b)
    u1 = torch.ones([17], device=device)
    f = torch.mv(x, u1)
    s = f.sum()
    s.backward()
    v1 = d.sum()
    assert v1.tolist() == 660
    w1 = e.sum()
    assert w1.tolist() == 660
    assert s.tolist() == 157080.0


def test_choices_among_many_elements(device):  # GEO-18
    x = torch.arange(134, device=device)
    y = x.view([2, 67])
    z = y.to(torch.float32)
    m = torch.gt(y, 100)
    n = torch.zeros([67], dtype=torch.int64, device=device)
    a = torch.where(m, y, n)
    b = z.masked_fill(m, -1.0)
    i = torch.tensor([66, 0, 33, 33], device=device)
    c = torch.index_select(z, 1, i)
    d = z.index_fill(1, i, 5.0)
    k = torch.tensor([[66, 0], [1, 65]], device=device)
    e = torch.gather(z, 1, k)
    f = torch.cat([z, c], 1)
    g = torch.stack([z, z], 0)
    h = i.to(torch.float32)
    with pytest.raises(RuntimeError):
        z.masked_fill(h, 1.0)
    q = a.sum()
    assert q.tolist() == 3861
    assert c.tolist() == [[66.0, 0.0, 33.0, 33.0], [133.0, 67.0, 100.0, 100.0]]
    assert e.tolist() == [[66.0, 0.0], [68.0, 132.0]]
    assert f.size() == (2, 71)


def test_copies_of_many_elements(device):  # TYPE-42
    x = torch.arange(134, device=device)
    y = x.view([2, 67])
    f = torch.zeros([2, 67], device=device)
    d = torch.zeros([2, 67], dtype=torch.float64, device=device)
    i = torch.zeros([67, 2], dtype=torch.int32, device=device)
    b = torch.zeros([2, 67], dtype=torch.bool, device=device)
    f.copy_(y)
    d.copy_(f)
    q = d.t()
    i.copy_(q)
    b.copy_(y)
    r = f.t()
    r.copy_(i)
    with pytest.raises(RuntimeError):
        y.add_(0.5)
    g = f.to(torch.int64)
    h = torch.eq(g, y)
    e = torch.full([134], 3, device=device)
    e.fill_(4)
    t = b.sum()
    assert t.tolist() == 133
    u = h.sum()
    assert u.tolist() == 134
    v = e.sum()
    assert v.tolist() == 536


def test_more_elements_than_one_thread_takes(device):  # TYPE-44
    x = torch.ones([262147], dtype=torch.bool, device=device)
    y = x.to(torch.int32)
    y.add_(y)
    s = y.sum()
    assert s.tolist() == 524294
    assert s.dtype is torch.int64


def test_a_large_copy_copies_each_element(device):  # TYPE-44
    x = torch.ones([70000], dtype=torch.int32, device=device)
    y = torch.zeros([70000], dtype=torch.int32, device=device)
    y.copy_(x)
    s = y.sum()
    assert s.dtype is torch.int64
    assert s.tolist() == 70000


def test_an_addend_is_read_by_its_strides(device):  # GEO-05
    r = torch.arange(0, 1600, dtype=torch.float32, device=device)
    m = r.view([40, 40])
    t = m.t()
    a = torch.ones([40, 40], device=device)
    y = t.addmm(a, a)
    s = y.select(1, 0)
    u = s.sum()
    assert u.tolist() == 2380.0
    v = y.sum()
    assert v.tolist() == 1343200.0
