# GEO: reshaping that copies when it must, memory seen as another dtype, resizing, joining, indices, and `out=`.
import pytest
import torch


# TensorShape.cpp, reshape: computeStride finds strides, so the result shares memory
def test_reshape_is_a_view_where_the_strides_allow_it(device):  # GEO-60
    x = torch.zeros([2, 3], device=device)
    y = x.reshape([6])
    y.fill_(1)
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


# TensorShape.cpp, reshape: computeStride finds no strides, so a clone is viewed
def test_reshape_copies_where_the_strides_allow_no_view(device):  # GEO-60 GEO-16 GEO-26
    x = torch.zeros([2, 3], device=device)
    y = x.t()
    z = y.reshape([6])
    z.fill_(1)
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert z._is_view() is False


# TensorProperties.cpp, contiguous: 'if (self.is_contiguous(memory_format)) return self'
def test_contiguous_of_a_contiguous_tensor_is_that_tensor(device):  # GEO-61
    x = torch.zeros([2, 3], device=device)
    y = x.contiguous()
    y.fill_(1)
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert y._is_view() is False


# TensorConversions.cpp, to_will_alias
def test_to_of_the_same_dtype_is_that_tensor(device):  # GEO-62
    x = torch.zeros([2], device=device)
    y = x.to(torch.float32)
    z = x.to(torch.float32, copy=True)
    y.fill_(1)
    assert x.tolist() == [1.0, 1.0]
    assert z.tolist() == [0.0, 0.0]


# TensorShape.h, cat_should_skip_tensor; result_type looks at every tensor
def test_cat_passes_over_an_empty_vector_but_not_over_its_dtype(device):  # GEO-63
    x = torch.tensor([[1.0, 2.0]], device=device)
    y = torch.zeros([0], dtype=torch.float64, device=device)
    z = torch.cat([y, x, x], 0)
    assert z.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert z.dtype == torch.float64


# Resize.h, resize_impl_cpu_: the sizes are those that it has
def test_resize_to_the_same_sizes_keeps_the_strides(device):  # GEO-64
    x = torch.tensor([[0, 1, 2], [3, 4, 5]], device=device)
    y = x.t()
    y.resize_([3, 2])
    assert y.stride() == (1, 3)
    y.resize_([2, 2])
    assert y.stride() == (2, 1)
    assert y.tolist() == [[0, 1], [2, 3]]


# Resize.h, maybe_resize_storage_cpu: only a storage that is too short is changed
def test_resize_makes_the_storage_longer_but_never_shorter(device):  # GEO-65
    x = torch.tensor([1, 2, 3], device=device)
    x.resize_([2])
    x.resize_([3])
    assert x.tolist() == [1, 2, 3]
    x.resize_([4])
    y = x.narrow(0, 0, 3)
    assert y.tolist() == [1, 2, 3]


# torch.Tensor.view: 'the same data'; 1.0 is 0x3F800000 in IEEE 754
def test_view_as_another_dtype_sees_the_same_bytes(device):  # GEO-66
    x = torch.ones([1], device=device)
    y = x.view(torch.int32)
    assert y.tolist() == [1065353216]
    y.fill_(1073741824)
    assert x.tolist() == [2.0]


# torch.Tensor.view: 'the size of the last dimension of the output will be scaled proportionally'
def test_view_as_smaller_elements_makes_the_last_dimension_longer(device):  # GEO-66 GEO-67
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    y = x.view(torch.int32)
    assert list(y.shape) == [2, 4]
    assert y.tolist() == [[1, 0, 2, 0], [3, 0, 4, 0]]
    z = y.narrow(1, 1, 2)
    with pytest.raises(RuntimeError, match=r"self.storage_offset\(\) must be divisible by 2"):
        z.view(torch.int64)


# TensorShape.cpp, split_with_sizes
def test_split_sizes_must_add_up_to_the_dimension(device):  # GEO-68
    x = torch.zeros([6], device=device)
    with pytest.raises(RuntimeError, match="split_with_sizes expects split_sizes to sum exactly to 6"):
        x.split_with_sizes([1, 2])
    a, b = x.split_with_sizes([4, 2])
    assert list(a.shape) == [4]
    assert list(b.shape) == [2]


# TensorShape.cpp, unsafe_split: its pieces are split's, without view tracking
def test_pieces_of_unsafe_split_share_storage_unknown_to_autograd(device):  # GEO-69
    x = torch.zeros([2], device=device)
    y, z = x.unsafe_split(1)
    y.fill_(1)
    assert x.tolist() == [1.0, 0.0]
    assert y._is_view() is False
    assert x._version == 0


