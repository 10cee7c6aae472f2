"""`torch.compile`: each region is captured by Dynamo and runs as a backend compiled it."""
import torch
from paths.graphs import Graphed


class Compiled(Graphed):
    """`backend`: as torch.compile names it."""

    relaxed = {
        "version": ("changed", "AOTAutograd writes a mutated input back with one copy_ (functionalization), and what is made "
                    "inside a graph starts at 0 (torch/_functorch/_aot_autograd/runtime_wrappers.py)"),
        "creation_meta": ("ignore", "a view that leaves a graph is made again from its base after the graph, without grad mode "
                          "(gen_alias_from_base, torch/_functorch/_aot_autograd/functional_utils.py)"),
    }
    # Dynamo wraps what an op raises in TorchRuntimeError, and shape functions word errors otherwise than kernels.
    errors = "kind"

    def __init__(self, backend):
        super().__init__()
        self.name, self.backend = f"compile-{backend}", backend

    def start(self, device):
        super().start(device)
        import torch._dynamo.guards
        self.compiles = torch._dynamo.lookup_backend(self.backend)
        torch._dynamo.config.run_gc_after_compile = False
        # After each capture Dynamo measures how fast its guards are, and empties the processor's cache for that: half of the time.
        torch._dynamo.guards.profile_guard_manager = lambda *measured: 0.0

    def counted(self, graph, inputs):
        self.graphs += 1
        return self.compiles(graph, inputs)

    def capture(self, region, inputs):
        return torch.compile(region.function(), backend=self.counted, dynamic=False)

    def forget(self):
        super().forget()
        torch._dynamo.reset()


class CompileEager(Compiled):
    def __init__(self):
        super().__init__("eager")


class CompileAotEager(Compiled):
    def __init__(self):
        super().__init__("aot_eager")


class CompilePartition(Compiled):
    def __init__(self):
        super().__init__("aot_eager_decomp_partition")


class CompileInductor(Compiled):
    def __init__(self):
        super().__init__("inductor")
