# VER, AUT: backward(), the gradients that it leaves, and the versions that it checks.
import pytest
import torch


# inference-mode-docs: 'PyTorch throws an error when tensors saved for backwards are subsequently mutated'
def test_backward_from_a_tensor_that_was_saved_and_then_written_is_an_error(device):  # VER-15 VER-03 D-20
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    x.add_(1)
    loss = y.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()
    assert y.tolist() == [10.0, 21.0]


# torch/csrc/autograd/saved_variable.cpp, SavedVariable::unpack: grad_fn() of the saved tensor comes before its version
def test_backward_asks_for_the_history_of_a_saved_view_before_its_version(device):  # VIEW-11 VIEW-05
    x = torch.ones([2], device=device, requires_grad=True)
    base = x.clone()
    y = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        v = base.view([2])
    z = v.mul(y)
    loss = z.sum()
    base.mul_(2)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and its base or another view"):
        loss.backward()


# rfc-0011-final: the version counter of a tensor that was saved for backward cannot be bypassed by the mode
def test_write_to_a_saved_tensor_in_inference_mode_is_noticed(device):  # VER-15 VER-03 F-07 F-34 F-84 D-20
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    loss = y.sum()
    with torch.inference_mode():
        x.add_(1)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


# rfc-0011-final, 'Examples': the version counter of a view that is made in the mode is its base's
def test_write_to_a_saved_tensor_through_a_view_made_in_inference_mode_is_noticed(device):  # VER-15 VER-04 F-20 F-89
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    loss = y.sum()
    with torch.inference_mode():
        v = x.view([1, 2])
        v.add_(1)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


# saved_variable.cpp, SavedVariable: the version is taken when the tensor is saved
def test_write_before_the_tensor_is_saved_does_not_matter(device):  # VER-15 AUT-25 VER-03
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    z = w.mul(x)
    x.add_(1)
    y = w.mul(x)
    loss = y.sum()
    loss.backward()
    g = w.grad
    assert g.tolist() == [6.0, 8.0]
    late = z.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        late.backward()


# tools/autograd/derivatives.yaml, mul: other is saved if self needs a gradient, and add saves nothing
def test_write_to_a_tensor_that_was_not_saved_does_not_matter(device):  # VER-15 AUT-24 AUT-25
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.add(x)
    x.add_(1)
    loss = y.sum()
    loss.backward()
    u = w.mul(x)
    x.add_(1)
    other = u.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        other.backward()
    g = w.grad
    assert g.tolist() == [1.0, 1.0]


# saved_variable.cpp, SavedVariable::unpack raises before AccumulateGrad runs
def test_backward_that_is_refused_leaves_the_gradients(device):  # VER-15
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    x.zero_()
    loss = y.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()
    z = w.sum()
    z.backward()
    g = w.grad
    assert g.tolist() == [1.0, 1.0]


# inference-mode-docs on mutations that bypass the check; a detached tensor shares the counter, so it does not
def test_write_through_a_detached_tensor_is_noticed(device):  # VER-15 VER-05 D-20
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    d = x.detach()
    d.add_(1)
    loss = y.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


# torch/csrc/autograd/variable.cpp, variable_data: version_counter=0, so the write is not noticed
def test_write_to_a_saved_tensor_through_its_data_makes_the_gradient_wrong(device):  # VER-12 GEO-29 AUT-25
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    d = x.data
    d.add_(1)
    loss = y.sum()
    loss.backward()
    g = w.grad
    assert g.tolist() == [6.0, 8.0]


# aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowADInplaceOrView: ADInplaceOrView, which counts, is excluded
def test_write_to_a_saved_tensor_below_adinplaceorview_makes_the_gradient_wrong(device):  # TLS-12 KEY-06 VER-15
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        x.add_(1)
    loss = y.sum()
    loss.backward()
    g = w.grad
    assert g.tolist() == [6.0, 8.0]


# aten/src/ATen/core/LegacyTypeDispatch.h, AutoDispatchBelowAutograd: ADInplaceOrView runs and counts
def test_write_to_a_saved_tensor_below_autograd_is_noticed(device):  # TLS-11 VER-15 F-65
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    with torch._C._AutoDispatchBelowAutograd():
        x.add_(1)
    loss = y.sum()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


# rfc-0011-final, 'Examples': a view made below ADInplaceOrView has a counter of its own, so the write is not noticed
def test_write_to_a_saved_tensor_through_an_untracked_view_makes_the_gradient_wrong(device):  # VER-11 VER-15 F-43
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    x = torch.tensor([5.0, 7.0], device=device)
    y = w.mul(x)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        v = x.view([1, 2])
    v.add_(1)
    loss = y.sum()
    loss.backward()
    g = w.grad
    assert g.tolist() == [6.0, 8.0]


# inference-mode-docs, lines 57 to 86: what ROIAlignFunction computes below ADInplaceOrView is a constant to autograd
def test_backward_goes_round_a_kernel_that_ran_below_adinplaceorview(device):  # TLS-12 KEY-06 AUT-25 D-35
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    rois = torch.tensor([4.0, 6.0], device=device, requires_grad=True)
    with torch._C._AutoDispatchBelowADInplaceOrView():
        scaled = rois.add(1)
    y = w.mul(scaled)
    loss = y.sum()
    loss.backward()
    again = rois.sum()
    again.backward()
    g = w.grad
    h = rois.grad
    assert g.tolist() == [5.0, 7.0]
    assert h.tolist() == [1.0, 1.0]


