# torch.vmap: an op in a mapped body is the op for each example.
import torch


# "vmap pushes the map into PyTorch operations called by func"
def test_each_example_is_computed_from_its_own(device):  # TRF-01
    def body(a):
        b = a.sum()
        return b

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body)(x)
    assert y.shape == (2,)
    assert y.tolist() == [3.0, 7.0]


def test_two_arguments_have_examples(device):  # TRF-01
    def body(a, b):
        c = a.mul(b)
        d = c.sum()
        return d

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([[5.0, 6.0], [7.0, 8.0]], device=device)
    z = torch.vmap(body)(x, y)
    assert z.tolist() == [17.0, 53.0]


def test_an_argument_without_examples_is_the_same_for_all(device):  # TRF-01
    def body(a, b):
        c = a.add(b)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(body, in_dims=(0, None))(x, y)
    assert z.tolist() == [[11.0, 22.0], [13.0, 24.0]]


def test_a_captured_tensor_is_the_same_for_all(device):  # TRF-01
    def body(a):
        c = a.add(y)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([10.0, 20.0], device=device)
    z = torch.vmap(body)(x)
    assert z.tolist() == [[11.0, 22.0], [13.0, 24.0]]


def test_examples_of_fewer_dimensions_broadcast_by_themselves(device):  # TRF-01
    def body(a, b):
        c = a.add(b)
        return c

    x = torch.tensor([10.0, 20.0], device=device)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    z = torch.vmap(body)(x, y)
    assert z.tolist() == [[11.0, 12.0], [23.0, 24.0]]


def test_a_product_of_matrices_for_each_example(device):  # TRF-01
    def body(a, b):
        c = torch.mm(a, b)
        return c

    x = torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]], device=device)
    y = torch.tensor([[1.0], [10.0]], device=device)
    z = torch.vmap(body, in_dims=(0, None))(x, y)
    assert z.tolist() == [[[21.0]], [[43.0]]]


def test_an_op_of_several_results(device):  # TRF-01
    def body(a):
        b, c = torch.aminmax(a)
        return b, c

    x = torch.tensor([[1.0, 2.0], [4.0, 3.0]], device=device)
    low, high = torch.vmap(body)(x)
    assert low.tolist() == [1.0, 3.0]
    assert high.tolist() == [2.0, 4.0]


def test_a_list_of_tensors(device):  # TRF-01
    def body(a, b):
        c = torch.cat([a, b])
        return c

    x = torch.tensor([[1.0], [2.0]], device=device)
    y = torch.tensor([[3.0, 4.0], [5.0, 6.0]], device=device)
    z = torch.vmap(body)(x, y)
    assert z.tolist() == [[1.0, 3.0, 4.0], [2.0, 5.0, 6.0]]


def test_a_condition_of_each_example(device):  # TRF-01
    def body(a):
        c = a.gt(2.0)
        b = torch.where(c, a, y)
        return b

    x = torch.tensor([[1.0, 3.0], [4.0, 2.0]], device=device)
    y = torch.tensor([0.0, -1.0], device=device)
    z = torch.vmap(body)(x)
    assert z.tolist() == [[0.0, 3.0], [4.0, -1.0]]


def test_a_body_of_several_ops(device):  # TRF-01
    def body(a, b):
        c = a.mul(b)
        d = c.sum(0)
        e = d.neg()
        return e

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.tensor([[1.0, 1.0], [2.0, 2.0]], device=device)
    z = torch.vmap(body)(x, y)
    assert z.tolist() == [-3.0, -14.0]


def test_examples_of_integers_are_promoted_as_one_is(device):  # TRF-01
    def body(a):
        b = a.add(1.5)
        return b

    x = torch.tensor([[1, 2], [3, 4]], device=device)
    y = torch.vmap(body)(x)
    assert y.dtype == torch.float32
    assert y.tolist() == [[2.5, 3.5], [4.5, 5.5]]
