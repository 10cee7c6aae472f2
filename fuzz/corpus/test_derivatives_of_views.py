# The derivatives of views, of ops in place and of copies.
import pytest
import torch


def test_parts_of_a_tensor_hand_their_gradients_to_their_place(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], requires_grad=True, device=device)
    y = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    v = torch.tensor([2.0, 20.0], device=device)
    a = torch.ops.aten.slice(x, 1, 1, 4, 2)
    b = torch.select(y, 1, 2)
    p = torch.mul(a, w)
    q = p.sum()
    r = torch.mul(b, v)
    t = r.sum()
    s = torch.add(q, t)
    s.backward()
    assert a.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    assert x.grad.tolist() == [[0.0, 1.0, 0.0, 10.0], [0.0, 100.0, 0.0, 1000.0]]
    assert y.grad.tolist() == [[0.0, 0.0, 2.0, 0.0], [0.0, 0.0, 20.0, 0.0]]


def test_dimensions_that_change_places_change_them_back(device):  # AUT-13
    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]], requires_grad=True, device=device)
    w = torch.tensor([[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]], device=device)
    a = torch.permute(x, [-1, 0, 1])
    p = torch.mul(a, w)
    q = torch.transpose(p, 0, -1)
    r = torch.movedim(q, 0, 1)
    s = r.sum()
    s.backward()
    assert a.tolist() == [[[1.0, 3.0, 5.0]], [[2.0, 4.0, 6.0]]]
    assert r.size() == (1, 3, 2)
    assert x.grad.tolist() == [[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]]


def test_an_expanded_tensor_gets_the_sum(device):  # AUT-13
    x = torch.tensor([[1.0], [2.0]], requires_grad=True, device=device)
    w = torch.tensor([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]], device=device)
    a = x.expand([2, -1, 3])
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[66.0], [165.0]]


def test_dimensions_of_size_1_come_and_go(device):  # AUT-13
    x = torch.tensor([[[1.0, 2.0]]], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    a = torch.squeeze(x, 1)
    b = torch.unsqueeze(a, -1)
    c = torch.squeeze(b)
    p = torch.mul(c, w)
    s = p.sum()
    s.backward()
    assert a.size() == (1, 2)
    assert b.size() == (1, 2, 1)
    assert x.grad.tolist() == [[[1.0, 10.0]]]


def test_a_diagonal_hands_its_gradient_to_the_diagonal(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    a = torch.diagonal(x, 1)
    b = torch.diagonal(x, -1, 0, 1)
    p = torch.mul(a, w)
    q = p.sum()
    r = torch.mul(b, 5.0)
    t = r.sum()
    s = torch.add(q, t)
    s.backward()
    assert a.tolist() == [2.0, 6.0]
    assert b.tolist() == [4.0]
    assert x.grad.tolist() == [[0.0, 1.0, 0.0], [5.0, 0.0, 10.0]]


def test_windows_that_overlap_add_their_gradients_up(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]], device=device)
    a = x.unfold(0, 3, 2)
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert a.tolist() == [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
    assert x.grad.tolist() == [1.0, 2.0, 13.0, 20.0, 30.0]


def test_strides_that_overlap_add_their_gradients_up(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0], [10.0, 20.0]], device=device)
    a = torch.as_strided(x, [2, 2], [1, 1], 1)
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert a.tolist() == [[2.0, 3.0], [3.0, 4.0]]
    assert x.grad.tolist() == [0.0, 1.0, 12.0, 20.0]


def test_other_shapes_hand_the_gradient_back_in_the_first(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    y = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    a = x.view([3, 2])
    t = y.t()
    b = t.reshape([3, 2])
    c = torch.mul(a, w)
    d = torch.mul(b, w)
    e = torch.flatten(d)
    f = c.sum()
    g = e.sum()
    s = torch.add(f, g)
    s.backward()
    assert x.grad.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert y.grad.tolist() == [[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]


def test_what_was_overwritten_gets_no_gradient(device):  # AUT-13 AUT-08
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, device=device)
    y = torch.tensor([5.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0, 100.0, 1000.0], device=device)
    z = x.clone()
    a = torch.narrow(z, 0, 0, 1)
    b = torch.narrow(z, 0, 1, 1)
    c = torch.narrow(z, 0, 2, 1)
    a.fill_(7.0)
    b.zero_()
    c.copy_(y)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert z.tolist() == [7.0, 0.0, 5.0, 4.0]
    assert x.grad.tolist() == [0.0, 0.0, 0.0, 1000.0]
    assert y.grad.tolist() == [100.0]


def test_ops_in_place_have_the_derivatives_of_the_ops(device):  # AUT-13 AUT-07
    x = torch.tensor([4.0, 9.0], requires_grad=True, device=device)
    y = torch.tensor([2.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([8.0, 16.0], device=device)
    z = x.clone()
    z.sub_(y, alpha=2)
    z.add_(y, alpha=4)
    z.neg_()
    z.mul_(-3.0)
    z.div_(w)
    z.relu_()
    s = z.sum()
    s.backward()
    assert z.tolist() == [3.0, 3.1875]
    assert x.grad.tolist() == [0.375, 0.1875]
    assert y.grad.tolist() == [0.75, 0.375]


def test_ops_in_place_that_save_their_result_or_a_mask(device):  # AUT-13 AUT-07
    x = torch.tensor([2.0, 9.0, 5.0], requires_grad=True, device=device)
    y = torch.tensor([8.0, 4.0, 5.0], requires_grad=True, device=device)
    c = torch.tensor([False, False, True], device=device)
    i = torch.tensor([1], device=device)
    z = x.clone()
    z.mul_(y)
    z.masked_fill_(c, 1.0)
    z.sqrt_()
    p = torch.mul(z, 1.0)
    p.index_fill_(0, i, 3.0)
    s = p.sum()
    s.backward()
    assert z.tolist() == [4.0, 6.0, 1.0]
    assert p.tolist() == [4.0, 3.0, 1.0]
    assert x.grad.tolist() == [1.0, 0.0, 0.0]
    assert y.grad.tolist() == [0.25, 0.0, 0.0]


def test_another_dtype_gets_its_gradient_in_the_first(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], dtype=torch.float64, device=device)
    a = x.to(torch.float64)
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert p.dtype is torch.float64
    assert x.grad.tolist() == [1.0, 10.0]


def test_chunks_hand_their_gradients_to_their_place(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    a, b, c = torch.chunk(x, 3)
    p = torch.mul(b, w)
    q = p.sum()
    r = torch.mul(c, 3.0)
    t = r.sum()
    s = torch.add(q, t)
    s.backward()
    assert x.grad.tolist() == [0.0, 0.0, 1.0, 10.0, 3.0]


def test_a_second_backward_through_a_recorded_write_to_a_view_is_refused(device):  # AUT-27
    x = torch.tensor([1.0, 2.0, 3.0], device=device, requires_grad=True)
    y = x.mul(2)
    v = y.select(0, 0)
    v.mul_(3)
    z = y.sum()
    z.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()
    assert x.grad.tolist() == [6.0, 2.0, 2.0]


# functions/tensor.cpp, CopySlices::apply: 'TORCH_CHECK(fn, ERR_BACKWARD_TWICE)'
def test_what_wrote_a_view_is_let_go_of_though_it_saved_nothing(device):  # AUT-27
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device, requires_grad=True)
    b = a.sum()
    c = b.reshape([1, 1])
    c.sub_(c, alpha=0)
    b.backward()
    d = c.sum()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        d.backward()
    assert a.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]
