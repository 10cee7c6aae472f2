# Where the examples are: in_dims and out_dims.
import pytest
import torch


def test_examples_in_another_dimension(device):  # TRF-01
    def body(a):
        b = a.sum()
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body, in_dims=1)(x)
    assert y.tolist() == [4.0, 6.0]


def test_a_dimension_is_counted_from_the_end(device):  # TRF-01
    def body(a):
        b = a.sum()
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body, in_dims=-1)(x)
    assert y.tolist() == [4.0, 6.0]


def test_the_examples_of_the_result_are_where_out_dims_says(device):  # TRF-07
    def body(a):
        b = a.mul(10)
        return b

    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y = torch.vmap(body, out_dims=1)(x)
    assert y.shape == (3, 2)
    assert y.tolist() == [[10.0, 40.0], [20.0, 50.0], [30.0, 60.0]]


def test_each_result_has_its_own_dimension(device):  # TRF-07
    def body(a):
        b = a.mul(10)
        c = a.add(1)
        return b, c

    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y, z = torch.vmap(body, out_dims=(-1, 0))(x)
    assert y.shape == (3, 2)
    assert z.shape == (2, 3)


def test_a_result_is_a_view_of_the_input_that_it_is(device):  # TRF-07
    def body(a):
        return a

    x = torch.zeros(2, 3, device=device)
    y = torch.vmap(body, out_dims=1)(x)
    y.add_(1)
    assert x.tolist() == [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert y.shape == (3, 2)


def test_a_result_without_examples_is_repeated(device):  # TRF-08
    def body(a):
        return y

    x = torch.zeros(3, 1, device=device)
    y = torch.tensor([1.0, 2.0], device=device)
    z = torch.vmap(body)(x)
    assert z.tolist() == [[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]
    assert z.stride() == (0, 1)


def test_a_result_without_examples_is_repeated_where_out_dims_says(device):  # TRF-08
    def body(a):
        return y

    x = torch.zeros(2, 1, device=device)
    y = torch.tensor([1.0, 2.0], device=device)
    z = torch.vmap(body, out_dims=1)(x)
    assert z.tolist() == [[1.0, 1.0], [2.0, 2.0]]


def test_a_result_without_examples_may_have_other_sizes(device):  # TRF-08
    def body(a):
        return y

    x = torch.zeros(2, 1, device=device)
    y = torch.tensor([1.0, 2.0, 3.0], device=device)
    z = torch.vmap(body, out_dims=1)(x)
    assert z.shape == (3, 2)


def test_none_gives_a_result_without_examples_as_it_is(device):  # TRF-07 TRF-09
    def body(a):
        return y, a

    x = torch.zeros(2, 3, device=device)
    y = torch.ones(3, device=device)
    z, w = torch.vmap(body, out_dims=(None, 1))(x)
    z.add_(1)
    assert y.tolist() == [2.0, 2.0, 2.0]
    assert w.shape == (3, 2)


def test_none_refuses_a_result_that_has_examples(device):  # TRF-09
    def body(a):
        b = a.add(1)
        return b

    x = torch.zeros(2, 3, device=device)
    with pytest.raises(ValueError, match="can not return a BatchedTensor when out_dim is None"):
        y = torch.vmap(body, out_dims=None)(x)


def test_inputs_must_have_as_many_examples(device):  # TRF-13
    def body(a, b):
        c = a.add(b)
        return c

    x = torch.zeros(2, 3, device=device)
    y = torch.zeros(4, 3, device=device)
    with pytest.raises(ValueError, match="Expected all tensors to have the same size in the mapped dimension"):
        z = torch.vmap(body)(x, y)


def test_an_input_must_have_the_dimension(device):  # TRF-14
    def body(a):
        b = a.add(1)
        return b

    x = torch.zeros(2, 3, device=device)
    with pytest.raises(ValueError, match="for some input, but that input is a Tensor of dimensionality 2"):
        y = torch.vmap(body, in_dims=2)(x)


def test_a_tensor_without_dimensions_has_no_examples(device):  # TRF-14
    def body(a):
        b = a.add(1)
        return b

    x = torch.tensor(1.0, device=device)
    with pytest.raises(ValueError, match="for some input, but that input is a Tensor of dimensionality 0"):
        y = torch.vmap(body)(x)


def test_one_input_must_have_examples(device):  # TRF-15
    def body(a, b):
        c = a.add(b)
        return c

    x = torch.zeros(2, 3, device=device)
    with pytest.raises(ValueError, match="Expected at least one Tensor to vmap over"):
        y = torch.vmap(body, in_dims=(None, None))(x, x)


def test_a_dimension_of_the_result_must_exist(device):  # TRF-07
    def body(a):
        b = a.add(1)
        return b

    x = torch.zeros(2, 3, device=device)
    with pytest.raises(IndexError, match="Dimension out of range"):
        y = torch.vmap(body, out_dims=2)(x)
