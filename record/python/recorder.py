"""The recorder: what it knows of the running script, and how it writes statements.

Each call of an op arrives from calls.py, each use of Python's own parts of PyTorch from attributes.py, functions.py and threads.py.
"""
import contextlib
import linecache
import re
import sys
import threading

import torch
from guards import Guards, in_inference_mode
from slots import Slots
from unsayable import Unsayable

DTYPES = {getattr(torch, name): name
          for name in ("float32", "float64", "int64", "int32", "bool", "uint8", "int8", "int16", "float16", "bfloat16")}
MOST_ELEMENTS = 1024  # a larger tensor is filled with random numbers
KEY = torch._C._parse_dispatch_key("TESTING_ONLY_GenericMode")  # the first key that a call asks; nothing else uses it
EXPECTED = ("RuntimeError", "IndexError", "ValueError", "TypeError", "NotImplementedError", "AttributeError")  # what a program can expect


def expected_name(error):
    """The exception that a program expects for this one: its class, or the nearest base."""
    return next((cls.__name__ for cls in type(error).__mro__ if cls.__name__ in EXPECTED), None)


class Full(BaseException):
    """The program is as long as it may be; the script ends here. (A script that catches every Exception must not catch this.)"""


class Recorder:
    def __init__(self, journal, ops, script):
        self.journal, self.ops, self.script = journal, ops, script
        self.slots, self.bodies, self.guards = None, [], []
        self.here = threading.local()
        self.noted, self.doomed, self.failed, self.faithful = set(), None, (None, 0, 0), True
        self.halted = False  # the rest of the test is not recorded

    def begin(self, name):
        """A new test: no tensor is known, and the thread's modes are the program's first ones."""
        self.journal.test(name)
        self.noted.clear()
        self.faithful, self.halted = True, False
        self.slots, self.bodies = Slots(self.journal), [0]
        self.guards = [Guards(self.add)]

    def finish(self):
        self.guards[-1].leave()

    # --- whether to record

    def recording(self):
        return getattr(self.here, "on", False) and self.here.permit[0] and not self.halted

    @contextlib.contextmanager
    def on(self, permit=(True,)):
        """What this thread does in the block is recorded, as long as `permit` holds True."""
        self.here.permit = permit
        with self.paused(recording=True):
            yield

    @contextlib.contextmanager
    def paused(self, recording=False):
        """What this thread does in the block is not recorded; or, inside one, it is again. While it is not, no call of an op takes the way
        through the recorder's kernel."""
        before = getattr(self.here, "on", False)
        self.switch(recording)
        try:
            yield
        finally:
            self.switch(before)

    def switch(self, on):
        on = on and not self.halted
        self.here.on = on
        torch._C._dispatch_tls_set_dispatch_key_included(KEY, on)

    def halt(self):
        """Nothing more is recorded in this test."""
        self.halted = True
        self.switch(False)

    def pauses(self):
        """Those that modes of the script have begun in this thread."""
        if not hasattr(self.here, "pauses"):
            self.here.pauses = []
        return self.here.pauses

    @contextlib.contextmanager
    def inside_a_function(self):
        """A function of PyTorch that Python called runs in the block."""
        before, self.here.inside = self.hidden(), True
        try:
            yield
        finally:
            self.here.inside = not before

    def hidden(self):
        """Whether an op that is called now comes from a constructor like `torch.Tensor([3])`, which no mode sees, and which fills the tensor
        without a call of an op."""
        return not getattr(self.here, "inside", False)

    def stop(self):
        """In a child process: it must not write into the journal."""
        self.recording = lambda: False

    # --- the script

    def frame(self):
        """The innermost frame that runs the script's own text, and its line; (None, 0) if there is none."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.script:
                return frame, frame.f_lineno
            frame = frame.f_back
        return None, 0

    def mentions(self, pattern):
        """Whether a line of the script has this pattern."""
        return any(re.search(pattern, line) for line in linecache.getlines(self.script))

    def line(self):
        return self.frame()[1]

    def learn_names(self):
        """Names slots by the variables of the script, those of the outermost function first."""
        frame, frames = self.frame()[0], []
        while frame is not None and self.slots.unnamed:
            if frame.f_code.co_filename == self.script:
                frames.append(frame)
            frame = frame.f_back
        for frame in reversed(frames):
            self.slots.learn_names(frame.f_locals)
        self.slots.grow_older()

    def note(self, text, same=False):
        """Something that the program does not say as the script did it. Unless what can be read stays the `same`, later asserts are left
        out: what the script read need not hold in the program."""
        self.faithful = self.faithful and same
        line = self.line()
        if (line, text) not in self.noted:
            self.noted.add((line, text))
            self.journal.note(line, text)

    # --- writing

    def add(self, statement, expected=None):
        """Appends to the innermost body."""
        if self.journal.full():
            raise Full
        line = self.line()
        if line:
            statement["line"] = line
        self.journal.add(self.bodies[-1], statement, expected)
        self.learn_names()

    def write(self, statement, expected=None):
        """Appends a statement that runs in the modes that the thread is in now."""
        self.guards[-1].follow()
        self.add(statement, expected)

    def raises_itself(self, error):
        """Whether a line of the script raised the error, and no call of PyTorch."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        return trace is not None and trace.tb_frame.f_code.co_filename == self.script

    def error_left_the_body(self, error):
        """No `try` in the innermost body caught this error."""
        if self.failed[0] is error and self.failed[1] == self.bodies[-1]:
            self.journal.release(*self.failed[1:])

    def expect_mode(self, field, value):
        """Asserts a mode of the thread."""
        self.write({"do": "read_thread", "field": field}, {"reading": value})

    def expect(self, slot, field, reading):
        """Asserts what the script read."""
        self.write({"do": "read", "tensor": slot, "field": field}, {"reading": reading})

    @contextlib.contextmanager
    def attempting(self):
        """If the block raises, the statements that it wrote get a `try`."""
        self.guards[-1].follow()
        body, first, depth = self.bodies[-1], self.journal.length(self.bodies[-1]), len(self.guards[-1].opened)
        try:
            yield
        except Exception as error:
            self.guards[-1].leave(depth)
            if self.journal.length(body) > first and self.faithful and expected_name(error) and not self.raises_itself(error):
                self.journal.attempt(body, first, expected_name(error), self.line())
                self.failed = error, body, first
            elif self.journal.length(body) > first:
                self.journal.cut(body, first)
                self.note("what raised an error here is left out: the program may not raise it")
            raise

    @contextlib.contextmanager
    def scope(self, body=None, apart=None):
        """A thread, a forward, a backward, a hook or a functionalized body: with slots and guards of its own. `apart`: it knows no other
        slots, like a backward."""
        self.bodies.append(self.bodies[-1] if body is None else body)
        self.guards.append(Guards(self.add))
        self.slots.open_scope(apart=body is not None if apart is None else apart)
        try:
            yield
        except Exception as error:
            self.error_left_the_body(error)
            raise
        finally:
            self.guards[-1].leave()
            self.slots.close_scope()
            self.guards.pop()
            self.bodies.pop()

    @contextlib.contextmanager
    def whole(self, what):
        """The statements that the block writes belong together: if one of them cannot be written, none of them is."""
        self.guards[-1].follow()
        body, first, depth = self.bodies[-1], self.journal.length(self.bodies[-1]), len(self.guards[-1].opened)
        outer, self.doomed = self.doomed, None
        try:
            yield
        finally:
            why, self.doomed = self.doomed, outer
            if why is not None:
                del self.guards[-1].opened[depth:]
                self.journal.cut(body, first)
                self.note(f"{what} is not part of a program: {why}")

    def slot_in_whole(self, tensor):
        """The slot of a tensor, inside `whole`."""
        try:
            return self.slot(tensor)
        except Unsayable as why:
            self.doomed = str(why)
            return 0

    # --- tensors

    def slot(self, tensor):
        """The slot of a tensor. One that the program does not know yet is written as a new tensor with its values."""
        found = self.slots.find(tensor)
        return self.make(tensor) if found is None else found

    def meet_variables(self):
        """Writes the tensors in the script's variables that the program does not know yet: a scope begins, and they do not belong to it."""
        frame = self.frame()[0]
        while frame is not None:
            if frame.f_code.co_filename == self.script:
                for value in list(frame.f_locals.values()):
                    if isinstance(value, torch.Tensor):
                        with contextlib.suppress(Unsayable):
                            self.slot(value)
            frame = frame.f_back

    def make(self, tensor, requires_grad=False):
        """Writes a new tensor with the values of this one, and returns its slot. Raises Unsayable."""
        with self.paused():
            if tensor.dtype not in DTYPES:
                raise Unsayable(f"the dtype {str(tensor.dtype).removeprefix('torch.')}")
            if tensor.layout is not torch.strided or tensor.device.type != "cpu" or type(tensor) not in (torch.Tensor, torch.nn.Parameter):
                raise Unsayable(f"a tensor of {type(tensor).__name__} on {tensor.device.type} with the layout {tensor.layout}")
            if self.bodies[-1] != 0:
                raise Unsayable("a tensor from outside a backward or a hook")
            inference = tensor.is_inference()
            requires_grad = requires_grad or tensor.requires_grad
            if requires_grad and not tensor.is_leaf:
                self.note("a tensor with a history that was not recorded is written as a leaf")
            plain = value_of(tensor.detach())
            sizes, dtype = list(plain.shape), DTYPES[plain.dtype]
            if not plain.is_contiguous() and 0 not in plain.stride():
                self.note("a tensor that was made elsewhere is written with contiguous elements", same=True)
            large = plain.numel() > MOST_ELEMENTS and plain.dtype.is_floating_point
            if plain.numel() > MOST_ELEMENTS and not large:
                raise Unsayable(f"{plain.numel()} elements of {dtype}")
            values = [] if large else number_list(plain)
        outside = inference != in_inference_mode()
        with torch.inference_mode(inference) if outside else contextlib.nullcontext():
            slot = self.fill(plain, dtype) if large else self.slots.nothing()
            if not large and 0 in sizes[:-1]:  # no nested list has these sizes
                self.write(factory("zeros", sizes, dtype, slot, requires_grad))
            elif not large:
                self.write({"do": "make", "result": slot, "dtype": dtype, "sizes": sizes, "values": values,
                            **({"requires_grad": True} if requires_grad else {})})
            if large and requires_grad:
                self.write({"do": "set_requires_grad", "tensor": slot, "value": True})
        self.slots.bind_to(tensor, slot)
        return slot

    def fill(self, plain, dtype):
        """A large tensor: as many random numbers, with the same largest magnitude."""
        self.note(f"a tensor of {plain.numel()} elements is filled with random numbers instead")
        with self.paused():
            most = float(plain.abs().max())
        self.write({"do": "manual_seed", "seed": plain.numel() % 9973})
        drawn, moved, scaled = (self.slots.nothing() for _ in range(3))
        self.write(factory("rand", list(plain.shape), dtype, drawn, False))
        self.write({"do": "call", "op": "sub.Tensor", "arguments": [{"slot": drawn}, 0.5, 1], "results": [moved]})
        scale = 2 * most if 0 < most < 1e30 else 1.0
        self.write({"do": "call", "op": "mul.Tensor", "arguments": [{"slot": moved}, scale], "results": [scaled]})
        return scaled


def factory(op, sizes, dtype, slot, requires_grad):
    return {"do": "call", "op": op, "arguments": [sizes, dtype, None, None, None], "results": [slot],
            **({"requires_grad": True} if requires_grad else {})}


def value_of(tensor):
    """What a functional tensor stands for; any other tensor itself."""
    while torch._is_functional_tensor(tensor):
        torch._sync(tensor)
        tensor = torch._from_functional_tensor(tensor)
    return tensor


def tensors_of(answer):
    """The tensors that a call returned."""
    many = answer if isinstance(answer, (tuple, list)) else (answer,)
    return [one for one in many if isinstance(one, torch.Tensor)]


def number_list(plain):
    """The elements in row-major order, as the protocol writes numbers."""
    whole = not plain.dtype.is_floating_point
    return [int(one) if whole else number(one) for one in plain.reshape(-1).tolist()]


def number(value):
    if value != value:
        return "nan"
    return value if abs(value) != float("inf") else "inf" if value > 0 else "-inf"
