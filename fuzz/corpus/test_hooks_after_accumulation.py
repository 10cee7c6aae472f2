# Hooks of leaves after accumulation: x.register_post_accumulate_grad_hook(hook).
import pytest
import torch


def step(x):
    g = x.grad
    x.sub_(g)


def step_and_clear(x):
    g = x.grad
    x.sub_(g)
    x.grad = None


def double(x):
    g = x.grad
    g.mul_(2)


def add_ten(x):
    g = x.grad
    g.add_(10)


def double_grad(grad):
    return torch.mul(grad, 2)


def test_a_tensor_without_requires_grad_has_no_hooks_after_accumulation(device):  # AUT-75
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        x.register_post_accumulate_grad_hook(double)


def test_a_result_has_no_hooks_after_accumulation(device):  # AUT-94
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    with pytest.raises(RuntimeError, match="cannot be registered on non-leaf tensors"):
        y.register_post_accumulate_grad_hook(double)


def test_a_hook_after_accumulation_writes_the_grad(device):  # AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [8.0, 8.0]


def test_a_hook_after_accumulation_gets_the_whole_gradient(device):  # AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    a = torch.mul(x, 2)
    b = torch.mul(x, 3)
    c = torch.add(a, b)
    z = c.sum()
    z.backward()
    assert x.grad.tolist() == [12.0, 12.0]


def test_a_hook_after_accumulation_sees_what_was_there_before(device):  # AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward(retain_graph=True)
    z.backward()
    assert x.grad.tolist() == [22.0, 22.0]


# The optimizer that steps in backward, as in PyTorch's tutorial about it: each gradient is freed once it is used.
def test_an_optimizer_steps_in_backward(device):  # AUT-95
    w = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    x = torch.tensor([3.0, 4.0], device=device)
    zero = torch.zeros([2], device=device)
    w.grad = zero
    w.register_post_accumulate_grad_hook(step_and_clear)
    y = torch.mul(w, x)
    z = y.sum()
    z.backward()
    assert w.tolist() == [-2.0, -2.0]
    assert w.grad is None
    assert w._version == 1
    assert w.is_leaf is True


def test_a_step_in_backward_makes_what_was_saved_stale(device):  # AUT-95 AUT-05
    w = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    zero = torch.zeros([2], device=device)
    w.grad = zero
    w.register_post_accumulate_grad_hook(step)
    y = torch.mul(w, w)
    z = y.sum()
    z.backward(retain_graph=True)
    assert w.tolist() == [-1.0, -2.0]
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_a_hook_after_accumulation_runs_with_grad_mode_off(device):  # AUT-95 INF-07
    w = torch.ones([2], requires_grad=True, device=device)
    zero = torch.zeros([2], device=device)
    w.grad = zero
    w.register_post_accumulate_grad_hook(step)
    z = w.sum()
    z.backward()
    assert w.tolist() == [0.0, 0.0]
    assert w.requires_grad is True


def test_a_hook_of_the_gradient_comes_before_one_after_accumulation(device):  # AUT-76 AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_post_accumulate_grad_hook(add_ten)
    x.register_hook(double_grad)
    z = x.sum()
    z.backward()
    assert x.grad.tolist() == [12.0, 12.0]


def test_grad_calls_no_hooks_after_accumulation(device):  # AUT-96
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_post_accumulate_grad_hook(step_and_clear)
    one = torch.ones([2], device=device)
    x.grad = one
    y = torch.mul(x, 3)
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    assert g.tolist() == [3.0, 3.0]
    assert x.tolist() == [1.0, 1.0]
    assert x.grad.tolist() == [1.0, 1.0]


def test_chosen_inputs_call_their_hooks_after_accumulation(device):  # AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    w.register_post_accumulate_grad_hook(double)
    y = torch.mul(x, w)
    z = y.sum()
    z.backward(inputs=[x])
    assert x.grad.tolist() == [4.0, 4.0]
    assert w.grad is None


def test_hooks_after_accumulation_are_called_in_order(device):  # AUT-97
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_post_accumulate_grad_hook(double)
    x.register_post_accumulate_grad_hook(add_ten)
    z = x.sum()
    z.backward()
    assert x.grad.tolist() == [12.0, 12.0]


def test_a_removed_hook_after_accumulation_is_not_called(device):  # AUT-85
    x = torch.ones([2], requires_grad=True, device=device)
    h = x.register_post_accumulate_grad_hook(double)
    h.remove()
    z = x.sum()
    z.backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_leaf_that_no_longer_requires_grad_calls_no_hooks_after_accumulation(device):  # AUT-98
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    y = torch.mul(x, w)
    z = y.sum()
    x.requires_grad_(False)
    z.backward()
    assert x.grad.tolist() == [1.0, 1.0]


class NoGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return torch.mul(x, 2)

    @staticmethod
    def backward(ctx, grad):
        return None


def test_a_leaf_that_no_gradient_reaches_calls_no_hooks_after_accumulation(device):  # AUT-98
    x = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    y = NoGradient.apply(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_hooks_after_accumulation_stay_when_a_leaf_requires_grad_again(device):  # AUT-95
    x = torch.ones([2], requires_grad=True, device=device)
    one = torch.ones([2], device=device)
    x.grad = one
    x.register_post_accumulate_grad_hook(double)
    x.requires_grad_(False)
    x.requires_grad_(True)
    z = x.sum()
    z.backward()
    assert x.grad.tolist() == [4.0, 4.0]
