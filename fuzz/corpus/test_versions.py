# VER: version counters: which tensors have one, which share one, and which ops count.
import pytest
import torch


# the generated Python factories run below ADInplaceOrView [python_torch_functions, AutoDispatchBelowADInplaceOrView]
def test_factories_start_at_version_0(device):  # VER-01
    a = torch.zeros([2], device=device)
    b = torch.ones([2], device=device)
    c = torch.full([2], 3.0, device=device)
    d = torch.arange(3, device=device)
    e = torch.empty([2], device=device)
    f = torch.tensor([1.0, 2.0], device=device)
    assert a._version == 0
    assert b._version == 0
    assert c._version == 0
    assert d._version == 0
    assert e._version == 0
    assert f._version == 0


# setting requires_grad writes no element
def test_setting_requires_grad_counts_no_version(device):  # VER-01
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.ones([2], device=device)
    x.requires_grad = True
    assert p._version == 0
    assert x._version == 0


# rfc-0011-final: an error if you try to read their version
def test_version_of_an_inference_tensor_cannot_be_read(device):  # VER-02 F-06 F-21 F-22 F-68 D-06
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
            a._version
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        a._version


# rfc-0011-final: a view of an inference tensor is one, so it has no version counter
def test_version_of_a_view_of_an_inference_tensor_cannot_be_read(device):  # VER-02 INF-03 F-21
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    v = a.view([1, 2])
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        v._version


# rfc-0011-final, 'Examples': in the mode, in-place on a normal tensor: version counter will increment
def test_inplace_op_on_a_normal_tensor_counts_in_inference_mode(device):  # VER-03 F-07 F-34 F-47 F-84
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        x.add_(1)
        assert x._version == 1
        x.fill_(2)
        x.zero_()
    assert x._version == 3


# rfc-0011-final, the example kernel add__Tensor: one increment_version
def test_each_inplace_op_counts_one_version(device):  # VER-03 KEY-07
    x = torch.ones([2], device=device)
    x.add_(1)
    assert x._version == 1
    x.mul_(x)
    x.sub_(1)
    assert x._version == 3
    x.zero_()
    x.copy_(x)
    assert x._version == 5


# rfc-0011-final, 'Goals': semantically equivalent to NoGradMode, in which version counters count
def test_inplace_op_counts_in_no_grad_mode(device):  # VER-03 KEY-07 AUT-01 TLS-08
    p = torch.zeros([2], device=device, requires_grad=True)
    with torch.no_grad():
        p.add_(1)
    assert p._version == 1
    assert p.tolist() == [1.0, 1.0]


# gen_inplace_or_view_type.py: an inplace_view op increments the version
def test_inplace_view_op_counts_one_version(device):  # VER-03
    x = torch.zeros([2, 1], device=device)
    x.transpose_(0, 1)
    assert x._version == 1
    with torch.inference_mode():
        x.squeeze_()
    assert x._version == 2


# rfc-0011-final, 'Goals': not possible to bypass version counter updates on tensors which may alias
def test_write_through_a_view_counts_for_its_base(device):  # VER-04 F-07
    x = torch.zeros([2, 3], device=device)
    v = x.select(0, 0)
    v.add_(1)
    assert v._version == 1
    assert x._version == 1


# rfc-0011-final, 'Examples': in the mode, view of a normal tensor: version counter is propagated
def test_view_made_in_inference_mode_shares_the_version_counter(device):  # VER-04 F-07 F-89 B-36
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.select(0, 0)
        v.add_(1)
    x.add_(1)
    assert v._version == 2
    assert x._version == 2


# torch/csrc/autograd/variable.h, make_variable_differentiable_view: views of one base share its counter
def test_write_through_one_view_counts_for_the_other(device):  # VER-04 VIEW-03
    x = torch.zeros([2, 3], device=device)
    a, b = x.unbind(0)
    w = b.view([3, 1])
    w.zero_()
    assert a._version == 1
    assert b._version == 1
    assert x._version == 1


# a view takes the version that its base has
def test_view_made_after_a_write_has_the_version_of_its_base(device):  # VER-04
    x = torch.zeros([2, 3], device=device)
    x.add_(1)
    x.add_(1)
    v = x.view([6])
    assert v._version == 2


