# In-place ops in a mapped body.
import pytest
import torch


def test_a_write_reaches_the_input(device):  # TRF-01
    def body(a):
        a.add_(y)
        return a

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(body)(x)
    assert x.tolist() == [[11.0, 22.0], [13.0, 24.0]]
    z.add_(1)
    assert x.tolist() == [[12.0, 23.0], [14.0, 25.0]]


def test_a_write_counts_one_version(device):  # TRF-06
    def body(a):
        a.mul_(2)
        return a

    x = torch.ones(3, 2, device=device)
    y = torch.vmap(body)(x)
    assert x._version == 1
    assert y._version == 1


def test_a_write_to_a_view_reaches_the_input(device):  # TRF-02
    def body(a):
        b = a.select(0, 1)
        b.fill_(9.0)
        return a

    x = torch.zeros(2, 3, device=device)
    y = torch.vmap(body)(x)
    assert x.tolist() == [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0]]
    assert y.tolist() == [[0.0, 9.0, 0.0], [0.0, 9.0, 0.0]]


def test_a_write_to_a_transposed_view(device):  # TRF-02
    def body(a, b):
        c = a.t()
        c.add_(b)
        return c

    x = torch.zeros(2, 2, 2, device=device)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    z = torch.vmap(body)(x, y)
    assert x.tolist() == [[[1.0, 1.0], [2.0, 2.0]], [[3.0, 3.0], [4.0, 4.0]]]
    assert z.shape == (2, 2, 2)


def test_a_tensor_without_examples_is_not_written_from_one_that_has_them(device):  # TRF-03
    def body(a):
        y.mul_(a)
        return a

    x = torch.ones(2, 3, device=device)
    y = torch.ones(3, device=device)
    with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor `other` in extra_args"):
        z = torch.vmap(body)(x)
    assert y.tolist() == [1.0, 1.0, 1.0]


def test_what_a_factory_made_is_not_written_from_a_tensor_that_has_examples(device):  # TRF-03
    def body(a):
        b = torch.zeros(3, device=device)
        b.copy_(a)
        return b

    x = torch.ones(2, 3, device=device)
    with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor `other` in extra_args"):
        y = torch.vmap(body)(x)


def test_add_too_refuses_a_tensor_without_examples(device):  # TRF-03
    def body(a):
        y.add_(a)
        return a

    x = torch.ones(2, 3, device=device)
    y = torch.ones(3, device=device)
    with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor `other` in extra_args"):
        z = torch.vmap(body)(x)
    assert y.tolist() == [1.0, 1.0, 1.0]


def test_a_captured_tensor_is_written_once(device):  # TRF-04
    def body(a):
        y.add_(1)
        b = a.add(y)
        return b

    x = torch.zeros(3, 2, device=device)
    y = torch.zeros(2, device=device)
    z = torch.vmap(body)(x)
    assert y.tolist() == [1.0, 1.0]
    assert y._version == 1
    assert z.tolist() == [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]


def test_out_is_not_written_from_a_tensor_that_has_examples(device):  # TRF-05
    def body(a):
        torch.add(a, 1, out=y)
        return a

    x = torch.ones(2, 3, device=device)
    y = torch.zeros(3, device=device)
    with pytest.raises(RuntimeError, match="the fallback path doesn't work on out= or view ops"):
        z = torch.vmap(body)(x)
    assert y.tolist() == [0.0, 0.0, 0.0]


def test_out_is_written_from_tensors_without_examples(device):  # TRF-04
    def body(a):
        torch.add(b, 1, out=y)
        return a

    x = torch.ones(2, 3, device=device)
    b = torch.ones(3, device=device)
    y = torch.zeros(3, device=device)
    z = torch.vmap(body)(x)
    assert y.tolist() == [2.0, 2.0, 2.0]
    assert y._version == 1


def test_an_error_in_the_body_keeps_what_was_written(device):  # TRF-03
    def body(a):
        a.add_(1)
        y.mul_(a)
        return a

    x = torch.zeros(2, device=device)
    y = torch.zeros(2, device=device)
    with pytest.raises(RuntimeError):
        z = torch.vmap(body)(x)
    assert x.tolist() == [1.0, 1.0]
    assert y.tolist() == [0.0, 0.0]


def test_after_an_error_no_call_is_mapped(device):  # TRF-05
    def body(a):
        torch.add(a, 1, out=y)
        return a

    x = torch.ones(2, 3, device=device)
    y = torch.zeros(3, device=device)
    z = torch.zeros(2, 3, device=device)
    with pytest.raises(RuntimeError):
        w = torch.vmap(body)(x)
    torch.add(x, 1, out=z)
    assert z.tolist() == [[2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]


def test_as_strided_sees_nothing_of_other_examples(device):  # TRF-17
    def body(a):
        b = a.as_strided([3], [1])
        return b

    x = torch.zeros(4, 2, device=device)
    y = x.narrow(0, 0, 2)
    with pytest.raises(RuntimeError, match="This is not supported inside of vmap"):
        z = torch.vmap(body)(y)
