# Functions, modules, autograd and the standard library, a construct in each test; constructs_test.py runs them.
import copy
import math

import pytest
import torch
from torch import nn
from torch.func import functionalize

SIZES = [2, 3]
ONES = torch.ones(2)


def twice(x, factor=2):
    return x * factor


def test_print_and_f_strings(device):
    x = torch.ones(2, device=device)
    print(f"x is {x} with version {x._version}", x.shape)


def test_default_arguments(device):
    assert twice(torch.ones(2, device=device)).tolist() == [2.0, 2.0]


def test_keyword_of_a_helper(device):
    assert twice(torch.ones(2, device=device), factor=3).tolist() == [3.0, 3.0]


def test_lambda(device):
    half = lambda x: x / 2
    assert half(torch.ones(2, device=device)).tolist() == [0.5, 0.5]


def test_nested_functions_and_closures(device):
    base = torch.ones(2, device=device)

    def add(x):
        return base + x
    assert add(base).tolist() == [2.0, 2.0]


def test_recursion(device):
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)
    assert power(torch.full((1,), 2.0, device=device), 3).tolist() == [8.0]


@torch.no_grad()
def no_history(x):
    return x * 2


@torch.inference_mode()
def inferred(x):
    return x * 2


def test_no_grad_as_a_decorator(device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert no_history(x).requires_grad is False


def test_inference_mode_as_a_decorator(device):
    assert inferred(torch.ones(2, device=device)).is_inference()


@pytest.mark.parametrize("size", SIZES)
def test_parametrize(size, device):
    assert torch.zeros(size, device=device).shape == (size,)


@pytest.fixture
def filled(device):
    return torch.ones(2, device=device)


def test_fixtures(filled):
    assert filled.add_(1)._version == 1


def test_module_level_values(device):
    assert torch.zeros(SIZES, device=device).shape == (2, 3)


def test_module_level_tensors(device):
    assert (ONES + 1).tolist() == [2.0, 2.0]


def test_nested_lists_of_numbers(device):
    x = torch.tensor([[1, 2], [3, 4]], device=device)
    assert x.dtype == torch.int64


def test_device_and_dtype_attributes(device):
    x = torch.zeros(2, device=device, dtype=torch.float64)
    y = torch.ones(2, device=x.device, dtype=x.dtype)
    assert y.dtype == torch.float64


def test_conversions(device):
    x = torch.ones(2, device=device).double().int().bool()
    assert x.dtype == torch.bool


def test_to_with_a_dtype(device):
    x = torch.ones(2, device=device).to(torch.int64)
    assert x.tolist() == [1, 1]


def test_parameter(device):
    x = nn.Parameter(torch.ones(2, device=device))
    assert x.requires_grad and x.is_leaf


def test_modules(device):
    layer = nn.Sequential(nn.Linear(2, 2, bias=False), nn.ReLU())
    nn.init.ones_(layer[0].weight)
    assert layer(torch.ones(1, 2, device=device)).tolist() == [[2.0, 2.0]]


def test_state_dict(device):
    first, second = nn.Linear(2, 1), nn.Linear(2, 1)
    second.load_state_dict(first.state_dict())
    assert torch.equal(first.weight, second.weight)


def test_optimizer(device):
    x = torch.ones(2, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.5)
    (x * x).sum().backward()
    optimizer.step()
    assert x.tolist() == [0.0, 0.0]


def test_momentum(device):
    x = torch.ones(2, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([x], lr=0.5, momentum=0.5)
    for _ in range(2):
        optimizer.zero_grad()
        x.sum().backward()
        optimizer.step()


def test_functional(device):
    x = torch.tensor([-1.0, 1.0], device=device)
    assert nn.functional.relu(x).tolist() == [0.0, 1.0]


def test_softmax(device):
    x = torch.zeros(2, device=device)
    assert nn.functional.softmax(x, dim=0).tolist() == [0.5, 0.5]


def test_backward_of_a_sum(device):
    x = torch.ones(2, device=device, requires_grad=True)
    (x ** 2).sum().backward()


def test_autograd_grad(device):
    x = torch.ones(2, device=device, requires_grad=True)
    g, = torch.autograd.grad((x * 3).sum(), x)


def test_backward_from_several_tensors(device):
    x = torch.ones(3, requires_grad=True)
    losses = [(x * x).sum(), (x * 3).sum()]
    torch.autograd.backward(losses)
    torch.autograd.backward((x * 2, x.sum()), (torch.ones(3), None))
    assert x.grad.tolist() == [8.0, 8.0, 8.0]


def test_gradients_of_several_tensors(device):
    x = torch.ones(3, requires_grad=True)
    y = x * x
    g, = torch.autograd.grad([y, y.sum()], [x], [torch.full([3], 2.0), None])
    assert g.tolist() == [6.0, 6.0, 6.0]


def test_gradient_with_create_graph(device):
    x = torch.ones(2, device=device, requires_grad=True)
    (x * x).sum().backward(create_graph=True)


def test_hooks(device):
    x = torch.ones(2, device=device, requires_grad=True)
    x.register_hook(lambda g: g * 2)
    x.sum().backward()


def test_zero_grad_by_hand(device):
    x = torch.ones(2, device=device, requires_grad=True)
    x.sum().backward()
    x.grad.zero_()
    assert x.grad.tolist() == [0.0, 0.0]


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        return g * ctx.factor, None


def test_ctx_attributes(device):
    x = torch.ones(2, device=device, requires_grad=True)
    Scale.apply(x, 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_deepcopy(device):
    x = torch.ones(2, device=device)
    y = copy.deepcopy(x)
    y += 1
    assert x.tolist() == [1.0, 1.0]


def test_clone_and_detach(device):
    x = torch.ones(2, device=device, requires_grad=True)
    assert x.clone().detach().requires_grad is False


def test_allclose_and_equal(device):
    x = torch.ones(2, device=device)
    assert torch.allclose(x, x) and torch.equal(x, x.clone())


def test_testing(device):
    torch.testing.assert_close(torch.ones(2, device=device), torch.ones(2, device=device))


def test_functionalize_from_torch_func(device):
    def body(x):
        x.add_(1)
        return x * 2
    assert functionalize(body)(torch.zeros(2, device=device)).tolist() == [2.0, 2.0]


def test_grad_mode_inside_a_body(device):
    def body(x):
        with torch.no_grad():
            return x * 2
    assert functionalize(body)(torch.ones(2, device=device)).tolist() == [2.0, 2.0]


def test_set_grad_enabled_as_a_call(device):
    x = torch.ones(2, device=device, requires_grad=True)
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    assert y.requires_grad is False


def test_is_grad_enabled(device):
    with torch.no_grad():
        assert not torch.is_grad_enabled()
        torch.ones(2, device=device)


def test_several_contexts_in_one_with(device):
    with torch.inference_mode(), torch.enable_grad():
        x = torch.ones(2, device=device)
    assert x.is_inference()


def test_try_except(device):
    x = torch.ones(2, device=device)
    try:
        x.view(3)
    except RuntimeError as error:
        assert "invalid" in str(error)


def test_raises_with_several_statements(device):
    with pytest.raises(RuntimeError):
        x = torch.ones(2, device=device)
        x.view(3)


def test_raises_as_a_call(device):
    x = torch.ones(2, device=device)
    pytest.raises(RuntimeError, x.view, 3)


def test_warns(device):
    x = torch.ones(2, 2, 2, device=device)
    with pytest.warns(UserWarning):
        x.T


def test_python_numbers(device):
    x = torch.full((2,), math.sqrt(4), device=device)
    assert x.tolist() == [2.0, 2.0]


def test_numpy(device):
    x = torch.from_numpy(torch.ones(2, device=device).numpy() + 1)
    assert x.tolist() == [2.0, 2.0]


def test_manual_seed(device):
    torch.manual_seed(0)
    assert torch.rand(2, device=device).shape == (2,)


def test_randn(device):
    x = torch.randn(2, device=device)


def test_out_arguments(device):
    x = torch.zeros(2, device=device)
    torch.add(x, 1, out=x)
    assert x.tolist() == [1.0, 1.0]


def test_where_and_masked_fill(device):
    x = torch.tensor([-1.0, 1.0], device=device)
    y = torch.where(x > 0, x, torch.zeros_like(x)).masked_fill(x < 0, 5.0)


def test_cat_of_views(device):
    x = torch.arange(4.0, device=device)
    assert torch.cat([x[:2], x[2:]]).tolist() == x.tolist()


def test_einsum(device):
    x = torch.ones(2, 2, device=device)
    assert torch.einsum("ij,jk->ik", x, x).shape == (2, 2)


def test_classes_with_state(device):
    class Counter:
        def __init__(self):
            self.value = torch.zeros(1, device=device)

        def step(self):
            self.value += 1
            return self
    assert Counter().step().step().value._version == 2


def test_generators(device):
    def parts(x):
        for i in range(x.shape[0]):
            yield x[i]
    assert sum(parts(torch.ones(3, device=device))).tolist() == 3.0


def test_assert_of_a_message(device):
    assert torch.ones(1, device=device).sum() == 1, "a message"
