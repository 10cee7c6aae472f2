# Ops that take indices, and ops that join tensors: what each refuses, and its result for arguments that are just valid.
import pytest
import torch


# TensorAdvancedIndexing.cpp, index_select_out_cpu_
def test_index_select_takes_a_vector_of_indices_inside_the_dimension(device):  # GEO-01
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    i = torch.tensor([2, 0, 2], device=device)
    a = x.index_select(1, i)
    b = x.index_select(-1, i)
    n = torch.tensor(1, device=device)
    c = x.index_select(0, n)
    e = torch.tensor([], dtype=torch.int64, device=device)
    d = x.index_select(0, e)
    assert a.tolist() == [[2, 0, 2], [5, 3, 5]]
    assert b.tolist() == [[2, 0, 2], [5, 3, 5]]
    assert c.tolist() == [[3, 4, 5]]
    assert list(d.shape) == [0, 3]
    with pytest.raises(IndexError, match=r"index_select\(\): Index is supposed to be a vector"):
        x.index_select(0, x)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.index_select(2, n)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.index_select(-3, n)
    low = torch.tensor([0, -1], device=device)
    with pytest.raises(RuntimeError, match="INDICES element is out of DATA bounds, id=-1 axis_dim=3"):
        x.index_select(1, low)
    three = torch.tensor([3], device=device)
    with pytest.raises(RuntimeError, match="INDICES element is out of DATA bounds, id=3 axis_dim=3"):
        x.index_select(1, three)


# TensorAdvancedIndexing.cpp, index_select_out_cpu_: dimension 1 goes through index_select_out_cpu_dim1_, and tensors
# without elements have a check of their own
def test_index_select_names_the_index_in_its_error_along_dimension_1_or_without_elements(device):  # GEO-01 GEO-70
    x = torch.ones([2, 2, 2], device=device)
    two = torch.tensor([2], device=device)
    with pytest.raises(IndexError, match="index out of range in self"):
        x.index_select(0, two)
    with pytest.raises(RuntimeError, match="INDICES element is out of DATA bounds, id=2 axis_dim=2"):
        x.index_select(1, two)
    with pytest.raises(IndexError, match="index out of range in self"):
        x.index_select(-1, two)
    none = torch.ones([2, 0], device=device)
    with pytest.raises(RuntimeError, match="INDICES element is out of DATA bounds, id=2 axis_dim=2"):
        none.index_select(0, two)
    one = torch.tensor([1], device=device)
    a = x.index_select(0, one)
    assert list(a.shape) == [1, 2, 2]


# The same for a tensor of one dimension or none, which takes another path
def test_index_select_of_a_vector_names_no_index_in_its_error(device):  # GEO-70
    v = torch.arange(3, device=device)
    n = torch.tensor(7, device=device)
    i = torch.tensor([2, 0], device=device)
    a = v.index_select(0, i)
    assert a.tolist() == [2, 0]
    three = torch.tensor([3], device=device)
    low = torch.tensor([-1], device=device)
    one = torch.tensor([1], device=device)
    zero = torch.tensor([0], device=device)
    none = torch.tensor(0, device=device)
    with pytest.raises(IndexError, match="index out of range in self"):
        v.index_select(0, three)
    with pytest.raises(IndexError, match="index out of range in self"):
        v.index_select(0, low)
    with pytest.raises(IndexError, match="index out of range in self"):
        n.index_select(0, one)
    with pytest.raises(IndexError, match="index out of range in self"):
        n.index_select(0, low)
    b = n.index_select(0, zero)
    c = n.index_select(-1, none)
    assert b.tolist() == 7
    assert c.tolist() == 7
    with pytest.raises(IndexError, match="Dimension out of range"):
        n.index_select(1, zero)


# TensorAdvancedIndexing.cpp, index_select_out_cpu_: 'Expected dtype int32 or int64 for index'
def test_index_select_takes_integers_alone(device):  # TYPE-54
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    v = torch.tensor([1.0, 2.0], device=device)
    f = torch.tensor([0.0], device=device)
    b = torch.tensor([True], device=device)
    d = torch.tensor([0.0], dtype=torch.float64, device=device)
    for_int = torch.tensor([1], dtype=torch.int32, device=device)
    with pytest.raises(RuntimeError):
        x.index_select(0, f)
    with pytest.raises(RuntimeError):
        v.index_select(0, f)
    with pytest.raises(RuntimeError):
        x.index_select(0, b)
    with pytest.raises(RuntimeError):
        v.index_select(0, d)
    a = x.index_select(1, for_int)
    c = v.index_select(0, for_int)
    assert a.tolist() == [[2.0], [4.0]]
    assert c.tolist() == [2.0]


