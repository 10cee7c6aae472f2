# TLS: inference mode and grad mode, their guards, and the thread's key sets inside and after them.
import pytest
import torch


# rfc-0011-final, 'InplaceOrView': part of the default TLS included set
def test_adinplaceorview_is_included_by_default():  # TLS-01 F-54 A-28
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch.is_inference_mode_enabled() is False
    assert torch.is_grad_enabled() is True


# c10/core/DispatchKeySet.h, default_included_set
def test_backend_select_is_included_in_and_out_of_the_mode():  # TLS-03
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.BackendSelect) is True
    with torch.inference_mode():
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.BackendSelect) is True
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is False


# rfc-0011-final, 'The algorithm': Autograd is added to the TLS excluded set
def test_inference_mode_excludes_the_autograd_keys():  # TLS-02 F-61
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False
    with torch.inference_mode():
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True


# c10/core/DispatchKeySet.h, autograd_dispatch_keyset: AutogradFunctionality, AutogradOther, AutogradNestedTensor
def test_inference_mode_excludes_every_autograd_key():  # TLS-02 F-42 F-61
    with torch.inference_mode():
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradNestedTensor) is True


# inference-mode-docs: no operation records grad_fn, even if grad mode is turned on again
def test_autograd_kernel_does_not_run_in_inference_mode(device):  # TLS-02 KEY-06 F-28 F-56 D-26
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        with torch.set_grad_enabled(True):
            p.add_(1)
    assert p.grad_fn is None
    assert p.is_leaf is True
    assert p.tolist() == [2.0, 2.0]


# rfc-0011-final, 'The algorithm': InplaceOrView is removed from the TLS included set
def test_inference_mode_removes_adinplaceorview_from_the_included_set():  # TLS-03 F-56 F-62
    with torch.inference_mode():
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is False
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.ADInplaceOrView) is False


# inference-mode-docs, the nested example: InferenceMode is off
def test_inference_mode_false_inside_inference_mode_turns_it_off():  # TLS-04 D-29 A-28
    with torch.inference_mode():
        with torch.inference_mode(False):
            assert torch.is_inference_mode_enabled() is False
            assert torch.is_grad_enabled() is True


# c10/core/InferenceMode.h, InferenceMode: included.add(ADInplaceOrView), excluded - autograd_dispatch_keyset
def test_inference_mode_false_inside_inference_mode_restores_the_key_sets():  # TLS-04
    with torch.inference_mode():
        with torch.inference_mode(False):
            assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
            assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False


# inference-mode-docs, the nested example: InferenceMode is off
def test_tensors_made_in_inference_mode_false_are_normal(device):  # TLS-04 INF-02 D-32
    with torch.inference_mode():
        with torch.inference_mode(False):
            x = torch.zeros([2], device=device)
            x.add_(1)
    assert x.is_inference() is False
    assert x._version == 1


# inference-mode-docs, the nested example: InferenceMode is off
def test_ops_in_inference_mode_false_are_recorded(device):  # TLS-04 TLS-05
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        with torch.inference_mode(False):
            y = p.add(1)
    assert y.requires_grad is True
    assert y.grad_fn is not None


# rfc-0011-final, 'Goals': semantically equivalent to NoGradMode
def test_inference_mode_turns_grad_mode_off():  # TLS-05 F-01
    with torch.inference_mode():
        assert torch.is_grad_enabled() is False
    assert torch.is_grad_enabled() is True


# c10/core/InferenceMode.h, InferenceMode: AutogradState's grad mode is !enabled
def test_inference_mode_false_turns_grad_mode_on():  # TLS-05
    with torch.no_grad():
        with torch.inference_mode(False):
            assert torch.is_grad_enabled() is True
        assert torch.is_grad_enabled() is False


# inference-mode-docs, the nested example: after the inner guard InferenceMode is on
def test_leaving_inference_mode_false_returns_to_inference_mode():  # TLS-06 D-33 D-34
    with torch.inference_mode():
        with torch.inference_mode(False):
            assert torch.is_inference_mode_enabled() is False
        assert torch.is_inference_mode_enabled() is True
    assert torch.is_inference_mode_enabled() is False


# inference-mode-docs, the nested example; InferenceMode's destructor sets the saved key sets
def test_leaving_inference_mode_false_restores_the_key_sets():  # TLS-06
    with torch.inference_mode():
        with torch.inference_mode(False):
            pass
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is False
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True


# c10/core/InferenceMode.h, ~InferenceMode: the AutogradState that was found is restored
def test_leaving_inference_mode_restores_no_grad():  # TLS-06 D-01
    with torch.no_grad():
        with torch.inference_mode():
            assert torch.is_grad_enabled() is False
        assert torch.is_grad_enabled() is False
    assert torch.is_grad_enabled() is True


# c10/core/GradMode.h, AutoGradMode: the destructor restores prev_mode
def test_leaving_enable_grad_restores_no_grad():  # TLS-06
    with torch.no_grad():
        with torch.enable_grad():
            assert torch.is_grad_enabled() is True
        assert torch.is_grad_enabled() is False


# rfc-0011-final: an RAII guard, enabled for a given block of code
def test_error_inside_inference_mode_leaves_the_mode():  # TLS-07 F-01 F-18 D-01 D-04
    x = torch.zeros([2, 3])
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        with torch.inference_mode():
            x.view([4])
    assert torch.is_inference_mode_enabled() is False
    assert torch.is_grad_enabled() is True
    assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False


