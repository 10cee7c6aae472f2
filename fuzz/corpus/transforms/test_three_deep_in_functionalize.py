# Three bodies inside each other, the outermost first in each name; that is one of functionalize.
import torch


def test_functionalized_functionalized_functionalized(device):  # FUN-20
    def level_2(a):
        b = a.view(2)
        b.add_(1)
        return b

    def level_1(a):
        b = torch.func.functionalize(level_2)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    def level_0(a):
        b = torch.func.functionalize(level_1)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [11.0, 15.0]


def test_functionalized_functionalized_mapped(device):  # TRF-01
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
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [7.0, 19.0]


def test_functionalized_functionalized_differentiated(device):  # AUT-13
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
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [11.0, 19.0]


def test_functionalized_mapped_functionalized(device):  # TRF-29
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
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [[3.0, 9.0], [19.0, 33.0], [51.0, 73.0]]


def test_functionalized_mapped_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [[3.0, 9.0], [19.0, 33.0], [51.0, 73.0]]


def test_functionalized_mapped_differentiated(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        c = b.sum()
        return c

    def level_1(a):
        b = torch.func.grad(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [[5.0, 9.0], [13.0, 17.0], [21.0, 25.0]]


def test_functionalized_differentiated_functionalized(device):  # AUT-13
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
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [5.0, 9.0]


def test_functionalized_differentiated_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        c = b.sum()
        return c

    def level_0(a):
        b = torch.func.grad(level_1)(a)
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [5.0, 9.0]


def test_functionalized_differentiated_differentiated(device):  # AUT-13
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
        c = b.mul(2)
        c.add_(1)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.func.functionalize(level_0)(x)
    assert y.tolist() == [5.0, 5.0]
