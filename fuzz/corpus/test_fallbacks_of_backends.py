# Fallbacks of backends, keys that no tensor here has, and questions about tables, in programs with tensors.
import pytest
import torch


# a fallback serves every operator that has no kernel for the key
def test_a_fallback_goes_on_with_the_operator_that_was_called(device):  # DSP-30
    log = []

    def to_cpu(op, *args):
        log.append("fallback")
        with torch.no_grad():
            return op(*args)

    def double(x):
        log.append("double")
        y = torch.mul(x, 2)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", double, "CPU")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(to_cpu, "PrivateUse1")
    with pytest.raises(RuntimeError, match="multiple backend fallbacks"):
        everything.fallback(to_cpu, "PrivateUse1")
    x = torch.ones([2], device=device)
    y = torch.ops.mine.double.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse1), x)
    assert y.tolist() == [2.0, 2.0]
    assert log == ["fallback", "double"]
    everything._destroy()


def test_an_operators_own_kernel_comes_before_the_fallback(device):  # DSP-12
    def fallback(op, *args):
        raise RuntimeError("the fallback runs")

    def triple(x):
        y = torch.mul(x, 3)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("triple(Tensor x) -> Tensor")
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "PrivateUse1")
    x = torch.ones([2], device=device)
    with pytest.raises(RuntimeError, match="the fallback runs"):
        y = torch.ops.mine.triple.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse1), x)
    lib.impl("triple", triple, "CompositeExplicitAutograd")
    z = torch.ops.mine.triple.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.PrivateUse1), x)
    assert z.tolist() == [3.0, 3.0]
    everything._destroy()


# what the thread excludes plays no part
def test_a_redispatch_of_the_test_itself_reaches_an_excluded_key(device):  # DSP-30 DSP-34
    log = []

    def autograd(*args):
        log.append("autograd")
        return torch.ops.mine.below(*args)

    def double(x):
        log.append("double")
        y = torch.mul(x, 2)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.define("below(Tensor x) -> Tensor")
    lib.impl("double", autograd, "Autograd")
    lib.impl("double", double, "CPU")
    lib.impl("below", double, "CPU")
    x = torch.ones([2], device=device)
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU)):
        y = torch.ops.mine.double(x)
        assert log == ["double"]
        log.clear()
        z = torch.ops.mine.double.default.redispatch(torch._C.DispatchKeySet(torch._C.DispatchKey.CPU) | torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU), x)
        assert log == ["autograd", "double"]
    assert z.tolist() == [2.0, 2.0]


def test_the_table_has_what_an_alias_key_serves(device):  # DSP-15
    def composite(x):
        y = torch.mul(x, 2)
        return y

    lib = torch.library.Library("mine", "FRAGMENT")
    lib.define("double(Tensor x) -> Tensor")
    lib.impl("double", composite, "CompositeImplicitAutograd")
    assert torch._C._dispatch_has_kernel_for_dispatch_key("mine::double", "CPU") is False
    assert torch._C._dispatch_has_computed_kernel_for_dispatch_key("mine::double", "CPU") is True
    with pytest.raises(RuntimeError, match="Alias keys do not have runtime kernel registrations"):
        torch._C._dispatch_has_computed_kernel_for_dispatch_key("mine::double", "CompositeImplicitAutograd")
    with pytest.raises(RuntimeError, match="could not parse dispatch key"):
        lib.impl("double", composite, "Central")
    with pytest.raises(RuntimeError, match="does not exist"):
        torch._C._dispatch_has_kernel_for_dispatch_key("mine::triple", "CPU")
    x = torch.ones([2], requires_grad=True, device=device)
    y = torch.ops.mine.double(x)
    assert y.requires_grad is True


def test_a_guard_includes_its_key_for_the_thread(device):  # TLS-15
    x = torch.ones([2], device=device)
    with torch._C._IncludeDispatchKeyGuard(torch._C.DispatchKey.AutogradCPU):
        assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.AutogradCPU) is True
        assert torch._C._dispatch_tls_is_dispatch_key_excluded(torch._C.DispatchKey.AutogradCPU) is False
    assert torch._C._dispatch_tls_is_dispatch_key_included(torch._C.DispatchKey.AutogradCPU) is False
