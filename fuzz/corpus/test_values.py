# GEO: the values of a result: its dtype, what a reduction accepts, and where rand's elements come from.
import pytest
import torch


# TypeProperties.cpp, result_type: dimResult before zeroResult before wrappedResult
def test_a_tensor_with_dimensions_outranks_one_without(device):  # TYPE-40
    x = torch.tensor([1.0, 2.0], device=device)
    scalar = torch.tensor(1.0, dtype=torch.float64, device=device)
    y = torch.add(x, scalar)
    assert y.dtype == torch.float32
    assert y.tolist() == [2.0, 3.0]


# TypeProperties.cpp, combine_categories: a lower rank counts with a higher kind
def test_a_number_of_a_higher_kind_counts(device):  # TYPE-40
    x = torch.tensor([1, 2], dtype=torch.int32, device=device)
    y = torch.add(x, 1)
    z = torch.add(x, 0.5)
    assert y.dtype == torch.int32
    assert z.dtype == torch.float32
    assert z.tolist() == [1.5, 2.5]


# c10/core/ScalarType.cpp, promoteTypes
def test_integers_and_float32_make_float32(device):  # TYPE-41
    x = torch.tensor([1, 2], device=device)
    y = torch.tensor([0.5, 0.5], device=device)
    z = torch.add(x, y)
    assert z.dtype == torch.float32
    assert z.tolist() == [1.5, 2.5]
    i = torch.tensor([1, 2], dtype=torch.int32, device=device)
    j = torch.add(i, x)
    assert j.dtype == torch.int64
    d = torch.tensor([0.5, 0.5], dtype=torch.float64, device=device)
    e = torch.add(d, y)
    assert e.dtype == torch.float64


# c10/core/ScalarType.h, promoteTypes: a kind that is higher takes no width from the lower one
def test_bools_and_float32_make_float32_and_so_do_float32_and_integers(device):  # TYPE-41
    b = torch.tensor([True, False], device=device)
    f = torch.tensor([0.5, 0.5], device=device)
    i = torch.tensor([1, 2], device=device)
    x = torch.add(b, f)
    assert x.dtype == torch.float32
    y = torch.add(b, i)
    assert y.dtype == torch.int64
    z = torch.add(f, i)
    assert z.dtype == torch.float32


# c10/core/ScalarType.h, canCast
def test_a_float_is_not_written_into_integers(device):  # TYPE-42
    x = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Long"):
        x.add_(0.5)
    assert x.tolist() == [1, 2]


# c10/core/ScalarType.h, canCast
def test_an_integer_is_not_written_into_bools(device):  # TYPE-42
    x = torch.tensor([True, False], dtype=torch.bool, device=device)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Bool"):
        x.add_(1)
    assert x.tolist() == [True, False]


# TensorIterator.h, promote_integer_inputs_to_float
def test_true_division_of_integers_is_float32(device):  # TYPE-43
    x = torch.tensor([1, 2], device=device)
    y = torch.div(x, 2)
    z = x.sqrt()
    assert y.dtype == torch.float32
    assert y.tolist() == [0.5, 1.0]
    assert z.dtype == torch.float32
    v = torch.tensor([4.0], dtype=torch.float64, device=device)
    w = v.sqrt()
    assert w.dtype == torch.float64


# ReduceOpsUtils.h, get_dtype_from_self
def test_a_sum_of_int32_is_int64(device):  # TYPE-44
    x = torch.tensor([2147483647, 1], dtype=torch.int32, device=device)
    y = x.sum()
    assert y.dtype == torch.int64
    assert y.tolist() == 2147483648


# ReduceOps.cpp, TORCH_META_FUNC2(mean, dim)
def test_mean_refuses_integers(device):  # TYPE-45
    x = torch.tensor([1, 2], device=device)
    with pytest.raises(RuntimeError, match="could not infer output dtype"):
        x.mean()
    y = x.mean(dtype=torch.float64)
    assert y.tolist() == 1.5


# TensorIterator.cpp, build_comparison_op: float32 holds no 16777217
def test_a_comparison_converts_first(device):  # TYPE-46
    x = torch.tensor([16777217], device=device)
    y = torch.tensor([16777216.0], device=device)
    z = x.eq(y)
    assert z.tolist() == [True]
    i = torch.tensor([1], device=device)
    d = torch.tensor([1.0], dtype=torch.float64, device=device)
    w = i.eq(d)
    assert w.tolist() == [True]


# torch.max: "the indices of the first maximal value are returned"
def test_the_first_of_equal_maxima_is_the_one(device):  # VAL-47
    x = torch.tensor([1.0, 2.0, 2.0], device=device)
    values, indices = x.max(0)
    at = x.argmax()
    assert values.tolist() == 2.0
    assert indices.tolist() == 1
    assert at.tolist() == 1


