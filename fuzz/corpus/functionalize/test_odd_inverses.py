# Writes through views whose inverse is easy to get wrong: windows, repeated elements, memory by place, another dtype.
import pytest
import torch


# the law GetPut: elements outside every window are not written
def test_what_stands_between_windows_stays(device):  # FUN-11
    def body(x):
        y = x.unfold(0, 2, 3)
        y.mul_(10)

    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [10.0, 20.0, 3.0, 40.0, 50.0]


# aten/src/ATen/native/TensorShape.cpp, expand: a stride of 0, so each row is the source
def test_a_row_of_an_expanded_tensor_is_its_source(device):  # FUN-14
    def body(x):
        y = x.expand([3, 2])
        z = y.select(0, 1)
        z.add_(1)

    x = torch.tensor([1.0, 2.0], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [2.0, 3.0]


# aten/src/ATen/native/TensorShape.cpp, as_strided: the offset is one in the storage
def test_the_offset_of_as_strided_is_one_in_the_storage(device):  # FUN-15 P-44
    def body(x):
        y = x.select(0, 1)
        z = y.as_strided([2], [1], 0)
        z.fill_(5)

    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[5.0, 5.0], [2.0, 3.0]]


# 1065353216 has the bits of the float32 1.0
def test_a_write_in_another_dtype_writes_bits(device):  # FUN-16 P-43
    def body(x):
        y = x.view(torch.int32)
        y.fill_(1065353216)

    x = torch.zeros([2], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [1.0, 1.0]


# aten/src/ATen/native/TensorShape.cpp, reshape: a view if that is possible
def test_what_a_composite_op_gives_may_be_a_view(device):  # FUN-19 P-39
    def body(x):
        y = x.reshape([4])
        y.add_(1)

    x = torch.zeros([2, 2], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]


# Copy.cpp, copy of a view: its elements are as they were when it was made
def test_a_copy_of_a_view_does_not_see_a_later_write(device):  # FUN-30 P-31
    def body(x):
        y = torch.ops.aten.view_copy(x, [4])
        x.add_(1)
        return y

    x = torch.zeros([2, 2], device=device)
    out = torch.func.functionalize(body)(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert out.tolist() == [0.0, 0.0, 0.0, 0.0]


# Resize.h, maybe_resize_storage_cpu: the bytes that there are stay
def test_resize_beyond_the_memory_keeps_what_is_there(device):  # FUN-31 P-37
    def body(x):
        y = x.mul(1)
        y.resize_([3])
        z = y.select(0, 2)
        z.zero_()
        return y

    x = torch.tensor([1.0, 2.0], device=device)
    out = torch.func.functionalize(body)(x)
    assert out.tolist() == [1.0, 2.0, 0.0]


# Resize.cpp, resize_output
def test_an_out_without_the_sizes_of_the_result_is_resized(device):  # FUN-32 P-53
    def body(x):
        y = torch.zeros([0])
        torch.add(x, x, out=y)
        return y

    x = torch.tensor([1.0, 2.0])
    out = torch.func.functionalize(body)(x)
    assert list(out.shape) == [2]
    assert out.tolist() == [2.0, 4.0]


# aten/src/ATen/native/TensorProperties.cpp, contiguous: the tensor itself if row-major, and t() is not
def test_contiguous_of_a_transposed_tensor_is_a_value_of_its_own(device):  # GEO-05 GEO-26
    def body(x):
        y = x.t()
        z = y.contiguous()
        z.add_(1)

    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[0.0, 1.0], [2.0, 3.0]]


# aten/src/ATen/native/TensorShape.cpp, view: it needs strides that allow it; a transposed tensor has others
def test_a_view_of_a_transposed_tensor_is_refused(device):  # GEO-05 GEO-16
    def body(x):
        y = x.t()
        z = y.view([4])
        z.fill_(5)

    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    with pytest.raises(RuntimeError, match="view size is not compatible with input tensor's size and stride"):
        torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[0.0, 1.0], [2.0, 3.0]]


# aten/src/ATen/native/TensorShape.cpp, expand: a view, with the dtype of its source
def test_a_write_through_an_expanded_tensor_of_integers(device):  # FUN-01 FUN-20
    def body(x):
        y = x.expand([1])
        y.sub_(1)

    x = torch.tensor(3, dtype=torch.int32, device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == 2


# aten/src/ATen/TensorIterator.cpp, compute_types: a result that its out= cannot hold is an error
def test_an_out_that_cannot_hold_the_result_is_refused(device):  # TYPE-42
    def body(x):
        y = torch.zeros([2], dtype=torch.bool, device=device)
        torch.div(x, 2, out=y)

    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Bool"):
        torch.func.functionalize(body, remove="mutations_and_views")(x)


# aten/src/ATen/native/Resize.cpp, resize_output: a view of the resized tensor keeps its own sizes
def test_a_view_of_an_out_that_is_resized_keeps_its_sizes(device):  # FUN-32
    def body(x):
        y = torch.zeros([2], device=device)
        z = y.view([2])
        torch.mm(x, x, out=y)
        return z

    x = torch.ones([2, 2], device=device)
    z = torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert z.shape == (2,)


# Resize.h, maybe_resize_storage_cpu: the storage grows, and every tensor with that storage sees it
def test_the_memory_of_a_tensor_with_views_grows(device):  # FUN-31
    def body(x):
        y = x.mul(2)
        v = y.view([2])
        y.resize_([3])
        v.add_(1)
        z = y.select(0, 2)
        z.zero_()
        return y

    x = torch.tensor([1.0, 2.0], device=device)
    out = torch.func.functionalize(body)(x)
    assert out.tolist() == [3.0, 5.0, 0.0]
