# What joins, masks, comparisons and arithmetic refuse, and what they return for arguments that are just valid.
import pytest
import torch


# TensorShape.cpp, cat: check_cat_shape_except_dim
def test_cat_takes_tensors_whose_other_sizes_are_the_same(device):  # GEO-01
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    y = torch.tensor([[7], [8]], device=device)
    z = torch.tensor([[7, 8, 9]], device=device)
    a = torch.cat([x, y], 1)
    b = torch.cat([y, x], -1)
    c = torch.cat([x, z], -2)
    assert a.tolist() == [[1, 2, 3, 7], [4, 5, 6, 8]]
    assert b.tolist() == [[7, 1, 2, 3], [8, 4, 5, 6]]
    assert c.tolist() == [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 0"):
        torch.cat([x, y], 0)
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 1"):
        torch.cat([x, x, z], 1)
    v = torch.tensor([1, 2, 3], device=device)
    with pytest.raises(RuntimeError, match="Tensors must have same number of dimensions: got 2 and 1"):
        torch.cat([x, v], 0)
    with pytest.raises(RuntimeError, match="Tensors must have same number of dimensions: got 1 and 2"):
        torch.cat([v, z], 0)
    with pytest.raises(IndexError, match="Dimension out of range"):
        torch.cat([x, z], 2)
    with pytest.raises(IndexError, match="Dimension out of range"):
        torch.cat([x, z], -3)


# TensorShape.cpp, cat: a tensor without dimensions cannot be joined, at any place in the list; nor can an empty list
def test_cat_refuses_tensors_without_dimensions_and_an_empty_list(device):  # GEO-01
    v = torch.tensor([1, 2], device=device)
    n = torch.tensor(3, device=device)
    with pytest.raises(RuntimeError, match=r"zero-dimensional tensor \(at position 0\) cannot be concatenated"):
        torch.cat([n, v])
    with pytest.raises(RuntimeError, match=r"zero-dimensional tensor \(at position 2\) cannot be concatenated"):
        torch.cat([v, v, n])
    one = n.unsqueeze(-1)
    a = torch.cat([v, one])
    b = torch.cat([one])
    assert a.tolist() == [1, 2, 3]
    assert b.tolist() == [3]


# TensorShape.h, cat_should_skip_tensor: of one dimension, and empty; any other empty tensor must fit
def test_cat_passes_over_empty_vectors_alone(device):  # GEO-63
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    none = torch.tensor([], dtype=torch.int64, device=device)
    flat = torch.zeros([0, 2], dtype=torch.int64, device=device)
    thin = torch.zeros([2, 0], dtype=torch.int64, device=device)
    a = torch.cat([x, none, x], 1)
    b = torch.cat([none, none])
    c = torch.cat([none, flat, x], 0)
    d = torch.cat([thin, x, thin], 1)
    e = torch.cat([none, flat], 0)
    assert a.tolist() == [[1, 2, 1, 2], [3, 4, 3, 4]]
    assert b.tolist() == []
    assert c.tolist() == [[1, 2], [3, 4]]
    assert d.tolist() == [[1, 2], [3, 4]]
    assert list(e.shape) == [0, 2]
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 1"):
        torch.cat([x, flat], 1)
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 0"):
        torch.cat([x, thin], 0)
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 0"):
        torch.cat([none, thin, x], 0)
    deep = torch.zeros([0, 0, 0], dtype=torch.int64, device=device)
    with pytest.raises(RuntimeError, match="Tensors must have same number of dimensions: got 2 and 3"):
        torch.cat([x, deep], 0)


# TensorShape.cpp, cat: of several dtypes, strides and many elements
def test_cat_of_other_layouts_and_dtypes(device):  # GEO-05
    u = torch.arange(74, device=device)
    x = u.view([2, 37])
    t = x.t()
    f = t.to(torch.float32)
    a = torch.cat([t, t], 1)
    b = torch.cat([f, t], 0)
    m = t.gt(36)
    c = torch.cat([m, m], 1)
    n = torch.cat([m, t], 1)
    d = a.select(0, 36)
    e = b.select(0, 73)
    g = c.select(0, 0)
    h = n.select(0, 1)
    assert d.tolist() == [36, 73, 36, 73]
    assert e.tolist() == [36.0, 73.0]
    assert b.dtype is torch.float32
    assert g.tolist() == [False, True, False, True]
    assert h.tolist() == [0, 1, 1, 38]
    r = u.narrow(0, 0, 1)
    w = r.expand([3])
    k = torch.cat([w, u], 0)
    s = k.sum()
    assert s.tolist() == 2701
    v = u.view([2, 1, 37])
    p = torch.cat([v, v, v], 1)
    q = p.select(2, 36)
    assert q.tolist() == [[36, 36, 36], [73, 73, 73]]


# TensorShape.cpp, stack: get_stack_inputs, check_stack_inputs
def test_stack_takes_tensors_of_the_same_sizes(device):  # GEO-01
    x = torch.tensor([1, 2], device=device)
    y = torch.tensor([3, 4], device=device)
    n = torch.tensor(5, device=device)
    a = torch.stack([x, y])
    b = torch.stack([x, y], 1)
    c = torch.stack([x, y], -1)
    d = torch.stack([x, y], -2)
    e = torch.stack([n, n, n])
    assert a.tolist() == [[1, 2], [3, 4]]
    assert b.tolist() == [[1, 3], [2, 4]]
    assert c.tolist() == [[1, 3], [2, 4]]
    assert d.tolist() == [[1, 2], [3, 4]]
    assert e.tolist() == [5, 5, 5]
    three = torch.tensor([1, 2, 3], device=device)
    none = torch.tensor([], dtype=torch.int64, device=device)
    one = torch.tensor([1], device=device)
    with pytest.raises(RuntimeError, match=r"equal size, but got \[2\] at entry 0 and \[3\] at entry 1"):
        torch.stack([x, three])
    with pytest.raises(RuntimeError, match=r"equal size, but got \[2\] at entry 0 and \[3\] at entry 2"):
        torch.stack([x, y, three], 1)
    with pytest.raises(RuntimeError, match="stack expects each tensor to be equal size"):
        torch.stack([x, none])
    with pytest.raises(RuntimeError, match="stack expects each tensor to be equal size"):
        torch.stack([one, n])
    with pytest.raises(IndexError, match=r"expected to be in range of \[-2, 1\], but got 2"):
        torch.stack([x, y], 2)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-2, 1\], but got -3"):
        torch.stack([x, y], -3)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got 1"):
        torch.stack([n, n], 1)
    with pytest.raises(RuntimeError, match="stack expects a non-empty TensorList"):
        torch.stack([])


