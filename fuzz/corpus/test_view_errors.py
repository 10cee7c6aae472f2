# Views of empty tensors, and views to negative sizes: what is refused even though no element could show it.
import pytest
import torch


# TensorShape.cpp, narrow: -size <= start <= size, also for size 0
def test_narrow_of_nothing_refuses_a_start_outside(device):  # GEO-04
    x = torch.zeros([0], device=device)
    e = x.narrow(0, 0, 0)
    assert list(e.shape) == [0]
    with pytest.raises(RuntimeError):
        x.narrow(1, 0, -1)
    with pytest.raises(RuntimeError):
        x.narrow(0, 0, 1)
    with pytest.raises(IndexError):
        x.narrow(0, 1, 0)
    with pytest.raises(IndexError):
        x.narrow(0, -1, 0)
    with pytest.raises(IndexError):
        x.narrow(0, -2, 0)


# torch.Tensor.expand: only -1 has a meaning among negative sizes
def test_expand_to_a_negative_size_is_an_error_of_an_empty_tensor_too(device):  # GEO-27
    x = torch.zeros([0, 1], device=device)
    y = torch.zeros([1], device=device)
    with pytest.raises(RuntimeError):
        y.expand([-2])
    with pytest.raises(RuntimeError):
        x.expand([0, -2])


# c10/util/safe_numerics.h, safe_multiplies_u64: the factors before the first 0 overflow, in every release
def test_a_negative_size_beside_another_is_an_error_in_every_release(device):  # GEO-27
    x = torch.zeros([0], device=device)
    y = torch.zeros([1], device=device)
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        y.expand([-2])
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        x.expand([-2, 2, 0])
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        x.expand([2, -2, 0])
    with pytest.raises(RuntimeError, match="numel: integer multiplication overflow"):
        x.as_strided([1, -2, -2, 0], [1, 1, 1, 1])


# torch.as_strided: sizes are numbers of elements
def test_as_strided_to_a_negative_size_is_an_error_of_an_empty_view_too(device):  # GEO-27
    x = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError):
        x.as_strided([-1], [1])
    with pytest.raises(RuntimeError):
        x.as_strided([0, -2], [1, 1])


# torch.Tensor.unfold: a size is a number of elements; the dimension that is unfolded is not asked whether it is empty
def test_unfold_to_a_negative_size_is_an_error_of_an_empty_tensor_too(device):  # GEO-27
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(RuntimeError):
        x.unfold(0, -1, 1)
    y = torch.zeros([0, 2], device=device)
    with pytest.raises(RuntimeError):
        y.unfold(0, -1, 1)
    z = torch.zeros([2, 0], device=device)
    with pytest.raises(RuntimeError):
        z.unfold(0, -1, 1)
