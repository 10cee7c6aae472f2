# Views, in-place views and new layouts: what each refuses, and its result for arguments that are just valid.
import pytest
import torch


# WrapDimMinimal.h, maybe_wrap_dim: [-rank, rank - 1], and [-1, 0] of a tensor without dimensions
def test_a_dimension_counts_from_minus_the_rank_to_below_it(device):  # GEO-01
    x = torch.arange(6, device=device)
    m = x.view([2, 3])
    n = torch.tensor(7, device=device)
    a = m.select(-2, 1)
    b = m.select(1, 2)
    c = m.transpose(-2, -1)
    d = n.transpose(-1, 0)
    e = n.squeeze(-1)
    f = n.unsqueeze(-1)
    g = m.unsqueeze(2)
    h = m.unsqueeze(-3)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-2, 1\], but got 2"):
        m.select(2, 0)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-2, 1\], but got -3"):
        m.select(-3, 0)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got 1"):
        n.transpose(0, 1)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got -2"):
        n.squeeze(-2)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-3, 2\], but got 3"):
        m.unsqueeze(3)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-3, 2\], but got -4"):
        m.unsqueeze(-4)
    with pytest.raises(IndexError, match=r"expected to be in range of \[-1, 0\], but got 1"):
        n.unsqueeze(1)
    assert a.tolist() == [3, 4, 5]
    assert b.tolist() == [2, 5]
    assert c.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert d.tolist() == 7
    assert e.tolist() == 7
    assert f.tolist() == [7]
    assert list(g.shape) == [2, 3, 1]
    assert list(h.shape) == [1, 2, 3]


# TensorShape.cpp, select: -size <= index < size
def test_select_takes_indices_from_minus_the_size_to_below_it(device):  # GEO-02
    x = torch.arange(6, device=device)
    m = x.view([2, 3])
    a = m.select(1, 2)
    b = m.select(1, -3)
    c = m.select(0, -2)
    d = m.select(0, 1)
    assert d.tolist() == [3, 4, 5]
    with pytest.raises(IndexError, match=r"select\(\): index 3 out of range"):
        m.select(1, 3)
    with pytest.raises(IndexError, match=r"select\(\): index -4 out of range"):
        m.select(1, -4)
    e = torch.zeros([0, 2], device=device)
    with pytest.raises(IndexError, match=r"select\(\): index 0 out of range"):
        e.select(0, 0)
    f = e.select(1, 1)
    n = torch.tensor(7, device=device)
    with pytest.raises(IndexError, match=r"select\(\) cannot be applied to a 0-dim tensor"):
        n.select(0, 0)
    assert a.tolist() == [2, 5]
    assert b.tolist() == [0, 3]
    assert c.tolist() == [0, 1, 2]
    assert list(f.shape) == [0]


