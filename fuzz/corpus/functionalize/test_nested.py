# A functionalized body inside a functionalized body: the functional form of the inner one is a part of the outer one.
import pytest
import torch


# PR 63048: "nested `functionalize()` calls aren't supported yet"
def test_a_write_in_a_body_within_a_body_reaches_the_caller(device):  # FUN-36 P-50
    def inner(y):
        y.add_(1)

    def outer(x):
        y = x.view([4])
        torch.func.functionalize(inner, remove="mutations_and_views")(y)
        z = x.mul(2)
        return z

    x = torch.zeros([2, 2], device=device)
    out = torch.func.functionalize(outer, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert out.tolist() == [[2.0, 2.0], [2.0, 2.0]]


# the result of the inner body shares memory with its input
def test_a_result_of_an_inner_body_is_a_view_in_the_outer_one(device):  # FUN-36
    def inner(y):
        row = y.select(0, 1)
        row.mul_(3)
        return row

    def outer(x):
        row = torch.func.functionalize(inner, remove="mutations")(x)
        row.add_(1)

    x = torch.ones([2, 2], device=device)
    torch.func.functionalize(outer, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 1.0], [4.0, 4.0]]


# the inner body reads its input under the outer body's name
def test_an_inner_body_reads_its_input_by_the_outer_name(device):  # FUN-36
    def outer(x):
        def inner(y):
            y.add_(1)
            z = x.mul(10)
            return z

        out = torch.func.functionalize(inner)(x)
        return out

    x = torch.ones([2], device=device)
    out = torch.func.functionalize(outer)(x)
    assert out.tolist() == [20.0, 20.0]
    assert x.tolist() == [2.0, 2.0]


# the input of the inner body was captured by the outer one: its end would write it
def test_what_the_outer_body_captured_no_inner_one_writes(device):  # FUN-26
    c = torch.zeros([2], device=device)

    def outer(x):
        def inner(y):
            z = y.view([2, 1])
            z.add_(x)

        torch.func.functionalize(inner)(c)

    x = torch.ones([2, 1], device=device)
    with pytest.raises(RuntimeError, match="mutating a non-functional tensor with a functional tensor is not allowed"):
        torch.func.functionalize(outer)(x)
    assert c.tolist() == [0.0, 0.0]


# a tensor captured from the outer body has the outer body's memory, and cannot grow in an inner one
def test_what_an_inner_body_captures_of_the_outer_one_does_not_grow(device):  # FUN-26
    c = torch.zeros([2], device=device)

    def outer(x):
        def inner(y):
            x.resize_([4])

        torch.func.functionalize(inner)(c)

    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="mutating a non-functional tensor with a functional tensor is not allowed"):
        torch.func.functionalize(outer)(x)
    assert c.tolist() == [0.0, 0.0]


# the error is the outer body's, too
def test_an_inner_body_that_raises_leaves_the_callers_input(device):  # FUN-33, FUN-36
    def inner(y):
        y.add_(1)
        z = y.view([5])
        return z

    def outer(x):
        x.mul_(2)
        z = torch.func.functionalize(inner)(x)

    x = torch.ones([4], device=device)
    with pytest.raises(RuntimeError, match="shape '\\[5\\]' is invalid for input of size 4"):
        torch.func.functionalize(outer)(x)
    assert x.tolist() == [1.0, 1.0, 1.0, 1.0]


# a body transposes its input; the bodies around it see it transposed
def test_an_inner_body_turns_its_input(device):  # FUN-24, FUN-36
    def inner(y):
        y.transpose_(0, 1)
        row = y.select(0, 0)
        row.fill_(7)

    def outer(x):
        torch.func.functionalize(inner)(x)
        z = x.select(0, 0)
        return z

    x = torch.zeros([2, 3], device=device)
    out = torch.func.functionalize(outer)(x)
    assert list(x.shape) == [3, 2]
    assert x.tolist() == [[7.0, 7.0], [0.0, 0.0], [0.0, 0.0]]
    assert out.tolist() == [7.0, 7.0]
