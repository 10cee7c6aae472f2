"""Running a script: its slots, its `try` blocks, its threads, and NumPy's errors."""
import numpy as np
import elementwise
import memory
import reductions
import views
from dtypes import DTYPES
from readings import UNSUPPORTED, is_array, read, snapshot
from refusal import Unsupported

OPS = {**elementwise.OPS, **views.OPS, **memory.OPS, **reductions.OPS}
FORMATTED = {"empty.memory_format", "empty_like", "zeros_like", "ones_like", "full_like", "clone", "to.dtype", "_to_copy", "contiguous"}  # the last argument
REFUSALS = (ValueError, TypeError, IndexError, OverflowError, MemoryError)  # NumPy's errors are of these classes, or derived from them
ENDS = {"try": "end_try", "start_thread": "join_thread", "pause_thread": "resume_thread"}
MODES = {"inference_mode", "set_grad_enabled", "no_grad", "enable_grad"}  # they change nothing that NumPy shows
NO_AUTOGRAD = "NumPy has no autograd"
REASONS = {
    "backward": NO_AUTOGRAD, "get_gradients": NO_AUTOGRAD, "get_grad": NO_AUTOGRAD, "set_grad": NO_AUTOGRAD, "retain_grad": NO_AUTOGRAD,
    "register_hook": NO_AUTOGRAD, "remove_hook": NO_AUTOGRAD, "enter_saved_tensors_hooks": NO_AUTOGRAD, "enter_forward": NO_AUTOGRAD,
    "enter_functionalize": "NumPy has no functionalize", "enter_vmap": "NumPy has no vmap",
    "enter_grad": "NumPy has no gradients", "get_data": "NumPy has no .data that is an array",
    "set_data": "NumPy has no .data that is an array", "make_meta": "NumPy has no meta tensors",
    "manual_seed": "NumPy has no generator with the numbers of PyTorch's",
}


class Refused(Exception):
    """NumPy refused a statement, whose outcome is in the trace. `threads`: how many threads it leaves before a `try` can catch it."""

    def __init__(self, name, error):
        super().__init__(f"NumPy refuses {name}, which the program expects to succeed: {type(error).__name__}")
        self.threads = 0


def block_ends(statements):
    """For each statement that begins a block, where the block ends."""
    ends, open_blocks = {}, []
    for at, statement in enumerate(statements):
        if statement["do"] in ENDS:
            open_blocks.append(at)
        elif statement["do"] in ENDS.values():
            ends[open_blocks.pop()] = at
    return ends


def name_of(statement):
    return statement.get("op") or statement["do"]


def last_name(statements):
    """The statement at a block's end that should have raised."""
    return next((name_of(statement) for statement in reversed(statements) if statement["do"] not in ("exit", "snapshot")), "nothing")


class Walk:
    """One run of one script, with fresh slots."""

    def __init__(self, script):
        self.statements = script["statements"]
        self.ends = block_ends(self.statements)
        self.slots, self.outcomes = {}, []

    def trace(self):
        try:
            self.go(0, len(self.statements))
        except Refused as refused:
            raise Unsupported(str(refused)) from None
        return {"completed": True, "outcomes": self.outcomes}

    def go(self, at, last):
        """Runs the statements from `at` up to `last`, without `last`."""
        while at < last:
            statement = self.statements[at]
            do, end = statement["do"], self.ends.get(at)
            outcome = {"statement": at}
            if end is None:
                try:
                    self.step(statement, do, outcome)
                except REFUSALS as error:
                    outcome["error"] = {"class": "unclassified", "message": str(error).split("\n")[0], "exception": type(error).__name__}
                    self.outcomes.append(outcome)
                    raise Refused(name_of(statement), error) from None
                self.outcomes.append(outcome)
                at += 1
            else:
                self.outcomes.append(outcome)
                self.block(do, at, end)
                self.outcomes.append({"statement": end})
                at = end + 1

    def block(self, do, at, end):
        try:
            self.go(at + 1, end)
            if do == "try":
                raise Unsupported(f"NumPy does not refuse {last_name(self.statements[at + 1:end])}, as the program expects")
        except Refused as refused:
            if do == "pause_thread":  # the statements belong to the thread that started this one
                refused.threads += 1
                raise
            if refused.threads == 0 and do == "try":
                return
            if refused.threads == 0:
                raise Unsupported(str(refused)) from None  # the thread would end with it
            refused.threads -= do == "start_thread"
            raise

    def step(self, statement, do, outcome):
        """Runs one statement that begins no block."""
        if do == "call":
            self.call(statement)
        elif do == "make":
            self.make(statement)
        elif do == "snapshot":
            outcome.update(snapshot(self.slots))
        elif do == "read":
            outcome["reading"] = read(self.held(statement["tensor"]), statement["field"], self.slots)
        elif do == "read_thread":
            outcome["reading"] = UNSUPPORTED
        elif do == "enter" and statement["guard"] not in MODES:
            raise Unsupported("NumPy has no dispatcher")
        elif do == "set_requires_grad":
            self.held(statement["tensor"])
            if statement["value"]:
                raise Unsupported(NO_AUTOGRAD)
        elif do not in ("enter", "exit"):
            raise Unsupported(REASONS.get(do, "NumPy has no dispatcher"))

    def held(self, slot):
        if slot not in self.slots:
            raise Unsupported("a statement uses a slot that holds nothing")
        return self.slots[slot]

    def argument(self, value):
        if isinstance(value, dict):
            if "complex" in value:
                raise Unsupported("NumPy's adapter has no complex numbers")
            return self.held(value["slot"]) if "slot" in value else [self.held(slot) for slot in value["slots"]]
        return float(value) if value in ("nan", "inf", "-inf") else value

    def call(self, statement):
        op = statement["op"]
        if op == "resize_":
            self.resize(statement)
            return
        if op not in OPS:
            raise Unsupported(f"NumPy has no {op}")
        if statement.get("requires_grad"):
            raise Unsupported(NO_AUTOGRAD)
        if op in FORMATTED and statement["arguments"][-1] is not None:
            raise Unsupported("NumPy has no memory formats")
        answer = OPS[op](*[self.argument(value) for value in statement["arguments"]])
        self.bind(statement["results"], [answer] if is_array(answer) else list(answer))

    def resize(self, statement):
        """ndarray.resize in place, which NumPy refuses if anything but one slot and this call refers to the array."""
        tensor, size, memory_format = statement["arguments"]
        if memory_format is not None:
            raise Unsupported("NumPy has no memory formats")
        self.held(tensor["slot"])
        self.slots[tensor["slot"]].resize(size)
        self.bind(statement["results"], [self.slots[tensor["slot"]]])

    def bind(self, slots, arrays):
        """`a, b = …`, with Python's errors."""
        if not slots:
            return
        if len(arrays) > len(slots):
            raise ValueError(f"too many values to unpack (expected {len(slots)})")
        if len(arrays) < len(slots):
            raise ValueError(f"not enough values to unpack (expected {len(slots)}, got {len(arrays)})")
        self.slots.update(zip(slots, arrays))

    def make(self, statement):
        if statement.get("requires_grad"):
            raise Unsupported(NO_AUTOGRAD)
        if "device" in statement:
            raise Unsupported("NumPy has one device")
        values = [float(value) for value in statement["values"]]  # the floats that JSON lacks are strings
        array = np.array(values, np.float64).astype(DTYPES[statement["dtype"]])
        self.slots[statement["result"]] = array.reshape(statement["sizes"]).copy()