# TensorShape.cpp, stack: of empty tensors, of several dtypes and of other strides
def test_stack_of_empty_and_of_transposed_tensors(device):  # GEO-05
    none = torch.tensor([], dtype=torch.int64, device=device)
    a = torch.stack([none, none])
    b = torch.stack([none, none, none], 1)
    assert list(a.shape) == [2, 0]
    assert list(b.shape) == [0, 3]
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    t = x.t()
    f = torch.tensor([[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]], device=device)
    c = torch.stack([t, f], 0)
    d = torch.stack([t, f], 1)
    e = torch.stack([t, f], 2)
    assert c.tolist() == [[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]], [[0.5, 1.5], [2.5, 3.5], [4.5, 5.5]]]
    assert d.tolist() == [[[0.0, 3.0], [0.5, 1.5]], [[1.0, 4.0], [2.5, 3.5]], [[2.0, 5.0], [4.5, 5.5]]]
    assert e.tolist() == [[[0.0, 0.5], [3.0, 1.5]], [[1.0, 2.5], [4.0, 3.5]], [[2.0, 4.5], [5.0, 5.5]]]


# TensorCompare.cpp, where: 'expected condition to be a boolean tensor'; 1.13 says uint8, too
def test_where_takes_a_condition_of_bools_and_sizes_that_broadcast(device):  # GEO-18
    c = torch.tensor([[True], [False]], device=device)
    x = torch.tensor([1, 2, 3], device=device)
    y = torch.tensor([[10, 20, 30], [40, 50, 60]], device=device)
    a = torch.where(c, x, y)
    assert a.tolist() == [[1, 2, 3], [40, 50, 60]]
    n = torch.tensor(False, device=device)
    b = torch.where(n, x, y)
    assert b.tolist() == [[10, 20, 30], [40, 50, 60]]
    i = torch.tensor([[1], [0]], device=device)
    f = torch.tensor([[1.0], [0.0]], device=device)
    with pytest.raises(RuntimeError):
        torch.where(i, x, y)
    with pytest.raises(RuntimeError):
        torch.where(f, x, x)
    two = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match=r"must match the size of tensor b"):
        torch.where(c, two, x)
    with pytest.raises(RuntimeError, match=r"must match the size of tensor b"):
        torch.where(c, two, y)
    three = torch.tensor([[True], [False], [True]], device=device)
    with pytest.raises(RuntimeError, match=r"must match the size of tensor b"):
        torch.where(three, x, y)
    d = torch.where(three, x, x)
    assert d.tolist() == [[1, 2, 3], [1, 2, 3], [1, 2, 3]]


