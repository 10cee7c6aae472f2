# GEO: complex numbers: their dtypes, their arithmetic and their parts.
import pytest
import torch


# c10/core/ScalarType.cpp, promoteTypes: a float64 beside a complex64 needs a complex128
def test_complex64_and_float64_make_complex128(device):  # TYPE-41
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    assert x.dtype == torch.complex64
    d = torch.tensor([0.5, 1.0], dtype=torch.float64, device=device)
    z = torch.add(x, d)
    assert z.dtype == torch.complex128
    assert z.tolist() == [complex(1.5, 2.0), complex(4.0, -1.0)]
    i = torch.tensor([1, 2], device=device)
    f = torch.tensor([0.5, 1.0], device=device)
    y = torch.add(i, f)
    assert y.dtype == torch.float32


# c10/core/ScalarType.cpp, promoteTypes
def test_integers_and_narrower_floats_keep_a_complex_dtype(device):  # TYPE-41
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    i = torch.tensor([2], device=device)
    y = torch.mul(x, i)
    assert y.dtype == torch.complex64
    assert y.tolist() == [complex(2.0, 4.0)]
    f = torch.tensor([2.0], device=device)
    y = torch.add(f, x)
    assert y.dtype == torch.complex64
    h = torch.tensor([1.0], dtype=torch.float16, device=device)
    y = torch.add(x, h)
    assert y.dtype == torch.complex64
    w = torch.tensor([complex(0.0, 1.0)], dtype=torch.complex128, device=device)
    y = torch.add(x, w)
    assert y.dtype == torch.complex128
    y = torch.add(w, f)
    assert y.dtype == torch.complex128
    y = torch.add(i, f)
    assert y.dtype == torch.float32


# aten/src/ATen/native/TypeProperties.cpp, combine_categories: floats keep their width beside a complex scalar
def test_a_complex_tensor_without_dimensions_does_not_widen_floats(device):  # TYPE-40
    x = torch.tensor([1.0, 2.0], device=device)
    s = torch.tensor(complex(0.0, 1.0), dtype=torch.complex128, device=device)
    y = torch.add(x, s)
    assert y.dtype == torch.complex64
    assert y.tolist() == [complex(1.0, 1.0), complex(2.0, 1.0)]
    i = torch.tensor([1, 2], device=device)
    y = torch.add(i, s)
    assert y.dtype == torch.complex128


# aten/src/ATen/TensorIterator.cpp, compute_types: canCast
def test_a_complex_result_is_not_written_into_floats(device):  # TYPE-42
    x = torch.tensor([1.0, 2.0], device=device)
    c = torch.tensor([complex(0.0, 1.0), complex(1.0, 0.0)], device=device)
    with pytest.raises(RuntimeError, match="result type ComplexFloat can't be cast"):
        x.add_(c)
    assert x._version == 0
    out = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="result type ComplexFloat can't be cast"):
        torch.mul(c, c, out=out)


# aten/src/ATen/native/ReduceOps.cpp, sum, mean
def test_sums_and_means_stay_complex(device):  # TYPE-44
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    s = torch.sum(x)
    assert s.dtype == torch.complex64
    assert s.tolist() == complex(4.0, 1.0)
    m = torch.mean(x)
    assert m.tolist() == complex(2.0, 0.5)
    b = torch.tensor([True, True], device=device)
    t = torch.sum(b)
    assert t.dtype == torch.int64


# c10/util/complex.h: products by parts
def test_arithmetic_of_complex_numbers(device):  # KEY-07
    x = torch.tensor([complex(1.0, 2.0), complex(0.0, 1.0)], device=device)
    y = torch.tensor([complex(3.0, -1.0), complex(0.0, 1.0)], device=device)
    z = torch.mul(x, y)
    assert z.tolist() == [complex(5.0, 5.0), complex(-1.0, 0.0)]
    z = torch.sub(x, y)
    assert z.tolist() == [complex(-2.0, 3.0), complex(0.0, 0.0)]
    e = torch.eq(x, y)
    assert e.tolist() == [False, True]
    n = torch.neg(x)
    assert n.tolist() == [complex(-1.0, -2.0), complex(0.0, -1.0)]
    n.add_(x)
    assert n._version == 1


# aten/src/ATen/native/Copy.cpp: the imaginary part is dropped, with a warning
def test_a_real_dtype_drops_the_imaginary_part(device):  # TYPE-40
    x = torch.tensor([complex(1.0, 2.0), complex(0.0, 1.0)], device=device)
    f = x.to(torch.float32)
    assert f.tolist() == [1.0, 0.0]
    y = torch.zeros([2], device=device)
    y.copy_(x)
    assert y.tolist() == [1.0, 0.0]
    s = torch.tensor(2.0, dtype=torch.float64, device=device)
    w = torch.add(f, s)
    assert w.dtype == torch.float32


# c10/util/complex.h, operator bool: both parts count. PyTorch 1.13 looks only at the real part; it has no way to show a
# tensor's keys, and so skips this program
def test_a_complex_number_is_true_if_one_part_is_not_zero(device):  # VER-01
    x = torch.tensor([complex(0.0, 1.0), complex(0.0, 0.0)], device=device)
    assert torch._C._dispatch_keys(x).has(torch._C.DispatchKey.Conjugate) is False
    b = x.to(torch.bool)
    assert b.tolist() == [True, False]
    x.zero_()
    assert x._version == 1


