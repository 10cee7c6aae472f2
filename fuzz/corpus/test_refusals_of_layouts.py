# New sizes, strides and pieces of the same memory: what each op refuses, and its result for just valid arguments.
import pytest
import torch


# AsStrided: Resize.h, checkInBoundsForStorage and checkSetStorage
def test_as_strided_reaches_to_the_last_element_and_no_further(device):  # GEO-13
    x = torch.arange(6, device=device)
    v = x.narrow(0, 1, 2)
    a = v.as_strided([2, 3], [3, 1], 0)
    b = v.as_strided([2], [4])
    c = v.as_strided([], [], 5)
    d = v.as_strided([0], [1], 100)
    e = v.as_strided([2, 2], [0, 5], 0)
    assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert b.tolist() == [1, 5]
    assert c.tolist() == 5
    assert d.tolist() == []
    assert e.tolist() == [[0, 5], [0, 5]]
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 48"):
        v.as_strided([2, 3], [3, 1])
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 48"):
        v.as_strided([2], [5])
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 48"):
        v.as_strided([], [], 6)
    with pytest.raises(RuntimeError, match="mismatch in length of strides and shape"):
        v.as_strided([2], [1, 1])
    with pytest.raises(RuntimeError, match="mismatch in length of strides and shape"):
        v.as_strided([2, 1], [1])
    with pytest.raises(RuntimeError, match="Negative strides are not supported at the moment"):
        v.as_strided([2], [-1], 3)
    with pytest.raises(RuntimeError, match="invalid storage offset -1"):
        v.as_strided([2], [1], -1)


# The same in place
def test_as_strided_in_place_that_is_refused_leaves_the_tensor(device):  # GEO-12
    x = torch.arange(6, device=device)
    v = x.narrow(0, 1, 2)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 48"):
        v.as_strided_([3], [2], 2)
    with pytest.raises(RuntimeError, match="mismatch in length of strides and shape"):
        v.as_strided_([3], [2, 1])
    with pytest.raises(RuntimeError, match="Negative strides are not supported at the moment"):
        v.as_strided_([3], [-1])
    assert v.tolist() == [1, 2]
    v.as_strided_([3], [2])
    assert v.tolist() == [1, 3, 5]


# TensorShape.cpp, split: split_size 0 is valid only for a dimension of size 0
def test_split_takes_a_size_that_is_not_negative(device):  # GEO-14
    x = torch.arange(5, device=device)
    a, b = x.split(4)
    c, = x.split(5)
    d, = x.split(6)
    e, f, g = x.split(2, -1)
    assert a.tolist() == [0, 1, 2, 3]
    assert b.tolist() == [4]
    assert c.tolist() == [0, 1, 2, 3, 4]
    assert d.tolist() == [0, 1, 2, 3, 4]
    assert g.tolist() == [4]
    with pytest.raises(RuntimeError, match="split expects split_size be non-negative"):
        x.split(-1)
    with pytest.raises(RuntimeError, match="split_size can only be 0 if dimension size is 0"):
        x.split(0)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.split(2, 1)
    n = torch.tensor(7, device=device)
    with pytest.raises(RuntimeError, match="split expects at least a 1-dimensional tensor"):
        n.split(1)
    z = torch.zeros([2, 0], device=device)
    h, = z.split(0, 1)
    k, = z.split(3, 1)
    assert list(h.shape) == [2, 0]
    assert list(k.shape) == [2, 0]
    m, n2 = z.split(1, 0)
    assert list(n2.shape) == [1, 0]


# TensorShape.cpp, split_with_sizes
def test_split_sizes_are_not_negative_and_add_up(device):  # GEO-68
    x = torch.arange(5, device=device)
    a, b, c = x.split_with_sizes([2, 0, 3])
    assert a.tolist() == [0, 1]
    assert b.tolist() == []
    assert c.tolist() == [2, 3, 4]
    with pytest.raises(RuntimeError, match="split_sizes to sum exactly to 5"):
        x.split_with_sizes([2, 2])
    with pytest.raises(RuntimeError, match="split_sizes to sum exactly to 5"):
        x.split_with_sizes([2, 4])
    with pytest.raises(RuntimeError, match="split_sizes to sum exactly to 5"):
        x.split_with_sizes([])
    with pytest.raises(RuntimeError, match="only non-negative entries"):
        x.split_with_sizes([6, -1])
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.split_with_sizes([5], 1)
    n = torch.tensor(7, device=device)
    with pytest.raises(RuntimeError, match="split expects at least a 1-dimensional tensor"):
        n.split_with_sizes([1])


