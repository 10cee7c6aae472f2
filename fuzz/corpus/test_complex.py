# GEO: complex numbers: their dtypes, their parts, and views with the keys Conjugate and Negative.
import pytest
import torch


# c10/core/ScalarType.cpp, promoteTypes: a float64 beside a complex64 needs a complex128
def test_complex64_and_float64_make_complex128(device):  # GEO-41
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
def test_integers_and_narrower_floats_keep_a_complex_dtype(device):  # GEO-41
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
def test_a_complex_tensor_without_dimensions_does_not_widen_floats(device):  # GEO-40
    x = torch.tensor([1.0, 2.0], device=device)
    s = torch.tensor(complex(0.0, 1.0), dtype=torch.complex128, device=device)
    y = torch.add(x, s)
    assert y.dtype == torch.complex64
    assert y.tolist() == [complex(1.0, 1.0), complex(2.0, 1.0)]
    i = torch.tensor([1, 2], device=device)
    y = torch.add(i, s)
    assert y.dtype == torch.complex128


# aten/src/ATen/TensorIterator.cpp, compute_types: canCast
def test_a_complex_result_is_not_written_into_floats(device):  # GEO-42
    x = torch.tensor([1.0, 2.0], device=device)
    c = torch.tensor([complex(0.0, 1.0), complex(1.0, 0.0)], device=device)
    with pytest.raises(RuntimeError, match="result type ComplexFloat can't be cast"):
        x.add_(c)
    assert x._version == 0
    out = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="result type ComplexFloat can't be cast"):
        torch.mul(c, c, out=out)


# aten/src/ATen/native/ReduceOps.cpp, sum, mean
def test_sums_and_means_stay_complex(device):  # GEO-44
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
def test_a_real_dtype_drops_the_imaginary_part(device):  # GEO-40
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
def test_view_as_complex_needs_pairs_that_lie_together(device):  # GEO-05
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


# aten/src/ATen/native/UnaryOps.cpp, _conj: a view with the key Conjugate
def test_conj_is_a_view_with_a_key(device):  # VIEW-03
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    assert y._base is x
    assert y.tolist() == [complex(1.0, -2.0), complex(3.0, 1.0)]
    assert torch._C._dispatch_keys(y).has(torch._C.DispatchKey.Conjugate) is True
    z = torch.ops.aten.conj.default(y)
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    assert z._base is x


# aten/src/ATen/native/UnaryOps.cpp, conj: of real numbers, the tensor itself
def test_conj_of_real_numbers_is_the_tensor_itself(device):  # VER-01
    x = torch.tensor([1.0, 2.0], device=device)
    y = torch.ops.aten.conj.default(x)
    assert y._is_view() is False
    y.add_(1.0)
    y = torch.ops.aten.real.default(x)
    assert y._is_view() is False
    y.add_(1.0)
    y = torch.ops.aten.resolve_conj.default(x)
    y.add_(1.0)
    assert x.tolist() == [4.0, 5.0]
    with pytest.raises(RuntimeError, match="imag is not implemented for tensors with non-complex dtypes"):
        torch.ops.aten.imag.default(x)
    assert x._version == 3


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: x.conj().add_(1) conjugates twice
def test_a_write_to_a_conjugate_writes_the_conjugate(device):  # VER-01
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    w = torch.tensor([complex(0.0, 1.0), complex(1.0, 1.0)], device=device)
    y.add_(w)
    assert y.tolist() == [complex(1.0, -1.0), complex(4.0, 2.0)]
    assert x.tolist() == [complex(1.0, 1.0), complex(4.0, -2.0)]
    assert x._version == 1
    assert y._version == 1


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: results have no bit
def test_results_of_conjugates_are_plain(device):  # VER-01
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.mul(x, y)
    assert z.tolist() == [complex(5.0, 0.0), complex(10.0, 0.0)]
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    assert x._version == 0
    z.add_(1.0)
    assert z._version == 1


