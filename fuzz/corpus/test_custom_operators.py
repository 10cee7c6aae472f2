# Custom operators: torch.library.
import pytest
import torch


def add_one(x):
    x.add_(1)
    return x


def add_one_below(x):
    with torch._C._AutoDispatchBelowADInplaceOrView():
        x.add_(1)
    return x


def double(x):
    y = torch.mul(x, 2)
    return y


def double_unseen(x):
    with torch._C._AutoDispatchBelowAutograd():
        y = torch.mul(x, 2)
    return y


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch._C._AutoDispatchBelowAutograd():
            y = torch.mul(x, 2)
        return y

    @staticmethod
    def backward(ctx, g):
        h = torch.mul(g, 3)
        return h


def double_with_backward(x):
    y = Double.apply(x)
    return y


def test_a_kernel_that_writes_its_argument_counts_the_write(device):  # VER-01
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")
    x = torch.zeros([2], device=device)
    y = torch.ops.mine.add_one_(x)
    assert x._version == 1
    assert y.tolist() == [1.0, 1.0]
    assert torch._C._is_alias_of(y, x) is True


def test_a_kernel_below_adinplaceorview_counts_no_write(device):  # VER-01
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one_below, "CPU")
    x = torch.zeros([2], device=device)
    y = torch.ops.mine.add_one_(x)
    assert y.tolist() == [1.0, 1.0]
    assert x._version == 0


def test_backward_does_not_notice_a_write_that_was_not_counted(device):  # KEY-06
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one_below, "CPU")
    w = torch.ones([2], requires_grad=True, device=device)
    x = torch.zeros([2], device=device)
    y = torch.mul(w, x)
    z = y.sum()
    a = torch.ops.mine.add_one_(x)
    z.backward()
    assert w.grad.tolist() == [1.0, 1.0]


def test_a_result_of_the_fallback_requires_grad_and_gives_none(device):  # AUT-62 AUT-65
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.requires_grad is True
    assert y.is_leaf is False
    z = y.sum()
    z.backward()
    assert x.grad is None


def test_what_a_kernel_calls_is_recorded(device):  # AUT-64 AUT-66
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_written_result_gets_no_history(device):  # AUT-63
    def assign(x, y):
        with torch._C._AutoDispatchBelowADInplaceOrView():
            x.copy_(y)
        return x

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f_(Tensor(a!) x, Tensor y) -> Tensor(a!)")
    lib.impl("f_", assign, "CPU")
    x = torch.zeros([2], device=device)
    y = torch.ones([2], requires_grad=True, device=device)
    z = torch.ops.mine.f_(x, y)
    assert z.requires_grad is False
    assert x.requires_grad is False
    assert x.tolist() == [1.0, 1.0]


def test_an_argument_returned_in_secret_gets_the_history(device):  # AUT-62
    def first(x, y):
        return x

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("first(Tensor x, Tensor y) -> Tensor")
    lib.impl("first", first, "CPU")
    x = torch.zeros([2], device=device)
    y = torch.ones([2], requires_grad=True, device=device)
    z = torch.ops.mine.first(x, y)
    assert torch._C._is_alias_of(z, x) is True
    assert x.requires_grad is True
    assert x.is_leaf is False


def test_a_view_made_in_a_kernel_is_tracked(device):  # VER-04
    def row(x):
        y = x.select(0, 0)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("row(Tensor(a) x) -> Tensor(a)")
    lib.impl("row", row, "CPU")
    x = torch.zeros([2, 2], device=device)
    y = torch.ops.mine.row(x)
    assert y._is_view() is True
    y.add_(1)
    assert x._version == 1


def test_a_view_made_below_adinplaceorview_is_not_tracked(device):  # VIEW-15
    def row(x):
        with torch._C._AutoDispatchBelowADInplaceOrView():
            y = x.select(0, 0)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("row(Tensor(a) x) -> Tensor(a)")
    lib.impl("row", row, "CPU")
    x = torch.zeros([2, 2], device=device)
    y = torch.ops.mine.row(x)
    assert y._is_view() is False
    assert torch._C._is_alias_of(y, x) is True
    y.add_(1)
    assert x._version == 0
    assert y._version == 1
    assert x.tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_a_kernel_of_autograd_brings_its_own_backward(device):  # DSP-12
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    lib.impl("f", double_with_backward, "Autograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_inference_tensors_skip_the_kernel_of_autograd(device):  # TLS-02 KEY-02
    def triple(x):
        y = torch.mul(x, 3)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", triple, "CPU")
    lib.impl("f", double_with_backward, "AutogradCPU")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]
    with torch.inference_mode():
        z = torch.ops.mine.f(x)
    assert z.tolist() == [3.0, 3.0]
    assert z.is_inference() is True


