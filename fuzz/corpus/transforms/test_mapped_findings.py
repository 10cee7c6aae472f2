# torch.vmap: where PyTorch's rule for a single op gives another result than the op for each example.
import pytest
import torch


def test_index_fill_counts_one_version(device):  # TRF-06
    def body(a):
        a.index_fill_(0, i, 9.0)
        return a

    i = torch.tensor([0], device=device)
    x = torch.zeros(2, device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [9.0, 9.0]
    assert x._version == 1


def test_a_refused_index_fill_leaves_the_sizes(device):  # TRF-01
    def body(a):
        a.index_fill_(0, i, 9.0)
        return a

    def again(a):
        b = a.add(1.0)
        return b

    i = torch.tensor([7], device=device)
    x = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(IndexError):
        y = torch.vmap(body)(x)
    assert x.shape == (2,)
    z = torch.vmap(again)(x)
    assert z.tolist() == [2.0, 3.0]


def test_split_copy(device):  # TRF-01
    def body(a):
        b, c = torch.split_copy(a, 1)
        return b, c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y, z = torch.vmap(body)(x)
    assert y.tolist() == [[1.0], [3.0]]
    assert z.tolist() == [[2.0], [4.0]]


def test_squeeze_the_last_dimension_of_an_example_that_has_none(device):  # TRF-01
    def body(a):
        b = a.squeeze(-1)
        c = b.add(1.0)
        return c

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [2.0, 3.0]


def test_windows_of_no_elements(device):  # TRF-01
    def body(a):
        b = a.unfold(0, 0, 1)
        c = a.add(1.0)
        return b, c

    x = torch.tensor([1.0, 2.0], device=device)
    y, z = torch.vmap(body)(x)
    assert y.shape == (2, 0)
    assert z.tolist() == [2.0, 3.0]


def test_transpose_gives_another_tensor(device):  # TRF-02
    def body(a):
        b = a.transpose(0, 0)
        return b

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.vmap(body)(x)
    y.add_(1.0)
    assert x.tolist() == [2.0, 3.0]
    y.requires_grad = True
    assert x.requires_grad is False


def test_transpose_is_recorded(device):  # TRF-01
    def body(a):
        b = a.transpose(0, 0)
        c = a.mul(2.0)
        return b, c

    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y, z = torch.vmap(body)(x)
    assert z.tolist() == [2.0, 4.0]
    assert y.is_leaf is False


def test_index_select_by_an_index_without_dimensions(device):  # TRF-01
    def body(a):
        b = a.index_select(0, i)
        return b

    i = torch.tensor(1, device=device)
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[2.0], [5.0]]


def test_as_strided_scatter(device):  # TRF-01
    def body(a, b, c):
        d = a.as_strided_scatter(b, [0], [1])
        e = c.add(1.0)
        return d, e

    x = torch.zeros(2, 0, device=device)
    y = torch.zeros(2, 0, device=device)
    z = torch.tensor([1.0, 2.0], device=device)
    v, w = torch.vmap(body)(x, y, z)
    assert v.shape == (2, 0)
    assert w.tolist() == [2.0, 3.0]


def test_contiguous_in_a_memory_format(device):  # TRF-01
    def body(a):
        b = a.contiguous(memory_format=torch.preserve_format)
        c = b.add(1.0)
        return c

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[2.0, 3.0], [4.0, 5.0]]


def test_an_example_viewed_in_a_larger_dtype(device):  # GEO-66
    def body(a):
        b = a.view(torch.int32)
        return b

    x = torch.tensor([[1, 0, 0, 0, 9]], dtype=torch.uint8, device=device)
    y = x.narrow(1, 0, 4)
    z = torch.vmap(body)(y)
    assert z.tolist() == [[1]]


def test_slice_scatter_to_an_end_that_lies_outside(device):  # TRF-01
    def body(a, b, c):
        d = a.slice_scatter(b, 0, 0, 5)
        e = c.add(1.0)
        return d, e

    x = torch.zeros(2, 0, device=device)
    y = torch.zeros(2, 0, device=device)
    z = torch.tensor([1.0, 2.0], device=device)
    v, w = torch.vmap(body)(x, y, z)
    assert v.shape == (2, 0)
    assert w.tolist() == [2.0, 3.0]


