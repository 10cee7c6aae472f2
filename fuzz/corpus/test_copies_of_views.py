# Copies of views ({view}_copy), and tensors with a part replaced (*_scatter): what functionalization writes for views.
import pytest
import torch


def test_the_copy_of_a_view_is_row_major_memory_of_its_own(device):  # GEO-76
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    y = torch.transpose_copy(x, 0, 1)
    assert y.tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
    assert y.stride() == (2, 1)
    assert y._is_view() is False
    x.zero_()
    assert y.tolist() == [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]


def test_the_copy_of_a_part_begins_at_the_front(device):  # GEO-76
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    a = torch.select_copy(x, 1, 2)
    b = torch.slice_copy(x, 1, 0, 3, 2)
    c = torch.as_strided_copy(x, [2, 2], [1, 2], 1)
    d = torch.diagonal_copy(x, 1)
    assert a.tolist() == [2.0, 5.0]
    assert a.storage_offset() == 0
    assert a.stride() == (1,)
    assert b.tolist() == [[0.0, 2.0], [3.0, 5.0]]
    assert b.stride() == (2, 1)
    assert c.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert c.storage_offset() == 0
    assert c.stride() == (2, 1)
    assert d.tolist() == [1.0, 5.0]
    assert d.stride() == (1,)


def test_copies_of_views_that_show_all_elements(device):  # GEO-76
    x = torch.tensor([[[0.0, 1.0], [2.0, 3.0]]], device=device)
    y = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    a = torch.alias_copy(x)
    b = torch.detach_copy(x)
    c = torch.permute_copy(x, [2, 0, 1])
    d = torch.squeeze_copy(x)
    e = torch.squeeze_copy(x, 0)
    f = torch.unsqueeze_copy(y, 1)
    g = torch.t_copy(y)
    assert a.tolist() == [[[0.0, 1.0], [2.0, 3.0]]]
    assert b.tolist() == [[[0.0, 1.0], [2.0, 3.0]]]
    assert c.tolist() == [[[0.0, 2.0]], [[1.0, 3.0]]]
    assert c.stride() == (2, 2, 1)
    assert d.shape == (2, 2)
    assert e.shape == (2, 2)
    assert f.shape == (2, 1, 2)
    assert g.tolist() == [[0.0, 2.0], [1.0, 3.0]]
    assert g.stride() == (2, 1)


def test_the_copy_of_a_view_that_repeats_elements_has_each_by_itself(device):  # GEO-76
    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    a = torch.expand_copy(x, [2, 3])
    b = torch.unfold_copy(x, 0, 2, 1)
    given = torch.tensor([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]], device=device)
    a.add_(given)
    given = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b.mul_(given)
    assert a.tolist() == [[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]]
    assert b.tolist() == [[1.0, 4.0], [6.0, 12.0]]
    m = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    c = torch.unfold_copy(m, 0, 2, 1)
    assert c.tolist() == [[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]]
    assert c.stride() == (6, 2, 1)


def test_copies_of_views_of_several_results(device):  # GEO-76
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    a, b = torch.split_copy(x, 2, 1)
    c, d = torch.split_with_sizes_copy(x, [1, 2], 1)
    e, f = torch.unbind_copy(x)
    t = x.transpose(0, 1)
    g, h = torch.split_copy(t, 2, 0)
    assert a.tolist() == [[0.0, 1.0], [3.0, 4.0]]
    assert a.stride() == (2, 1)
    assert b.tolist() == [[2.0], [5.0]]
    assert c.tolist() == [[0.0], [3.0]]
    assert d.tolist() == [[1.0, 2.0], [4.0, 5.0]]
    assert e.tolist() == [0.0, 1.0, 2.0]
    assert f.tolist() == [3.0, 4.0, 5.0]
    assert f.storage_offset() == 0
    assert g.tolist() == [[0.0, 3.0], [1.0, 4.0]]
    assert g.stride() == (2, 1)
    assert h.tolist() == [[2.0, 5.0]]