def test_a_kernel_that_writes_an_inference_tensor_raises_outside_the_mode(device):  # INF-05
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")
    with torch.inference_mode():
        x = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode"):
        torch.ops.mine.add_one_(x)


def test_a_kernel_below_adinplaceorview_writes_an_inference_tensor(device):  # KEY-06
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one_below, "CPU")
    with torch.inference_mode():
        x = torch.zeros([2], device=device)
    y = torch.ops.mine.add_one_(x)
    assert x.tolist() == [1.0, 1.0]


def test_a_composite_kernel_runs_instead_of_the_fallback(device):  # DSP-12
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CompositeImplicitAutograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.requires_grad is False
    with torch.inference_mode():
        z = torch.ops.mine.f(x)
    assert z.tolist() == [2.0, 2.0]


def test_an_explicit_composite_kernel_has_the_fallback_above_it(device):  # AUT-62
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CompositeExplicitAutograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.is_leaf is False
    z = y.sum()
    z.backward()
    assert x.grad is None


def test_autograd_that_falls_through_records_nothing(device):  # DSP-30
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CPU")
    lib.impl("f", torch.library.fallthrough_kernel, "Autograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.requires_grad is False


def test_an_operator_without_a_kernel_for_the_backend_raises(device):  # DSP-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    x = torch.ones([2], device=device)
    with pytest.raises(NotImplementedError, match="Could not run 'mine::f'"):
        torch.ops.mine.f(x)


def test_without_grad_mode_nothing_is_recorded(device):  # AUT-01
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        y = torch.ops.mine.f(x)
    assert y.requires_grad is False


def test_each_result_of_the_fallback_has_its_own_place(device):  # AUT-62
    def both(x):
        with torch._C._AutoDispatchBelowAutograd():
            y = torch.mul(x, 2)
            z = x.argmax()
        return y, z

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("both(Tensor x) -> (Tensor, Tensor)")
    lib.impl("both", both, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y, z = torch.ops.mine.both(x)
    assert y.requires_grad is True
    assert z.requires_grad is False


def test_what_a_kernel_did_before_its_error_stays(device):  # VER-01
    def twice(x):
        x.add_(1)
        x.view([3])
        return x

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("f_", twice, "CPU")
    x = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="is invalid for input of size 2"):
        torch.ops.mine.f_(x)
    assert x.tolist() == [1.0, 1.0]
    assert x._version == 1


def test_a_kernel_calls_another_operator(device):  # AUT-66
    def g(x):
        y = torch.ops.mine.f(x)
        z = torch.ops.mine.f(y)
        return z

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.define("g(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    lib.impl("g", g, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.g(x)
    assert y.tolist() == [4.0, 4.0]
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_an_operator_that_returns_nothing(device):  # VER-01
    def clear(x):
        x.zero_()

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("clear_(Tensor(a!) x) -> ()")
    lib.impl("clear_", clear, "CPU")
    x = torch.ones([2], device=device)
    torch.ops.mine.clear_(x)
    assert x.tolist() == [0.0, 0.0]
    assert x._version == 1


def test_with_autograd_excluded_the_fallback_does_not_run(device):  # KEY-06
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):
        y = torch.ops.mine.f(x)
    assert y.requires_grad is False


def test_a_returned_leaf_keeps_being_a_leaf(device):  # AUT-64
    def same(x):
        return x

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("same(Tensor x) -> Tensor")
    lib.impl("same", same, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.same(x)
    assert y.is_leaf is True
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_kernel_writes_a_leaf_that_requires_grad(device):  # AUT-66
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")
    x = torch.zeros([2], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        torch.ops.mine.add_one_(x)


def test_grad_mode_at_the_call_counts(device):  # AUT-62
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        with torch.enable_grad():
            y = torch.ops.mine.f(x)
    assert y.requires_grad is True
