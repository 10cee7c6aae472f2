# Products of matrices of many sizes and layouts: floats, whose kernels depend on the layout, compared with integers.
import torch


def test_small_products_of_each_layout(device):  # GEO-05
    u = torch.arange(35, device=device)
    w = torch.arange(-20, 43, device=device)
    i = u.view([5, 7])
    j = w.view([7, 9])
    exact = torch.mm(i, j)
    a = i.to(torch.float32)
    b = j.to(torch.float32)
    turned = a.t()
    packed = turned.contiguous()
    at = packed.t()
    turned_b = b.t()
    packed_b = turned_b.contiguous()
    bt = packed_b.t()
    p = torch.mm(a, b)
    q = torch.mm(at, b)
    r = torch.mm(a, bt)
    s = torch.mm(at, bt)
    e = torch.eq(p, exact)
    f = torch.eq(q, exact)
    g = torch.eq(r, exact)
    h = torch.eq(s, exact)
    k = e.sum()
    assert k.tolist() == 45
    m = f.sum()
    assert m.tolist() == 45
    n = g.sum()
    assert n.tolist() == 45
    o = h.sum()
    assert o.tolist() == 45
    first = exact.select(0, 0)
    assert first.tolist() == [399, 420, 441, 462, 483, 504, 525, 546, 567]


def test_larger_products_of_each_layout(device):  # GEO-05
    u = torch.arange(-1295, 1295, device=device)
    w = torch.arange(2870, device=device)
    i = u.view([37, 70])
    j = w.view([70, 41])
    exact = torch.mm(i, j)
    a = i.to(torch.float64)
    b = j.to(torch.float64)
    turned = a.t()
    packed = turned.contiguous()
    at = packed.t()
    turned_b = b.t()
    packed_b = turned_b.contiguous()
    bt = packed_b.t()
    p = torch.mm(a, b)
    q = torch.mm(at, b)
    r = torch.mm(a, bt)
    s = torch.mm(at, bt)
    e = torch.eq(p, exact)
    f = torch.eq(q, exact)
    g = torch.eq(r, exact)
    h = torch.eq(s, exact)
    k = e.sum()
    assert k.tolist() == 1517
    m = f.sum()
    assert m.tolist() == 1517
    n = g.sum()
    assert n.tolist() == 1517
    o = h.sum()
    assert o.tolist() == 1517


def test_products_of_matrices_with_gaps(device):  # GEO-05
    u = torch.arange(222, device=device)
    whole = u.view([6, 37])
    f = whole.to(torch.float32)
    i = torch.ops.aten.slice(whole, 1, 0, 37, 2)
    a = torch.ops.aten.slice(f, 1, 0, 37, 2)
    j = whole.narrow(1, 3, 6)
    b = f.narrow(1, 3, 6)
    k = torch.ops.aten.slice(whole, 0, 0, 6, 2)
    c = torch.ops.aten.slice(f, 0, 0, 6, 2)
    it = i.t()
    at = a.t()
    jt = j.t()
    bt = b.t()
    p = torch.mm(it, j)
    q = torch.mm(at, b)
    r = torch.mm(jt, i)
    s = torch.mm(bt, a)
    t = torch.mm(jt, j)
    v = torch.mm(bt, b)
    w = torch.mm(j, i)
    y = torch.mm(b, a)
    kt = k.t()
    ct = c.t()
    m = torch.mm(kt, k)
    n = torch.mm(ct, c)
    e = torch.eq(p, q)
    x = e.sum()
    assert x.tolist() == 114
    e1 = torch.eq(r, s)
    x1 = e1.sum()
    assert x1.tolist() == 114
    e2 = torch.eq(t, v)
    x2 = e2.sum()
    assert x2.tolist() == 36
    e3 = torch.eq(w, y)
    x3 = e3.sum()
    assert x3.tolist() == 114
    e4 = torch.eq(m, n)
    x4 = e4.sum()
    assert x4.tolist() == 1369
    first = t.select(0, 0)
    assert first.tolist() == [78679, 79252, 79825, 80398, 80971, 81544]


def test_products_of_expanded_matrices(device):  # GEO-07
    row = torch.tensor([[1.0, 2.0, 3.0]], device=device)
    a = row.expand([4, 3])
    column = torch.tensor([[1.0], [10.0], [100.0]], device=device)
    b = column.expand([3, 5])
    one = torch.tensor([[2.0]], device=device)
    c = one.expand([3, 4])
    p = torch.mm(a, b)
    q = torch.mm(a, c)
    r = torch.mm(c, a)
    at = a.t()
    s = torch.mm(at, a)
    assert p.tolist() == [
        [321.0, 321.0, 321.0, 321.0, 321.0],
        [321.0, 321.0, 321.0, 321.0, 321.0],
        [321.0, 321.0, 321.0, 321.0, 321.0],
        [321.0, 321.0, 321.0, 321.0, 321.0],
    ]
    assert q.tolist() == [
        [12.0, 12.0, 12.0, 12.0],
        [12.0, 12.0, 12.0, 12.0],
        [12.0, 12.0, 12.0, 12.0],
        [12.0, 12.0, 12.0, 12.0],
    ]
    assert r.tolist() == [[8.0, 16.0, 24.0], [8.0, 16.0, 24.0], [8.0, 16.0, 24.0]]
    assert s.tolist() == [[4.0, 8.0, 12.0], [8.0, 16.0, 24.0], [12.0, 24.0, 36.0]]


