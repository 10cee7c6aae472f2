# Gradients of gradients: backward and torch.autograd.grad with create_graph=True.
import pytest
import torch


def test_a_gradient_has_a_history(device):  # AUT-90
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    g, = torch.autograd.grad(z, [x], create_graph=True)
    assert g.tolist() == [2.0, 4.0]
    assert g.requires_grad is True
    assert g.is_leaf is False


def test_a_gradient_without_create_graph_has_none(device):  # AUT-90
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    z = u.sum()
    g, = torch.autograd.grad(z, [x], retain_graph=True)
    assert g.requires_grad is False
    h, = torch.autograd.grad(z, [x], create_graph=True)
    assert h.requires_grad is True


def test_the_gradient_of_a_gradient(device):  # AUT-90
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    v2 = torch.mul(u, x)
    z = v2.sum()
    g, = torch.autograd.grad(z, [x], create_graph=True)
    w2 = g.sum()
    h, = torch.autograd.grad(w2, [x])
    assert h.tolist() == [6.0, 12.0]


def test_the_third_derivative(device):  # AUT-90
    x = torch.tensor([2.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    y = torch.mul(u, x)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x], create_graph=True)
    i, = torch.autograd.grad(h, [x])
    assert g.tolist() == [12.0]
    assert h.tolist() == [12.0]
    assert i.tolist() == [6.0]


def test_a_penalty_on_a_gradient(device):  # AUT-90
    x = torch.tensor([[1.0, 2.0]], requires_grad=True, device=device)
    w = torch.tensor([[3.0], [4.0]], requires_grad=True, device=device)
    y = torch.mm(x, w)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    u = torch.mul(g, g)
    penalty = u.sum()
    penalty.backward()
    assert w.grad.tolist() == [[6.0], [8.0]]
    assert x.grad is None


def test_grad_mode_of_the_caller_does_not_matter(device):  # AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    with torch.no_grad():
        g, = torch.autograd.grad(y, [x], create_graph=True)
    assert g.requires_grad is True


def test_a_gradient_in_inference_mode_has_no_history(device):  # AUT-90 TLS-02
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    with torch.inference_mode():
        g, = torch.autograd.grad(y, [x], create_graph=True)
        assert g.requires_grad is False
        assert g.is_inference() is True


def test_a_constant_gradient_has_no_history(device):  # AUT-13
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    assert g.tolist() == [2.0]
    assert g.requires_grad is False


