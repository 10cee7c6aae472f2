# VIEW: which views are tracked, their base and creation metadata, and what a write through one then does.
import pytest
import torch


# rfc-0011-final, 'Examples': in the mode, view of a normal tensor: view metadata is recorded
def test_view_of_a_normal_tensor_is_tracked_in_inference_mode(device):  # VIEW-01 F-86 B-16
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    assert v._is_view() is True
    assert v._base is x


# torch/csrc/autograd/variable.h, 'Differentiable View'
def test_view_of_a_normal_tensor_is_tracked_outside_the_mode(device):  # VIEW-01 KEY-07 F-50 F-53 A-09
    x = torch.zeros([2, 3], device=device)
    v = x.view([6])
    assert v._is_view() is True
    assert v._base is x
    assert x._is_view() is False
    assert x._base is None
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.DEFAULT


# narrow is composite: it runs as slice, which is tracked
def test_composite_view_is_tracked_like_the_view_that_it_runs_as(device):  # VIEW-01 VIEW-05
    x = torch.zeros([2, 3], device=device)
    with torch.no_grad():
        v = x.narrow(1, 0, 2)
    assert v._base is x
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.NO_GRAD_MODE


# rfc-0011-final, 'Examples': outside, view of an inference tensor: view metadata is not recorded
def test_view_of_an_inference_tensor_is_not_tracked_outside_the_mode(device):  # VIEW-02 F-94 A-48
    with torch.inference_mode():
        a = torch.zeros([2, 3], device=device)
    v = a.view([6])
    assert v._is_view() is False
    assert v._base is None
    assert torch._C._is_alias_of(a, v) is True


# rfc-0011-final, 'Examples': in the mode, view of an inference tensor: view metadata is not recorded
def test_view_of_an_inference_tensor_is_not_tracked_in_inference_mode(device):  # VIEW-02 INF-02 F-02 F-06 F-30 F-90 D-02 D-15
    with torch.inference_mode():
        a = torch.zeros([2, 3], device=device)
        v = a.view([6])
    assert v._is_view() is False
    assert v._base is None


# torch/csrc/autograd/variable.h, DifferentiableViewMeta: the base is never itself a view
def test_base_of_a_view_of_a_view_is_the_first_tensor(device):  # VIEW-03
    x = torch.zeros([2, 3], device=device)
    v = x.view([6])
    w = v.unsqueeze(0)
    assert w._base is x
    assert w._base is not v


# torch/csrc/autograd/variable.h, DifferentiableViewMeta: the base is never itself a view
def test_base_of_a_view_of_a_view_is_the_first_tensor_in_inference_mode(device):  # VIEW-03 VIEW-01 F-86 B-28
    x = torch.zeros([2, 3], device=device)
    v = x.view([6])
    with torch.inference_mode():
        w = v.unsqueeze(0)
    assert w._base is x


# rfc-0011-final, 'Examples': creation meta is set to INFERENCE_MODE
def test_view_made_in_inference_mode_has_creation_metadata_inference_mode(device):  # VIEW-04 F-88 A-37
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# gen_inplace_or_view_type.py, get_creation_meta_in_mode is also used for an op with several results
def test_one_of_several_views_made_in_inference_mode_has_inference_mode(device):  # VIEW-04 VIEW-06 F-88
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        a, b = x.split(1)
    assert torch._C._autograd._get_creation_meta(a) == torch._C._autograd.CreationMeta.INFERENCE_MODE
    assert torch._C._autograd._get_creation_meta(b) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# rfc-0011-final, the example kernel expand
def test_view_made_in_no_grad_mode_has_creation_metadata_no_grad_mode(device):  # VIEW-05 F-52 A-11
    x = torch.zeros([2, 3], device=device)
    with torch.no_grad():
        v = x.expand([2, 3])
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.NO_GRAD_MODE


# gen_inplace_or_view_type.py: grad mode is asked before MULTI_OUTPUT_NODE
def test_one_of_several_views_made_in_no_grad_mode_has_no_grad_mode(device):  # VIEW-05 VIEW-06
    x = torch.zeros([2, 3], device=device)
    with torch.no_grad():
        a, b = x.unbind(0)
    assert torch._C._autograd._get_creation_meta(a) == torch._C._autograd.CreationMeta.NO_GRAD_MODE
    assert torch._C._autograd._get_creation_meta(b) == torch._C._autograd.CreationMeta.NO_GRAD_MODE


