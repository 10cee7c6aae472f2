# Functionalized bodies inside mapped ones, and mapped bodies inside functionalized ones.
import pytest
import torch


# Pull request 63048: "tests that inputs are still successfully mutated", mapped
def test_a_mapped_body_writes_its_example_through_a_view(device):  # TRF-02 P-03
    def f(x):
        tmp = torch.ones(4, device=device)
        y = x.view(4)
        y.add_(tmp)
        return x

    def mapped(x):
        y = torch.func.functionalize(f, remove="mutations_and_views")(x)
        return y

    a = torch.ones(2, 4, device=device)
    b = torch.vmap(mapped)(a)
    assert b.tolist() == [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]
    assert a.tolist() == [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]
    a.zero_()
    assert b.tolist() == [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]


# Pull request 63048: "test the free variable mutation case, which currently breaks in functorch"
def test_a_factory_in_the_body_gets_examples(device):  # TRF-29 P-08
    def f(x):
        tmp = torch.ones(4, device=device)
        tmp.add_(x)
        return tmp

    def mapped(x):
        y = torch.func.functionalize(f)(x)
        return y

    a = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], device=device)
    b = torch.vmap(mapped)(a)
    assert b.tolist() == [[2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0]]


def test_views_of_memory_that_gets_examples_have_them(device):  # TRF-29
    def f(x):
        t = torch.zeros(2, 2, device=device)
        v = t.view(4)
        w = t.select(0, 1)
        v.add_(x)
        w.mul_(10)
        return t

    def mapped(x):
        y = torch.func.functionalize(f, remove="mutations_and_views")(x)
        return y

    a = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]], device=device)
    b = torch.vmap(mapped)(a)
    assert b.tolist() == [[[1.0, 2.0], [30.0, 40.0]], [[5.0, 6.0], [70.0, 80.0]]]


def test_memory_gets_examples_of_two_levels(device):  # TRF-29
    def f(x):
        t = torch.zeros(2, device=device)
        t.add_(x)
        return t

    def inner(x):
        y = torch.func.functionalize(f)(x)
        return y

    def outer(x):
        y = torch.vmap(inner)(x)
        return y

    a = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    b = torch.vmap(outer)(a)
    assert b.tolist() == [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]


def test_an_input_without_examples_is_not_written_from_some(device):  # TRF-03
    def f(x, y):
        y.add_(x)
        return y

    def mapped(x, y):
        z = torch.func.functionalize(f)(x, y)
        return z

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.zeros(2, device=device)
    with pytest.raises(RuntimeError):
        c = torch.vmap(mapped, in_dims=(0, None))(a, b)
    assert b.tolist() == [0.0, 0.0]


def test_memory_of_the_mapped_body_is_not_written_from_examples(device):  # TRF-03
    def f(x, t):
        t.add_(x)
        return t

    def mapped(x):
        t = torch.zeros(2, device=device)
        y = torch.func.functionalize(f)(x, t)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError):
        b = torch.vmap(mapped)(a)


def test_a_captured_tensor_is_not_written_in_a_mapped_body(device):  # FUN-26
    def mapped(x):
        w = x.mul(2)

        def f(z):
            w.add_(z)
            y = z.mul(2)
            return y

        y = torch.func.functionalize(f)(x)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError):
        b = torch.vmap(mapped)(a)


def test_a_functionalized_body_maps_another(device):  # TRF-01 FUN-01
    def inner(x):
        y = x.view(2)
        y.mul_(3)
        z = y.add(1)
        return z

    def f(x):
        y = torch.vmap(inner)(x)
        x.add_(100)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.func.functionalize(f, remove="mutations_and_views")(a)
    assert b.tolist() == [[4.0, 7.0], [10.0, 13.0]]
    assert a.tolist() == [[103.0, 106.0], [109.0, 112.0]]


def test_a_mapped_body_in_a_functionalized_one_writes_no_memory_without_examples(device):  # TRF-03
    def inner(x):
        t = torch.zeros(2, device=device)
        t.add_(x)
        return t

    def f(x):
        y = torch.vmap(inner)(x)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError):
        b = torch.func.functionalize(f)(a)


def test_a_mapped_body_in_a_functionalized_one_writes_its_inputs(device):  # TRF-01
    def inner(x, y):
        x.add_(y)
        z = x.sum()
        return z

    def f(x, y):
        t = x.mul(2)
        z = torch.vmap(inner, in_dims=(0, None))(t, y)
        x.copy_(t)
        return z

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.tensor([10.0, 20.0], device=device)
    c = torch.func.functionalize(f)(a, b)
    assert c.tolist() == [36.0, 44.0]
    assert a.tolist() == [[12.0, 24.0], [16.0, 28.0]]


def test_a_body_that_raises_leaves_the_examples(device):  # FUN-33
    def f(x):
        x.add_(1)
        y = x.view(3)
        return y

    def mapped(x):
        y = torch.func.functionalize(f)(x)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError):
        b = torch.vmap(mapped)(a)
    assert a.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_result_is_a_view_of_all_examples(device):  # TRF-02
    def f(x):
        y = x.select(0, 1)
        y.add_(10)
        return y

    def mapped(x):
        y = torch.func.functionalize(f, remove="mutations_and_views")(x)
        return y

    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    b = torch.vmap(mapped)(a)
    assert b.tolist() == [12.0, 14.0]
    assert a.tolist() == [[1.0, 12.0], [3.0, 14.0]]
    a.zero_()
    assert b.tolist() == [0.0, 0.0]
