# GEO: the index map of each view.
import pytest
import torch


# c10/core/WrapDimMinimal.h, maybe_wrap_dim
def test_negative_dimension_counts_from_the_end(device):  # GEO-01
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    v = x.select(-1, 0)
    w = x.unsqueeze(-1)
    t = x.transpose(-1, -2)
    assert v.tolist() == [0, 3]
    assert list(w.shape) == [2, 3, 1]
    assert list(t.shape) == [3, 2]


# c10/core/WrapDimMinimal.h, maybe_wrap_dim
def test_dimension_outside_the_rank_is_an_error(device):  # GEO-01
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.select(2, 0)
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.transpose(0, -3)
    v = x.select(-2, 0)
    assert list(v.shape) == [3]


# TensorShape.cpp, select: storage_offset + index * stride
def test_select_moves_the_offset_by_index_times_stride(device):  # GEO-02
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    v = x.select(0, 1)
    assert v.storage_offset() == 3
    assert list(v.shape) == [3]
    assert v.stride() == (1,)
    assert v.tolist() == [3, 4, 5]


# TensorShape.cpp, select: a negative index counts from the end
def test_select_takes_a_negative_index(device):  # GEO-02
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    v = x.select(1, -1)
    w = x.select(0, -1)
    assert v.storage_offset() == 2
    assert v.stride() == (3,)
    assert v.tolist() == [2, 5]
    assert w.storage_offset() == 3
    assert w.tolist() == [3, 4, 5]


# TensorShape.cpp, select: index out of range
def test_select_refuses_an_index_outside_the_size(device):  # GEO-02
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(IndexError, match="out of range for tensor of size"):
        x.select(0, 2)
    with pytest.raises(IndexError, match="out of range for tensor of size"):
        x.select(1, -4)
    v = x.select(0, 1)
    assert v.storage_offset() == 3


# TensorShape.cpp, slice: (end - start + step - 1) / step
def test_slice_rounds_its_size_up(device):  # GEO-03
    x = torch.arange(5, device=device)
    v = torch.ops.aten.slice.Tensor(x, 0, 0, 5, 2)
    assert list(v.shape) == [3]
    assert v.stride() == (2,)
    assert v.tolist() == [0, 2, 4]


# TensorShape.cpp, slice: start_val and end_val are clamped
def test_slice_clamps_its_ends_to_the_size(device):  # GEO-03
    x = torch.arange(5, device=device)
    v = torch.ops.aten.slice.Tensor(x, 0, -2, 100, 1)
    w = torch.ops.aten.slice.Tensor(x, 0, 4, 2, 1)
    u = torch.ops.aten.slice.Tensor(x, 0, -100, 2, 1)
    s = torch.ops.aten.slice.Tensor(x, 0, -3, 100, 2)
    assert v.tolist() == [3, 4]
    assert v.storage_offset() == 3
    assert w.tolist() == []
    assert u.tolist() == [0, 1]
    assert s.tolist() == [2, 4]


# TensorShape.cpp, slice: slice step must be positive
def test_slice_refuses_a_step_that_is_not_positive(device):  # GEO-03
    x = torch.arange(5, device=device)
    with pytest.raises(RuntimeError, match="slice step must be positive"):
        torch.ops.aten.slice.Tensor(x, 0, 0, 5, 0)
    v = torch.ops.aten.slice.Tensor(x, 0, 0, 5, 4)
    assert v.tolist() == [0, 4]


# TensorShape.cpp, narrow
def test_narrow_refuses_to_reach_past_the_end(device):  # GEO-04
    x = torch.arange(5, device=device)
    with pytest.raises(RuntimeError, match="exceeds dimension size"):
        x.narrow(0, 3, 3)
    with pytest.raises(RuntimeError):
        x.narrow(0, 0, -1)


