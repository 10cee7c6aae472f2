# Memory: which tensors share storage, what a write then changes, and what a write to overlapping memory does.
import pytest
import torch


# rfc-0011-final: view operations introduce aliasing relationships
def test_write_through_each_kind_of_view_reaches_its_base(device):  # VER-04 GEO-02 GEO-10 F-74
    x = torch.zeros([2, 2], device=device)
    a = x.select(0, 0)
    a.add_(1)
    b = x.diagonal()
    b.add_(10)
    c = x.t()
    d = c.select(0, 1)
    d.add_(100)
    assert x.tolist() == [[11.0, 101.0], [0.0, 110.0]]
    assert x._version == 3


# rfc-0011-final: view operations introduce aliasing relationships
def test_write_to_a_base_is_seen_by_its_views(device):  # VER-04 GEO-03 F-74
    x = torch.zeros([4], device=device)
    v = torch.ops.aten.slice.Tensor(x, 0, 1, 4, 2)
    y = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device)
    x.copy_(y)
    assert v.tolist() == [2.0, 4.0]
    assert torch._C._is_alias_of(x, v) is True


# rfc-0011-final, 'Examples': views of inference tensors alias them like any view
def test_alias_of_an_inference_tensor_shares_its_storage(device):  # VIEW-02 INF-03 F-31
    with torch.inference_mode():
        a = torch.zeros([2], device=device)
        b = torch.ops.aten.alias(a)
        b.fill_(3)
    c = torch.ops.aten.alias(a)
    assert a.tolist() == [3.0, 3.0]
    assert torch._C._is_alias_of(a, b) is True
    assert torch._C._is_alias_of(a, c) is True
    assert c._is_view() is False


# torch.detach: "Returned Tensor shares the same storage with the original one"
def test_detached_tensor_shares_the_storage(device):  # VER-05 VIEW-10
    p = torch.zeros([2], device=device, requires_grad=True)
    d = p.detach()
    d.fill_(4)
    assert p.tolist() == [4.0, 4.0]
    assert p._version == 1


# MemoryOverlap.cpp, has_internal_overlap: stride 0 and size above 1
def test_write_to_an_expanded_tensor_is_an_error(device):  # GEO-19
    x = torch.zeros([2, 1], device=device)
    v = x.expand([2, 3])
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.add_(1)
    assert x.tolist() == [[0.0], [0.0]]
    assert x._version == 0


# MemoryOverlap.cpp, has_internal_overlap: copy_ is checked like add_
def test_copy_to_an_expanded_tensor_is_an_error(device):  # GEO-19
    x = torch.zeros([1], device=device)
    y = torch.ones([3], device=device)
    v = x.expand([3])
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        v.copy_(y)


# MemoryOverlap.cpp, has_internal_overlap: stride 0 in a dimension of size 1 repeats nothing
def test_write_to_a_tensor_whose_stride_0_has_size_1_is_allowed(device):  # GEO-19 GEO-07
    x = torch.zeros([2], device=device)
    y = x.expand([3, 2])
    v = y.narrow(0, 0, 1)
    v.add_(1)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers to a single memory"):
        y.add_(1)
    assert v.stride() == (0, 1)
    assert x.tolist() == [1.0, 1.0]


# MemoryOverlap.cpp, get_overlap_status, assert_no_partial_overlap
def test_write_to_a_tensor_that_partly_overlaps_an_operand_is_an_error(device):  # GEO-20
    x = torch.arange(4, device=device)
    a = x.narrow(0, 0, 3)
    b = x.narrow(0, 1, 3)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a"):
        a.add_(b)
    assert x.tolist() == [0, 1, 2, 3]


# MemoryOverlap.cpp, get_overlap_status: FULL overlap is not partial overlap; moved by one element, it is
def test_write_to_a_tensor_that_is_its_own_operand_is_allowed(device):  # GEO-20
    x = torch.arange(4, device=device)
    v = x.view([2, 2])
    w = x.view([2, 2])
    v.add_(w)
    x.mul_(x)
    assert x.tolist() == [0, 4, 16, 36]
    a = x.narrow(0, 0, 3)
    b = x.narrow(0, 1, 3)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a"):
        a.mul_(b)
    assert x.tolist() == [0, 4, 16, 36]


# MemoryOverlap.cpp, get_overlap_status: NO overlap though the storage is one
def test_write_to_a_tensor_beside_its_operand_is_allowed(device):  # GEO-20
    x = torch.arange(4, device=device)
    a = x.narrow(0, 0, 2)
    b = x.narrow(0, 2, 2)
    c = x.narrow(0, 1, 2)
    a.add_(b)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor refer to a"):
        a.add_(c)
    assert x.tolist() == [2, 4, 2, 3]


# Fill.cpp: "Fill is idempotent, so overlap is okay"
def test_fill_of_an_expanded_tensor_is_allowed(device):  # GEO-21
    x = torch.zeros([2, 1], device=device)
    v = x.expand([2, 3])
    v.fill_(7)
    assert x.tolist() == [[7.0], [7.0]]
    v.zero_()
    assert x.tolist() == [[0.0], [0.0]]
    assert x._version == 2


