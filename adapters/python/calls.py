"""Calling an op as people write it: `x.add_(y)`, else `torch.add(x, y)`, else `torch.ops.aten.add.Tensor(x, y)`."""
import functools
import math

import torch
from readings import DTYPES
from unsupported import Unsupported


TEST_DEVICE = {"text": "device"}  # the device of the test, where the schema says Device
CPU = {"text": "cpu"}
FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)  # as c10 numbers them


class Target:
    """An op: its schema, and the Python callable for it."""

    def __init__(self, op):
        by_schema = op.startswith("aten::")  # such an op is called as torch.ops.aten.NAME.OVERLOAD
        name, _, overload = op.removeprefix("aten::").partition(".")
        packet = getattr(torch.ops.aten, name, None)
        target = getattr(packet, overload or "default", None)
        if target is None:
            raise Unsupported(f"this PyTorch has no op {op}")
        self.arguments = target._schema.arguments
        self.name = op
        self.makes = not any("Tensor" in str(argument.type) for argument in self.arguments)  # from no tensor, on a device
        self.writes = target._schema.is_mutable
        self.returns_tensor = [str(returned.type) for returned in target._schema.returns] == ["Tensor"]
        names = [argument.name for argument in self.arguments]
        is_method = "self" in names and "out" not in names and hasattr(torch.Tensor, name) and not by_schema
        self.place = names.index("self") if is_method else None
        self.method = getattr(torch.Tensor, name, None)
        self.function = target if by_schema else getattr(torch, name, target)
        self.method_name = name
        called = f"torch.ops.aten.{name}" + (f".{overload}" if by_schema and overload else "")  # TorchScript has no `.default`
        self.function_name = f"torch.{name}" if hasattr(torch, name) and not by_schema else called

    def is_method(self, given):
        """Whether a call is written `x.op(…)`; then `x` is the first positional argument."""
        return self.place is not None and isinstance(given[self.place], dict) and "slot" in given[self.place]

    def arranged(self, given, value, device, requires_grad):
        """The positional arguments and the keywords of a call, without those that have their default. `value`: what an
        argument of a script becomes."""
        if len(given) != len(self.arguments):
            raise Unsupported(f"{self.name} has {len(self.arguments)} arguments in this PyTorch, but the script gives {len(given)}")
        keywords = {"requires_grad": value(True)} if requires_grad else {}
        positional, wanted = [], 0
        for i, (argument, written) in enumerate(zip(self.arguments, given)):
            if self.makes and argument.name == "device" and written is None:
                keywords["device"] = device
            elif argument.kwarg_only or argument.name == "memory_format":
                # a null stands for the default, or is the default
                if not argument.has_default_value() or written not in (None, argument.default_value):
                    keywords[argument.name] = FORMATS[written] if argument.name == "memory_format" else value(written)
            else:
                positional.append(value(written))
                if not argument.has_default_value() or written != argument.default_value:
                    wanted = i + 1
        del positional[wanted:]
        if self.is_method(given):
            positional.insert(0, positional.pop(self.place))
        return positional, keywords

    def call(self, given, slots, numbers, device, requires_grad):
        def convert(written):
            return device if written == TEST_DEVICE else value(written, slots, numbers)

        positional, keywords = self.arranged(given, convert, device, requires_grad)
        return (self.method if self.is_method(given) else self.function)(*positional, **keywords)

    def text(self, given, device, requires_grad):
        """The call as Python text, in which slot 3 is `s3`."""
        def convert(written):
            return repr(device) if written == TEST_DEVICE else text_of(written)

        positional, keywords = self.arranged(given, convert, repr(device), requires_grad)
        called = f"{positional.pop(0)}.{self.method_name}" if self.is_method(given) else self.function_name
        return f"{called}({', '.join(positional + [f'{name}={written}' for name, written in keywords.items()])})"


target = functools.cache(Target)


def value(written, slots, numbers):
    """A value of a script as Python has it. `numbers`: those that the running kernel was given, by parameter."""
    if isinstance(written, dict):
        if "number_of" in written:
            return numbers[written["number_of"]]
        if "text" in written:
            return written["text"]
        if "complex" in written:
            return complex(*map(float, written["complex"]))
        return held(slots, written["slot"]) if "slot" in written else [held(slots, slot) for slot in written["slots"]]
    if isinstance(written, str):
        return DTYPES[written] if written in DTYPES else float(written)
    return written


