# Gradients through a mapped body, and modes in it.
import pytest
import torch


def test_a_gradient_goes_to_the_examples(device):  # TRF-01
    def body(a):
        b = a.mul(a)
        c = b.sum()
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device, requires_grad=True)
    y = torch.vmap(body)(x)
    assert y.requires_grad is True
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [[2.0, 4.0], [6.0, 8.0]]


def test_the_gradient_of_a_captured_tensor_is_the_sum_over_the_examples(device):  # TRF-01
    def body(a):
        b = a.mul(w)
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    w = torch.tensor([1.0, 1.0], device=device, requires_grad=True)
    y = torch.vmap(body)(x)
    z = y.sum()
    z.backward()
    assert w.grad.tolist() == [4.0, 6.0]


def test_a_gradient_through_views_of_the_examples(device):  # TRF-01
    def body(a):
        b = a.select(0, 1)
        c = b.exp()
        return c

    x = torch.zeros(2, 3, device=device, requires_grad=True)
    y = torch.vmap(body)(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]


def test_a_gradient_through_a_write(device):  # TRF-01
    def body(a):
        b = a.mul(2)
        b.exp_()
        return b

    x = torch.zeros(2, 2, device=device, requires_grad=True)
    y = torch.vmap(body)(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_the_examples_of_a_leaf_are_not_written(device):  # AUT-03 AUT-04
    def body(a):
        a.add_(1)
        return a

    x = torch.zeros(2, 2, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        y = torch.vmap(body)(x)


def test_no_grad_in_a_body(device):  # AUT-01
    def body(a):
        with torch.no_grad():
            b = a.mul(2)
        return b

    x = torch.ones(2, 2, device=device, requires_grad=True)
    y = torch.vmap(body)(x)
    assert y.requires_grad is False


def test_a_body_in_inference_mode_makes_inference_tensors(device):  # INF-04
    def body(a):
        with torch.inference_mode():
            b = a.mul(2)
        return b

    x = torch.ones(2, 2, device=device)
    y = torch.vmap(body)(x)
    assert y.is_inference() is True


def test_a_map_in_inference_mode(device):  # INF-04
    def body(a):
        b = a.mul(2)
        return b

    x = torch.ones(2, 2, device=device)
    with torch.inference_mode():
        y = torch.vmap(body)(x)
    assert y.is_inference() is True
    assert y.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_the_examples_of_an_inference_tensor_are_not_written_outside_the_mode(device):  # INF-02 INF-05
    def body(a):
        a.add_(1)
        return a

    with torch.inference_mode():
        x = torch.ones(2, 2, device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        y = torch.vmap(body)(x)
