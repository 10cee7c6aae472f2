# Backward, `.grad`, and what the graph keeps.
import pytest
import torch


# engine.cpp, release_variables; saved_variable.cpp, ERR_BACKWARD_TWICE
def test_second_backward_through_a_graph_that_was_freed_is_an_error(device):  # AUT-27
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    z.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_retain_graph_lets_backward_run_again_and_gradients_add_up(device):  # AUT-25
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    z.backward(retain_graph=True)
    z.backward()
    assert x.grad.tolist() == [4.0, 8.0]


# a number stands for a tensor, which is saved like one
def test_number_that_was_saved_is_freed_too(device):  # AUT-27
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = y.sum()
    z.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()


# AddBackward saves no tensor, so there is nothing to free
def test_graph_that_saved_nothing_can_be_used_again(device):  # AUT-25
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.add(x, 1)
    z = y.sum()
    z.backward()
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_backward_that_raises_leaves_every_gradient_as_it_was(device):  # AUT-28
    a = torch.ones([2], requires_grad=True, device=device)
    b = torch.ones([2], requires_grad=True, device=device)
    c = b.clone()
    e = torch.mul(c, c)
    y = torch.add(a, e)
    c.add_(1)
    z = y.sum()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()
    assert a.grad is None
    assert b.grad is None


# __init__.py, _make_grads
def test_backward_without_a_gradient_needs_one_element(device):  # AUT-29
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        y.backward()
    assert x.grad is None


def test_gradient_of_other_sizes_is_an_error(device):  # AUT-30
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    g = torch.ones([1], device=device)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        y.backward(g)
    assert x.grad is None


def test_gradient_that_is_given_flows_back(device):  # AUT-25
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.tensor([1.0, 3.0], device=device)
    y = torch.add(x, x)
    y.backward(g)
    y.backward(g)
    assert x.grad.tolist() == [4.0, 12.0]


def test_tensor_inside_the_graph_has_no_gradient_unless_it_is_retained(device):  # AUT-31
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = y.sum()
    z.backward()
    assert y.grad is None
    assert x.grad.tolist() == [2.0, 2.0]


def test_retain_grad_fills_the_gradient_of_a_tensor_inside_the_graph(device):  # AUT-31
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    w = torch.mul(y, 5)
    y.retain_grad()
    z = w.sum()
    z.backward()
    assert y.grad.tolist() == [5.0, 5.0]
    assert w.grad is None


# variable.cpp, update_tensor_hooks_on_new_gradfn
def test_retained_gradient_is_of_the_tensor_as_it_is_after_a_write(device):  # AUT-32
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    y.mul_(5)
    z = y.sum()
    z.backward()
    assert y.grad.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [10.0, 10.0]


def test_retained_gradient_is_of_the_tensor_as_it_is_after_a_write_through_a_view(device):  # AUT-32
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    v = y.select(0, 0)
    v.mul_(5)
    z = y.sum()
    z.backward()
    assert y.grad.tolist() == [1.0, 1.0]


def test_retain_grad_needs_a_tensor_that_requires_grad(device):  # AUT-33
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        x.retain_grad()


def test_view_cannot_be_detached_in_place(device):  # AUT-34
    x = torch.ones([2, 2], device=device)
    y = x.view([4])
    with pytest.raises(RuntimeError, match="Can't detach views in-place"):
        y.detach_()
    assert y._is_view() is True


def test_detach_in_place_takes_history_and_requires_grad_away(device):  # AUT-35
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.detach_()
    assert y.requires_grad is False
    assert y.is_leaf is True
    assert y._version == 0


# VariableTypeUtils.h, throw_error_out_requires_grad
def test_out_with_an_input_that_requires_grad_is_an_error_before_it_writes(device):  # AUT-36
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ones([2], device=device)
    o = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.add(x, y, out=o)
    assert o.tolist() == [0.0, 0.0]


