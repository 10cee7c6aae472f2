# What is registered while a program runs: kernels that come later, and libraries that end.
import pytest
import torch


def double(x):
    y = torch.mul(x, 2)
    return y


def double_unseen(x):
    with torch._C._AutoDispatchBelowAutograd():
        y = torch.mul(x, 2)
    return y


def triple(x):
    y = torch.mul(x, 3)
    return y


def test_a_later_kernel_replaces_the_first(device):  # DSP-14
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]
    other = torch.library.Library("mine", "IMPL")
    other.impl("f", triple, "CPU")
    z = torch.ops.mine.f(x)
    assert z.tolist() == [3.0, 3.0]


def test_when_a_library_ends_the_kernel_before_it_is_back(device):  # DSP-16
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    other = torch.library.Library("mine", "IMPL")
    other.impl("f", triple, "CPU")
    other._destroy()
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]


def test_an_operator_gets_its_kernel_after_a_call_that_found_none(device):  # DSP-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    x = torch.ones([2], device=device)
    with pytest.raises(NotImplementedError):
        y = torch.ops.mine.f(x)
    lib.impl("f", double, "CPU")
    z = torch.ops.mine.f(x)
    assert z.tolist() == [2.0, 2.0]


# a kernel for Autograd that falls through stands in for the fallback only while its library lives
def test_what_ends_with_its_library_is_recorded_by_the_fallback_again(device):  # AUT-62
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double_unseen, "CPU")
    other = torch.library.Library("mine", "IMPL")
    other.impl("f", torch.library.fallthrough_kernel, "Autograd")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    assert y.requires_grad is False
    other._destroy()
    z = torch.ops.mine.f(x)
    assert z.requires_grad is True


# the history that a call gave stays when the kernel that gave it ends
def test_a_history_outlives_the_library_of_its_kernel(device):  # AUT-64
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.f(x)
    lib._destroy()
    z = y.sum()
    z.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_an_operator_ends_with_its_library(device):  # DSP-14
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    lib._destroy()
    x = torch.ones([2], device=device)
    with pytest.raises(AttributeError):
        y = torch.ops.mine.f(x)
    again = torch.library.Library("mine", "FRAGMENT")
    again.define("f(Tensor x) -> Tensor")
    again.impl("f", double, "CPU")
    again.impl("f", triple, "CPU")
    z = torch.ops.mine.f(x)
    assert z.tolist() == [3.0, 3.0]


def test_an_operator_that_is_defined_twice_is_as_it_was(device):  # DSP-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    with pytest.raises(RuntimeError, match="Tried to register an operator"):
        lib.define("f(Tensor x) -> Tensor")
    x = torch.ones([2], device=device)
    with pytest.raises(NotImplementedError):
        y = torch.ops.mine.f(x)


def test_a_library_of_the_kind_impl_defines_nothing(device):  # DSP-37
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    other = torch.library.Library("mine", "IMPL")
    with pytest.raises(RuntimeError, match="TORCH_LIBRARY_IMPL"):
        other.define("g(Tensor x) -> Tensor")
    x = torch.ones([2], device=device)
    with pytest.raises(NotImplementedError):
        y = torch.ops.mine.f(x)


def test_a_namespace_has_one_library_of_the_kind_def(device):  # DSP-30
    lib = torch.library.Library("mine", "DEF")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    with pytest.raises(RuntimeError, match="Only a single TORCH_LIBRARY"):
        other = torch.library.Library("mine", "DEF")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [2.0, 2.0]


# in inference mode, as outside it: the newest kernel counts
def test_a_kernel_that_is_registered_in_inference_mode_stays(device):  # DSP-14
    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.impl("f", double, "CPU")
    with torch.inference_mode():
        other = torch.library.Library("mine", "IMPL")
        other.impl("f", triple, "CPU")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.f(x)
    assert y.tolist() == [3.0, 3.0]