def text_of(written):
    """A value of a script as Python text, in which slot 3 is `s3`; a number that a kernel is given is in a variable too."""
    if isinstance(written, dict):
        if "number_of" in written:
            return f"s{written['number_of']}"
        if "text" in written:
            return repr(written["text"])
        if "complex" in written:
            return literal(value(written, {}, {}))
        return f"s{written['slot']}" if "slot" in written else f"[{', '.join(f's{slot}' for slot in written['slots'])}]"
    if isinstance(written, str):
        return str(DTYPES[written]) if written in DTYPES else f"float('{written}')"
    return repr(written)


def slots_in(written):
    """The slots that an argument of a call names."""
    if not isinstance(written, dict):
        return []
    return [written["slot"]] if "slot" in written else written.get("slots", [])


def slots_read(statement):
    """The slots that a statement uses."""
    if statement["do"] in ("call", "invoke"):
        return [slot for written in statement.get("arguments", statement.get("inputs", [])) for slot in slots_in(written)]
    used = [statement.get(name) for name in ("tensor", "data", "grad", "gradient")]
    for name in "tensors", "inputs", "parameters", "returned":
        used += statement.get(name, [])
    return [slot for slot in used if slot is not None]


def slots_bound(statement):
    """The slots that a statement assigns."""
    return [statement["result"]] if "result" in statement else statement.get("results", [])


def held(slots, slot):
    """The tensor in a slot. None is there if an earlier statement raised where a program expects no error: that is the difference."""
    if slot not in slots:
        raise UnboundLocalError(f"cannot access local variable number {slot} where it is not associated with a value")
    return slots[slot]


def nested(statement):
    """The elements of a new tensor as `torch.tensor` takes them; None: no nested list has its sizes."""
    sizes, elements = statement["sizes"], statement["values"]
    if 0 in sizes[:-1]:
        return None
    convert = {"int64": int, "int32": int, "bool": bool}.get(statement["dtype"], float)
    elements = [convert(one) for one in elements]
    if statement["dtype"].startswith("complex"):  # two numbers for each element
        elements = [complex(*parts) for parts in zip(elements[::2], elements[1::2], strict=True)]
    for size in reversed(sizes[1:]):
        elements = [elements[at:at + size] for at in range(0, len(elements), size)] if size else [[] for _ in range(math.prod(sizes[:-1]))]
    return elements if sizes else elements[0]


def make(statement, device):
    """`torch.tensor` of a nested list."""
    keywords = {"dtype": DTYPES[statement["dtype"]], "device": statement.get("device", device), "requires_grad": statement.get("requires_grad", False)}
    elements = nested(statement)
    return torch.empty(statement["sizes"], **keywords) if elements is None else torch.tensor(elements, **keywords)


def literal(elements):
    """A nested list of numbers as Python text."""
    if isinstance(elements, list):
        return f"[{', '.join(literal(one) for one in elements)}]"
    if isinstance(elements, complex):
        return f"complex({literal(elements.real)}, {literal(elements.imag)})"
    return repr(elements) if not isinstance(elements, float) or math.isfinite(elements) else f"float('{elements}')"


def make_text(statement, device):
    """The same as Python text."""
    grad = ", requires_grad=True" if statement.get("requires_grad") else ""
    empty = 0 in statement["sizes"]  # TorchScript takes no empty list
    made = f"torch.empty({statement['sizes']}" if empty else f"torch.tensor({literal(nested(statement))}"
    return f"{made}, dtype={DTYPES[statement['dtype']]}, device={statement.get('device', device)!r}{grad})"


def make_meta(statement):
    """`torch.empty(sizes, device="meta")`."""
    return torch.empty(statement["sizes"], dtype=DTYPES[statement["dtype"]], device="meta")


def names_cpu(script):
    """Whether a script names the CPU beside the test's device."""
    bodies = [script["statements"]] + [part["statements"] for part in script.get("functions", []) + script.get("kernels", [])]
    return any(statement.get("device") == "cpu" or CPU in statement.get("arguments", []) for body in bodies for statement in body)


def results(answer):
    """The tensors that a call returned, as a list."""
    return [answer] if isinstance(answer, torch.Tensor) else list(answer) if isinstance(answer, (list, tuple)) else []
