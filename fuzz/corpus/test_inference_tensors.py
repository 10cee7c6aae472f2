# INF: which tensors are inference tensors, and what may not be done to them outside inference mode.
import pytest
import torch


def body(x):
    y = x.view([6])
    y.add_(1)
    return y


# rfc-0011-final, 'The algorithm': the definition asks the tensor's keys, not the mode
def test_normal_tensor_is_no_inference_tensor_when_asked_in_inference_mode(device):  # INF-01 F-67 A-26
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        assert x.is_inference() is False


# rfc-0011-final, 'The algorithm': the definition asks the tensor's keys, not the mode
def test_inference_tensor_is_one_when_asked_outside_the_mode(device):  # INF-01 INF-02 F-14 D-27
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        assert a.is_inference() is True
    assert a.is_inference() is True
    with torch.inference_mode(False):
        assert a.is_inference() is True


# rfc-0011-final: a non-view tensor is one iff it was allocated during inference mode
def test_factories_in_inference_mode_make_inference_tensors(device):  # INF-02 F-19 F-26 D-05 D-11
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        b = torch.ones([2], device=device)
        c = torch.full([2], 3.0, device=device)
        d = torch.arange(3, device=device)
        e = torch.empty([2], device=device)
        f = torch.tensor([1.0, 2.0], device=device)
    assert a.is_inference() is True
    assert b.is_inference() is True
    assert c.is_inference() is True
    assert d.is_inference() is True
    assert e.is_inference() is True
    assert f.is_inference() is True


# rfc-0011-final: a non-view tensor is one iff it was allocated during inference mode
def test_factories_outside_the_mode_make_normal_tensors(device):  # INF-02 F-26 D-11
    a = torch.zeros([2], device=device)
    with torch.inference_mode():
        i = torch.zeros([2], device=device)
    b = torch.arange(0, 3, device=device)
    c = torch.tensor([1.0, 2.0], device=device)
    assert i.is_inference() is True
    assert a.is_inference() is False
    assert b.is_inference() is False
    assert c.is_inference() is False


# rfc-0011-final: a view is one iff the tensor it is a view of is one
def test_view_of_a_normal_tensor_in_inference_mode_is_normal(device):  # INF-03 F-20 F-27 F-71 F-87 D-12
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        v = x.view([6])
        t = x.t()
        s = x.select(0, 0)
    assert v.is_inference() is False
    assert t.is_inference() is False
    assert s.is_inference() is False


# rfc-0011-final, 'Examples': outside, view of an inference tensor is allowed and an inference tensor
def test_view_of_an_inference_tensor_outside_the_mode_is_an_inference_tensor(device):  # INF-03 F-27 F-95 D-12
    with torch.inference_mode():
        a = torch.zeros([2, 3], device=device)
    v = a.view([6])
    t = a.transpose(0, 1)
    w = v.unsqueeze(0)
    assert v.is_inference() is True
    assert t.is_inference() is True
    assert w.is_inference() is True


# rfc-0011-final: a view is one iff the tensor it is a view of is one; each of several results is a view
def test_each_of_several_views_of_an_inference_tensor_is_an_inference_tensor(device):  # INF-03 F-27
    with torch.inference_mode():
        a = torch.zeros([2, 3], device=device)
    b, c = a.unbind(0)
    assert b.is_inference() is True
    assert c.is_inference() is True


# rfc-0011-final, 'Examples': view and in-place of a normal tensor in inference mode
def test_view_made_and_written_in_inference_mode_keeps_the_bit_of_its_base(device):  # INF-03 VER-03 VER-04 F-87 B-44
    x = torch.zeros([2, 3], device=device)
    with torch.inference_mode():
        y = body(x)
    assert y.is_inference() is False
    assert x._version == 1
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]


# rfc-0011-final, 'The algorithm': a view has its base's key set; detach is a view op
def test_detach_keeps_the_inference_bit(device):  # INF-03 F-57 F-71 F-75
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        d = x.detach()
    e = a.detach()
    assert d.is_inference() is False
    assert e.is_inference() is True


