# The layouts of results: channels last, dimensions of stride 0, many dimensions, and the order of memory.
import torch


# TensorShape.cpp, cat_compute_output_memory_format
def test_cat_of_tensors_whose_channels_are_last_keeps_them_last(device):  # GEO-06
    u = torch.arange(48, device=device)
    x = u.view([2, 2, 4, 3])
    a = x.permute([0, 3, 1, 2])
    b = torch.cat([a, a], 0)
    c = torch.cat([a, a], 1)
    row_major = a.contiguous()
    d = torch.cat([a, row_major], 1)
    e = torch.cat([row_major, a], 1)
    f = torch.cat([a, a], -1)
    assert list(b.shape) == [4, 3, 2, 4]
    assert b.stride() == (24, 1, 12, 3)
    assert c.stride() == (48, 1, 24, 6)
    assert d.stride() == (48, 8, 4, 1)
    assert e.stride() == (48, 8, 4, 1)
    assert f.stride() == (48, 1, 24, 3)
    g = c.select(0, 1)
    h = g.select(1, 1)
    assert h.tolist() == [
        [36, 39, 42, 45],
        [37, 40, 43, 46],
        [38, 41, 44, 47],
        [36, 39, 42, 45],
        [37, 40, 43, 46],
        [38, 41, 44, 47],
    ]


# c10/core/MemoryFormat.h, is_channels_last_strides_3d_s5
def test_cat_of_five_dimensions_keeps_channels_last(device):  # GEO-06
    u = torch.arange(48, device=device)
    x = u.view([2, 2, 2, 2, 3])
    a = x.permute([0, 4, 1, 2, 3])
    b = torch.cat([a, a], 0)
    c = torch.cat([a, a], 1)
    assert b.stride() == (24, 1, 12, 6, 3)
    assert c.stride() == (48, 1, 24, 12, 6)
    d = a.permute([0, 1, 3, 2, 4])
    e = torch.cat([d, d], 0)
    assert e.stride() == (24, 8, 4, 2, 1)
    v = u.view([2, 24])
    t = v.t()
    f = torch.cat([t, t], 0)
    assert f.stride() == (2, 1)


# c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4: sizes of 1 and of 0
def test_cat_of_ambiguous_strides(device):  # GEO-06
    u = torch.arange(24, device=device)
    one = u.view([2, 3, 4, 1])
    a = one.permute([0, 3, 1, 2])
    b = torch.cat([a, a], 0)
    c = torch.cat([a, a], 1)
    assert list(a.shape) == [2, 1, 3, 4]
    assert b.tolist() == [
        [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]],
        [[[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]],
        [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]],
        [[[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]],
    ]
    small = u.view([1, 1, 1, 24])
    d = small.permute([0, 3, 1, 2])
    e = torch.cat([d, d], 1)
    f = torch.cat([d, d], 0)
    g = torch.cat([d, d], 3)
    assert list(e.shape) == [1, 48, 1, 1]
    assert list(f.shape) == [2, 24, 1, 1]
    assert list(g.shape) == [1, 24, 1, 2]
    none = torch.zeros([2, 0, 4, 3], dtype=torch.int64, device=device)
    h = none.permute([0, 3, 1, 2])
    k = torch.cat([h, h], 0)
    assert list(k.shape) == [4, 3, 0, 4]
    x = u.view([2, 3, 4])
    y = x.permute([0, 2, 1])
    z = torch.stack([y, y], 2)
    assert list(z.shape) == [2, 4, 2, 3]


