# GEO: how `view` keeps memory, how sizes broadcast, and how fresh results are laid out.
import pytest
import torch


# TensorUtils.cpp, computeStride: no strides for these sizes
def test_view_that_the_strides_do_not_allow_is_an_error(device):  # GEO-16
    x = torch.zeros([2, 3], device=device)
    y = x.t()
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        y.view([6])


# TensorUtils.cpp, computeStride: a dimension may be split even if the strides are not row-major
def test_view_cuts_a_dimension_of_a_transposed_tensor(device):  # GEO-16
    x = torch.arange(8, device=device)
    y = x.view([2, 4])
    z = y.t()
    v = z.view([2, 2, 2])
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        z.view([2, 4])
    assert v.stride() == (2, 1, 4)
    assert v.tolist() == [[[0, 4], [1, 5]], [[2, 6], [3, 7]]]


# InferSize.h, infer_size: the sizes must hold the elements
def test_view_of_sizes_that_do_not_hold_the_elements_is_an_error(device):  # GEO-17 GEO-16
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([4, 2])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        x.view([-1, 4])
    v = x.view([-1, 2])
    assert list(v.shape) == [3, 2]


# InferSize.h, infer_size
def test_minus_one_in_view_is_what_the_other_sizes_leave(device):  # GEO-17
    x = torch.arange(6, device=device)
    v = x.view([-1, 2])
    w = x.view(3, -1)
    s = x.view(6, -1)
    t = x.view(2, -1, 3)
    assert list(v.shape) == [3, 2]
    assert list(w.shape) == [3, 2]
    assert list(s.shape) == [6, 1]
    assert list(t.shape) == [2, 1, 3]


# InferSize.h, infer_size: a vector has no other sizes, and their product is 1
def test_minus_one_alone_in_view_is_the_number_of_elements(device):  # GEO-17
    x = torch.zeros([2], device=device)
    v = x.view(-1)
    assert list(v.shape) == [2]


# 'Broadcasting semantics': dimensions are matched from the trailing one
def test_vector_is_matched_with_the_last_dimension_of_a_matrix(device):  # GEO-18
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    y = torch.tensor([10, 20, 30], device=device)
    z = x.add(y)
    assert z.tolist() == [[11, 22, 33], [14, 25, 36]]


# 'Broadcasting semantics': dimensions are matched from the trailing one
def test_sizes_are_matched_from_the_back(device):  # GEO-18
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    y = torch.tensor([[[10, 20, 30]], [[40, 50, 60]]], device=device)
    z = x.add(y)
    assert z.tolist() == [[[11, 22, 33], [14, 25, 36]], [[41, 52, 63], [44, 55, 66]]]


# 'Broadcasting semantics': a size of 1 stretches on either side
def test_sizes_of_1_stretch_on_either_side(device):  # GEO-18
    x = torch.tensor([[1], [2]], device=device)
    y = torch.tensor([[[10, 20]]], device=device)
    z = torch.mul(x, y)
    assert list(z.shape) == [1, 2, 2]
    assert z.tolist() == [[[10, 20], [20, 40]]]


# 'Broadcasting semantics': an in-place op does not change the written tensor's sizes
def test_written_tensor_is_not_broadcast(device):  # VER-09 GEO-18
    x = torch.zeros([1], device=device)
    y = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        x.add_(y)
    assert list(x.shape) == [1]
    assert x._version == 0


# TensorFactories.cpp, clone: MemoryFormat::Preserve keeps the strides of a dense tensor
def test_clone_keeps_the_strides_of_a_dense_tensor(device):  # GEO-23
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    y = x.t()
    z = y.clone()
    assert z.stride() == (1, 3)
    assert z.tolist() == [[0, 3], [1, 4], [2, 5]]


# TensorFactories.cpp, clone: for a tensor that is not dense, only the order of the strides is kept
def test_clone_of_a_tensor_with_gaps_is_dense(device):  # GEO-23
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    y = x.narrow(1, 0, 2)
    z = y.clone()
    u = y.t()
    w = u.clone()
    assert y.stride() == (3, 1)
    assert z.stride() == (2, 1)
    assert z.storage_offset() == 0
    assert z.tolist() == [[0, 1], [3, 4]]
    assert w.stride() == (1, 2)
    assert w.tolist() == [[0, 3], [1, 4]]


# TensorIterator.cpp, 'NOTE: [Computing output strides]'
def test_pointwise_result_follows_the_order_of_its_inputs_strides(device):  # GEO-24
    x = torch.zeros([2, 3], device=device)
    y = x.t()
    z = y.add(y)
    assert list(z.shape) == [3, 2]
    assert z.stride() == (1, 3)


# TensorIterator.cpp, 'NOTE: [Computing output strides]': row-major where the inputs are
def test_pointwise_result_of_row_major_inputs_is_row_major(device):  # GEO-24 GEO-18
    x = torch.zeros([2, 3], device=device)
    y = torch.zeros([3], device=device)
    z = x.add(y)
    assert z.stride() == (3, 1)
    e = torch.zeros([2, 0], device=device)
    assert e.stride() == (1, 1)


def test_a_result_is_laid_out_as_the_first_operand_for_which_it_matters(device):  # GEO-24
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = x.t()
    a = t.unsqueeze(2)
    y = torch.ones([2, 3, 2], device=device)
    b = y.transpose(1, 2)
    z = torch.add(a, b)
    assert z.tolist() == [[[2.0, 2.0, 2.0], [4.0, 4.0, 4.0]], [[3.0, 3.0, 3.0], [5.0, 5.0, 5.0]]]
    assert z.stride() == (6, 1, 2)