# TensorShape.cpp, narrow: start may equal the size if length is 0, and a negative start counts from the end
def test_narrow_takes_a_piece(device):  # GEO-04
    x = torch.arange(5, device=device)
    v = x.narrow(0, 1, 3)
    w = x.narrow(0, -2, 2)
    e = x.narrow(0, 5, 0)
    assert v.tolist() == [1, 2, 3]
    assert v.storage_offset() == 1
    assert w.tolist() == [3, 4]
    assert e.tolist() == []
    with pytest.raises(RuntimeError, match="exceeds dimension size"):
        x.narrow(0, 5, 1)


# TensorShape.cpp, transpose: for a square matrix, only the strides show it
def test_transpose_of_a_square_matrix_exchanges_strides(device):  # GEO-05
    x = torch.tensor([[0, 1], [2, 3]], device=device)
    v = x.transpose(0, 1)
    assert list(v.shape) == [2, 2]
    assert v.stride() == (1, 2)
    assert v.tolist() == [[0, 2], [1, 3]]


# TensorShape.cpp, transpose
def test_transpose_exchanges_sizes_and_strides(device):  # GEO-05
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    v = x.transpose(0, 1)
    assert list(v.shape) == [3, 2]
    assert v.stride() == (1, 3)
    assert v.tolist() == [[0, 3], [1, 4], [2, 5]]


# TensorShape.cpp, t: of fewer than two dimensions it is the tensor's alias
def test_t_transposes_a_matrix_and_leaves_a_vector(device):  # GEO-05
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    y = torch.arange(3, device=device)
    v = x.t()
    w = y.t()
    assert v.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert w.tolist() == [0, 1, 2]
    assert w._base is y


# TensorShape.cpp, transpose_: the tensor itself changes its sizes and strides
def test_transpose_in_place_changes_sizes_and_strides_and_no_element(device):  # GEO-05
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    x.transpose_(0, 1)
    assert list(x.shape) == [3, 2]
    assert x.stride() == (1, 3)
    assert x.tolist() == [[0, 3], [1, 4], [2, 5]]
    assert x._is_view() is False


# TensorShape.cpp, permute: newSizes[i] = oldSizes[dims[i]]
def test_permute_takes_dimension_i_from_dimension_dims_i(device):  # GEO-06
    x = torch.zeros([2, 3, 4], device=device)
    v = x.permute([2, 0, 1])
    assert list(v.shape) == [4, 2, 3]
    assert v.stride() == (1, 12, 4)


# ExpandUtils.cpp, inferExpandGeometry: stride 0 where the size changes
def test_expand_repeats_a_dimension_of_size_1_with_stride_0(device):  # GEO-07
    x = torch.zeros([2, 1], device=device)
    v = x.expand([2, 3])
    assert list(v.shape) == [2, 3]
    assert v.stride() == (1, 0)


# ExpandUtils.cpp, inferExpandGeometry: new dimensions come first; -1 keeps a size
def test_expand_adds_dimensions_in_front(device):  # GEO-07
    x = torch.tensor([1, 2], device=device)
    v = x.expand([2, -1])
    assert list(v.shape) == [2, 2]
    assert v.stride() == (0, 1)
    assert v.tolist() == [[1, 2], [1, 2]]


# ExpandUtils.cpp, inferExpandGeometry: a new dimension of size 1 has the stride that unsqueeze gives it
def test_expand_adds_a_dimension_of_size_1_with_the_stride_of_unsqueeze(device):  # GEO-09 GEO-07
    x = torch.zeros([3, 1], device=device)
    v = x.expand([1, 3, 2])
    w = x.unsqueeze(0)
    assert v.stride() == (3, 1, 0)
    assert w.stride() == (3, 1, 1)


# ExpandUtils.cpp, inferExpandGeometry: of a tensor without dimensions every stride is 0, also for size 1, and so it is
# before a repeated dimension
def test_expand_of_a_tensor_without_dimensions_has_strides_of_0(device):  # GEO-07
    x = torch.tensor(5, device=device)
    y = torch.tensor([5], device=device)
    v = x.expand([1, 2])
    w = y.expand([1, 2])
    assert v.stride() == (0, 0)
    assert w.stride() == (0, 0)
    assert v.tolist() == [[5, 5]]


