# BIT: views with the keys Conjugate and Negative, and what their fallback does.
import pytest
import torch


# aten/src/ATen/native/UnaryOps.cpp, _conj: a view with the key Conjugate
def test_conj_is_a_view_with_a_key(device):  # VIEW-03 BIT-01 BIT-02
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    assert y._base is x
    assert y.tolist() == [complex(1.0, -2.0), complex(3.0, 1.0)]
    assert torch._C._dispatch_keys(y).has(torch._C.DispatchKey.Conjugate) is True
    z = torch.ops.aten.conj.default(y)
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    assert z._base is x


# aten/src/ATen/native/UnaryOps.cpp, conj: of real numbers, the tensor itself
def test_conj_of_real_numbers_is_the_tensor_itself(device):  # VER-01 BIT-03 BIT-04
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
def test_a_write_to_a_conjugate_writes_the_conjugate(device):  # VER-01 BIT-12 BIT-14 BIT-17
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    w = torch.tensor([complex(0.0, 1.0), complex(1.0, 1.0)], device=device)
    y.add_(w)
    assert y.tolist() == [complex(1.0, -1.0), complex(4.0, 2.0)]
    assert x.tolist() == [complex(1.0, 1.0), complex(4.0, -2.0)]
    assert x._version == 1
    assert y._version == 1


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: results have no bit
def test_results_of_conjugates_are_plain(device):  # VER-01 BIT-12
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.mul(x, y)
    assert z.tolist() == [complex(5.0, 0.0), complex(10.0, 0.0)]
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    assert x._version == 0
    z.add_(1.0)
    assert z._version == 1


# aten/src/ATen/ConjugateFallback.cpp: clone and copy_ fall through, and their kernels know the bit
def test_clone_and_copy_resolve_a_conjugate(device):  # GEO-26 BIT-08
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
def test_a_copy_of_a_conjugate_onto_its_base_conjugates_it(device):  # VER-01 GEO-22 BIT-18
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    x.copy_(y)
    assert x.tolist() == [complex(1.0, -2.0), complex(3.0, 1.0)]
    assert y.tolist() == [complex(1.0, 2.0), complex(3.0, -1.0)]
    assert x._version == 1


# aten/src/ATen/native/UnaryOps.cpp, resolve_conj
def test_resolve_conj_copies_only_a_conjugate(device):  # VER-01 GEO-26 BIT-09
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
def test_imag_of_a_conjugate_is_a_negative_view(device):  # GEO-22 BIT-05
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
def test_resolve_neg_copies_only_a_negative_view(device):  # GEO-26 BIT-09
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    i = torch.ops.aten.imag.default(y)
    z = torch.ops.aten.resolve_neg.default(i)
    assert z._base is None
    assert z.tolist() == [-2.0]
    w = torch.ops.aten.resolve_neg.default(y)
    assert w._base is x


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: ops of real numbers resolve a negative view too
def test_ops_see_the_elements_of_a_negative_view(device):  # GEO-22 BIT-12
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
def test_views_of_a_conjugate_carry_the_bit(device):  # GEO-05 BIT-07 BIT-11
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
def test_a_conjugate_out_is_written_through(device):  # VER-01 VER-04 BIT-14
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
def test_view_as_real_refuses_a_conjugate(device):  # VER-01 VER-04 BIT-10
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
def test_views_of_parts_inside_inference_mode(device):  # INF-01 INF-04 BIT-02
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
def test_cat_and_stack_of_conjugates(device):  # VER-01 VER-04 BIT-12
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.cat([x, y])
    assert z.tolist() == [complex(1.0, 2.0), complex(1.0, -2.0)]
    w = torch.stack([y, y])
    assert w.tolist() == [[complex(1.0, -2.0)], [complex(1.0, -2.0)]]
    y.add_(x)
    assert x._version == 1