# c10/core/GradMode.h, AutoGradMode: a destructor runs on an exception too
def test_error_inside_no_grad_leaves_it(device):  # TLS-07
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        with torch.no_grad():
            x.view([4])
    assert torch.is_grad_enabled() is True


# rfc-0011-final: an RAII guard, enabled for a given block of code
def test_error_inside_nested_guards_leaves_them_up_to_the_handler(device):  # TLS-07 TLS-06 F-18
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
            with torch.inference_mode(False):
                x.view([4])
        assert torch.is_inference_mode_enabled() is True
        assert torch.is_grad_enabled() is False


# rfc-0011-final: an RAII guard; a tensor made after it is not an inference tensor
def test_tensor_made_after_an_error_inside_inference_mode_is_normal(device):  # TLS-07 INF-02 F-18 D-04
    x = torch.zeros([2, 3], device=device)
    with pytest.raises(RuntimeError, match="is invalid for input of size 6"):
        with torch.inference_mode():
            x.view([4])
    y = torch.zeros([2], device=device)
    assert y.is_inference() is False


# c10/core/GradMode.h, AutoGradMode sets only grad mode
def test_enable_grad_in_inference_mode_leaves_the_autograd_keys_excluded():  # TLS-08 F-66
    with torch.inference_mode():
        with torch.enable_grad():
            assert torch.is_grad_enabled() is True
            assert torch.is_inference_mode_enabled() is True
            assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is False
            assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is True


# inference-mode-docs: inside the block no operation records grad_fn
def test_enable_grad_in_inference_mode_records_nothing(device):  # TLS-08 TLS-02 KEY-06 D-13
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        with torch.enable_grad():
            y = p.add(1)
    assert y.grad_fn is None
    assert y.is_inference() is True


# c10/core/GradMode.h, AutoGradMode sets only grad mode
def test_no_grad_leaves_both_key_sets_as_they_are():  # TLS-08 TLS-01
    with torch.no_grad():
        assert torch.is_grad_enabled() is False
        assert torch._C._dispatch_tls_local_include_set().has(torch._C.DispatchKey.ADInplaceOrView) is True
        assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutogradOther) is False


# torch.set_grad_enabled: "True to enable grad, False to disable"
def test_set_grad_enabled_sets_grad_mode_both_ways():  # TLS-08 TLS-06
    with torch.set_grad_enabled(False):
        assert torch.is_grad_enabled() is False
        with torch.set_grad_enabled(True):
            assert torch.is_grad_enabled() is True
        assert torch.is_grad_enabled() is False
    assert torch.is_grad_enabled() is True


# rfc-0011-final: the bit is the mode's, and no_grad is not inference mode
def test_tensor_made_in_no_grad_mode_is_normal(device):  # INF-02 TLS-08
    with torch.no_grad():
        x = torch.zeros([2], device=device)
        y = x.add(1)
        with torch.inference_mode():
            a = torch.zeros([2], device=device)
    assert x.is_inference() is False
    assert y.is_inference() is False
    assert a.is_inference() is True


# c10/core/DispatchKeySet.h, default_excluded_set
def test_autocast_keys_are_excluded_by_default():  # TLS-09
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastCPU) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastCUDA) is True


# c10/core/DispatchKeySet.h, default_excluded_set: autocast_dispatch_keyset, which in 1.13 has three backends
def test_autocast_keys_of_every_backend_are_excluded_by_default():  # TLS-09
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastXPU) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastIPU) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastHPU) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastMPS) is True
    assert torch._C._dispatch_tls_local_exclude_set().has(torch._C.DispatchKey.AutocastPrivateUse1) is True


# inference-mode-docs: states can be nested
def test_inference_mode_inside_inference_mode_is_inference_mode():  # TLS-10 D-29
    with torch.inference_mode():
        with torch.inference_mode():
            assert torch.is_inference_mode_enabled() is True
            assert torch.is_grad_enabled() is False
        assert torch.is_inference_mode_enabled() is True
    assert torch.is_inference_mode_enabled() is False


# inference-mode-docs: states can be nested
def test_tensor_made_in_the_inner_of_two_inference_modes_is_an_inference_tensor(device):  # TLS-10 INF-02
    with torch.inference_mode():
        with torch.inference_mode(True):
            a = torch.zeros([2], device=device)
    assert a.is_inference() is True


# inference-mode-docs: states can be nested, to any depth
def test_three_nested_guards_alternate_the_mode():  # TLS-04 TLS-06 D-29
    with torch.inference_mode():
        with torch.inference_mode(False):
            with torch.inference_mode():
                assert torch.is_inference_mode_enabled() is True
            assert torch.is_inference_mode_enabled() is False
        assert torch.is_inference_mode_enabled() is True


# c10/core/InferenceMode.h: InferenceMode(false) acts outside the mode, too: it sets normal mode, grad mode included
def test_inference_mode_false_outside_the_mode_is_normal_mode(device):  # TLS-04 TLS-05
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        with torch.inference_mode(False):
            y = p.add(1)
            assert torch.is_inference_mode_enabled() is False
    assert y.is_inference() is False
    assert y.requires_grad is True