# ExpandUtils.cpp, inferExpandGeometry
def test_expand_refuses_to_stretch_a_size_other_than_1(device):  # GEO-07
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(RuntimeError, match="must match the existing size"):
        x.expand([3, 3])
    y = torch.zeros([1, 3], device=device)
    v = y.expand([3, 3])
    assert v.stride() == (0, 1)


# TensorShape.cpp, inferSqueezeGeometry: sizes other than 1 are kept
def test_squeeze_keeps_a_dimension_of_size_0(device):  # GEO-08
    x = torch.zeros([1, 0, 2], device=device)
    v = x.squeeze()
    w = x.squeeze(1)
    assert list(v.shape) == [0, 2]
    assert list(w.shape) == [1, 0, 2]


# TensorShape.cpp, squeeze.dim: a dimension of another size is kept, and the result is a view all the same
def test_squeeze_of_a_dimension_drops_it_only_where_its_size_is_1(device):  # GEO-08
    x = torch.zeros([2, 1, 3], device=device)
    v = x.squeeze(1)
    w = x.squeeze(0)
    y = torch.zeros([2, 0], device=device)
    u = y.squeeze(1)
    assert list(u.shape) == [2, 0]
    assert list(v.shape) == [2, 3]
    assert list(w.shape) == [2, 1, 3]
    assert w._base is x


# TensorShape.cpp, squeeze_: the tensor itself loses its dimensions
def test_squeeze_in_place_drops_dimensions_of_the_tensor_itself(device):  # GEO-08
    x = torch.tensor([[[1], [2]]], device=device)
    x.squeeze_()
    assert list(x.shape) == [2]
    assert x.stride() == (1,)
    assert x.tolist() == [1, 2]
    y = torch.zeros([1, 0], device=device)
    y.squeeze_()
    assert list(y.shape) == [0]


# TensorShape.cpp, inferUnsqueezeGeometry: sizes[dim] * strides[dim]
def test_unsqueeze_adds_a_stride_that_steps_over_the_dimension_behind(device):  # GEO-09
    x = torch.zeros([2, 3], device=device)
    v = x.unsqueeze(0)
    w = x.unsqueeze(1)
    u = x.unsqueeze(2)
    assert v.stride() == (6, 3, 1)
    assert w.stride() == (3, 3, 1)
    assert u.stride() == (3, 1, 1)


# TensorShape.cpp, diagonal: a negative offset moves along dim1
def test_diagonal_with_a_negative_offset_moves_along_the_first_dimension(device):  # GEO-10
    x = torch.tensor([[0, 1, 2], [3, 4, 5], [6, 7, 8]], device=device)
    v = x.diagonal(-1)
    assert v.storage_offset() == 3
    assert v.stride() == (4,)
    assert v.tolist() == [3, 7]


# TensorShape.cpp, diagonal: a positive offset moves along dim2, a negative one does not
def test_diagonal_with_a_positive_offset_moves_along_the_second_dimension(device):  # GEO-10
    x = torch.tensor([[0, 1, 2], [3, 4, 5], [6, 7, 8]], device=device)
    v = x.diagonal(1)
    w = x.diagonal()
    u = x.diagonal(-1)
    assert u.tolist() == [3, 7]
    assert v.storage_offset() == 1
    assert v.tolist() == [1, 5]
    assert w.tolist() == [0, 4, 8]


# TensorShape.cpp, diagonal: no elements if the offset lies outside, and the storage offset stays
def test_diagonal_outside_the_matrix_is_empty(device):  # GEO-10
    x = torch.zeros([2, 3], device=device)
    v = x.diagonal(3)
    w = x.diagonal(-2)
    assert list(v.shape) == [0]
    assert v.storage_offset() == 0
    assert list(w.shape) == [0]
    assert w.storage_offset() == 0


