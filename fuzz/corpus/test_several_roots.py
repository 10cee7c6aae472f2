# Backward from several tensors: torch.autograd.backward([y, z]), and torch.autograd.grad([y, z], [x]).
import pytest
import torch


class PlusAndTimes(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.add(x, 1)
        z = torch.mul(x, 2)
        return y, z

    @staticmethod
    def backward(ctx, g, h):
        k = torch.mul(h, 2)
        s = torch.add(g, k)
        t = torch.add(s, 100)
        return t


def add_ten(grad):
    return torch.add(grad, 10)


def test_the_gradients_of_all_tensors_add_up(device):  # AUT-88
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    a = y.sum()
    z = torch.mul(y, 3)
    b = z.sum()
    torch.autograd.backward([a, b])
    assert x.grad.tolist() == [8.0, 16.0]


def test_what_all_of_them_reach_is_freed_once(device):  # AUT-88 AUT-27
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    a = y.sum()
    b = y.mean()
    torch.autograd.backward([a, b])
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        torch.autograd.backward([a, b])


def test_a_kept_graph_serves_several_tensors_again(device):  # AUT-27
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    a = y.sum()
    z = torch.mul(x, 5)
    b = z.sum()
    torch.autograd.backward([a, b], retain_graph=True)
    torch.autograd.backward([a, b])
    assert x.grad.tolist() == [14.0, 18.0]
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        torch.autograd.backward([b, a])


def test_a_tensor_that_is_named_twice_counts_twice(device):  # AUT-88
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    a = y.sum()
    torch.autograd.backward([a, a])
    assert x.grad.tolist() == [4.0, 8.0]


def test_a_hook_sees_the_sum_of_the_gradients(device):  # AUT-88 AUT-76
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(add_ten)
    a = y.sum()
    z = torch.mul(y, 2)
    b = z.sum()
    torch.autograd.backward([a, b])
    assert x.grad.tolist() == [13.0, 13.0]


def test_a_hook_of_a_leaf_is_called_once_for_all_tensors(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(add_ten)
    y = torch.mul(x, 3)
    z = torch.mul(x, 4)
    a = y.sum()
    b = z.sum()
    torch.autograd.backward([a, b])
    assert x.grad.tolist() == [17.0, 17.0]


def test_one_tensor_may_be_inside_the_graph_of_another(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = torch.mul(y, y)
    a = z.sum()
    g = torch.tensor([10.0, 20.0], device=device)
    torch.autograd.backward([y, a], [g, None])
    assert x.grad.tolist() == [24.0, 44.0]


def test_a_leaf_may_be_one_of_the_tensors(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(add_ten)
    y = torch.mul(x, x)
    a = y.sum()
    g = torch.tensor([1.0, 2.0], device=device)
    torch.autograd.backward([a, x], [None, g])
    assert x.grad.tolist() == [13.0, 14.0]


def test_a_retained_gradient_is_that_of_all_tensors(device):  # AUT-88 AUT-31
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    y.retain_grad()
    a = y.sum()
    z = torch.mul(y, 4)
    b = z.sum()
    torch.autograd.backward([b, a])
    assert y.grad.tolist() == [5.0, 5.0]
    assert x.grad.tolist() == [10.0, 10.0]


def test_a_custom_function_gets_the_gradients_of_all_its_results_at_once(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    y, z = PlusAndTimes.apply(x)
    g = torch.tensor([1.0, 2.0], device=device)
    h = torch.tensor([10.0, 20.0], device=device)
    torch.autograd.backward([y, z], [g, h])
    assert x.grad.tolist() == [121.0, 142.0]


def test_gradients_of_several_tensors_for_chosen_ones(device):  # AUT-88 AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, w)
    a = y.sum()
    z = torch.mul(y, 2)
    b = z.sum()
    torch.autograd.backward([a, b], inputs=[w])
    assert w.grad.tolist() == [3.0, 3.0]
    assert x.grad is None


def test_grad_adds_up_the_gradients_of_several_tensors(device):  # AUT-88 AUT-69
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = torch.mul(x, 4)
    a = y.sum()
    b = z.sum()
    g, = torch.autograd.grad([a, b], [x])
    assert g.tolist() == [7.0, 7.0]
    assert x.grad is None


def test_a_tensor_that_one_of_several_reaches_is_used(device):  # AUT-74 AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    v = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = torch.mul(w, 4)
    a = y.sum()
    b = z.sum()
    g, h = torch.autograd.grad([a, b], [x, w], retain_graph=True)
    assert g.tolist() == [3.0, 3.0]
    assert h.tolist() == [4.0, 4.0]
    with pytest.raises(RuntimeError, match="appears to not have been used in the graph"):
        torch.autograd.grad([a, b], [x, v])


def test_grad_takes_a_gradient_for_each_tensor(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = torch.mul(y, 3)
    g = torch.tensor([1.0, 2.0], device=device)
    h = torch.tensor([10.0, 20.0], device=device)
    k, = torch.autograd.grad([y, z], [x], [g, h])
    assert k.tolist() == [62.0, 124.0]


def test_each_of_several_tensors_must_require_grad(device):  # AUT-24
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    a = y.sum()
    z = torch.ones([], device=device)
    with pytest.raises(RuntimeError, match="element 1 of tensors does not require grad and does not have a grad_fn"):
        torch.autograd.backward([a, z])
    assert x.grad is None
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        torch.autograd.grad([z, a], [x])


def test_each_of_several_tensors_needs_a_gradient_or_one_element(device):  # AUT-29
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    a = y.sum()
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        torch.autograd.backward([a, y])
    assert x.grad is None


def test_each_of_several_gradients_has_the_sizes_of_its_tensor(device):  # AUT-30
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    a = y.sum()
    g = torch.ones([1], device=device)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        torch.autograd.backward([a, y], [None, g])
    assert x.grad is None


def test_gradients_are_looked_at_before_tensors(device):  # AUT-29
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = torch.ones([], device=device)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        torch.autograd.backward([z, y])


def test_several_tensors_in_inference_mode(device):  # AUT-88
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    a = y.sum()
    z = torch.mul(y, 4)
    b = z.sum()
    with torch.inference_mode():
        torch.autograd.backward([a, b])
    assert x.grad.tolist() == [10.0, 10.0]
