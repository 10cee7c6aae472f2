# Autograd's entries: when Autograd keys take a composite kernel, when that is ambiguous, and when they take Autograd's.
import pytest
import torch


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


# Waived for PyTorch 2.13, which does not look for a kernel of HIP: ../waivers.json.
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


# Waived for PyTorch 2.13, which does not look for a kernel of VE: ../waivers.json.
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


# Waived for PyTorch 2.13, which does not look for a kernel of MTIA: ../waivers.json.
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


def test_autograd_serves_every_autograd_key(device):  # DSP-10 DSP-12
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