# TensorAdvancedIndexing.cpp, index_select_out_cpu_: 'self indexing axis dim should be positive'
def test_index_select_of_an_empty_dimension_takes_no_index(device):  # GEO-01
    x = torch.zeros([2, 0], device=device)
    none = torch.tensor([], dtype=torch.int64, device=device)
    one = torch.tensor([0], device=device)
    a = x.index_select(-1, none)
    b = x.index_select(0, one)
    assert list(a.shape) == [2, 0]
    assert list(b.shape) == [1, 0]
    with pytest.raises(RuntimeError, match=r"self indexing axis dim should be positive"):
        x.index_select(1, one)
    v = torch.zeros([0], device=device)
    c = v.index_select(0, none)
    assert list(c.shape) == [0]
    with pytest.raises(IndexError, match="index out of range in self"):
        v.index_select(0, one)


# TensorAdvancedIndexing.cpp, index_select_out_cpu_: of other strides, dtypes and many elements
def test_index_select_of_other_layouts(device):  # GEO-05
    u = torch.arange(222, device=device)
    x = u.view([3, 2, 37])
    t = x.transpose(0, 2)
    w = torch.arange(6, device=device)
    every = torch.ops.aten.slice(w, 0, 0, 6, 3)
    ones = torch.tensor([1, 0], device=device)
    twice = ones.expand([2])
    a = t.index_select(1, twice)
    b = a.select(0, 36)
    assert b.tolist() == [[73, 147, 221], [36, 110, 184]]
    two = torch.tensor([36, 0, 5], device=device)
    c = x.index_select(2, two)
    assert c.tolist() == [
        [[36, 0, 5], [73, 37, 42]],
        [[110, 74, 79], [147, 111, 116]],
        [[184, 148, 153], [221, 185, 190]],
    ]
    d = x.index_select(1, ones)
    e = d.select(2, 1)
    assert e.tolist() == [[38, 1], [112, 75], [186, 149]]
    f = u.index_select(0, every)
    assert f.tolist() == [0, 3]
    m = x.gt(110)
    g = m.index_select(2, two)
    h = g.select(0, 1)
    assert h.tolist() == [[False, False, False], [True, True, True]]


# ScatterGatherChecks.h, gather_shape_check; TensorAdvancedIndexing.cpp, gather_meta
def test_gather_takes_an_index_that_is_no_larger_apart_from_the_dimension(device):  # GEO-71
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    i = torch.tensor([[2, 0, 1, 2], [0, 1, 2, 0]], device=device)
    a = x.gather(1, i)
    assert a.tolist() == [[2, 0, 1, 2], [3, 4, 5, 3]]
    j = torch.tensor([[1, 0], [0, 1], [1, 1]], device=device)
    b = x.gather(0, j)
    assert b.tolist() == [[3, 1], [0, 4], [3, 4]]
    c = x.gather(-2, j)
    assert c.tolist() == [[3, 1], [0, 4], [3, 4]]
    with pytest.raises(RuntimeError, match="Size does not match at dimension 1 expected index"):
        x.gather(0, i)
    with pytest.raises(RuntimeError, match="Size does not match at dimension 0 expected index"):
        x.gather(1, j)
    v = torch.tensor([0], device=device)
    with pytest.raises(RuntimeError, match="Index tensor must have the same number of dimensions as input tensor"):
        x.gather(0, v)
    with pytest.raises(RuntimeError, match="Index tensor must have the same number of dimensions as input tensor"):
        u.gather(0, j)
    n = torch.tensor(0, device=device)
    with pytest.raises(RuntimeError, match="Index tensor must have the same number of dimensions as input tensor"):
        x.gather(0, n)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.gather(2, j)