def test_bools_are_not_subtracted(device):  # TRF-01
    def body(a):
        b = a.sub(y)
        return b

    def again(a):
        b = a.add(1)
        return b

    x = torch.tensor([True, False], device=device)
    y = torch.ones(2, device=device)
    with pytest.raises(RuntimeError, match="Subtraction, the `-` operator, with a bool tensor is not supported"):
        z = torch.vmap(body)(x)
    w = torch.vmap(again)(x)
    assert w.tolist() == [2, 1]


def test_addmm_of_integers_takes_a_float(device):  # TRF-01
    def body(a):
        b = torch.addmm(a, a, a, alpha=2.5)
        return b

    x = torch.tensor([[[1]], [[2]]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[[3]], [[10]]]


def test_an_example_without_dimensions_has_none_to_keep(device):  # TRF-01
    def body(a):
        b = a.expand([-1])
        return b

    def again(a):
        b = a.add(1.0)
        return b

    x = torch.tensor([1.0, 2.0], device=device)
    with pytest.raises(RuntimeError):
        y = torch.vmap(body)(x)
    z = torch.vmap(again)(x)
    assert z.tolist() == [2.0, 3.0]


def test_argmax_keeps_all_dimensions(device):  # TRF-01
    def body(a):
        b = a.argmax(None, True)
        return b

    x = torch.tensor([[[1.0, 2.0], [3.0, 4.0]], [[9.0, 2.0], [3.0, 4.0]]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[[3]], [[0]]]


def test_an_equal_view_does_not_overlap(device):  # GEO-22
    def body(a):
        b = a.view_as(a)
        a.add_(b)
        return a

    x = torch.ones(2, 1, device=device)
    y = torch.vmap(body, in_dims=1)(x)
    assert x.tolist() == [[2.0], [2.0]]


def test_a_leaf_is_no_view_where_its_last_dimension_is_mapped(device):  # AUT-03
    def body(a):
        a.add_(1)
        return a

    x = torch.ones(2, 3, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="^a leaf Variable that requires grad"):
        y = torch.vmap(body, in_dims=1)(x)


def test_a_stacked_inference_tensor_requires_grad(device):  # AUT-13
    def body(a):
        b = torch.stack([x, a])
        return b

    with torch.inference_mode():
        x = torch.tensor(1.0, device=device, requires_grad=True)
    y = torch.tensor([2.0, 3.0], device=device)
    z = torch.vmap(body)(y)
    assert z.requires_grad is True


def test_mean_looks_at_the_dtype_first(device):  # TYPE-45
    def body(a):
        b = a.mean([3])
        return b

    x = torch.ones(2, 2, dtype=torch.int64, device=device)
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        y = torch.vmap(body)(x)


def test_add_too_looks_at_what_it_writes_before_a_leaf(device):  # TRF-03
    def body(a):
        y.add_(a)
        return a

    x = torch.ones(2, device=device)
    y = torch.ones(1, device=device, requires_grad=True)
    with pytest.raises(RuntimeError, match="is not possible because there exists a Tensor `other` in extra_args"):
        z = torch.vmap(body)(x)


def test_an_index_that_selects_nothing_is_checked(device):  # TRF-01
    def body(a):
        b = a.index_select(0, i)
        return b

    def again(a):
        b = a.add(1.0)
        return b

    i = torch.tensor(0, device=device)
    x = torch.zeros(2, 0, device=device)
    with pytest.raises(IndexError):
        y = torch.vmap(body)(x)
    z = torch.tensor([1.0, 2.0], device=device)
    w = torch.vmap(again)(z)
    assert w.tolist() == [2.0, 3.0]


def test_cat_of_examples_without_elements(device):  # TRF-07
    def body(a):
        b = torch.cat([a])
        return b

    x = torch.zeros(3, 0, device=device)
    y = torch.vmap(body, out_dims=1)(x)
    assert y.shape == (0, 3)


def test_an_operand_has_no_more_dimensions_than_what_is_written(device):  # TRF-01
    def body(a):
        a.mul_(y)
        return a

    def again(a):
        b = a.add(1.0)
        return b

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.ones(1, device=device)
    with pytest.raises(RuntimeError, match="output with shape"):
        z = torch.vmap(body)(x)
    w = torch.vmap(again)(x)
    assert w.tolist() == [2.0, 3.0]


def test_index_fill_gives_a_new_tensor(device):  # TRF-01
    def body(a):
        b = a.index_fill(0, i, 9.0)
        return b

    i = torch.tensor([0], device=device)
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = torch.vmap(body)(x)
    assert y.tolist() == [[9.0, 2.0], [9.0, 4.0]]
    assert y._version == 0