def test_larger_products_of_expanded_matrices(device):  # GEO-07
    u = torch.arange(70, device=device)
    f = u.to(torch.float64)
    a = f.expand([37, 70])
    t = a.t()
    v = f.view([70, 1])
    b = v.expand([70, 41])
    p = torch.mm(a, b)
    q = torch.mm(a, t)
    r = torch.mm(t, a)
    x = torch.full([37, 41], 111895.0, dtype=torch.float64, device=device)
    e = torch.eq(p, x)
    y = e.sum()
    assert y.tolist() == 1517
    d = q.select(0, 36)
    w = d.sum()
    assert w.tolist() == 4140115.0
    z = r.select(0, 69)
    m = z.select(0, 69)
    assert m.tolist() == 176157.0


def test_products_of_which_a_size_is_1(device):  # GEO-05
    u = torch.arange(70, device=device)
    f = u.to(torch.float32)
    row = f.view([1, 70])
    column = row.t()
    p = torch.mm(row, column)
    q = torch.mm(column, row)
    assert p.tolist() == [[111895.0]]
    d = q.diagonal()
    s = d.sum()
    assert s.tolist() == 111895.0
    m = f.view([35, 2])
    t = m.t()
    ones = torch.ones([35, 1], device=device)
    pair = torch.tensor([[1.0, -1.0]], device=device)
    r = torch.mm(t, ones)
    v = torch.mm(pair, t)
    assert r.tolist() == [[1190.0], [1225.0]]
    n = v.sum()
    assert n.tolist() == -35.0
    assert list(v.shape) == [1, 35]
    steps = torch.ops.aten.slice(column, 0, 0, 70, 7)
    w = torch.mm(steps, pair)
    assert w.tolist() == [
        [0.0, 0.0],
        [7.0, -7.0],
        [14.0, -14.0],
        [21.0, -21.0],
        [28.0, -28.0],
        [35.0, -35.0],
        [42.0, -42.0],
        [49.0, -49.0],
        [56.0, -56.0],
        [63.0, -63.0],
    ]


def test_addmm_of_many_sizes_adds_each_layout_of_self(device):  # GEO-05
    u = torch.arange(-105, 105, device=device)
    w = torch.arange(190, device=device)
    i = u.view([21, 10])
    j = w.view([10, 19])
    f = i.to(torch.float32)
    g = j.to(torch.float32)
    z = torch.mm(i, j)
    n = torch.arange(399, device=device)
    s = n.view([21, 19])
    whole = s.to(torch.float32)
    turned = whole.t()
    packed = turned.contiguous()
    by_columns = packed.t()
    row = whole.narrow(0, 1, 1)
    column = whole.narrow(1, 3, 1)
    steps = torch.ops.aten.slice(n, 0, 0, 399, 21)
    strided = steps.to(torch.float32)
    a = torch.addmm(whole, f, g, beta=3, alpha=2)
    b = torch.addmm(by_columns, f, g, beta=3, alpha=2)
    c = torch.addmm(row, f, g, beta=-2, alpha=1)
    d = torch.addmm(column, f, g, alpha=-1)
    e = torch.addmm(strided, f, g)
    p = torch.addmm(s, i, j, beta=3, alpha=2)
    row_i = s.narrow(0, 1, 1)
    column_i = s.narrow(1, 3, 1)
    q = torch.addmm(row_i, i, j, beta=-2, alpha=1)
    r = torch.addmm(column_i, i, j, alpha=-1)
    t = torch.addmm(steps, i, j)
    x = torch.eq(a, p)
    y = x.sum()
    assert y.tolist() == 399
    x1 = torch.eq(b, p)
    y1 = x1.sum()
    assert y1.tolist() == 399
    x2 = torch.eq(c, q)
    y2 = x2.sum()
    assert y2.tolist() == 399
    x3 = torch.eq(d, r)
    y3 = x3.sum()
    assert y3.tolist() == 399
    x4 = torch.eq(e, t)
    y4 = x4.sum()
    assert y4.tolist() == 399
    k = torch.sub(q, z)
    o = torch.add(z, column_i, alpha=1)
    v = torch.add(o, r)


