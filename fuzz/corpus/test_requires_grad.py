# AUT: requires_grad, leaves, and whether there is a grad_fn.
import pytest
import torch


# rfc-0011-final, 'Performance guarantees': like NoGradMode
def test_op_in_no_grad_mode_is_not_recorded(device):  # AUT-01 F-28 D-13 A-10
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        y = p.mul(p)
    assert y.grad_fn is None
    assert y.requires_grad is False


# rfc-0011-final: all operations do not record grad_fn, even if requires_grad=True
def test_op_in_inference_mode_is_not_recorded(device):  # TLS-02 AUT-01 F-06 F-28 F-29 D-02 D-13 D-14
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        y = p.mul(p)
        q = torch.ones([2], device=device, requires_grad=True)
        z = q.mul(q)
        with torch.enable_grad():
            w = p.mul(q)
    assert w.grad_fn is None
    assert y.grad_fn is None
    assert y.requires_grad is False
    assert z.grad_fn is None
    assert z.requires_grad is False


# rfc-0011-final, 'Autograd': when any of their inputs require_grad
def test_op_on_tensors_that_require_no_grad_is_not_recorded(device):  # AUT-02 F-39
    x = torch.ones([2], device=device)
    y = x.add(x)
    assert y.grad_fn is None
    assert y.requires_grad is False


# rfc-0011-final, 'Autograd': when any of their inputs require_grad
def test_op_with_one_argument_that_requires_grad_is_recorded(device):  # AUT-02 AUT-13 F-39
    x = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    y = x.add(p)
    assert y.grad_fn is not None
    assert y.requires_grad is True


# torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf
def test_tensor_without_grad_fn_is_a_leaf_whether_it_requires_grad_or_not(device):  # AUT-03
    x = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(1)
    assert x.is_leaf is True
    assert p.is_leaf is True
    assert y.is_leaf is False


# torch/csrc/autograd/variable.cpp, VariableHooks::is_leaf
def test_inference_tensor_that_requires_grad_is_a_leaf(device):  # AUT-03 INF-10
    with torch.inference_mode():
        p = torch.ones([2], device=device, requires_grad=True)
        assert p.is_leaf is True
    assert p.is_leaf is True
    assert p.grad_fn is None


# VariableTypeUtils.h, check_inplace: asked before the kernel is called
def test_inplace_op_on_a_leaf_that_requires_grad_is_an_error(device):  # AUT-04
    p = torch.zeros([2], device=device, requires_grad=True)
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        p.copy_(x)
    assert p.tolist() == [0.0, 0.0]
    assert p.grad_fn is None


# VariableTypeUtils.h, can_mutate_inplace: nothing is checked if grad mode is off
def test_inplace_op_on_a_leaf_that_requires_grad_is_allowed_in_inference_mode(device):  # AUT-01 AUT-04 VER-03
    p = torch.zeros([2], device=device, requires_grad=True)
    with torch.inference_mode():
        p.add_(1)
    assert p.tolist() == [1.0, 1.0]
    assert p._version == 1
    assert p.is_leaf is True


