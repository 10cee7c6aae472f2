# The examples of PyTorch's pull request 63048 that need no vmap: writes reach inputs and aliases.
import torch


# "tests that inputs are still successfully mutated"
def test_a_write_to_a_view_of_an_input(device):  # FUN-01 FUN-20 P-01 P-13
    def f(x):
        tmp = torch.ones(4)
        y = x.view(4)
        y.add_(tmp)
        return x

    x = torch.zeros(2, 2)
    out = torch.func.functionalize(f, remove="mutations_and_views")(x)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert out.tolist() == [[1.0, 1.0], [1.0, 1.0]]


# "test the free variable mutation case": a factory inside the body
def test_a_write_to_what_a_factory_in_the_body_made(device):  # FUN-29 P-02
    def f(x):
        tmp = torch.ones(4)
        tmp.add_(x)
        y = tmp.mul(x)
        return y

    x = torch.tensor([1.0, 2.0, 3.0, 4.0])
    out = torch.func.functionalize(f)(x)
    assert x.tolist() == [1.0, 2.0, 3.0, 4.0]
    assert out.tolist() == [2.0, 6.0, 12.0, 20.0]


# "a.add_(1) # successfully mutates b"
def test_a_write_to_the_base_is_seen_in_a_view(device):  # FUN-02 FUN-03 P-04 P-11 P-15 P-24 P-52
    def f(a):
        b = a.view(4)
        a.add_(1)
        c = b.mul(2)
        return c

    a = torch.ones(2, 2)
    out = torch.func.functionalize(f, remove="mutations_and_views")(a)
    assert a.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert out.tolist() == [4.0, 4.0, 4.0, 4.0]


# "There are also a bunch of view ops that are both views and mutations, like transpose_ and as_strided_"
def test_an_op_that_is_a_view_and_a_mutation(device):  # FUN-08 FUN-18 P-21 P-33 P-41
    def f(x):
        y = x.mul(1)
        y.transpose_(0, 1)
        z = y.select(0, 1)
        z.add_(10)
        return y

    x = torch.tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    out = torch.func.functionalize(f, remove="mutations_and_views")(x)
    assert out.tolist() == [[0.0, 3.0], [11.0, 14.0], [2.0, 5.0]]
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


# "torch.split() is a view op that returns multiple output tensors, which will all alias the same input tensor"
def test_a_write_to_one_result_of_split(device):  # FUN-12 P-20 P-43 P-47 P-51
    def f(x):
        a, b, c = x.split(2)
        b.add_(1)
        a.mul_(2)
        return c

    x = torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0])
    out = torch.func.functionalize(f, remove="mutations_and_views")(x)
    assert x.tolist() == [0.0, 2.0, 3.0, 4.0, 4.0]
    assert out.tolist() == [4.0]
