# Views in another dtype, and views inside functional ops: which inference bit they have, and what tracks them.
import torch


# rfc-0011-final: 'A view tensor is an inference tensor if and only if the tensor it is a view of is an inference tensor'
def test_view_in_another_dtype_of_a_normal_tensor_is_normal_in_the_mode(device):  # INF-03
    a = torch.tensor([0.0], device=device)
    with torch.inference_mode():
        b = a.view(torch.int32)
    assert b.is_inference() is False


def test_write_through_a_view_in_another_dtype_counts_a_version(device):  # INF-03 VER-04
    a = torch.tensor([0.0], device=device)
    with torch.inference_mode():
        b = a.view(torch.int32)
        b.add_(1)
    assert a._version == 1


def test_view_in_another_dtype_of_an_inference_tensor_is_one_outside_the_mode(device):  # INF-03
    with torch.inference_mode():
        a = torch.tensor([1.0], device=device)
    b = a.view(torch.int32)
    assert b.is_inference() is True


# TensorShape.cpp, stack: it makes its result as a view of cat's
def test_stack_of_inference_tensors_is_no_view(device):  # VIEW-18
    with torch.inference_mode():
        a = torch.tensor([1.0, 2.0], device=device)
    b = torch.stack([a, a])
    assert b._is_view() is False
    assert b.tolist() == [[1.0, 2.0], [1.0, 2.0]]


# TensorShape.cpp, clone_preserve_strides: clone.as_strided
def test_scatter_into_an_inference_tensor_is_no_view(device):  # VIEW-18
    with torch.inference_mode():
        a = torch.tensor([1.0, 2.0, 3.0], device=device)
        s = torch.tensor(5.0, device=device)
    b = torch.select_scatter(a, s, 0, 1)
    assert b._is_view() is False
    assert b.tolist() == [1.0, 5.0, 3.0]


def test_view_in_the_dtype_that_it_has_is_a_new_tensor(device):  # VIEW-19
    with torch.inference_mode():
        a = torch.tensor([1.0], device=device, requires_grad=True)
        b = a.view(torch.float32)
    assert b.requires_grad is False
