# Products, joins and sums with `out=`: what is refused, and what is written if the arguments are just valid.
import pytest
import torch


# LinearAlgebra.cpp, mm_out: out has exactly that dtype; sizes and dtypes of the inputs as without out
def test_mm_into_an_out_of_the_same_dtype(device):  # TYPE-73
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    v = torch.tensor([1.0, 2.0], device=device)
    d = torch.zeros([2, 2], dtype=torch.float64, device=device)
    out = torch.zeros([2, 2], device=device)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        torch.mm(x, x, out=d)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        torch.mm(x, d, out=d)
    with pytest.raises(RuntimeError, match="self must be a matrix"):
        torch.mm(v, x, out=out)
    with pytest.raises(RuntimeError, match="mat2 must be a matrix"):
        torch.mm(x, v, out=out)
    one = torch.ones([1, 2], device=device)
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied"):
        torch.mm(x, one, out=out)
    with pytest.raises(RuntimeError, match="have the same dtype|expected scalar type"):
        torch.mm(x, d, out=out)
    assert out.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    torch.mm(x, x, out=out)
    assert out.tolist() == [[7.0, 10.0], [15.0, 22.0]]
    torch.add(x, x, out=d)
    assert d.tolist() == [[2.0, 4.0], [6.0, 8.0]]


# LinearAlgebra.cpp, mm_out: of other strides, and of other sizes
def test_mm_into_an_out_of_other_strides_and_sizes(device):  # GEO-05
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], device=device)
    whole = torch.zeros([2, 2], device=device)
    out = whole.t()
    torch.mm(x, y, out=out)
    assert whole.tolist() == [[4.0, 10.0], [5.0, 11.0]]
    room = torch.zeros([2, 5], device=device)
    gaps = torch.ops.aten.slice(room, 1, 0, 4, 2)
    torch.mm(x, y, out=gaps)
    assert room.tolist() == [[4.0, 0.0, 5.0, 0.0, 0.0], [10.0, 0.0, 11.0, 0.0, 0.0]]
    none = torch.zeros([0], device=device)
    torch.mm(y, x, out=none)
    assert none.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]
    row = torch.zeros([1, 2], device=device)
    first = x.narrow(0, 1, 1)
    torch.mm(first, y, out=row)
    assert row.tolist() == [[10.0, 11.0]]


# LinearAlgebra.cpp, bmm_out
def test_bmm_into_an_out_of_the_same_dtype(device):  # GEO-05
    x = torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]], device=device)
    t = x.transpose(1, 2)
    d = torch.zeros([2, 1, 1], dtype=torch.float64, device=device)
    m = torch.zeros([2, 2], device=device)
    out = torch.zeros([2, 1, 1], device=device)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        torch.bmm(x, t, out=d)
    with pytest.raises(RuntimeError, match="batch1 must be a 3D tensor"):
        torch.bmm(m, t, out=out)
    with pytest.raises(RuntimeError, match="batch2 must be a 3D tensor"):
        torch.bmm(x, m, out=out)
    with pytest.raises(RuntimeError, match="Expected size for first two dimensions of batch2 tensor to be"):
        torch.bmm(x, x, out=out)
    assert out.tolist() == [[[0.0]], [[0.0]]]
    torch.bmm(x, t, out=out)
    assert out.tolist() == [[[5.0]], [[25.0]]]
    torch.bmm(t, x, out=out)
    assert out.tolist() == [[[1.0, 2.0], [2.0, 4.0]], [[9.0, 12.0], [12.0, 16.0]]]


