# Memory: other dtypes of the same bytes, resizing, overlaps and `out=`: what is refused, and what is just valid.
import pytest
import torch


# TensorConversions.cpp, view_dtype: to larger elements the last size, the offset and the other strides must divide
def test_view_in_larger_elements_needs_whole_ones(device):  # GEO-66
    u = torch.arange(12, device=device)
    i = u.to(torch.int32)
    x = i.view([3, 4])
    a = x.view(torch.int64)
    assert list(a.shape) == [3, 2]
    assert a.stride() == (2, 1)
    odd = i.narrow(0, 0, 3)
    with pytest.raises(RuntimeError, match=r"self.size\(-1\) must be divisible by 2"):
        odd.view(torch.int64)
    late = i.narrow(0, 1, 2)
    with pytest.raises(RuntimeError, match=r"self.storage_offset\(\) must be divisible by 2"):
        late.view(torch.float64)
    even = i.narrow(0, 2, 2)
    b = even.view(torch.int64)
    assert b.storage_offset() == 1
    t = x.t()
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1"):
        s = t.narrow(1, 0, 2)
        s.view(torch.int64)
    y = i.as_strided([2, 2], [3, 1])
    with pytest.raises(RuntimeError, match=r"self.stride\(0\) must be divisible by 2"):
        y.view(torch.int64)
    z = i.as_strided([2, 2], [6, 1], 2)
    c = z.view(torch.float64)
    assert c.stride() == (3, 1)
    assert c.storage_offset() == 1
    n = torch.tensor(7, dtype=torch.int32, device=device)
    with pytest.raises(RuntimeError, match=r"self.dim\(\) cannot be 0 to view Int as Long"):
        n.view(torch.int64)
    d = n.view(torch.float32)
    assert d.dtype is torch.float32


# TensorConversions.cpp, view_dtype: to smaller elements only the last stride is asked
def test_view_in_smaller_elements_needs_the_last_stride_to_be_1(device):  # GEO-66
    u = torch.arange(4, device=device)
    x = u.view([2, 2])
    t = x.t()
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1 to view Long as Int"):
        t.view(torch.int32)
    with pytest.raises(RuntimeError, match=r"self.stride\(-1\) must be 1 to view Long as Bool"):
        t.view(torch.bool)
    n = torch.tensor(7, device=device)
    with pytest.raises(RuntimeError, match=r"self.dim\(\) cannot be 0 to view Long as Int"):
        n.view(torch.int32)
    a = t.view(torch.float64)
    assert a.stride() == (1, 2)
    y = u.narrow(0, 1, 3)
    b = y.view(torch.int32)
    assert b.tolist() == [1, 0, 2, 0, 3, 0]
    assert b.storage_offset() == 2
    c = x.narrow(1, 1, 1)
    d = c.view(torch.int32)
    assert d.stride() == (4, 1)
    assert d.tolist() == [[1, 0], [3, 0]]


# Resize.cpp, resize_: 'if (self.sizes() != size)'
def test_resize_to_other_sizes_is_row_major_from_the_offset_on(device):  # GEO-64
    u = torch.arange(6, device=device)
    x = u.view([2, 3])
    t = x.t()
    t.resize_([3, 2])
    assert t.stride() == (1, 3)
    t.resize_([3, 1])
    assert t.stride() == (1, 1)
    t.resize_([0, 4])
    assert t.stride() == (4, 1)
    t.resize_([])
    assert t.tolist() == 0
    v = u.narrow(0, 4, 2)
    v.resize_([1, 2])
    assert v.tolist() == [[4, 5]]


# python_variable_methods.cpp, THPVariable_set_; 1.13 asserts it
def test_set_takes_a_tensor_of_the_same_dtype(device):  # GEO-31
    x = torch.zeros([2], device=device)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = y.t()
    i = torch.arange(2, device=device)
    d = torch.zeros([2], dtype=torch.float64, device=device)
    with pytest.raises(RuntimeError):
        x.set_(i)
    with pytest.raises(RuntimeError):
        x.set_(d)
    assert x.tolist() == [0.0, 0.0]
    x.set_(t)
    x.fill_(5)
    assert y.tolist() == [[5.0, 5.0], [5.0, 5.0]]
    assert x.stride() == (1, 2)


