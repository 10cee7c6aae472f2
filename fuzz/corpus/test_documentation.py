# Programs that the texts give as examples, or that need more than one rule family at once.
import pytest
import torch


def postprocess(out):
    highest = out.sum(0)
    return highest


def forward(weight, bias, inputs):
    product = inputs.mm(weight)
    product.add_(bias)
    return product


# inference-mode-docs, 'an inference workload example': loading, preprocessing, forward and postprocessing. Loading is what
# load_state_dict does: parameters are allocated, and the saved values are copied into them
def test_inference_workload_runs_inside_the_mode(device):  # INF-10 INF-15 INF-04 F-05 D-22 D-23 D-24
    saved_weight = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    saved_bias = torch.tensor([10.0, 20.0], device=device)
    data = torch.tensor([[1.0, 0.0], [0.0, 1.0]], device=device)
    with torch.inference_mode():
        weight = torch.zeros([2, 2], device=device, requires_grad=True)
        bias = torch.zeros([2], device=device, requires_grad=True)
        weight.copy_(saved_weight)
        bias.copy_(saved_bias)
        inputs = data.mul(2)
        out = forward(weight, bias, inputs)
        outputs = postprocess(out)
    assert inputs.is_inference() is True
    assert outputs.tolist() == [28.0, 52.0]
    assert outputs.requires_grad is False
    assert outputs.grad_fn is None
    assert outputs.is_inference() is True
    assert weight.requires_grad is True
    assert weight.tolist() == [[1.0, 2.0], [3.0, 4.0]]


# inference-mode-docs, the nested example, comment by comment
def test_nested_example_of_the_documentation(device):  # TLS-04 TLS-06 INF-02 D-31 D-32 D-33 D-34
    with torch.inference_mode(True):
        assert torch.is_inference_mode_enabled() is True
        a = torch.zeros([2], device=device)
        with torch.inference_mode(False):
            assert torch.is_inference_mode_enabled() is False
            b = torch.zeros([2], device=device)
        assert torch.is_inference_mode_enabled() is True
        c = torch.zeros([2], device=device)
    assert torch.is_inference_mode_enabled() is False
    d = torch.zeros([2], device=device)
    assert a.is_inference() is True
    assert b.is_inference() is False
    assert c.is_inference() is True
    assert d.is_inference() is False


# inference-mode-docs: 'certain limitation can be applied after exiting InferenceMode'
def test_limits_of_an_inference_tensor_apply_after_the_mode_is_left(device):  # INF-05 INF-07 INF-08 F-14 D-03 D-27
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.ones([2], device=device)
        a.add_(1)
        y = p.mul(a)
    assert y.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        a.add_(1)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        p.mul(a)
    with pytest.raises(RuntimeError, match="Setting requires_grad=True on inference tensor outside InferenceMode"):
        a.requires_grad = True


def work(x, p):
    v = x.select(0, 0)
    v.add_(1)
    y = x.mul(p)
    w = y.t()
    w.add_(v)
    return y


# rfc-0011-final, 'Goals': if inference mode does not throw an error, it behaves the same way as no grad mode
def test_block_gives_the_same_in_inference_mode_as_in_no_grad_mode(device):  # TLS-05 TLS-02 VER-03 AUT-01 F-09
    p = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device, requires_grad=True)
    x = torch.ones([2, 2], device=device)
    z = torch.ones([2, 2], device=device)
    with torch.no_grad():
        assert torch.is_grad_enabled() is False
        y = work(x, p)
    with torch.inference_mode():
        assert torch.is_grad_enabled() is False
        u = work(z, p)
    assert x.tolist() == [[2.0, 2.0], [1.0, 1.0]]
    assert z.tolist() == [[2.0, 2.0], [1.0, 1.0]]
    assert x._version == 1
    assert z._version == 1
    assert y.tolist() == [[4.0, 6.0], [5.0, 6.0]]
    assert u.tolist() == [[4.0, 6.0], [5.0, 6.0]]
    assert y.requires_grad is False
    assert u.requires_grad is False


# rfc-0011-final, 'Goals': 'this equivalence does not extend to … Tensor._is_view and Tensor._base'
def test_is_view_and_base_differ_between_inference_mode_and_no_grad_mode(device):  # INF-02 VIEW-05 F-11
    with torch.no_grad():
        x = torch.zeros([2], device=device)
        v = x.view([1, 2])
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        w = a.view([1, 2])
    assert v._is_view() is True
    assert v._base is x
    assert w._is_view() is False
    assert w._base is None


# rfc-0011-final, 'Examples': in the mode, in-place on an inference tensor is allowed; nothing is recorded there
def test_inference_tensor_written_in_the_mode_from_one_that_requires_grad_does_not_require_grad(device):  # INF-15 AUT-01 F-25
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        a.add_(p)
    assert a.tolist() == [1.0, 1.0]
    assert a.requires_grad is False
    assert a.grad_fn is None


# rfc-0011-final, the example kernel add__Tensor: 'return self'
def test_inplace_op_returns_the_tensor_that_it_has_written(device):  # VER-03 VIEW-01 F-48
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        y = x.add_(1)
        y.mul_(3)
        v = y.view([1, 2])
    y.requires_grad = True
    assert x._version == 2
    assert x.tolist() == [3.0, 3.0]
    assert x.requires_grad is True
    assert y._is_view() is False
    assert v._base is x


# rfc-0011-final: 'the set of tensors affected by mutation is precisely the set of aliases to that tensor'
def test_mutation_affects_the_aliases_of_the_written_tensor_alone(device):  # GEO-26 GEO-02 F-59
    with torch.inference_mode():
        a = torch.zeros([2, 2], device=device)
        v = a.select(0, 1)
        w = a.view([4])
        b = a.clone()
        c = a.add(0)
        v.fill_(1)
    assert a.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert w.tolist() == [0.0, 0.0, 1.0, 1.0]
    assert b.tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert c.tolist() == [[0.0, 0.0], [0.0, 0.0]]


# rfc-0011-final, 'Goals': 'except some operations may not be supported'
def test_version_can_be_read_in_no_grad_mode_and_not_in_inference_mode(device):  # VER-02 F-10
    with torch.no_grad():
        x = torch.zeros([2], device=device)
        x.add_(1)
        assert x._version == 1
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        a.add_(1)
        with pytest.raises(RuntimeError, match="Inference tensors do not track version counter"):
            a._version
