# Mapped bodies in mapped bodies.
import pytest
import torch


def test_an_inner_map_over_another_tensor(device):  # TRF-01
    def outer(a):
        def inner(b):
            c = a.mul(b)
            return c

        d = torch.vmap(inner)(y)
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(outer)(x)
    assert z.tolist() == [[10.0, 20.0], [20.0, 40.0], [30.0, 60.0]]


def test_an_inner_map_over_the_same_tensor(device):  # TRF-01
    def outer(a):
        def inner(b):
            c = b.sum()
            return c

        d = torch.vmap(inner, in_dims=1)(a)
        return d

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    y = torch.vmap(outer)(x)
    assert y.tolist() == [[4.0, 6.0], [12.0, 14.0]]


def test_a_tensor_of_the_outer_map_has_no_examples_of_the_inner_one(device):  # TRF-03
    def outer(a):
        def inner(b):
            a.mul_(b)
            return b

        d = torch.vmap(inner)(y)
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor `other` in extra_args"):
        z = torch.vmap(outer)(x)


def test_the_inner_results_are_where_out_dims_says(device):  # TRF-07
    def outer(a):
        def inner(b):
            c = a.mul(b)
            return c

        d = torch.vmap(inner, out_dims=1)(y)
        return d

    x = torch.ones(3, 4, device=device)
    y = torch.ones(2, device=device)
    z = torch.vmap(outer, out_dims=1)(x)
    assert z.shape == (4, 3, 2)


def test_a_write_through_two_maps(device):  # TRF-02
    def outer(a):
        def inner(b):
            c = b.select(0, 0)
            c.fill_(5.0)
            return b

        d = torch.vmap(inner)(a)
        return d

    x = torch.zeros(2, 2, 2, device=device)
    y = torch.vmap(outer)(x)
    assert x.tolist() == [[[5.0, 0.0], [5.0, 0.0]], [[5.0, 0.0], [5.0, 0.0]]]
    assert x._version == 1


def test_an_outer_result_is_repeated_for_the_inner_examples(device):  # TRF-08
    def outer(a):
        def inner(b):
            return a

        d = torch.vmap(inner)(y)
        return d

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(outer)(x)
    assert z.tolist() == [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]


def test_numbers_are_different_for_the_outer_examples_alone(device):  # TRF-11
    def outer(a):
        def inner(b):
            c = torch.rand(2, device=device)
            return c

        d = torch.vmap(inner, randomness="same")(y)
        return d

    x = torch.zeros(2, device=device)
    y = torch.zeros(3, device=device)
    torch.manual_seed(7)
    z = torch.vmap(outer, randomness="different")(x)
    torch.manual_seed(7)
    w = torch.rand(2, 2, device=device)
    first = z.select(1, 0)
    last = z.select(1, 2)
    u = first.eq(w)
    v = last.eq(w)
    assert u.tolist() == [[True, True], [True, True]]
    assert v.tolist() == [[True, True], [True, True]]


def test_none_gives_a_tensor_of_the_outer_map_as_it_is(device):  # TRF-01 TRF-09
    def outer(a):
        def inner(b):
            return a

        d = torch.vmap(inner, out_dims=None)(y)
        e = d.mul(2)
        return e

    x = torch.tensor([1.0, 2.0, 3.0], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(outer)(x)
    assert z.tolist() == [2.0, 4.0, 6.0]