# aten/src/ATen/native/TensorConversions.cpp, view_dtype: a complex64 is two float32
def test_the_bytes_of_a_complex_number_are_its_parts(device):  # GEO-66
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = x.view(torch.float32)
    assert list(y.shape) == [4]
    assert y.tolist() == [1.0, 2.0, 3.0, -1.0]
    y.mul_(2.0)
    assert x.tolist() == [complex(2.0, 4.0), complex(6.0, -2.0)]
    z = y.view(torch.complex64)
    z.add_(x)
    assert y.tolist() == [4.0, 8.0, 12.0, -4.0]


# aten/src/ATen/native/ComplexHelper.h, view_as_real, view_as_complex
def test_view_as_real_and_view_as_complex_share_memory(device):  # VER-04 VIEW-03
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    r = torch.ops.aten.view_as_real.default(x)
    assert list(r.shape) == [2, 2]
    assert r.stride() == (2, 1)
    assert r.tolist() == [[1.0, 2.0], [3.0, -1.0]]
    assert r._base is x
    c = torch.ops.aten.view_as_complex.default(r)
    assert c._base is x
    c.zero_()
    assert x.tolist() == [complex(0.0, 0.0), complex(0.0, 0.0)]
    assert x._version == 1
    assert r._version == 1


# aten/src/ATen/native/ComplexHelper.h, computeStrideForViewAsComplex
def test_view_as_complex_needs_pairs_that_lie_together(device):  # GEO-05 BIT-21
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    t = torch.transpose(x, 0, 1)
    with pytest.raises(RuntimeError, match="Tensor must have a last dimension with stride 1"):
        torch.ops.aten.view_as_complex.default(t)
    y = torch.tensor([1.0, 2.0, 3.0], device=device)
    with pytest.raises(RuntimeError, match="Tensor must have a last dimension of size 2"):
        torch.ops.aten.view_as_complex.default(y)
    s = torch.narrow(y, 0, 1, 2)
    with pytest.raises(RuntimeError, match="Tensor must have a storage_offset divisible by 2"):
        torch.ops.aten.view_as_complex.default(s)


# c10/util/TypeCast.h, overflows; aten/src/ATen/native/BinaryOps.h, alpha_check: what takes a Python complex number
def test_complex_numbers_are_refused_where_the_result_is_real(device):  # TYPE-42
    z = complex(0.0, 1.0)
    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.mul(x, z)
    assert y.dtype == torch.complex64
    assert y.tolist() == [complex(0.0, 1.0), complex(0.0, 2.0)]
    w = torch.add(y, x, alpha=complex(0.0, 2.0))
    assert w.tolist() == [complex(0.0, 3.0), complex(0.0, 6.0)]
    with pytest.raises(RuntimeError, match="result type ComplexFloat can't be cast to the desired output type Float"):
        x.mul_(z)
    with pytest.raises(RuntimeError, match="argument alpha must not be a complex number"):
        torch.add(x, x, alpha=z)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float without overflow"):
        x.fill_(z)
    mask = torch.tensor([True, False], device=device)
    with pytest.raises(RuntimeError, match="value cannot be converted to type float without overflow"):
        torch.masked_fill(x, mask, z)
    x.fill_(complex(3.0, 0.0))
    assert x.tolist() == [3.0, 3.0]
    assert x._version == 1
    m = torch.masked_fill(y, mask, z)
    assert m.tolist() == [complex(0.0, 1.0), complex(0.0, 2.0)]
    e = torch.eq(m, z)
    assert e.tolist() == [True, False]
    f = torch.full([2], z, device=device)
    assert f.dtype == torch.complex64
    assert f.tolist() == [complex(0.0, 1.0), complex(0.0, 1.0)]


# aten/src/ATen/native/TypeProperties.cpp, update_result_type_state: a Python complex is of the default complex dtype
def test_complex_numbers_promote_as_numbers(device):  # TYPE-41
    z = complex(1.0, 1.0)
    d = torch.tensor([2.0], dtype=torch.float64, device=device)
    y = torch.sub(d, z)
    assert y.dtype == torch.complex128
    i = torch.tensor([2], device=device)
    y = torch.add(i, z)
    assert y.dtype == torch.complex64
    h = torch.tensor([2.0], dtype=torch.bfloat16, device=device)
    y = torch.div(h, z)
    assert y.dtype == torch.complex64
    assert y.tolist() == [complex(1.0, -1.0)]
    f = torch.tensor([2.0], device=device)
    y = torch.add(i, f)
    assert y.dtype == torch.float32


# aten/src/ATen/native/ComplexHelper.h, computeStrideForViewAsComplex: dimensions of size 1 have any stride
def test_view_as_complex_needs_even_strides_where_there_are_several_elements(device):  # BIT-22
    x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0], device=device)
    y = torch.as_strided(x, [2, 2], [3, 1], 0)
    with pytest.raises(RuntimeError, match="Tensor must have a stride divisible by 2 for all but last dimension"):
        torch.ops.aten.view_as_complex.default(y)
    z = torch.as_strided(x, [1, 2], [3, 1], 0)
    c = torch.ops.aten.view_as_complex.default(z)
    assert c.stride() == (1,)
    assert c.tolist() == [complex(1.0, 2.0)]
