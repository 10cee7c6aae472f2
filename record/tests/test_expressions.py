# Everyday expressions and control flow in Python, a construct in each test; constructs_test.py runs them.
import torch


def test_operators(device):
    x = torch.tensor([1.0, 2.0], device=device)
    y = x + 1 - x * 2 / 4
    assert y.tolist() == [1.5, 2.0]


def test_reflected_operators(device):
    x = torch.tensor([1.0, 2.0], device=device)
    y = 1 - x
    z = 2 * x
    assert (y + z).tolist() == [2.0, 3.0]


def test_unary_minus(device):
    x = -torch.ones(2, device=device)
    assert x.tolist() == [-1.0, -1.0]


def test_comparisons(device):
    x = torch.tensor([1.0, 2.0], device=device)
    y = x > 1
    z = x == 2
    assert y.tolist() == z.tolist()


def test_comparison_of_tensors(device):
    x = torch.tensor([1.0, 2.0], device=device)
    assert (x >= x).all()


def test_augmented_assignment(device):
    x = torch.ones(2, device=device)
    x += 1
    x *= x
    assert x._version == 2


def test_matrix_product(device):
    x = torch.ones(2, 3, device=device)
    y = x @ x.T
    assert y.shape == (2, 2)


def test_int_index(device):
    x = torch.zeros(2, 3, device=device)
    assert x[1]._base is x


def test_negative_index(device):
    x = torch.zeros(2, 3, device=device)
    assert x[-1].storage_offset() == 3


def test_slice(device):
    x = torch.arange(6.0, device=device)
    assert x[1:5:2].tolist() == [1.0, 3.0]


def test_several_indices(device):
    x = torch.arange(6.0, device=device).view(2, 3)
    assert x[:, 1].tolist() == [1.0, 4.0]


def test_none_index(device):
    x = torch.zeros(2, device=device)
    assert x[None].shape == (1, 2)


def test_ellipsis_index(device):
    x = torch.zeros(2, 3, device=device)
    assert x[..., 0].stride() == (3,)


def test_bool_mask(device):
    x = torch.tensor([1.0, 2.0], device=device)
    y = x[x > 1]


def test_index_tensor(device):
    x = torch.tensor([1.0, 2.0], device=device)
    y = x[torch.tensor([1, 0])]


def test_index_assignment(device):
    x = torch.zeros(2, 3, device=device)
    x[0] = 1
    x[1, 1:] = torch.ones(2, device=device)
    assert x._version == 2


def test_mask_assignment(device):
    x = torch.tensor([1.0, 2.0], device=device)
    x[x > 1] = 0


def test_index_augmented_assignment(device):
    x = torch.zeros(2, device=device)
    x[0] += 1
    assert x.tolist() == [1.0, 0.0]


def test_nested_calls(device):
    x = torch.add(torch.neg(torch.ones(2, device=device)), torch.ones(2, device=device))
    assert x.tolist() == [0.0, 0.0]


def test_chained_methods(device):
    x = torch.ones(2, 3, device=device).t().contiguous().view(-1).add(1)
    assert x.shape == (6,)


def test_keyword_arguments_in_any_order(device):
    x = torch.add(other=torch.ones(2, device=device), input=torch.zeros(2, device=device), alpha=3)
    assert x.tolist() == [3.0, 3.0]


def test_sizes_as_arguments(device):
    x = torch.zeros(2, 3, device=device).view(3, 2)
    assert x.shape == (3, 2)


def test_sizes_as_a_tuple(device):
    x = torch.zeros((2, 3), device=device).expand(4, -1, -1)
    assert x.shape == (4, 2, 3)


def test_transposed_attributes(device):
    x = torch.zeros(2, 3, device=device)
    assert x.T.shape == x.mT.shape == x.H.shape


def test_real_part(device):
    x = torch.zeros(2, device=device)
    assert x.real is x


def test_shape_of_a_dimension(device):
    x = torch.zeros(2, 3, device=device)
    y = x.view(x.shape[1], x.shape[0])
    assert y.shape == (3, 2)


def test_numel(device):
    x = torch.zeros(2, 3, device=device)
    y = x.view(x.numel())
    assert y.dim() == 1


def test_item(device):
    x = torch.ones(1, device=device)
    y = torch.full((2,), x.item(), device=device)
    assert y.tolist() == [1.0, 1.0]


def test_data_ptr(device):
    x = torch.zeros(2, device=device)
    assert x.view(2).data_ptr() == x.data_ptr()


def test_size_and_len(device):
    x = torch.zeros(2, 3, device=device)
    assert x.size(1) == 3 and len(x) == 2


def test_is_and_is_not(device):
    x = torch.zeros(2, device=device)
    assert x.add_(1) is x and x.add(1) is not x


def test_in_a_list(device):
    x = torch.zeros(2, device=device)
    assert x.dim() in (1, 2)


def test_lists_of_tensors(device):
    parts = [torch.zeros(2, device=device), torch.ones(2, device=device)]
    parts.append(parts[0] + 1)
    assert torch.stack(parts).shape == (3, 2)


def test_tuples_and_unpacking(device):
    a, b = torch.zeros(2, device=device), torch.ones(2, device=device)
    a, b = b, a
    assert a.tolist() == [1.0, 1.0]


def test_starred_unpacking(device):
    first, *rest = torch.arange(3.0, device=device).split(1)
    assert len(rest) == 2


def test_dictionaries(device):
    state = {"weight": torch.ones(2, device=device)}
    state["weight"].add_(1)
    assert state["weight"]._version == 1


def test_comprehension(device):
    rows = [torch.full((2,), float(i), device=device) for i in range(3)]
    assert torch.cat(rows).shape == (6,)


def test_for_over_a_range(device):
    x = torch.zeros(2, device=device)
    for i in range(3):
        x.add_(i)
    assert x._version == 3


def test_for_over_a_tensor(device):
    x = torch.zeros(2, 2, device=device)
    for row in x:
        row.add_(1)
    assert x.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_enumerate_and_zip(device):
    x, y = torch.zeros(2, device=device), torch.ones(2, device=device)
    for i, (a, b) in enumerate(zip([x], [y])):
        a.copy_(b + i)
    assert x.tolist() == [1.0, 1.0]


def test_while(device):
    x = torch.ones(1, device=device)
    while x.item() < 4:
        x = x * 2
    assert x.tolist() == [4.0]


def test_if_on_a_known_value(device):
    x = torch.ones(1, device=device)
    if x.dim() == 1:
        x = x + 1
    else:
        x = x - 1
    assert x.tolist() == [2.0]


def test_if_on_a_tensor(device):
    x = torch.ones(1, device=device)
    y = x + 1 if x > 0 else x - 1
    assert y.tolist() == [2.0]
