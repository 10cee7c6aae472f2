# Memory formats: the order of a new tensor's dimensions in memory.
import pytest
import torch


# c10/core/MemoryFormat.h, get_channels_last_strides_2d
def test_channels_last_stores_dimension_1_fastest(device):  # GEO-34
    x0 = torch.arange(12, device=device)
    x = x0.view([1, 3, 2, 2])
    y = x.clone(memory_format=torch.channels_last)
    assert list(y.shape) == [1, 3, 2, 2]
    assert y.stride() == (12, 1, 6, 3)
    assert y.tolist() == [[[[0, 1], [2, 3]], [[4, 5], [6, 7]], [[8, 9], [10, 11]]]]
    z = y.as_strided([12], [1])
    assert z.tolist() == [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]


# c10/core/MemoryFormat.h, get_channels_last_strides_3d
def test_channels_last_3d_has_five_dimensions(device):  # GEO-34
    x = torch.zeros([2, 3, 2, 4, 5], device=device)
    y = x.contiguous(memory_format=torch.channels_last_3d)
    assert y.stride() == (120, 1, 60, 15, 3)


# c10/core/MemoryFormat.h: a size of 0 counts as 0, unlike in row-major strides
def test_channels_last_strides_of_a_tensor_without_elements(device):  # GEO-34
    x = torch.empty([2, 0, 3, 4], device=device, memory_format=torch.channels_last)
    y = torch.empty([2, 0, 3, 4], device=device, memory_format=torch.contiguous_format)
    assert x.stride() == (0, 1, 0, 0)
    assert y.stride() == (12, 12, 4, 1)


# TensorFactories.cpp, empty_like
def test_like_ops_take_a_memory_format(device):  # GEO-34 GEO-50
    x = torch.ones([2, 3, 4, 5], device=device)
    a = torch.empty_like(x, memory_format=torch.channels_last)
    b = torch.zeros_like(x, memory_format=torch.channels_last)
    c = torch.ones_like(b, memory_format=torch.preserve_format)
    d = torch.full_like(b, 2.0, memory_format=torch.contiguous_format)
    assert a.stride() == (60, 1, 15, 3)
    assert b.stride() == (60, 1, 15, 3)
    assert c.stride() == (60, 1, 15, 3)
    assert d.stride() == (60, 20, 5, 1)


# TensorFactories.cpp, clone: a format other than preserve_format is given to empty_like
def test_clone_into_contiguous_format_is_row_major(device):  # GEO-23 GEO-34
    x = torch.tensor([[1, 2, 3], [4, 5, 6]], device=device)
    t = x.t()
    kept = t.clone(memory_format=torch.preserve_format)
    row_major = t.clone(memory_format=torch.contiguous_format)
    assert kept.stride() == (1, 3)
    assert row_major.stride() == (2, 1)
    assert row_major.tolist() == [[1, 4], [2, 5], [3, 6]]


# TensorConversions.cpp, _to_copy
def test_to_another_dtype_takes_a_memory_format(device):  # GEO-34 GEO-62
    x0 = torch.arange(8, device=device)
    x = x0.view([1, 2, 2, 2])
    y = x.to(torch.float32, memory_format=torch.channels_last)
    z = y.to(torch.float64)
    assert y.stride() == (8, 1, 4, 2)
    assert y.tolist() == [[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]]
    assert z.stride() == (8, 1, 4, 2)


# c10/core/TensorImpl.h, empty_tensor_restride: 'required rank 4 tensor to use channels_last format'
def test_channels_last_needs_four_dimensions(device):  # GEO-35
    x = torch.ones([2, 3], device=device)
    y = torch.ones([2, 3, 1, 1], device=device)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        x.clone(memory_format=torch.channels_last)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        x.contiguous(memory_format=torch.channels_last)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        torch.zeros_like(x, memory_format=torch.channels_last)
    with pytest.raises(RuntimeError, match="required rank 5 tensor to use channels_last_3d format"):
        y.to(torch.float64, memory_format=torch.channels_last_3d)
    with pytest.raises(RuntimeError, match="required rank 5 tensor to use channels_last_3d format"):
        torch.empty([2, 3, 1, 1], device=device, memory_format=torch.channels_last_3d)