# MemoryOverlap.cpp, assert_no_internal_overlap: each op that writes in place
def test_every_op_in_place_refuses_memory_that_overlaps_itself(device):  # GEO-19
    x = torch.tensor([4.0], device=device)
    v = x.expand([2])
    y = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.add_(y)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.sub_(y)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.mul_(y)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.div_(2)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.neg_()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.sqrt_()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.exp_()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.tanh_()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.copy_(y)
    assert x.tolist() == [4.0]
    one = x.expand([1])
    one.sqrt_()
    assert x.tolist() == [2.0]
    w = x.as_strided([1, 1], [0, 0])
    w.add_(1)
    assert x.tolist() == [3.0]
    n = x.as_strided([0, 2], [1, 0])
    n.add_(1)
    assert x.tolist() == [3.0]


# MemoryOverlap.cpp, get_overlap_status: dense tensors that share some bytes, but not the same places
def test_partial_overlap_is_refused_up_to_the_last_shared_element(device):  # GEO-20
    x = torch.arange(6, device=device)
    a = x.narrow(0, 0, 3)
    b = x.narrow(0, 2, 3)
    c = x.narrow(0, 3, 3)
    d = x.narrow(0, 0, 3)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        a.add_(b)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        b.mul_(a)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        b.copy_(a)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        one = x.narrow(0, 2, 1)
        a.sub_(one)
    assert x.tolist() == [0, 1, 2, 3, 4, 5]
    a.add_(c)
    assert x.tolist() == [3, 5, 7, 3, 4, 5]
    c.copy_(a)
    assert x.tolist() == [3, 5, 7, 3, 5, 7]
    a.add_(d)
    assert x.tolist() == [6, 10, 14, 3, 5, 7]
    p = x.narrow(0, 0, 4)
    q = p.view([2, 2])
    t = q.t()
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        q.add_(t)
    e = x.narrow(0, 2, 0)
    a.add_(0)
    e.add_(e)
    assert x.tolist() == [6, 10, 14, 3, 5, 7]


# BinaryOps.cpp and UnaryOps.cpp: out= broadcasts nothing, and is of a dtype that takes the result
def test_out_is_of_a_dtype_that_takes_the_result(device):  # TYPE-42
    x = torch.tensor([1, 2], device=device)
    f = torch.tensor([0.5, 1.5], device=device)
    i = torch.zeros([2], dtype=torch.int32, device=device)
    b = torch.zeros([2], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Int"):
        torch.add(x, f, out=i)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Bool"):
        torch.mul(x, x, out=b)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        y = torch.zeros([2], dtype=torch.int64, device=device)
        torch.div(x, x, out=y)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Int"):
        torch.exp(x, out=i)
    torch.add(x, x, out=i)
    assert i.tolist() == [2, 4]
    torch.sub(x, i, out=f)
    assert f.tolist() == [-1.0, -2.0]
    torch.mul(b, b, out=i)
    assert i.tolist() == [0, 0]
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        x.div_(2)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        x.exp_()
    assert x.tolist() == [1, 2]


# TensorIterator.cpp, mark_resize_outputs and resize_outputs: an input is not resized
def test_out_that_is_an_input_keeps_its_sizes(device):  # GEO-18
    x = torch.tensor([1, 2, 3], device=device)
    m = torch.tensor([[10], [20]], device=device)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        torch.add(x, m, out=x)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        torch.mul(x, m, out=m)
    assert x.tolist() == [1, 2, 3]
    y = torch.zeros([5], dtype=torch.int64, device=device)
    torch.add(x, m, out=y)
    assert y.tolist() == [[11, 12, 13], [21, 22, 23]]
    torch.add(y, x, out=y)
    assert y.tolist() == [[12, 14, 16], [22, 24, 26]]
    two = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="must match the size of tensor b"):
        torch.add(x, two, out=y)
    assert y.tolist() == [[12, 14, 16], [22, 24, 26]]


# MemoryOverlap.cpp: what out= refuses
def test_out_refuses_memory_that_overlaps(device):  # GEO-74
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device)
    a = x.narrow(0, 0, 2)
    b = x.narrow(0, 1, 2)
    c = x.narrow(0, 2, 2)
    one = torch.zeros([1], device=device)
    v = one.expand([2])
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.add(a, c, out=v)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.add(a, c, out=b)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.add(c, a, out=b)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.neg(a, out=v)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.exp(a, out=b)
    torch.add(a, c, out=a)
    torch.neg(a, out=c)
    assert x.tolist() == [4.0, 6.0, -4.0, -6.0]
