# Sums, means, extremes and softmax: what each refuses, and its result for arguments that are just valid.
import pytest
import torch


# ReduceOpsUtils.h, make_dim_mask; WrapDimUtilsMulti.h, dim_list_to_bitset
def test_a_sum_takes_each_dimension_once(device):  # GEO-01
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    a = x.sum([0, 2])
    b = x.sum([-1, -3])
    c = x.sum([1], keepdim=True)
    d = x.sum([])
    e = x.sum([0, 1, 2], keepdim=True)
    assert a.tolist() == [60, 92, 124]
    assert b.tolist() == [60, 92, 124]
    assert c.tolist() == [[[12, 15, 18, 21]], [[48, 51, 54, 57]]]
    assert d.tolist() == 276
    assert e.tolist() == [[[276]]]
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times in the list of dims"):
        x.sum([1, 1])
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        x.sum([0, 1, -3])
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.sum([3])
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.sum([0, -4])
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.sum([0, 0, 3])
    n = torch.tensor(7, device=device)
    f = n.sum([0])
    g = n.sum([-1], keepdim=True)
    assert f.tolist() == 7
    assert g.tolist() == 7
    with pytest.raises(IndexError, match="Dimension out of range"):
        n.sum([1])
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        n.sum([0, -1])


# ReduceOps.cpp, sum: of nothing it is 0
def test_a_sum_of_nothing_is_0(device):  # TYPE-44
    x = torch.zeros([2, 0, 3], device=device)
    a = x.sum([1])
    b = x.sum()
    c = x.sum([0])
    d = x.sum([1], keepdim=True)
    m = torch.zeros([0], dtype=torch.bool, device=device)
    e = m.sum()
    assert a.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert b.tolist() == 0.0
    assert list(c.shape) == [0, 3]
    assert list(d.shape) == [2, 1, 3]
    assert e.tolist() == 0
    assert e.dtype is torch.int64


# ReduceOps.cpp, sum: over other strides and many elements
def test_sums_over_other_layouts(device):  # GEO-05
    u = torch.arange(222, device=device)
    x = u.view([3, 37, 2])
    t = x.transpose(0, 1)
    a = t.sum([0])
    assert a.tolist() == [[1332, 1369], [4070, 4107], [6808, 6845]]
    f = t.to(torch.float32)
    g = f.narrow(0, 1, 35)
    b = g.sum([0])
    c = g.sum([2, 0])
    d = g.sum([1])
    assert b.tolist() == [[1260.0, 1295.0], [3850.0, 3885.0], [6440.0, 6475.0]]
    assert c.tolist() == [2555.0, 7735.0, 12915.0]
    e = d.select(0, 34)
    assert e.tolist() == [432.0, 435.0]
    h = torch.ops.aten.slice(f, 0, 0, 37, 18)
    k = h.sum([1, 2], keepdim=True)
    assert k.tolist() == [[[447.0]], [[663.0]], [[879.0]]]
    m = h.sum()
    assert m.tolist() == 1989.0
    v = x.select(2, 1)
    w = v.sum([1])
    assert w.tolist() == [1369, 4107, 6845]
    one = u.narrow(0, 5, 1)
    r = one.expand([37, 70])
    q = r.sum([0])
    p = q.sum()
    assert p.tolist() == 12950


# ReduceOps.cpp, sum: dtype= converts first
def test_a_sum_in_another_dtype_converts_first(device):  # TYPE-44
    x = torch.tensor([[0.5, 1.5], [2.5, 3.75]], device=device)
    a = x.sum(dtype=torch.int64)
    b = x.sum([0], dtype=torch.int32)
    c = x.sum(dtype=torch.bool)
    d = x.sum([1], dtype=torch.float64)
    assert a.tolist() == 6
    assert b.tolist() == [2, 4]
    assert b.dtype is torch.int32
    assert c.tolist() == True
    assert d.tolist() == [2.0, 6.25]
    i = torch.tensor([1, 2, 3], dtype=torch.int32, device=device)
    e = i.sum()
    f = i.sum(dtype=torch.int32)
    g = i.sum(dtype=torch.float32)
    assert e.dtype is torch.int64
    assert f.dtype is torch.int32
    assert g.tolist() == 6.0
    m = torch.tensor([True, True, False], device=device)
    h = m.sum(dtype=torch.int32)
    assert h.tolist() == 2


