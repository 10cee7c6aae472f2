# torch.vmap: where PyTorch 1.13's rule for a single op gives another result than the op for each example. 2.13 keeps these.
import pytest
import torch


def test_index_fill_of_an_inference_tensor_is_refused(device):  # INF-05
    def body(a):
        a.index_fill_(0, i, 9.0)
        return a

    i = torch.tensor([0], device=device)
    with torch.inference_mode():
        x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    with pytest.raises(RuntimeError):
        y = torch.vmap(body)(x)


def test_the_sum_of_one_number(device):  # TRF-08
    def body(a):
        b = a.sum()
        c = w.add(1.0)
        return b, c

    w = torch.tensor([1.0, 2.0], device=device)
    x = torch.tensor([3.0], device=device)
    y, z = torch.vmap(body)(x)
    assert y.tolist() == [3.0]
    assert z.tolist() == [[2.0, 3.0]]


def test_movedim_of_a_number(device):  # TRF-01
    def body(a):
        b = a.movedim(0, 0)
        c = b.add(1.0)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [2.0, 3.0]


def test_split_with_sizes_copy(device):  # TRF-01
    def body(a):
        b, c = torch.split_with_sizes_copy(a, [1, 1])
        return b, c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y, z = torch.vmap(body)(x)
    assert y.tolist() == [[1.0], [3.0]]
    assert z.tolist() == [[2.0], [4.0]]


def test_unbind_copy(device):  # TRF-01
    def body(a):
        b, c = torch.unbind_copy(a)
        return b, c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y, z = torch.vmap(body)(x)
    assert y.tolist() == [1.0, 3.0]
    assert z.tolist() == [2.0, 4.0]


def test_aminmax_of_a_transposed_example(device):  # TRF-01
    def body(a):
        b = a.t()
        c, d = b.aminmax()
        return c, d

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    y, z = torch.vmap(body)(x)
    assert y.tolist() == [1.0, 5.0]
    assert z.tolist() == [4.0, 8.0]


def test_index_select_by_int32(device):  # TRF-01
    def body(a):
        b = a.index_select(0, i)
        return b

    i = torch.tensor([1], dtype=torch.int32, device=device)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[2.0], [4.0]]


def test_index_select_from_the_end(device):  # TRF-01
    def body(a):
        b = a.index_select(-1, i)
        return b

    i = torch.tensor([1], device=device)
    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[[2.0], [4.0]], [[6.0], [8.0]]]


def test_cat_passes_over_an_example_of_no_elements(device):  # TRF-01
    def body(a, b, c):
        d = torch.cat([a, b])
        e = c.add(1.0)
        return d, e

    x = torch.zeros(2, 2, 0, device=device)
    y = torch.zeros(2, 0, device=device)
    z = torch.tensor([1.0, 2.0], device=device)
    v, w = torch.vmap(body)(x, y, z)
    assert v.shape == (2, 2, 0)
    assert w.tolist() == [2.0, 3.0]


def test_index_select_along_a_dimension_that_there_is_not(device):  # TRF-01
    def body(a):
        b = a.index_select(5, i)
        return b

    def again(a):
        b = a.add(1.0)
        return b

    i = torch.tensor([1, 0], dtype=torch.int32, device=device)
    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    w = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(IndexError):
        y = torch.vmap(body)(x)
    z = torch.vmap(again)(w)
    assert z.tolist() == [2.0, 3.0]


def test_chunks_of_a_number(device):  # TRF-01
    def body(a):
        b, = a.chunk(-1)
        return b

    def again(a):
        b = a.add(1.0)
        return b

    x = torch.tensor([1.0, 2.0], device=device)
    w = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError):
        y = torch.vmap(body)(x)
    z = torch.vmap(again)(w)
    assert z.tolist() == [2.0, 3.0]


def test_squeeze_before_the_first_dimension(device):  # TRF-01
    def body(a):
        b = a.squeeze(-5)
        return b

    def again(a):
        b = a.add(1.0)
        return b

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], device=device)
    w = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(IndexError):
        y = torch.vmap(body)(x)
    z = torch.vmap(again)(w)
    assert z.tolist() == [2.0, 3.0]


def test_a_view_made_in_inference_mode_is_not_written(device):  # VIEW-08
    def body(a):
        a.relu_()
        return a

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device, requires_grad=True)
    with torch.inference_mode():
        v = x.view([2, 2])
    with pytest.raises(RuntimeError, match="created in inference mode"):
        y = torch.vmap(body, in_dims=1)(v)