def test_larger_addmm_adds_each_layout_of_self(device):  # GEO-05
    u = torch.arange(-1295, 1295, device=device)
    w = torch.arange(2870, device=device)
    i = u.view([37, 70])
    j = w.view([70, 41])
    f = i.to(torch.float64)
    g = j.to(torch.float64)
    n = torch.arange(1517, device=device)
    s = n.view([37, 41])
    whole = s.to(torch.float64)
    turned = whole.t()
    packed = turned.contiguous()
    by_columns = packed.t()
    row = whole.select(0, 2)
    column = whole.narrow(1, 3, 1)
    number = torch.tensor(5.0, dtype=torch.float64, device=device)
    a = torch.addmm(whole, f, g)
    b = torch.addmm(by_columns, f, g, beta=3, alpha=2)
    c = torch.addmm(row, f, g, beta=2)
    d = torch.addmm(column, f, g, alpha=-1)
    e = torch.addmm(number, f, g, beta=-1, alpha=3)
    row_i = s.select(0, 2)
    column_i = s.narrow(1, 3, 1)
    five = torch.tensor(5, device=device)
    p = torch.addmm(s, i, j)
    q = torch.addmm(s, i, j, beta=3, alpha=2)
    r = torch.addmm(row_i, i, j, beta=2)
    t = torch.addmm(column_i, i, j, alpha=-1)
    v = torch.addmm(five, i, j, beta=-1, alpha=3)
    x = torch.eq(a, p)
    y = x.sum()
    assert y.tolist() == 1517
    x1 = torch.eq(b, q)
    y1 = x1.sum()
    assert y1.tolist() == 1517
    x2 = torch.eq(c, r)
    y2 = x2.sum()
    assert y2.tolist() == 1517
    x3 = torch.eq(d, t)
    y3 = x3.sum()
    assert y3.tolist() == 1517
    x4 = torch.eq(e, v)
    y4 = x4.sum()
    assert y4.tolist() == 1517


def test_stacks_of_products_of_each_layout(device):  # GEO-05
    u = torch.arange(-105, 105, device=device)
    i = u.view([3, 7, 10])
    f = i.to(torch.float32)
    it = i.transpose(1, 2)
    ft = f.transpose(1, 2)
    p = torch.bmm(i, it)
    q = torch.bmm(f, ft)
    r = torch.bmm(it, i)
    s = torch.bmm(ft, f)
    one = i.narrow(0, 1, 1)
    f_one = f.narrow(0, 1, 1)
    all_i = one.expand([3, 7, 10])
    all_f = f_one.expand([3, 7, 10])
    t = torch.bmm(all_i, it)
    v = torch.bmm(all_f, ft)
    over = i.transpose(0, 1)
    over_f = f.transpose(0, 1)
    over_t = over.transpose(1, 2)
    over_ft = over_f.transpose(1, 2)
    w = torch.bmm(over, over_t)
    z = torch.bmm(over_f, over_ft)
    e = torch.eq(p, q)
    k = e.sum()
    assert k.tolist() == 147
    e1 = torch.eq(r, s)
    k1 = e1.sum()
    assert k1.tolist() == 300
    e2 = torch.eq(t, v)
    k2 = e2.sum()
    assert k2.tolist() == 147
    e3 = torch.eq(w, z)
    k3 = e3.sum()
    assert k3.tolist() == 63


def test_vectors_in_steps_times_matrices_of_each_layout(device):  # GEO-05
    u = torch.arange(-185, 185, device=device)
    i = u.view([37, 10])
    f = i.to(torch.float64)
    g = i.to(torch.float32)
    it = i.t()
    ft = f.t()
    gt = g.t()
    v = i.select(1, 3)
    w = f.select(1, 3)
    x = g.select(1, 3)
    p = torch.mv(it, v)
    q = torch.mv(ft, w)
    r = torch.mv(gt, x)
    first = u.narrow(0, 5, 1)
    same = first.expand([10])
    first_f = f.select(0, 0)
    five = first_f.narrow(0, 5, 1)
    same_f = five.expand([10])
    s = torch.mv(i, same)
    t = torch.mv(f, same_f)
    a = torch.dot(v, v)
    b = torch.dot(w, w)
    c = torch.dot(x, x)
    row = i.select(0, 4)
    d = torch.dot(row, same)
    row_f = f.select(0, 4)
    e = torch.dot(row_f, same_f)
    first_half = q.narrow(0, 0, 5)
    second_half = q.narrow(0, 5, 5)
    assert first_half.tolist() == [422170.0, 422096.0, 422022.0, 421948.0, 421874.0]
    assert second_half.tolist() == [421800.0, 421726.0, 421652.0, 421578.0, 421504.0]
    h = torch.eq(p, q)
    k = h.sum()
    assert k.tolist() == 10
    h1 = torch.eq(p, r)
    k1 = h1.sum()
    assert k1.tolist() == 10
    h2 = torch.eq(s, t)
    k2 = h2.sum()
    assert k2.tolist() == 37
    assert a.tolist() == 421948
    assert b.tolist() == 421948.0
    assert c.tolist() == 421948.0
    m = torch.eq(d, e)
    assert m.tolist() == True
