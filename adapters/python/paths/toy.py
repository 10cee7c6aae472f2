"""A small backend of torch.compile with planted faults, each of which `plumbline selftest --compile` must see caught."""
import torch
from paths.compiled import Compiled
from paths.graphs import Graphed


class Runs(torch.fx.Interpreter):
    """Runs a graph of Dynamo call by call, and so is a correct backend. A fault overrides one of its steps."""

    def named(self, node):
        """The name of the op that a node calls: "add_"; of what calls nothing: ""."""
        if node.op == "call_method":
            return node.target
        return getattr(node.target, "__name__", "") if node.op == "call_function" else ""

    def writes(self, node):
        name = self.named(node)
        return name.endswith("_") and not name.startswith("_") or "out" in node.kwargs

    def run_node(self, node):
        return self.do(node, super().run_node)

    def do(self, node, run):
        return run(node)


class DropsAMutation(Runs):
    """An in-place op of an input writes a copy."""

    def call_method(self, target, args, kwargs):
        if target.endswith("_") and not target.startswith("requires_grad"):
            args = (args[0].clone(), *args[1:])
        return super().call_method(target, args, kwargs)


class ChangesResults(Runs):
    """What the graph returns goes through `change`."""

    def output(self, target, args, kwargs):
        return torch.utils._pytree.tree_map_only(torch.Tensor, self.change, super().output(target, args, kwargs))


class CopiesForAnAlias(ChangesResults):
    """What the graph returns shares no memory with anything."""

    change = staticmethod(torch.clone)


class AliasesForACopy(Runs):
    """clone gives the tensor itself."""

    def call_method(self, target, args, kwargs):
        return args[0] if target == "clone" else super().call_method(target, args, kwargs)


class ForgetsAMode(Runs):
    """Grad mode stays off after the graph."""

    def output(self, target, args, kwargs):
        torch._C._set_grad_enabled(False)
        return super().output(target, args, kwargs)


class ReordersTwoWrites(Runs):
    """Of two writes that follow each other, the second one runs first."""

    def __init__(self, graph):
        super().__init__(graph)
        nodes = [node for node in graph.graph.nodes if node.op not in ("placeholder", "output")]
        for first, second in zip(nodes, nodes[1:]):
            if self.writes(first) and self.writes(second) and first not in second.all_input_nodes:
                first.prepend(second)
                graph.recompile()
                return


class SpecialisesOnAValue(Runs):
    """A sum is what it was in the first run."""

    def __init__(self, graph):
        super().__init__(graph)
        self.known = {}

    def do(self, node, run):
        if self.named(node) != "sum":
            return run(node)
        if node not in self.known:
            self.known[node] = run(node).detach().clone()
        return self.known[node].clone()


class ReusesABufferStillSeen(Runs):
    """A result is written into the memory of an argument that no later call uses, though a view may show it."""

    def do(self, node, run):
        last = self.user_to_last_uses.get(node, [])
        answer = run(node)
        if self.named(node) in ("add", "mul", "sub") and isinstance(answer, torch.Tensor):
            for used in last:
                old = self.env.get(used)
                if isinstance(old, torch.Tensor) and old.shape == answer.shape and old.dtype == answer.dtype and not old.requires_grad:
                    return old.data.copy_(answer)
        return answer


class ComputesInFloat32(Runs):
    """Results of float64 are rounded to float32."""

    def do(self, node, run):
        answer = run(node)
        rounds = isinstance(answer, torch.Tensor) and answer.dtype == torch.float64 and self.named(node) in ("mul", "div", "exp", "sub", "add")
        return answer.to(torch.float32).to(torch.float64) if rounds else answer


class MakesResultsContiguous(ChangesResults):
    """A result that is not row-major gets another layout."""

    change = staticmethod(torch.Tensor.contiguous)


class LosesTheHistory(ChangesResults):
    """Results have no grad_fn."""

    change = staticmethod(torch.Tensor.detach)


class RunsTwice(Runs):
    """The graph runs twice, so that what it writes is written twice."""

    def run(self, *args, **kwargs):
        super().run(*args, **kwargs)
        return super().run(*args, **kwargs)


class WritesWithoutCounting(Runs):
    """An in-place op writes behind the version counter."""

    def call_method(self, target, args, kwargs):
        if not target.endswith("_") or target.startswith("requires_grad") or args[0].requires_grad:
            return super().call_method(target, args, kwargs)
        super().call_method(target, (args[0].data, *args[1:]), kwargs)
        return args[0]


class ReturnsAnOldView(Runs):
    """A view is taken before the writes to its base: it shows the elements of then."""

    def do(self, node, run):
        answer = run(node)
        is_view = self.named(node) in ("view", "select", "narrow", "t", "transpose", "unsqueeze", "expand", "permute", "diagonal")
        return answer.clone() if is_view and not answer.requires_grad else answer


class SwallowsAnError(Runs):
    """A call that raises gives its first argument."""

    def do(self, node, run):
        try:
            return run(node)
        except (RuntimeError, IndexError):
            return self.env[node.all_input_nodes[0]]


class PromotesToTheFirst(Runs):
    """A result has the dtype of its first argument."""

    def do(self, node, run):
        answer = run(node)
        first = self.env.get(node.args[0]) if node.args else None
        mixes = self.named(node) in ("add", "sub", "mul", "div") and isinstance(first, torch.Tensor) and answer.dtype != first.dtype
        return answer.to(first.dtype) if mixes else answer


FAULTS = {fault.__name__: fault for fault in (
    DropsAMutation, CopiesForAnAlias, AliasesForACopy, ForgetsAMode, ReordersTwoWrites, SpecialisesOnAValue, ReusesABufferStillSeen,
    ComputesInFloat32, MakesResultsContiguous, LosesTheHistory, RunsTwice, WritesWithoutCounting, ReturnsAnOldView, SwallowsAnError,
    PromotesToTheFirst)}


class Toy(Compiled):
    """torch.compile with this backend, and with the fault `settings.fault`, one of FAULTS; None: without a fault."""

    backend = "toy"

    def plainly(self):
        return Graphed.plainly(self)

    def start(self):
        import torch._dynamo
        runs = FAULTS[self.settings.fault] if self.settings.fault else Runs
        if self.backend not in torch._dynamo.list_backends(exclude_tags=()):
            torch._dynamo.register_backend(lambda graph, inputs: runs(graph).run, name=self.backend)
        super().start()
