"""The other ways in which PyTorch captures a function: functorch's functionalize, make_fx, export, and TorchScript."""
import builtins
import inspect
import re

import torch
from guards import GRAD_MODE
from paths.eager import Eager, not_kept
from paths.graphs import Graphed
from paths.plain import Plainly
from paths.shown import readable
from paths.warm_up import twins
from unsupported import Unsupported

FUNCTIONALIZED = {
    "version": ("changed", "functionalization writes a mutated input back with one copy_ (torch/_functorch/eager_transforms.py, functionalize)"),
}
BY_DESIGN = "what functionalize returns has memory of its own (docs/FUNCTIONALIZE.md, W-74; torch/_functorch/eager_transforms.py)"
REGIONS = {**FUNCTIONALIZED, **dict.fromkeys(("storage", "base", "is_view", "creation_meta"), not_kept(BY_DESIGN))}
OPS_OF_ATEN = {
    "version": ("changed", "the graph calls ATen's ops, so what a factory does inside counts, which torch.zeros hides "
                "(docs/PROTOCOL.md, call)"),
}

MODULE = """\
class Region(torch.nn.Module):
    def __init__(self, region):
        super().__init__()
        self.forward = region


"""
TWINS = inspect.getsource(twins) + "\n\n"


class Traced(Graphed):
    """`traced(function, inputs)` gives what runs `function`, as one graph."""

    plain = None  # a Plainly

    def traced(self, function, inputs):
        raise NotImplementedError

    def text_of(self, captured, function, inputs):
        """The graph of what `traced` gave, as text."""
        return readable(captured)

    def plainly(self):
        return self.plain

    def capture(self, region, inputs):
        function = region.function()
        captured = self.traced(function, inputs)
        self.graphs += 1
        if self.shown is not None:
            self.shown.add(f"the graph of {self.plain.label}", self.text_of(captured, function, inputs))
        return captured


class FunctorchFunctionalize(Eager):
    """Functionalized bodies, by `torch.func.functionalize`. What is outside of them runs as eager PyTorch runs it."""

    name, programs = "functorch-functionalize", "functionalized"

    def walk(self, script):
        if not any(statement["do"] == "enter_functionalize" for statement in script["statements"]):
            raise Unsupported("the program has no functionalized body")
        return super().walk(script)


class FunctorchRegions(Traced):
    """`torch.func.functionalize(region)`: nothing is kept as a graph, but each call goes through functional tensors."""

    name, relaxed, guards_inside = "functorch-regions", REGIONS, GRAD_MODE
    needs_functional = True

    def capture(self, region, inputs):
        if any(tensor.requires_grad for tensor in inputs):
            raise Unsupported("functionalize's layer is above Autograd, so nothing inside requires grad")
        return super().capture(region, inputs)

    plain = Plainly("torch.func.functionalize", "torch.func.functionalize(region)(*inputs)")

    def traced(self, function, inputs):
        return torch.func.functionalize(function)

    def text_of(self, captured, function, inputs):
        from torch.fx.experimental.proxy_tensor import make_fx
        return readable(make_fx(captured)(*twins(inputs)))


class MakeFx(Traced):
    """`make_fx` on fake tensors, and its graph on the tensors themselves."""

    name, relaxed, needs_fake = "make_fx", OPS_OF_ATEN, True
    plain = Plainly("make_fx", 'make_fx(region, tracing_mode="fake")(*inputs)(*inputs)', "from torch.fx.experimental.proxy_tensor import make_fx\n")

    def traced(self, function, inputs):
        from torch.fx.experimental.proxy_tensor import make_fx
        return make_fx(function, tracing_mode="fake")(*inputs)


class Export(Traced):
    """`torch.export`, its decompositions, and the module that it gives back."""

    name, relaxed, rounds, needs_fake = "export", FUNCTIONALIZED, True, True
    plain = Plainly("torch.export", "torch.export.export(Region(region), inputs).run_decompositions().module()(*inputs)", above=MODULE)

    def traced(self, function, inputs):
        module = torch.nn.Module()
        module.forward = function
        return torch.export.export(module, tuple(inputs)).run_decompositions().module()


class Scripted(Traced):
    """TorchScript. An error of an op is that error, without what its interpreter says around it."""

    OF_AN_OP = re.compile(r"^The following operation failed in the TorchScript interpreter\..*\n(\w*Error): ([^\n]*)", re.DOTALL)

    def capture(self, region, inputs):
        captured = super().capture(region, inputs)

        def run(*given):
            try:
                return captured(*given)
            except RuntimeError as error:
                quoted = self.OF_AN_OP.search(str(error))
                if quoted:
                    error.inner_exception = getattr(builtins, quoted[1], RuntimeError)(quoted[2])  # as readings.failure asks for it
                raise

        return run

    def text_of(self, captured, function, inputs):
        return str(captured.graph)


class JitTrace(Scripted):
    """`torch.jit.trace`, whose trace is of twins of the inputs."""

    name, relaxed = "jit-trace", OPS_OF_ATEN
    plain = Plainly("torch.jit.trace", "torch.jit.trace(region, tuple(twins(inputs)), check_trace=False)(*inputs)", above=TWINS)

    def traced(self, function, inputs):
        return torch.jit.trace(function, tuple(twins(inputs)), check_trace=False)


class JitScript(Scripted):
    """`torch.jit.script`."""

    name, relaxed, makes_leaves = "jit-script", OPS_OF_ATEN, True
    plain = Plainly("torch.jit.script", "torch.jit.script(region)(*inputs)")

    def traced(self, function, inputs):
        return torch.jit.script(function)
