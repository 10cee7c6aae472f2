# GEO: dtypes of 8 and 16 bits: how they promote, wrap, round and convert, and their bytes.
import pytest
import torch


# c10/core/ScalarType.cpp, promoteTypes: int16 is the least that holds both
def test_uint8_and_int8_make_int16(device):  # TYPE-41
    x = torch.tensor([200, 1], dtype=torch.uint8, device=device)
    y = torch.tensor([-1, 100], dtype=torch.int8, device=device)
    z = torch.add(x, y)
    assert z.dtype == torch.int16
    assert z.tolist() == [199, 101]
    f = torch.tensor([0.5], device=device)
    w = torch.add(z, f)
    assert w.dtype == torch.float32
    assert w.tolist() == [199.5, 101.5]


# c10/core/ScalarType.cpp, promoteTypes: neither holds the other
def test_float16_and_bfloat16_make_float32(device):  # TYPE-41
    x = torch.tensor([0.5, 1.0], dtype=torch.float16, device=device)
    y = torch.tensor([0.5, 2.0], dtype=torch.bfloat16, device=device)
    z = torch.add(x, y)
    assert z.dtype == torch.float32
    assert z.tolist() == [1.0, 3.0]
    i = torch.tensor([1, 1], dtype=torch.int8, device=device)
    w = torch.add(z, i)
    assert w.dtype == torch.float32


# c10/core/ScalarType.cpp, promoteTypes: not even an int64 makes a half wider
def test_integers_and_float16_make_float16(device):  # TYPE-41
    x = torch.tensor([1, 2], device=device)
    y = torch.tensor([0.5, 0.5], dtype=torch.float16, device=device)
    z = torch.add(x, y)
    assert z.dtype == torch.float16
    assert z.tolist() == [1.5, 2.5]


# c10/core/ScalarType.cpp, promoteTypes: of one kind the wider dtype wins
def test_of_one_kind_the_wider_dtype_wins(device):  # TYPE-41
    b = torch.tensor([True], device=device)
    u = torch.tensor([1], dtype=torch.uint8, device=device)
    s = torch.tensor([1], dtype=torch.int8, device=device)
    h = torch.tensor([1], dtype=torch.int16, device=device)
    i = torch.tensor([1], dtype=torch.int32, device=device)
    n = torch.tensor([1], device=device)
    x = torch.add(b, u)
    assert x.dtype == torch.uint8
    x = torch.add(s, b)
    assert x.dtype == torch.int8
    x = torch.add(u, h)
    assert x.dtype == torch.int16
    x = torch.add(h, s)
    assert x.dtype == torch.int16
    x = torch.add(h, i)
    assert x.dtype == torch.int32
    x = torch.add(i, u)
    assert x.dtype == torch.int32
    x = torch.add(h, n)
    assert x.dtype == torch.int64
    x = torch.add(n, s)
    assert x.dtype == torch.int64
    f = torch.tensor([1.0], device=device)
    x = torch.add(x, f)
    assert x.dtype == torch.float32


# c10/core/ScalarType.cpp, promoteTypes
def test_a_wider_float_wins_over_a_half_and_a_half_over_integers(device):  # TYPE-41
    i = torch.tensor([1], dtype=torch.int16, device=device)
    h = torch.tensor([1.0], dtype=torch.float16, device=device)
    g = torch.tensor([1.0], dtype=torch.bfloat16, device=device)
    f = torch.tensor([1.0], device=device)
    d = torch.tensor([1.0], dtype=torch.float64, device=device)
    x = torch.add(h, f)
    assert x.dtype == torch.float32
    x = torch.add(f, g)
    assert x.dtype == torch.float32
    x = torch.add(d, h)
    assert x.dtype == torch.float64
    x = torch.add(g, d)
    assert x.dtype == torch.float64
    x = torch.add(g, i)
    assert x.dtype == torch.bfloat16
    x = torch.add(i, f)
    assert x.dtype == torch.float32


# TypeProperties.cpp, combine_categories
def test_a_float64_without_dimensions_leaves_bfloat16(device):  # TYPE-40
    x = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, device=device)
    y = torch.tensor(1.0, dtype=torch.float64, device=device)
    z = torch.add(x, y)
    assert z.dtype == torch.bfloat16
    assert z.tolist() == [2.0, 3.0]


# TypeProperties.cpp, combine_categories: the number is converted, so it wraps too
def test_a_number_beyond_uint8_wraps(device):  # TYPE-40
    x = torch.tensor([0, 250], dtype=torch.uint8, device=device)
    y = torch.add(x, 300)
    assert y.dtype == torch.uint8
    assert y.tolist() == [44, 38]
    z = torch.neg(x)
    assert z.tolist() == [0, 6]


# c10/core/ScalarType.h, canCast
def test_a_half_is_not_written_into_int16(device):  # TYPE-42
    x = torch.tensor([1, 2], dtype=torch.int16, device=device)
    y = torch.tensor([0.5, 0.5], dtype=torch.float16, device=device)
    with pytest.raises(RuntimeError, match="result type Half can't be cast to the desired output type Short"):
        x.add_(y)
    assert x.tolist() == [1, 2]


