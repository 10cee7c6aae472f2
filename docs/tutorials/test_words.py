# One test for each kind of statement that a program can have; docs/tutorials/what-a-program-says.md explains them.
import threading

import pytest
import torch


def test_tensors_and_ops(device):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.zeros([2], dtype=torch.int64, device=device)
    z = torch.add(x, y, alpha=2)
    a, b = x.split(1)
    v, i = x.max(0)
    s = torch.ops.aten.slice.Tensor(x, 0, 1, 2)
    x.add_(1)
    torch.neg(x, out=z)
    assert z.tolist() == [[-2.0, -3.0], [-4.0, -5.0]]
    assert s.tolist() == [[4.0, 5.0]]


def test_what_can_be_read(device):
    x = torch.ones([2, 3], device=device)
    v = x.t()
    assert list(v.shape) == [3, 2]
    assert v.stride() == (1, 3)
    assert v.storage_offset() == 0
    assert v.dtype == torch.float32
    assert v._is_view() is True
    assert v._base is x
    assert torch._C._is_alias_of(v, x) is True
    assert v._version == 0
    assert v.is_inference() is False
    assert v.requires_grad is False
    assert v.is_leaf is True
    assert v.grad_fn is None
    assert x.grad is None


def test_modes_and_errors(device):
    with torch.inference_mode():
        x = torch.zeros([2], device=device)
        with torch.no_grad():
            assert torch.is_grad_enabled() is False
    assert torch.is_inference_mode_enabled() is False
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        x.add_(1)


def test_gradients(device):
    x = torch.tensor([2.0], device=device, requires_grad=True)
    y = x.mul(x)
    y.retain_grad()
    ones = torch.ones([1], device=device)
    y.backward(ones, retain_graph=True)
    g = x.grad
    assert g.tolist() == [4.0]
    d = x.detach()
    x.data = d


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.mul(2)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return g.mul(2)


def test_custom_function(device):
    x = torch.ones([1], device=device, requires_grad=True)
    y = Double.apply(x)
    y.backward()
    assert x.grad.tolist() == [2.0]


def test_thread(device):
    def work():
        with torch.inference_mode():
            x = torch.ones([1], device=device)
            assert x.is_inference() is True

    t = threading.Thread(target=work)
    t.start()
    t.join()


def test_functionalized_body(device):
    def body(x):
        y = x.view([4])
        y.add_(1)
        return y

    x = torch.zeros([2, 2], device=device)
    y = torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert y.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
