# Operators that take numbers, lists of tensors, tensors that may be missing, and meta tensors.
import pytest
import torch


# a composite kernel's ops are recorded, and the number is a constant of theirs
def test_a_kernel_computes_with_the_number_that_it_is_given(device):  # AUT-13
    def scaled(x, factor, times):
        y = torch.mul(x, factor)
        z = torch.mul(y, times)
        return z

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("scaled(Tensor x, float factor, int times) -> Tensor")
    lib.impl("scaled", scaled, "CompositeImplicitAutograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.scaled(x, 0.5, 3)
    assert y.tolist() == [1.5, 1.5]
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [1.5, 1.5]


def test_a_kernel_passes_its_number_on(device):  # DSP-30
    def below(x, n):
        y = torch.mul(x, n)
        return y

    def above(x, n):
        y = torch.ops.mine.below(x, n)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("below(Tensor x, int n) -> Tensor")
    lib.define("above(Tensor x, int n) -> Tensor")
    lib.impl("below", below, "CPU")
    lib.impl("above", above, "CompositeImplicitAutograd")
    x = torch.ones([2], requires_grad=True, device=device)
    with torch.no_grad():
        y = torch.ops.mine.above(x, 3)
    assert y.tolist() == [3.0, 3.0]
    assert y.requires_grad is False


# the second tensor is a normal one, and so the kernel for Autograd runs
def test_each_tensor_of_a_list_brings_its_keys(device):  # DSP-36
    log = []

    def autograd(*args):
        log.append("autograd")

    def cpu(*args):
        log.append("cpu")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor[] xs) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", cpu, "CPU")
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        y = torch.ones([2], device=device)
    torch.ops.mine.f([y])
    assert log == ["cpu"]
    log.clear()
    torch.ops.mine.f([y, x])
    assert log == ["autograd"]


def test_a_tensor_that_may_be_missing_brings_its_keys_if_it_is_there(device):  # KEY-10
    log = []

    def autograd(*args):
        log.append("autograd")

    def cpu(*args):
        log.append("cpu")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x, Tensor? y) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", cpu, "CPU")
    x = torch.ones([2], device=device)
    with torch.inference_mode():
        y = torch.ones([2], device=device)
    torch.ops.mine.f(y, None)
    assert log == ["cpu"]
    log.clear()
    torch.ops.mine.f(y, x)
    assert log == ["autograd"]


# it falls through Autograd, like a tensor of the CPU, and then it is Meta's
def test_a_meta_tensor_has_the_keys_of_its_own_backend(device):  # DSP-30
    log = []

    def meta(ks, *args):
        log.append(repr(ks))

    def cpu(*args):
        log.append("cpu")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", torch.library.fallthrough_kernel, "Autograd")
    lib.impl("f", meta, "Meta", with_keyset=True)
    lib.impl("f", cpu, "CPU")
    x = torch.ones([2], device=device)
    m = torch.empty([2], device="meta")
    torch.ops.mine.f(x)
    torch.ops.mine.f(m)
    assert log == ["cpu", "DispatchKeySet(Meta)"]


# without tensors, only what the thread includes is left
def test_a_call_without_tensors_arrives_at_undefined(device):  # DSP-13
    log = []

    def composite(n):
        log.append("composite")

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(int n) -> ()")
    with pytest.raises(NotImplementedError, match="There were no tensor arguments"):
        torch.ops.mine.f(1)
    lib.impl("f", composite, "CompositeExplicitAutograd")
    torch.ops.mine.f(1)
    assert log == ["composite"]
