# GEO, INF, VER, VIEW, AUT: `.data` and set_, which exchange memory below the invariants.
import pytest
import torch


# torch/csrc/autograd/variable.cpp, variable_data: shallow_copy_and_detach
def test_data_shares_the_memory_of_its_tensor(device):  # GEO-29
    x = torch.zeros([2, 3], device=device)
    y = x.data
    y.fill_(5)
    assert x.tolist() == [[5.0, 5.0, 5.0], [5.0, 5.0, 5.0]]
    assert torch._C._is_alias_of(x, y) is True


# c10/core/TensorImpl.cpp, copy_tensor_metadata: sizes, strides and offset are the source's
def test_data_has_sizes_strides_and_offset_of_its_tensor(device):  # GEO-29 GEO-02
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    t = x.t()
    s = t.select(0, 1)
    y = s.data
    y.zero_()
    assert list(y.shape) == [2]
    assert y.stride() == (3,)
    assert y.storage_offset() == 1
    assert x.tolist() == [[1.0, 0.0, 3.0], [4.0, 0.0, 6.0]]


# torch/csrc/autograd/variable.cpp, set_data: shallow_copy_from
def test_setting_data_shares_memory_sizes_and_strides(device):  # GEO-30
    x = torch.zeros([2], device=device)
    y = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    t = y.t()
    x.data = t
    assert list(x.shape) == [3, 2]
    assert x.stride() == (1, 3)
    x.add_(1)
    assert y.tolist() == [[2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]


# torch/csrc/autograd/variable.cpp, set_data: only types that are not compatible are refused, and all of a device are
def test_setting_data_of_another_dtype_changes_the_dtype(device):  # GEO-30 AUT-23
    x = torch.zeros([2], device=device)
    y = torch.tensor([1, 2], device=device)
    x.data = y
    y.add_(1)
    assert x.dtype == torch.int64
    assert x.tolist() == [2, 3]


# aten/src/ATen/native/TensorShape.cpp, set_tensor_: storage, offset, sizes and strides of the source
def test_set_shares_memory_sizes_and_strides(device):  # GEO-31
    x = torch.zeros([2], device=device)
    y = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    s = y.select(1, 1)
    x.set_(s)
    x.add_(1)
    assert list(x.shape) == [2]
    assert x.stride() == (3,)
    assert x.storage_offset() == 1
    assert y.tolist() == [[1.0, 3.0, 3.0], [4.0, 6.0, 6.0]]


# aten/src/ATen/native/TensorShape.cpp, set_tensor_: other tensors with the old storage keep it
def test_set_leaves_other_aliases_of_the_old_memory(device):  # GEO-31 GEO-02
    x = torch.zeros([2], device=device)
    v = x.view([1, 2])
    y = torch.ones([2], device=device)
    x.set_(y)
    x.add_(1)
    assert y.tolist() == [2.0, 2.0]
    assert v.tolist() == [[0.0, 0.0]]


# tools/autograd/templates/python_variable_methods.cpp, THPVariable_set_: the dtypes are checked first
def test_set_to_a_tensor_of_another_dtype_is_an_error(device):  # TYPE-32
    x = torch.zeros([2], device=device)
    y = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError):
        x.set_(y)
    assert x.dtype == torch.float32
    assert x._version == 0


# tools/autograd/templates/python_variable_methods.cpp, THPVariable_set_: before the Autograd kernel sees the leaf
def test_set_checks_the_dtypes_before_the_leaf(device):  # TYPE-32
    p = torch.zeros([2], device=device, requires_grad=True)
    y = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="Could not set tensor of type"):
        p.set_(y)


# rfc-0011-final, 'InplaceOrView': in-place ops count a version; set_ is one
def test_set_counts_a_version_and_leaves_the_counter(device):  # GEO-31 VER-03
    x = torch.zeros([2], device=device)
    y = torch.ones([2], device=device)
    y.add_(1)
    y.add_(1)
    x.set_(y)
    assert x._version == 1
    y.add_(1)
    assert x._version == 1
    assert y._version == 3
    assert x.tolist() == [4.0, 4.0]


# torch/csrc/autograd/variable.cpp, variable_data: version_counter=0
def test_data_has_a_version_counter_of_its_own(device):  # VER-12
    x = torch.zeros([2], device=device)
    x.add_(1)
    y = x.data
    assert y._version == 0
    y.add_(1)
    y.add_(1)
    assert y._version == 2
    assert x._version == 1
    assert x.tolist() == [3.0, 3.0]


