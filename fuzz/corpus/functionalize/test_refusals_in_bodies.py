# What a body refuses: the errors are those of the same op outside a body.
import pytest
import torch


# aten/src/ATen/TensorIterator.cpp, compute_types: the result must be castable to the output
def test_a_body_writes_no_float_into_integers(device):  # TYPE-42
    def body(x):
        x.mul_(0.5)

    x = torch.tensor([3, 4], device=device)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        torch.func.functionalize(body)(x)
    assert x.tolist() == [3, 4]


# the same
def test_a_body_adds_no_integer_to_bools(device):  # TYPE-42
    def body(x):
        x.add_(1)

    x = torch.tensor([True, False], device=device)
    with pytest.raises(RuntimeError, match="result type Long can't be cast to the desired output type Bool"):
        torch.func.functionalize(body)(x)
    assert x.tolist() == [True, False]


# the same; exp of integers is a float
def test_a_body_writes_no_exponentials_into_integers(device):  # TYPE-42
    def body(x):
        x.exp_()

    x = torch.tensor([0, 0], device=device)
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        torch.func.functionalize(body)(x)
    assert x.tolist() == [0, 0]


# c10/core/MemoryOverlap.h; aten/src/ATen/TensorIterator.cpp, compute_mem_overlaps
def test_a_body_writes_no_expanded_tensor_in_place(device):  # GEO-19
    def body(x):
        y = x.expand([3])
        y.exp_()

    x = torch.tensor([0.0], device=device)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        torch.func.functionalize(body)(x)
    assert x.tolist() == [0.0]
