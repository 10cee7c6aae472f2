# Hooks of tensors: x.register_hook(hook), and remove().
import pytest
import torch


def double(grad):
    return torch.mul(grad, 2)


def add_ten(grad):
    return torch.add(grad, 10)


def keep(grad):
    torch.mul(grad, 2)


def test_a_tensor_without_requires_grad_has_no_hooks(device):  # AUT-75
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        x.register_hook(double)


def test_a_detached_tensor_has_no_hooks(device):  # AUT-75
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = y.detach()
    with pytest.raises(RuntimeError):
        z.register_hook(double)


def test_a_hook_changes_the_gradient_of_a_leaf(device):  # AUT-76 AUT-77
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    x.register_hook(double)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_a_hook_changes_what_flows_on(device):  # AUT-76 AUT-77
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    y.register_hook(add_ten)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [33.0, 33.0]


def test_a_hook_that_returns_none_leaves_the_gradient(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(keep)
    x.register_hook(double)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_a_hook_gets_the_sum_of_the_gradients(device):  # AUT-76 AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(add_ten)
    a = torch.mul(y, 2)
    b = torch.mul(y, 3)
    c = torch.add(a, b)
    z = c.sum()
    z.backward()
    assert x.grad.tolist() == [15.0, 15.0]


def test_hooks_are_called_in_order(device):  # AUT-78
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(double)
    x.register_hook(add_ten)
    y = torch.mul(x, 1)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [12.0, 12.0]


def test_one_function_may_be_two_hooks(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(double)
    x.register_hook(double)
    y = torch.mul(x, 1)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_a_hook_is_called_in_each_backward(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(double)
    y = torch.mul(x, 1)
    z = y.sum()
    z.backward(retain_graph=True)
    z.backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_retain_grad_keeps_what_all_hooks_leave(device):  # AUT-79
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.retain_grad()
    y.register_hook(add_ten)
    y.register_hook(double)
    z = y.sum()
    z.backward()
    assert y.grad.tolist() == [22.0, 22.0]
    assert x.grad.tolist() == [22.0, 22.0]


# both versions of PyTorch retain the gradient of the value before unsqueeze_
def test_retained_gradient_has_the_sizes_after_an_in_place_view_op(device):  # AUT-32
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    y.unsqueeze_(0)
    z = y.sum()
    z.backward()
    g = y.grad
    assert list(g.shape) == [1, 2]


def triple_in_inference_mode(grad):
    with torch.inference_mode():
        h = torch.mul(grad, 3)
    return h


def test_a_sum_of_gradients_leaves_what_a_hook_returned(device):  # AUT-89
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = torch.add(x, y)
    z.register_hook(triple_in_inference_mode)
    a = z.sum()
    a.backward()
    assert x.grad.tolist() == [9.0, 9.0]


def test_a_hook_stays_with_the_value_before_an_in_place_op(device):  # AUT-80
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(add_ten)
    y.mul_(3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [13.0, 13.0]


def test_a_hook_after_an_in_place_op_is_of_the_new_value(device):  # AUT-81
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(keep)
    y.mul_(3)
    y.register_hook(add_ten)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [33.0, 33.0]


def test_each_hook_belongs_to_the_value_at_its_registration(device):  # AUT-80 AUT-81
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(double)
    y.mul_(3)
    y.register_hook(add_ten)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [66.0, 66.0]


def test_hooks_of_a_base_whose_view_is_written(device):  # AUT-80
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(add_ten)
    v = y.view([2])
    v.mul_(3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [13.0, 13.0]


def test_a_view_whose_base_is_written_has_a_new_value(device):  # AUT-80
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    v = y.view([2])
    v.register_hook(add_ten)
    y.mul_(3)
    z = v.sum()
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_hook_of_a_view_that_is_made_again(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    v = y.view([2])
    y.mul_(3)
    v.register_hook(add_ten)
    z = v.sum()
    z.backward()
    assert x.grad.tolist() == [33.0, 33.0]


def test_a_registration_raises_its_error_each_time(device):  # AUT-87
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    v, w = y.unbind(0)
    y.mul_(3)
    with pytest.raises(RuntimeError, match="has been modified inplace"):
        w.register_hook(add_ten)
    with pytest.raises(RuntimeError, match="has been modified inplace"):
        w.register_hook(add_ten)


def sum_up(grad):
    return torch.sum(grad)


def make_double(grad):
    return grad.to(torch.float64)


def test_a_hook_must_not_change_the_sizes(device):  # AUT-82
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(sum_up)
    y = torch.mul(x, 1)
    z = y.sum()
    with pytest.raises(RuntimeError, match="changed the size"):
        z.backward()
    assert x.grad is None


def test_a_hook_must_not_change_the_dtype(device):  # AUT-82
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(make_double)
    y = torch.mul(x, 1)
    z = y.sum()
    with pytest.raises(RuntimeError, match="changed the type"):
        z.backward()
    assert x.grad is None


def test_grad_returns_what_the_hooks_of_a_leaf_leave(device):  # AUT-83
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(add_ten)
    y = torch.mul(x, 3)
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    assert g.tolist() == [13.0, 13.0]
    assert x.grad is None


def test_grad_returns_what_the_hooks_of_a_result_leave(device):  # AUT-83
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    y.register_hook(add_ten)
    z = y.sum()
    g, = torch.autograd.grad(z, [y])
    assert g.tolist() == [11.0, 11.0]


def test_grad_returns_the_gradient_before_the_hooks_if_it_flows_on(device):  # AUT-84
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    y.register_hook(add_ten)
    z = y.sum()
    g, h = torch.autograd.grad(z, [y, x])
    assert g.tolist() == [1.0, 1.0]
    assert h.tolist() == [33.0, 33.0]


def test_a_hook_that_backward_does_not_reach_is_not_called(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    w.register_hook(sum_up)
    y = torch.mul(x, w)
    z = y.sum()
    z.backward(inputs=[x])
    assert x.grad.tolist() == [1.0, 1.0]
    assert w.grad is None


def test_a_removed_hook_is_not_called(device):  # AUT-85
    x = torch.ones([2], requires_grad=True, device=device)
    h = x.register_hook(double)
    x.register_hook(add_ten)
    h.remove()
    h.remove()
    y = torch.mul(x, 1)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [11.0, 11.0]


def test_a_hook_is_removed_from_the_value_before_an_in_place_op(device):  # AUT-85
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    h = y.register_hook(double)
    y.mul_(3)
    y.register_hook(add_ten)
    h.remove()
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [33.0, 33.0]


def test_a_leaf_that_no_longer_requires_grad_calls_its_hooks(device):  # AUT-86
    x = torch.ones([2], requires_grad=True, device=device)
    seen = torch.zeros([2], device=device)

    def note(grad):
        seen.add_(grad)

    x.register_hook(note)
    y = torch.mul(x, 3)
    z = y.sum()
    x.requires_grad_(False)
    z.backward()
    assert seen.tolist() == [3.0, 3.0]
    assert x.grad is None


def test_hooks_of_a_detached_value_are_hooks_of_the_leaf(device):  # AUT-76
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(add_ten)
    y.detach_()
    y.requires_grad_()
    y.register_hook(double)
    a = torch.mul(y, 3)
    z = a.sum()
    z.backward()
    assert y.grad.tolist() == [26.0, 26.0]
    assert x.grad is None
