# TLS: the guards below Autograd and ADInplaceOrView, the guards of one key, and the invariants that they can break.
# Tests that name CPU keys make their tensors without device=, so that they pass for every --device.
import pytest
import torch


def kernel(rois):
    scaled = rois.mul(2)
    scaled.add_(1)
    return scaled


# aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowAutograd: autograd_dispatch_keyset, and nothing else
def test_guard_below_autograd_excludes_the_autograd_keys_alone():  # TLS-11 F-65
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False
    with torch._C._AutoDispatchBelowAutograd():
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradNestedTensor) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is False
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False


# draft 1 refuses the second of these views; its kernel does not ask below Autograd
def test_view_op_below_autograd_on_an_inference_tensor_is_allowed(device):  # INF-17
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with torch._C._AutoDispatchBelowAutograd():
        w = a.view([2])
    assert w.is_inference() is True
    v = a.view([2])
    assert v.is_inference() is True


# rfc-0011-final: 'it is legal for only Autograd to be excluded'; ADInplaceOrView counts then as ever
def test_inplace_op_below_autograd_is_counted_and_not_recorded(device):  # TLS-11 VER-03 KEY-06 F-65
    p = torch.ones([2], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowAutograd():
        p.add_(1)
    assert p._version == 1
    assert p.grad_fn is None
    assert p.tolist() == [2.0, 2.0]


# rfc-0011-final, 'InplaceOrView': it tracks view metadata, and it is not excluded
def test_view_made_below_autograd_is_tracked(device):  # TLS-11 VIEW-01 F-65
    x = torch.zeros([2, 3], device=device)
    with torch._C._AutoDispatchBelowAutograd():
        v = x.view([6])
    x.add_(1)
    assert v._is_view() is True
    assert v._base is x
    assert v._version == 1


# rfc-0011-final, 'The algorithm': a functional op is recorded by the Autograd kernel, which does not run
def test_functional_op_below_autograd_is_not_recorded(device):  # TLS-11 KEY-06 F-38
    p = torch.ones([2], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowAutograd():
        y = p.mul(2)
        x = torch.zeros([2], device=device)
        x.fill_(3)
    assert y.requires_grad is False
    assert y.grad_fn is None
    assert x._version == 1


# rfc-0011-final, 'The algorithm': in-place on an inference tensor is refused when ADInplaceOrView runs
def test_inplace_op_on_an_inference_tensor_is_an_error_below_autograd_too(device):  # TLS-11 INF-05 F-76
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with torch._C._AutoDispatchBelowAutograd():
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
            a.mul_(2)


# aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowADInplaceOrView: autograd_dispatch_keyset_with_ADInplaceOrView
def test_guard_below_adinplaceorview_excludes_both_kinds_of_keys():  # TLS-12 F-104
    with torch._C._AutoDispatchBelowADInplaceOrView():
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradNestedTensor) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is False


# rfc-0011-final, 'InplaceOrView': its kernel counts versions, and the Autograd kernel would refuse to write the leaf
def test_inplace_op_below_adinplaceorview_is_neither_counted_nor_recorded(device):  # TLS-12 KEY-06 F-104
    p = torch.ones([2], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        p.add_(1)
    assert p._version == 0
    assert p.is_leaf is True
    assert p.tolist() == [2.0, 2.0]


# inference-mode-docs: 'redispatch under Autograd dispatch keys'; what the kernel computes inside is not recorded
def test_custom_kernel_below_adinplaceorview_records_nothing_of_its_work(device):  # TLS-12 KEY-06 F-104 D-35 D-38
    rois = torch.tensor([4.0, 6.0], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        scaled = kernel(rois)
    assert scaled.tolist() == [9.0, 13.0]
    assert scaled.requires_grad is False
    assert scaled._version == 0
    assert scaled.is_inference() is False


# rfc-0011-final: the immutable invariant holds because ADInplaceOrView runs; below it the write reaches the elements
def test_inference_tensor_can_be_written_below_adinplaceorview(device):  # TLS-12 TLS-14 INF-05 F-78
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        p = torch.ones([2], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        p.copy_(a)
        p.add_(1)
    assert p.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.add_(1)


# rfc-0011-final, 'InplaceOrView': it is responsible for 'view metadata tracking for view ops'
def test_view_made_below_adinplaceorview_is_not_tracked(device):  # VIEW-15 VER-11 F-43
    x = torch.zeros([2, 3], device=device)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        v = x.view([6])
        w = v.select(0, 0)
    assert v._is_view() is False
    assert v._base is None
    assert w._is_view() is False


# rfc-0011-final, 'InplaceOrView': no metadata, so a write through such a view does not give the base a history
def test_recorded_write_through_an_untracked_view_leaves_the_base_without_history(device):  # VIEW-15 AUT-08 GEO-02
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        v = x.view([1, 2])
    v.add_(p)
    assert v.grad_fn is not None
    assert x.grad_fn is None
    assert x.requires_grad is False
    assert x.tolist() == [1.0, 1.0]


# rfc-0011-final, the example kernel expand: as_view, which shares the counter, is in the InplaceOrView kernel
def test_view_made_below_adinplaceorview_counts_for_itself(device):  # VER-11 F-43
    x = torch.zeros([2], device=device)
    x.add_(1)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        v = x.view([1, 2])
    assert v._version == 0
    v.add_(1)
    v.add_(1)
    assert v._version == 2
    assert x._version == 1
    assert x.tolist() == [3.0, 3.0]


# inference-mode-docs: of the two guards, only InferenceMode affects the creation of tensors
def test_tensor_made_below_adinplaceorview_is_normal(device):  # TLS-16 INF-02 INF-04
    with torch._C._AutoDispatchBelowADInplaceOrView():
        x = torch.zeros([2], device=device)
        y = x.add(1)
        assert torch.is_inference_mode_enabled() is False
        assert torch.is_grad_enabled() is True
    assert x.is_inference() is False
    assert y.is_inference() is False


# inference-mode-docs: of the two guards, only InferenceMode affects the creation of tensors
def test_tensor_made_below_autograd_is_normal(device):  # TLS-16 INF-02 INF-04
    with torch.no_grad():
        with torch._C._AutoDispatchBelowAutograd():
            x = torch.zeros([2], device=device)
            y = x.add(1)
            assert torch.is_inference_mode_enabled() is False
            assert torch.is_grad_enabled() is False
    assert x.is_inference() is False
    assert y.is_inference() is False


# aten/src/ATen/core/LegacyTypeDispatch.h: the guards are only about keys, so inside inference mode it stays on
def test_guards_of_keys_leave_inference_mode_on(device):  # TLS-16 TLS-05 INF-02
    with torch.inference_mode():
        with torch._C._AutoDispatchBelowADInplaceOrView():
            a = torch.zeros([2], device=device)
            assert torch.is_inference_mode_enabled() is True
            assert torch.is_grad_enabled() is False
    with torch._C._AutoDispatchBelowAutograd():
        assert torch.is_inference_mode_enabled() is False
    assert a.is_inference() is True


# c10/core/impl/LocalDispatchKeySet.cpp, ExcludeDispatchKeyGuard: only the excluded set gets the key
def test_exclude_guard_adds_its_key_and_leaves_the_included_set():  # TLS-14 TLS-06 F-38
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is False
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True


# rfc-0011-final, 'Dispatcher': the excluded set takes keys from the inputs', so the version is not counted
def test_inplace_op_with_adinplaceorview_excluded_is_recorded_and_not_counted(device):  # TLS-14 AUT-07 F-38
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        x.add_(p)
    assert x._version == 0
    assert x.requires_grad is True
    assert x.grad_fn is not None
    assert x.tolist() == [1.0, 1.0]


# rfc-0011-final: the test for in-place on inference tensors is the InplaceOrView kernel's
def test_inference_tensor_can_be_written_with_adinplaceorview_excluded(device):  # TLS-14 INF-05
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        a.mul_(3)
    assert a.tolist() == [3.0, 3.0]
    assert a.is_inference() is True


# rfc-0011-final, 'Dispatcher': the excluded set takes the Autograd key from the inputs', so nothing is recorded
def test_exclude_guard_of_autograd_keeps_the_op_from_being_recorded():  # TLS-14 KEY-06 F-38
    p = torch.ones([2], requires_grad=True)
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):
        y = p.mul(2)
        p.add_(1)
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradCPU) is True
    assert y.requires_grad is False
    assert p._version == 1


# c10/core/impl/LocalDispatchKeySet.cpp, IncludeDispatchKeyGuard: only the included set gets the key
def test_include_guard_adds_its_key():  # TLS-15 TLS-06 F-37
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.AutogradCPU) is False
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.AutogradCPU) is True
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.AutogradCPU) is False