# TensorConversions.cpp, to_will_alias: no strides of rank 2 suggest channels_last
def test_to_of_the_same_dtype_refuses_a_format_of_another_rank(device):  # GEO-35 GEO-38
    x = torch.ones([2, 3], device=device)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        x.to(torch.float32, memory_format=torch.channels_last)


# TensorProperties.cpp, contiguous: 'preserve memory format is unsupported by the contiguous operator'
def test_contiguous_cannot_preserve_strides(device):  # GEO-36
    x = torch.ones([2, 3], device=device)
    y = x.contiguous(memory_format=torch.preserve_format)
    t = x.t()
    assert torch._C._is_alias_of(y, x) is True
    with pytest.raises(RuntimeError, match="preserve memory format is unsupported by the contiguous operator"):
        t.contiguous(memory_format=torch.preserve_format)


# c10/core/TensorImpl.h, empty_tensor_restride: 'unsupported memory format'
def test_empty_has_no_layout_to_preserve(device):  # GEO-36
    with pytest.raises(RuntimeError, match="unsupported memory format Preserve"):
        torch.empty([2, 3, 4, 5], device=device, memory_format=torch.preserve_format)


# TensorFactories.cpp, empty_cpu: the sizes are checked before the format
def test_empty_refuses_a_negative_size_first(device):  # GEO-36
    with pytest.raises(RuntimeError, match="Trying to create tensor with negative dimension -3"):
        torch.empty([2, -3], device=device, memory_format=torch.preserve_format)
    with pytest.raises(RuntimeError, match="unsupported memory format Preserve"):
        torch.empty([2, 3], device=device, memory_format=torch.preserve_format)


# TensorProperties.cpp, contiguous: 'if (self.is_contiguous(memory_format)) return self'
def test_contiguous_returns_a_tensor_in_the_format_itself(device):  # GEO-37
    x = torch.ones([2, 3, 4, 5], device=device)
    y = x.contiguous(memory_format=torch.channels_last)
    z = y.contiguous(memory_format=torch.channels_last)
    w = y.contiguous()
    assert torch._C._is_alias_of(y, x) is False
    assert torch._C._is_alias_of(z, y) is True
    assert torch._C._is_alias_of(w, y) is False
    assert w.stride() == (60, 20, 5, 1)


# c10/core/Contiguity.h, _compute_channels_last_contiguous_2d: sizes of 1 are passed over
def test_one_channel_is_contiguous_in_both_formats(device):  # GEO-61
    x = torch.ones([2, 1, 3, 4], device=device)
    y = x.contiguous(memory_format=torch.channels_last)
    z = torch.ones([2, 3, 1, 1], device=device)
    w = z.contiguous(memory_format=torch.channels_last)
    assert torch._C._is_alias_of(y, x) is True
    assert torch._C._is_alias_of(w, z) is True


# c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4: 'Fallback to Contiguous as a default layout'
def test_to_takes_ambiguous_strides_as_row_major(device):  # GEO-38
    x = torch.ones([2, 1, 3, 4], device=device)
    y = x.to(torch.float32, memory_format=torch.contiguous_format)
    z = torch.ones([2, 3, 1, 1], device=device)
    w = z.to(torch.float32, memory_format=torch.channels_last)
    assert torch._C._is_alias_of(y, x) is True
    assert torch._C._is_alias_of(w, z) is False
    assert w.stride() == (3, 1, 3, 3)


# c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4 does not ask for strides without gaps
def test_to_returns_a_tensor_with_gaps_itself(device):  # GEO-38
    x0 = torch.ones([2, 3, 4, 5], device=device)
    x = x0.contiguous(memory_format=torch.channels_last)
    part = x.narrow(3, 0, 2)
    y = part.to(torch.float32, memory_format=torch.channels_last)
    z = part.contiguous(memory_format=torch.channels_last)
    assert torch._C._is_alias_of(y, part) is True
    assert torch._C._is_alias_of(z, part) is False
    assert z.stride() == (24, 1, 6, 3)


# TensorConversions.cpp, to_will_alias: strides that suggest no other format suggest contiguous_format
def test_to_contiguous_format_leaves_a_transposed_tensor(device):  # GEO-38
    x = torch.ones([2, 3], device=device)
    t = x.t()
    y = t.to(torch.float32, memory_format=torch.contiguous_format)
    z = t.to(torch.float64, memory_format=torch.contiguous_format)
    assert torch._C._is_alias_of(y, t) is True
    assert z.stride() == (2, 1)


