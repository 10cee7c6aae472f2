# What the caller of a functionalized body sees: inputs and results that share memory, sizes, strides, errors.
import pytest
import torch


# without functionalization both see one memory
def test_inputs_that_share_memory_see_each_others_writes(device):  # FUN-21 P-23 P-36
    def body(x, y):
        x.add_(1)
        z = y.mul(2)
        return z

    a = torch.tensor([1.0, 2.0], device=device)
    b = a.view([2, 1])
    out = torch.func.functionalize(body)(a, b)
    assert out.tolist() == [[4.0], [6.0]]
    assert b.tolist() == [[2.0], [3.0]]


# functional_utils.py, gen_alias_from_base: outputs that alias inputs are made again
def test_a_result_that_is_a_view_of_an_input_shares_its_memory(device):  # FUN-22
    def body(x):
        y = x.view([4])
        y.add_(1)
        return y

    x = torch.zeros([2, 2], device=device)
    out = torch.func.functionalize(body)(x)
    out.add_(1)
    assert x.tolist() == [[2.0, 2.0], [2.0, 2.0]]


# the second is a view of the first in the body
def test_results_that_share_memory_with_each_other_go_on_sharing_it(device):  # FUN-23 P-36
    def body(x):
        y = x.mul(2)
        z = y.view([4])
        return y, z

    x = torch.ones([2, 2], device=device)
    a, b = torch.func.functionalize(body)(x)
    a.add_(1)
    assert a.tolist() == [[3.0, 3.0], [3.0, 3.0]]
    assert b.tolist() == [3.0, 3.0, 3.0, 3.0]


# schemas.py, mutates_metadata: metadata changes of inputs
def test_the_body_turns_its_input(device):  # FUN-24 P-06 P-42
    def body(x):
        x.transpose_(0, 1)

    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    torch.func.functionalize(body)(x)
    assert list(x.shape) == [3, 2]
    assert x.tolist() == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]


# aten/src/ATen/native/TensorShape.cpp, transpose_: sizes and strides change places, and no element moves
def test_turning_an_input_moves_nothing_under_its_aliases(device):  # FUN-24
    def body(x):
        x.transpose_(0, 1)

    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    y = x.view([4])
    torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert y.tolist() == [1.0, 2.0, 3.0, 4.0]


# TensorShape.cpp, transpose: the strides change places; TensorIterator.cpp: a fresh result has its operand's
def test_a_result_has_the_strides_that_it_has_in_the_body(device):  # FUN-25 P-35
    def body(x):
        y = x.transpose(0, 1)
        z = y.mul(2)
        return z

    x = torch.ones([2, 3], device=device)
    out = torch.func.functionalize(body)(x)
    assert out.stride() == (1, 3)
    assert out.tolist() == [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]


# gen_functionalization_type.py: "mutating a non-functional tensor with a functional tensor is not allowed"
def test_a_captured_tensor_is_not_written(device):  # FUN-26
    x = torch.zeros([2], device=device)

    def body(y):
        x.add_(y)

    y = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="mutating a non-functional tensor with a functional tensor is not allowed"):
        torch.func.functionalize(body)(y)
    assert x.tolist() == [0.0, 0.0]


# eager_transforms.py, functionalize: writes are propagated after the function has returned
def test_a_body_that_raises_leaves_its_input(device):  # FUN-33
    def body(x):
        x.add_(1)
        y = x.view([5])
        return y

    x = torch.zeros([4], device=device)
    with pytest.raises(RuntimeError, match="shape '\\[5\\]' is invalid for input of size 4"):
        y = torch.func.functionalize(body)(x)
    assert x.tolist() == [0.0, 0.0, 0.0, 0.0]


# the base is a tensor that the caller cannot name
def test_a_result_that_is_alone_is_no_view(device):  # FUN-35
    def body(x):
        y = x.mul(2)
        z = y.view([4])
        return z

    x = torch.ones([2, 2], device=device)
    out = torch.func.functionalize(body, remove="mutations_and_views")(x)
    assert out._is_view() is False
    assert out.tolist() == [2.0, 2.0, 2.0, 2.0]


# what a view of x had stays as it was, although x is overwritten before it is read
def test_two_inputs_can_be_exchanged(device):  # FUN-30
    def body(x, y):
        old = torch.alias_copy(x)
        x.copy_(y)
        y.copy_(old)

    a = torch.tensor([1.0, 2.0], device=device)
    b = torch.tensor([3.0, 4.0], device=device)
    torch.func.functionalize(body)(a, b)
    assert a.tolist() == [3.0, 4.0]
    assert b.tolist() == [1.0, 2.0]


# an op that only reads the sizes of a view leaves it a view
def test_a_view_stays_a_view_after_a_factory_has_looked_at_it(device):  # FUN-01 FUN-20
    def body(x):
        y = x.view([4])
        x.add_(1)
        z = torch.zeros_like(y)
        return y, z

    x = torch.zeros([2, 2], device=device)
    out, zeros = torch.func.functionalize(body)(x)
    assert out._is_view() is True
    assert out.tolist() == [1.0, 1.0, 1.0, 1.0]
    assert zeros.tolist() == [0.0, 0.0, 0.0, 0.0]