# ScatterGatherKernel.cpp: 0 <= index < size
def test_gather_takes_indices_inside_the_dimension(device):  # GEO-01
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    high = torch.tensor([[0, 3]], device=device)
    low = torch.tensor([[0, -1]], device=device)
    last = torch.tensor([[0, 2]], device=device)
    with pytest.raises(RuntimeError, match="index 3 is out of bounds for dimension 1 with size 3"):
        x.gather(1, high)
    with pytest.raises(RuntimeError, match="index -1 is out of bounds for dimension 1 with size 3"):
        x.gather(1, low)
    with pytest.raises(RuntimeError, match="index 2 is out of bounds for dimension 0 with size 2"):
        x.gather(0, last)
    a = x.gather(-1, last)
    assert a.tolist() == [[0, 2]]
    f = torch.tensor([[0.0]], device=device)
    b = torch.tensor([[False]], device=device)
    with pytest.raises(RuntimeError):
        x.gather(0, f)
    with pytest.raises(RuntimeError):
        x.gather(0, b)
    none = torch.tensor([[], []], dtype=torch.int64, device=device)
    c = x.gather(0, none)
    assert list(c.shape) == [2, 0]


# A tensor without dimensions counts as a tensor of one element, on either side
def test_gather_of_a_tensor_without_dimensions(device):  # GEO-01
    n = torch.tensor(7, device=device)
    v = torch.tensor([3, 4], device=device)
    none = torch.tensor(0, device=device)
    one = torch.tensor(1, device=device)
    zeros = torch.tensor([0], device=device)
    a = n.gather(0, none)
    b = n.gather(-1, zeros)
    c = v.gather(0, one)
    assert a.tolist() == 7
    assert b.tolist() == [7]
    assert c.tolist() == 4
    with pytest.raises(RuntimeError, match="index 1 is out of bounds for dimension 0 with size 1"):
        n.gather(0, one)
    m = torch.tensor([[0]], device=device)
    with pytest.raises(RuntimeError, match="Index tensor must have the same number of dimensions as input tensor"):
        n.gather(0, m)


# ScatterGatherKernel.cpp: of other strides, and of a smaller index in each dimension
def test_gather_of_other_layouts(device):  # GEO-05
    u = torch.arange(24, device=device)
    x = u.view([2, 3, 4])
    t = x.transpose(0, 2)
    i = torch.tensor([[[1, 0], [0, 1]]], device=device)
    a = t.gather(2, i)
    assert a.tolist() == [[[12, 0], [4, 16]]]
    b = x.gather(0, i)
    assert b.tolist() == [[[12, 1], [4, 17]]]
    c = x.gather(1, i)
    assert c.tolist() == [[[4, 1], [0, 5]]]
    j = i.transpose(1, 2)
    d = t.gather(1, j)
    assert d.tolist() == [[[4, 12], [0, 16]]]
    k = torch.tensor([[[1]]], device=device)
    e = k.expand([2, 3, 2])
    f = x.gather(2, e)
    assert f.tolist() == [[[1, 1], [5, 5], [9, 9]], [[13, 13], [17, 17], [21, 21]]]


# TensorAdvancedIndexing.cpp, index_fill_: 'Expected dtype int64 for index', whatever else integers are taken for
def test_index_fill_takes_indices_of_int64_alone(device):  # GEO-01
    x = torch.zeros([2, 2], device=device)
    i = torch.tensor([0], dtype=torch.int32, device=device)
    f = torch.tensor([0.0], device=device)
    b = torch.tensor([True], device=device)
    with pytest.raises(IndexError, match=r"index_fill_\(\): Expected dtype int64 for index"):
        x.index_fill_(0, i, 1)
    with pytest.raises(IndexError, match=r"index_fill_\(\): Expected dtype int64 for index"):
        x.index_fill(0, i, 1)
    with pytest.raises(IndexError, match=r"index_fill_\(\): Expected dtype int64 for index"):
        x.index_fill_(0, f, 1)
    with pytest.raises(IndexError, match=r"index_fill_\(\): Expected dtype int64 for index"):
        x.index_fill(0, b, 1)
    with pytest.raises(IndexError, match=r"index_fill_\(\): Expected dtype int64 for index"):
        x.index_fill_(0, b, 1)
    assert x.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    j = torch.tensor([1], device=device)
    x.index_fill_(-1, j, 1)
    y = x.index_fill(-2, j, 2)
    assert x.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert y.tolist() == [[0.0, 1.0], [2.0, 2.0]]


