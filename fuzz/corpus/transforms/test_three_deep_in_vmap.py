# Three bodies inside each other, the outermost first in each name; that is one of vmap.
import torch


def test_mapped_functionalized_functionalized(device):  # TRF-29
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
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[3.0, 9.0], [19.0, 33.0], [51.0, 73.0]]


def test_mapped_functionalized_mapped(device):  # TRF-01
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
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[3.0, 9.0], [19.0, 33.0], [51.0, 73.0]]


def test_mapped_functionalized_differentiated(device):  # TRF-01
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
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[5.0, 9.0], [13.0, 17.0], [21.0, 25.0]]


def test_mapped_mapped_functionalized(device):  # TRF-29
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
        return b

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[[1.0, 4.0], [9.0, 16.0], [25.0, 36.0]], [[49.0, 64.0], [81.0, 100.0], [121.0, 144.0]]]


def test_mapped_mapped_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        return b

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[[1.0, 4.0], [9.0, 16.0], [25.0, 36.0]], [[49.0, 64.0], [81.0, 100.0], [121.0, 144.0]]]


def test_mapped_mapped_differentiated(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        c = b.sum()
        return c

    def level_1(a):
        b = torch.func.grad(level_2)(a)
        return b

    def level_0(a):
        b = torch.vmap(level_1)(a)
        return b

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]], [[14.0, 16.0], [18.0, 20.0], [22.0, 24.0]]]


def test_mapped_differentiated_functionalized(device):  # TRF-29
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
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]


def test_mapped_differentiated_mapped(device):  # TRF-01
    def level_2(a):
        b = a.mul(a)
        return b

    def level_1(a):
        b = torch.vmap(level_2)(a)
        c = b.sum()
        return c

    def level_0(a):
        b = torch.func.grad(level_1)(a)
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]


def test_mapped_differentiated_differentiated(device):  # TRF-01
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
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], device=device)
    y = torch.vmap(level_0)(x)
    assert y.tolist() == [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]
