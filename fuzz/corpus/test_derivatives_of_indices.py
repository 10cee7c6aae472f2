# The derivatives of ops that take indices and of those that join tensors, and what they refuse.
import pytest
import torch


# TensorAdvancedIndexing.cpp, index_select_backward: index_add_ looks at the indices as they are now
def test_backward_of_index_select_refuses_indices_out_of_range(device):  # GEO-29
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    i = torch.tensor([0, 2], device=device)
    y = x.index_select(0, i)
    s = y.sum()
    d = i.data
    d.fill_(3)
    with pytest.raises(IndexError):
        s.backward()
    assert x.grad is None
    d.fill_(-1)
    with pytest.raises(IndexError):
        s.backward()
    assert x.grad is None
    d.fill_(2)
    s.backward()
    assert x.grad.tolist() == [0.0, 0.0, 2.0]


# derivatives.yaml, index_fill: grad.index_fill(dim, index, 0), with the indices as they are now
def test_backward_of_index_fill_refuses_indices_out_of_range(device):  # GEO-29
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    i = torch.tensor([0, 2], device=device)
    y = x.index_fill(0, i, 0)
    s = y.sum()
    d = i.data
    d.fill_(3)
    with pytest.raises(IndexError):
        s.backward()
    assert x.grad is None
    d.fill_(-1)
    s.backward()
    assert x.grad.tolist() == [1.0, 1.0, 0.0]


# derivatives.yaml has no formula for set_
def test_backward_through_set_is_refused(device):  # GEO-31
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.tensor([3.0, 4.0], device=device)
    z = torch.mul(x, 2)
    z.set_(y)
    y.fill_(5)
    assert z.tolist() == [5.0, 5.0]
    s = z.sum()
    with pytest.raises(RuntimeError):
        s.backward()
    assert x.grad is None


# derivatives of index ops of other layouts, if an index occurs more than once
def test_gradients_of_index_ops_add_up_along_each_dimension(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    i = torch.tensor([2, 0, 2], device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    y = x.index_select(1, i)
    p = torch.mul(y, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[10.0, 0.0, 101.0], [10.0, 0.0, 101.0]]
    x.grad = None
    j = torch.tensor([[1, 0], [1, 1], [0, 1]], device=device)
    z = x.gather(0, j)
    v = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    q = torch.mul(z, v)
    r = q.sum()
    r.backward()
    assert x.grad.tolist() == [[5.0, 2.0, 0.0], [4.0, 10.0, 0.0]]
    x.grad = None
    t = x.t()
    k = torch.tensor([1], dtype=torch.int32, device=device)
    a = t.index_select(1, k)
    b = a.sum()
    b.backward()
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    x.grad = None
    m = x.index_fill(-1, i, 9.0)
    n = m.sum()
    n.backward()
    assert x.grad.tolist() == [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]


# derivatives of a tensor without dimensions, and of no index
def test_gradients_of_index_ops_without_dimensions_or_indices(device):  # AUT-13
    x = torch.tensor(3.0, requires_grad=True, device=device)
    zero = torch.tensor([0], device=device)
    y = x.gather(0, zero)
    y.backward()
    assert x.grad.tolist() == 1.0
    n = torch.tensor(0, device=device)
    z = x.index_select(0, n)
    z.backward()
    assert x.grad.tolist() == 2.0
    v = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    none = torch.tensor([], dtype=torch.int64, device=device)
    a = v.gather(0, none)
    s = a.sum()
    s.backward()
    assert v.grad.tolist() == [0.0, 0.0]
    one = torch.tensor(1, device=device)
    b = v.gather(0, one)
    b.backward()
    assert v.grad.tolist() == [0.0, 1.0]
    c = v.index_select(0, none)
    t = c.sum()
    t.backward()
    assert v.grad.tolist() == [0.0, 1.0]


# derivatives.yaml, cat and stack: pieces of nothing, of several dtypes, and along each dimension
def test_gradients_of_joins_go_to_each_piece(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0]], requires_grad=True, device=device)
    y = torch.tensor([[3.0], [4.0]], dtype=torch.float64, requires_grad=True, device=device)
    none = torch.zeros([0], requires_grad=True, device=device)
    e = x.expand([2, 2])
    z = torch.cat([none, e, y], -1)
    w = torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]], dtype=torch.float64, device=device)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[11.0, 22.0]]
    assert y.grad.tolist() == [[3.0], [30.0]]
    assert none.grad.tolist() == []
    a = torch.stack([e, e], 1)
    q = a.select(1, 1)
    r = q.sum()
    r.backward()
    assert x.grad.tolist() == [[13.0, 24.0]]