# torch/csrc/autograd/variable.h, make_variable_non_differentiable_view
def test_write_to_a_detached_tensor_counts_for_its_source(device):  # VER-05
    x = torch.zeros([2], device=device)
    d = x.detach()
    d.add_(1)
    assert d._version == 1
    assert x._version == 1
    assert x.tolist() == [1.0, 1.0]


# rfc-0011-final, 'Examples': in the mode, view of a normal tensor: version counter is propagated
def test_detach_in_inference_mode_shares_the_version_counter(device):  # VER-05 F-89
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        d = x.detach()
        d.add_(1)
    assert x._version == 1
    assert d._version == 1


# rfc-0011-final: a view of an inference tensor is an inference tensor, and inference tensors have no version counter
def test_detach_of_an_inference_tensor_outside_the_mode_has_no_version(device):  # VER-06 F-68
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    d = a.detach()
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        d._version


# rfc-0011-final: a view of an inference tensor is an inference tensor, and inference tensors have no version counter
def test_detach_of_an_inference_tensor_inside_the_mode_has_no_version(device):  # VER-06 VER-02 F-22
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        d = a.detach()
    with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
        d._version


# rfc-0011-final, 'The immutable invariant': immutable outside of inference mode, by whatever alias
def test_inference_tensor_cannot_be_written_through_a_detached_tensor_outside_the_mode(device):  # VER-06 INF-05 F-75
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
    d = a.detach()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        d.add_(1)


# rfc-0011-final, 'The algorithm': functional operations are guaranteed to have non-aliasing outputs
def test_result_of_a_functional_op_has_a_version_counter_of_its_own(device):  # VER-07 GEO-26 F-73
    x = torch.zeros([2], device=device)
    x.add_(1)
    y = x.clone()
    z = x.add(x)
    assert y._version == 0
    assert z._version == 0
    y.add_(1)
    z.add_(1)
    z.add_(1)
    assert x._version == 1
    assert y._version == 1
    assert z._version == 2


# rfc-0011-final, 'The algorithm': outside the mode the output is a normal tensor; its first version is free
def test_result_of_inference_tensors_alone_outside_the_mode_can_be_written(device):  # VER-10 INF-04 F-69
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x = a.clone()
    y = a.add(a)
    x.add_(1)
    y.mul_(y)
    assert x.is_inference() is False
    assert x.tolist() == [2.0, 2.0]
    assert y.tolist() == [4.0, 4.0]


# rfc-0011-final, the example kernel add__Tensor: increment_version is unconditional
def test_write_to_a_tensor_without_elements_counts_one_version(device):  # VER-08 F-47
    x = torch.zeros([0], device=device)
    x.add_(1)
    x.zero_()
    assert x._version == 2


# rfc-0011-final, the example kernel add__Tensor: increment_version is unconditional
def test_write_through_an_empty_view_counts_for_its_base(device):  # VER-08 VER-04
    x = torch.zeros([3], device=device)
    v = x.narrow(0, 1, 0)
    v.fill_(1)
    assert x._version == 1
    assert x.tolist() == [0.0, 0.0, 0.0]


# rfc-0011-final, the example kernel add__Tensor: the increment comes after the redispatch, which raises
def test_inplace_op_of_sizes_that_do_not_fit_counts_no_version(device):  # VER-09 GEO-18 F-47
    x = torch.zeros([2], device=device)
    y = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError, match="must match the size of tensor"):
        x.add_(y)
    assert x._version == 0


# rfc-0011-final, the example kernel add__Tensor: the increment comes after the redispatch, which raises
def test_inplace_op_whose_result_type_cannot_be_cast_counts_no_version(device):  # VER-09
    x = torch.arange(3, device=device)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type"):
        x.add_(1.5)
    assert x._version == 0
    assert x.tolist() == [0, 1, 2]


# VariableType's in-place kernels call check_inplace before anything else
def test_inplace_op_that_autograd_refuses_counts_no_version(device):  # AUT-04
    p = torch.zeros([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        p.add_(1)
    assert p._version == 0
    assert p.tolist() == [0.0, 0.0]
