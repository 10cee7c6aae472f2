# Kernels that redispatch with a part of their key set.
import pytest
import torch


def add_one(x):
    x.add_(1)
    return x


def double(x):
    y = torch.mul(x, 2)
    return y


def double_unseen(x):
    with torch._C._AutoDispatchBelowAutograd():
        y = torch.mul(x, 2)
    return y


# the kernel for the CPU calls ops, and these are recorded
def test_what_runs_below_a_redispatch_is_recorded_by_its_own_ops(device):  # DSP-35
    def autograd(ks, x):
        y = torch.ops.mine.double.default.redispatch(ks & torch._C._after_autograd_keyset, x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", double, "CPU")
    lib.impl("double", autograd, "Autograd", with_keyset=True)
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.double(x)
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_kernel_for_autograd_that_redispatches_replaces_the_fallback(device):  # DSP-35
    def autograd(ks, x):
        y = torch.ops.mine.double.default.redispatch(ks & torch._C._after_autograd_keyset, x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", double_unseen, "CPU")
    lib.impl("double", autograd, "Autograd", with_keyset=True)
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.double(x)
    assert y.requires_grad is False


# PyTorch asks the table once, before the call: at the redispatch nothing is skipped
def test_a_redispatch_to_a_key_that_falls_through_is_an_internal_error(device):  # DSP-38
    def autograd(ks, x):
        y = torch.ops.mine.double.default.redispatch(ks & torch._C._after_autograd_keyset | torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView), x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", double, "CPU")
    lib.impl("double", torch.library.fallthrough_kernel, "ADInplaceOrView")
    lib.impl("double", autograd, "Autograd", with_keyset=True)
    x = torch.ones([2], requires_grad=True, device=device)
    with pytest.raises(RuntimeError, match="fallthrough_kernel was executed"):
        y = torch.ops.mine.double(x)


# without its own key the kernel finds ADInplaceOrView's, which counts no write: the write is the kernel's own op
def test_a_write_below_a_redispatch_is_counted_by_its_op(device):  # VER-01
    def adinplaceorview(ks, x):
        y = torch.ops.mine.add_one_.default.redispatch(ks.remove(torch._C.DispatchKey.ADInplaceOrView), x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("add_one_(Tensor(a!) x) -> Tensor(a!)")
    lib.impl("add_one_", add_one, "CPU")
    lib.impl("add_one_", adinplaceorview, "ADInplaceOrView", with_keyset=True)
    x = torch.zeros([2], device=device)
    y = torch.ops.mine.add_one_(x)
    assert y.tolist() == [1.0, 1.0]
    assert x._version == 1


# in inference mode the call's key set has no Autograd key, so the kernel for Autograd never runs
def test_in_inference_mode_the_kernel_for_autograd_does_not_run(device):  # DSP-30
    def autograd(ks, x):
        y = torch.neg(x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", double, "CPU")
    lib.impl("double", autograd, "Autograd", with_keyset=True)
    with torch.inference_mode():
        x = torch.ones([2], device=device)
        y = torch.ops.mine.double(x)
    assert y.tolist() == [2.0, 2.0]


def test_a_redispatch_to_a_key_without_a_kernel_raises(device):  # DSP-37
    def autograd(ks, x):
        y = torch.ops.mine.double.default.redispatch(ks & torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), x)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", autograd, "Autograd", with_keyset=True)
    x = torch.ones([2], requires_grad=True, device=device)
    with pytest.raises(NotImplementedError):
        y = torch.ops.mine.double(x)
