"""Hears the calls that PyTorch's own samples of operators lead to, with their arguments as they are before the call."""
import random
import warnings

import numpy
import torch
from saying import Unsayable, line_of, short, snapshot
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

DTYPES = (torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64)
SAMPLES = 8  # of an operator, for a dtype
MOST_ELEMENTS = 400  # of the tensors of a sample


def base_of(name):
    """What operators that take the same arguments share in their names: "foo" of "aten::_foo_copy.out"."""
    name = name.split("::")[-1].split(".")[0].strip("_")
    return name.removesuffix("_copy").removesuffix("_forward")


class Heard:
    """Calls by the names of operators: for each dtypes and ranks the shortest one."""

    def __init__(self, bases):
        self.bases, self.calls = bases, {}

    def add(self, name, values):
        kind = repr([kind for value in values.values() for kind in kinds_of(value)])
        kept = self.calls.setdefault(name, {})
        if kind not in kept or length_of(values) < length_of(kept[kind]):
            kept[kind] = values

    def like(self, name):
        """The calls of the operators with the same base, those of the same name and overload first, and short ones before long ones."""
        def far(one):
            return one != name, one.removesuffix("_out").split(".")[1:] != name.removesuffix("_out").split(".")[1:], one
        names = sorted((one for one in self.calls if base_of(one) == base_of(name)), key=far)
        return [values for one in names for values in sorted(self.calls[one].values(), key=length_of)]

    def hear(self, func, args, kwargs):
        """A call of an overload."""
        if base_of(func._schema.name) not in self.bases:
            return
        names = [argument.name for argument in func._schema.arguments]
        overload = func._schema.overload_name
        try:
            tensors = {}
            values = {**dict(zip(names, args)), **kwargs}
            self.add(func._schema.name + ("." + overload if overload else ""), {name: snapshot(value, tensors) for name, value in values.items()})
        except Unsayable:
            pass

    def hear_function(self, func, args, kwargs):
        """A call of a function of Python: of any operator with its name and enough arguments."""
        name = getattr(func, "__name__", "")
        if base_of(name) not in self.bases or not hasattr(torch.ops.aten, name):
            return
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads():
            schema = getattr(packet, overload)._schema
            positional = [argument.name for argument in schema.arguments if not argument.kwarg_only]
            renamed = {"self" if key == "input" and "self" in positional else key: value for key, value in kwargs.items() if key != "out"}
            if len(args) <= len(positional) and set(renamed) <= {argument.name for argument in schema.arguments}:
                self.hear(getattr(packet, overload), args, renamed)


def kinds_of(value):
    if isinstance(value, list):
        return [kind for one in value for kind in kinds_of(one)] + ["]"]
    return [(value.dtype, len(value.sizes), 0 in value.sizes)] if hasattr(value, "sizes") else [value if isinstance(value, str) else type(value).__name__]


def length_of(values):
    def plain(value):
        if isinstance(value, complex):
            return short(value, 2)
        return [plain(one) for one in value] if isinstance(value, list) else value.rounded(2) if hasattr(value, "sizes") else value
    empty = sum(kind[2] for value in values.values() for kind in kinds_of(value) if isinstance(kind, tuple))
    return empty * 1000 + len(line_of([plain(value) for value in values.values()]))


class Calls(TorchDispatchMode):
    """Below autograd: what a call comes down to, and what its backward calls."""

    def __init__(self, heard):
        super().__init__()
        self.heard = heard

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.heard.hear(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


class Functions(TorchFunctionMode):
    """Above it: functions of Python, whose operators may be composite and are then not seen below."""

    def __init__(self, heard):
        super().__init__()
        self.heard = heard

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.heard.hear_function(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


def seed():
    torch.manual_seed(1)
    random.seed(1)
    numpy.random.seed(1)


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [tensor for one in value for tensor in tensors_in(one)] if isinstance(value, (list, tuple)) else []


def run(heard, function, args, kwargs):
    """The call, and a backward where it can have one. An error ends it: what came before it is heard."""
    seed()
    try:
        with Functions(heard), Calls(heard):
            results = tensors_in(function(*args, **kwargs))
        loss = [result.abs().sum() for result in results if result.requires_grad and result.layout == torch.strided]
        if loss:
            with Calls(heard):
                sum(loss).backward()
    except Exception:  # an operator of op_db may raise anything
        pass


def hear_all(heard):
    """Every operator of op_db, and every module of module_db, with small samples."""
    warnings.simplefilter("ignore")
    hear_operators(heard)
    hear_modules(heard)


def small(samples, tensors_of):
    sized = [(sum(tensor.numel() for tensor in tensors_in(tensors_of(sample))), sample) for sample in samples]
    return [sample for size, sample in sized if size <= MOST_ELEMENTS][:SAMPLES]


def hear_modules(heard):
    from torch.testing._internal.common_modules import module_db
    for info in module_db:
        seed()
        try:
            samples = info.module_inputs_func(info, device="cpu", dtype=torch.float32, requires_grad=True, training=True)
        except Exception:  # as below
            continue
        for sample in small([one for one in samples if one.forward_input], lambda one: [one.forward_input.args, one.forward_input.kwargs]):
            try:
                module = info.module_cls(*sample.constructor_input.args, **sample.constructor_input.kwargs)
            except Exception:
                continue
            given = sample.forward_input
            run(heard, module, given.args, given.kwargs)


def hear_operators(heard):
    from torch.testing._internal.common_methods_invocations import op_db
    for info in op_db:
        for dtype in DTYPES:
            if dtype not in info.supported_dtypes("cpu"):
                continue
            seed()
            differentiable = info.supports_autograd and dtype in info.supported_backward_dtypes("cpu")
            try:
                samples = list(info.sample_inputs("cpu", dtype, requires_grad=differentiable))
            except Exception:  # some need what this machine lacks
                continue
            for sample in small(samples, lambda one: [one.input, one.args, one.kwargs]):
                run(heard, info.op, (sample.input, *sample.args), sample.kwargs)
