# Tables: which kernel an entry holds, of what is registered for keys and for alias keys.
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


def test_an_autograd_keys_own_kernel_is_used_before_autograds(device):  # DSP-01
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
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.NestedTensorCPU), cpu)
    assert log == ["implicit"]
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


def test_implicit_serves_backends_nested_tensors_and_autograd(device):  # DSP-07
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


# Functionalize's fallback calls the operator anew; a kernel for Functionalize would be given CPU and Functionalize.
def test_implicit_does_not_serve_functionalize(device):  # DSP-07
    log = []
    cpu = torch.zeros([1])

    def implicit(ks, *args):
        log.append("implicit")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", implicit, "CompositeImplicitAutograd", with_keyset=True)
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.Functionalize), cpu)
    assert log == ["implicit", "DispatchKeySet(CPU, AutogradCPU)"]
    log.clear()
    lib._destroy()


def test_an_autograd_key_leaves_implicit_to_a_backend_with_a_kernel(device):  # DSP-08
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
    lib.impl("f", backend, "CPU")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["implicit"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


def test_an_autograd_key_leaves_implicit_where_there_is_an_explicit_kernel(device):  # DSP-08
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def autograd(*args):
        log.append("autograd")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradNestedTensor), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


# Waived for PyTorch 2.13, which does not look for a kernel of HIP: waivers.json.
def test_an_autograd_key_leaves_implicit_to_hips_kernel(device):  # DSP-08
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
    lib.impl("f", backend, "HIP")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradHIP), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


# Waived for PyTorch 2.13, which does not look for a kernel of VE: waivers.json.
def test_an_autograd_key_leaves_implicit_to_ves_kernel(device):  # DSP-08
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
    lib.impl("f", backend, "VE")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradVE), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


# Waived for PyTorch 2.13, which does not look for a kernel of MTIA: waivers.json.
def test_an_autograd_key_leaves_implicit_to_mtias_kernel(device):  # DSP-08
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
    lib.impl("f", backend, "MTIA")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradMTIA), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_autogradother_is_ambiguous_with_implicit_and_a_sparse_kernel(device):  # DSP-09
    log = []
    cpu = torch.zeros([1])

    def implicit(*args):
        log.append("implicit")

    def sparse(*args):
        log.append("sparse")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", sparse, "SparseCPU")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    with pytest.raises(RuntimeError, match="AutogradOther"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == []
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


def test_autograd_serves_every_autograd_key(device):  # DSP-10
    log = []
    cpu = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradOther), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradXLA), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradNestedTensor), cpu)
    assert log == ["autograd"]
    log.clear()
    torch.ops.probe.f(cpu)
    assert log == ["autograd"]
    log.clear()
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    lib._destroy()


def test_implicit_is_used_before_autograd(device):  # DSP-10
    log = []
    cpu = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    def implicit(*args):
        log.append("implicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", implicit, "CompositeImplicitAutograd")
    torch.ops.probe.f(cpu)
    assert log == ["implicit"]
    log.clear()
    lib._destroy()


def test_the_batched_decomposition_serves_functorchbatched(device):  # DSP-11
    log = []
    cpu = torch.zeros([1])

    def batched(*args):
        log.append("batched")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", batched, "FuncTorchBatchedDecomposition")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.FuncTorchBatched), cpu)
    assert log == ["batched"]
    log.clear()
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    lib._destroy()


def test_a_fallback_is_used_where_the_operator_has_no_kernel(device):  # DSP-12
    log = []
    cpu = torch.zeros([1])

    def fallback(op, *args):
        log.append("fallback")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "PrivateUse1")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse1), cpu)
    assert log == ["fallback"]
    log.clear()
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse1), cpu)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()
    everything._destroy()


def test_a_fallback_redispatches_the_operator_that_it_is_given(device):  # DSP-12 DSP-34
    log = []
    cpu = torch.zeros([1])

    def fallback(ks, op, *args):
        log.append("fallback")
        log.append(repr(ks))
        op.redispatch(ks & torch._C._after_autograd_keyset, *args)

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", backend, "PrivateUse2", with_keyset=True)
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "FuncTorchVmapMode", with_keyset=True)
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.FuncTorchVmapMode) | torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse2), cpu)
    assert log == ["fallback", "DispatchKeySet(PrivateUse2, FuncTorchVmapMode)", "backend", "DispatchKeySet(PrivateUse2)"]
    log.clear()
    lib._destroy()
    everything._destroy()


def test_a_call_without_tensors_is_served_by_explicit(device):  # DSP-13
    log = []

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("n(int n) -> ()")
    lib.impl("n", explicit, "CompositeExplicitAutograd")
    torch.ops.probe.n(1)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()


def test_a_call_without_tensors_is_served_by_implicit_and_non_functional(device):  # DSP-13 DSP-03
    log = []

    def implicit(*args):
        log.append("implicit")

    def non_functional(*args):
        log.append("non_functional")

    lib = torch.library.Library("probe", "DEF")
    lib.define("n(int n) -> ()")
    lib.impl("n", implicit, "CompositeImplicitAutograd")
    torch.ops.probe.n(1)
    assert log == ["implicit"]
    log.clear()
    lib.impl("n", non_functional, "CompositeExplicitAutogradNonFunctional")
    torch.ops.probe.n(1)
    assert log == ["non_functional"]
    log.clear()
    lib._destroy()


def test_a_call_without_tensors_is_not_served_by_a_backends_kernel(device):  # DSP-13 DSP-37
    log = []

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("n(int n) -> ()")
    lib.impl("n", backend, "CPU")
    with pytest.raises(NotImplementedError, match="There were no tensor arguments"):
        torch.ops.probe.n(1)
    assert log == []
    log.clear()
    lib._destroy()