# aten/src/ATen/ConjugateFallback.cpp: clone and copy_ fall through, and their kernels know the bit
def test_clone_and_copy_resolve_a_conjugate(device):  # GEO-26
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.clone(y)
    assert z.tolist() == [complex(1.0, -2.0)]
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    w = torch.zeros([1], dtype=torch.complex64, device=device)
    v = torch.ops.aten.conj.default(w)
    v.copy_(x)
    assert v.tolist() == [complex(1.0, 2.0)]
    assert w.tolist() == [complex(1.0, -2.0)]


# aten/src/ATen/native/Copy.cpp, copy_impl: the same memory with another bit is not the same elements
def test_a_copy_of_a_conjugate_onto_its_base_conjugates_it(device):  # VER-01 GEO-22
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    x.copy_(y)
    assert x.tolist() == [complex(1.0, -2.0), complex(3.0, 1.0)]
    assert y.tolist() == [complex(1.0, 2.0), complex(3.0, -1.0)]
    assert x._version == 1


# aten/src/ATen/native/UnaryOps.cpp, resolve_conj
def test_resolve_conj_copies_only_a_conjugate(device):  # VER-01 GEO-26
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.resolve_conj.default(x)
    y.add_(0.0)
    assert x._version == 1
    z = torch.ops.aten.conj.default(x)
    w = torch.ops.aten.resolve_conj.default(z)
    assert w._base is None
    assert w.tolist() == [complex(1.0, -2.0)]


# aten/src/ATen/native/UnaryOps.cpp, real, imag
def test_real_and_imag_are_views_of_the_parts(device):  # VER-01 VER-04
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    r = torch.ops.aten.real.default(x)
    i = torch.ops.aten.imag.default(x)
    assert r.dtype == torch.float32
    assert r.stride() == (2,)
    assert i.storage_offset() == 1
    assert i._base is x
    r.add_(10.0)
    i.zero_()
    assert x.tolist() == [complex(11.0, 0.0), complex(13.0, 0.0)]
    assert x._version == 2


# aten/src/ATen/native/UnaryOps.cpp, imag: of a conjugate, a negative view
def test_imag_of_a_conjugate_is_a_negative_view(device):  # GEO-22
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    i = torch.ops.aten.imag.default(y)
    assert torch._C._dispatch_keys(i).has(torch._C.DispatchKey.Negative) is True
    assert i.tolist() == [-2.0, 1.0]
    i.add_(5.0)
    assert i.tolist() == [3.0, 6.0]
    assert x.tolist() == [complex(1.0, -3.0), complex(3.0, -6.0)]
    r = torch.ops.aten.real.default(y)
    assert torch._C._dispatch_keys(r).has(torch._C.DispatchKey.Negative) is False


# aten/src/ATen/native/UnaryOps.cpp, resolve_neg
def test_resolve_neg_copies_only_a_negative_view(device):  # GEO-26
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    i = torch.ops.aten.imag.default(y)
    z = torch.ops.aten.resolve_neg.default(i)
    assert z._base is None
    assert z.tolist() == [-2.0]
    w = torch.ops.aten.resolve_neg.default(y)
    assert w._base is x


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: ops of real numbers resolve a negative view too
def test_ops_see_the_elements_of_a_negative_view(device):  # GEO-22
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    i = torch.ops.aten.imag.default(y)
    m = torch.max(i)
    assert m.tolist() == 1.0
    r = torch.relu(i)
    assert r.tolist() == [0.0, 1.0]
    i.neg_()
    assert i.tolist() == [2.0, -1.0]
    assert x.tolist() == [complex(1.0, -2.0), complex(3.0, 1.0)]


# aten/src/ATen/ConjugateFallback.cpp: views carry the bit
def test_views_of_a_conjugate_carry_the_bit(device):  # GEO-05
    x = torch.tensor([[complex(1.0, 2.0), complex(3.0, -1.0)]], device=device)
    y = torch.ops.aten.conj.default(x)
    t = torch.transpose(y, 0, 1)
    assert torch._C._dispatch_keys(t).has(torch._C.DispatchKey.Conjugate) is True
    assert t.tolist() == [[complex(1.0, -2.0)], [complex(3.0, 1.0)]]
    s = torch.select(t, 0, 0)
    assert torch._C._dispatch_keys(s).has(torch._C.DispatchKey.Conjugate) is True
    s.zero_()
    assert x.tolist() == [[complex(0.0, 0.0), complex(3.0, -1.0)]]
    d = y.detach()
    assert torch._C._dispatch_keys(d).has(torch._C.DispatchKey.Conjugate) is True