# TensorIterator.h, promote_integer_inputs_to_float: a half stays, an integer of 8 bits does not become one
def test_div_of_int8_is_float32_and_of_bfloat16_bfloat16(device):  # TYPE-43
    x = torch.tensor([1, 3], dtype=torch.int8, device=device)
    y = torch.tensor([1.0, 3.0], dtype=torch.bfloat16, device=device)
    a = torch.div(x, 2)
    b = torch.div(y, 2)
    assert a.dtype == torch.float32
    assert b.dtype == torch.bfloat16
    assert b.tolist() == [0.5, 1.5]


# ReduceOpsUtils.h, get_dtype_from_self
def test_the_sum_of_uint8_is_an_int64_and_of_float16_a_float16(device):  # TYPE-44
    x = torch.tensor([200, 100], dtype=torch.uint8, device=device)
    y = torch.tensor([200.0, 100.0], dtype=torch.float16, device=device)
    a = x.sum()
    b = y.sum()
    c = x.sum(dtype=torch.uint8)
    assert a.dtype == torch.int64
    assert a.tolist() == 300
    assert b.dtype == torch.float16
    assert b.tolist() == 300.0
    assert c.tolist() == 44


# ReduceOps.cpp, TORCH_META_FUNC2(mean, dim)
def test_mean_refuses_int16(device):  # TYPE-45
    x = torch.tensor([1, 2], dtype=torch.int16, device=device)
    with pytest.raises(RuntimeError, match="Input dtype must be either a floating point or complex dtype. Got: Short"):
        x.mean()
    y = x.mean(dtype=torch.float16)
    assert y.dtype == torch.float16
    assert y.tolist() == 1.5


# TensorIterator.cpp, build_comparison_op: 300 is 44 as a uint8, and 2049 is 2048 as a float16
def test_a_comparison_converts_to_the_narrow_dtype(device):  # TYPE-40
    x = torch.tensor([44, 45], dtype=torch.uint8, device=device)
    y = torch.tensor([2048.0, 2050.0], dtype=torch.float16, device=device)
    n = torch.tensor(300, device=device)
    m = torch.tensor(2049, device=device)
    a = torch.eq(x, n)
    b = torch.eq(y, m)
    assert a.tolist() == [True, False]
    assert b.tolist() == [True, False]


# TypeCast.h, convert: from the middle between two halves to the even one
def test_to_float16_rounds_to_even(device):  # TYPE-41
    x = torch.tensor([2049.0, 2051.0, 65519.0, 65520.0], device=device)
    y = x.to(torch.float16)
    z = x.to(torch.bfloat16)
    assert y.tolist() == [2048.0, 2052.0, 65504.0, float("inf")]
    assert z.tolist() == [2048.0, 2048.0, 65536.0, 65536.0]
    n = torch.tensor([2049], device=device)
    h = torch.tensor([0.0], dtype=torch.float16, device=device)
    w = torch.add(n, h)
    assert w.tolist() == [2048.0]


# ScalarOps.cpp, fill: a negative integer wraps, but no number beyond the dtype is filled in
def test_fill_refuses_a_number_beyond_int8(device):  # TYPE-42
    x = torch.tensor([1, 2], dtype=torch.int8, device=device)
    with pytest.raises(RuntimeError, match="value cannot be converted to type int8_t without overflow"):
        x.fill_(128)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Char"):
        x.add_(0.5)
    y = torch.tensor([1, 2], dtype=torch.uint8, device=device)
    y.fill_(-1)
    assert x.tolist() == [1, 2]
    assert y.tolist() == [255, 255]


# TensorConversions.cpp, view_dtype: the sign, the exponent and the fraction of a half
def test_the_bytes_of_float16_as_int16_and_uint8(device):  # GEO-66 GEO-67
    x = torch.tensor([1.0, -2.0], dtype=torch.float16, device=device)
    y = x.view(torch.int16)
    z = x.view(torch.uint8)
    assert y.tolist() == [15360, -16384]
    assert z.tolist() == [0, 60, 0, 192]
    w = z.select(0, 1)
    w.fill_(64)
    assert x.tolist() == [2.0, -2.0]


# TensorConversions.cpp, view_dtype: a bfloat16 is the upper half of a float32
def test_the_upper_bytes_of_float32_are_a_bfloat16(device):  # GEO-66 GEO-67
    x = torch.tensor([1.0, 3.0], device=device)
    y = x.view(torch.bfloat16)
    assert y.tolist() == [0.0, 1.0, 0.0, 3.0]
    z = torch.tensor([1, 2, 3], dtype=torch.uint8, device=device)
    with pytest.raises(RuntimeError, match="must be divisible by 2"):
        z.view(torch.bfloat16)


# derivatives.yaml, mul: a gradient has the dtype of its leaf
def test_backward_of_a_bfloat16_gives_a_bfloat16(device):  # AUT-13
    x = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, device=device, requires_grad=True)
    y = torch.tensor([3.0, 4.0], device=device)
    z = torch.mul(x, y)
    assert z.dtype == torch.float32
    s = z.sum()
    s.backward()
    g = x.grad
    assert g.dtype == torch.bfloat16
    assert g.tolist() == [3.0, 4.0]