# rfc-0011-final, 'Examples': in the mode, functional on a normal tensor produces an inference tensor
def test_functional_op_on_a_normal_tensor_in_inference_mode_makes_an_inference_tensor(device):  # INF-04 F-19 F-69 F-91 D-05
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        y = x.add(1)
        z = x.clone()
    assert y.is_inference() is True
    assert z.is_inference() is True


# rfc-0011-final, 'The algorithm': an inference tensor iff we are running in inference mode
def test_functional_op_on_an_inference_tensor_outside_the_mode_makes_a_normal_tensor(device):  # INF-04 F-69 A-39
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    y = a.add(a)
    z = torch.mul(a, 2)
    assert y.is_inference() is False
    assert z.is_inference() is False


# rfc-0011-final, 'Examples': in the mode, functional on an inference tensor produces an inference tensor, and only there
def test_functional_op_on_an_inference_tensor_in_inference_mode_makes_an_inference_tensor(device):  # INF-04 F-92
    with torch.inference_mode():
        a = torch.ones([2, 2], device=device)
        b = a.mm(a)
        c = b.sum()
    d = b.sum()
    assert b.is_inference() is True
    assert c.is_inference() is True
    assert d.is_inference() is False
    assert c.tolist() == 8.0


# inference-mode-docs: make a clone outside InferenceMode to get a normal tensor before mutating
def test_clone_outside_the_mode_is_a_normal_tensor_that_can_be_written(device):  # INF-04 GEO-26 D-10
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x = a.clone()
    x.add_(1)
    assert x.is_inference() is False
    assert x.tolist() == [2.0, 2.0]
    assert a.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The algorithm': in-place on inference tensors outside of inference mode is disabled
def test_inplace_op_on_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-05 F-76 F-93 D-08 A-20 B-39
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        b = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.add_(b)


# rfc-0011-final, 'The algorithm': the InplaceOrView kernel also runs if the Autograd kernel does
def test_inplace_op_with_a_number_on_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-05 INF-12
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.mul_(2)


# rfc-0011-final, 'The algorithm': outside of inference mode, so in no_grad mode as well
def test_inplace_op_on_an_inference_tensor_in_no_grad_mode_is_an_error(device):  # INF-05 TLS-08 F-76 A-40
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with torch.no_grad():
        with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
            a.zero_()


# inference-mode-docs: inside InferenceMode(false) InferenceMode is off
def test_inplace_op_on_an_inference_tensor_in_inference_mode_false_is_an_error(device):  # INF-05 TLS-04 D-32 B-46
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        with torch.inference_mode(False):
            with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
                a.zero_()


# rfc-0011-final: a view of an inference tensor is one, and inference tensors are immutable outside
def test_inplace_op_on_a_view_of_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-05 INF-03 F-93
    with torch.inference_mode():
        a = torch.ones([2, 3], device=device)
    v = a.select(0, 0)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        v.zero_()


