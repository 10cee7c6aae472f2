# Hooks of saved tensors: torch.autograd.graph.saved_tensors_hooks(pack, unpack).
import threading

import pytest
import torch


def keep(x):
    y = x.detach()
    return y


def copy(x):
    return torch.clone(x)


def double(x):
    return torch.mul(x, 2)


def write(x):
    x.mul_(2)
    y = x.detach()
    return y


def test_backward_uses_what_pack_returned(device):  # SAV-01
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(double, keep):
        y = torch.mul(x, w)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 8.0]


def test_backward_uses_what_unpack_returns(device):  # SAV-02
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(keep, double):
        y = torch.mul(x, w)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 8.0]


def test_unpack_is_called_in_each_backward(device):  # SAV-02
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    calls = torch.zeros([], device=device)

    def count(t):
        calls.add_(1)
        u = t.detach()
        return u

    with torch.autograd.graph.saved_tensors_hooks(keep, count):
        y = torch.mul(x, w)
    z = y.sum()
    z.backward(retain_graph=True)
    z.backward()
    assert calls.tolist() == 2.0


def test_each_saved_tensor_is_packed_once(device):  # SAV-01
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    calls = torch.zeros([], device=device)

    def count(t):
        calls.add_(1)
        u = t.detach()
        return u

    with torch.autograd.graph.saved_tensors_hooks(count, keep):
        y = torch.mul(x, w)
        v = torch.exp(y)
        s = torch.add(v, x)
    assert calls.tolist() == 3.0
    assert s.requires_grad is True


def test_nothing_is_packed_where_nothing_is_saved(device):  # SAV-01 AUT-01
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    calls = torch.zeros([], device=device)

    def count(t):
        calls.add_(1)
        u = t.detach()
        return u

    with torch.autograd.graph.saved_tensors_hooks(count, keep):
        with torch.no_grad():
            y = torch.exp(x)
        with torch.inference_mode():
            z = torch.exp(x)
    assert calls.tolist() == 0.0
    assert y.requires_grad is False
    assert z.requires_grad is False


def test_pack_gets_the_tensor_itself(device):  # SAV-03 SAV-04
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(keep, keep):
        y = torch.mul(x, w)
    w.mul_(2)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 8.0]


def test_a_write_is_not_noticed_through_hooks(device):  # SAV-04
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    y = torch.mul(x, w)
    with torch.autograd.graph.saved_tensors_hooks(copy, keep):
        v = torch.mul(x, w)
    w.mul_(2)
    z = v.sum()
    z.backward()
    assert x.grad.tolist() == [3.0, 4.0]
    s = y.sum()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        s.backward()


def test_pack_may_not_write_what_it_gets(device):  # SAV-05
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(write, keep):
        with pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input in place"):
            torch.mul(x, w)
    assert w.tolist() == [6.0, 8.0]
    assert w._version == 1


def test_the_innermost_hooks_are_used(device):  # SAV-06
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(double, keep):
        with torch.autograd.graph.saved_tensors_hooks(copy, keep):
            y = torch.mul(x, w)
        v = torch.mul(x, w)
    a = y.sum()
    a.backward()
    assert x.grad.tolist() == [3.0, 4.0]
    x.grad = None
    b = v.sum()
    b.backward()
    assert x.grad.tolist() == [6.0, 8.0]


def test_pack_runs_with_grad_mode_off(device):  # SAV-07
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    leaf = torch.zeros([2], requires_grad=True, device=device)

    def count(t):
        leaf.add_(1)
        u = t.detach()
        return u

    with torch.autograd.graph.saved_tensors_hooks(count, keep):
        y = torch.mul(x, w)
    assert leaf.tolist() == [1.0, 1.0]
    assert y.requires_grad is True


def test_another_thread_has_no_hooks(device):  # SAV-08
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)

    def train():
        y = torch.mul(x, w)
        z = y.sum()
        z.backward()

    with torch.autograd.graph.saved_tensors_hooks(double, keep):
        t = threading.Thread(target=train)
        t.start()
        t.join()
    assert x.grad.tolist() == [3.0, 4.0]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.mul(x, x)

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return torch.mul(grad, x)


def test_what_a_custom_function_saves_is_packed(device):  # SAV-01 SAV-02
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    with torch.autograd.graph.saved_tensors_hooks(double, keep):
        y = Square.apply(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_graph_that_was_used_has_nothing_to_unpack(device):  # SAV-02 AUT-27
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([3.0, 4.0], device=device)
    with torch.autograd.graph.saved_tensors_hooks(copy, keep):
        y = torch.mul(x, w)
    z = y.sum()
    z.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        z.backward()


def test_an_inference_tensor_is_not_saved_with_hooks_either(device):  # SAV-01 INF-16
    with torch.inference_mode():
        w = torch.tensor([3.0, 4.0], device=device)
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    with torch.autograd.graph.saved_tensors_hooks(copy, keep):
        with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
            torch.mul(x, w)