def test_view_copy_takes_sizes_that_view_does_not(device):  # GEO-77
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    t = x.transpose(0, 1)
    y = torch.view_copy(t, [6])
    z = torch.view_copy(x, [3, -1])
    assert y.tolist() == [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]
    assert z.tolist() == [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        torch.view_copy(x, [4])


def test_view_copy_of_another_dtype_has_the_same_bytes(device):  # GEO-66 GEO-76
    x = torch.tensor([1.0, -2.0], device=device)
    y = torch.ops.aten.view_copy.dtype(x, torch.int32)
    assert y.tolist() == [1065353216, -1073741824]
    x.zero_()
    assert y.tolist() == [1065353216, -1073741824]


def test_a_scatter_replaces_what_its_view_sees(device):  # GEO-02
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    given = torch.tensor([10.0, 20.0, 30.0], device=device)
    a = torch.select_scatter(x, given, 0, 1)
    given = torch.tensor([[10.0, 20.0, 30.0]], device=device)
    b = x.slice_scatter(given, 0, 1, 2, 1)
    given = torch.tensor([10.0, 20.0], device=device)
    c = torch.diagonal_scatter(x, given, 1)
    given = torch.tensor([10.0, 20.0], device=device)
    d = torch.as_strided_scatter(x, given, [2], [3], 1)
    assert a.tolist() == [[0.0, 1.0, 2.0], [10.0, 20.0, 30.0]]
    assert b.tolist() == [[0.0, 1.0, 2.0], [10.0, 20.0, 30.0]]
    assert c.tolist() == [[0.0, 10.0, 2.0], [3.0, 4.0, 20.0]]
    assert d.tolist() == [[0.0, 10.0, 2.0], [3.0, 20.0, 5.0]]
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


def test_a_scatter_takes_no_source_that_would_be_broadcast(device):  # GEO-79
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    s = torch.tensor([10.0], device=device)
    with pytest.raises(RuntimeError, match="expected src to have a size equal to the slice of self"):
        torch.select_scatter(x, s, 1, 0)
    with pytest.raises(RuntimeError, match="expected src to have a size equal to the slice of self"):
        torch.diagonal_scatter(x, s)
    with pytest.raises(RuntimeError, match="expected src to have a size equal to the slice of self"):
        torch.as_strided_scatter(x, s, [2], [1])


def test_a_scatter_converts_its_source_but_does_not_broadcast_it(device):  # GEO-79
    x = torch.tensor([1, 2, 3], device=device)
    given = torch.tensor(7.5, device=device)
    y = torch.select_scatter(x, given, 0, 1)
    assert y.tolist() == [1, 7, 3]
    assert y.dtype == torch.int64
    given = torch.tensor([7.5], device=device)
    with pytest.raises(RuntimeError, match="expected src to have a size equal to the slice of self"):
        x.slice_scatter(given, 0, 0, 2, 1)


def test_a_scatter_keeps_the_layout_of_its_first_argument(device):  # GEO-78
    x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], device=device)
    s = torch.tensor(9.0, device=device)
    a = torch.ops.aten.slice(x, 0, 1, 6, 2)
    b = torch.select_scatter(a, s, 0, 1)
    assert b.tolist() == [1.0, 9.0, 5.0]
    assert b.stride() == (2,)
    assert b.storage_offset() == 1
    c = torch.as_strided(b, [6], [1], 0)
    assert c.tolist() == [0.0, 1.0, 2.0, 9.0, 4.0, 5.0]


def test_as_strided_scatter_replaces_what_the_memory_of_its_first_argument_shows(device):  # GEO-78
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    s = torch.tensor([7.0, 8.0], device=device)
    t = x.transpose(0, 1)
    a = torch.as_strided_scatter(t, s, [2], [1], 1)
    assert a.tolist() == [[0.0, 3.0], [7.0, 4.0], [8.0, 5.0]]
    b = x.select(0, 1)
    c = torch.as_strided_scatter(b, s, [2], [1], 0)
    assert c.tolist() == [3.0, 4.0, 5.0]


