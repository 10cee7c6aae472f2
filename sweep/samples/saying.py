"""Says the arguments of a call in the form of docs/SWEEP.md: tensors as ingredients, and everything else as JSON."""
import cmath
import json
import math

import torch

DTYPES = {getattr(torch, name): name for name in (
    "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128")}
FORMATS = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2, torch.channels_last_3d: 3}
MOST_ELEMENTS = 512  # of a tensor


class Unsayable(Exception):
    """The call has something that an experiment cannot have."""


class Made:
    """A tensor as it was when it was seen: the whole region of its storage that it reaches. Two are the same tensor if they are one object."""

    def __init__(self, dtype, sizes, values, strides=None):
        self.dtype, self.sizes, self.values = dtype, list(sizes), list(values)
        self.strides = row_major(self.sizes) if strides is None else list(strides)

    def rounded(self, digits):
        return {"dtype": self.dtype, "sizes": self.sizes, "strides": self.strides, "offset": 0,
                "values": [short(value, digits) for value in self.values]}


def row_major(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= max(size, 1)
    return strides


def short(value, digits):
    """The number with so many digits after the point, and as an integer where it is one; a complex one as the pair of its parts."""
    if isinstance(value, complex):
        return [short(value.real, digits), short(value.imag, digits)]
    value = round(value, digits)
    return int(value) if value == int(value) else value


def seen(tensor):
    """The tensor as it is now."""
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.layout != torch.strided or tensor.device.type != "cpu":
        raise Unsayable("a tensor that is not dense")
    if tensor.dtype not in DTYPES or tensor.is_quantized or tensor.is_nested:
        raise Unsayable(f"a tensor of {tensor.dtype}")
    tensor = tensor.detach().resolve_conj().resolve_neg()
    sizes, strides = list(tensor.size()), list(tensor.stride())
    span = 0 if tensor.numel() == 0 else 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))
    if span > MOST_ELEMENTS:
        raise Unsayable("a large tensor")
    region = tensor.as_strided((span,), (1,), tensor.storage_offset())
    values = [value if isinstance(value, complex) else float(value) for value in region.tolist()]
    if not all(cmath.isfinite(value) for value in values):
        raise Unsayable("an infinite element")
    return Made(DTYPES[tensor.dtype], sizes, values, strides)


def snapshot(value, tensors):
    """The value with its tensors as they are now; `tensors` has those that were met."""
    if isinstance(value, torch.Tensor):
        if id(value) not in tensors:
            tensors[id(value)] = seen(value)
        return tensors[id(value)]
    if isinstance(value, (list, tuple)):
        return [snapshot(one, tensors) for one in value]
    if value is None:
        return None
    if value is torch.strided:
        return 0
    if isinstance(value, torch.memory_format):
        return FORMATS[value]
    if isinstance(value, torch.dtype) and value in DTYPES:
        return {"dtype": DTYPES[value]}
    if isinstance(value, torch.device) and value.type == "cpu":
        return "cpu"
    if isinstance(value, (bool, int, str)) or (isinstance(value, (float, complex)) and cmath.isfinite(value)):
        return value
    raise Unsayable(f"a {type(value).__name__}")


def experiment(op, values, out, digits):
    """The call of `op`, as the caller lists it, with these values by name. What is not given is its default, or null.
    `out`: the dtypes and sizes of the tensors for each `out=`."""
    made, places, arguments, outs = [], {}, [], iter(out)
    for name, other in (("self", "input"), ("input", "self")):  # functions of Python have the one, schemas the other
        if name not in values and other in values:
            values = {name: values[other], **values}

    def said(value):
        if isinstance(value, Made):
            if id(value) not in places:
                places[id(value)] = len(made)
                made.append(value)
            return {"tensor": places[id(value)]}
        if isinstance(value, complex):
            return {"complex": short(value, digits)}
        return [said(one) for one in value] if isinstance(value, list) else value

    def zeros(dtype, sizes):
        return Made(dtype, sizes, [0] * math.prod(sizes))

    def fitting(value, parameter):
        """A number where a tensor is wanted, and one value where a list is."""
        if parameter["type"] == "Tensor" and isinstance(value, (int, float, complex)):
            first = next((one.dtype for one in values.values() if isinstance(one, Made)), "float32")
            return Made("complex64" if isinstance(value, complex) else first if isinstance(value, float) else "int64", [], [value])
        return [value] if parameter["list"] and value is not None and not isinstance(value, list) else value

    for parameter in op["arguments"]:
        name = parameter["name"]
        if parameter["written"] and parameter["keyword_only"]:
            wanted = next(outs, None) or [("float32", [0])]
            arguments.append(said([zeros(*one) for one in wanted] if parameter["list"] else zeros(*wanted[0])))
        elif name in values:
            arguments.append(said(fitting(values[name], parameter)))
        elif parameter["default"]:
            arguments.append({"default": True})
        elif parameter["optional"] and not parameter["list"]:
            arguments.append(None)
        else:
            raise Unsayable(f"no {name}")
    return {"op": full_name(op), "tensors": [one.rounded(digits) for one in made], "arguments": arguments, "setting": "normal", "seed": 1}


def full_name(op):
    return op["name"] + ("." + op["overload"] if op["overload"] else "")


def line_of(one):
    return json.dumps(one, separators=(",", ":"))


def kind_of(one):
    """Its dtypes and ranks: what makes two choices of arguments different."""
    kind = " ".join(f"{t['dtype']}/{len(t['sizes'])}" for t in one["tensors"])
    return kind or json.dumps(one["arguments"])