# torch/csrc/autograd/variable.h, CreationMeta::MULTI_OUTPUT_NODE
def test_one_of_several_views_has_creation_metadata_multi_output_node(device):  # VIEW-06
    x = torch.zeros([2, 3], device=device)
    a, b = x.split(1)
    c, d = x.unbind(0)
    assert torch._C._autograd._get_creation_meta(a) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE
    assert torch._C._autograd._get_creation_meta(b) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE
    assert torch._C._autograd._get_creation_meta(c) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE
    assert torch._C._autograd._get_creation_meta(d) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE


# an op that returns a list of one tensor still returns a list
def test_the_only_view_of_a_list_has_creation_metadata_multi_output_node(device):  # VIEW-06
    x = torch.zeros([2, 3], device=device)
    a, = x.split(2)
    assert list(a.shape) == [2, 3]
    assert torch._C._autograd._get_creation_meta(a) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE


# torch/csrc/autograd/variable.h, propagate_creation_meta
def test_view_of_a_view_made_in_no_grad_mode_inherits_no_grad_mode(device):  # VIEW-07
    x = torch.zeros([2, 3], device=device)
    with torch.no_grad():
        v = x.view([6])
    w = v.unsqueeze(0)
    assert torch._C._autograd._get_creation_meta(w) == torch._C._autograd.CreationMeta.NO_GRAD_MODE


# torch/csrc/autograd/variable.h, propagate_creation_meta
def test_view_of_a_view_made_in_inference_mode_inherits_inference_mode(device):  # VIEW-07
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    w = v.unsqueeze(0)
    assert torch._C._autograd._get_creation_meta(w) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# torch/csrc/autograd/variable.h, propagate_creation_meta
def test_view_of_one_of_several_views_inherits_multi_output_node(device):  # VIEW-07
    x = torch.zeros([2, 3], device=device)
    a, b = x.split(1)
    w = a.view([3])
    assert torch._C._autograd._get_creation_meta(w) == torch._C._autograd.CreationMeta.MULTI_OUTPUT_NODE


# torch/csrc/autograd/variable.h, propagate_creation_meta: the new view's own metadata, if it is not DEFAULT, stands
def test_view_made_in_no_grad_mode_of_one_of_several_views_has_no_grad_mode(device):  # VIEW-05 VIEW-07
    x = torch.zeros([2, 3], device=device)
    a, b = x.split(1)
    with torch.no_grad():
        w = a.view([3])
    assert torch._C._autograd._get_creation_meta(w) == torch._C._autograd.CreationMeta.NO_GRAD_MODE


# torch/csrc/autograd/variable.h, propagate_creation_meta: INFERENCE_MODE of the source is kept before anything else
def test_view_made_in_no_grad_mode_of_a_view_made_in_inference_mode_keeps_inference_mode(device):  # VIEW-14 VIEW-07
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    with torch.no_grad():
        w = v.unsqueeze(0)
    assert torch._C._autograd._get_creation_meta(w) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# torch/csrc/autograd/variable.h, propagate_creation_meta: INFERENCE_MODE of the source is kept before anything else
def test_one_of_several_views_of_a_view_made_in_inference_mode_keeps_inference_mode(device):  # VIEW-14 VIEW-07
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    a, b = v.split(3)
    assert torch._C._autograd._get_creation_meta(a) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# rfc-0011-final: the creation metadata forbids in-place modification with tensors that require grad
def test_recorded_write_through_a_view_made_in_inference_mode_is_an_error(device):  # VIEW-08 F-63
    x = torch.zeros([2, 3], device=device)
    p = torch.ones([6], device=device, requires_grad=True)
    with torch.inference_mode():
        v = x.view([6])
    with pytest.raises(RuntimeError, match="created in inference mode and is being modified inplace"):
        v.add_(p)
    assert x._version == 0
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


