# Tables: which of the kernels registered for keys and alias keys an entry holds.
import pytest
import torch


def test_a_keys_own_kernel_is_used_before_an_alias_keys(device):  # DSP-01
    log = []
    cpu = torch.zeros([1])

    def own(*args):
        log.append("own")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", own, "CPU")
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    torch.ops.probe.f(cpu)
    assert log == ["own"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()


def test_an_autograd_keys_own_kernel_is_used_before_autograds(device):  # DSP-01 DSP-12
    log = []
    cpu = torch.zeros([1])

    def own(*args):
        log.append("own")

    def autograd(*args):
        log.append("autograd")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", own, "AutogradCPU")
    torch.ops.probe.f(cpu)
    assert log == ["own"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_non_functional_serves_no_functional_backend_and_no_sparse_one(device):  # DSP-02
    log = []
    cpu = torch.zeros([1])

    def non_functional(*args):
        log.append("non_functional")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", non_functional, "CompositeExplicitAutogradNonFunctional")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CUDA") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "XLA") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "Lazy") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "SparseCPU") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "SparseCUDA") is False
    torch.ops.probe.f(cpu)
    assert log == ["non_functional"]
    log.clear()
    with pytest.raises(NotImplementedError, match="Could not run"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.XLA), cpu)
    assert log == []
    log.clear()
    lib._destroy()


def test_non_functional_is_used_before_explicit(device):  # DSP-03
    log = []
    cpu = torch.zeros([1])

    def explicit(*args):
        log.append("explicit")

    def non_functional(*args):
        log.append("non_functional")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    lib.impl("f", non_functional, "CompositeExplicitAutogradNonFunctional")
    torch.ops.probe.f(cpu)
    assert log == ["non_functional"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.XLA), cpu)
    assert log == ["explicit"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.SparseCPU), cpu)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()


def test_explicit_serves_all_backends_and_no_nested_tensors(device):  # DSP-04
    log = []
    cpu = torch.zeros([1])

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "XLA") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "SparseCPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "PrivateUse1") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "NestedTensorCPU") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "NestedTensorCUDA") is False
    with pytest.raises(NotImplementedError, match="Could not run"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.NestedTensorCPU), cpu)
    assert log == []
    log.clear()
    lib._destroy()


def test_explicit_is_used_before_implicit(device):  # DSP-05
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), cpu)
    assert log == ["explicit"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()


def test_the_nested_composite_is_used_for_nested_tensors(device):  # DSP-06
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def nested(*args):
        log.append("nested")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", nested, "CompositeImplicitAutogradNestedTensor")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.NestedTensorCPU), cpu)
    assert log == ["nested"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.NestedTensorCUDA), cpu)
    assert log == ["nested"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradNestedTensor), cpu)
    assert log == ["nested"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), cpu)
    assert log == ["implicit"]
    log.clear()
    torch.ops.probe.f(cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


def test_the_nested_composite_serves_nothing_else(device):  # DSP-06
    log = []

    def nested(*args):
        log.append("nested")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", nested, "CompositeImplicitAutogradNestedTensor")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "NestedTensorCPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "NestedTensorMeta") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "SparseCPU") is False
    lib._destroy()


def test_implicit_serves_backends_nested_tensors_and_autograd(device):  # DSP-07 DSP-15
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "SparseCUDA") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is True
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "NestedTensorCPU") is True
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == ["implicit"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["implicit"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradNestedTensor), cpu)
    assert log == ["implicit"]
    log.clear()
    torch.ops.probe.f(cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


# Functionalize's fallback calls the operator again; a kernel for Functionalize would get CPU and Functionalize.
