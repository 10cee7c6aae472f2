# Calls: kernels that fall through, the entry that a call finds, and calls that find no kernel.
import pytest
import torch


def test_a_key_that_falls_through_is_skipped(device):  # DSP-30 DSP-35
    log = []
    cpu = torch.zeros([1])

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    lib.impl("f", backend, "CPU", with_keyset=True)
    assert torch._C._dispatch_kernel_for_dispatch_key_is_fallthrough("probe::f", "AutogradCPU") is True
    torch.ops.probe.f(cpu)
    assert log == ["backend", "DispatchKeySet(CPU)"]
    log.clear()
    lib._destroy()


def test_the_highest_key_may_fall_through_too(device):  # DSP-30
    log = []
    cpu = torch.zeros([1])

    def python(*args):
        log.append("python")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", python, "PythonDispatcher")
    lib.impl("f", backend, "CPU")
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.PythonDispatcher):
        torch.ops.probe.f(cpu)
        assert log == ["python"]
        log.clear()
        lib.impl("f", torch.library.fallthrough_kernel, "PythonDispatcher")
        torch.ops.probe.f(cpu)
        assert log == ["backend"]
        log.clear()
    lib._destroy()


def test_a_key_that_falls_through_no_longer_is_not_skipped(device):  # DSP-30 DSP-14 DSP-16
    log = []
    cpu = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", backend, "CPU")
    other = torch.library.Library("probe", "IMPL")
    other.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    torch.ops.probe.f(cpu)
    assert log == ["backend"]
    log.clear()
    other._destroy()
    torch.ops.probe.f(cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_what_autogradcpu_does_says_nothing_of_autogradmeta(device):  # DSP-31
    log = []
    cpu = torch.zeros([1])
    meta = torch.zeros([1], device="meta")

    def autograd(*args):
        log.append("autograd")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    lib.impl("f", backend, "CPU")
    torch.ops.probe.f(cpu)
    assert log == ["backend"]
    log.clear()
    torch.ops.probe.f(meta)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_what_autogradmeta_does_says_nothing_of_autogradcpu(device):  # DSP-31
    log = []
    cpu = torch.zeros([1])
    meta = torch.zeros([1], device="meta")

    def autograd(*args):
        log.append("autograd")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradMeta")
    lib.impl("f", backend, "Meta")
    torch.ops.probe.f(meta)
    assert log == ["backend"]
    log.clear()
    torch.ops.probe.f(cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_a_call_arrives_at_its_highest_backend(device):  # DSP-32
    log = []
    cpu = torch.zeros([1])
    meta = torch.zeros([1], device="meta")

    def of_cpu(*args):
        log.append("of_cpu")

    def of_meta(*args):
        log.append("of_meta")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x, Tensor y) -> ()")
    lib.impl("f", of_cpu, "CPU")
    lib.impl("f", of_meta, "Meta")
    torch.ops.probe.f(cpu, meta)
    assert log == ["of_meta"]
    log.clear()
    torch.ops.probe.f(meta, cpu)
    assert log == ["of_meta"]
    log.clear()
    torch.ops.probe.f(cpu, cpu)
    assert log == ["of_cpu"]
    log.clear()
    lib._destroy()


def test_a_redispatch_arrives_at_its_highest_functionality_and_backend(device):  # DSP-32
    log = []
    cpu = torch.zeros([1])

    def of_cpu(*args):
        log.append("of_cpu")

    def of_cuda(*args):
        log.append("of_cuda")

    def autograd(*args):
        log.append("autograd")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", of_cpu, "CPU")
    lib.impl("f", of_cuda, "CUDA")
    lib.impl("f", autograd, "AutogradCUDA")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["of_cuda"]
    log.clear()
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCUDA), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()


def test_a_functionality_without_a_backend_arrives_at_cpus_entry(device):  # DSP-33
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks & torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), *args)

    def of_cpu(*args):
        log.append("of_cpu")

    def of_cuda(*args):
        log.append("of_cuda")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", of_cpu, "CPU")
    lib.impl("f", of_cuda, "CUDA")
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "of_cpu"]
    log.clear()
    lib._destroy()


def test_every_tensor_of_a_list_brings_its_keys(device):  # DSP-36
    log = []
    cpu = torch.zeros([1])
    meta = torch.zeros([1], device="meta")

    def of_cpu(*args):
        log.append("of_cpu")

    def of_meta(ks, *args):
        log.append("of_meta")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("h(Tensor[] xs) -> ()")
    lib.impl("h", of_cpu, "CPU")
    lib.impl("h", of_meta, "Meta", with_keyset=True)
    lib.impl("h", torch.library.fallthrough_kernel, "Autograd")
    torch.ops.probe.h([cpu, meta])
    assert log == ["of_meta", "DispatchKeySet(CPU, Meta)"]
    log.clear()
    torch.ops.probe.h([meta, cpu])
    assert log == ["of_meta", "DispatchKeySet(CPU, Meta)"]
    log.clear()
    torch.ops.probe.h([cpu, cpu])
    assert log == ["of_cpu"]
    log.clear()
    lib._destroy()


def test_an_optional_tensor_brings_its_keys_where_it_is_there(device):  # DSP-36 KEY-04
    log = []
    cpu = torch.zeros([1])
    meta = torch.zeros([1], device="meta")

    def of_cpu(*args):
        log.append("of_cpu")

    def of_meta(*args):
        log.append("of_meta")

    lib = torch.library.Library("probe", "DEF")
    lib.define("g(Tensor x, Tensor? y) -> ()")
    lib.impl("g", of_cpu, "CPU")
    lib.impl("g", of_meta, "Meta")
    torch.ops.probe.g(cpu, meta)
    assert log == ["of_meta"]
    log.clear()
    torch.ops.probe.g(cpu, None)
    assert log == ["of_cpu"]
    log.clear()
    lib._destroy()


def test_a_call_that_finds_no_kernel_raises_and_changes_nothing(device):  # DSP-37
    log = []
    cpu = torch.zeros([1])

    def of_cuda(*args):
        log.append("of_cuda")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", of_cuda, "CUDA")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    with pytest.raises(NotImplementedError, match="Could not run"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), cpu)
    assert log == []
    log.clear()
    with pytest.raises(NotImplementedError, match="Could not run"):
        torch.ops.probe.f(cpu)
    assert log == []
    log.clear()
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "CPU") is False
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), cpu)
    assert log == ["of_cuda"]
    log.clear()
    lib._destroy()


def test_a_redispatch_of_the_empty_set_finds_undefineds_entry(device):  # DSP-37 DSP-13
    log = []
    cpu = torch.zeros([1])

    def backend(*args):
        log.append("backend")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", backend, "CPU")
    with pytest.raises(NotImplementedError, match="There were no tensor arguments"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.Undefined), cpu)
    assert log == []
    log.clear()
    lib.impl("f", explicit, "CompositeExplicitAutograd")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.Undefined), cpu)
    assert log == ["explicit"]
    log.clear()
    lib._destroy()


def test_a_removed_functionality_leaves_its_backend(device):  # DSP-32 DSP-34 DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks.remove(torch._C.DispatchKey.AutogradCPU), *args)

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", backend, "CPU", with_keyset=True)
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "backend", "DispatchKeySet(CPU)"]
    log.clear()
    lib._destroy()
