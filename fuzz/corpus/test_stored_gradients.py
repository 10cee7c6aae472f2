# AUT: which tensor backward stores as `.grad`, and what apply does with results that it does not record.
import pytest
import torch


class OfInferenceMode(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        with torch.inference_mode():
            h = torch.mul(g, 2)
        return h


class MadeInside(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.inference_mode():
            y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 2)
        return h


class MadeOutside(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.inference_mode(False):
            y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 2)
        return h


class Given(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g


class ForTheSecond(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, c):
        y = torch.mul(c, 1)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 1)
        return None, h


# accumulate_grad.h, accumulateGrad: update_grad(new_grad.detach()) keeps the inference bit
def test_grad_is_normal_where_an_inference_gradient_was_given_outside_the_mode(device):  # AUT-60
    x = torch.ones([2, 2], requires_grad=True, device=device)
    with torch.inference_mode():
        g = torch.full([4], 2.0, device=device)
    v = x.view([4])
    v.backward(g)
    a = x.grad
    assert a.is_inference() is False


def test_grad_of_an_inference_gradient_can_be_added_to_outside_the_mode(device):  # AUT-60
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        g = torch.full([1, 2], 2.0, device=device)
    v = x.unsqueeze(0)
    v.backward(g)
    s = x.sum()
    s.backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert g.tolist() == [[2.0, 2.0]]


def test_grad_is_an_inference_tensor_where_a_normal_gradient_was_given_inside_the_mode(device):  # AUT-60
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.full([1, 2], 2.0, device=device)
    v = torch.stack([x])
    with torch.inference_mode():
        v.backward(g)
    a = x.grad
    assert a.is_inference() is True


def test_grad_is_normal_where_a_custom_backward_enters_inference_mode(device):  # AUT-60
    x = torch.ones([2], requires_grad=True, device=device)
    y = OfInferenceMode.apply(x)
    s = y.sum()
    s.backward()
    a = x.grad
    assert a.is_inference() is False
    assert x.grad.tolist() == [2.0, 2.0]


def test_grad_of_a_computed_gradient_has_the_mode_of_backward(device):  # AUT-60 INF-02
    x = torch.ones([2], requires_grad=True, device=device)
    y = x.mul(3)
    s = y.sum()
    with torch.inference_mode():
        s.backward()
    a = x.grad
    assert a.is_inference() is True


# accumulate_grad.h checks the use count of the tensor, not of its storage
def test_gradient_that_was_given_is_not_written_through_reshape(device):  # AUT-50
    x = torch.ones([2, 2], requires_grad=True, device=device)
    g = torch.ones([4], device=device)
    v = x.reshape([4])
    v.backward(g)
    s = x.sum()
    s.backward()
    assert x.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert g.tolist() == [1.0, 1.0, 1.0, 1.0]


def test_gradient_that_was_given_is_not_written_through_cat(device):  # AUT-50
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ones([1], requires_grad=True, device=device)
    g = torch.ones([3], device=device)
    v = torch.cat([x, y])
    v.backward(g)
    s = x.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert g.tolist() == [1.0, 1.0, 1.0]


def test_gradient_that_was_given_is_not_written_through_a_sum_of_views(device):  # AUT-50
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([1, 2], device=device)
    v = torch.add(x, y)
    w = v.unsqueeze(0)
    w.backward(g)
    s = y.sum()
    s.backward()
    assert y.grad.tolist() == [2.0, 2.0]
    assert g.tolist() == [[1.0, 1.0]]


def test_gradient_that_was_given_is_not_written_through_a_custom_function(device):  # AUT-50
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([1, 2], device=device)
    y = Given.apply(x)
    w = y.unsqueeze(0)
    w.backward(g)
    s = x.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert g.tolist() == [[1.0, 1.0]]


def test_gradient_that_was_given_for_a_leaf_is_copied(device):  # AUT-50 AUT-25
    x = torch.ones([2], requires_grad=True, device=device)
    g = torch.ones([2], device=device)
    x.backward(g)
    x.backward(g)
    assert x.grad.tolist() == [2.0, 2.0]
    assert g.tolist() == [1.0, 1.0]


# custom_function.cpp, _process_backward_mode_ad: set_history, whatever kind of tensor it is
def test_inference_tensor_that_a_recorded_custom_function_gives_is_no_leaf(device):  # AUT-20 INF-04
    x = torch.ones([2], requires_grad=True, device=device)
    y = MadeInside.apply(x)
    assert y.is_inference() is True
    assert y.requires_grad is True
    assert y.is_leaf is False


def test_inference_tensor_of_a_custom_function_is_not_recorded_any_further(device):  # AUT-20 INF-04
    x = torch.ones([2], requires_grad=True, device=device)
    y = MadeInside.apply(x)
    z = y.sum()
    assert z.requires_grad is False


# custom_function.cpp: 'Return detached aliases of inputs, instead of changing their requires_grad property'
def test_input_that_apply_returns_in_inference_mode_is_detached(device):  # AUT-61
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        y = Given.apply(x)
    assert y.requires_grad is False
    assert y.is_inference() is False
    assert x.requires_grad is True


# custom_function.cpp: var.detach_() is a call, which does nothing inside inference mode
def test_result_that_forward_made_outside_the_mode_keeps_its_history(device):  # AUT-61 AUT-35 TLS-04
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        y = MadeOutside.apply(x)
    assert y.requires_grad is True
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_detach_in_place_does_nothing_inside_inference_mode(device):  # AUT-35 TLS-02
    x = torch.ones([2], requires_grad=True, device=device)
    y = x.mul(2)
    with torch.inference_mode():
        y.detach_()
    assert y.requires_grad is True
    assert y.is_leaf is False


def test_detach_in_place_of_a_view_is_allowed_inside_inference_mode(device):  # AUT-34 TLS-02
    x = torch.ones([2], requires_grad=True, device=device)
    v = x.view([2])
    with torch.inference_mode():
        v.detach_()
    assert v.requires_grad is True


def test_resize_of_a_tensor_that_requires_grad_is_allowed_inside_inference_mode(device):  # AUT-37 TLS-02
    p = torch.ones([2], requires_grad=True, device=device)
    with torch.inference_mode():
        p.resize_([1])
    assert p.tolist() == [1.0]


def test_out_that_requires_grad_is_allowed_inside_inference_mode_with_grad_mode_on(device):  # AUT-36 TLS-02
    a = torch.ones([2], device=device)
    with torch.inference_mode():
        o = torch.ones([2], requires_grad=True, device=device)
        with torch.enable_grad():
            torch.add(a, a, out=o)
    assert o.tolist() == [2.0, 2.0]
    assert o.requires_grad is True


def test_view_that_is_one_of_several_results_has_the_metadata_of_no_grad_mode_there(device):  # VIEW-06 VIEW-05
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        a, b = x.unbind()
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        a.add_(1)


# TensorShape.cpp, unsafe_split: split's narrow dispatches from the start if no Autograd kernel ran before
def test_pieces_of_unsafe_split_are_no_views_in_inference_mode(device):  # VIEW-20
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        a, b = x.unsafe_split(1)
    assert a._is_view() is False
    assert a._version == 0


# input_buffer.cpp, can_accumulate_inplace: the use count of the storage
def test_a_stored_gradient_is_not_written_through_its_view_in_flight(device):  # AUT-13
    x = torch.ones([2, 2], requires_grad=True, device=device)
    w = torch.ones([2, 2], requires_grad=True, device=device)
    c = torch.ones([2, 2], requires_grad=True, device=device)
    k = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    p = w.mul(10)
    q = ForTheSecond.apply(x, c)
    t = w.t()
    u = x.add(t)
    v = u.mul(k)
    e = v.add(p)
    f = e.add(q)
    s = f.sum()
    with torch.inference_mode():
        s.backward()
    assert x.grad.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert w.grad.tolist() == [[11.0, 13.0], [12.0, 14.0]]


# torch.autograd, 'Default gradient layouts': strides that match the leaf's, also where a size is 1
def test_grad_has_the_strides_of_its_leaf_where_a_size_is_1(device):  # AUT-50
    x = torch.ones([2, 1, 1], device=device)
    y = x.transpose(2, 0)
    y.requires_grad = True
    z = torch.mul(y, 2)
    s = z.sum()
    s.backward()
    g = y.grad
    assert y.stride() == (1, 1, 1)
    assert g.stride() == (1, 1, 1)