# stack at the end, of three and four dimensions
def test_stack_at_the_end_of_three_and_four_dimensions(device):  # GEO-06
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    y = x.permute([0, 2, 1])
    a = torch.stack([x, x], 3)
    b = torch.stack([y, y], -1)
    z = x.permute([1, 2, 0])
    c = torch.stack([z, z, z], 3)
    first = z.select(2, 0)
    assert first.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    w = u.view([2, 3, 2, 2])
    v = w.permute([0, 3, 1, 2])
    d = torch.stack([v, v], 4)
    e = torch.stack([w, w], 4)
    f = a.select(-1, 1)
    g = b.select(-1, 1)
    h = c.select(-1, 2)
    k = d.select(-1, 0)
    m = f.eq(x)
    n = g.eq(y)
    o = h.eq(z)
    p = k.eq(v)
    q = m.sum()
    assert q.tolist() == 24
    r = n.sum()
    assert r.tolist() == 24
    s = o.sum()
    assert s.tolist() == 24
    t = p.sum()
    assert t.tolist() == 24
    assert list(e.shape) == [2, 3, 2, 2, 2]
    narrow = torch.ones([2, 4, 1], device=device)
    turned = narrow.transpose(1, 2)
    last = torch.stack([turned, turned], 3)
    assert last.stride() == (8, 1, 2, 1)
    deep = torch.ones([2, 3, 4, 1], device=device)
    moved = deep.permute([0, 3, 1, 2])
    five = torch.stack([moved, moved], 4)
    assert five.stride() == (24, 1, 8, 2, 1)


# TensorIterator.cpp, compute_fast_setup_type: channels last where all inputs are
def test_pointwise_results_keep_channels_last(device):  # GEO-24
    u = torch.arange(48, device=device)
    x = u.view([2, 2, 4, 3])
    a = x.permute([0, 3, 1, 2])
    b = torch.add(a, a)
    c = torch.neg(a)
    row_major = a.contiguous()
    d = torch.add(a, row_major)
    e = torch.add(row_major, a)
    f = a.gt(20)
    g = torch.where(f, a, row_major)
    n = torch.tensor(2, device=device)
    h = torch.mul(a, n)
    channels = torch.tensor([[[1]], [[2]], [[3]]], device=device)
    k = torch.add(a, channels)
    assert b.stride() == (24, 1, 12, 3)
    assert c.stride() == (24, 1, 12, 3)
    assert d.stride() == (24, 1, 12, 3)
    assert e.stride() == (24, 8, 4, 1)
    assert f.stride() == (24, 1, 12, 3)
    assert h.stride() == (24, 1, 12, 3)
    assert k.stride() == (24, 1, 12, 3)
    m = g.eq(a)
    o = m.sum()
    assert o.tolist() == 48


# TensorIterator.cpp, reorder_dimensions: the first operand for which it matters decides
def test_pointwise_results_of_operands_that_disagree(device):  # GEO-24
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    a = x.permute([2, 0, 1])
    y = u.view([4, 2, 3])
    b = torch.add(a, y)
    c = torch.add(y, a)
    row = u.narrow(0, 0, 3)
    d = torch.add(row, a)
    e = row.expand([4, 2, 3])
    f = torch.add(e, a)
    g = torch.add(e, e)
    gaps = torch.ops.aten.slice(a, 0, 0, 4, 2)
    h = torch.add(gaps, gaps)
    k = gaps.neg()
    column = u.view([24, 1])
    m = column.expand([24, 5])
    o = m.t()
    p = o.neg()
    assert b.stride() == (1, 12, 4)
    assert c.stride() == (6, 3, 1)
    assert d.stride() == (1, 12, 4)
    assert f.stride() == (1, 12, 4)
    assert g.stride() == (6, 3, 1)
    assert h.stride() == (1, 6, 2)
    assert k.stride() == (1, 6, 2)
    assert list(p.shape) == [5, 24]