def test_a_scatter_of_repeated_elements_is_laid_out_as_their_clone(device):  # GEO-78 GEO-07
    x = torch.tensor([[1.0], [2.0]], device=device)
    e = x.expand([2, 3])
    s = torch.tensor([7.0, 8.0, 9.0], device=device)
    y = torch.select_scatter(e, s, 0, 1)
    assert y.tolist() == [[1.0, 1.0, 1.0], [7.0, 8.0, 9.0]]
    assert y.stride() == (3, 1)


# TensorShape.cpp, clone_preserve_strides, asserts that the bytes are a whole number of elements. The step is given, because Python's
# default for it is uninitialised memory in 1.13 (python_arg_parser.cpp, FunctionParameter::set_default_str)
def test_scatter_takes_a_tensor_with_bytes_left_over_in_its_storage(device):  # GEO-81
    x = torch.zeros([6], dtype=torch.bool, device=device)
    part = x.narrow(0, 0, 4)
    y = part.view(torch.float32)
    s = torch.ones([1], device=device)
    z = torch.slice_scatter(y, s, 0, 0, 1, 1)
    assert z.tolist() == [1.0]


def test_as_strided_scatter_takes_a_tensor_that_requires_grad_of_any_strides(device):  # GEO-80
    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], requires_grad=True, device=device)
    s = torch.tensor([7.0, 8.0], device=device)
    t = x.transpose(0, 1)
    y = torch.as_strided_scatter(t, s, [2], [1], 1)
    assert y.tolist() == [[0.0, 3.0], [7.0, 4.0], [8.0, 5.0]]


def test_as_strided_scatter_takes_other_strides_where_no_grad_is_required(device):  # GEO-80
    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    s = torch.tensor([7.0, 8.0], device=device)
    t = x.transpose(0, 1)
    y = torch.as_strided_scatter(t, s, [2], [1])
    assert y.tolist() == [[7.0, 2.0], [8.0, 3.0]]


def test_detach_copy_has_no_derivative(device):  # AUT-58
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.detach_copy(x)
    assert y.requires_grad is True
    s = y.sum()
    with pytest.raises(RuntimeError, match="derivative for aten::detach_copy is not implemented"):
        s.backward()


def test_copies_of_views_hand_their_gradients_to_their_place(device):  # AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    a = torch.select_copy(x, 0, 1)
    b = torch.as_strided_copy(x, [2, 2], [1, 1], 1)
    c = torch.view_copy(x, [6])
    d = torch.unfold_copy(c, 0, 4, 1)
    e = torch.expand_copy(a, [2, 3])
    p = e.sum()
    q = b.sum()
    r = d.sum()
    p.backward(retain_graph=True)
    assert x.grad.tolist() == [[0.0, 0.0, 0.0], [2.0, 2.0, 2.0]]
    q.backward()
    assert x.grad.tolist() == [[0.0, 1.0, 2.0], [3.0, 2.0, 2.0]]
    r.backward()
    assert x.grad.tolist() == [[1.0, 3.0, 5.0], [6.0, 4.0, 3.0]]


def test_a_replaced_part_has_its_gradient_from_the_source_alone(device):  # AUT-59 AUT-13
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True, device=device)
    s = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    a = torch.select_scatter(x, s, 1, 1)
    b = torch.mul(a, w)
    c = b.sum()
    c.backward()
    assert x.grad.tolist() == [[1.0, 0.0, 3.0], [4.0, 0.0, 6.0]]
    assert s.grad.tolist() == [2.0, 5.0]
    d = torch.diagonal_scatter(x, s)
    e = torch.mul(d, w)
    f = e.sum()
    f.backward()
    assert x.grad.tolist() == [[1.0, 2.0, 6.0], [8.0, 0.0, 12.0]]
    assert s.grad.tolist() == [3.0, 10.0]