# torch/csrc/autograd/variable.h, 'View + Inplace detection'
def test_recorded_write_through_a_view_made_in_no_grad_mode_is_an_error(device):  # VIEW-08
    p = torch.ones([2, 3], device=device, requires_grad=True)
    x = p.clone()
    with torch.no_grad():
        v = x.view([6])
    with pytest.raises(RuntimeError, match="created in no_grad mode and is being modified inplace"):
        v.add_(1)
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


# torch/csrc/autograd/variable.h, 'View + Inplace detection': MULTI_OUTPUT_NODE
def test_recorded_write_through_one_of_several_views_is_an_error(device):  # VIEW-08 VIEW-06
    p = torch.ones([2, 3], device=device, requires_grad=True)
    x = p.clone()
    a, b = x.unbind(0)
    with pytest.raises(RuntimeError, match="is the output of a function that returns multiple views"):
        b.add_(1)


# torch/csrc/autograd/variable.h, propagate_creation_meta
def test_recorded_write_through_a_view_that_inherited_no_grad_mode_is_an_error(device):  # VIEW-08 VIEW-07
    p = torch.ones([2, 3], device=device, requires_grad=True)
    x = p.clone()
    with torch.no_grad():
        v = x.view([6])
    w = v.view([3, 2])
    with pytest.raises(RuntimeError, match="created in no_grad mode and is being modified inplace"):
        w.zero_()


# VariableTypeUtils.h, can_mutate_inplace: creation metadata is asked before leaves
def test_creation_metadata_is_asked_before_the_leaf(device):  # VIEW-08 AUT-05
    p = torch.ones([2, 3], device=device, requires_grad=True)
    with torch.no_grad():
        v = p.view([6])
    with pytest.raises(RuntimeError, match="created in no_grad mode and is being modified inplace"):
        v.add_(1)


# rfc-0011-final: forbidden with requires_grad=True tensors
def test_write_through_a_view_made_in_inference_mode_is_allowed_where_nothing_requires_grad(device):  # VIEW-09 F-63
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
    v.add_(1)
    assert x._version == 1
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


# VariableTypeUtils.h, can_mutate_inplace: nothing is checked if grad mode is off
def test_write_through_a_view_made_in_no_grad_mode_is_allowed_in_no_grad_mode(device):  # VIEW-09
    p = torch.ones([2, 3], device=device, requires_grad=True)
    with torch.no_grad():
        v = p.view([6])
        v.add_(1)
    assert p._version == 1
    assert p.tolist() == [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]


# rfc-0011-final, 'Goals': what inference mode allows behaves as in no grad mode
def test_write_through_a_view_made_in_inference_mode_is_allowed_there(device):  # VIEW-09 VER-03
    p = torch.ones([2, 3], device=device, requires_grad=True)
    x = p.clone()
    with torch.inference_mode():
        v = x.view([6])
        v.zero_()
    assert x.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert x._version == 1
    assert x.requires_grad is True


# VariableTypeUtils.h, can_mutate_inplace: nothing is checked if nothing requires grad
def test_write_through_one_of_several_views_is_allowed_where_nothing_requires_grad(device):  # VIEW-09 F-60
    x = torch.zeros([2, 2], device=device)
    a, b = x.unbind(0)
    b.add_(1)
    assert x.tolist() == [[0.0, 0.0], [1.0, 1.0]]


# torch/csrc/autograd/variable.h, 'Non-Differentiable View'
def test_detached_tensor_is_no_view(device):  # VIEW-10
    x = torch.zeros([2], device=device)
    d = x.detach()
    assert d._is_view() is False
    assert d._base is None
    assert torch._C._is_alias_of(x, d) is True


# torch/csrc/autograd/variable.h, 'Non-Differentiable View'
def test_detached_view_is_no_view(device):  # VIEW-10
    x = torch.zeros([2, 3], device=device)
    v = x.select(0, 1)
    with torch.inference_mode():
        d = v.detach()
    assert d._is_view() is False
    assert d._base is None
    assert d.storage_offset() == 3


