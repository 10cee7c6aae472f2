# The program's own operators in functionalized bodies.
import pytest
import torch


def itself(x):
    return x


def add_one(x):
    x.add_(1)
    return x


def row(x):
    y = x.select(0, 0)
    return y


# the schema says that it writes, and the caller sees the write
def test_an_operator_that_writes_is_called_in_a_body(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")

    def body(x):
        y = torch.ops.mine.add_one_(x)
        z = torch.mul(y, 2)
        return z

    x = torch.zeros([2], device=device)
    z = torch.func.functionalize(body)(x)
    assert x.tolist() == [1.0, 1.0]
    assert z.tolist() == [2.0, 2.0]


def test_a_write_through_an_operators_view_reaches_the_caller(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("row(Tensor(a) x) -> Tensor(a)")
    lib.impl("row", row, "CPU")

    def body(x):
        y = torch.ops.mine.row(x)
        y.fill_(7)
        return y

    x = torch.zeros([2, 2], device=device)
    y = torch.func.functionalize(body, remove="mutations")(x)
    assert x.tolist() == [[7.0, 7.0], [0.0, 0.0]]
    assert y.tolist() == [7.0, 7.0]


# each tensor that the kernel gets shows the writes of the body before the call
def test_an_operator_that_writes_sees_the_writes_before_it(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")

    def body(x):
        v = x.view([4])
        v.add_(1)
        y = torch.ops.mine.add_one_(x)
        return v

    x = torch.zeros([2, 2], device=device)
    v = torch.func.functionalize(body)(x)
    assert x.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert v.tolist() == [2.0, 2.0, 2.0, 2.0]


def test_a_composite_kernel_writes_in_a_body(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CompositeImplicitAutograd")

    def body(x):
        v = x.view([4])
        y = torch.ops.mine.add_one_(v)
        z = torch.mul(x, 2)
        return z

    x = torch.zeros([2, 2], device=device)
    z = torch.func.functionalize(body)(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert z.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_an_operator_returns_a_captured_tensor_itself(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("itself(Tensor(a) x) -> Tensor(a)")
    lib.impl("itself", itself, "CPU")
    a = torch.zeros([2], device=device)
    b = a.view([2])

    def body(x):
        y = torch.ops.mine.itself(b)
        return y

    x = torch.ones([1], device=device)
    y = torch.func.functionalize(body)(x)
    assert y._is_view() is True
    assert y._base is a


def test_a_view_that_an_operator_makes_of_a_captured_tensor_has_its_base(device):  # FUN-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("row(Tensor(a) x) -> Tensor(a)")
    lib.impl("row", row, "CPU")
    a = torch.zeros([2, 2], device=device)

    def body(x):
        y = torch.ops.mine.row(a)
        return y

    x = torch.ones([1], device=device)
    y = torch.func.functionalize(body)(x)
    assert y._is_view() is True
    assert y._base is a


def test_an_operator_that_raises_leaves_the_bodys_input(device):  # FUN-33
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("reshaped(Tensor x) -> Tensor")

    def reshaped(x):
        y = x.view([5])
        return y

    lib.impl("reshaped", reshaped, "CPU")

    def body(x):
        x.add_(1)
        y = torch.ops.mine.reshaped(x)
        return y

    x = torch.zeros([4], device=device)
    with pytest.raises(RuntimeError, match="shape '\\[5\\]' is invalid for input of size 4"):
        torch.func.functionalize(body)(x)
    assert x.tolist() == [0.0, 0.0, 0.0, 0.0]