def test_what_as_strided_scatter_replaced_has_its_gradient_from_the_source_alone(device):  # AUT-59
    x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, device=device)
    s = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.as_strided_scatter(x, s, [2], [2], 1)
    given = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device)
    y.backward(given)
    assert s.grad.tolist() == [2.0, 4.0]
    assert x.grad.tolist() == [1.0, 0.0, 3.0, 0.0]


# The window is beside the first argument, in its memory, so the result has nothing of src
def test_as_strided_scatter_beside_its_first_argument_has_no_gradient_for_the_source(device):  # AUT-59 AUT-13
    a = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True, device=device)
    s = torch.tensor([5.0, 6.0], requires_grad=True, device=device)
    x = a.narrow(0, 2, 2)
    y = torch.as_strided_scatter(x, s, [2], [1], 0)
    z = y.sum()
    z.backward()
    assert s.grad.tolist() == [0.0, 0.0]
    assert a.grad.tolist() == [0.0, 0.0, 1.0, 1.0]


def test_the_copy_of_an_inference_tensor_outside_the_mode_is_a_normal_tensor(device):  # INF-04 INF-16
    with torch.inference_mode():
        x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.ops.aten.slice_copy(x, 0, 0, 2, 1)
    s = y.sum()
    z = torch.select_scatter(x, s, 0, 0)
    assert y.is_inference() is False
    assert z.is_inference() is False
    assert z.tolist() == [3.0, 2.0, 3.0]


# A functional op reads no version. In PyTorch these make a view inside, which dispatches again if no Autograd kernel ran.
def test_a_normal_tensor_without_a_version_counter_can_be_copied_inside_the_mode(device):  # VER-16 VAL-47
    with torch.inference_mode():
        a = torch.zeros([2, 2], device=device)
    y = torch.ones([2, 2], device=device)
    a.data = y
    i = torch.tensor([0], device=device)
    with torch.inference_mode():
        b = torch.alias_copy(a)
        c = a.index_select(0, i)
        d = a.argmax()
    assert b.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert c.tolist() == [[1.0, 1.0]]
    assert d.tolist() == 0


def test_a_normal_tensor_without_a_version_counter_can_be_stacked_inside_the_mode(device):  # VER-16 GEO-01
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    y = torch.tensor([1.0, 2.0], device=device)
    a.data = y
    with torch.inference_mode():
        b = torch.stack([a, a], -1)
    assert b.tolist() == [[1.0, 1.0], [2.0, 2.0]]
    assert b.is_inference() is True


# The same for the ops that replace a part of a copy; in 2.13 they see the tensor's memory through as_strided
def test_a_normal_tensor_without_a_version_counter_can_be_scattered_inside_the_mode(device):  # VER-16 VAL-47
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    y = torch.ones([2], device=device)
    a.data = y
    z = torch.tensor(1.0, device=device)
    with torch.inference_mode():
        b = torch.select_scatter(a, z, 0, 0)
        c = b.argmax()
    assert b.tolist() == [1.0, 1.0]
    assert c.tolist() == 0


# aten/src/ATen/native/SoftMax.cpp: for a tensor without dimensions the kernel works on its view(1)
def test_softmax_of_an_inference_tensor_without_dimensions_needs_no_version_counter(device):  # INF-02
    with torch.inference_mode():
        a = torch.tensor(2.0, device=device)
        b = a.softmax(0)
    assert a.is_inference() is True
    assert b.is_inference() is True
    assert b.tolist() == 1.0


# native_functions.yaml: diagonal_scatter is CompositeExplicitAutogradNonFunctional, and makes a new tensor
def test_a_scatter_of_a_normal_tensor_inside_the_mode_is_an_inference_tensor(device):  # INF-04
    x = torch.zeros([2, 2], device=device)
    s = torch.ones([2], device=device)
    with torch.inference_mode():
        y = torch.diagonal_scatter(x, s)
    assert y.is_inference() is True
    assert y.tolist() == [[1.0, 0.0], [0.0, 1.0]]
