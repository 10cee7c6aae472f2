# Gradients of chosen tensors: torch.autograd.grad, and backward(inputs=...).
import pytest
import torch


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 1)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 3)
        return h


def test_grad_returns_the_gradient_and_fills_no_grad(device):  # AUT-69
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    assert g.tolist() == [2.0, 4.0]
    assert x.grad is None


def test_grad_adds_nothing_to_a_grad_that_is_there(device):  # AUT-69
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = y.sum()
    z.backward(retain_graph=True)
    g, = torch.autograd.grad(z, [x])
    assert x.grad.tolist() == [3.0, 3.0]
    assert g.tolist() == [3.0, 3.0]


def test_a_gradient_that_grad_returns_requires_no_grad(device):  # AUT-69 AUT-01
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    assert g.requires_grad is False
    assert g.grad_fn is None
    assert x.grad is None


def test_grad_from_a_gradient(device):  # AUT-69
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    g = torch.tensor([1.0, 10.0], device=device)
    h, = torch.autograd.grad(y, [x], g)
    assert h.tolist() == [3.0, 30.0]
    assert x.grad is None


def test_grad_of_a_sum_returns_an_expanded_one(device):  # AUT-69
    x = torch.ones([2, 3], requires_grad=True, device=device)
    y = x.sum()
    g, = torch.autograd.grad(y, [x])
    assert list(g.shape) == [2, 3]
    assert g.stride() == (0, 0)
    assert x.grad is None


def test_grad_that_is_converted_keeps_its_strides(device):  # AUT-69
    x = torch.tensor([], requires_grad=True, device=device)
    y = x.sum([0], True, dtype=torch.float64)
    g, = torch.autograd.grad(y, [x])
    assert g.stride() == (0,)
    assert x.grad is None


def test_grad_of_an_expanded_number_is_a_new_tensor(device):  # AUT-69
    x = torch.tensor(2.0, requires_grad=True, device=device)
    y = x.expand_as(x)
    g, h = torch.autograd.grad(y, [y, x])
    assert torch._C._is_alias_of(h, g) is False
    assert h.tolist() == 1.0
    assert x.grad is None


def test_grad_returns_the_gradient_that_it_was_given(device):  # AUT-69
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ones([2], requires_grad=True, device=device)
    z = torch.add(x, y)
    g = torch.ones([2], device=device)
    h, = torch.autograd.grad(z, [x], g)
    assert torch._C._is_alias_of(g, h) is True
    assert x.grad is None


def test_grad_of_the_tensor_itself_is_the_given_gradient(device):  # AUT-69 AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    g = torch.tensor([2.0, 3.0], device=device)
    h, = torch.autograd.grad(y, [y], g)
    assert h.tolist() == [2.0, 3.0]
    assert torch._C._is_alias_of(g, h) is True
    assert x.grad is None


def test_grad_of_a_tensor_between_root_and_leaf(device):  # AUT-69
    x = torch.tensor([2.0], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = torch.mul(y, 5)
    gy, gx = torch.autograd.grad(z, [y, x])
    assert gy.tolist() == [5.0]
    assert gx.tolist() == [20.0]
    assert x.grad is None


def test_other_leaves_get_no_gradient(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, w)
    z = y.sum()
    z.backward(inputs=[x])
    assert x.grad.tolist() == [1.0, 1.0]
    assert w.grad is None


def test_nodes_that_lead_to_no_input_keep_what_they_saved(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    a = torch.mul(x, x)
    b = torch.mul(w, w)
    y = torch.add(a, b)
    z = y.sum()
    z.backward(inputs=[x])
    s = b.sum()
    s.backward()
    assert w.grad.tolist() == [2.0, 2.0]


def test_the_node_of_an_input_of_grad_keeps_what_it_saved(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    g, = torch.autograd.grad(z, [y])
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_write_that_spoils_another_branch_is_no_error(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    a = torch.mul(x, 2)
    b = w.exp()
    y = torch.add(a, b)
    z = y.sum()
    with torch.no_grad():
        b.add_(1)
    g, = torch.autograd.grad(z, [x])
    assert g.tolist() == [2.0, 2.0]


def test_a_custom_function_runs_only_on_the_way_to_an_input(device):  # AUT-70
    x = torch.ones([2], requires_grad=True, device=device)
    y = Triple.apply(x)
    z = y.sum()
    g, = torch.autograd.grad(z, [y], retain_graph=True)
    h, = torch.autograd.grad(z, [x])
    assert g.tolist() == [1.0, 1.0]
    assert h.tolist() == [3.0, 3.0]
    assert x.grad is None


def test_grad_frees_what_the_graph_saved(device):  # AUT-27
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, x)
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        torch.autograd.grad(z, [x])


def test_an_input_that_was_not_used_is_an_error(device):  # AUT-71
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    y = x.sum()
    with pytest.raises(RuntimeError, match="not have been used in the graph"):
        torch.autograd.grad(y, [w])


def test_an_unused_input_is_allowed_on_request(device):  # AUT-69 AUT-71
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], requires_grad=True, device=device)
    y = x.sum()
    g, h = torch.autograd.grad(y, [x, w], allow_unused=True)
    assert g.tolist() == [1.0, 1.0]
    assert x.grad is None


def test_an_input_of_grad_must_require_grad(device):  # AUT-72
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], device=device)
    y = torch.mul(x, w)
    z = y.sum()
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.autograd.grad(z, [w], allow_unused=True)


