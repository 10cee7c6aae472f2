# torch.func: of nested bodies the innermost looks at a call first, and what grad mode means for the levels around it.
import pytest
import torch


def test_an_inner_body_refuses_its_leaf_before_the_outer_one_looks(device):  # AUT-03
    def outer(a):
        def inner(b):
            b.add_(1.0)
            return b

        g = torch.func.grad(inner)(x)
        return a

    x = torch.tensor(2.0, device=device)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        h = torch.func.grad(outer)(x)


def test_a_differentiated_body_refuses_out_before_the_mapped_one_does(device):  # AUT-36
    def outer(a):
        def inner(b):
            c = torch.tensor(0.0, device=device)
            torch.exp(b, out=c)
            return b

        g = torch.func.grad(inner)(a)
        return g

    x = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        y = torch.vmap(outer)(x)


def test_out_is_written_where_only_the_caller_without_grad_mode_has_gradients(device):  # TRF-24
    def body(a):
        torch.exp(w, out=z)
        return a

    w = torch.tensor([0.0], device=device, requires_grad=True)
    z = torch.tensor([5.0], device=device)
    x = torch.tensor(2.0, device=device)
    with torch.no_grad():
        g = torch.func.grad(body)(x)
    assert z.tolist() == [1.0]


def test_what_is_computed_from_a_view_without_history_requires_grad(device):  # AUT-06
    def body(b):
        c = b.sum()
        return c

    a = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    with torch.no_grad():
        v = a.view([2, 1])
    g, y = torch.func.grad_and_value(body)(v)
    assert y.requires_grad is True


def test_a_body_leaves_the_history_of_a_written_view(device):  # AUT-13
    def body(b):
        c = b.sum()
        return c

    a = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    v = a.mul(2.0)
    w = v.view_as(v)
    x = v.view([2, 1])
    with torch.no_grad():
        w.zero_()
        g = torch.func.grad(body)(x)
    assert x.is_leaf is False
    assert g.tolist() == [[1.0], [1.0]]


def test_examples_that_overlap_are_refused_before_their_dtype(device):  # VER-09
    def body(a, b):
        a.div_(b)
        return a

    x = torch.tensor([[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]], device=device)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and"):
        y = torch.vmap(body, in_dims=(0, 1))(x, x)
    assert x._version == 0
