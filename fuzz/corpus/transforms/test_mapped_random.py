# Random ops in a mapped body.
import pytest
import torch


def test_a_random_op_is_refused(device):  # TRF-10
    def body(a):
        b = torch.rand(2, device=device)
        c = a.add(b)
        return c

    x = torch.zeros(3, 2, device=device)
    with pytest.raises(RuntimeError, match="called random operation while in randomness error mode"):
        y = torch.vmap(body)(x)


def test_each_example_gets_its_own_numbers(device):  # TRF-11
    def body(a):
        b = torch.rand(2, device=device)
        c = a.add(b)
        return c

    x = torch.zeros(2, 2, device=device)
    torch.manual_seed(7)
    y = torch.vmap(body, randomness="different")(x)
    torch.manual_seed(7)
    z = torch.rand(2, 2, device=device)
    w = y.eq(z)
    assert w.tolist() == [[True, True], [True, True]]


def test_all_examples_get_the_same_numbers(device):  # TRF-12
    def body(a):
        b = torch.rand(2, device=device)
        c = a.add(b)
        return c

    x = torch.zeros(2, 2, device=device)
    torch.manual_seed(7)
    y = torch.vmap(body, randomness="same")(x)
    torch.manual_seed(7)
    z = torch.rand(2, device=device)
    w = y.eq(z)
    assert w.tolist() == [[True, True], [True, True]]