# TensorShape.cpp, unfold: (size - window) / step + 1
def test_unfold_has_only_whole_windows(device):  # GEO-11
    x = torch.arange(5, device=device)
    v = x.unfold(0, 2, 2)
    assert list(v.shape) == [2, 2]
    assert v.stride() == (2, 1)
    with pytest.raises(RuntimeError):
        x.unfold(0, 2, 0)


# TensorShape.cpp, unfold: windows may share elements
def test_windows_of_unfold_overlap_where_the_step_is_smaller(device):  # GEO-11
    x = torch.arange(4, device=device)
    v = x.unfold(0, 2, 1)
    assert v.stride() == (1, 1)
    assert v.tolist() == [[0, 1], [1, 2], [2, 3]]


# TensorShape.cpp, as_strided_tensorimpl: storage_offset_.value_or(self.storage_offset())
def test_as_strided_without_an_offset_starts_where_the_tensor_does(device):  # GEO-12
    x = torch.arange(6, device=device)
    v = x.narrow(0, 2, 2)
    w = v.as_strided([2], [1])
    assert w.storage_offset() == 2
    assert w.tolist() == [2, 3]


# TensorShape.cpp, as_strided_tensorimpl: an offset counts from the storage's start, not from the tensor's
def test_offset_of_as_strided_counts_from_the_start_of_the_storage(device):  # GEO-13 GEO-12
    x = torch.arange(6, device=device)
    v = x.narrow(0, 2, 2)
    w = v.as_strided([3], [1], 0)
    assert w.storage_offset() == 0
    assert w.tolist() == [0, 1, 2]


# Resize.h, checkInBoundsForStorage: the bound is the storage's size
def test_as_strided_reaches_all_of_the_storage(device):  # GEO-13
    x = torch.arange(6, device=device)
    v = x.narrow(0, 0, 2)
    w = v.as_strided([3, 2], [2, 1], 0)
    assert w.tolist() == [[0, 1], [2, 3], [4, 5]]


# Resize.h, checkInBoundsForStorage
def test_as_strided_refuses_to_reach_outside_the_storage(device):  # GEO-13
    x = torch.arange(6, device=device)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size"):
        x.as_strided([7], [1], 0)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size"):
        x.as_strided([2], [5], 1)
    with pytest.raises(RuntimeError, match="out of bounds for storage of size"):
        x.as_strided([-1, 100], [0, 1])
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        x.as_strided([-1, 100], [1, 1])
    v = x.narrow(0, 0, 2)
    w = v.as_strided([2], [5], 0)
    assert w.tolist() == [0, 5]


# TensorShape.cpp, split: the last piece is the rest
def test_last_piece_of_split_is_smaller(device):  # GEO-14
    x = torch.arange(5, device=device)
    a, b, c = x.split(2)
    assert a.tolist() == [0, 1]
    assert b.tolist() == [2, 3]
    assert c.tolist() == [4]
    assert c.storage_offset() == 4
    e = torch.zeros([0], device=device)
    d, = e.split(2)
    f, = e.split(0)
    assert list(d.shape) == [0]
    assert list(f.shape) == [0]
    with pytest.raises(RuntimeError):
        x.split(-1)
    with pytest.raises(RuntimeError):
        x.split(0)


# TensorShape.cpp, unbind: select(dim, i) for each i
def test_unbind_gives_a_view_without_the_dimension_for_each_index(device):  # GEO-15
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    a, b = x.unbind(0)
    assert list(a.shape) == [3]
    assert a.tolist() == [0, 1, 2]
    assert b.tolist() == [3, 4, 5]


# TensorShape.cpp, unbind: select(dim, i) for each i
def test_unbind_of_the_last_dimension_gives_columns(device):  # GEO-15
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    a, b, c = x.unbind(1)
    assert b.stride() == (3,)
    assert b.storage_offset() == 1
    assert c.tolist() == [2, 5]