# TensorShape.cpp, TORCH_META_FUNC(cat): canCast, and assert_no_overlap with each input
def test_cat_into_an_out_that_takes_the_dtype(device):  # GEO-01
    x = torch.tensor([1, 2], device=device)
    f = torch.tensor([0.5], device=device)
    n = torch.tensor(3, device=device)
    out = torch.zeros([3], dtype=torch.int64, device=device)
    bools = torch.zeros([3], dtype=torch.bool, device=device)
    floats = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError, match=r"zero-dimensional tensor \(at position 1\) cannot be concatenated"):
        torch.cat([x, n], 0, out=out)
    with pytest.raises(IndexError, match="Dimension out of range"):
        torch.cat([x, x], 1, out=out)
    assert out.tolist() == [0, 0, 0]
    torch.cat([x, f], -1, out=floats)
    assert floats.tolist() == [1.0, 2.0, 0.5]
    i = torch.zeros([4], dtype=torch.int32, device=device)
    torch.cat([x, x], 0, out=i)
    assert i.tolist() == [1, 2, 1, 2]
    b = torch.tensor([True, False], device=device)
    torch.cat([b, b], -1, out=i)
    assert i.tolist() == [1, 0, 1, 0]
    torch.cat([b, b, b], 0, out=bools)
    assert bools.tolist() == [True, False, True, False, True, False]
    m = x.unsqueeze(0)
    with pytest.raises(RuntimeError, match="Tensors must have same number of dimensions: got 1 and 2"):
        torch.cat([x, m], 0, out=out)


# TensorShape.cpp, cat_out: into gaps, by columns, and of pieces of nothing
def test_cat_into_an_out_of_other_strides(device):  # GEO-05
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    y = torch.tensor([[5], [6]], device=device)
    whole = torch.zeros([3, 2], dtype=torch.int64, device=device)
    out = whole.t()
    torch.cat([x, y], 1, out=out)
    assert whole.tolist() == [[1, 3], [2, 4], [5, 6]]
    room = torch.zeros([2, 6], dtype=torch.int64, device=device)
    gaps = torch.ops.aten.slice(room, 1, 0, 6, 2)
    none = torch.tensor([], dtype=torch.int64, device=device)
    thin = torch.zeros([2, 0], dtype=torch.int64, device=device)
    torch.cat([none, y, thin, x], 1, out=gaps)
    assert room.tolist() == [[5, 0, 1, 0, 2, 0], [6, 0, 3, 0, 4, 0]]
    t = x.t()
    torch.cat([t, t], 0, out=none)
    assert none.tolist() == [[1, 3], [2, 4], [1, 3], [2, 4]]


# ReduceOps.cpp, sum_out: dtype= wants exactly out's, and without it out's is the one
def test_sum_into_an_out(device):  # TYPE-73
    x = torch.tensor([[1.5, 2.5], [3.5, 4.5]], device=device)
    i = torch.zeros([2], dtype=torch.int64, device=device)
    d = torch.zeros([2], dtype=torch.float64, device=device)
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype float, but got double instead"):
        torch.sum(x, [0], dtype=torch.float32, out=d)
    with pytest.raises(RuntimeError, match="dim 0 appears multiple times in the list of dims"):
        torch.sum(x, [0, 0], out=d)
    with pytest.raises(IndexError, match="Dimension out of range"):
        torch.sum(x, [2], out=d)
    assert d.tolist() == [0.0, 0.0]
    torch.sum(x, [0], out=d)
    assert d.tolist() == [5.0, 7.0]
    torch.sum(x, [-1], dtype=torch.float64, out=d)
    assert d.tolist() == [4.0, 8.0]
    torch.sum(x, [1], keepdim=True, out=d)
    assert d.tolist() == [[4.0], [8.0]]
    torch.sum(x, [0], out=i)
    assert i.tolist() == [4, 6]
    torch.add(x, x, out=d)
    assert d.tolist() == [[3.0, 5.0], [7.0, 9.0]]


# UnaryOps.cpp, neg_out: 'Negation, the `-` operator, on a bool tensor is not supported'
def test_neg_and_relu_take_no_bools(device):  # TYPE-43
    b = torch.tensor([True, False], device=device)
    out = torch.zeros([2], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="on a bool tensor is not supported"):
        b.neg()
    with pytest.raises(RuntimeError, match="on a bool tensor is not supported"):
        b.neg_()
    with pytest.raises(RuntimeError, match="on a bool tensor is not supported"):
        torch.neg(b, out=out)
    with pytest.raises(RuntimeError, match="Boolean inputs not supported for relu"):
        b.relu()
    with pytest.raises(RuntimeError, match="Boolean inputs not supported for relu"):
        b.relu_()
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Bool"):
        b.sqrt_()
    assert b.tolist() == [True, False]
    x = b.sqrt()
    assert x.dtype is torch.float32
    assert x.tolist() == [1.0, 0.0]
    y = torch.zeros([2], dtype=torch.float64, device=device)
    torch.exp(out, out=y)
    assert y.tolist() == [1.0, 1.0]