# TensorConversions.cpp, to_impl: copy=True is a copy in the format
def test_to_with_copy_and_a_memory_format(device):  # GEO-62 GEO-34
    x = torch.ones([2, 3, 4, 5], device=device)
    y = x.to(torch.float32, False, True, memory_format=torch.channels_last)
    z = y.to(torch.float32, False, True, memory_format=torch.preserve_format)
    assert y.stride() == (60, 1, 15, 3)
    assert torch._C._is_alias_of(z, y) is False
    assert z.stride() == (60, 1, 15, 3)


# Resize.cpp, _resize_: 'self_->empty_tensor_restride(memory_format)'
def test_resize_into_a_memory_format(device):  # GEO-39
    x = torch.arange(8, device=device)
    x.resize_([1, 2, 2, 2], memory_format=torch.channels_last)
    assert x.stride() == (8, 1, 4, 2)
    assert x.tolist() == [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]


# Resize.cpp, _resize_: the strides change even where the sizes do not
def test_resize_to_the_same_sizes_moves_the_strides(device):  # GEO-39 GEO-64
    x0 = torch.arange(8, device=device)
    x0 = x0.view([1, 2, 2, 2])
    x = x0.clone()
    x.resize_([1, 2, 2, 2])
    assert x.stride() == (8, 4, 2, 1)
    x.resize_([1, 2, 2, 2], memory_format=torch.channels_last)
    assert x.stride() == (8, 1, 4, 2)
    assert x.tolist() == [[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]]
    x.resize_([1, 2, 2, 2], memory_format=torch.contiguous_format)
    assert x.tolist() == [[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]]


# PyTorch looks at the sizes alone: VariableTypeManual.cpp, ADInplaceOrView::resize_
def test_resize_to_another_memory_format_counts_a_version(device):  # VER-18
    x = torch.ones([1, 2, 2, 2], device=device)
    x.resize_([1, 2, 2, 2], memory_format=torch.contiguous_format)
    assert x._version == 0
    x.resize_([1, 2, 2, 2], memory_format=torch.channels_last)
    assert x._version == 1