def test_the_given_gradient_gets_a_gradient(device):  # AUT-90
    x = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    v = torch.tensor([1.0, 1.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    g, = torch.autograd.grad(y, [x], v, create_graph=True)
    u = g.sum()
    h, = torch.autograd.grad(u, [v])
    assert h.tolist() == [6.0, 8.0]


def test_create_graph_keeps_the_graph(device):  # AUT-25
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    y.backward(create_graph=True)
    y.backward()
    assert x.grad.tolist() == [12.0]


def test_create_graph_may_free_the_graph(device):  # AUT-27 AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    g, = torch.autograd.grad(y, [x], create_graph=True, retain_graph=False)
    h, = torch.autograd.grad(g, [x])
    assert h.tolist() == [2.0]
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()


def test_a_new_grad_is_a_recorded_copy(device):  # AUT-91
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    y.backward(create_graph=True)
    g = x.grad
    assert g.requires_grad is True
    assert g.is_leaf is False
    assert g._version == 1
    h, = torch.autograd.grad(g, [x])
    assert h.tolist() == [2.0]


def test_a_new_grad_does_not_share_memory_with_the_given_gradient(device):  # AUT-13
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.add(x, 1)
    v = torch.tensor([5.0], device=device)
    y.backward(v, create_graph=True)
    g = x.grad
    v.zero_()
    assert g.tolist() == [5.0]
    assert g.requires_grad is False


def test_a_new_grad_has_the_layout_of_its_leaf(device):  # GEO-05
    u = torch.ones([2, 3], device=device)
    v2 = u.t()
    x = v2.requires_grad_()
    w2 = torch.mul(x, x)
    y = w2.sum()
    y.backward(create_graph=True)
    g = x.grad
    assert g.stride() == (1, 3)


def test_a_later_gradient_makes_a_new_grad(device):  # AUT-92
    x = torch.tensor([3.0], requires_grad=True, device=device)
    u = torch.mul(x, 2)
    u.backward()
    g = x.grad
    v2 = torch.mul(x, x)
    v2.backward(create_graph=True)
    h = x.grad
    assert h.tolist() == [8.0]
    assert g.tolist() == [2.0]
    assert h.requires_grad is True


def test_a_sum_of_gradients_has_their_histories(device):  # AUT-93
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    u = torch.mul(y, y)
    v2 = torch.mul(y, 5)
    z = torch.add(u, v2)
    g, = torch.autograd.grad(z, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.tolist() == [11.0]
    assert h.tolist() == [2.0]


def test_a_retained_gradient_has_a_history(device):  # AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.retain_grad()
    u = torch.mul(y, y)
    u.backward(create_graph=True)
    g = y.grad
    assert g.tolist() == [6.0]
    assert g.requires_grad is True
    h, = torch.autograd.grad(g, [x])
    assert h.tolist() == [2.0]


def test_a_factor_that_is_written_afterwards(device):  # AUT-90 AUT-26
    x = torch.tensor([3.0], requires_grad=True, device=device)
    w = torch.tensor([2.0], device=device)
    y = torch.mul(x, w)
    u = torch.mul(y, y)
    g, = torch.autograd.grad(u, [x], create_graph=True)
    w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(g, [x])


def test_a_result_that_is_written_afterwards(device):  # AUT-90 AUT-26
    x = torch.tensor([0.0], requires_grad=True, device=device)
    y = torch.exp(x)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x], retain_graph=True)
    assert h.tolist() == [1.0]
    with torch.no_grad():
        y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(g, [x])


class Square(torch.autograd.Function):

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        u = torch.mul(x, x)
        return u

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        u = torch.mul(x, 2)
        v2 = torch.mul(u, grad)
        return v2


def test_a_custom_function_records_its_backward(device):  # AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = Square.apply(x)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.tolist() == [6.0]
    assert h.tolist() == [2.0]


def squared(grad):
    u = torch.mul(grad, grad)
    return u


def test_a_hook_runs_while_grad_mode_is_on(device):  # AUT-90 AUT-77
    x = torch.tensor([3.0], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    y.register_hook(squared)
    z = torch.mul(y, y)
    g, = torch.autograd.grad(z, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.tolist() == [36.0]
    assert h.tolist() == [576.0]


def test_a_gradient_that_is_broadcast_back(device):  # AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    v = torch.tensor([1.0, 2.0], device=device)
    u = torch.mul(x, x)
    y = torch.mul(u, v)
    v2 = y.sum()
    g, = torch.autograd.grad(v2, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.tolist() == [18.0]
    assert h.tolist() == [6.0]


def test_a_gradient_of_another_dtype(device):  # AUT-90
    x = torch.tensor([3.0], requires_grad=True, device=device)
    v = torch.tensor([2.0], dtype=torch.float64, device=device)
    u = torch.mul(x, x)
    v2 = v.sum()
    z = torch.mul(u, v2)
    w2 = torch.ones([1], dtype=torch.float64, device=device)
    d = torch.mul(z, w2)
    p = d.sum()
    g, = torch.autograd.grad(p, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.dtype == torch.float32
    assert h.tolist() == [4.0]


def test_the_gradient_of_a_quotient(device):  # AUT-90
    x = torch.tensor([2.0], requires_grad=True, device=device)
    y = torch.div(1, x)
    g, = torch.autograd.grad(y, [x], create_graph=True)
    h, = torch.autograd.grad(g, [x])
    assert g.tolist() == [-0.25]
    assert h.tolist() == [0.25]


def test_the_gradient_of_a_mean_of_squares(device):  # AUT-90
    x = torch.tensor([[1.0, 3.0]], requires_grad=True, device=device)
    u = torch.mul(x, x)
    y = u.mean([1])
    g, = torch.autograd.grad(y, [x], create_graph=True)
    v2 = g.sum()
    h, = torch.autograd.grad(v2, [x])
    assert g.tolist() == [[1.0, 3.0]]
    assert h.tolist() == [[1.0, 1.0]]


def test_the_gradient_of_views(device):  # AUT-90
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True, device=device)
    u = torch.mul(x, x)
    y = u.select(0, 1)
    z = torch.mul(y, y)
    v2 = z.sum()
    g, = torch.autograd.grad(v2, [x], create_graph=True)
    w2 = g.sum()
    h, = torch.autograd.grad(w2, [x])
    assert g.tolist() == [[0.0, 0.0], [108.0, 256.0]]
    assert h.tolist() == [[0.0, 0.0], [108.0, 192.0]]


def test_the_gradient_of_parts(device):  # AUT-90
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    a, b = torch.split(u, 2)
    v2 = torch.mul(a, a)
    z = v2.sum()
    g, = torch.autograd.grad(z, [x], create_graph=True)
    w2 = g.sum()
    h, = torch.autograd.grad(w2, [x])
    assert g.tolist() == [4.0, 32.0, 0.0]
    assert h.tolist() == [12.0, 48.0, 0.0]


def test_the_gradient_of_joined_tensors(device):  # AUT-90
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    y = torch.cat([u, x])
    z = torch.stack([y, y])
    v2 = torch.mul(z, z)
    w2 = v2.sum()
    g, = torch.autograd.grad(w2, [x], create_graph=True)
    p = g.sum()
    h, = torch.autograd.grad(p, [x])
    assert g.tolist() == [12.0, 72.0]
    assert h.tolist() == [28.0, 100.0]


def test_a_gradient_that_does_not_depend_on_the_tensor(device):  # AUT-90
    x = torch.tensor([1.0], requires_grad=True, device=device)
    w = torch.tensor([2.0], requires_grad=True, device=device)
    u = torch.mul(x, w)
    g, = torch.autograd.grad(u, [x], create_graph=True)
    with pytest.raises(RuntimeError, match="to not have been used in the graph"):
        torch.autograd.grad(g, [x])


def test_chosen_inputs_get_recorded_gradients(device):  # AUT-91
    x = torch.tensor([3.0], requires_grad=True, device=device)
    w = torch.tensor([2.0], requires_grad=True, device=device)
    u = torch.mul(x, x)
    v2 = torch.mul(u, w)
    v2.backward(create_graph=True, inputs=[x])
    g = x.grad
    assert w.grad is None
    h, = torch.autograd.grad(g, [w])
    assert h.tolist() == [6.0]