# TensorShape.cpp, chunk: at least one chunk; of nothing as many as are asked for
def test_chunk_takes_a_positive_number(device):  # GEO-14
    x = torch.arange(5, device=device)
    a, b, c = x.chunk(3)
    d, = x.chunk(1)
    e, f, g, h, k = x.chunk(9, -1)
    assert a.tolist() == [0, 1]
    assert c.tolist() == [4]
    assert d.tolist() == [0, 1, 2, 3, 4]
    assert k.tolist() == [4]
    with pytest.raises(RuntimeError, match="chunk expects `chunks` to be greater than 0, got: 0"):
        x.chunk(0)
    with pytest.raises(RuntimeError, match="chunk expects `chunks` to be greater than 0, got: -1"):
        x.chunk(-1)
    n = torch.tensor(7, device=device)
    with pytest.raises(RuntimeError, match="chunk expects at least a 1-dimensional tensor"):
        n.chunk(1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.chunk(2, 1)
    z = torch.zeros([0, 2], device=device)
    p, q, r = z.chunk(3)
    assert list(r.shape) == [0, 2]


# TensorShape.cpp, unbind: select of each index
def test_unbind_takes_a_dimension_that_there_is(device):  # GEO-15
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    a, b = x.unbind()
    c, d, e = x.unbind(-1)
    assert b.tolist() == [3, 4, 5]
    assert d.tolist() == [1, 4]
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.unbind(2)
    n = torch.tensor(7, device=device)
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        n.unbind()
    with pytest.raises(ValueError):
        f, g, h = x.unbind(0)


# InferSize.h, infer_size_impl
def test_view_takes_sizes_that_hold_the_elements(device):  # GEO-17
    x = torch.arange(6, device=device)
    a = x.view([2, -1])
    b = x.view([-1, 6])
    c = x.view([1, 6, 1, 1])
    assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert list(b.shape) == [1, 6]
    assert list(c.shape) == [1, 6, 1, 1]
    with pytest.raises(RuntimeError, match="only one dimension can be inferred"):
        x.view([-1, -1])
    with pytest.raises(RuntimeError, match="invalid shape dimension -2"):
        x.view([-2, -3])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([5])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([7])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([-1, 4])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([-1, 0])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([0])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([])


# InferSize.h, infer_size_impl: of no elements -1 could be any number
def test_view_of_nothing_takes_sizes_of_which_one_is_0(device):  # GEO-17
    x = torch.zeros([2, 0], device=device)
    a = x.view([0, 5])
    b = x.view([5, -1])
    c = x.reshape([3, 0, 2])
    assert list(a.shape) == [0, 5]
    assert list(b.shape) == [5, 0]
    assert list(c.shape) == [3, 0, 2]
    with pytest.raises(RuntimeError, match="cannot reshape tensor of 0 elements into shape"):
        x.view([-1, 0])
    with pytest.raises(RuntimeError, match="is invalid for input of size 0"):
        x.view([1])
    with pytest.raises(RuntimeError, match="is invalid for input of size 0"):
        x.view([])
    with pytest.raises(RuntimeError, match="cannot reshape tensor of 0 elements into shape"):
        x.reshape([0, -1])
    n = torch.tensor(7, device=device)
    d = n.view([1, 1])
    e = n.view([-1])
    assert d.tolist() == [[7]]
    assert e.tolist() == [7]
    with pytest.raises(RuntimeError, match="is invalid for input of size 1"):
        n.view([2])


# TensorUtils.cpp, computeStride: dimensions without gaps are one chunk
def test_view_merges_what_lies_without_a_gap(device):  # GEO-16
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    a = x.narrow(1, 0, 2)
    b = a.view([2, 8])
    c = a.view([2, 2, 2, 2])
    d = a.view([2, 1, 8, 1])
    assert b.tolist() == [[0, 1, 2, 3, 4, 5, 6, 7], [12, 13, 14, 15, 16, 17, 18, 19]]
    assert c.stride() == (12, 4, 2, 1)
    assert list(d.shape) == [2, 1, 8, 1]
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        a.view([16])
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        a.view([4, 4, 1, 1])
    e = x.narrow(2, 1, 2)
    f = e.view([6, 2])
    assert f.tolist() == [[1, 2], [5, 6], [9, 10], [13, 14], [17, 18], [21, 22]]
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        e.view([12])
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        e.view([2, 6])
    t = x.transpose(0, 2)
    g = t.view([2, 2, 3, 2, 1])
    assert g.stride() == (2, 1, 4, 12, 12)
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        t.view([12, 2])
    h = t.reshape([12, 2])
    k = h.select(0, 1)
    assert k.tolist() == [4, 16]


# TensorShape.cpp, flatten and movedim
def test_flatten_and_movedim_take_dimensions_that_there_are(device):  # GEO-01
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    a = x.flatten(1, 2)
    b = x.flatten(0, -2)
    c = x.flatten(1, 1)
    d = x.flatten()
    assert list(a.shape) == [2, 12]
    assert list(b.shape) == [6, 4]
    assert list(c.shape) == [2, 3, 4]
    assert list(d.shape) == [24]
    with pytest.raises(RuntimeError, match=r"start_dim cannot come after end_dim"):
        x.flatten(2, 1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.flatten(0, 3)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.flatten(-4, 2)
    n = torch.tensor(7, device=device)
    e = n.flatten()
    assert e.tolist() == [7]
    f = x.movedim(0, 2)
    g = x.movedim(2, 0)
    h = x.movedim(-1, 1)
    k = x.movedim(1, 1)
    m = n.movedim(0, -1)
    assert f.stride() == (4, 1, 12)
    assert g.stride() == (1, 12, 4)
    assert h.stride() == (12, 1, 4)
    assert k.stride() == (12, 4, 1)
    assert m.tolist() == 7
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.movedim(3, 0)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.movedim(0, -4)


# TensorShape.cpp, flatten: merges dimensions without gaps, and copies the rest
def test_flatten_of_a_transposed_tensor_copies(device):  # GEO-60
    u = torch.arange(12, device=device)
    x = u.view([2, 3, 2])
    t = x.transpose(0, 1)
    a = t.flatten(0, 1)
    b = x.flatten(1)
    c = t.flatten(1)
    b.zero_()
    assert a.tolist() == [[0, 1], [6, 7], [2, 3], [8, 9], [4, 5], [10, 11]]
    assert c.tolist() == [[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]
    s = x.sum()
    assert s.tolist() == 0


# TensorShape.cpp, view_as and expand_as: the sizes of another tensor
def test_sizes_of_another_tensor_must_fit_like_sizes_that_are_given(device):  # GEO-07
    x = torch.tensor([[1], [2]], device=device)
    y = torch.zeros([2, 3], device=device)
    v = torch.zeros([2], device=device)
    a = x.expand_as(y)
    b = x.view_as(v)
    assert a.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert b.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="is invalid for input of size 2"):
        x.view_as(y)
    with pytest.raises(RuntimeError, match="must be greater or equal to the number of dimensions"):
        x.expand_as(v)
    with pytest.raises(RuntimeError, match="is not compatible with input tensor's size and stride"):
        c = a.t()
        c.view_as(a)
        d = y.t()
        e = torch.zeros([6], device=device)
        d.view_as(e)


# InferSize.h, infer_size_impl; TensorShape.cpp, diagonal and unfold: numbers near the largest
def test_views_take_and_refuse_very_large_numbers(device):  # GEO-10
    x = torch.arange(4, device=device)
    m = x.view([2, 2])
    a = m.diagonal(9223372036854775807)
    b = m.diagonal(-9223372036854775807)
    c = x.unfold(0, 2, 9223372036854775807)
    d = m.diagonal(-1)
    assert a.tolist() == []
    assert b.tolist() == []
    assert c.tolist() == [[0, 1]]
    assert d.tolist() == [2]
    with pytest.raises(RuntimeError):
        x.view([4611686018427387904, 4])
    with pytest.raises(RuntimeError):
        x.view([4611686018427387904, 4, -1])


# An offset before the storage, with a last element beyond it: 1.13 names the last element
def test_as_strided_refuses_a_negative_offset_before_it_looks_at_the_last_element(device):  # GEO-13
    x = torch.zeros([4], device=device)
    v = x.narrow(0, 0, 2)
    w = v.as_strided([2, 2], [2, 1])
    assert w.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    with pytest.raises(RuntimeError, match="invalid storage offset -1"):
        v.as_strided([2, 3], [3, 1], -1)