# torch/csrc/autograd/variable.cpp, variable_data: in inference mode, too, it makes a counter for a normal tensor
def test_data_in_inference_mode_of_a_normal_tensor_has_a_counter_of_its_own(device):  # VER-12 INF-19
    x = torch.zeros([2], device=device)
    x.add_(1)
    with torch.inference_mode():
        y = x.data
        y.add_(1)
    assert y._version == 1
    assert x._version == 1
    assert y.is_inference() is False


# rfc-0011-final: inference tensors 'do not have a version counter'
def test_data_of_an_inference_tensor_in_the_mode_has_no_version(device):  # VER-02 VER-13 INF-19 F-21
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        d = a.data
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        d._version


# rfc-0011-final: inference tensors 'do not have a version counter'
def test_data_of_an_inference_tensor_outside_the_mode_has_no_version(device):  # VER-13 INF-19 F-21 F-68
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    d = a.data
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        d._version


# rfc-0011-final, 'The immutable invariant': an inference tensor does not change outside inference mode
def test_inference_tensor_cannot_be_written_through_its_data_outside_the_mode(device):  # VER-13 INF-05 F-58 F-79
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    d = a.data
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        d.add_(1)


# torch/csrc/autograd/variable.h, Note [Version Counter Sharing]: `x.set_data(y)` does not share
def test_setting_data_leaves_the_version_counter_and_counts_nothing(device):  # VER-14
    x = torch.zeros([2], device=device)
    x.add_(1)
    y = torch.ones([2], device=device)
    y.add_(1)
    y.add_(1)
    x.data = y
    assert x._version == 1
    x.add_(1)
    assert x._version == 2
    assert y._version == 2
    assert y.tolist() == [4.0, 4.0]


# torch/csrc/autograd/variable.h, DifferentiableViewMeta: attr_version is current_version(), which it does not have
def test_view_of_a_normal_tensor_without_a_version_counter_is_an_error(device):  # VER-16 INF-20 VER-14
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    y = torch.ones([2], device=device)
    a.data = y
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        a.view([1, 2])


# torch/csrc/autograd/variable.h, DifferentiableViewMeta; in inference mode a view of a normal tensor is tracked
def test_view_of_a_normal_tensor_without_a_version_counter_is_an_error_inside_the_mode(device):  # VER-16 VIEW-01
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        with torch.inference_mode(False):
            y = torch.ones([2], device=device)
        a.data = y
        with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
            a.select(0, 0)


# torch/csrc/autograd/variable.h, Tensor::variable_data: 'has no relationship with it'
def test_data_is_no_view(device):  # VIEW-16
    x = torch.zeros([2, 3], device=device)
    y = x.data
    assert y._is_view() is False
    assert y._base is None


# torch/csrc/autograd/variable.h, Tensor::variable_data: for a view, the result has none of the view's metadata, either
def test_data_of_a_view_is_no_view(device):  # VIEW-16 GEO-29
    x = torch.zeros([2, 3], device=device)
    v = x.view([6])
    d = v.data
    d.add_(1)
    assert d._is_view() is False
    assert x._version == 0
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


# torch/csrc/autograd/variable.cpp, set_data: the autograd metadata, of which the base is a part, is kept
def test_view_stays_a_view_of_its_base_when_its_data_is_set(device):  # VIEW-17 GEO-30
    x = torch.zeros([2], device=device)
    y = torch.ones([3], device=device)
    v = x.view([1, 2])
    v.data = y
    v.add_(1)
    assert v._is_view() is True
    assert v._base is x
    assert x.tolist() == [0.0, 0.0]
    assert y.tolist() == [2.0, 2.0, 2.0]


# aten/src/ATen/native/TensorShape.cpp, set_: no part of the autograd metadata is touched
def test_view_stays_a_view_of_its_base_when_it_is_set_to_another_tensor(device):  # VIEW-17 GEO-31
    x = torch.zeros([2], device=device)
    y = torch.ones([3], device=device)
    v = x.view([1, 2])
    v.set_(y)
    assert v._is_view() is True
    assert v._base is x
    assert v.tolist() == [1.0, 1.0, 1.0]


# torch/csrc/autograd/variable.cpp, variable_data: the key set is copied, whatever the mode
def test_data_is_an_inference_tensor_where_its_tensor_is_one(device):  # INF-19
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        d = x.data
    e = a.data
    assert d.is_inference() is False
    assert e.is_inference() is True


# torch/csrc/autograd/variable.cpp, set_data: shallow_copy_from; copy_tensor_metadata copies the key set
def test_setting_data_makes_a_normal_tensor_an_inference_tensor(device):  # INF-20 VER-14
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x.data = a
    assert x.is_inference() is True
    assert x.tolist() == [1.0, 1.0]
    assert x._version == 0


