# Three bodies inside each other, the outermost first in each name; that is one of grad.
import torch


def test_differentiated_functionalized_functionalized(device):  # AUT-13
    def level_2(a):
        t = torch.zeros(2, device=device)
        t.add_(a)
        b = t.mul(a)
        return b

    def level_1(a):
        b = torch.func.functionalize(level_2)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    def level_0(a):
        b = torch.func.functionalize(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [4.0, 8.0]


def test_differentiated_functionalized_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    def level_0(a):
        b = torch.func.functionalize(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [4.0, 8.0]


def test_differentiated_functionalized_differentiated(device):  # AUT-13
    def level_2(a):
        b = a.mul(a)
        c = b.sum()
        return c

    def level_1(a):
        b = torch.func.grad(level_2)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    def level_0(a):
        b = torch.func.functionalize(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [4.0, 4.0]


def test_differentiated_mapped_functionalized(device):  # TRF-29
    def level_2(a):
        t = torch.zeros(2, device=device)
        t.add_(a)
        b = t.mul(a)
        return b

    def level_1(a):
        b = torch.func.functionalize(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]


def test_differentiated_mapped_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]


def test_differentiated_mapped_differentiated(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        c = b.sum()
        return c

    def level_1(a):
        b = torch.func.grad(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]


def test_differentiated_differentiated_functionalized(device):  # AUT-13
    def level_2(a):
        t = torch.zeros(2, device=device)
        t.add_(a)
        b = t.mul(a)
        return b

    def level_1(a):
        b = torch.func.functionalize(level_2)(a)
        c = b.sum()
        return c

    def level_0(a):
        b = torch.func.grad(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [2.0, 2.0]


def test_differentiated_differentiated_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        c = b.sum()
        return c

    def level_0(a):
        b = torch.func.grad(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [2.0, 2.0]


def test_differentiated_differentiated_differentiated(device):  # TRF-22
    def level_2(a):
        b = a.mul(a)
        c = b.sum()
        return c

    def level_1(a):
        b = torch.func.grad(level_2)(a)
        c = b.sum()
        return c

    def level_0(a):
        b = torch.func.grad(level_1)(a)
        c = b.sum()
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.grad(level_0)(x)
    assert y.tolist() == [0.0, 0.0]
