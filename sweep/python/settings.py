"""Performing an experiment in its setting (docs/SWEEP.md)."""
import contextlib

import operators
import torch
from tensors import Reader, Unsupported, dtype_named, made, number
from torch._subclasses import fake_tensor
from torch.utils import _pytree as pytree

SETTINGS = ("normal", "no_grad", "inference", "inference_tensors", "escaped", "meta", "fake", "functionalized", "batched", "backward")
BUILTIN = (IndexError, ValueError, TypeError, NotImplementedError, RuntimeError)
FORMATS = (torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)
# What a fake tensor cannot know, because it depends on elements, or because there is no kernel.
UNKNOWN = tuple(getattr(fake_tensor, name) for name in
                ("DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedFakeTensorException",
                 "UnsupportedOperatorException") if hasattr(fake_tensor, name))
SCHEMAS = {}  # the schemas that were read


class Call:
    """An operator with the arguments of an experiment."""

    def __init__(self, experiment, device):
        self.experiment, self.device = experiment, device
        name = experiment["op"]
        if name not in SCHEMAS:
            SCHEMAS[name] = (operators.overload_named(name), *operators.parameters(str(operators.schema_of(name))))
        self.overload, self.arguments, results = SCHEMAS[name]
        self.places = len(results)
        if len(experiment["arguments"]) != len(self.arguments):
            raise Unsupported("another number of arguments than the schema's")

    def value(self, given, parameter, tensors):
        if isinstance(given, list):
            return [self.value(one, parameter, tensors) for one in given]
        if isinstance(given, dict) and "complex" in given:
            return number(given["complex"], True)
        if isinstance(given, dict):
            return tensors[given["tensor"]] if "tensor" in given else dtype_named(given["dtype"])
        if parameter["type"] == "Layout" and given == 0:
            return torch.strided
        if parameter["type"] == "MemoryFormat" and given in range(len(FORMATS)):
            return FORMATS[given]  # another number is passed as it is
        if parameter["type"] == "Device" and given == "cpu":
            return torch.device(self.device)
        if parameter["type"] == "float" and given is not None:
            return float(given)
        return given

    def __call__(self, tensors):
        """Calls the operator, with the seed of the experiment."""
        positional, named, by_name = [], {}, False
        for given, parameter in zip(self.experiment["arguments"], self.arguments):
            if isinstance(given, dict) and "default" in given:
                by_name = True
            elif by_name or parameter["keyword_only"]:
                named[parameter["name"]] = self.value(given, parameter, tensors)
            else:
                positional.append(self.value(given, parameter, tensors))
        torch.manual_seed(self.experiment["seed"])
        return self.overload(*positional, **named)

    def made(self, device=None):
        return [made(one, device or self.device) for one in self.experiment["tensors"]]


def failure(error):
    """(the first line, the type) of an exception."""
    if isinstance(error, UNKNOWN):
        return str(error).split("\n", 1)[0] or type(error).__name__, "NotImplementedError"
    kind = next((one.__name__ for one in BUILTIN if isinstance(error, one)), type(error).__name__)
    return str(error).split("\n", 1)[0] or "(no text)", kind


@contextlib.contextmanager
def noted(seen):
    """Notes an exception of the operator."""
    try:
        yield
    except Unsupported:
        raise
    except Exception as error:  # noqa: BLE001  whatever an operator raises is what was seen
        seen["error"], seen["error_type"] = failure(error)


def plainly(call, setting, seen):
    inside = setting in ("inference_tensors", "escaped")
    with torch.inference_mode() if inside else contextlib.nullcontext():
        tensors = call.made("meta" if setting == "meta" else None)
    reader = Reader(tensors)
    seen["before"] = [reader.facts(one) for one in tensors]
    mode = torch.inference_mode() if setting in ("inference", "inference_tensors") else torch.no_grad() if setting == "no_grad" else None
    with noted(seen), mode or contextlib.nullcontext():
        seen["results"] = reader.results(call(tensors), call.places)
    seen["after"] = [reader.facts(one) for one in tensors]


def fake(call, seen):
    tensors = call.made()
    reader = Reader(tensors)
    seen["before"] = seen["after"] = [reader.facts(one) for one in tensors]
    with noted(seen), fake_tensor.FakeTensorMode() as mode:
        inputs = [mode.from_tensor(one) for one in tensors]
        seen["results"] = Reader(inputs).results(call(inputs), call.places, reader.metadata)


