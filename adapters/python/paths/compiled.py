"""`torch.compile`: each region is captured by Dynamo and runs as a backend compiled it."""
import torch
from paths.eager import Eager
from paths.graphs import Graphs
from paths.regions import forget_functions

FUNCTIONS_KEPT = 256  # captures after which Dynamo's caches are emptied, so that a long campaign does not fill the memory


class Compiled(Eager):
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
        self.name, self.backend, self.alone = f"compile-{backend}", backend, False
        self.graphs = self.made = 0

    def start(self, device):
        super().start(device)
        import torch._dynamo
        self.compiles = torch._dynamo.lookup_backend(self.backend)

    def walk(self, script):
        return Graphs(script, self)

    def begin(self):
        """Before each run of a script."""
        self.graphs = 0
        if self.made > FUNCTIONS_KEPT:
            torch._dynamo.reset()
            forget_functions()
            self.made = 0

    def captured(self):
        return self.graphs

    def counted(self, graph, inputs):
        self.graphs += 1
        return self.compiles(graph, inputs)

    def capture(self, region, inputs):
        self.made += 1
        return torch.compile(region.function(), backend=self.counted, dynamic=False)


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