# MemoryOverlap.h, MemOverlap::TooHard: strides (1, 1) are not recognised, and x[1] takes the 2.0 or the 3.0
def test_write_through_overlap_that_the_check_does_not_see_is_specified_elsewhere_alone(device):  # GEO-22
    x = torch.zeros([3], device=device)
    v = x.as_strided([2, 2], [1, 1], 0)
    y = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=device)
    v.copy_(y)
    first = x.narrow(0, 0, 1)
    last = x.narrow(0, 2, 1)
    assert first.tolist() == [1.0]
    assert last.tolist() == [4.0]
    assert x._version == 1


# MemoryOverlap.h, MemOverlap::TooHard; fill_ gives the same in every order, copy_ does not, and neither is an error
def test_fill_through_overlap_that_the_check_does_not_see_is_specified(device):  # GEO-22 GEO-21
    x = torch.zeros([3], device=device)
    y = torch.zeros([2, 2], device=device)
    v = x.as_strided([2, 2], [1, 1], 0)
    v.copy_(y)
    v.fill_(5)
    assert x.tolist() == [5.0, 5.0, 5.0]
    assert x._version == 2


# torch.empty: "filled with uninitialized data", so nothing has been written
def test_empty_writes_nothing(device):  # GEO-25 VER-01
    x = torch.empty([2, 3], device=device)
    assert x._version == 0
    assert list(x.shape) == [2, 3]
    assert x.stride() == (3, 1)


# torch.empty: "filled with uninitialized data", until they are written
def test_elements_of_empty_are_specified_once_written(device):  # GEO-25
    x = torch.empty([2], device=device)
    x.fill_(1)
    assert x.tolist() == [1.0, 1.0]
    assert x._version == 1


# rfc-0011-final: functional operations are guaranteed to have non-aliasing outputs
def test_clone_has_storage_of_its_own(device):  # GEO-26 F-73
    x = torch.zeros([2], device=device)
    y = x.clone()
    x.add_(1)
    assert torch._C._is_alias_of(x, y) is False
    assert y.tolist() == [0.0, 0.0]


# rfc-0011-final: functional operations are guaranteed to have non-aliasing outputs, in inference mode too
def test_functional_result_has_storage_of_its_own_in_inference_mode(device):  # GEO-26 VER-07 F-20 F-57 F-73
    x = torch.zeros([2], device=device)
    with torch.inference_mode():
        y = x.clone()
        z = x.add(0)
        y.add_(1)
        z.add_(2)
    assert x.tolist() == [0.0, 0.0]
    assert x._version == 0
    assert torch._C._is_alias_of(y, z) is False


# torch.sum: all elements, or along dim, which keepdim keeps with size 1
def test_sum_adds_all_elements_or_those_along_a_dimension(device):  # GEO-26 GEO-01
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    s = x.sum()
    c = x.sum(0)
    r = x.sum([-1], keepdim=True)
    assert s.tolist() == 21.0
    assert c.tolist() == [5.0, 7.0, 9.0]
    assert r.tolist() == [[6.0], [15.0]]


# torch.mm: (n x m) by (m x p)
def test_mm_multiplies_matrices_of_any_strides(device):  # GEO-05 GEO-26
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    y = x.t()
    z = x.mm(y)
    assert list(z.shape) == [2, 2]
    assert z.tolist() == [[14.0, 32.0], [32.0, 77.0]]


# torch.add: other is scaled by alpha; copy_ converts to the dtype of the written tensor
def test_dtypes_of_factories_and_of_converting_copies(device):  # GEO-26
    x = torch.zeros([2], dtype=torch.float64, device=device)
    i = torch.arange(1, 3, device=device)
    x.copy_(i)
    y = x.add(x, alpha=2)
    z = x.clone()
    assert z.dtype is torch.float64
    assert torch._C._is_alias_of(x, z) is False
    assert x.dtype is torch.float64
    assert i.dtype is torch.int64
    assert y.dtype is torch.float64
    assert y.tolist() == [3.0, 6.0]


# Copy.cpp, copy_impl: is_same_data returns before anything is checked
def test_copy_onto_a_view_of_the_same_elements_is_no_error_where_they_overlap(device):  # GEO-28
    a = torch.full([1], 2.0, device=device)
    x = a.expand([3])
    y = x.view([3])
    x.copy_(y)
    assert x.tolist() == [2.0, 2.0, 2.0]


# LinearAlgebra.cpp, addmm_impl_cpu_: the dtypes are asked for before the sizes
def test_product_of_two_dtypes_is_an_error_where_there_is_nothing_to_multiply(device):  # TYPE-33
    x = torch.zeros([2, 0], device=device)
    y = torch.zeros([0, 3], dtype=torch.float64, device=device)
    with pytest.raises(RuntimeError, match="expected m1 and m2 to have the same dtype"):
        x.mm(y)
    b = torch.tensor([[True]], device=device)
    f = torch.ones([1, 1], device=device)
    with pytest.raises(RuntimeError):
        b.mm(f)