def test_out_that_requires_grad_is_an_error(device):  # AUT-36
    x = torch.ones([2], device=device)
    o = torch.zeros([2], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.add(x, x, out=o)
    assert o._version == 0


def test_out_of_a_comparison_is_not_differentiable_and_so_allowed(device):  # AUT-36
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.tensor([0.0, 2.0], device=device)
    o = torch.zeros([2], requires_grad=True, device=device)
    torch.gt(x, y, out=o)
    assert o.requires_grad is True
    assert o.grad_fn is None
    assert o._version == 1
    torch.eq(x, 1, out=y)
    assert y.tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.sqrt(x, out=y)


def test_tensor_that_requires_grad_cannot_be_resized_in_no_grad_mode_either(device):  # AUT-37
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        with pytest.raises(RuntimeError, match="cannot resize variables that require grad"):
            x.resize_([3])
    assert list(x.shape) == [2]


def test_requires_grad_method_lets_a_tensor_with_a_history_be(device):  # AUT-38
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.requires_grad_()
    assert y.is_leaf is False
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = True


# derivatives.yaml, output_differentiability
def test_comparison_is_not_recorded(device):  # AUT-39
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.gt(x, 0)
    z = torch.ones_like(x)
    assert y.requires_grad is False
    assert z.requires_grad is False


# accumulate_grad.cpp, AccumulateGrad::apply
def test_leaf_that_no_longer_requires_grad_gets_no_gradient(device):  # AUT-40
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    x.requires_grad = False
    z = y.sum()
    z.backward()
    assert x.grad is None


def test_leaf_that_was_given_a_history_is_an_error_in_backward(device):  # AUT-41
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    x.requires_grad = False
    x.add_(w)
    z = y.sum()
    with pytest.raises(RuntimeError, match="leaf variable has been moved into the graph interior"):
        z.backward()


# VariableTypeManual.cpp, ADInplaceOrView::resize_
def test_resize_counts_a_version(device):  # VER-18
    x = torch.ones([2], device=device)
    x.resize_([2])
    assert x._version == 0
    x.resize_([1])
    assert x._version == 1


def test_inference_tensor_cannot_be_resized_outside_the_mode(device):  # VER-18 INF-06
    with torch.inference_mode():
        x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        x.resize_([3])
    assert list(x.shape) == [2]


def test_gradient_left_by_backward_inside_the_mode_cannot_be_added_to_outside(device):  # INF-05 AUT-25
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.add(x, 1)
    z = y.sum()
    with torch.inference_mode():
        z.backward()
    g = x.grad
    assert g.is_inference() is True
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        z.backward()


def test_gradient_flows_through_a_write_into_a_view(device):  # AUT-08
    x = torch.ones([2, 2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    v = y.select(0, 0)
    v.mul_(3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [[3.0, 3.0], [1.0, 1.0]]


def test_gradient_of_a_broadcast_operand_is_summed(device):  # AUT-25
    x = torch.ones([1, 2], requires_grad=True, device=device)
    y = torch.ones([3, 2], device=device)
    w = torch.add(x, y)
    z = w.sum()
    z.backward()
    z.backward()
    assert x.grad.tolist() == [[6.0, 6.0]]


def test_assigned_gradient_must_have_the_tensors_sizes(device):  # AUT-30
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([1], device=device)
    with pytest.raises(RuntimeError):
        x.grad = g
    assert x.grad is None


# accumulate_grad.h asks whether anything else holds the gradient, not whether anything else has its memory
def test_gradients_of_two_leaves_share_no_memory(device):  # AUT-50
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ones([2], requires_grad=True, device=device)
    v = x.view([2])
    w = y.view([2])
    a = torch.add(v, w)
    b = torch.mul(a, 2)
    c = b.sum()
    c.backward()
    d = x.sum()
    d.backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert y.grad.tolist() == [2.0, 2.0]


def test_gradient_that_was_given_is_not_written(device):  # AUT-50
    x = torch.ones([2], requires_grad=True, device=device)
    v = x.view([2])
    g = torch.ones([2], device=device)
    v.backward(g)
    s = x.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert g.tolist() == [1.0, 1.0]


def test_backward_through_ops_that_saved_nothing_can_be_repeated(device):  # AUT-53
    x = torch.ones([2], requires_grad=True, device=device)
    y = x.mean([0])
    y.backward()
    y.backward()
    assert x.grad.tolist() == [1.0, 1.0]


# 1.13.1 crashes here, as in any training loop that updates a weight while it holds a view of it
def test_view_whose_base_was_written_can_retain_its_gradient(device):  # AUT-54
    x = torch.ones([2], requires_grad=True, device=device)
    v = x.view([2])
    with torch.no_grad():
        x.add_(1)
    v.retain_grad()
    y = v.sum()
    y.backward()
    assert v.grad.tolist() == [1.0, 1.0]


def test_saved_tensor_must_not_lose_its_history(device):  # AUT-55
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = torch.mul(y, y)
    s = z.sum()
    y.detach_()
    with pytest.raises(RuntimeError, match="detached in-place"):
        s.backward()


# 2.13 meets an internal assertion, when neg_ has written
def test_retained_gradient_goes_through_in_place_view_ops(device):  # AUT-56
    x = torch.ones([2, 2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    y.t_()
    y.neg_()
    z = y.sum()
    z.backward()
    assert y.grad.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_retained_gradient_that_backward_passes_by_stays_none(device):  # AUT-57
    x = torch.ones([2], requires_grad=True, device=device)
    y, z = x.chunk(2)
    z.retain_grad()
    y.backward()
    assert z.grad is None
    assert x.grad.tolist() == [1.0, 0.0]


# [variable.cpp, update_tensor_hooks_on_new_gradfn]: 2.13 looks for the hook under the new output number, after tanh_ has
# written
def test_retained_gradient_of_a_second_result_goes_through_in_place_ops(device):  # AUT-56 AUT-13
    x = torch.zeros([2, 2], requires_grad=True, device=device)
    y, z = torch.unbind_copy(x, 0)
    z.retain_grad()
    z.tanh_()
    s = z.sum()
    s.backward()
    assert z.grad.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [[0.0, 0.0], [1.0, 1.0]]


# 2.13 ends the process here
def test_retained_gradient_of_a_second_result_goes_through_writes_of_its_views(device):  # AUT-56 AUT-32
    x = torch.zeros([2, 2], requires_grad=True, device=device)
    y, z = torch.unbind_copy(x, 0)
    z.retain_grad()
    v = z.select(0, 0)
    v.mul_(2)
    s = z.sum()
    s.backward()
    assert z.grad.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [[0.0, 0.0], [2.0, 1.0]]