# TensorShape.cpp, slice: the ends are clamped, and one that lies before the start is the start
def test_slice_takes_any_ends_but_only_positive_steps(device):  # GEO-03
    x = torch.arange(7, device=device)
    a = torch.ops.aten.slice(x, 0, 1, 6, 3)
    b = torch.ops.aten.slice(x, -1, 1, 7, 3)
    c = torch.ops.aten.slice(x, 0, 1, 8, 3)
    d = torch.ops.aten.slice(x, 0, 7, 9, 1)
    e = torch.ops.aten.slice(x, 0, 5, 3, 2)
    f = torch.ops.aten.slice(x, 0, -7, -1, 6)
    g = torch.ops.aten.slice(x, 0, -8, -6, 1)
    assert a.tolist() == [1, 4]
    assert b.tolist() == [1, 4]
    assert c.tolist() == [1, 4]
    assert d.tolist() == []
    assert e.tolist() == []
    assert f.tolist() == [0]
    assert g.tolist() == [0]
    with pytest.raises(RuntimeError, match="slice step must be positive"):
        torch.ops.aten.slice(x, 0, 0, 7, 0)
    with pytest.raises(RuntimeError, match="slice step must be positive"):
        torch.ops.aten.slice(x, 0, 0, 7, -1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        torch.ops.aten.slice(x, 1, 0, 7, 1)
    n = torch.tensor(7, device=device)
    with pytest.raises(IndexError, match=r"slice\(\) cannot be applied to a 0-dim tensor"):
        torch.ops.aten.slice(n, 0, 0, 1, 1)


# TensorShape.cpp, narrow: 0 <= length <= size - start
def test_narrow_takes_what_lies_inside_the_dimension(device):  # GEO-04
    x = torch.arange(5, device=device)
    a = x.narrow(0, 0, 5)
    b = x.narrow(0, 4, 1)
    c = x.narrow(0, -5, 5)
    d = x.narrow(0, 5, 0)
    e = x.narrow(-1, -1, 1)
    assert a.tolist() == [0, 1, 2, 3, 4]
    assert b.tolist() == [4]
    assert c.tolist() == [0, 1, 2, 3, 4]
    assert d.tolist() == []
    assert e.tolist() == [4]
    with pytest.raises(RuntimeError, match="exceeds dimension size"):
        x.narrow(0, 0, 6)
    with pytest.raises(RuntimeError, match="exceeds dimension size"):
        x.narrow(0, 5, 1)
    with pytest.raises(RuntimeError, match="exceeds dimension size"):
        x.narrow(0, -1, 2)
    with pytest.raises(RuntimeError, match="length must be non-negative|exceeds dimension size"):
        x.narrow(0, 1, -1)
    with pytest.raises(IndexError):
        x.narrow(0, 6, 0)
    with pytest.raises(IndexError):
        x.narrow(0, -6, 1)
    n = torch.tensor(7, device=device)
    with pytest.raises(RuntimeError, match=r"narrow\(\) cannot be applied to a 0-dim tensor"):
        n.narrow(0, 0, 1)


# TensorShape.cpp, t: 'expects a tensor with <= 2 dimensions'
def test_t_takes_at_most_two_dimensions(device):  # GEO-05
    n = torch.tensor(7, device=device)
    v = torch.arange(3, device=device)
    u = torch.arange(6, device=device)
    m = u.view([2, 3])
    c = u.view([1, 2, 3])
    a = n.t()
    b = v.t()
    d = m.t()
    with pytest.raises(RuntimeError, match=r"t\(\) expects a tensor with <= 2 dimensions, but self is 3D"):
        c.t()
    with pytest.raises(RuntimeError, match=r"t_\(\) expects a tensor with <= 2 dimensions, but self is 3D"):
        c.t_()
    assert a.tolist() == 7
    assert b.tolist() == [0, 1, 2]
    assert d.tolist() == [[0, 3], [1, 4], [2, 5]]
    v.t_()
    m.t_()
    n.t_()
    assert v.tolist() == [0, 1, 2]
    assert m.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert list(c.shape) == [1, 2, 3]


# TensorShape.cpp, permute: as many dimensions as there are, each once
def test_permute_takes_each_dimension_once(device):  # GEO-06
    x = torch.arange(6, device=device)
    c = x.view([1, 2, 3])
    a = c.permute([2, 0, 1])
    b = c.permute([-1, -3, 1])
    assert a.tolist() == [[[0, 3]], [[1, 4]], [[2, 5]]]
    assert b.tolist() == [[[0, 3]], [[1, 4]], [[2, 5]]]
    with pytest.raises(RuntimeError, match="number of dimensions in the tensor input does not match the length"):
        c.permute([0, 1])
    with pytest.raises(RuntimeError, match="number of dimensions in the tensor input does not match the length"):
        c.permute([0, 1, 2, 2])
    with pytest.raises(RuntimeError):
        c.permute([0, 1, 1])
    with pytest.raises(RuntimeError):
        c.permute([0, 1, -2])
    with pytest.raises(IndexError, match="Dimension out of range"):
        c.permute([0, 1, 3])
    with pytest.raises(IndexError, match="Dimension out of range"):
        c.permute([0, 1, -4])


# ExpandUtils.h, inferExpandGeometry
def test_expand_stretches_sizes_of_1_and_adds_dimensions_in_front(device):  # GEO-07
    x = torch.tensor([[1], [2]], device=device)
    a = x.expand([2, 3])
    b = x.expand([-1, 2])
    c = x.expand([2, 2, -1])
    d = x.expand([2, 0])
    assert a.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert b.tolist() == [[1, 1], [2, 2]]
    assert c.tolist() == [[[1], [2]], [[1], [2]]]
    assert list(d.shape) == [2, 0]
    with pytest.raises(RuntimeError, match="must be greater or equal to the number of dimensions in the tensor"):
        x.expand([2])
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(3\) must match the existing size \(2\)"):
        x.expand([3, 1])
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(1\) must match the existing size \(2\)"):
        x.expand([1, 1])
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(0\) must match the existing size \(2\)"):
        x.expand([0, 1])
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(-1\) isn't allowed in a leading"):
        x.expand([-1, 2, 1])
    e = torch.zeros([0, 1], device=device)
    f = e.expand([0, 4])
    g = e.expand([3, 0, 1])
    with pytest.raises(RuntimeError, match=r"expanded size of the tensor \(1\) must match the existing size \(0\)"):
        e.expand([1, 4])
    assert list(f.shape) == [0, 4]
    assert list(g.shape) == [3, 0, 1]


# ExpandUtils.h, inferExpandGeometry: a tensor without dimensions has the size 1 wherever it is asked
def test_expand_of_a_tensor_without_dimensions_takes_any_sizes(device):  # GEO-07
    n = torch.tensor(7, device=device)
    a = n.expand([3])
    b = n.expand([2, 2])
    c = n.expand([])
    d = n.expand([0])
    e = n.expand([2, 0, 3])
    assert a.tolist() == [7, 7, 7]
    assert a.stride() == (0,)
    assert b.tolist() == [[7, 7], [7, 7]]
    assert c.tolist() == 7
    assert d.tolist() == []
    assert list(e.shape) == [2, 0, 3]
    with pytest.raises(RuntimeError):
        n.expand([-2])
    one = n.unsqueeze(0)
    f = one.expand([2])
    assert f.stride() == (0,)


# TensorShape.cpp, squeeze: a dimension of another size stays
def test_squeeze_drops_every_size_of_1_or_the_one_that_is_named(device):  # GEO-08
    x = torch.zeros([1, 2, 1, 0], device=device)
    a = x.squeeze()
    b = x.squeeze(0)
    c = x.squeeze(1)
    d = x.squeeze(-2)
    e = x.squeeze(-1)
    assert list(a.shape) == [2, 0]
    assert list(b.shape) == [2, 1, 0]
    assert list(c.shape) == [1, 2, 1, 0]
    assert list(d.shape) == [1, 2, 0]
    assert list(e.shape) == [1, 2, 1, 0]
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.squeeze(4)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.squeeze(-5)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.squeeze_(4)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.unsqueeze_(5)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.transpose_(0, 4)
    assert list(x.shape) == [1, 2, 1, 0]
    x.unsqueeze_(4)
    x.squeeze_(0)
    x.transpose_(-4, -1)
    assert list(x.shape) == [1, 1, 0, 2]
    x.squeeze_()
    assert list(x.shape) == [0, 2]


# TensorShape.cpp, unsqueeze: inferUnsqueezeGeometry
def test_unsqueeze_has_the_stride_of_all_that_lies_behind(device):  # GEO-09
    x = torch.zeros([2, 3], device=device)
    a = x.unsqueeze(0)
    b = x.unsqueeze(1)
    c = x.unsqueeze(-1)
    t = x.t()
    d = t.unsqueeze(1)
    assert a.stride() == (6, 3, 1)
    assert b.stride() == (3, 3, 1)
    assert c.stride() == (3, 1, 1)
    assert d.stride() == (1, 6, 3)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.unsqueeze(3)


# TensorShape.cpp, diagonal: 'diagonal dimensions cannot be identical'
def test_diagonal_takes_two_dimensions_and_any_offset(device):  # GEO-10
    x = torch.arange(6, device=device)
    m = x.view([2, 3])
    a = m.diagonal()
    b = m.diagonal(2)
    c = m.diagonal(3)
    d = m.diagonal(-1)
    e = m.diagonal(-2)
    f = m.diagonal(1, -1, 0)
    g = m.diagonal(100)
    h = m.diagonal(-100)
    assert a.tolist() == [0, 4]
    assert b.tolist() == [2]
    assert c.tolist() == []
    assert d.tolist() == [3]
    assert e.tolist() == []
    assert f.tolist() == [3]
    assert g.tolist() == []
    assert h.tolist() == []
    with pytest.raises(RuntimeError, match="diagonal dimensions cannot be identical"):
        m.diagonal(0, 1, 1)
    with pytest.raises(RuntimeError, match="diagonal dimensions cannot be identical"):
        m.diagonal(0, 1, -1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        m.diagonal(0, 2, 1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        m.diagonal(0, 0, -3)
    v = torch.arange(2, device=device)
    with pytest.raises(IndexError, match="Dimension out of range"):
        v.diagonal()


# TensorShape.cpp, diagonal: of a stack
def test_diagonal_of_a_stack_is_the_last_dimension(device):  # GEO-10
    x = torch.arange(24, device=device)
    c = x.view([2, 3, 4])
    a = c.diagonal(1, 1, 2)
    b = c.diagonal(-1, 0, 2)
    d = c.diagonal(-1, 2, 0)
    assert a.tolist() == [[1, 6, 11], [13, 18, 23]]
    assert b.tolist() == [[12], [16], [20]]
    assert d.tolist() == [[1, 14], [5, 18], [9, 22]]


# TensorShape.cpp, unfold: 0 <= size <= the dimension's, step > 0
def test_unfold_takes_windows_that_fit_the_dimension(device):  # GEO-11
    x = torch.arange(5, device=device)
    a = x.unfold(0, 5, 1)
    b = x.unfold(0, 2, 3)
    c = x.unfold(-1, 2, 2)
    d = x.unfold(0, 0, 5)
    e = x.unfold(0, 1, 4)
    assert a.tolist() == [[0, 1, 2, 3, 4]]
    assert b.tolist() == [[0, 1], [3, 4]]
    assert c.tolist() == [[0, 1], [2, 3]]
    assert list(d.shape) == [2, 0]
    assert e.tolist() == [[0], [4]]
    with pytest.raises(RuntimeError, match="maximum size for tensor at dimension 0 is 5 but size is 6"):
        x.unfold(0, 6, 1)
    with pytest.raises(RuntimeError, match="step is 0 but must be > 0"):
        x.unfold(0, 2, 0)
    with pytest.raises(RuntimeError, match="step is -1 but must be > 0"):
        x.unfold(0, 2, -1)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.unfold(1, 1, 1)
    n = torch.tensor(7, device=device)
    f = n.unfold(0, 1, 1)
    g = n.unfold(-1, 0, 2)
    with pytest.raises(RuntimeError, match="maximum size for tensor at dimension 0 is 1 but size is 2"):
        n.unfold(0, 2, 1)
    assert f.tolist() == [7]
    assert f.stride() == (1,)
    assert list(g.shape) == [0]