# torch.aminmax: "propagates NaN values"
def test_not_a_number_is_the_maximum(device):  # VAL-48
    zero = torch.tensor([0.0, 1.0, 2.0], device=device)
    d = torch.tensor([0.0, 1.0, 1.0], device=device)
    x = torch.div(zero, d)
    at = x.argmax()
    y = x.max()
    same = y.eq(y)
    assert at.tolist() == 0
    assert same.tolist() == False


# TensorAdvancedIndexing.cpp, masked_fill_impl_cpu: a warning, where other writes raise
def test_masked_fill_writes_expanded_memory(device):  # GEO-49
    x = torch.tensor([1.0], device=device)
    mask = torch.tensor([True, False], dtype=torch.bool, device=device)
    v = x.expand(2)
    v.masked_fill_(mask, 3)
    assert x.tolist() == [3.0]


# TensorFactories.cpp, empty_like: MemoryFormat::Preserve
def test_like_factories_keep_the_strides(device):  # GEO-50
    x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], device=device)
    t = x.t()
    y = torch.zeros_like(t)
    z = torch.full_like(t, 2)
    assert y.stride() == (1, 3)
    assert z.stride() == (1, 3)


# FunctionsManual.cpp, evenly_distribute_backward
def test_equal_maxima_share_the_gradient(device):  # VAL-51
    x = torch.tensor([2.0, 1.0, 2.0], device=device, requires_grad=True)
    y = x.max()
    y.backward()
    assert x.grad.tolist() == [0.5, 0.0, 0.5]


# FunctionsManual.cpp, value_selecting_reduction_backward
def test_the_maximum_along_a_dimension_has_one_gradient(device):  # VAL-51 VAL-47
    x = torch.tensor([2.0, 1.0, 2.0], device=device, requires_grad=True)
    y, at = x.max(0)
    y.backward()
    assert x.grad.tolist() == [1.0, 0.0, 0.0]


# DistributionTemplates.h, uniform_kernel; the numbers are MT19937's from the seed 5489, its low 24 bits over 2**24
def test_rand_goes_on_from_call_to_call(device):  # RAND-52
    torch.manual_seed(5489)
    x = torch.rand(1, device=device)
    y = torch.rand(1, device=device)
    same = x.eq(y)
    assert x.tolist() == [0.5692651271820068]
    assert same.tolist() == [False]


# torch.aminmax: 'the same number of dimensions as input'
def test_keepdim_of_a_tensor_without_dimensions_gives_none(device):  # GEO-53
    x = torch.tensor(3.0, device=device)
    lowest, highest = x.aminmax(dim=0)
    assert list(lowest.shape) == []
    assert list(highest.shape) == []
    s = x.sum([0], keepdim=True)
    low, high = x.aminmax(dim=0, keepdim=True)
    assert list(s.shape) == []
    assert list(low.shape) == []
    assert list(high.shape) == []


def test_gather_takes_indices_of_int32(device):  # TYPE-54
    x = torch.tensor([1.0, 2.0], device=device)
    i = torch.tensor([1, 0], dtype=torch.int32, device=device)
    y = x.index_select(0, i)
    z = x.gather(0, i)
    assert y.tolist() == [2.0, 1.0]
    assert z.tolist() == [2.0, 1.0]


def test_mask_is_of_bools(device):  # TYPE-56
    x = torch.tensor([1.0, 2.0], device=device)
    m = torch.tensor([0, 1], device=device)
    with pytest.raises(RuntimeError):
        x.masked_fill(m, 3)


def test_stack_by_a_matrix_is_taken_as_one_tall_matrix_where_that_moves_nothing(device):  # MUL-57
    a = torch.ones([1, 1], device=device)
    b = torch.ones([1, 1, 2], device=device)
    w = torch.ones([1, 1], device=device, requires_grad=True)
    c = a.matmul(b)
    d = w.matmul(b)
    assert c.stride() == (2, 2, 1)
    assert d.stride() == (2, 1, 1)


def test_a_stack_of_one_matrix_by_a_vector_or_by_another_stays_a_stack(device):  # MUL-57
    x = torch.ones([1, 3, 2], device=device, requires_grad=True)
    y = x.transpose(1, 2)
    v = torch.ones([3], device=device)
    z = y.matmul(v)
    assert list(z.shape) == [1, 2]
    left = torch.ones([1, 1, 3], device=device, requires_grad=True)
    right = torch.ones([1, 3, 4], device=device)
    product = left.matmul(right)
    assert list(product.stride()) == [4, 4, 1]


def test_argmax_takes_no_bools(device):  # TYPE-58
    x = torch.tensor([True], device=device)
    with pytest.raises(RuntimeError, match="bool"):
        x.argmax(0)
    y = torch.tensor([True, False], device=device)
    with pytest.raises(RuntimeError):
        y.argmax(0)


def test_the_extremes_share_their_gradients(device):  # VAL-51
    x = torch.tensor([1.0, 3.0, 3.0], device=device, requires_grad=True)
    low, high = x.aminmax()
    high.backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.5]
