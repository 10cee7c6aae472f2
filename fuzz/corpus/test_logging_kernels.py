# Kernels and hooks that log what runs, raise errors of their own, and take whatever arguments there are.
import pytest
import torch


# the kernels run from Autograd down, and each gets the set by which it was found
def test_each_kernel_of_a_call_runs_once_from_autograd_down(device):  # DSP-35
    log = []

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        return torch.ops.mine.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)

    def cpu(ks, x):
        log.append("cpu")
        log.append(repr(ks))
        y = torch.mul(x, 2)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", cpu, "CPU", with_keyset=True)
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "cpu", "DispatchKeySet(CPU)"]


def test_in_inference_mode_the_kernel_for_autograd_does_not_run(device):  # TLS-02
    log = []

    def autograd(*args):
        log.append("autograd")
        return torch.ops.mine.g(*args)

    def cpu(x):
        log.append("cpu")
        y = torch.mul(x, 2)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.define("g(Tensor x) -> Tensor")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", cpu, "CPU")
    lib.impl("g", cpu, "CPU")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert log == ["autograd", "cpu"]
    log.clear()
    with torch.inference_mode():
        z = torch.ops.mine.f(x)
    assert log == ["cpu"]
    assert z.tolist() == [2.0, 2.0]


# a kernel is not a transaction
def test_what_a_kernel_wrote_before_its_error_stays(device):  # DSP-30
    def add_one(x):
        x.add_(1)
        raise RuntimeError("not today")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> ()")
    lib.impl("add_one_", add_one, "CPU")
    x = torch.zeros([2], device=device)
    with pytest.raises(RuntimeError, match="not today"):
        torch.ops.mine.add_one_(x)
    assert x.tolist() == [1.0, 1.0]


def test_a_kernel_that_raises_leaves_its_guards(device):  # DSP-30
    def cpu(x):
        with torch.inference_mode():
            y = torch.mul(x, 2)
            raise RuntimeError("inside")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", cpu, "CPU")
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="inside"):
        torch.ops.mine.f(x)
    assert torch.is_inference_mode_enabled() is False


def test_hooks_of_a_tensor_run_in_the_order_of_registration(device):  # AUT-78
    log = []

    def first(grad):
        log.append("first")
        return grad

    def second(grad):
        log.append("second")
        return grad

    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(first)
    x.register_hook(second)
    y = x.sum()
    y.backward()
    assert log == ["first", "second"]


# the error of a hook is backward's, and no gradient is accumulated
def test_an_error_of_a_hook_ends_backward(device):  # AUT-13
    def refuse(grad):
        raise RuntimeError("no gradient for x")

    x = torch.ones([2], requires_grad=True, device=device)
    x.register_hook(refuse)
    y = x.sum()
    with pytest.raises(RuntimeError, match="no gradient for x"):
        y.backward()
    assert x.grad is None