# torch/csrc/autograd/variable.cpp, set_data: shallow_copy_from; copy_tensor_metadata copies the key set
def test_setting_data_leaves_a_history_where_it_makes_an_inference_tensor(device):  # AUT-22 INF-20
    x = torch.ones([2], requires_grad=True, device=device)
    y = x.mul(2)
    with torch.inference_mode():
        z = torch.tensor([5.0, 6.0], device=device)
    y.data = z
    assert y.is_inference() is True
    assert y.is_leaf is False
    assert y.requires_grad is True
    s = y.sum()
    assert s.requires_grad is False


def test_setting_data_makes_an_inference_tensor_a_normal_tensor(device):  # INF-20 VER-14
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    y = torch.ones([2], device=device)
    a.data = y
    assert a.is_inference() is False
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        a._version


# aten/src/ATen/native/TensorShape.cpp, set_tensor_: no key changes, so the no-aliasing invariant can be broken
def test_set_makes_a_normal_tensor_share_memory_with_an_inference_tensor(device):  # INF-21 GEO-31
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x.set_(a)
    x.add_(1)
    assert x.is_inference() is False
    assert a.is_inference() is True
    assert x._version == 2
    assert a.tolist() == [2.0, 2.0]


# aten/src/ATen/native/TensorShape.cpp, set_tensor_; in the mode an inference tensor may be written, and set_ is a write
def test_set_of_an_inference_tensor_inside_the_mode_leaves_it_one(device):  # INF-21 INF-15
    y = torch.ones([2], device=device)
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        a.set_(y)
    assert a.is_inference() is True
    assert a.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The algorithm': in-place on inference tensors outside of inference mode is disabled; set_ is one
def test_set_of_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-05 F-76 F-93
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    y = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.set_(y)


# torch/csrc/autograd/variable.cpp, variable_data: no autograd metadata
def test_data_does_not_require_grad(device):  # AUT-21
    p = torch.ones([2], device=device, requires_grad=True)
    d = p.data
    y = p.mul(2)
    e = y.data
    d.add_(1)
    assert d.requires_grad is False
    assert d.is_leaf is True
    assert e.requires_grad is False
    assert e.grad_fn is None
    assert p.tolist() == [2.0, 2.0]


# torch/csrc/autograd/variable.cpp, set_data: 'all non-autograd fields'
def test_setting_data_leaves_requires_grad(device):  # AUT-22 GEO-30
    p = torch.ones([2], device=device, requires_grad=True)
    q = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    y = torch.zeros([2], device=device)
    p.data = x
    y.data = q
    assert p.requires_grad is True
    assert p.is_leaf is True
    assert p.tolist() == [0.0, 0.0]
    assert y.requires_grad is False


# torch/csrc/autograd/variable.cpp, set_data: grad_fn is an autograd field
def test_setting_data_leaves_the_history(device):  # AUT-22 GEO-30
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    z = torch.zeros([2], device=device)
    y = p.mul(2)
    y.data = x
    z.data = p
    assert y.grad_fn is not None
    assert y.requires_grad is True
    assert z.requires_grad is False


# torch/csrc/autograd/variable.cpp, set_data: isDifferentiableType of the new data
def test_setting_data_of_integers_is_an_error_where_grad_is_required(device):  # AUT-23
    p = torch.ones([2], device=device, requires_grad=True)
    y = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="data set to a tensor that requires gradients must be floating point"):
        p.data = y
    assert p.dtype == torch.float32
    assert p.tolist() == [1.0, 1.0]


# [saved_variable.cpp, SavedVariable::SavedVariable]: a tensor saved for backward reports its version, and a normal tensor
# that was an inference tensor before `.data` was set has none.
def test_a_normal_tensor_without_a_version_counter_cannot_be_saved(device):  # VER-16
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = torch.tensor([3.0, 4.0], device=device)
    with torch.inference_mode():
        i = torch.tensor([5.0, 6.0], device=device)
    i.data = y
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        x.mul(i)


# [torch/csrc/autograd/engine.cpp]: 1.13 fills the leaf first, and 2.13 meets the missing derivative of set_ first. The end
# of the error is matched alone, because its beginning names the op as set_ or as aten::set_.
def test_a_missing_derivative_leaves_the_gradient_of_a_leaf_as_it_was(device):  # AUT-28
    a = torch.ones([2], requires_grad=True, device=device)
    b = torch.ones([2], requires_grad=True, device=device)
    c = b.mul(2)
    c.set_(c)
    d = c.div(a)
    s = d.sum()
    with pytest.raises(RuntimeError, match="is not implemented"):
        s.backward()
    assert a.grad is None