# TensorAdvancedIndexing.cpp, masked_fill: the mask broadcasts, and so does self
def test_masked_fill_broadcasts_self_and_its_mask(device):  # GEO-18
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    row = torch.tensor([True, False, True], device=device)
    column = torch.tensor([[True], [False]], device=device)
    v = torch.tensor([7, 8, 9], device=device)
    a = x.masked_fill(row, 0)
    b = x.masked_fill(column, 0)
    c = v.masked_fill(column, 0)
    assert a.tolist() == [[0, 2, 0], [0, 5, 0]]
    assert b.tolist() == [[0, 0, 0], [4, 5, 6]]
    assert c.tolist() == [[0, 0, 0], [7, 8, 9]]
    two = torch.tensor([True, False], device=device)
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        x.masked_fill(two, 0)
    with pytest.raises(RuntimeError, match="must match"):
        x.masked_fill_(two, 0)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        v.masked_fill_(column, 0)
    assert v.tolist() == [7, 8, 9]
    x.masked_fill_(row, 10)
    assert x.tolist() == [[10, 2, 10], [10, 5, 10]]
    t = x.t()
    t.masked_fill_(two, -1)
    assert x.tolist() == [[-1, -1, -1], [10, 5, 10]]


# TensorAdvancedIndexing.cpp, masked_fill_impl_cpu: assert_no_partial_overlap(self, mask)
def test_masked_fill_refuses_a_mask_that_partly_overlaps_what_is_filled(device):  # GEO-20
    x = torch.tensor([True, False, True, False], device=device)
    a = x.narrow(0, 0, 3)
    b = x.narrow(0, 1, 3)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        a.masked_fill_(b, True)
    c = x.narrow(0, 2, 2)
    d = x.narrow(0, 0, 2)
    d.masked_fill_(c, False)
    assert x.tolist() == [False, False, True, False]
    x.masked_fill_(x, False)
    assert x.tolist() == [False, False, False, False]


# BinaryOps.h, sub_check
def test_sub_takes_no_bools(device):  # TYPE-41
    x = torch.tensor([1, 2], device=device)
    b = torch.tensor([True, False], device=device)
    n = torch.tensor(True, device=device)
    with pytest.raises(RuntimeError, match="with two bool tensors is not supported"):
        torch.sub(b, b)
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        torch.sub(x, b)
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        torch.sub(b, x)
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        torch.sub(x, n)
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        x.sub_(n)
    with pytest.raises(RuntimeError, match="with a bool tensor is not supported"):
        x.sub_(b)
    with pytest.raises(RuntimeError, match="with two bool tensors is not supported"):
        b.sub_(b)
    f = torch.tensor([0.5, 1.5], device=device)
    y = torch.sub(x, f)
    assert y.dtype is torch.float32
    assert y.tolist() == [0.5, 0.5]
    z = torch.add(x, n)
    assert z.tolist() == [2, 3]
    w = torch.mul(b, b)
    assert w.tolist() == [True, False]


# BinaryOps.h, alpha_check
def test_alpha_is_of_a_kind_that_the_result_has(device):  # TYPE-41
    i = torch.tensor([1, 2], device=device)
    f = torch.tensor([1.0, 2.0], device=device)
    b = torch.tensor([True, False], device=device)
    a = torch.add(i, f, alpha=0.5)
    c = torch.add(i, i, alpha=3)
    d = torch.add(b, b, alpha=True)
    e = torch.sub(i, i, alpha=3)
    assert a.dtype is torch.float32
    assert a.tolist() == [1.5, 3.0]
    assert c.tolist() == [4, 8]
    assert d.tolist() == [True, False]
    assert e.tolist() == [-2, -4]
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        torch.add(i, i, alpha=0.5)
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        i.sub_(i, alpha=2.0)
    with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
        torch.add(b, b, alpha=0.5)
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean results"):
        torch.add(f, f, alpha=False)
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean results"):
        i.add_(i, alpha=False)
    assert i.tolist() == [1, 2]