# IndexKernel.cpp, index_fill_kernel; TensorAdvancedIndexing.cpp, index_select_out_cpu_
def test_index_fill_counts_from_the_end_and_index_select_does_not(device):  # GEO-70
    x = torch.tensor([1, 2, 3], device=device)
    i = torch.tensor([-1], device=device)
    y = x.index_fill(0, i, 9)
    assert y.tolist() == [1, 2, 9]
    with pytest.raises(IndexError, match="index out of range in self"):
        x.index_select(0, i)


# torch.gather: 'index.size(d) <= input.size(d) for all dimensions d != dim'
def test_gather_has_the_sizes_of_its_index(device):  # GEO-71
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    i = torch.tensor([[1, 1, 0]], device=device)
    y = x.gather(1, i)
    assert y.tolist() == [[2, 2, 1]]
    j = torch.tensor([[0, 0], [1, 0]], device=device)
    z = x.gather(1, j)
    assert z.tolist() == [[1, 1], [4, 3]]


# Resize.h, resize_output; 'Out= semantics' of the documentation
def test_out_takes_the_sizes_of_the_result(device):  # GEO-72 GEO-65
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    y = torch.zeros([1], dtype=torch.int64, device=device)
    torch.add(x, x, out=y)
    assert y.tolist() == [[2, 4], [6, 8]]


# Resize.h, resize_output: the sizes are the same, so nothing is resized
def test_out_of_the_right_sizes_keeps_its_strides(device):  # GEO-72 GEO-05
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    y = torch.zeros([2, 2], dtype=torch.int64, device=device)
    z = y.t()
    torch.add(x, x, out=z)
    assert z.stride() == (1, 2)
    assert y.tolist() == [[2, 6], [4, 8]]


# TensorIterator.cpp, compute_types: canCast(float, double); TensorIterator of neg: check_all_same_dtype
def test_out_may_be_of_a_dtype_that_the_result_is_cast_to(device):  # TYPE-73
    x = torch.ones([2], device=device)
    y = torch.zeros([2], dtype=torch.float64, device=device)
    torch.add(x, x, out=y)
    assert y.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        torch.neg(x, out=y)


# 'Out= semantics'; MemoryOverlap.cpp, assert_no_partial_overlap
def test_out_that_partly_overlaps_an_input_is_an_error(device):  # GEO-74
    x = torch.tensor([1, 2, 3], device=device)
    y = x.narrow(0, 0, 2)
    z = x.narrow(0, 1, 2)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a single"):
        torch.neg(y, out=z)
    assert x.tolist() == [1, 2, 3]


# An error comes before any write; PyTorch has resized out by then (waived)
def test_refused_ops_leave_what_they_write(device):  # GEO-75 GEO-74
    x = torch.tensor([1, 2], device=device)
    i = torch.tensor([0, 2], device=device)
    with pytest.raises(IndexError, match="index 2 is out of bounds for dimension 0 with size 2"):
        x.index_fill_(0, i, 9)
    assert x.tolist() == [1, 2]
    y = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a single"):
        torch.cat([y, y], 0, out=y)
    assert list(y.shape) == [2]


# TensorAdvancedIndexing.cpp, index_select_out_cpu_; 1.13 writes past the end of its result instead
def test_index_select_of_a_tensor_without_dimensions_takes_one_index(device):  # GEO-55
    x = torch.tensor(3.0, device=device)
    i = torch.tensor([0], device=device)
    j = torch.tensor([], dtype=torch.int64, device=device)
    y = x.index_select(0, i)
    with pytest.raises(RuntimeError):
        x.index_select(0, j)
    assert y.tolist() == 3.0


# 1.13.1 crashes if a stride of out is 0
def test_cat_writes_into_an_out_of_any_strides(device):  # GEO-59
    a = torch.tensor([3.0, 4.0], device=device)
    x = torch.zeros([2, 2], device=device)
    v = x.select(1, 0)
    torch.cat([a], 0, out=v)
    assert x.tolist() == [[3.0, 0.0], [4.0, 0.0]]


# 'Out= semantics': out must not be an input that is read more than once; mm does not look
def test_product_cannot_be_written_over_its_input(device):  # GEO-74
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError, match="unsupported operation"):
        torch.mm(x, x, out=x)