# ReduceOps.cpp, TORCH_META_FUNC2(mean, dim)
def test_mean_takes_floats_or_a_floating_dtype(device):  # TYPE-45
    x = torch.tensor([[1.0, 2.0], [3.0, 6.0]], device=device)
    i = torch.tensor([[1, 2], [3, 6]], device=device)
    b = torch.tensor([True, False], device=device)
    a = x.mean()
    c = x.mean([0])
    d = x.mean([-1], keepdim=True)
    e = i.mean([1], dtype=torch.float64)
    f = b.mean(dtype=torch.float32)
    g = x.mean(dtype=torch.float64)
    h = x.mean([0, 1])
    assert a.tolist() == 3.0
    assert c.tolist() == [2.0, 4.0]
    assert d.tolist() == [[1.5], [4.5]]
    assert e.tolist() == [1.5, 4.5]
    assert f.tolist() == 0.5
    assert g.dtype is torch.float64
    assert h.tolist() == 3.0
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        i.mean([0])
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        b.mean()
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        x.mean(dtype=torch.int64)
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        x.mean([0], dtype=torch.bool)
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times in the list of dims"):
        x.mean([1, -1])
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.mean([2])


# ReduceOps.cpp, mean: over other strides
def test_means_over_other_layouts(device):  # GEO-05
    u = torch.arange(222, device=device)
    f = u.to(torch.float32)
    x = f.view([2, 37, 3])
    t = x.transpose(0, 2)
    a = t.mean([1])
    b = t.mean([0, 2])
    c = x.mean([-3, 1])
    d = b.select(0, 36)
    e = t.mean()
    assert a.tolist() == [[54.0, 165.0], [55.0, 166.0], [56.0, 167.0]]
    assert c.tolist() == [109.5, 110.5, 111.5]
    assert d.tolist() == 164.5
    assert e.tolist() == 110.5


# ReduceOps.cpp, max and argmax: 'Expected reduction dim to be specified for input.numel() == 0'
def test_extremes_of_nothing_are_refused(device):  # GEO-01
    x = torch.zeros([2, 0], device=device)
    v = torch.zeros([0], device=device)
    with pytest.raises(RuntimeError, match=r"max\(\): Expected reduction dim to be specified"):
        x.max()
    with pytest.raises(IndexError, match=r"argmax\(\): Expected reduction dim to be specified"):
        v.argmax()
    with pytest.raises(RuntimeError, match="cannot compute aminmax over an empty dimension"):
        v.aminmax()
    with pytest.raises(IndexError, match=r"max\(\): Expected reduction dim 1 to have non-zero size"):
        x.max(1)
    with pytest.raises(IndexError, match=r"argmax\(\): Expected reduction dim 1 to have non-zero size"):
        x.argmax(-1)
    with pytest.raises(IndexError, match=r"aminmax: Expected reduction dim 1 to have non-zero size"):
        x.aminmax(dim=1)
    a, b = x.max(0)
    c = x.argmax(-2)
    d, e = x.aminmax(dim=0, keepdim=True)
    assert list(a.shape) == [0]
    assert list(b.shape) == [0]
    assert list(c.shape) == [0]
    assert list(d.shape) == [1, 0]
    assert list(e.shape) == [1, 0]


