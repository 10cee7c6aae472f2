"""The other ways in which PyTorch captures a function: functorch's functionalize, make_fx, export, and TorchScript."""
import torch
from paths.graphs import Graphed
from paths.warm_up import twins

FUNCTIONALIZED = {
    "version": ("changed", "functionalization writes a mutated input back with one copy_ (torch/_functorch/eager_transforms.py, functionalize)"),
}


OPS_OF_ATEN = {
    "version": ("changed", "the graph calls ATen's ops, so what a factory does inside counts, which torch.zeros hides "
                "(docs/PROTOCOL.md, call)"),
}


class FunctorchFunctionalize(Graphed):
    """`torch.func.functionalize(region)`: nothing is kept as a graph, but each call goes through functional tensors."""

    name, relaxed = "functorch-functionalize", FUNCTIONALIZED
    errors = "kind"  # shape functions word errors otherwise than kernels

    def capture(self, region, inputs):
        self.graphs += 1
        return torch.func.functionalize(region.function())


class MakeFx(Graphed):
    """`make_fx` on fake tensors, and its graph on the tensors themselves."""

    name, relaxed = "make_fx", OPS_OF_ATEN
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

    name, relaxed = "jit-trace", OPS_OF_ATEN
    errors = "kind"  # TorchScript puts its own words around an error

    def capture(self, region, inputs):
        traced = torch.jit.trace(region.function(), tuple(twins(inputs)), check_trace=False)
        self.graphs += 1
        return traced


class JitScript(Graphed):
    """`torch.jit.script`."""

    name, relaxed = "jit-script", OPS_OF_ATEN
    errors = "kind"  # TorchScript puts its own words around an error

    def capture(self, region, inputs):
        scripted = torch.jit.script(region.function())
        self.graphs += 1
        return scripted