# VariableTypeUtils.h, check_inplace
def test_inplace_op_on_a_view_of_a_leaf_that_requires_grad_is_an_error(device):  # AUT-05
    p = torch.zeros([2, 3], device=device, requires_grad=True)
    v = p.select(0, 0)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used"):
        v.add_(1)
    assert p.tolist() == [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    assert p._version == 0


# rfc-0011-final, 'Edge case': in no grad mode the setting propagates to views
def test_requires_grad_set_on_a_base_reaches_its_views(device):  # AUT-06 F-97 F-98
    with torch.no_grad():
        x = torch.zeros([2], device=device)
        y = x.view([2])
        x.requires_grad = True
    assert y.requires_grad is True


# torch/csrc/autograd/variable.h, DifferentiableViewMeta::requires_grad
def test_requires_grad_set_on_a_base_reaches_views_of_views_made_in_inference_mode(device):  # AUT-06 VIEW-01
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
        w = v.unsqueeze(0)
    x.requires_grad_(True)
    assert v.requires_grad is True
    assert w.requires_grad is True


# rfc-0011-final, 'Edge case': inference mode does not track view metadata and cannot implement this propagation
def test_requires_grad_set_on_an_inference_tensor_does_not_reach_its_views(device):  # AUT-06 VIEW-02 INF-09 F-99
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        v = a.view([1, 2])
        a.requires_grad = True
    assert a.requires_grad is True
    assert v.requires_grad is False


# torch/csrc/autograd/variable.h, DifferentiableViewMeta::requires_grad: a base's flag off again is off for its views
def test_requires_grad_taken_back_from_a_base_is_taken_back_from_its_views(device):  # AUT-06
    x = torch.zeros([2], device=device)
    v = x.view([2])
    x.requires_grad = True
    assert v.requires_grad is True
    x.requires_grad = False
    assert v.requires_grad is False


# VariableTypeUtils.h, rebase_history
def test_recorded_inplace_op_gives_the_written_tensor_a_grad_fn(device):  # AUT-07 F-39
    x = torch.zeros([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    x.add_(p)
    assert x.grad_fn is not None
    assert x.is_leaf is False
    assert x.requires_grad is True


# torch/csrc/autograd/variable.cpp, rebase_history: CopySlices on the base
def test_recorded_inplace_op_on_a_view_gives_its_base_a_grad_fn(device):  # AUT-08 F-60
    x = torch.zeros([2, 3], device=device)
    p = torch.ones([3], device=device, requires_grad=True)
    v = x.select(0, 0)
    v.copy_(p)
    assert x.grad_fn is not None
    assert x.requires_grad is True
    assert v.grad_fn is not None


# torch/csrc/autograd/python_variable.cpp, THPVariable_set_requires_grad
def test_requires_grad_false_cannot_be_set_on_a_tensor_that_is_not_a_leaf(device):  # AUT-09
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(1)
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = False
    assert y.requires_grad is True


# torch/csrc/autograd/python_variable.cpp, THPVariable_set_requires_grad
def test_requires_grad_true_cannot_be_set_on_a_tensor_that_is_not_a_leaf(device):  # AUT-09
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(1)
    with pytest.raises(RuntimeError, match="you can only change requires_grad flags of leaf variables"):
        y.requires_grad = True
    assert y.grad_fn is not None


# torch/csrc/autograd/variable.h, 'Non-Differentiable View'
def test_detached_tensor_does_not_require_grad(device):  # AUT-10
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(1)
    d = p.detach()
    e = y.detach()
    assert d.requires_grad is False
    assert e.requires_grad is False
    assert e.is_leaf is True


# a detached tensor is not a view: setting the flag of one does not change the other
def test_requires_grad_set_on_a_detached_tensor_does_not_reach_its_source(device):  # VIEW-10 AUT-10
    x = torch.ones([2], device=device)
    d = x.detach()
    d.requires_grad = True
    assert d.requires_grad is True
    assert x.requires_grad is False
    y = torch.ones([2], device=device)
    e = y.detach()
    y.requires_grad = True
    assert e.requires_grad is False


# tools/autograd/derivatives.yaml, mul.Tensor: self is saved only for the gradient of other
def test_op_saves_an_inference_tensor_only_for_a_gradient_that_is_asked_for(device):  # AUT-11 INF-07
    with torch.inference_mode():
        p = torch.full([2], 3.0, device=device, requires_grad=True)
    x = torch.full([2], 2.0, device=device)
    y = p.mul(x)
    assert y.requires_grad is True
    assert y.tolist() == [6.0, 6.0]


# tools/autograd/derivatives.yaml, add.Tensor: the gradients of add need neither operand
def test_op_that_saves_nothing_takes_an_inference_tensor(device):  # AUT-11 INF-07 F-82
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(a)
    z = p.sub(a)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        p.mul(a)
    assert y.requires_grad is True
    assert z.requires_grad is True


# c10's isDifferentiableType: floating point and complex
def test_integer_tensor_cannot_require_grad(device):  # AUT-12
    x = torch.arange(3, device=device)
    with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
        x.requires_grad = True
    assert x.requires_grad is False


# c10's isDifferentiableType: floating point and complex
def test_integer_factory_cannot_require_grad(device):  # AUT-12 INF-10
    with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
        x = torch.zeros([2], dtype=torch.int64, device=device, requires_grad=True)
    with torch.inference_mode():
        with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
            x = torch.tensor([1, 2], device=device, requires_grad=True)


# python_variable.cpp, THPVariable_set_requires_grad: only requires_grad=True asks the dtype
def test_requires_grad_false_can_be_set_on_an_integer_tensor(device):  # AUT-12
    x = torch.arange(3, device=device)
    x.requires_grad = False
    with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
        x.requires_grad_(True)
    assert x.requires_grad is False


# torch/csrc/autograd/variable.h, AutogradMeta::requires_grad: requires_grad_ || grad_fn_
def test_result_that_is_recorded_requires_grad(device):  # AUT-13
    p = torch.ones([2], device=device, requires_grad=True)
    y = p.clone()
    z = y.sum()
    assert y.requires_grad is True
    assert z.requires_grad is True
    assert z.is_leaf is False


# rfc-0011-final, 'Edge case': in no grad mode requires_grad propagates to views
def test_view_of_a_leaf_made_in_no_grad_mode_is_a_leaf_that_requires_grad(device):  # AUT-14 F-98
    p = torch.zeros([2, 3], device=device, requires_grad=True)
    with torch.no_grad():
        v = p.view([6])
    assert v.requires_grad is True
    assert v.grad_fn is None
    assert v.is_leaf is True


# rfc-0011-final, 'Autograd': responsible for recording grad_fn on outputs; in no_grad mode nothing is recorded
def test_recorded_view_has_a_grad_fn(device):  # AUT-14 AUT-03 F-39
    p = torch.zeros([2, 3], device=device, requires_grad=True)
    v = p.view([6])
    a, b = p.unbind(0)
    with torch.no_grad():
        w = p.view([6])
    assert w.grad_fn is None
    assert v.grad_fn is not None
    assert v.is_leaf is False
    assert a.grad_fn is not None


# rfc-0011-final, 'Edge case': any tensor explicitly allocated with requires_grad=True preserves the property
def test_tensor_allocated_with_requires_grad_in_no_grad_mode_keeps_it(device):  # AUT-01 INF-10 F-96
    with torch.no_grad():
        x = torch.zeros([2], device=device, requires_grad=True)
        y = x.mul(x)
    assert y.requires_grad is False
    assert x.requires_grad is True
    assert x.is_leaf is True


# rfc-0011-final: normal tensors are not restricted; the docs forbid it only for inference tensors
def test_requires_grad_of_a_normal_tensor_can_be_set_in_inference_mode(device):  # INF-01 INF-09 F-100
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        x.requires_grad = True
        assert x.is_inference() is False
    assert x.requires_grad is True
    assert x.is_inference() is False


# TensorFactories.cpp, clone: its copy_ dispatches from the start, and finds the Autograd key of the result
def test_clone_of_an_inference_tensor_that_requires_grad_is_recorded_outside_the_mode(device):  # AUT-16
    with torch.inference_mode():
        a = torch.ones([2], device=device, requires_grad=True)
    y = a.clone()
    assert y.requires_grad is True
    assert y.is_leaf is False
    with torch._C._AutoDispatchBelowAutograd():
        z = a.clone()
    assert z.requires_grad is False


# inside the mode there is no Autograd key to find
def test_clone_of_an_inference_tensor_that_requires_grad_is_not_recorded_in_the_mode(device):  # AUT-16 TLS-02 F-29
    with torch.inference_mode():
        a = torch.ones([2], device=device, requires_grad=True)
        y = a.clone()
        assert y.requires_grad is False
    z = a.clone()
    assert z.requires_grad is True


# function.h, collect_next_edges asks each argument for its grad_fn
def test_recorded_op_on_a_stale_view_made_in_no_grad_mode_is_an_error(device):  # AUT-17
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], device=device)
    with torch.no_grad():
        v = x.view([2])
    x.add_(p)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and its base or another view of its base"):
        v.add(1)


# functions/utils.h, set_history: a history of integers is refused
def test_recorded_sum_to_integers_is_an_error(device):  # AUT-18
    p = torch.ones([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="Autograd not support dtype: Long"):
        p.sum(dtype=torch.int64)


# VariableTypeManual.cpp, copy_: not recorded into a tensor that cannot have gradients
def test_copy_into_integers_is_not_recorded(device):  # AUT-19
    p = torch.ones([2], device=device, requires_grad=True)
    x = torch.zeros([2], dtype=torch.int64, device=device)
    x.copy_(p)
    assert x.requires_grad is False
    assert x.tolist() == [1, 1]


# rfc-0011-draft-2, line 230: 'inference tensors are guaranteed to have is_leaf=True'
def test_inference_tensor_is_a_leaf(device):  # AUT-20
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        q = torch.zeros([2], device=device, requires_grad=True)
        y = p.mul(2)
        y.requires_grad = True
        assert q.is_leaf is True
    assert a.is_leaf is True
    assert q.is_leaf is True
    assert y.is_leaf is True
    assert y.requires_grad is True


# rfc-0011-draft-2, line 237: 'inference tensors are guaranteed to have is_leaf=True', views of inference tensors too
def test_view_of_an_inference_tensor_that_requires_grad_is_a_leaf(device):  # AUT-20 AUT-03
    with torch.inference_mode():
        q = torch.zeros([2], device=device, requires_grad=True)
        v = q.view([1, 2])
        v.requires_grad = True
    w = q.view([2, 1])
    assert q.is_leaf is True
    assert v.is_leaf is True
    assert v.requires_grad is True
    assert w.is_leaf is True
    assert w.requires_grad is False