# WrapDimMinimal.h, maybe_wrap_dim
def test_extremes_take_a_dimension_that_there_is(device):  # GEO-01
    x = torch.tensor([[3, 1, 2], [0, 5, 4]], device=device)
    a, b = x.max(-1)
    c, d = x.max(-2, keepdim=True)
    e = x.argmax(1)
    f = x.argmax(0, keepdim=True)
    g = x.argmax()
    h, k = x.aminmax(dim=-1)
    m, n = x.aminmax(keepdim=True)
    p = x.argmax(keepdim=True)
    assert a.tolist() == [3, 5]
    assert b.tolist() == [0, 1]
    assert c.tolist() == [[3, 5, 4]]
    assert d.tolist() == [[0, 1, 1]]
    assert e.tolist() == [0, 1]
    assert f.tolist() == [[0, 1, 1]]
    assert g.tolist() == 4
    assert h.tolist() == [1, 0]
    assert k.tolist() == [3, 5]
    assert m.tolist() == [[0]]
    assert n.tolist() == [[5]]
    assert p.tolist() == [[4]]
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.max(2)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.argmax(-3)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.aminmax(dim=2)
    s = torch.tensor(7, device=device)
    q, r = s.max(0)
    t = s.argmax(-1)
    assert q.tolist() == 7
    assert r.tolist() == 0
    assert t.tolist() == 0
    with pytest.raises(IndexError, match="Dimension out of range"):
        s.max(1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        s.argmax(-2)


# ReduceOps.cpp, argmax: does not take bools, of whatever size; max does
def test_argmax_of_bools_is_refused_and_max_is_not(device):  # VAL-47
    b = torch.tensor([False, True, True], device=device)
    with pytest.raises(RuntimeError):
        b.argmax()
    with pytest.raises(RuntimeError):
        b.argmax(0)
    a = b.max()
    c, d = b.max(0)
    e, f = b.aminmax()
    assert a.tolist() == True
    assert c.tolist() == True
    assert d.tolist() == 1
    assert e.tolist() == False
    assert f.tolist() == True


# TensorCompareKernel.cpp, max_kernel_impl: the first of the largest, for any strides
def test_extremes_over_other_layouts(device):  # VAL-47
    u = torch.arange(222, device=device)
    f = u.to(torch.float32)
    x = f.view([37, 3, 2])
    t = x.transpose(0, 2)
    a, b = t.max(2)
    c, d = t.max(0)
    e = t.argmax(1)
    g = t.argmax()
    h, k = t.aminmax(dim=2)
    m = t.max()
    n, o = x.max(0, keepdim=True)
    assert a.tolist() == [[216.0, 218.0, 220.0], [217.0, 219.0, 221.0]]
    assert b.tolist() == [[36, 36, 36], [36, 36, 36]]
    p = c.select(1, 36)
    assert p.tolist() == [217.0, 219.0, 221.0]
    q = e.sum()
    assert q.tolist() == 148
    assert g.tolist() == 221
    assert h.tolist() == [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]
    assert m.tolist() == 221.0
    assert o.tolist() == [[[36, 36], [36, 36], [36, 36]]]
    one = torch.tensor([4.0], device=device)
    r = one.expand([70])
    v = r.argmax()
    assert v.tolist() == 0
    z = torch.ops.aten.slice(u, 0, 0, 222, 3)
    y = torch.neg(z)
    w, i = y.max(0)
    assert w.tolist() == 0
    assert i.tolist() == 0


# ReduceOps.cpp: not-a-number is the largest and the least, and the first one counts
def test_the_first_not_a_number_is_the_maximum(device):  # VAL-48
    x = torch.tensor([[1.0, float("nan"), 3.0], [float("nan"), float("inf"), float("nan")]], device=device)
    t = x.t()
    a = x.argmax(1)
    b = t.argmax(0)
    c = x.argmax()
    v, i = t.max(0)
    low, high = x.aminmax()
    m = x.max()
    s = m.eq(m)
    p = low.eq(low)
    q = high.eq(high)
    r = v.eq(v)
    assert a.tolist() == [1, 0]
    assert b.tolist() == [1, 0]
    assert c.tolist() == 1
    assert i.tolist() == [1, 0]
    assert s.tolist() == False
    assert p.tolist() == False
    assert q.tolist() == False
    assert r.tolist() == [False, False]


# SoftMax.cpp, softmax_cpu_out: only floats, but an empty tensor reaches no kernel
def test_softmax_takes_floats_and_a_dimension_that_there_is(device):  # GEO-01
    x = torch.zeros([2, 4], device=device)
    a = x.softmax(-1)
    b = x.softmax(0)
    assert a.tolist() == [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]
    assert b.tolist() == [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5]]
    n = torch.tensor(7.0, device=device)
    c = n.softmax(0)
    d = n.softmax(-1)
    assert c.tolist() == 1.0
    assert d.tolist() == 1.0
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.softmax(2)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.softmax(-3)
    with pytest.raises(IndexError, match="Dimension out of range"):
        n.softmax(1)
    i = torch.tensor([[1, 1]], device=device)
    with pytest.raises(RuntimeError, match="not implemented for 'Long'"):
        i.softmax(1)
    with pytest.raises(RuntimeError, match="not implemented for 'Long'"):
        i.softmax(0)
    m = torch.tensor([True], device=device)
    with pytest.raises(RuntimeError, match="not implemented for 'Bool'"):
        m.softmax(0)
    e = i.softmax(1, torch.float64)
    assert e.tolist() == [[0.5, 0.5]]
    assert e.dtype is torch.float64
    with pytest.raises(RuntimeError, match="softmax with half to float conversion is not supported on CPU"):
        torch.ops.aten._softmax(x, 1, True)


# SoftMax.cpp: of nothing, and along other strides
def test_softmax_of_nothing_and_along_other_strides(device):  # GEO-05
    z = torch.zeros([2, 0], device=device)
    i = torch.zeros([0, 3], dtype=torch.int64, device=device)
    a = z.softmax(1)
    b = i.softmax(1)
    assert list(a.shape) == [2, 0]
    assert list(b.shape) == [0, 3]
    assert b.dtype is torch.int64
    x = torch.tensor([[0.0, float("-inf"), 0.0], [1.0, 1.0, float("-inf")]], device=device)
    t = x.t()
    c = t.softmax(0)
    d = t.softmax(1)
    e = d.select(0, 1)
    assert c.tolist() == [[0.5, 0.5], [0.0, 0.5], [0.5, 0.0]]
    assert e.tolist() == [0.0, 1.0]
    w = torch.zeros([64, 3], dtype=torch.float64, device=device)
    s = w.t()
    f = s.softmax(1)
    g = f.select(1, 63)
    assert g.tolist() == [0.015625, 0.015625, 0.015625]
    h = w.softmax(0)
    k = h.select(0, 63)
    assert k.tolist() == [0.015625, 0.015625, 0.015625]