# torch/csrc/autograd/autograd.cpp, run_backward: 'element 0 of tensors does not require grad'
def test_backward_from_a_tensor_that_does_not_require_grad_is_an_error(device):  # AUT-24
    x = torch.ones([2], device=device)
    y = x.sum()
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        y.backward()


# torch/csrc/autograd/autograd.cpp, run_backward; in no grad mode nothing was recorded
def test_backward_from_a_result_of_no_grad_mode_is_an_error(device):  # AUT-24 AUT-01
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.no_grad():
        y = p.sum()
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad and does not have a grad_fn"):
        y.backward()


# rfc-0011-final: in the mode no operation records grad_fn, even if an input requires grad, so there is no graph
def test_backward_from_a_result_of_inference_mode_is_an_error(device):  # AUT-24 AUT-01
    p = torch.ones([2], device=device, requires_grad=True)
    with torch.inference_mode():
        y = p.sum()
        with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad"):
            y.backward()
    with pytest.raises(RuntimeError, match="element 0 of tensors does not require grad"):
        y.backward()


# torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad: the new gradient is added to the variable's, in place
def test_second_backward_adds_to_the_gradient(device):  # AUT-25
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    x = torch.tensor([3.0, 4.0], device=device)
    y = p.mul(x)
    a = y.sum()
    a.backward()
    g = p.grad
    assert g.tolist() == [3.0, 4.0]
    b = p.sum()
    b.backward()
    h = p.grad
    assert h.tolist() == [4.0, 5.0]
    assert g.tolist() == [4.0, 5.0]
    assert h.requires_grad is False


# torch/csrc/autograd/functions/accumulate_grad.h: with grad mode off `variable_grad += new_grad`, which is a write
def test_gradient_is_added_in_place_so_a_graph_that_saved_it_is_stale(device):  # AUT-25 VER-15 VER-03
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    a = p.sum()
    a.backward()
    g = p.grad
    y = p.mul(g)
    loss = y.sum()
    b = p.sum()
    b.backward()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        loss.backward()


# rfc-0011-final: a tensor is an inference tensor iff it was allocated in the mode; a gradient is no exception
def test_gradient_that_backward_makes_in_inference_mode_is_an_inference_tensor(device):  # INF-02 AUT-25 F-26 D-11
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    a = p.sum()
    b = p.sum()
    with torch.inference_mode():
        a.backward()
        b.backward()
    g = p.grad
    assert g.is_inference() is True
    assert g.tolist() == [2.0, 2.0]


# rfc-0011-final, 'The algorithm': in-place on inference tensors is disabled outside the mode, in the engine, too
def test_backward_into_a_gradient_of_inference_mode_is_an_error_outside_the_mode(device):  # INF-05 AUT-25 F-76
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    a = p.sum()
    b = p.sum()
    with torch.inference_mode():
        a.backward()
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        b.backward()


# torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad: one for each leaf
def test_backward_reaches_each_leaf(device):  # AUT-25 AUT-24
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    q = torch.tensor([3.0, 4.0], device=device, requires_grad=True)
    y = p.mul(q)
    z = y.sub(q)
    loss = z.sum()
    loss.backward()
    again = q.sum()
    again.backward()
    g = p.grad
    h = q.grad
    assert g.tolist() == [3.0, 4.0]
    assert h.tolist() == [1.0, 2.0]


# torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad: a leaf that was not reached is not changed
def test_backward_leaves_the_gradients_of_other_leaves(device):  # AUT-25
    p = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    q = torch.tensor([3.0, 4.0], device=device, requires_grad=True)
    a = p.sum()
    b = p.clone()
    c = b.sum()
    d = q.sum()
    d.backward()
    a.backward()
    c.backward()
    g = p.grad
    h = q.grad
    assert g.tolist() == [2.0, 2.0]
    assert h.tolist() == [1.0, 1.0]


# rfc-0011-final, 'The algorithm': saving is refused, but an op that saves nothing may take an inference tensor
def test_backward_through_an_op_that_took_an_inference_tensor(device):  # INF-16 AUT-25 F-82
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.tensor([5.0, 7.0], device=device)
    y = w.add(a)
    loss = y.sum()
    loss.backward()
    again = w.sum()
    again.backward()
    g = w.grad
    assert y.tolist() == [7.0, 10.0]
    assert g.tolist() == [2.0, 2.0]


# inference-mode-docs: a clone made outside the mode is a normal tensor, which may be saved for backward
def test_backward_through_a_clone_of_an_inference_tensor(device):  # VER-15 INF-04 INF-07 D-10 D-20
    w = torch.tensor([2.0, 3.0], device=device, requires_grad=True)
    with torch.inference_mode():
        a = torch.tensor([5.0, 7.0], device=device)
    x = a.clone()
    y = w.mul(x)
    a_loss = y.sum()
    a_loss.backward()
    g = w.grad
    assert g.tolist() == [5.0, 7.0]
    z = w.mul(x)
    b_loss = z.sum()
    x.add_(1)
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        b_loss.backward()


# [torch/csrc/autograd/functions/accumulate_grad.h, AccumulateGrad]: a gradient is a tensor like another: it can be
# written, and its version read.
def test_a_gradient_has_a_version_counter(device):  # VER-17 AUT-25
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = x.mul(3)
    loss = y.sum()
    loss.backward()
    g = x.grad
    g.add_(1)
    assert g.tolist() == [4.0, 4.0]


def test_lost_history_is_named_before_the_version(device):  # AUT-55
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.mul(x, 2)
    z = torch.mul(y, y)
    s = z.sum()
    y.detach_()
    y.add_(1)
    with pytest.raises(RuntimeError, match="detached in-place"):
        s.backward()
