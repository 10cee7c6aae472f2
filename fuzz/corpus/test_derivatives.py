# The derivative of each op: the gradients of its arguments, weighted so that every element matters.
import pytest
import torch


def test_where_hands_each_element_to_the_side_that_it_was_taken_from(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    y = torch.tensor([4.0, 5.0, 6.0], requires_grad=True, device=device)
    c = torch.tensor([True, False, True], device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    z = torch.where(c, x, y)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [1.0, 0.0, 100.0]
    assert y.grad.tolist() == [0.0, 10.0, 0.0]


def test_where_sums_to_a_side_that_was_broadcast(device):  # AUT-13 AUT-48
    x = torch.tensor([[1.0], [2.0]], requires_grad=True, device=device)
    y = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    c = torch.tensor([[True, True], [False, True]], device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    z = torch.where(c, x, y)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[11.0], [1000.0]]
    assert y.grad.tolist() == [100.0, 0.0]


def test_what_a_mask_filled_gets_no_gradient(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    c = torch.tensor([True, False, True], device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    z = x.masked_fill(c, 7.0)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [0.0, 10.0, 0.0]


def test_what_index_fill_filled_gets_no_gradient(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    i = torch.tensor([2, 0], device=device)
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    z = x.index_fill(1, i, 7.0)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[0.0, 2.0, 0.0], [0.0, 5.0, 0.0]]


def test_an_element_that_is_selected_twice_gets_the_sum(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    i = torch.tensor([0, 2, 0], device=device)
    w = torch.tensor([[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]], device=device)
    z = torch.index_select(x, 1, i)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[101.0, 0.0, 10.0], [202.0, 0.0, 20.0]]


def test_an_element_that_is_gathered_twice_gets_the_sum(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True, device=device)
    i = torch.tensor([[0, 0], [1, 0]], device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    z = torch.gather(x, 1, i)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[11.0, 0.0], [1000.0, 100.0]]


def test_cat_parts_its_gradient_and_passes_over_what_is_empty(device):  # AUT-13
    x = torch.tensor([[1.0], [2.0]], requires_grad=True, device=device)
    e = torch.zeros([0], requires_grad=True, device=device)
    y = torch.tensor([[3.0, 4.0], [5.0, 6.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    z = torch.cat([x, e, y], -1)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[1.0], [4.0]]
    assert e.grad.tolist() == []
    assert y.grad.tolist() == [[2.0, 3.0], [5.0, 6.0]]


def test_stack_parts_its_gradient(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    z = torch.stack([x, y], 1)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [1.0, 3.0]
    assert y.grad.tolist() == [2.0, 4.0]


def test_a_part_of_a_split_that_is_not_used_gets_no_gradient(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    w = torch.tensor([[5.0], [7.0]], device=device)
    a, b = torch.split(x, 2, 1)
    p = torch.mul(b, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[0.0, 0.0, 5.0], [0.0, 0.0, 7.0]]


def test_parts_of_given_sizes_hand_their_gradients_back(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    a, b = torch.split(x, [1, 3])
    p = torch.mul(b, w)
    q = p.sum()
    r = torch.mul(a, 5.0)
    t = r.sum()
    s = torch.add(q, t)
    s.backward()
    assert x.grad.tolist() == [5.0, 1.0, 10.0, 100.0]


def test_a_slice_of_unbind_hands_its_gradient_back(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    a, b, c = torch.unbind(x, 1)
    p = torch.mul(b, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [[0.0, 1.0, 0.0], [0.0, 10.0, 0.0]]


def test_quotients_hand_back_the_quotients_derivatives(device):  # AUT-13
    x = torch.tensor([4.0, 8.0], requires_grad=True, device=device)
    y = torch.tensor([2.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([8.0, 16.0], device=device)
    z = torch.div(x, y)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [4.0, 4.0]
    assert y.grad.tolist() == [-8.0, -8.0]


def test_sums_and_differences_scale_by_alpha(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    z = torch.add(x, y, alpha=2)
    u = torch.sub(z, y, alpha=5)
    p = torch.mul(u, w)
    s = p.sum()
    s.backward()
    assert u.tolist() == [-8.0, -10.0]
    assert x.grad.tolist() == [1.0, 10.0]
    assert y.grad.tolist() == [-3.0, -30.0]


def test_relu_hands_nothing_back_at_0_and_below(device):  # AUT-13
    x = torch.tensor([-1.0, 0.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    z = torch.relu(x)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [0.0, 0.0, 100.0]


def test_functions_of_one_element_have_their_derivatives(device):  # AUT-13
    x = torch.tensor([0.0], requires_grad=True, device=device)
    y = torch.tensor([0.0], requires_grad=True, device=device)
    z = torch.tensor([4.0], requires_grad=True, device=device)
    u = torch.tensor([5.0], requires_grad=True, device=device)
    a = torch.exp(x)
    b = torch.tanh(y)
    c = torch.sqrt(z)
    d = torch.neg(u)
    v = torch.cat([a, b, c, d])
    w = torch.tensor([3.0, 5.0, 8.0, 7.0], device=device)
    p = torch.mul(v, w)
    s = p.sum()
    s.backward()
    assert v.tolist() == [1.0, 0.0, 2.0, -5.0]
    assert x.grad.tolist() == [3.0]
    assert y.grad.tolist() == [5.0]
    assert z.grad.tolist() == [2.0]
    assert u.grad.tolist() == [-7.0]


def test_a_sum_over_dimensions_spreads_its_gradient(device):  # AUT-13
    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0], device=device)
    z = torch.sum(x, [-1, 0])
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert z.tolist() == [14.0, 22.0]
    assert x.grad.tolist() == [[[1.0, 1.0], [10.0, 10.0]], [[1.0, 1.0], [10.0, 10.0]]]


def test_a_sum_that_keeps_its_dimension_spreads_its_gradient(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0], [10.0]], device=device)
    z = torch.sum(x, [1], keepdim=True)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert z.tolist() == [[3.0], [7.0]]
    assert x.grad.tolist() == [[1.0, 1.0], [10.0, 10.0]]


def test_a_mean_spreads_its_gradient_by_the_count(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0, 6.0], [4.0, 4.0, 4.0, 4.0]], requires_grad=True, device=device)
    y = torch.tensor([[1.0, 2.0, 3.0, 6.0], [4.0, 4.0, 4.0, 4.0]], requires_grad=True, device=device)
    w = torch.tensor([4.0, 8.0], device=device)
    z = torch.mean(x, [1])
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    m = torch.mean(y)
    n = torch.mul(m, 16.0)
    n.backward()
    assert z.tolist() == [3.0, 4.0]
    assert x.grad.tolist() == [[1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0]]
    assert y.grad.tolist() == [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]


def test_the_extremes_along_a_dimension_share_their_gradients(device):  # AUT-13 VAL-51
    x = torch.tensor([[1.0, 3.0, 3.0], [4.0, 2.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([2.0, 20.0], device=device)
    v = torch.tensor([4.0, 40.0], device=device)
    a, b = torch.aminmax(x, dim=1)
    p = torch.mul(a, w)
    q = torch.mul(b, v)
    r = torch.add(p, q)
    s = r.sum()
    s.backward()
    assert a.tolist() == [1.0, 2.0]
    assert b.tolist() == [3.0, 4.0]
    assert x.grad.tolist() == [[2.0, 2.0, 2.0], [40.0, 10.0, 10.0]]


def test_a_maximum_along_the_first_dimension_hands_its_gradient_to_one(device):  # AUT-13 VAL-47
    x = torch.tensor([[1.0, 5.0, 3.0], [4.0, 5.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    a, i = torch.max(x, 0)
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert a.tolist() == [4.0, 5.0, 3.0]
    assert i.tolist() == [1, 0, 0]
    assert x.grad.tolist() == [[0.0, 10.0, 100.0], [1.0, 0.0, 0.0]]


def test_softmax_hands_back_what_is_above_the_weighed_mean(device):  # AUT-13
    x = torch.tensor([[0.0, 0.0], [2.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 3.0], [2.0, 10.0]], device=device)
    z = torch.softmax(x, 1)
    p = torch.mul(z, w)
    s = p.sum()
    s.backward()
    assert z.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert x.grad.tolist() == [[-0.5, 0.5], [-2.0, 2.0]]


# Activation.cpp, threshold_kernel: x <= threshold gives 0, whatever the gradient
def test_relu_hands_nothing_back_below_its_threshold_and_everything_above(device):  # AUT-13
    x = torch.tensor([0.0, -1.0, 2.0], device=device, requires_grad=True)
    w = torch.tensor([float("inf"), float("inf"), 3.0], device=device)
    y = x.relu()
    z = y.mul(w)
    s = z.sum()
    s.backward()
    assert x.grad.tolist() == [0.0, 0.0, 3.0]
