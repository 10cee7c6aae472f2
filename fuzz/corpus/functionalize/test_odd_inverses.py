# Writes through views whose inverse is easily wrong: windows, repeated elements, memory by its places, another dtype.
import torch


# the law GetPut: what no window has is not written
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
def test_the_offset_of_as_strided_is_one_in_the_storage(device):  # FUN-15
    def body(x):
        y = x.select(0, 1)
        z = y.as_strided([2], [1], 0)
        z.fill_(5)

    x = torch.tensor([[0.0, 1.0], [2.0, 3.0]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[5.0, 5.0], [2.0, 3.0]]


# 1065353216 has the bits of the float32 1.0
def test_a_write_in_another_dtype_writes_bits(device):  # FUN-16
    def body(x):
        y = x.view(torch.int32)
        y.fill_(1065353216)

    x = torch.zeros([2], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [1.0, 1.0]


# aten/src/ATen/native/TensorShape.cpp, reshape: a view where it can be one
def test_what_a_composite_op_gives_may_be_a_view(device):  # FUN-19
    def body(x):
        y = x.reshape([4])
        y.add_(1)

    x = torch.zeros([2, 2], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]


# Copy.cpp, copy of a view: its elements are as they were when it was made
def test_a_copy_of_a_view_does_not_see_a_later_write(device):  # FUN-30
    def body(x):
        y = torch.ops.aten.view_copy(x, [4])
        x.add_(1)
        return y

    x = torch.zeros([2, 2], device=device)
    out = torch.func.functionalize(body)(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert out.tolist() == [0.0, 0.0, 0.0, 0.0]


# Resize.h, maybe_resize_storage_cpu: the bytes that there are stay
def test_resize_beyond_the_memory_keeps_what_is_there(device):  # FUN-31
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
def test_an_out_without_the_sizes_of_the_result_is_resized(device):  # FUN-32
    def body(x):
        y = torch.zeros([0])
        torch.add(x, x, out=y)
        return y

    x = torch.tensor([1.0, 2.0])
    out = torch.func.functionalize(body)(x)
    assert list(out.shape) == [2]
    assert out.tolist() == [2.0, 4.0]
