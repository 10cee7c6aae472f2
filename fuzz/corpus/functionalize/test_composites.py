# Composite ops in functionalized bodies: they run as the ops that they call.
import torch


def test_a_write_through_a_composite_view_reaches_the_caller(device):  # FUN-19
    def body(x):
        v = torch.ops.aten.movedim.intlist(x, [0], [1])
        w = torch.ops.aten.unflatten.int(v, 0, [1, 3])
        w.fill_(7)
        return w

    x = torch.zeros([2, 3], device=device)
    w = torch.func.functionalize(body)(x)
    assert x.tolist() == [[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]
    assert w.shape == (1, 3, 2)


def test_a_write_to_one_of_several_composite_views_reaches_the_caller(device):  # FUN-19
    def body(x):
        a, b = torch.ops.aten.tensor_split.sections(x, 2, 0)
        b.fill_(7)
        return a

    x = torch.zeros([3], device=device)
    a = torch.func.functionalize(body)(x)
    assert x.tolist() == [0.0, 0.0, 7.0]
    assert a.tolist() == [0.0, 0.0]


# negative_ calls neg_, which has a functional form
def test_a_composite_op_writes_in_a_body(device):  # FUN-37
    def body(x):
        v = x.view([2])
        y = torch.ops.aten.negative_.default(v)
        return y

    x = torch.full([2, 1], -3.0, device=device)
    y = torch.func.functionalize(body)(x)
    assert x.tolist() == [[3.0], [3.0]]
    assert y.tolist() == [3.0, 3.0]