def transformed(transform, call, tensors, seen):
    """Calls under a transform of torch.func, which takes a function that returns nothing but tensors."""
    reader = Reader(tensors)
    seen["before"] = [reader.facts(one) for one in tensors]
    with noted(seen):
        shapes = []

        def body(*parameters):
            flat, shape = pytree.tree_flatten(call(parameters))
            shapes.append((flat, shape))
            return tuple(one for one in flat if isinstance(one, torch.Tensor))

        returned = transform(body)(*tensors)
        seen["results"] = reader.results(restored(*shapes[0], returned), call.places)
    seen["after"] = [reader.facts(one) for one in tensors]


def restored(flat, shape, tensors):
    """What an operator returned, with these tensors in place of its own."""
    rest = iter(tensors)
    return pytree.tree_unflatten([next(rest) if isinstance(one, torch.Tensor) else one for one in flat], shape)


def functionalized(call, seen):
    transformed(torch.func.functionalize, call, call.made(), seen)


def batched(call, seen):
    ingredients = call.experiment["tensors"]
    tensors = [torch.stack([made(one, call.device), made(one, call.device, reverse=True)]) for one in ingredients]
    transformed(lambda body: torch.func.vmap(body, randomness="different"), call, tensors, seen)


def has_gradients(tensor):
    return tensor.layout == torch.strided and (tensor.is_floating_point() or tensor.is_complex())


def disturb(tensor):
    """Changes the elements and the version, whatever autograd would say of the tensor itself."""
    if not isinstance(tensor, torch.Tensor) or tensor.layout != torch.strided or tensor.numel() == 0:
        raise Unsupported("there is no element to write to")
    with torch.no_grad():
        alias = tensor.detach()
        try:
            if has_gradients(tensor):
                alias.add_(1)
            elif tensor.dtype == torch.bool:
                alias.logical_not_()
            else:
                alias.zero_()
        except RuntimeError as error:
            raise Unsupported("its elements share memory") from error


def gradients_of(call, results):
    """The results with gradients, and these."""
    given = call.experiment.get("gradients")
    pairs = []
    for i, one in enumerate(results):
        if isinstance(one, torch.Tensor) and has_gradients(one) and one.requires_grad and (given is None or given[i]):
            pairs.append((one, torch.full_like(one, 0.5) if given is None else made(given[i], call.device)))
    return [one for one, _ in pairs], [gradient for _, gradient in pairs]


def backward(call, seen):
    leaves = call.made()
    experiment = call.experiment
    asked = experiment.get("leaves", range(len(leaves)))
    wanted = [i for i, one in enumerate(leaves) if has_gradients(one) and i in asked]
    for i in wanted:
        leaves[i].requires_grad_()
    used = [one.clone() if i in wanted and not experiment.get("bare") else one for i, one in enumerate(leaves)]
    reader = Reader(used)
    seen["before"] = [reader.facts(one) for one in used]
    returned = []
    with noted(seen):
        returned.append(call(used))
        seen["results"] = reader.results(returned[0], call.places)
    if seen["error"]:
        return
    results = pytree.tree_leaves(returned[0])
    if experiment.get("gradients") != []:
        outputs, gradients = gradients_of(call, results)
        if not outputs:
            raise Unsupported("no result requires grad")
        disturbed = experiment.get("disturbed", -1)
        if disturbed >= 0:
            disturb(used[disturbed] if disturbed < len(used) else results[disturbed - len(used)])
        seen["given"] = [reader.facts(one) for one in gradients]
        with noted(seen):
            for _ in range(2 if experiment.get("twice") else 1):
                found = torch.autograd.grad(outputs, [leaves[i] for i in wanted], gradients, allow_unused=True)
            by_leaf = dict(zip(wanted, found))
            seen["gradients"] = [reader.facts(by_leaf.get(i)) for i in range(len(leaves))]
    seen["after"] = [reader.facts(one) for one in used]


OTHERS = {"fake": fake, "functionalized": functionalized, "batched": batched, "backward": backward}


def perform(experiment, device):
    """The observation. Raises Unsupported if an argument or the setting cannot be made."""
    try:
        call = Call(experiment, device)
    except (AttributeError, RuntimeError, ValueError) as error:
        raise Unsupported(f"no such operator: {error}") from error
    seen = {"error": "", "error_type": "", "before": [], "after": [], "results": [], "gradients": []}
    setting = experiment["setting"]
    if setting in OTHERS:
        OTHERS[setting](call, seen)
    elif setting in SETTINGS:
        plainly(call, setting, seen)
    else:
        raise Unsupported(f"unknown setting '{setting}'")
    return seen
