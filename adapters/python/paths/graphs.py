"""A run of a script whose regions are captured as graphs; everything between two regions runs as it is written."""
import contextlib
import sys

from paths.eager import Eager
from paths.plain import Unwritten
from paths.regions import Cutter, forget_functions
from paths.spelling import Known
from unsupported import Unsupported
from walk import Walk


class Split(Unsupported):
    """A region of several statements raised an error, so this run ends: the script is run again, with the region's statements
    one at a time."""


class GraphWalk(Walk):
    """`split`: the first statements of regions that raised, with their errors: they are run one statement at a time, so that an
    error has a place."""

    def __init__(self, script, path, split):
        super().__init__(script, path.device)
        self.path, self.split = path, split
        self.cutter = path.cutter(script)
        self.alone_until, self.pending = -1, None  # of a region that is run one statement at a time, and what it raised
        self.inside = 0  # forwards and functionalized bodies, in which nothing is captured

    def step(self, statement, body, blocks, at, outcome):
        following = self.captured(body, blocks, at, outcome)
        if following is None:
            inside = statement["do"] in ("enter_forward", "enter_functionalize", "enter_vmap", "enter_grad")
            self.inside += inside
            try:
                following = super().step(statement, body, blocks, at, outcome)
            finally:
                self.inside -= inside
        if self.pending is not None and following >= self.alone_until:  # each statement ran by itself, but not all together
            error, self.pending = self.pending, None
            raise error
        return following

    def captured(self, body, blocks, at, outcome):
        """Runs the region that begins here, and returns the place after it; None: there is none."""
        if not body.observed or self.inside:
            return None
        alone = at < self.alone_until or any(isinstance(block, int) for block in blocks)
        region = self.cutter.region_at(body, at, alone)
        if region is not None and at in self.split and not alone:
            self.alone_until, self.pending = region.last, self.split[at]
            region, alone = self.cutter.region_at(body, at, True), True
        if region is None or (alone and region.last - region.first > 1):  # in a block, only a run as it is has places
            return None
        self.run(region)
        for inside in range(at, region.last - 1):
            self.passed(body, {"statement": inside})
        outcome["statement"] = region.last - 1
        return region.last

    def run(self, region):
        inputs = self.tensors(region.inputs)
        try:
            returned = self.path.captured(region, inputs)(*inputs)
        except Unsupported:
            raise
        except Exception as error:
            if region.last - region.first == 1:
                raise
            self.split[region.first] = error
            raise Split from None
        for slot, tensor in zip(region.outputs, returned):
            self.bind(slot, tensor)


class Graphs:
    """Runs a script, and again where a region of several statements raised an error. `split`: as in GraphWalk, after a run."""

    def __init__(self, script, path):
        self.script, self.path, self.split = script, path, {}

    def trace(self):
        self.path.graphs = 0
        while True:
            try:
                trace = GraphWalk(self.script, self.path, self.split).trace()
            except Split:
                continue
            if self.path.graphs == 0:
                raise Unsupported("no statement of the program runs in a graph")
            return trace


class Graphed(Eager):
    """A path that captures regions: `capture(region, inputs)` gives what runs one, a callable of the tensors `inputs`, and
    counts in `graphs` how many graphs run."""

    programs, shows = "captured", True
    guards_inside = ()  # the guards that a graph can have, beside inference mode
    custom_functions_inside = False  # whether a graph can have calls of custom functions
    makes_leaves = False  # whether a graph can make a tensor that requires grad: ATen's ops have no requires_grad=True
    needs_fake = False  # whether a capture needs the fake kernels of a script's operators: without, Dynamo breaks the graph
    needs_functional = False  # whether a script's operators must not write: FunctionalizeFallbackKernel.cpp refuses those
    rounds = False  # whether compiled kernels may round otherwise than eager PyTorch's
    errors = "kind"  # a capture has errors of its own, and shape functions word errors otherwise than kernels
    FUNCTIONS_KEPT = 256  # captures after which caches are emptied, so that a long campaign does not fill the memory

    def __init__(self, settings):
        super().__init__(settings)
        self.graphs = self.made = 0
        self.shown = None  # a Shown, while the graphs of a script are kept

    def walk(self, script):
        return Graphs(script, self)

    def cutter(self, script):
        guards = self.guards_inside + (("inference_mode",) if self.settings.inference_inside else ())
        known = Known(script, self.device.name, self.needs_fake, self.needs_functional)
        return Cutter(script, known, self.settings.regions, guards, self.custom_functions_inside, self.makes_leaves)

    def plainly(self):
        """How a file without Plumbline captures a region. Raises Unwritten."""
        raise Unwritten(f"how {self.name} captures is not written as plain Python")

    def counts(self):
        return {"graphs": self.graphs}

    def capture(self, region, inputs):
        raise NotImplementedError

    def captured(self, region, inputs):
        """`capture`, and the caches are emptied in time."""
        self.made += 1
        if self.settings.show_regions:
            print(region.text, file=sys.stderr, flush=True)
        if self.made > self.FUNCTIONS_KEPT:
            self.forget()
            self.made = 0
        if self.shown is not None:
            self.shown.begin(region)
        return self.capture(region, inputs)

    @contextlib.contextmanager
    def showing(self, shown):
        """Inside, the graphs of each region that is captured are added to `shown`."""
        self.shown = shown
        try:
            yield
        finally:
            self.shown = None

    def forget(self):
        forget_functions()
