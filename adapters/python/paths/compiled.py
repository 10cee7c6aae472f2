"""`torch.compile`: each region is captured by Dynamo and runs as a backend compiled it."""
import contextlib
import pathlib

import torch
from guards import GRAD_MODE
from paths.cheaper import compile_cheaply, leave_out
from paths.graphs import Graphed
from paths.plain import Plainly, Unwritten
from paths.shown import graphs_of_aot_autograd, readable
from paths.warm_up import warm_up


class Compiled(Graphed):
    """`backend`: as torch.compile names it; here the one of the options."""

    relaxed = {
        "version": ("changed", "AOTAutograd writes a mutated input back with one copy_ (functionalization), and what is made "
                    "inside a graph starts at 0 (torch/_functorch/_aot_autograd/runtime_wrappers.py)"),
        "creation_meta": ("ignore", "a view that leaves a graph is made again from its base after the graph, without grad mode "
                          "(gen_alias_from_base, torch/_functorch/_aot_autograd/functional_utils.py)"),
    }
    guards_inside = GRAD_MODE
    custom_functions_inside = makes_leaves = True
    backend = None

    def __init__(self, settings):
        super().__init__(settings)
        self.rounds |= self.backend is None
        self.backend = self.backend or settings.backend
        self.name = f"compile-{self.backend}{'-dynamic' if settings.dynamic else ''}"

    def start(self):
        super().start()
        self.compiles = torch._dynamo.lookup_backend(self.backend)
        rules = torch._dynamo.trace_rules
        rules.SKIP_DIRS.append(f"{pathlib.Path(__file__).parent.parent}/")  # else Dynamo captures how a script's kernel is run
        rules._recompile_re()
        leave_out()

    def counted(self, graph, inputs):
        self.graphs += 1
        if self.shown is not None:
            self.shown.add("the graph that Dynamo captured", readable(graph))
        return self.compiles(graph, inputs)

    @contextlib.contextmanager
    def showing(self, shown):
        with super().showing(shown), graphs_of_aot_autograd(shown):
            yield

    def counts(self):
        breaks = torch._dynamo.utils.counters["graph_break"]
        counted = {**super().counts(), "graph breaks": sum(breaks.values())}
        breaks.clear()
        return counted

    def capture(self, region, inputs):
        captured = torch.compile(region.function(), backend=self.counted, dynamic=self.settings.dynamic)
        if self.settings.warm_up:
            warm_up(captured, region.text, inputs)
        return captured

    def plainly(self):
        if self.settings.warm_up:
            raise Unwritten("--warm-up runs each region twice")
        called = f'torch.compile(backend="{self.backend}"{", dynamic=True" * self.settings.dynamic})'
        module = self.settings.module
        return Plainly(called, called.replace("(", "(region, ") + "(*inputs)", f"import {module}\n" if module else "")

    def forget(self):
        super().forget()
        torch._dynamo.reset()


class CompileEager(Compiled):
    backend = "eager"


class CompileAotEager(Compiled):
    backend = "aot_eager"


class CompilePartition(Compiled):
    backend, rounds = "aot_eager_decomp_partition", True


class CompileInductor(Compiled):
    """C++ kernels are compiled without optimization, unless `--optimize` is given: that halves the time, and their vector
    instructions and rounding are written out in the source."""

    backend, rounds = "inductor", True

    def start(self):
        super().start()
        compile_cheaply(None if self.settings.optimize else "O0")
        torch.compile(lambda x: x + 1, backend=self.backend)(torch.ones(2))  # the compiler's headers, which take seconds

    def versions(self):
        return {} if self.settings.optimize else {"kernels": "-O0"}
