# Fallbacks, decompositions for batches, and calls without tensors: the last choices for an entry.
import pytest
import torch


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

    def autograd(*args):
        log.append("autograd")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", backend, "PrivateUse2", with_keyset=True)
    lib.define("g(Tensor x) -> ()")
    lib.impl("g", autograd, "Autograd")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "AutogradPrivateUse2", with_keyset=True)
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradPrivateUse2) | torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse2), cpu)
    assert log == ["fallback", "DispatchKeySet(PrivateUse2, AutogradPrivateUse2)", "backend", "DispatchKeySet(PrivateUse2)"]
    log.clear()
    torch.ops.probe.g.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradPrivateUse2), cpu)
    assert log == ["autograd"]
    log.clear()
    lib._destroy()
    everything._destroy()


def test_a_fallback_goes_with_its_library(device):  # DSP-12 DSP-16
    log = []
    cpu = torch.zeros([1])

    def all_backends(op, *args):
        log.append("all_backends")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", backend, "CPU")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(all_backends, "QuantizedCPU")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["all_backends"]
    log.clear()
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is True
    everything._destroy()
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is False
    with pytest.raises(Exception, match="Could not run"):
        torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    again = torch.library.Library("_", "IMPL")
    again.fallback(all_backends, "QuantizedCPU")
    again._destroy()
    lib._destroy()


def test_a_fallback_is_registered_in_the_namespace_of_all(device):  # DSP-12
    log = []
    cpu = torch.zeros([1])

    def all_backends(op, *args):
        log.append("all_backends")

    def explicit(*args):
        log.append("explicit")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.define("g(Tensor x) -> ()")
    lib.impl("g", explicit, "CompositeExplicitAutograd")
    other = torch.library.Library("probe", "IMPL")
    with pytest.raises(RuntimeError):
        other.fallback(all_backends, "QuantizedCPU")
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("probe::f", "QuantizedCPU") is False
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(all_backends, "QuantizedCPU")
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["all_backends"]
    log.clear()
    torch.ops.probe.g.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["explicit"]
    log.clear()
    everything._destroy()
    lib._destroy()


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


def test_a_guard_around_a_call_is_left_when_the_call_raises(device):  # TLS-07
    log = []
    cpu = torch.zeros([1])

    def guarded(*args):
        log.append("guarded")
        with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
            torch.ops.probe.g(*args)

    def failing(*args):
        log.append("failing")
        raise RuntimeError("failing raised")

    def view(*args):
        log.append("view")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.define("g(Tensor x) -> ()")
    lib.define("h(Tensor x) -> ()")
    lib.impl("f", guarded, "CPU")
    lib.impl("g", failing, "CPU")
    lib.impl("h", view, "ADInplaceOrView")
    with pytest.raises(RuntimeError, match="failing raised"):
        torch.ops.probe.f(cpu)
    assert log == ["guarded", "failing"]
    log.clear()
    torch.ops.probe.h(cpu)
    assert log == ["view"]
    log.clear()
    lib._destroy()


def test_an_inner_guard_leaves_what_the_outer_one_excludes(device):  # TLS-06
    log = []
    cpu = torch.zeros([1])

    def view(*args):
        log.append("view")

    def backend(*args):
        log.append("backend")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.impl("f", view, "ADInplaceOrView")
    lib.impl("f", backend, "CPU")
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        with torch._C._AutoDispatchBelowAutograd():
            torch.ops.probe.f(cpu)
        assert log == ["backend"]
        log.clear()
        torch.ops.probe.f(cpu)
        assert log == ["backend"]
        log.clear()
    lib._destroy()


def test_backend_select_chooses_the_backend_of_a_call_without_tensors(device):  # DSP-30 DSP-34
    log = []

    def select(ks, *args):
        log.append("select")
        log.append(repr(ks))
        torch.ops.probe.f.default.redispatch(ks.remove(torch._C.DispatchKey.BackendSelect) | torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), *args)

    def backend(ks, *args):
        log.append("backend")
        log.append(repr(ks))

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(int n) -> ()")
    lib.impl("f", select, "BackendSelect", with_keyset=True)
    lib.impl("f", backend, "CPU", with_keyset=True)
    torch.ops.probe.f(1)
    assert log == ["select", "DispatchKeySet(BackendSelect)", "backend", "DispatchKeySet(CPU)"]
    log.clear()
    lib._destroy()


def test_a_boxed_fallback_hands_a_backends_calls_to_the_cpu(device):  # DSP-12 DSP-34
    log = []
    cpu = torch.zeros([1])

    def to_cpu(ks, op, *args):
        log.append("to_cpu")
        log.append(repr(ks))
        op.redispatch(ks.remove(torch._C.DispatchKey.QuantizedCPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.CPU), *args)

    def f_on_cpu(*args):
        log.append("f_on_cpu")

    def g_on_cpu(*args):
        log.append("g_on_cpu")

    def h_everywhere(*args):
        log.append("h_everywhere")

    lib = torch.library.Library("probe", "DEF")
    lib.define("f(Tensor x) -> ()")
    lib.define("g(Tensor x) -> ()")
    lib.define("h(Tensor x) -> ()")
    lib.impl("f", f_on_cpu, "CPU")
    lib.impl("g", g_on_cpu, "CPU")
    lib.impl("h", h_everywhere, "CompositeExplicitAutograd")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(to_cpu, "QuantizedCPU", with_keyset=True)
    torch.ops.probe.f.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["to_cpu", "DispatchKeySet(QuantizedCPU)", "f_on_cpu"]
    log.clear()
    torch.ops.probe.g.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["to_cpu", "DispatchKeySet(QuantizedCPU)", "g_on_cpu"]
    log.clear()
    torch.ops.probe.h.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.QuantizedCPU), cpu)
    assert log == ["h_everywhere"]
    log.clear()
    everything._destroy()
    lib._destroy()


def test_guards_add_to_the_threads_sets_and_take_it_back(device):  # TLS-06 TLS-14 TLS-15
    assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.ADInplaceOrView) is False
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)):
        assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.ADInplaceOrView) is True
        assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.ADInplaceOrView) is True
    assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.ADInplaceOrView) is False
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.CPU):
        assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.CPU) is True
    assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.CUDA) is False


def test_inference_mode_excludes_autograd_and_no_longer_includes_adinplaceorview(device):  # TLS-02 TLS-03 TLS-06
    with torch.inference_mode():
        assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.AutogradOther) is True
        assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.ADInplaceOrView) is False
    assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.AutogradOther) is False
    assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.ADInplaceOrView) is True