# CatKernel.cpp, cat_serial_kernel_impl, computes from out's stride how often it writes; 2.13 uses another path for rows
def test_cat_of_rows_writes_all_whatever_the_stride_of_a_size_of_1(device):  # GEO-59
    a = torch.tensor([3.0], device=device)
    x = torch.tensor([0.0], device=device)
    v = x.as_strided([1], [2])
    torch.cat([a], 0, out=v)
    assert x.tolist() == [3.0]
    b = torch.tensor([[1.0, 2.0, 3.0]], device=device)
    y = torch.zeros([3], device=device)
    w = y.as_strided([1, 3], [2, 1])
    torch.cat([b], 0, out=w)
    assert y.tolist() == [1.0, 2.0, 3.0]


def test_cat_of_columns_writes_all_whatever_the_stride_of_a_size_of_1(device):  # GEO-59
    a = torch.tensor([[1.0], [2.0], [3.0]], device=device)
    x = torch.zeros([3], device=device)
    v = x.as_strided([3, 1], [1, 2])
    torch.cat([a], 1, out=v)
    assert x.tolist() == [1.0, 2.0, 3.0]
    b = torch.tensor([[4.0], [5.0], [6.0]], device=device)
    w = x.as_strided([3, 1], [1, 5])
    torch.cat([b], -1, out=w)
    assert x.tolist() == [4.0, 5.0, 6.0]


# TensorShape.cpp, cat_out_cpu: another kernel, which checks each stride
def test_cat_of_what_is_no_run_of_floats_writes_all(device):  # GEO-59
    i = torch.tensor([[1], [2], [3]], device=device)
    m = torch.tensor([[1.0, 9.0], [2.0, 9.0], [3.0, 9.0]], device=device)
    column = torch.ops.aten.slice(m, 1, 0, 1, 1)
    none = torch.tensor([], device=device)
    a = torch.tensor([[1.0], [2.0], [3.0]], device=device)
    d = torch.tensor([[1.0], [2.0], [3.0]], dtype=torch.float64, device=device)
    k = torch.zeros([3], dtype=torch.int64, device=device)
    x = torch.zeros([3], device=device)
    v = k.as_strided([3, 1], [1, 2])
    torch.cat([i], 1, out=v)
    assert k.tolist() == [1, 2, 3]
    w = x.as_strided([3, 1], [1, 2])
    torch.cat([column], 1, out=w)
    assert x.tolist() == [1.0, 2.0, 3.0]
    x.zero_()
    torch.cat([none, a], 1, out=w)
    assert x.tolist() == [1.0, 2.0, 3.0]
    x.zero_()
    torch.cat([d], 1, out=w)
    assert x.tolist() == [1.0, 2.0, 3.0]
    g = torch.zeros([5], device=device)
    h = g.as_strided([3, 1], [2, 5])
    torch.cat([a], 1, out=h)
    assert g.tolist() == [1.0, 0.0, 2.0, 0.0, 3.0]


# 1.13.1 divides by the stride
def test_cat_writes_into_an_out_with_a_stride_of_0(device):  # GEO-59
    a = torch.tensor([3.0], device=device)
    x = torch.tensor([0.0], device=device)
    v = x.as_strided([1], [0])
    torch.cat([a], 0, out=v)
    assert x.tolist() == [3.0]


# TensorShape.cpp, reshape: a contiguous tensor goes to view at once, which checks its history
def test_reshape_asks_for_a_views_history_before_its_sizes(device):  # GEO-60 VIEW-11
    x = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        v = x.view([2])
        x.add_(1)
    with pytest.raises(RuntimeError, match="A view was created in inference mode and its base"):
        v.reshape([-2])


def test_a_range_of_more_numbers_than_64_bits_count_is_refused(device):  # TYPE-44
    x = torch.arange(3, dtype=torch.int32, device=device)
    s = x.sum()
    assert s.dtype is torch.int64
    with pytest.raises(RuntimeError, match="invalid size, possible overflow"):
        torch.arange(-9000000000000000000, 9000000000000000000, device=device)


def test_cat_of_nothing_is_refused(device):  # GEO-63
    x = torch.tensor([[1.0, 2.0]], device=device)
    none = torch.tensor([], device=device)
    y = torch.cat([none, x])
    assert y.tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="expected a non-empty list of Tensors"):
        torch.cat([])


def test_a_stack_has_one_dimension_more_up_to_eight(device):  # GEO-01
    x = torch.ones([1, 2, 1, 1, 1, 1, 1], device=device)
    y = torch.stack([x, x], -7)
    assert y.shape == (1, 2, 2, 1, 1, 1, 1, 1)
    s = y.sum()
    assert s.tolist() == 4.0