# UnaryOps.cpp, neg_out: out has exactly that dtype
def test_neg_into_an_out_of_the_same_dtype(device):  # GEO-05
    x = torch.tensor([[1, -2, 3], [4, 5, -6]], device=device)
    d = torch.zeros([2, 3], dtype=torch.float64, device=device)
    i = torch.zeros([2, 3], dtype=torch.int32, device=device)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Long"):
        torch.neg(x, out=d)
    with pytest.raises(RuntimeError, match="Found dtype Int but expected Long"):
        torch.neg(x, out=i)
    whole = torch.zeros([3, 2], dtype=torch.int64, device=device)
    out = whole.t()
    torch.neg(x, out=out)
    assert whole.tolist() == [[-1, -4], [2, -5], [-3, 6]]
    t = x.t()
    torch.neg(t, out=out)
    assert out.tolist() == [[-1, -4], [2, -5], [-3, 6]]
    torch.neg(x, out=x)
    assert x.tolist() == [[-1, 2, -3], [-4, -5, 6]]


# BinaryOps.cpp, build_comparison_op: out keeps its dtype, and takes a comparison's zeros and ones
def test_a_comparison_writes_zeros_and_ones_of_any_dtype(device):  # TYPE-73
    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([3.0, 2.0, 1.0], device=device)
    b = torch.zeros([3], dtype=torch.bool, device=device)
    i = torch.zeros([3], dtype=torch.int64, device=device)
    f = torch.zeros([3], device=device)
    torch.gt(x, y, out=b)
    assert b.tolist() == [False, False, True]
    torch.ge(x, y, out=i)
    assert i.tolist() == [0, 1, 1]
    torch.eq(x, y, out=f)
    assert f.tolist() == [0.0, 1.0, 0.0]
    torch.gt(x, 1, out=i)
    assert i.tolist() == [0, 1, 1]
    torch.ge(x, 2.5, out=f)
    assert f.tolist() == [0.0, 0.0, 1.0]
    torch.eq(x, 1, out=b)
    assert b.tolist() == [True, False, False]


# BinaryOps.cpp, build_comparison_op: memory overlap is checked; TensorIterator.cpp, compute_shape: an output that is an input keeps its sizes
def test_a_comparison_into_its_operand_or_its_neighbour(device):  # GEO-19 GEO-20
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device)
    one = torch.ones([1], device=device)
    torch.gt(x, 2, out=x)
    assert x.tolist() == [0.0, 0.0, 1.0, 1.0]
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        torch.ge(one, x, out=one)
    tail = x.narrow(0, 1, 3)
    head = x.narrow(0, 0, 3)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a single memory location"):
        torch.eq(head, one, out=tail)
    w = torch.zeros([1], device=device)
    wide = w.expand([4])
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        torch.ge(x, one, out=wide)
    assert x.tolist() == [0.0, 0.0, 1.0, 1.0]


# UnaryOps.cpp, CREATE_UNARY_FLOAT_META_FUNC: the result is of a floating dtype, and out must take it
def test_tanh_and_sqrt_into_an_out_that_takes_the_dtype(device):  # TYPE-73
    x = torch.tensor([0, 1, 4], device=device)
    f = torch.zeros([3], device=device)
    d = torch.zeros([3], dtype=torch.float64, device=device)
    i = torch.zeros([3], dtype=torch.int64, device=device)
    torch.sqrt(x, out=d)
    assert d.tolist() == [0.0, 1.0, 2.0]
    z = torch.zeros([2], dtype=torch.int64, device=device)
    tail = f.narrow(0, 1, 2)
    torch.tanh(z, out=tail)
    assert f.tolist() == [0.0, 0.0, 0.0]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
        torch.sqrt(x, out=i)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
        torch.tanh(x, out=i)
    assert i.tolist() == [0, 0, 0]