# aten/src/ATen/ConjugateFallback.cpp: view ops that change their argument fall through
def test_a_transpose_in_place_keeps_the_bit(device):  # GEO-05
    x = torch.tensor([[complex(1.0, 2.0), complex(3.0, -1.0)]], device=device)
    y = torch.ops.aten.conj.default(x)
    y.transpose_(0, 1)
    assert list(y.shape) == [2, 1]
    assert torch._C._dispatch_keys(y).has(torch._C.DispatchKey.Conjugate) is True
    assert y.tolist() == [[complex(1.0, -2.0)], [complex(3.0, 1.0)]]
    assert list(x.shape) == [1, 2]


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: out is cloned, written and copied back
def test_a_conjugate_out_is_written_through(device):  # VER-01 VER-04
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    o = torch.zeros([1], dtype=torch.complex64, device=device)
    y = torch.ops.aten.conj.default(o)
    torch.add(x, x, out=y)
    assert y.tolist() == [complex(2.0, 4.0)]
    assert o.tolist() == [complex(2.0, -4.0)]
    assert o._version == 1
    assert y._version == 1


# aten/src/ATen/native/MathBitsFallback.h: the op writes a clone, so it meets no argument's memory
def test_an_out_that_is_a_conjugate_of_an_argument_overlaps_nothing(device):  # VER-01 VER-04
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    y.mul_(x)
    assert y.tolist() == [complex(5.0, 0.0), complex(10.0, 0.0)]
    assert x.tolist() == [complex(5.0, 0.0), complex(10.0, 0.0)]
    assert x._version == 1


# aten/src/ATen/native/ComplexHelper.h, view_as_real
def test_view_as_real_refuses_a_conjugate(device):  # VER-01 VER-04
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    with pytest.raises(RuntimeError, match="view_as_real doesn't work on unresolved conjugated tensors"):
        torch.ops.aten.view_as_real.default(y)
    r = torch.tensor([1.0], device=device)
    with pytest.raises(RuntimeError, match="view_as_real is only supported for complex tensors"):
        torch.ops.aten.view_as_real.default(r)
    assert y._version == 0
    x.add_(1.0)
    assert y._version == 1


# rfcs#17: views of normal tensors are normal, also those of their parts
def test_views_of_parts_inside_inference_mode(device):  # INF-01 INF-04
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    with torch.inference_mode():
        r = torch.ops.aten.view_as_real.default(x)
        assert r.is_inference() is False
        y = torch.ops.aten.conj.default(x)
        assert y.is_inference() is False
        y.add_(1.0)
        z = torch.mul(y, y)
        assert z.is_inference() is True
        c = torch.ops.aten.conj.default(z)
        assert c.is_inference() is True
        assert torch._C._dispatch_keys(c).has(torch._C.DispatchKey.Conjugate) is True
        c.add_(1.0)
    assert x._version == 1
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        c.add_(1.0)


# aten/src/ATen/native/UnaryOps.cpp, conj_physical
def test_conj_physical_copies_and_writes(device):  # VER-01
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj_physical.default(x)
    assert y.tolist() == [complex(1.0, -2.0)]
    assert y._base is None
    torch.ops.aten.conj_physical_.default(x)
    assert x.tolist() == [complex(1.0, -2.0)]
    assert x._version == 1


# aten/src/ATen/native/TensorShape.cpp, cat
def test_cat_and_stack_of_conjugates(device):  # VER-01 VER-04
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.cat([x, y])
    assert z.tolist() == [complex(1.0, 2.0), complex(1.0, -2.0)]
    w = torch.stack([y, y])
    assert w.tolist() == [[complex(1.0, -2.0)], [complex(1.0, -2.0)]]
    y.add_(x)
    assert x._version == 1