# rfc-0011-final, 'Dispatcher': the included set adds keys, so the Autograd kernel runs for tensors without that key
def test_included_autograd_key_records_an_op_on_inference_tensors():  # TLS-15 KEY-05 F-37 F-39
    with torch.inference_mode():
        p = torch.ones([2], requires_grad=True)
        a = torch.ones([2])
    x = p.add(a)
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):
        y = p.add(a)
    assert x.requires_grad is False
    assert y.requires_grad is True
    assert y.grad_fn is not None


# rfc-0011-final, 'Dispatcher': excluded keys are also removed from the included set
def test_include_guard_leaves_the_excluded_set():  # TLS-15 KEY-06 F-38
    p = torch.ones([2], requires_grad=True)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.ADInplaceOrView):
            p.add_(1)
            assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
            assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert p._version == 0


# torch/csrc/autograd/variable.cpp, grad_fn of a view: regenerated iff attr_version is not current_version()
def test_recorded_write_that_is_not_counted_leaves_the_view_its_history(device):  # AUT-26 AUT-08 TLS-14
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    v = x.view([1, 2])
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        v.add_(p)
    assert x.grad_fn is not None
    assert v.grad_fn is None
    assert x._version == 0


# torch/csrc/autograd/variable.cpp, grad_fn of a view: regenerated iff attr_version is not current_version()
def test_next_counted_write_gives_the_view_a_history(device):  # AUT-26 AUT-07 TLS-14
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    v = x.view([1, 2])
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        v.add_(p)
    assert v.grad_fn is None
    x.add_(p)
    assert v.grad_fn is not None
    assert v._version == 1


# [tools/autograd/gen_variable_type.py, save_variables: results are saved after the op; saved_variable.cpp]
def test_a_write_below_the_key_cannot_save_its_result_if_that_is_an_inference_tensor(device):  # INF-07
    a = torch.ones([2], requires_grad=True)
    with torch.inference_mode():
        b = torch.zeros([2])
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):
            b.add_(a)
            with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
                b.sqrt_()
    assert b.tolist() == [1.0, 1.0]