# aten/src/ATen/native/ComplexHelper.h, view_tensor: only the key Conjugate is removed
def test_parts_of_a_negative_complex_view_are_negative(device):  # BIT-02 BIT-05 BIT-06
    x = torch.tensor([complex(1.0, 2.0), complex(3.0, -1.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    i = torch.ops.aten.imag.default(y)
    p = torch.as_strided(i, [2, 2], [2, 1], 0)
    c = torch.ops.aten.view_as_complex.default(p)
    assert torch._C._dispatch_keys(c).has(torch._C.DispatchKey.Negative) is True
    assert c.tolist() == [complex(-1.0, -2.0), complex(-3.0, 1.0)]
    r = torch.ops.aten.real.default(c)
    assert r.tolist() == [-1.0, -3.0]
    m = torch.ops.aten.imag.default(c)
    assert m.tolist() == [-2.0, 1.0]
    q = torch.ops.aten.view_as_real.default(c)
    assert q.tolist() == [[-1.0, -2.0], [-3.0, 1.0]]
    b = torch.ops.aten.conj.default(c)
    assert torch._C._dispatch_keys(b).has(torch._C.DispatchKey.Negative) is True
    assert torch._C._dispatch_keys(b).has(torch._C.DispatchKey.Conjugate) is True
    assert b.tolist() == [complex(-1.0, 2.0), complex(-3.0, -1.0)]
    n = torch.ops.aten.imag.default(b)
    assert torch._C._dispatch_keys(n).has(torch._C.DispatchKey.Negative) is False
    assert n.tolist() == [2.0, -1.0]
    w = torch.ops.aten.resolve_neg.default(b)
    assert w.tolist() == [complex(-1.0, 2.0), complex(-3.0, -1.0)]
    assert torch._C._dispatch_keys(w).has(torch._C.DispatchKey.Conjugate) is False
    b.zero_()
    assert x.tolist() == [complex(0.0, 0.0), complex(0.0, 0.0)]


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: written tensors are cloned, whatever memory they share
def test_a_write_to_a_conjugate_meets_no_other_memory(device):  # BIT-13 BIT-17
    x = torch.tensor([complex(0.0, 1.0), complex(0.0, 2.0), complex(3.0, 0.0)], device=device)
    a = torch.narrow(x, 0, 0, 2)
    b = torch.narrow(x, 0, 1, 2)
    y = torch.ops.aten.conj.default(a)
    y.add_(b)
    assert x.tolist() == [complex(0.0, -1.0), complex(3.0, 2.0), complex(3.0, 0.0)]
    assert x._version == 1
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a single memory location"):
        a.add_(b)


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: copy_ raises the error, after the op has run on the clone
def test_the_errors_of_an_op_come_before_those_of_copying_back(device):  # BIT-15
    x = torch.zeros([1], dtype=torch.complex64, device=device)
    e = x.expand(3)
    y = torch.ops.aten.conj.default(e)
    w = torch.ones([5], dtype=torch.complex64, device=device)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        e.add_(w)
    with pytest.raises(RuntimeError, match="The size of tensor a"):
        y.add_(w)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        y.add_(1.0)
    assert x.tolist() == [complex(0.0, 0.0)]
    assert x._version == 0


# aten/src/ATen/native/MathBitsFallback.h, fallback_impl: resize_output
def test_a_conjugate_out_is_resized(device):  # BIT-14 BIT-16
    x = torch.tensor([[complex(1.0, 2.0)], [complex(3.0, -1.0)]], device=device)
    t = torch.transpose(x, 0, 1)
    o = torch.zeros([0], dtype=torch.complex64, device=device)
    y = torch.ops.aten.conj.default(o)
    torch.add(t, t, out=y)
    assert list(y.shape) == [1, 2]
    assert y.stride() == (2, 1)
    assert y.tolist() == [[complex(2.0, 4.0), complex(6.0, -2.0)]]
    assert torch._C._dispatch_keys(y).has(torch._C.DispatchKey.Conjugate) is True
    assert list(o.shape) == [0]
    assert o._version == 1
    p = torch.zeros([3], dtype=torch.complex64, device=device)
    n = torch.narrow(p, 0, 2, 0)
    w = n.conj()
    torch.add(t, t, out=w)
    assert w.storage_offset() == 2
    assert w.tolist() == [[complex(2.0, 4.0), complex(6.0, -2.0)]]
    assert p.tolist() == [complex(0.0, 0.0), complex(0.0, 0.0), complex(2.0, -4.0)]


# aten/src/ATen/native/UnaryOps.cpp, conj_physical_
def test_conj_physical_of_real_numbers_does_not_look_at_memory(device):  # BIT-19
    x = torch.zeros([1], device=device)
    y = x.expand(3)
    torch.ops.aten.conj_physical_.default(y)
    assert x._version == 1
    z = torch.zeros([1], dtype=torch.complex64, device=device)
    w = z.expand(3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory location"):
        torch.ops.aten.conj_physical_.default(w)
    assert z._version == 0


# aten/src/ATen/native/TensorConversions.cpp, view_dtype
def test_a_conjugate_has_no_view_in_another_dtype(device):  # BIT-20
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    with pytest.raises(RuntimeError, match="not supported for conjugate view tensors when converting to a different dtype"):
        y.view(torch.float32)
    i = torch.ops.aten.imag.default(y)
    with pytest.raises(RuntimeError, match="not supported for tensors with negative bit set when converting to a different dtype"):
        i.view(torch.int32)
    assert x._version == 0


# aten/src/ATen/native/TensorConversions.cpp, view_dtype: the message speaks of a different dtype
def test_a_conjugate_has_a_view_in_its_own_dtype(device):  # BIT-07 BIT-20
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = x.conj()
    z = y.view(torch.complex64)
    assert z.is_conj() is True
    assert z.tolist() == [complex(1.0, -2.0)]
    z.zero_()
    assert x.tolist() == [complex(0.0, 0.0)]


# aten/src/ATen/native/MathBitsFallback.h; aten/src/ATen/native/TensorFactories.cpp, full_like
def test_a_tensor_like_a_conjugate_is_plain(device):  # BIT-08
    x = torch.tensor([complex(1.0, 2.0)], device=device)
    y = torch.ops.aten.conj.default(x)
    z = torch.zeros_like(y)
    assert torch._C._dispatch_keys(z).has(torch._C.DispatchKey.Conjugate) is False
    f = torch.full_like(y, 2.0)
    assert torch._C._dispatch_keys(f).has(torch._C.DispatchKey.Conjugate) is False
    c = torch.clone(y)
    assert torch._C._dispatch_keys(c).has(torch._C.DispatchKey.Conjugate) is False
    assert c.tolist() == [complex(1.0, -2.0)]
    assert x._version == 0