# a detached tensor is the base of its own views
def test_view_of_a_detached_tensor_has_it_as_base(device):  # VIEW-10 VIEW-03
    x = torch.zeros([2, 3], device=device)
    d = x.detach()
    v = d.view([6])
    assert v._base is d


# torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: handle_view_on_rebase, indirect
def test_history_of_a_view_made_in_no_grad_mode_is_an_error_after_a_recorded_write(device):  # VIEW-11
    x = torch.zeros([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        v = x.view([2])
    x.add_(p)
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified inplace"):
        v.grad_fn


# torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: handle_view_on_rebase, indirect
def test_history_of_a_view_made_in_inference_mode_is_an_error_after_a_recorded_write(device):  # VIEW-11
    x = torch.zeros([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        v = x.view([2])
    x.add_(p)
    with pytest.raises(RuntimeError, match="created in inference mode and its base or another view"):
        v.grad_fn
    with pytest.raises(RuntimeError, match="created in inference mode and its base or another view"):
        v.is_leaf


# torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: 'regenerate grad_fn'
def test_history_of_a_default_view_is_regenerated_after_a_recorded_write(device):  # VIEW-12 F-50
    x = torch.zeros([2, 3], device=device)
    p = torch.ones([2, 3], device=device, requires_grad=True)
    v = x.view([6])
    assert v.grad_fn is None
    x.add_(p)
    assert v.grad_fn is not None
    assert v.is_leaf is False
    assert v.requires_grad is True


# torch/csrc/autograd/variable.cpp, VariableHooks::grad_fn: 'regenerate grad_fn'
def test_history_of_another_view_is_regenerated_after_a_recorded_write_through_a_view(device):  # VIEW-12 AUT-08
    x = torch.zeros([2, 3], device=device)
    p = torch.ones([3], device=device, requires_grad=True)
    v = x.select(0, 0)
    w = x.select(0, 1)
    v.add_(p)
    assert w.grad_fn is not None
    assert w.requires_grad is True


# gen_inplace_or_view_type.py, get_creation_meta_in_mode: inference mode is asked before grad mode
def test_view_made_in_enable_grad_inside_inference_mode_has_inference_mode(device):  # VIEW-13 F-88
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        with torch.enable_grad():
            v = x.view([6])
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.INFERENCE_MODE


# inference-mode-docs: inside InferenceMode(false) InferenceMode is off
def test_view_made_in_inference_mode_false_has_default(device):  # VIEW-13 TLS-04
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        with torch.inference_mode(False):
            v = x.view([6])
    assert torch._C._autograd._get_creation_meta(v) == torch._C._autograd.CreationMeta.DEFAULT


# torch/csrc/autograd/variable.h: an in-place view op leaves the base as it is
def test_in_place_view_op_on_a_view_keeps_its_base(device):  # VIEW-01 KEY-07 GEO-05
    x = torch.zeros([2, 3], device=device)
    v = x.view([3, 2])
    v.transpose_(0, 1)
    assert v._base is x
    assert list(v.shape) == [2, 3]
    assert v.stride() == (1, 2)
    assert list(x.shape) == [2, 3]


# rfc-0011-final: the creation metadata forbids 'subsequent inplace modification', and nothing else
def test_view_made_in_inference_mode_may_be_read_outside_the_mode(device):  # INF-18 F-63 A-31
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.full([2, 2], 3.0, device=device)
    with torch.inference_mode():
        v = x.select(0, 0)
    y = v.mul(p)
    z = torch.zeros([2], device=device)
    z.copy_(v)
    assert y.tolist() == [3.0, 3.0]
    assert z.tolist() == [3.0, 3.0]
    assert y.requires_grad is True


# rfc-0011-final, 'Inference mode': the view is a normal tensor, so it may be saved for backward
def test_view_made_in_inference_mode_may_be_cloned_and_saved_outside_the_mode(device):  # INF-18 INF-07 F-87
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.full([2, 2], 3.0, device=device)
    with torch.inference_mode():
        v = x.select(0, 0)
    y = p.mul(v)
    c = v.clone()
    c.add_(1)
    assert y.requires_grad is True
    assert c.tolist() == [4.0, 4.0]
    assert x.tolist() == [[3.0, 3.0], [3.0, 3.0]]
