# Writes through chains of views, and what the caller sees of them after a functionalized body.
import torch


def test_a_write_through_two_views(device):  # FUN-05 FUN-06 FUN-07 P-10 P-17 P-18 P-47
    def body(x):
        y = torch.ops.aten.slice.Tensor(x, 0, 1, 4, 2)
        z = y.select(1, 1)
        x.mul_(2)
        z.add_(10)
        return z

    x = torch.tensor([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]], device=device)
    out = torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[0.0, 2.0], [4.0, 16.0], [8.0, 10.0], [12.0, 24.0]]
    assert out.tolist() == [16.0, 24.0]


def test_a_write_through_a_permuted_diagonal(device):  # FUN-10 P-33 P-43
    def body(x):
        y = x.permute([1, 0])
        z = y.diagonal(1)
        z.mul_(10)

    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 2.0, 3.0], [40.0, 5.0, 6.0], [7.0, 80.0, 9.0]]


def test_a_write_to_a_row_of_a_permuted_tensor(device):  # FUN-09 P-33 P-43 P-47
    def body(x):
        y = x.permute([2, 0, 1])
        z = y.select(0, 1)
        z.add_(10)

    x = torch.tensor([[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[[0.0, 11.0, 2.0], [3.0, 14.0, 5.0]]]


def test_a_write_through_a_view_in_other_sizes(device):  # FUN-13 P-43
    def body(x):
        y = x.view([6])
        y.mul_(2)

    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]


def test_two_aliases_are_overwritten_one_after_the_other(device):  # FUN-04 P-28
    def body(x):
        a = x.select(0, 0)
        b = x.select(0, 1)
        a.fill_(5)
        b.fill_(6)

    x = torch.zeros([2, 2], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[5.0, 5.0], [6.0, 6.0]]


def test_a_write_through_alias_and_detach(device):  # FUN-17 P-29
    def body(x):
        y = x.detach()
        y.add_(1)
        z = torch.ops.aten.alias(x)
        z.mul_(3)

    x = torch.tensor([1.0, 2.0], device=device)
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [6.0, 9.0]


def test_what_is_written_has_the_dtype_and_the_sizes_of_the_target(device):  # FUN-27 FUN-28 P-30
    def body(x, y):
        x.copy_(y)
        return x.add(1)

    x = torch.zeros([2, 2], device=device)
    y = torch.tensor([1, 2], device=device)
    out = torch.func.functionalize(body, remove="mutations_and_views")(x, y)
    assert x.tolist() == [[1.0, 2.0], [1.0, 2.0]]
    assert out.dtype == torch.float32
    assert out.tolist() == [[2.0, 3.0], [2.0, 3.0]]


# Linear algebra: a vector is unsqueezed, and the product squeezed in place
def test_a_composite_squeezes_what_it_has_made(device):  # FUN-29 P-14
    def body(x, y):
        z = x.matmul(y)
        z.add_(1)
        return z

    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.tensor([[3.0], [4.0]], device=device)
    out = torch.func.functionalize(body, remove="mutations_and_views")(x, y)
    assert list(out.shape) == [1]
    assert out.tolist() == [12.0]
