# The derivatives of windows on memory, and what a custom function saves of its own results.
import torch


# FunctionsManual.cpp, as_strided_backward: "accumulate output gradient into storage"
def test_windows_that_overlap_add_their_gradients_up(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 10.0, 100.0], [1000.0, 10000.0, 100000.0]], device=device)
    a = torch.as_strided(x, [2, 3], [2, 1])
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert a.tolist() == [[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]
    assert x.grad.tolist() == [1.0, 10.0, 1100.0, 10000.0, 100000.0]


def test_one_element_that_is_seen_often_gets_the_sum(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], requires_grad=True, device=device)
    w = torch.tensor([1.0, 10.0, 100.0], device=device)
    a = torch.as_strided(x, [3], [0], 1)
    p = torch.mul(a, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [0.0, 111.0]


# variable.cpp, grad_fn: a view whose base was written is as_strided of the base as it is now
def test_windows_of_a_base_that_was_written_add_their_gradients_up(device):  # AUT-13
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True, device=device)
    w = torch.tensor([[1.0, 10.0], [100.0, 1000.0]], device=device)
    a = torch.mul(x, 3)
    v = torch.as_strided(a, [2, 2], [1, 1])
    a.mul_(2)
    p = torch.mul(v, w)
    s = p.sum()
    s.backward()
    assert x.grad.tolist() == [6.0, 660.0, 6000.0]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.mul(x, x)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        h = torch.mul(g, y)
        return h


# python_function.cpp, _save_variables: a result is saved as one, without the node that saves it
def test_result_that_a_function_saves_comes_back(device):  # AUT-13
    x = torch.tensor([2.0, 3.0], requires_grad=True, device=device)
    y = Square.apply(x)
    s = y.sum()
    s.backward()
    assert x.grad.tolist() == [4.0, 9.0]
