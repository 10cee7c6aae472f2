# Registration: the newest kernel of a key, kernels that are removed, and the order of registration.
import pytest
import torch


def test_the_newest_kernel_of_a_key_is_used_until_it_goes(device):  # DSP-14 DSP-16
    log = []
    cpu = torch.zeros([1])

    def first(*args):
        log.append("first")

    def second(*args):
        log.append("second")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", first, "CPU")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", second, "CPU")
    torch.ops.probe.f(cpu)
    assert log == ["second"]
    log.clear()
    other._destroy()
    torch.ops.probe.f(cpu)
    assert log == ["first"]
    log.clear()
    lib._destroy()


def test_an_older_kernel_that_goes_leaves_the_newest(device):  # DSP-14
    log = []
    cpu = torch.zeros([1])

    def first(*args):
        log.append("first")

    def second(*args):
        log.append("second")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", first, "CUDA")
    lib.impl("f", second, "CUDA")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["second"]
    log.clear()
    other._destroy()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["second"]
    log.clear()
    lib._destroy()


def test_of_equal_kernels_the_one_that_goes_is_its_librarys_own(device):  # DSP-14 DSP-16
    log = []
    cpu = torch.zeros([1])

    def kernel(*args):
        log.append("kernel")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", torch.library.fallthrough_kernel, "CPU")
    lib.impl("f", kernel, "CPU")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", torch.library.fallthrough_kernel, "CPU")
    other._destroy()
    torch.ops.probe.f(cpu)
    assert log == ["kernel"]
    log.clear()
    lib._destroy()


def test_the_newest_kernel_of_an_alias_key_is_used_until_it_goes(device):  # DSP-14
    log = []
    cpu = torch.zeros([1])

    def first(*args):
        log.append("first")

    def second(*args):
        log.append("second")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", first, "CompositeExplicitAutograd")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", second, "CompositeExplicitAutograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["second"]
    log.clear()
    other._destroy()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["first"]
    log.clear()
    lib._destroy()


def test_a_backends_kernel_that_comes_last_changes_its_autograd_key(device):  # DSP-15 DSP-08
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def autograd(*args):
        log.append("autograd")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["implicit"]
    log.clear()
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", backend, "CUDA")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["autograd"]
    log.clear()
    other._destroy()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


def test_a_kernel_that_is_registered_before_its_operator_is_used(device):  # DSP-15 DSP-30
    log = []
    cpu = torch.zeros([1])

    def own(*args):
        log.append("own")

    other = torch.library.Library("probe", "IMPL")
    other.impl("f", own, "CPU")
    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    torch.ops.probe.f(cpu)
    assert log == ["own"]
    log.clear()
    other._destroy()
    lib._destroy()


# Waived for PyTorch 2.13, which does not update AutogradOther: ../waivers.json.
def test_a_sparse_kernel_that_comes_last_makes_autogradother_ambiguous(device):  # DSP-15 DSP-09
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def sparse(*args):
        log.append("sparse")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", sparse, "SparseCPU")
    with pytest.raises(RuntimeError, match="AutogradOther"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == []
    log.clear()
    lib._destroy()


# Waived for PyTorch 2.13, which does not update AutogradOther: ../waivers.json.
def test_a_quantized_kernel_that_comes_last_makes_autogradother_ambiguous(device):  # DSP-15 DSP-09
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def quantized(*args):
        log.append("quantized")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", quantized, "QuantizedCPU")
    with pytest.raises(RuntimeError, match="AutogradOther"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == []
    log.clear()
    lib._destroy()


# Waived for PyTorch 2.13, which does not update AutogradNestedTensor: ../waivers.json.
def test_a_nested_kernel_that_comes_last_changes_autogradnestedtensor(device):  # DSP-15 DSP-08
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def autograd(*args):
        log.append("autograd")

    def nested(*args):
        log.append("nested")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", nested, "NestedTensorCPU")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradNestedTensor), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_a_registration_is_for_its_key_and_serves_others(device):  # DSP-04 DSP-16
    log = []

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", explicit, "CompositeExplicitAutograd")
    assert torch._C._dispatch_has_kernel_for_dispatch_key("probe::f", "CompositeExplicitAutograd") is True
    assert torch._C._dispatch_has_kernel_for_dispatch_key("probe::f", "CUDA") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CUDA") is True
    other._destroy()
    assert torch._C._dispatch_has_kernel_for_dispatch_key("probe::f", "CompositeExplicitAutograd") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CUDA") is False
    lib._destroy()


def test_an_operator_without_schema_goes_with_its_last_kernel(device):  # DSP-16
    log = []

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "IMPL")
    other = torch.library.Library("probe", "IMPL")
    lib.impl("f", backend, "CPU")
    other.impl("f", backend, "CUDA")
    lib._destroy()
    assert torch._C._dispatch_has_kernel_for_dispatch_key("probe::f", "CUDA") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    other._destroy()
    with pytest.raises(RuntimeError):
        torch._C._dispatch_has_kernel_for_dispatch_key("probe::f", "CUDA")


def test_a_kernel_is_registered_for_the_autograd_key_of_one_backend(device):  # DSP-17
    log = []
    cpu = torch.zeros([1])

    def own(*args):
        log.append("own")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", own, "AutogradCUDA")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["own"]
    log.clear()
    lib._destroy()


def test_a_kernel_is_registered_for_the_autograd_key_of_hip(device):  # DSP-17
    log = []
    cpu = torch.zeros([1])

    def own(*args):
        log.append("own")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", own, "AutogradHIP")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradHIP), cpu)
    assert log == ["own"]
    log.clear()
    lib._destroy()