# ExpandUtils.h, infer_dense_strides
def test_clones_of_what_is_not_dense(device):  # GEO-23
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    a = x.permute([2, 0, 1])
    b = torch.ops.aten.slice(a, 0, 0, 4, 3)
    c = b.clone()
    row = u.narrow(0, 0, 3)
    d = row.expand([2, 3])
    e = d.clone()
    f = d.t()
    g = f.clone()
    one = x.narrow(1, 1, 1)
    h = one.clone()
    k = one.permute([1, 2, 0])
    m = k.clone()
    n = torch.zeros_like(k)
    none = x.narrow(1, 0, 0)
    o = none.clone()
    p = torch.ones_like(f)
    whole = x.as_strided([2, 2], [1, 1])
    q = whole.clone()
    assert c.stride() == (1, 6, 2)
    assert c.tolist() == [[[0, 4, 8], [12, 16, 20]], [[3, 7, 11], [15, 19, 23]]]
    assert e.stride() == (3, 1)
    assert g.stride() == (2, 1)
    assert h.tolist() == [[[4, 5, 6, 7]], [[16, 17, 18, 19]]]
    assert m.tolist() == [[[4, 16], [5, 17], [6, 18], [7, 19]]]
    assert n.tolist() == [[[0, 0], [0, 0], [0, 0], [0, 0]]]
    assert list(o.shape) == [2, 0, 4]
    assert p.stride() == (2, 1)
    assert q.tolist() == [[0, 1], [1, 2]]


# More dimensions than have room inside a tensor
def test_ops_on_seven_dimensions(device):  # GEO-06
    u = torch.arange(192, device=device)
    x = u.view([2, 1, 3, 2, 2, 2, 4])
    a = x.permute([6, 4, 2, 0, 1, 3, 5])
    b = torch.add(a, a)
    c = a.sum([0, 2, 6])
    d = a.sum([1, 3, 5], keepdim=True)
    e, f = a.max(2)
    g = a.clone()
    h = a.contiguous()
    k = torch.cat([a, a], 4)
    m = torch.stack([a, a], 3)
    n = a.reshape([4, 48])
    o = a.transpose(0, 6)
    p = a.argmax(0)
    q = a.gt(95)
    i = torch.tensor([2, 0], device=device)
    r = a.index_select(2, i)
    s = a.index_fill(0, i, -1)
    t = a.masked_fill(q, 0)
    v = a.unsqueeze(7)
    w = a.squeeze()
    assert list(w.shape) == [4, 2, 3, 2, 2, 2]
    assert list(b.shape) == [4, 2, 3, 2, 1, 2, 2]
    y = d.select(0, 3)
    z = n.select(0, 3)
    z1 = z.sum()
    assert z1.tolist() == 4656
    y1 = y.sum()
    assert y1.tolist() == 4656
    x1 = t.sum()
    assert x1.tolist() == 4560
    x3 = f.sum()
    assert x3.tolist() == 128


# Softmax, copies and comparisons of as many
def test_more_ops_on_seven_dimensions(device):  # GEO-06
    u = torch.arange(192, device=device)
    f = u.to(torch.float32)
    x = f.view([2, 1, 3, 2, 2, 2, 4])
    a = x.permute([6, 4, 2, 0, 1, 3, 5])
    zero = torch.mul(a, 0)
    b = zero.softmax(0)
    c = zero.softmax(6)
    d = torch.zeros([4, 2, 3, 2, 1, 2, 2], dtype=torch.int64, device=device)
    d.copy_(a)
    e = d.eq(a)
    g = e.sum()
    assert g.tolist() == 192
    h = b.mean()
    assert h.tolist() == 0.25
    k = c.mean([0, 1, 2])
    assert k.tolist() == [[[[0.5, 0.5], [0.5, 0.5]]], [[[0.5, 0.5], [0.5, 0.5]]]]
    m = a.mean([0, 6])
    n = m.mean()
    assert n.tolist() == 95.5
    i = torch.zeros([4, 2, 3, 2, 1, 2, 2], dtype=torch.int64, device=device)
    o = a.gather(2, i)
    p = o.select(2, 1)
    q = a.select(2, 0)
    r = p.eq(q)
    s = r.sum()
    assert s.tolist() == 64
    low, high = a.aminmax(dim=3)
    t = high.sub(low)
    v = t.mean()
    assert v.tolist() == 96.0
    a.add_(1)
    w = x.mean()
    assert w.tolist() == 96.5
    y = x.flatten(1, 5)
    assert list(y.shape) == [2, 24, 4]
