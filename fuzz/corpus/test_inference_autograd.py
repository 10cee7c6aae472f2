# INF: inference tensors and autograd: what may be saved for backward, and when they may require grad.
import pytest
import torch


# rfc-0011-final, 'The algorithm': saving an inference tensor for backwards is disabled
def test_inference_tensor_cannot_be_saved_for_backward(device):  # INF-07 F-23 F-81 F-82 D-03 D-07 A-15
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        p.mul(a)


# the gradients of both arguments of div need the divisor
def test_divisor_is_no_inference_tensor_if_backward_needs_it(device):  # INF-07
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        p.div(a)


# rfc-0011-final, 'The algorithm': saving is also disabled for a view of an inference tensor, which is an inference tensor
def test_view_of_an_inference_tensor_cannot_be_saved_for_backward(device):  # INF-07 INF-03 F-57 F-81 F-83
    with torch.inference_mode():
        a = torch.ones([2, 3], device=device)
    p = torch.ones([2, 2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        p.mm(a)


# inference-mode-docs: a clone made outside InferenceMode is a normal tensor
def test_clone_of_an_inference_tensor_can_be_saved_for_backward(device):  # INF-07 INF-04
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    b = a.clone()
    y = p.mul(b)
    assert y.requires_grad is True


# rfc-0011-final, 'Goals': no interaction with autograd; nothing is saved if nothing is recorded
def test_inference_tensor_is_not_saved_in_no_grad_mode(device):  # INF-07 AUT-01 F-82
    with torch.inference_mode():
        a = torch.full([2], 3.0, device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        y = p.mul(a)
    assert y.requires_grad is False
    assert y.tolist() == [3.0, 3.0]


# inference-mode-docs: an error to mutate them into requires_grad=True outside InferenceMode
def test_requires_grad_of_an_inference_tensor_cannot_be_set_outside_the_mode(device):  # INF-08 F-24 F-80 F-100 D-09
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"):
        a.requires_grad = True
    assert a.requires_grad is False


# inference-mode-docs: an error to mutate them into requires_grad=True outside InferenceMode
def test_requires_grad_method_on_an_inference_tensor_is_an_error_outside_the_mode(device):  # INF-08 F-24
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"):
        a.requires_grad_(True)


# inference-mode-docs: only outside InferenceMode is it an error
def test_requires_grad_of_an_inference_tensor_can_be_set_inside_the_mode(device):  # INF-09 D-09 B-45
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        a.requires_grad = True
    assert a.requires_grad is True
    assert a.is_leaf is True


# rfc-0011-final, 'Edge case': permit tensors to be directly constructed with requires_grad=True
def test_parameter_can_be_allocated_in_inference_mode(device):  # INF-10 F-101
    with torch.inference_mode():
        p = torch.zeros([2], device=device, requires_grad=True)
    assert p.requires_grad is True
    assert p.is_leaf is True
    assert p.is_inference() is True


# rfc-0011-final, 'Goals': code that allocates parameters runs unchanged inside of an inference mode block
def test_parameter_allocated_in_inference_mode_works_like_any_tensor_there(device):  # INF-10 INF-15 AUT-01 F-12
    with torch.inference_mode():
        p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
        y = p.mul(p)
        p.add_(y)
    assert y.requires_grad is False
    assert p.tolist() == [2.0, 6.0]
    assert p.requires_grad is True
    assert p.is_leaf is True


# inference-mode-docs: the error is to mutate them into requires_grad=True
def test_requires_grad_false_can_be_set_on_an_inference_tensor_outside_the_mode(device):  # INF-11 F-80 D-09
    with torch.inference_mode():
        p = torch.zeros([2], device=device, requires_grad=True)
    p.requires_grad = False
    assert p.requires_grad is False


# rfc-0011-final, 'Dispatcher': keys are unioned from all inputs; a number becomes a tensor of the current mode
def test_number_brings_the_autograd_key_outside_the_mode(device):  # INF-12 F-36
    with torch.inference_mode():
        p = torch.ones([2], device=device, requires_grad=True)
    y = p.add(1)
    assert y.requires_grad is True
    assert y.grad_fn is not None


# rfc-0011-final: an inference tensor does not have the Autograd key
def test_op_on_inference_tensors_alone_is_not_recorded(device):  # INF-04 INF-02 INF-01 KEY-04 F-67
    with torch.inference_mode():
        p = torch.ones([2], device=device, requires_grad=True)
    y = p.mul(p)
    assert y.requires_grad is False
    assert y.is_inference() is False


# rfc-0011-final, 'The algorithm': of the ops that mix the two kinds, only saving for backward is disabled
def test_functional_op_may_mix_a_normal_and_an_inference_tensor_outside_the_mode(device):  # INF-16 INF-04 F-69 F-82 A-29 B-48
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        a = torch.full([2], 3.0, device=device)
    y = x.mul(a)
    z = a.sub(x)
    assert y.tolist() == [3.0, 3.0]
    assert z.tolist() == [2.0, 2.0]
    assert y.is_inference() is False
    assert z.is_inference() is False


# rfc-0011-final, 'The algorithm': the operation that saves raises; add saves none of its inputs
def test_recorded_op_that_saves_nothing_may_take_an_inference_tensor(device):  # INF-16 AUT-13 F-82 A-41
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    y = p.add(a)
    assert y.requires_grad is True
    assert y.grad_fn is not None
    assert y.tolist() == [2.0, 2.0]


# rfc-0011-final, 'Examples': outside, in-place on a normal tensor works as before, whatever it reads
def test_inplace_op_may_read_an_inference_tensor_outside_the_mode(device):  # INF-16 INF-13 A-43
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x.add_(a)
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1


# TensorConversions.cpp, _to_copy: its copy_ dispatches from the start, as in clone
def test_conversion_of_an_inference_tensor_that_requires_grad_is_recorded_outside_the_mode(device):  # AUT-16
    with torch.inference_mode():
        x = torch.ones([2], device=device, requires_grad=True)
    y = x.to(torch.float64)
    assert y.requires_grad is True
    assert y.is_leaf is False


# rfc-0011-final, the table: functional ops on inference tensors outside the mode
def test_mean_of_an_inference_tensor_that_requires_grad_is_not_refused(device):  # AUT-51
    with torch.inference_mode():
        x = torch.ones([2], device=device, requires_grad=True)
    y = x.mean()
    assert y.requires_grad is False


def test_extremes_of_an_inference_tensor_without_dimensions_are_not_recorded(device):  # AUT-51
    with torch.inference_mode():
        x = torch.ones([], device=device, requires_grad=True)
    low, high = x.aminmax(dim=0)
    assert low.requires_grad is False
    assert high.requires_grad is False


def test_product_of_inference_tensors_that_require_grad_is_not_refused(device):  # AUT-51
    with torch.inference_mode():
        x = torch.ones([2, 2], device=device, requires_grad=True)
        w = torch.ones([2], device=device)
    y = x.mv(w)
    assert y.requires_grad is False


def test_masked_fill_of_an_inference_tensor_that_requires_grad_is_not_refused(device):  # AUT-51
    with torch.inference_mode():
        x = torch.ones([2], device=device, requires_grad=True)
        m = torch.tensor([True, False], device=device)
    y = x.masked_fill(m, 3)
    assert y.requires_grad is False


def test_addmm_of_inference_tensors_that_require_grad_is_not_recorded(device):  # AUT-51
    with torch.inference_mode():
        x = torch.ones([2, 2], device=device, requires_grad=True)
    y = x.addmm(x, x)
    assert y.requires_grad is False


# python_variable.cpp, THPVariable_set_requires_grad: the dtype is asked first
def test_integers_are_refused_before_an_inference_tensor(device):  # AUT-12
    with torch.inference_mode():
        x = torch.arange(3, device=device)
    with pytest.raises(RuntimeError, match="nly Tensors of floating point"):
        x.requires_grad = True


# Copy.cpp, copy_, inside clone: its source's history is asked for where the copy is recorded
def test_the_copy_inside_clone_asks_for_the_history_of_its_source(device):  # AUT-16
    x = torch.ones([1, 1], requires_grad=True, device=device)
    with torch.inference_mode():
        i = torch.ones([1, 1], device=device)
        v = x.view([1, 1])
    v.data = i
    x.data = v
    v.add_(x)
    with pytest.raises(RuntimeError, match="A view was created in inference mode"):
        v.clone()