# PyTorch looks at the sizes alone: VariableTypeManual.cpp, ADInplaceOrView::resize_
def test_resize_to_another_memory_format_is_refused_for_an_inference_tensor(device):  # VER-18
    with torch.inference_mode():
        x = torch.ones([1, 2, 2, 2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        x.resize_([1, 2, 2, 2], memory_format=torch.channels_last)
    assert x.stride() == (8, 4, 2, 1)


# PyTorch looks at the sizes alone, and backward uses the element that is at that place now
def test_backward_needs_the_layout_that_was_saved(device):  # VER-18
    w = torch.tensor([[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]], device=device)
    x = torch.ones([1, 2, 2, 2], device=device, requires_grad=True)
    z = torch.mul(x, w)
    s = z.sum()
    w.resize_([1, 2, 2, 2], memory_format=torch.channels_last)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        s.backward()


# Resize.cpp, _resize_: 'Unsupported memory format'
def test_resize_refuses_preserve_format(device):  # GEO-36
    x = torch.arange(4, device=device)
    with pytest.raises(RuntimeError, match="Unsupported memory formatPreserve"):
        x.resize_([4], memory_format=torch.preserve_format)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        x.resize_([4], memory_format=torch.channels_last)
    assert x.tolist() == [0, 1, 2, 3]


# Resize.cpp, _resize_: resize_impl_cpu_ comes before the check of the format
def test_resize_that_refuses_a_format_does_not_resize(device):  # GEO-75
    x = torch.arange(4, device=device)
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        x.resize_([2, 2], memory_format=torch.channels_last)
    assert list(x.shape) == [4]


# TensorIterator.cpp, 'NOTE: [Computing output strides]'
def test_pointwise_results_of_channels_last_tensors(device):  # GEO-24 GEO-34
    x0 = torch.ones([2, 3, 4, 5], device=device)
    x = x0.contiguous(memory_format=torch.channels_last)
    y = torch.ones([2, 3, 4, 5], device=device)
    a = x.add(1)
    b = x.mul(y)
    c = y.mul(x)
    d = x.relu()
    e = x.gt(0)
    f = torch.where(e, x, y)
    assert a.stride() == (60, 1, 15, 3)
    assert b.stride() == (60, 1, 15, 3)
    assert c.stride() == (60, 20, 5, 1)
    assert d.stride() == (60, 1, 15, 3)
    assert e.stride() == (60, 1, 15, 3)
    assert f.stride() == (60, 1, 15, 3)


# torch/csrc/autograd/functions/accumulate_grad.h: a gradient has its leaf's strides
def test_gradient_of_a_channels_last_leaf(device):  # AUT-28 GEO-34
    x0 = torch.ones([1, 2, 2, 2], device=device)
    x = x0.contiguous(memory_format=torch.channels_last)
    x.requires_grad_(True)
    y = x.clone(memory_format=torch.contiguous_format)
    z0 = y.mul(3)
    z = z0.sum()
    z.backward()
    g = x.grad
    assert y.stride() == (8, 4, 2, 1)
    assert g.stride() == (8, 1, 4, 2)
    assert g.tolist() == [[[[3.0, 3.0], [3.0, 3.0]], [[3.0, 3.0], [3.0, 3.0]]]]


# derivatives.yaml, _to_copy: the gradient goes back to the dtype, in its own layout
def test_gradient_through_to_and_contiguous(device):  # AUT-28 GEO-34
    x = torch.ones([1, 2, 2, 2], device=device, requires_grad=True)
    y = x.to(torch.float64, memory_format=torch.channels_last)
    z = y.contiguous()
    w0 = z.mul(z)
    w = w0.sum()
    w.backward()
    g = x.grad
    assert y.stride() == (8, 1, 4, 2)
    assert z.stride() == (8, 4, 2, 1)
    assert g.stride() == (8, 4, 2, 1)
    assert g.tolist() == [[[[2.0, 2.0], [2.0, 2.0]], [[2.0, 2.0], [2.0, 2.0]]]]


# TensorProperties.cpp, contiguous in inference mode: the tensor itself, or an inference tensor
def test_contiguous_of_a_normal_tensor_in_inference_mode(device):  # INF-02 GEO-37
    x = torch.ones([1, 2, 2, 2], device=device)
    with torch.inference_mode():
        y = x.contiguous(memory_format=torch.contiguous_format)
        z = x.contiguous(memory_format=torch.channels_last)
    assert torch._C._is_alias_of(y, x) is True
    assert z.is_inference() is True
    assert z.stride() == (8, 1, 4, 2)


# torchgen/gen_functionalization_type.py: an op that writes nothing keeps its arguments
def test_memory_formats_in_a_functionalized_body(device):  # GEO-34 GEO-37
    def body(x):
        y = x.contiguous(memory_format=torch.channels_last)
        y.add_(1)
        return y

    x = torch.zeros([1, 2, 2, 2], device=device)
    z = torch.func.functionalize(body, remove="mutations")(x)
    assert z.stride() == (8, 1, 4, 2)
    assert x.tolist() == [[[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]]]


# The format is an argument of the overload too
def test_overload_takes_a_memory_format_by_place(device):  # GEO-34
    x = torch.ones([1, 2, 2, 2], device=device)
    y = torch.ops.aten.to.dtype(x, torch.float64, False, False, torch.channels_last)
    z = torch.ops.aten.clone.default(x, memory_format=torch.channels_last)
    assert y.stride() == (8, 1, 4, 2)
    assert z.stride() == (8, 1, 4, 2)


# TensorShape.cpp, stack: cat along the dimension, which keeps the format, and a view of that
def test_a_stack_made_in_the_mode_keeps_the_format(device):  # GEO-34
    a = torch.zeros([1, 2, 1, 1, 1], device=device)
    b = a.clone(memory_format=torch.channels_last_3d)
    d = torch.zeros([3, 1, 1, 2], device=device)
    e = d.clone(memory_format=torch.channels_last)
    with torch.inference_mode():
        c = torch.stack([b])
        f = torch.stack([e, e], 1)
    assert c.stride() == (2, 2, 1, 2, 2, 2)
    assert f.stride() == (4, 1, 4, 4, 2)
