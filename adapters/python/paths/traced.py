"""The other ways in which PyTorch captures a function: functorch's functionalize, make_fx, export, and TorchScript."""
import torch
from paths.graphs import Graphed

FUNCTIONALIZED = {
    "version": ("changed", "functionalization writes a mutated input back with one copy_ (torch/_functorch/eager_transforms.py, functionalize)"),
}


def twins(tensors):
    """Other tensors with these elements, sizes and strides, which share memory where these do: for a capture that runs the
    function, so that the tensors themselves are not written twice."""
    storages, made = {}, []
    with torch.no_grad():
        for tensor in tensors:
            own = tensor.untyped_storage()
            if own._cdata not in storages:
                storages[own._cdata] = own.clone()
            twin = torch.empty(0, dtype=tensor.dtype)
            twin.set_(storages[own._cdata], tensor.storage_offset(), tensor.shape, tensor.stride())
            made.append(twin.requires_grad_(tensor.requires_grad))
    return made


class FunctorchFunctionalize(Graphed):
    """`torch.func.functionalize(region)`: nothing is kept as a graph, but each call goes through functional tensors."""

    name, relaxed = "functorch-functionalize", FUNCTIONALIZED
    errors = "kind"  # shape functions word errors otherwise than kernels

    def capture(self, region, inputs):
        self.graphs += 1
        return torch.func.functionalize(region.function())


class MakeFx(Graphed):
    """`make_fx` on fake tensors, and its graph on the tensors themselves."""

    name = "make_fx"
    relaxed = {"version": ("changed", "the graph calls torch.ops.aten, so what a factory does inside counts, which torch.zeros hides "
                           "(docs/PROTOCOL.md, call)")}
    # Shape functions word errors otherwise than kernels, and refuse at capture what a kernel refuses.
    errors = "kind"

    def capture(self, region, inputs):
        from torch.fx.experimental.proxy_tensor import make_fx
        graph = make_fx(region.function(), tracing_mode="fake")(*inputs)
        self.graphs += 1
        return graph


class Export(Graphed):
    """`torch.export`, its decompositions, and the module that it gives back."""

    name, relaxed = "export", FUNCTIONALIZED
    errors = "kind"  # of capture: other classes, and other words

    def capture(self, region, inputs):
        module = torch.nn.Module()
        module.forward = region.function()
        exported = torch.export.export(module, tuple(inputs)).run_decompositions()
        self.graphs += 1
        return exported.module()


class JitTrace(Graphed):
    """`torch.jit.trace`, whose trace is of twins of the inputs."""

    name = "jit-trace"
    errors = "kind"  # TorchScript puts its own words around an error

    def capture(self, region, inputs):
        traced = torch.jit.trace(region.function(), tuple(twins(inputs)), check_trace=False)
        self.graphs += 1
        return traced


class JitScript(Graphed):
    """`torch.jit.script`."""

    name = "jit-script"
    errors = "kind"  # TorchScript puts its own words around an error

    def capture(self, region, inputs):
        scripted = torch.jit.script(region.function())
        self.graphs += 1
        return scripted
