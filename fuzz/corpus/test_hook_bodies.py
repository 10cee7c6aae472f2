# What hooks do: they use variables, write gradients and other tensors, and run in a mode.
import pytest
import torch


def double(grad):
    return torch.mul(grad, 2)


def test_a_hook_uses_the_variables_around_it(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    mask = torch.tensor([1.0, 0.0], device=device)

    def masked(grad):
        return torch.mul(grad, mask)

    x.register_hook(masked)
    y = torch.mul(x, 3)
    z = y.sum()
    mask = torch.tensor([0.0, 1.0], device=device)
    z.backward()
    assert x.grad.tolist() == [0.0, 3.0]


def test_a_hook_writes_the_gradient_in_place(device):  # AUT-76
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([2], device=device)

    def scale(grad):
        grad.mul_(5)

    x.register_hook(scale)
    y = torch.mul(x, 3)
    y.backward(g)
    assert x.grad.tolist() == [15.0, 15.0]
    assert g.tolist() == [1.0, 1.0]


def test_a_hook_that_writes_its_gradient_writes_the_one_that_backward_was_given(device):  # AUT-76
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([2], device=device)

    def scale(grad):
        grad.mul_(5)

    y = torch.mul(x, w)
    y.register_hook(scale)
    y.backward(g)
    assert g.tolist() == [5.0, 5.0]
    assert x.grad.tolist() == [5.0, 5.0]
    assert w.grad.tolist() == [5.0, 5.0]


def test_a_hook_of_one_operand_writes_the_gradient_of_the_other(device):  # AUT-76
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    v = torch.mul(x, 1)
    u = torch.mul(w, 1)
    g = torch.ones([2], device=device)

    def scale(grad):
        grad.mul_(5)

    u.register_hook(scale)
    y = torch.add(v, u)
    y.backward(g)
    assert g.tolist() == [5.0, 5.0]
    assert x.grad.tolist() == [5.0, 5.0]
    assert w.grad.tolist() == [5.0, 5.0]


def test_what_a_hook_returns_is_not_stored_if_a_variable_holds_it(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.tensor([5.0, 6.0], device=device)

    def replaced(grad):
        return w

    x.register_hook(replaced)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward()
    w.zero_()
    assert x.grad.tolist() == [5.0, 6.0]


def test_a_hook_runs_in_the_mode_of_backward(device):  # INF-02
    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(double)
    y = torch.mul(x, 3)
    z = y.sum()
    with torch.inference_mode():
        z.backward()
    g = x.grad
    assert g.is_inference() is True
    assert x.grad.tolist() == [6.0, 6.0]


def test_a_hook_runs_with_grad_mode_off(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.tensor([2.0, 3.0], requires_grad=True, device=device)

    def scaled(grad):
        return torch.mul(grad, w)

    x.register_hook(scaled)
    y = torch.mul(x, 1)
    z = y.sum()
    z.backward()
    g = x.grad
    assert g.requires_grad is False
    assert x.grad.tolist() == [2.0, 3.0]


def test_a_hook_returns_an_inference_tensor(device):  # AUT-77
    x = torch.ones([2], requires_grad=True, device=device)

    def hidden(grad):
        with torch.inference_mode():
            return torch.mul(grad, 2)

    x.register_hook(hidden)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_a_hook_cannot_write_an_inference_tensor(device):  # INF-05
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        total = torch.zeros([2], device=device)

    def note(grad):
        total.add_(grad)

    x.register_hook(note)
    y = torch.mul(x, 3)
    z = y.sum()
    with pytest.raises(RuntimeError):
        z.backward()