# TensorAdvancedIndexing.cpp, index_fill_; cpu/IndexKernel.cpp, index_fill_kernel: -size <= index < size
def test_index_fill_takes_indices_from_minus_the_size_to_below_it(device):  # GEO-01
    x = torch.zeros([2, 3], device=device)
    ends = torch.tensor([2, -3], device=device)
    a = x.index_fill(1, ends, 5)
    assert a.tolist() == [[5.0, 0.0, 5.0], [5.0, 0.0, 5.0]]
    last = torch.tensor(-1, device=device)
    b = x.index_fill(-2, last, 5)
    assert b.tolist() == [[0.0, 0.0, 0.0], [5.0, 5.0, 5.0]]
    high = torch.tensor([3], device=device)
    low = torch.tensor([-4], device=device)
    with pytest.raises(IndexError, match="index 3 is out of bounds for dimension 1 with size 3"):
        x.index_fill(1, high, 5)
    with pytest.raises(IndexError, match="index -4 is out of bounds for dimension 1 with size 3"):
        x.index_fill(1, low, 5)
    square = torch.tensor([[0, 1]], device=device)
    with pytest.raises(RuntimeError, match="Index has to be a vector/scalar"):
        x.index_fill(1, square, 5)
    with pytest.raises(RuntimeError, match="Index has to be a vector/scalar"):
        x.index_fill_(1, square, 5)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.index_fill(2, last, 5)
    with pytest.raises(IndexError, match="index 3 is out of bounds for dimension 1 with size 3"):
        x.index_fill_(1, high, 5)
    none = torch.tensor([], dtype=torch.int64, device=device)
    c = x.index_fill(1, none, 5)
    assert c.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


# TensorAdvancedIndexing.cpp, index_fill_: of a tensor without dimensions or elements
def test_index_fill_of_a_tensor_without_dimensions_or_elements(device):  # GEO-01
    n = torch.tensor(7.0, device=device)
    zero = torch.tensor([0], device=device)
    one = torch.tensor([1], device=device)
    low = torch.tensor([-1, 0], device=device)
    a = n.index_fill(0, zero, 5)
    b = n.index_fill(-1, low, 5)
    assert a.tolist() == 5.0
    assert b.tolist() == 5.0
    with pytest.raises(IndexError, match="index 1 is out of bounds for dimension 0 with size 1"):
        n.index_fill(0, one, 5)
    x = torch.zeros([0, 2], device=device)
    y = x.index_fill(1, one, 5)
    assert list(y.shape) == [0, 2]
    i = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError):
        i.index_fill(0, zero, 1e19)


# TensorAdvancedIndexing.cpp, index_fill_: at::assert_no_overlap(self, index)
def test_index_fill_refuses_its_own_memory_as_indices(device):  # GEO-01
    x = torch.tensor([0, 1, 2, 0], device=device)
    i = x.narrow(0, 0, 2)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        x.index_fill_(0, x, 5)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        x.index_fill_(0, i, 5)
    y = x.narrow(0, 2, 2)
    y.index_fill_(-1, i, 5)
    assert x.tolist() == [0, 1, 5, 5]


# TensorAdvancedIndexing.cpp, index_fill_kernel: restride_dim must lie in the storage, even if nothing is filled
def test_index_fill_of_an_empty_dimension_takes_no_index(device):  # GEO-01
    x = torch.zeros([2, 0], device=device)
    two = torch.tensor([0, 0], device=device)
    none = torch.tensor([], dtype=torch.int64, device=device)
    a = x.index_fill(-1, none, 5)
    b = x.index_fill(0, two, 5)
    assert list(a.shape) == [2, 0]
    assert list(b.shape) == [2, 0]
    with pytest.raises(RuntimeError):
        x.index_fill(1, two, 5)
    y = torch.zeros([3], device=device)
    behind = y.narrow(0, 3, 0)
    zero = torch.tensor([0], device=device)
    with pytest.raises(RuntimeError):
        behind.index_fill_(0, zero, 5)
    v = torch.zeros([0], device=device)
    with pytest.raises(RuntimeError):
        v.index_fill(0, zero, 5)
    assert y.tolist() == [0.0, 0.0, 0.0]