def test_an_inference_tensor_is_no_input_of_grad(device):  # AUT-72 INF-11
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        w = torch.ones([2], device=device)
    y = x.sum()
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.autograd.grad(y, [w], allow_unused=True)


def test_backward_fills_grad_of_an_input_that_is_not_a_leaf(device):  # AUT-73
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = torch.mul(y, 5)
    s = z.sum()
    s.backward(inputs=[y])
    assert y.grad.tolist() == [5.0, 5.0]
    assert x.grad is None


def test_an_input_of_backward_must_require_grad(device):  # AUT-33 AUT-73
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.ones([2], device=device)
    y = x.sum()
    with pytest.raises(RuntimeError, match="can't retain_grad on Tensor that has requires_grad=False"):
        y.backward(inputs=[w])


def test_a_retained_gradient_is_filled_where_grad_takes_it(device):  # AUT-74
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    z = y.sum()
    g, = torch.autograd.grad(z, [y])
    assert y.grad.tolist() == [1.0, 1.0]


def test_a_retained_gradient_on_the_way_is_filled(device):  # AUT-31 AUT-69
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    y.retain_grad()
    z = y.sum()
    g, = torch.autograd.grad(z, [x])
    assert g.tolist() == [2.0, 2.0]
    assert y.grad.tolist() == [1.0, 1.0]
    assert x.grad is None


def test_grad_in_inference_mode_returns_an_inference_tensor(device):  # AUT-69 INF-01
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = y.sum()
    with torch.inference_mode():
        g, = torch.autograd.grad(z, [x])
    assert g.is_inference() is True
    assert g.tolist() == [3.0, 3.0]
    assert x.grad is None


def test_a_gradient_made_in_inference_mode_cannot_be_saved(device):  # AUT-69 INF-07
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = y.sum()
    with torch.inference_mode():
        g, = torch.autograd.grad(z, [x])
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        torch.mul(x, g)
    assert x.grad is None


def test_an_input_that_is_named_twice_has_one_gradient(device):  # AUT-69
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    z = y.sum()
    g, h = torch.autograd.grad(z, [x, x])
    assert torch._C._is_alias_of(g, h) is True
    assert h.tolist() == [3.0, 3.0]
    assert x.grad is None


def test_one_view_of_a_split_alone_has_a_gradient(device):  # AUT-70
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 1)
    a, b = y.unbind(0)
    z = torch.mul(a, b)
    g, = torch.autograd.grad(z, [b])
    assert g.tolist() == 1.0
    assert x.grad is None


# the formula multiplies transposed matrices and transposes the product
def test_the_gradient_of_a_factor_stored_by_columns_is_a_view(device):  # AUT-13 GEO-05
    m = torch.ones([4, 2], device=device)
    x = torch.ones([3, 2], requires_grad=True, device=device)
    factor = x.t()
    y = m.mm(factor)
    h = torch.ones([4, 3], device=device)
    g, = torch.autograd.grad(y, [factor], h)
    assert g._is_view() is True
    assert g.stride() == (1, 2)


def test_the_gradient_of_a_factor_stored_by_rows_is_no_view(device):  # AUT-13
    m = torch.ones([4, 2], device=device)
    x = torch.ones([2, 3], requires_grad=True, device=device)
    y = m.mm(x)
    h = torch.ones([4, 3], device=device)
    g, = torch.autograd.grad(y, [x], h)
    assert g._is_view() is False


# the copy keeps the strides of sum's gradient, which is expanded
def test_the_gradient_of_a_scatter_without_elements_keeps_strides(device):  # AUT-13
    x = torch.zeros([0, 2], requires_grad=True, device=device)
    y = torch.tensor([], device=device)
    z = x.diagonal_scatter(y)
    s = z.sum()
    g, = torch.autograd.grad(s, [x])
    assert g.stride() == (0, 0)


# zeros_like(grad) keeps the strides of sum's gradient where they are dense: those of one element are
def test_the_gradient_of_a_threshold_has_the_layout_of_the_one_that_arrived(device):  # AUT-13
    g = torch.ones([1], device=device)
    x = torch.ones([1], requires_grad=True, device=device)
    y = torch.ops.aten.threshold_backward.default(g, x, 2)
    s = y.sum()
    g, = torch.autograd.grad(s, [x])
    assert g.stride() == (0,)


# validate_outputs: a gradient with more dimensions is summed, and the sum is seen through a view [ExpandUtils.h, sum_to]
def test_a_gradient_with_more_dimensions_is_a_view_of_its_sum(device):  # AUT-48
    a = torch.ones([1, 2], device=device)
    c = torch.ones([2], device=device, requires_grad=True)
    d = a.mv(c)
    torch.gt(a, a, out=d)
    f = d.sum()
    (h,) = torch.autograd.grad(f, [d])
    assert h._is_view() is True
    assert h.tolist() == [2.0]
