# Backward and its arguments: what it refuses, and what it does with arguments that are just valid.
import pytest
import torch


class GiveOneOfTwo(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        z = torch.mul(x, y)
        return z

    @staticmethod
    def backward(ctx, g):
        return g


class GiveMore(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        return g, g


class GiveNoneBehind(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        return g, None, None


class GiveLarger(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        h = g.expand([3, 2, 2])
        return h


class GiveOther(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        h = torch.zeros([2, 3])
        return h


class GiveSmaller(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        h = torch.zeros([1])
        return h


class DirtyButKept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        z = torch.mul(x, 2)
        return z

    @staticmethod
    def backward(ctx, g):
        return g


class DirtyAndMore(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        z = torch.mul(x, 2)
        return x, z

    @staticmethod
    def backward(ctx, g, h):
        k = torch.mul(g, 5)
        return k


# torch/autograd/__init__.py, _make_grads: 'grad can be implicitly created only for scalar outputs'
def test_backward_without_a_gradient_takes_one_element_of_any_rank(device):  # AUT-29
    x = torch.tensor([[2.0]], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    y.backward()
    assert x.grad.tolist() == [[3.0]]
    two = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        two.backward()
    none = torch.zeros([0], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        none.backward()
    assert none.grad is None


# torch/autograd/__init__.py, _make_grads: 'Mismatch in shape'
def test_gradient_that_is_given_has_the_very_sizes(device):  # AUT-30
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.mul(x, 3)
    flat = torch.tensor([[1.0, 10.0]], device=device)
    one = torch.tensor([1.0], device=device)
    n = torch.tensor(1.0, device=device)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        y.backward(flat)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        y.backward(one)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        y.backward(n)
    assert x.grad is None
    g = flat.squeeze(0)
    y.backward(g)
    assert x.grad.tolist() == [3.0, 30.0]


# python_variable.cpp, THPVariable_set_grad
def test_grad_takes_a_tensor_of_the_same_sizes_and_dtype(device):  # AUT-30
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    d = torch.zeros([2], dtype=torch.float64, device=device)
    flat = torch.zeros([1, 2], device=device)
    three = torch.zeros([3], device=device)
    with pytest.raises(RuntimeError):
        x.grad = x
    with pytest.raises(RuntimeError):
        x.grad = d
    with pytest.raises(RuntimeError):
        x.grad = flat
    with pytest.raises(RuntimeError):
        x.grad = three
    assert x.grad is None
    g = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = g.t()
    row = t.select(0, 1)
    x.grad = row
    y = torch.mul(x, 3)
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [5.0, 7.0]
    assert g.tolist() == [[1.0, 5.0], [3.0, 7.0]]


# accumulate_grad.h, accumulateGrad: grad.add_(gradient) refuses memory that overlaps itself
def test_gradient_cannot_be_added_to_one_that_overlaps_itself(device):  # AUT-25
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    one = torch.tensor([1.0], device=device)
    v = one.expand([2])
    x.grad = v
    y = torch.mul(x, 3)
    s = y.sum()
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        s.backward()
    assert one.tolist() == [1.0]
    x.grad = None
    z = torch.mul(x, 3)
    r = z.sum()
    r.backward()
    assert x.grad.tolist() == [3.0, 3.0]


# variable.cpp, set_requires_grad: only floats
def test_only_floats_can_require_grad(device):  # AUT-12
    i = torch.tensor([1], device=device)
    b = torch.tensor([True], device=device)
    d = torch.tensor([1.0], dtype=torch.float64, device=device)
    with pytest.raises(RuntimeError):
        i.requires_grad_()
    with pytest.raises(RuntimeError):
        b.requires_grad = True
    with pytest.raises(RuntimeError):
        torch.zeros([1], dtype=torch.int32, device=device, requires_grad=True)
    i.requires_grad_(False)
    b.requires_grad = False
    d.requires_grad_()
    assert i.requires_grad is False
    assert d.requires_grad is True


# custom_function.cpp, PyNode::apply: 'returned an incorrect number of gradients'
def test_custom_backward_that_returns_too_few_or_too_many_gradients(device):  # AUT-47
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    y = torch.tensor([3.0, 4.0], requires_grad=True, device=device)
    a = GiveOneOfTwo.apply(x, y)
    p = a.sum()
    with pytest.raises(RuntimeError, match="returned an incorrect number of gradients"):
        p.backward()
    b = GiveMore.apply(x)
    q = b.sum()
    with pytest.raises(RuntimeError, match="returned an incorrect number of gradients"):
        q.backward()
    assert x.grad is None
    c = GiveNoneBehind.apply(x)
    r = c.sum()
    r.backward()
    assert x.grad.tolist() == [1.0, 1.0]


# engine.cpp, validate_outputs: 'returned an invalid gradient'; is_expandable_to
def test_custom_backward_returns_gradients_that_sum_to_the_sizes(device):  # AUT-48
    x = torch.tensor([[1.0, 2.0]], requires_grad=True, device=device)
    a = GiveOther.apply(x)
    p = a.sum()
    with pytest.raises(RuntimeError, match="returned an invalid gradient at index 0"):
        p.backward()
    b = GiveSmaller.apply(x)
    q = b.sum()
    with pytest.raises(RuntimeError, match="returned an invalid gradient at index 0"):
        q.backward()
    assert x.grad is None
    c = GiveLarger.apply(x)
    r = c.sum()
    r.backward()
    assert x.grad.tolist() == [[6.0, 6.0]]


# custom_function.cpp, _process_backward_mode_ad: 'Some elements marked as dirty'
def test_dirty_input_must_be_returned(device):  # AUT-45
    w = torch.tensor([1.0], requires_grad=True, device=device)
    x = torch.mul(w, 2)
    with pytest.raises(RuntimeError, match="Some elements marked as dirty during the forward method"):
        DirtyButKept.apply(x)
    y, z = DirtyAndMore.apply(x)
    assert x.tolist() == [4.0]
    s = y.sum()
    s.backward()
    assert w.grad.tolist() == [10.0]


# custom_function.cpp, _process_backward_mode_ad: a view, and more than one result
def test_dirty_view_must_be_the_one_result(device):  # AUT-45
    w = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    x = torch.mul(w, 2)
    v = x.narrow(0, 0, 1)
    with pytest.raises(RuntimeError, match="If your Function modifies inplace an input that is a view"):
        DirtyAndMore.apply(v)
    u = torch.mul(w, 3)
    y, z = DirtyAndMore.apply(u)
    assert u.tolist() == [6.0, 12.0]
    assert z.tolist() == [12.0, 24.0]
    s = y.sum()
    s.backward()
    assert w.grad.tolist() == [15.0, 15.0]
