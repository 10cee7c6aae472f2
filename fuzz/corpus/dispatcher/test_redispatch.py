# Redispatch: the key set that a kernel gets, and the one that it passes on.
import pytest
import torch


def test_a_redispatch_does_not_heed_what_the_thread_excludes(device):  # DSP-34 KEY-06 TLS-14
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
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):
        torch.ops.probe.f(cpu)
        assert log == ["backend"]
        log.clear()
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)
        assert log == ["autograd"]
        log.clear()
    lib._destroy()


def test_a_redispatch_does_not_heed_what_the_thread_includes(device):  # DSP-34 DSP-31 KEY-05 TLS-15
    log = []
    cpu = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    lib.impl("f", autograd, "AutogradPrivateUse1")
    lib.impl("f", backend, "CPU")
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradPrivateUse1):
        torch.ops.probe.f(cpu)
        assert log == ["autograd"]
        log.clear()
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), cpu)
        assert log == ["backend"]
        log.clear()
    lib._destroy()


def test_a_kernel_redispatches_by_the_set_that_it_names(device):  # DSP-34 DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)):
            torch.ops.probe.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)

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


def test_a_kernel_is_given_its_set_without_what_fell_through(device):  # DSP-35 DSP-30
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", torch.library.fallthrough_kernel, "ADInplaceOrView")
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)"]
    log.clear()
    lib._destroy()


def test_a_kernel_is_given_adinplaceorview_where_it_has_a_kernel(device):  # DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))

    def inplace(*args):
        log.append("inplace")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", inplace, "ADInplaceOrView")
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)"]
    log.clear()
    lib._destroy()


def test_a_kernel_in_inference_mode_is_given_no_autograd_key(device):  # DSP-35
    log = []
    cpu = torch.zeros([1])
    with torch.inference_mode():
        inference = torch.zeros([1])

    def autograd(*args):
        log.append("autograd")

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd")
    lib.impl("f", backend, "CPU", with_keyset=True)
    with torch.inference_mode():
        torch.ops.probe.f(inference)
        assert log == ["backend", "DispatchKeySet(CPU)"]
        log.clear()
        torch.ops.probe.f(cpu)
        assert log == ["backend", "DispatchKeySet(CPU)"]
        log.clear()
        with torch.inference_mode(False):
            torch.ops.probe.f(cpu)
            assert log == ["autograd"]
            log.clear()
    lib._destroy()


def test_a_redispatch_to_a_key_that_falls_through_is_an_internal_error(device):  # DSP-38 DSP-34
    log = []
    cpu = torch.zeros([1])

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", torch.library.fallthrough_kernel, "AutogradCPU")
    lib.impl("f", backend, "CPU")
    with pytest.raises(RuntimeError, match="fallthrough_kernel was executed"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), cpu)
    assert log == []
    log.clear()
    torch.ops.probe.f(cpu)
    assert log == ["backend"]
    log.clear()
    lib._destroy()


def test_a_kernel_redispatches_to_each_key_after_its_own(device):  # DSP-39 DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)

    def inplace(ks, *args):
        log.append("inplace")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks & torch._C._after_ADInplaceOrView_keyset, *args)

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", inplace, "ADInplaceOrView", with_keyset=True)
    lib.impl("f", backend, "CPU", with_keyset=True)
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)", "inplace", "DispatchKeySet(CPU, ADInplaceOrView)", "backend", "DispatchKeySet(CPU)"]
    log.clear()
    lib._destroy()


def test_all_backends_come_after_autograd(device):  # DSP-39 DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch((ks | torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA)) & torch._C._after_autograd_keyset, *args)

    def of_cuda(ks, *args):
        log.append("of_cuda")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", of_cuda, "CUDA", with_keyset=True)
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "of_cuda", "DispatchKeySet(CPU, CUDA)"]
    log.clear()
    lib._destroy()


def test_pythondispatcher_comes_after_autograd(device):  # DSP-39
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch((ks | torch._C.DispatchKeySet(torch._C.DispatchKey.PythonDispatcher)) & torch._C._after_autograd_keyset, *args)

    def python(ks, *args):
        log.append("python")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", python, "PythonDispatcher", with_keyset=True)
    torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "python", "DispatchKeySet(CPU, PythonDispatcher)"]
    log.clear()
    lib._destroy()


def test_a_kernel_that_raises_ends_the_kernels_around_it(device):  # DSP-34 DSP-35
    log = []
    cpu = torch.zeros([1])

    def autograd(ks, *args):
        log.append("autograd")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks & torch._C._after_autograd_keyset, *args)

    def backend(*args):
        log.append("backend")
        raise RuntimeError("backend raised")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", autograd, "Autograd", with_keyset=True)
    lib.impl("f", backend, "CPU")
    with pytest.raises(RuntimeError, match="backend raised"):
        torch.ops.probe.f(cpu)
    assert log == ["autograd", "DispatchKeySet(CPU, AutogradCPU)", "backend"]
    log.clear()
    lib._destroy()


def test_a_kernel_calls_another_operator_with_a_set_of_its_own(device):  # DSP-35
    log = []
    cpu = torch.zeros([1])

    def outer(ks, *args):
        log.append("outer")
        log.append(repr(ks))
        torch.ops.probe.g(*args)

    def inner(ks, *args):
        log.append("inner")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.define("g(Tensor x) -> ()")
    lib.impl("f", outer, "CPU", with_keyset=True)
    lib.impl("f", torch.library.fallthrough_kernel, "Autograd")
    lib.impl("g", inner, "Autograd", with_keyset=True)
    torch.ops.probe.f(cpu)
    assert log == ["outer", "DispatchKeySet(CPU)", "inner", "DispatchKeySet(CPU, AutogradCPU)"]
    log.clear()
    lib._destroy()
