# Custom functions: torch.autograd.Function.
import pytest
import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 2)
        return h


# inference-mode-docs, the ROIAlign-like example: what backward needs is saved, the kernel runs below ADInplaceOrView
class Weigh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w)
        with torch._C._AutoDispatchBelowADInplaceOrView():
            y = torch.mul(x, w)
        return y

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        h = torch.mul(g, w)
        return h, None


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


class DoubleInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 2)
        return h


class Nothing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        return None


class Flat(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.view([-1])
        return y

    @staticmethod
    def backward(ctx, g):
        h = g.view([2, 2])
        return h


class Constant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        ctx.mark_non_differentiable(y)
        return y

    @staticmethod
    def backward(ctx, g):
        return g


class TooMany(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        return g, g


class AddsInside(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.add_(1)
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 2)
        return h


class Broadcast(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = g.expand([3, 2])
        return h


class DoubleAndCopy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        y = x.clone()
        return x, y

    @staticmethod
    def backward(ctx, g, h):
        return g


def test_forward_of_a_custom_function_is_not_recorded(device):  # AUT-42
    x = torch.ones([2], requires_grad=True, device=device)
    y = AddsInside.apply(x)
    z = y.sum()
    z.backward()
    assert x.tolist() == [2.0, 2.0]
    assert y.tolist() == [4.0, 4.0]
    assert x.grad.tolist() == [2.0, 2.0]


def test_custom_function_saves_what_its_backward_needs(device):  # AUT-27 D-38
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.tensor([2.0, 3.0], device=device)
    y = Weigh.apply(x, w)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 3.0]
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        z.backward()


def test_what_a_custom_function_saved_must_not_be_written(device):  # VER-15
    x = torch.ones([2], requires_grad=True, device=device)
    w = torch.tensor([2.0, 3.0], device=device)
    y = Weigh.apply(x, w)
    w.add_(1)
    z = y.sum()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()
    assert x.grad is None


def test_input_that_is_returned_comes_out_as_a_view(device):  # AUT-43
    x = torch.ones([2], requires_grad=True, device=device)
    y = Same.apply(x)
    assert y._is_view() is True
    assert y.grad_fn is not None
    assert x.is_leaf is True


def test_view_from_a_custom_function_cannot_be_written_while_recorded(device):  # AUT-44
    x = torch.ones([2, 2], requires_grad=True, device=device)
    y = Flat.apply(x)
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        y.mul_(2)
    assert y.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_dirty_input_takes_the_function_for_its_history(device):  # AUT-45
    x = torch.ones([2], requires_grad=True, device=device)
    y = x.clone()
    DoubleInPlace.apply(y)
    z = y.sum()
    z.backward()
    assert y._version == 2
    assert x.grad.tolist() == [2.0, 2.0]


def test_leaf_that_requires_grad_cannot_be_dirty(device):  # AUT-45 AUT-03
    x = torch.ones([2], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        DoubleInPlace.apply(x)


# custom_function.cpp, _process_backward_mode_ad: the leaf is refused before the view among several results
def test_dirty_leaf_is_refused_before_several_results(device):  # AUT-45 AUT-03
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        v = x.view([2])
    v.requires_grad_(True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        DoubleAndCopy.apply(v)


def test_result_that_is_marked_non_differentiable_requires_no_grad(device):  # AUT-46
    x = torch.ones([2], requires_grad=True, device=device)
    y = Constant.apply(x)
    assert y.requires_grad is False


def test_custom_backward_gives_a_gradient_for_each_input(device):  # AUT-47
    x = torch.ones([2], requires_grad=True, device=device)
    y = TooMany.apply(x)
    z = y.sum()
    with pytest.raises(RuntimeError, match="returned an incorrect number of gradients"):
        z.backward()
    assert x.grad is None


def test_gradient_that_is_larger_by_broadcasting_is_summed(device):  # AUT-48
    x = torch.ones([2], requires_grad=True, device=device)
    y = Broadcast.apply(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_inference_tensor_cannot_be_saved_by_a_custom_function(device):  # AUT-49
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        w = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        Weigh.apply(x, w)


def test_dirty_input_comes_out_as_itself(device):  # AUT-43
    x = torch.ones([2], device=device)
    y = DoubleInPlace.apply(x)
    z = Same.apply(x)
    assert z._is_view() is True
    assert y._is_view() is False
    assert x.tolist() == [2.0, 2.0]


def test_view_of_a_leaf_cannot_be_dirty(device):  # AUT-52
    x = torch.ones([2], requires_grad=True, device=device)
    v = x.view([2])
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        DoubleInPlace.apply(v)
    assert x.is_leaf is True


# saved_variable.cpp, SavedVariable::unpack: the node is given as saved_for, and stands in for the lost history
def test_a_custom_function_may_use_what_was_detached_since_it_was_saved(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    w = torch.tensor([3.0, 4.0], device=device, requires_grad=True)
    v = torch.mul(w, 2)
    y = Weigh.apply(x, v)
    v.detach_()
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [6.0, 8.0]
    assert w.grad is None


# [saved_variable.cpp, SavedVariable::SavedVariable]: a custom function saves as ops do
def test_normal_tensor_without_a_version_counter_cannot_be_saved_by_a_custom_function(device):  # VER-16
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        w = torch.ones([2], device=device)
    y = torch.ones([2], device=device)
    w.data = y
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        Weigh.apply(x, w)


def test_a_backward_without_a_gradient_runs_with_zeros(device):  # AUT-67
    x = torch.ones([2], requires_grad=True, device=device)
    y = Double.apply(x)
    z = Nothing.apply(y)
    w = z.sum()
    w.backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_what_a_call_saved_is_looked_at_without_a_gradient(device):  # AUT-68
    w = torch.ones([2], requires_grad=True, device=device)
    x = torch.ones([2], device=device)
    y = torch.mul(w, x)
    x.add_(1)
    z = Nothing.apply(y)
    s = z.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        s.backward()


def test_a_missing_derivative_is_an_error_without_a_gradient(device):  # AUT-68
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.aten.detach_copy.default(x)
    z = Nothing.apply(y)
    s = z.sum()
    with pytest.raises(RuntimeError, match="derivative for aten::detach_copy is not implemented"):
        s.backward()