# rfc-0011-final: mutating an inference tensor with one that requires grad raises
def test_inplace_op_with_an_operand_that_requires_grad_on_an_inference_tensor_is_an_error(device):  # INF-05 F-25
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    p = torch.ones([2], device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.add_(p)


# rfc-0011-final, 'The immutable invariant': inference tensors are immutable outside of inference mode
def test_refused_inplace_op_leaves_the_values_of_an_inference_tensor(device):  # INF-06 F-58 F-79 D-08
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.add_(1)
    assert a.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The immutable invariant': inference tensors are immutable outside of inference mode
def test_refused_fill_leaves_the_values_of_an_inference_tensor(device):  # INF-06 F-58
    with torch.inference_mode():
        a = torch.ones([2, 2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.fill_(7)
    assert a.tolist() == [[1.0, 1.0], [1.0, 1.0]]


# rfc-0011-final, 'The immutable invariant': sizes and strides are the tensor's as well
def test_refused_transpose_leaves_the_sizes_of_an_inference_tensor(device):  # INF-06 INF-14 F-58 F-79
    with torch.inference_mode():
        a = torch.ones([2, 3], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.transpose_(0, 1)
    assert list(a.shape) == [2, 3]


# rfc-0011-final, 'The algorithm': only in-place modifications of inference tensors are disabled
def test_normal_tensor_can_be_written_from_an_inference_tensor(device):  # INF-13
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x = torch.zeros([2], device=device)
    x.add_(a)
    x.copy_(a)
    assert x._version == 2
    assert x.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The algorithm': only in-place modifications of inference tensors are disabled
def test_normal_tensor_can_be_written_from_an_inference_tensor_inside_the_mode(device):  # INF-13 VER-03
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        x.add_(a)
    assert x._version == 1
    assert x.is_inference() is False
    assert x.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The immutable invariant'; gen_inplace_or_view_type.py bumps the version for inplace_view ops too
def test_inplace_view_op_on_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-14 F-76
    with torch.inference_mode():
        a = torch.ones([2, 3], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.transpose_(0, 1)


# rfc-0011-final, 'The immutable invariant'; gen_inplace_or_view_type.py bumps the version for inplace_view ops too
def test_squeeze_in_place_on_an_inference_tensor_outside_the_mode_is_an_error(device):  # INF-14 D-08
    with torch.inference_mode():
        a = torch.ones([1, 3], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.squeeze_()


# rfc-0011-final, 'Examples': in the mode, in-place on an inference tensor: no increment
def test_inference_tensor_can_be_written_inside_the_mode(device):  # VER-02 INF-15 F-02 F-32 F-85 D-17
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        a.add_(1)
        a.mul_(a)
        with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
            a._version
    assert a.tolist() == [4.0, 4.0]
    assert a.is_inference() is True


# c10/core/TensorImpl.h, VariableVersion::bump: without a counter it is an error unless InferenceMode is enabled
def test_inference_tensor_can_be_written_from_a_normal_tensor_inside_the_mode(device):  # INF-15 KEY-04 F-85
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        a.add_(x)
    assert a.tolist() == [2.0, 2.0]
    assert x._version == 0


# rfc-0011-final, 'Examples': the mode of the write decides, not the block in which the tensor was made
def test_inference_tensor_can_be_written_in_a_later_inference_mode(device):  # INF-15
    with torch.inference_mode():
        a = torch.ones([2], device=device)
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        a.add_(x)
        a.add_(1)
    assert a.tolist() == [3.0, 3.0]


# inference-mode-docs: view and non-view inference tensors are indistinguishable
def test_write_through_a_view_of_an_inference_tensor_inside_the_mode_reaches_it(device):  # VIEW-02 INF-15 INF-03 F-31 D-16
    with torch.inference_mode():
        a = torch.zeros([2, 3], device=device)
        v = a.select(0, 1)
        v.fill_(5)
    w = a.select(0, 1)
    assert a.tolist() == [[0.0, 0.0, 0.0], [5.0, 5.0, 5.0]]
    assert v._is_view() is False
    assert w._is_view() is False
    assert w.tolist() == [5.0, 5.0, 5.0]


# rfc-0011-final, 'Examples': outside, 'View operation … On an inference tensor - allowed'
def test_view_op_on_an_inference_tensor_outside_the_mode_is_allowed(device):  # INF-17 F-94 A-20
    with torch.inference_mode():
        a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = a.t()
    s = t.select(0, 1)
    assert s.tolist() == [2.0, 4.0]
    assert s._is_view() is False


# rfc-0011-final, 'Examples': outside the mode, so in normal mode within it and in no grad mode as well
def test_view_op_on_an_inference_tensor_in_no_grad_mode_is_allowed(device):  # INF-17 F-94 F-95 A-30 A-40
    with torch.inference_mode():
        a = torch.ones([2, 3], device=device)
        with torch.inference_mode(False):
            v = a.view([6])
    with torch.no_grad():
        w = a.view([3, 2])
        b, c = a.unbind(0)
    assert v.is_inference() is True
    assert w.is_inference() is True
    assert c.tolist() == [1.0, 1.0, 1.0]
