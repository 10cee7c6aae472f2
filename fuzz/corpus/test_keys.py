# KEY: the dispatch keys that tensors carry, and how the keys of a call are computed from them.
# Tests that name CPU keys make their tensors without device=, so that they pass for every --device.
import pytest
import torch


# VariableType's in-place kernels call check_inplace first; the version check of ADInplaceOrView comes after it
def test_autograd_kernel_runs_before_the_adinplaceorview_kernel(device):  # KEY-01 AUT-04 INF-10 F-35
    with torch.inference_mode():
        p = torch.zeros([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        p.add_(1)


# rfc-0011-final, 'Autograd': a set of keys, one a backend
def test_normal_tensor_carries_the_autograd_key_of_its_backend():  # KEY-02 F-42
    x = torch.zeros([2])
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutogradCPU) is True
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutogradOther) is False


# rfc-0011-final, 'Autograd': prior to the proposal all tensors have the key; normal tensors keep it
def test_tensor_that_requires_no_grad_carries_the_autograd_key_too():  # KEY-02 KEY-10 F-40 A-23
    x = torch.zeros([2])
    p = torch.zeros([2], requires_grad=True)
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutogradCPU) is True
    assert torch._C._dispatch_keys(p).has(torch._C.DispatchKey.AutogradCPU) is True


# rfc-0011-final, 'InplaceOrView': associated with normal tensors
def test_normal_tensor_carries_adinplaceorview():  # KEY-03 F-55 F-70 A-23
    x = torch.zeros([2])
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.ADInplaceOrView) is True


# rfc-0011-final, 'InplaceOrView': the kernels run for normal tensors even if the key is not in the included set
def test_adinplaceorview_of_the_tensor_itself_runs_in_inference_mode(device):  # KEY-03 VER-03 F-43 F-55 F-84 B-36
    x = torch.zeros([2], device=device)
    y = torch.zeros([2], device=device)
    with torch.inference_mode():
        x.copy_(y)
        v = x.view([1, 2])
    assert x._version == 1
    assert v._is_view() is True


# rfc-0011-final, 'Dispatcher': keys are unioned from all inputs
def test_second_argument_brings_its_autograd_key(device):  # KEY-04 F-36
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    y = torch.add(a, p)
    assert y.requires_grad is True
    assert y.grad_fn is not None


# rfc-0011-final, 'Dispatcher': keys are unioned from all inputs
def test_first_argument_brings_its_autograd_key(device):  # KEY-04 AUT-13
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    y = torch.add(p, a)
    assert y.requires_grad is True
    assert y.grad_fn is not None


# rfc-0011-final, 'InplaceOrView': part of the default TLS included set, so always run
def test_included_set_brings_adinplaceorview_to_an_op_on_an_inference_tensor(device):  # KEY-05 TLS-01 INF-05 F-37 F-54 F-78
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.zero_()


# rfc-0011-final, 'Dispatcher': the excluded set removes keys from both sources
def test_excluded_set_removes_the_keys_of_the_arguments(device):  # KEY-06 TLS-02 F-38
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        with torch.enable_grad():
            y = p.mul(p)
    assert y.requires_grad is False
    assert y.is_inference() is True


# rfc-0011-final, 'The algorithm': only Autograd is excluded while an Autograd kernel runs
def test_autograd_kernel_goes_on_to_the_adinplaceorview_kernel(device):  # KEY-07 F-17 F-65
    x = torch.zeros([2], device=device)
    y = torch.zeros([2], device=device)
    x.copy_(y)
    assert x._version == 1


# rfc-0011-final, 'The algorithm': only Autograd is excluded while an Autograd kernel runs
def test_view_op_passes_both_kernels_and_is_recorded_and_tracked(device):  # KEY-07 AUT-14 F-17 F-43
    p = torch.zeros([2], device=device, requires_grad=True)
    v = p.view([1, 2])
    assert v.grad_fn is not None
    assert v._is_view() is True
    assert v._base is p


# rfc-0011-final, 'InplaceOrView': a fallthrough kernel for all other operators
def test_functional_op_counts_no_version(device):  # KEY-08 F-45
    x = torch.ones([2], device=device)
    y = torch.ones([2], device=device)
    z = torch.add(x, y)
    assert x._version == 0
    assert y._version == 0
    assert z._version == 0


# rfc-0011-final, 'InplaceOrView': a fallthrough kernel for all other operators
def test_functional_op_on_a_normal_tensor_in_inference_mode_counts_no_version(device):  # KEY-08 F-45
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        y = x.clone()
        z = x.sum()
    assert x._version == 0
    assert y.is_inference() is True
    assert z.is_inference() is True


# rfc-0011-final, 'InplaceOrView': a fallthrough kernel for all other operators
def test_functional_op_on_inference_tensors_is_allowed_outside_the_mode(device):  # KEY-08 INF-04
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    y = torch.add(a, a)
    assert y.is_inference() is False
    assert y.tolist() == [2.0, 2.0]


# c10/core/TensorImpl.cpp, TensorImpl: the Autocast key is added whatever the mode, the Autograd keys are not
def test_normal_and_inference_tensors_carry_their_autocast_key():  # KEY-09
    x = torch.zeros([2])
    with torch.inference_mode():
        a = torch.zeros([2])
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.AutocastCPU) is True
    assert torch._C._dispatch_keys(a).has(torch._C.DispatchKey.AutocastCPU) is True


# rfc-0011-final, 'The algorithm': the keys are only added in the TensorImpl constructor if inference mode is off
def test_inference_tensor_carries_neither_autograd_nor_adinplaceorview():  # INF-01 INF-02 F-67 F-70
    with torch.inference_mode():
        a = torch.zeros([2])
    assert torch._C._dispatch_keys(a).has(torch._C.DispatchKey.AutogradCPU) is False
    assert torch._C._dispatch_keys(a).has(torch._C.DispatchKey.ADInplaceOrView) is False
    assert torch._C._dispatch_keys(a).has(torch._C.DispatchKey.CPU) is True


# rfc-0011-final, 'The algorithm': the dispatch key set is propagated from the base tensor to the view tensor
def test_view_carries_the_keys_of_its_base_in_inference_mode():  # INF-03 KEY-02 KEY-03 F-40 F-72
    x = torch.zeros([2])
    with torch.inference_mode():
        v = x.view([1, 2])
    assert torch._C._dispatch_keys(v).has(torch._C.DispatchKey.AutogradCPU) is True
    assert torch._C._dispatch_keys(v).has(torch._C.DispatchKey.ADInplaceOrView) is True


# rfc-0011-final, 'The algorithm': the dispatch key set is propagated from the base tensor to the view tensor
def test_view_of_an_inference_tensor_gains_no_keys_outside_the_mode():  # INF-03 F-72
    with torch.inference_mode():
        a = torch.zeros([2])
    v = a.view([1, 2])
    assert torch._C._dispatch_keys(v).has(torch._C.DispatchKey.AutogradCPU) is False
    assert torch._C._dispatch_keys(v).has(torch._C.DispatchKey.ADInplaceOrView) is False
