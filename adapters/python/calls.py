"""Calling an op as people write it: `x.add_(y)`, else `torch.add(x, y)`, else `torch.ops.aten.add.Tensor(x, y)`."""
import functools
import math

import torch
from readings import DTYPES
from unsupported import Unsupported


class Target:
    """An op: its schema, and the Python callable for it."""

    def __init__(self, op):
        name, _, overload = op.partition(".")
        packet = getattr(torch.ops.aten, name, None)
        target = getattr(packet, overload or "default", None)
        if target is None:
            raise Unsupported(f"this PyTorch has no op {op}")
        self.arguments = target._schema.arguments
        self.name = op
        self.makes = not any("Tensor" in str(argument.type) for argument in self.arguments)  # from no tensor, on a device
        names = [argument.name for argument in self.arguments]
        self.place = names.index("self") if "self" in names and "out" not in names and hasattr(torch.Tensor, name) else None
        self.method = getattr(torch.Tensor, name, None)
        self.function = getattr(torch, name, target)

    def call(self, given, slots, numbers, device, requires_grad):
        if len(given) != len(self.arguments):
            raise Unsupported(f"{self.name} has {len(self.arguments)} arguments in this PyTorch, but the script gives {len(given)}")
        keywords = {"requires_grad": True} if requires_grad else {}
        positional, wanted = [], 0
        for i, (argument, written) in enumerate(zip(self.arguments, given)):
            if self.makes and argument.name == "device" and written is None:
                keywords["device"] = device
            elif argument.kwarg_only:
                if written not in (None, argument.default_value):  # a null stands for the default, or is the default
                    keywords[argument.name] = value(written, slots, numbers)
            else:
                positional.append(value(written, slots, numbers))
                if not argument.has_default_value() or written != argument.default_value:
                    wanted = i + 1
        del positional[wanted:]
        if self.place is not None and isinstance(given[self.place], dict) and "slot" in given[self.place]:
            return self.method(positional.pop(self.place), *positional, **keywords)
        return self.function(*positional, **keywords)


target = functools.cache(Target)


def value(written, slots, numbers):
    """A value of a script as Python has it. `numbers`: those that the running kernel was given, by parameter."""
    if isinstance(written, dict):
        if "number_of" in written:
            return numbers[written["number_of"]]
        return held(slots, written["slot"]) if "slot" in written else [held(slots, slot) for slot in written["slots"]]
    if isinstance(written, str):
        return DTYPES[written] if written in DTYPES else float(written)
    return written


def held(slots, slot):
    if slot not in slots:
        raise Unsupported(f"slot {slot} holds no tensor")
    return slots[slot]


def make(statement, device):
    """`torch.tensor` of a nested list."""
    dtype, sizes, elements = DTYPES[statement["dtype"]], statement["sizes"], statement["values"]
    requires_grad = statement.get("requires_grad", False)
    if 0 in sizes[:-1]:  # no nested list has these sizes
        return torch.empty(sizes, dtype=dtype, device=device, requires_grad=requires_grad)
    convert = {"int64": int, "int32": int, "bool": bool}.get(statement["dtype"], float)
    elements = [convert(one) for one in elements]
    for size in reversed(sizes[1:]):
        elements = [elements[at:at + size] for at in range(0, len(elements), size)] if size else [[] for _ in range(math.prod(sizes[:-1]))]
    if not sizes:
        elements = elements[0]
    return torch.tensor(elements, dtype=dtype, device=device, requires_grad=requires_grad)


def make_meta(statement):
    """`torch.empty(sizes, device="meta")`."""
    return torch.empty(statement["sizes"], dtype=DTYPES[statement["dtype"]], device="meta")


def results(answer):
    """The tensors that a call returned, as a list."""
    return [answer] if isinstance(answer, torch.Tensor) else list(answer) if isinstance(answer, (list, tuple)) else []
