"""What a script does with tensors that is no call of an op: gradients, `.data`, what it reads, and tensors from Python's numbers."""
import functools
import importlib
import linecache
import re
import sys

import hooks
import torch
from recorder import number_list
from torch.overrides import TorchFunctionMode
from unsayable import Unsayable

T = torch.Tensor
BETWEEN = {__file__, torch.overrides.__file__, torch._tensor.__file__}
MOST_SHOWN = 64  # elements of a tensor that an assert compares


class Attributes(TorchFunctionMode):
    """Sees each function and attribute of PyTorch that Python uses."""

    def __init__(self, recorder):
        super().__init__()
        self.recorder = recorder

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        recorder = self.recorder
        if not recorder.recording():
            return func(*args, **kwargs)
        if func in CONSTRUCTORS and not (func in CONVERTERS and args and isinstance(args[0], torch.Tensor)):
            return made(recorder, func, args, kwargs)
        if func in HANDLERS:
            return HANDLERS[func](recorder, *args, **kwargs)
        if func in READS:
            return read(recorder, READS[func], func, args, kwargs)
        if func in SILENT:
            with recorder.paused():
                return func(*args, **kwargs)
        if func in UNKNOWN:
            recorder.note(f"{func.__name__} is not part of a program")
            with recorder.paused():
                return func(*args, **kwargs)
        with recorder.inside_a_function():
            if kwargs.get("requires_grad"):
                return made_with_grad(recorder, func, args, kwargs)
            return func(*args, **kwargs)


def made(recorder, func, args, kwargs):
    """A tensor that Python makes of numbers, of NumPy's array or of a file."""
    with recorder.paused():
        tensor = func(*args, **kwargs)
    if isinstance(tensor, torch.Tensor) and recorder.slots.find(tensor) is None:
        try:
            recorder.make(tensor)
        except Unsayable as why:
            recorder.note(f"{why} is not part of a program")
    return tensor


def made_with_grad(recorder, func, args, kwargs):
    """A factory with requires_grad=True, which Python sets after the call of the op."""
    body, before = recorder.bodies[-1], recorder.journal.length(recorder.bodies[-1])
    with recorder.attempting():
        try:
            return func(*args, **kwargs)
        finally:
            if recorder.journal.length(body) > before:
                recorder.journal.amend(body, {"requires_grad": True})


def known(recorder, tensor):
    """The tensor's slot; None, with a note, if no program can have it."""
    try:
        return recorder.slot(tensor)
    except Unsayable as why:
        recorder.note(f"{why} is not part of a program")
        return None


def simple(statement, run, tensors=("tensor",)):
    """A handler that runs `run`, and writes `statement(slots…, …)` for its tensors."""
    def handler(recorder, *args, **kwargs):
        slots = [known(recorder, one) for one in args[:len(tensors)]]
        if None in slots:
            with recorder.paused():
                return run(*args, **kwargs)
        with recorder.attempting():
            try:
                with recorder.paused():
                    answer = run(*args, **kwargs)
            finally:
                recorder.write({**statement(*args[len(tensors):], **kwargs), **dict(zip(tensors, slots))})
        return answer
    return handler


def getter(do, get):
    """A handler for `x.grad` or `x.data`: the tensor that it returns gets a slot, unless the program knows it."""
    def handler(recorder, tensor):
        with recorder.paused():
            answer = get(tensor)
        if answer is None or recorder.slots.find(answer) is not None:
            return answer
        slot = known(recorder, tensor)
        if slot is not None:
            recorder.write({"do": do, "tensor": slot, "result": recorder.slots.bind(answer)})
        return answer
    return handler


def set_grad(recorder, tensor, value):
    slot, grad = known(recorder, tensor), None if value is None else known(recorder, value)
    with recorder.paused():
        T.grad.__set__(tensor, value)
    if slot is not None and (value is None or grad is not None):
        recorder.write({"do": "set_grad", "tensor": slot, **({} if value is None else {"grad": grad})})


def delete_grad(recorder, tensor):
    set_grad(recorder, tensor, None)


def read(recorder, field, func, args, kwargs):
    """A reading. In a line that asserts or prints, the program asserts it."""
    with recorder.paused():
        answer = func(*args, **kwargs)
    if field == "grad_fn" and recorder.hooks_nodes:  # Python's nodes cannot be watched
        recorder.note("a hook of a node (grad_fn) is not part of a program")
    if len(args) != 1 or recorder.bodies[-1] != 0 or not recorder.faithful or not shown(recorder):
        return answer
    slot = recorder.slots.find(args[0])
    if slot is None:
        return answer
    if field == "values":
        assert_values(recorder, args[0], slot)
    elif (reading := as_reading(recorder, field, answer)) is not None:
        recorder.expect(slot, field, reading)
    return answer


def shown(recorder):
    """Whether the script itself reads, in a line that asserts or prints."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in BETWEEN:
        frame = frame.f_back
    if frame is None or frame.f_code.co_filename != recorder.script:
        return False
    text = linecache.getline(recorder.script, frame.f_lineno)
    return "assert" in text or "print" in text or "expect" in text


def as_reading(recorder, field, answer):
    """An answer of PyTorch's as the protocol has it; None if the program cannot say it."""
    if field == "base":
        return -1 if answer is None else recorder.slots.find(answer)
    if field == "grad_fn":
        return answer is not None
    if field in ("sizes", "strides"):
        return list(answer)
    return answer


def assert_values(recorder, tensor, slot):
    """Asserts the elements, if each is a short binary fraction: others may differ in the last bits."""
    with recorder.paused():
        plain = tensor.detach()
        if plain.numel() > MOST_SHOWN or 0 in plain.shape[:-1]:
            return
        whole, elements = not plain.dtype.is_floating_point, number_list(plain)
        if not all(isinstance(one, (int, float)) and float(one * 1024).is_integer() for one in elements):
            return
    recorder.expect(slot, "sizes", list(plain.shape))
    recorder.expect(slot, "values", {"integers" if whole else "floats": elements})


def engine_call(recorder, tensors, gradients, inputs):
    """The members of a statement that runs backward; None if a program cannot say it."""
    many = [tensors] if isinstance(tensors, torch.Tensor) else list(tensors)
    given = [gradients] if isinstance(gradients, torch.Tensor) else list(gradients or [None] * len(many))
    if not many or len(given) != len(many) or not all(isinstance(one, torch.Tensor) for one in [*many, *inputs]):
        return None
    roots = []
    for tensor, gradient in zip(many, given):
        roots.append({"tensor": known(recorder, tensor), **({} if gradient is None else {"gradient": known(recorder, gradient)})})
    if any(None in root.values() for root in roots):
        return None
    members = {**roots[0], **({"more": roots[1:]} if roots[1:] else {})}
    slots = [known(recorder, one) for one in inputs]
    if None in slots:
        return None
    return {**members, **({"inputs": slots} if slots else {})}


def as_list(inputs):
    if inputs is None or isinstance(inputs, torch.Tensor):
        return [] if inputs is None else [inputs]
    return list(inputs.values() if isinstance(inputs, dict) else inputs)


def graph_members(retain_graph, create_graph):
    """What a backward does with the graph; retain_graph is create_graph if it is not given."""
    retain = create_graph if retain_graph is None else retain_graph
    return {**({"retain_graph": True} if retain else {}), **({"create_graph": True} if create_graph else {})}


def backward(recorder, original):
    """`torch.autograd.backward`, which `x.backward()` calls."""
    @functools.wraps(original)
    def run(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
        given = (tensors, grad_tensors, retain_graph, create_graph, grad_variables, inputs)
        if not recorder.recording():
            return original(*given)
        members = engine_call(recorder, tensors, grad_tensors, as_list(inputs))
        if members is None:
            with recorder.paused():
                return original(*given)
        with recorder.attempting():
            recorder.journal.about("backward", recorder.line())
            try:
                with recorder.paused():
                    return original(*given)
            finally:
                recorder.write({"do": "backward", **members, **graph_members(retain_graph, create_graph)})
    return run


def gradients(recorder, original):
    """`torch.autograd.grad`."""
    @functools.wraps(original)
    def run(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
            is_grads_batched=False, materialize_grads=False):
        def ask():
            return original(outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs, allow_unused, is_grads_batched,
                            materialize_grads)
        if not recorder.recording() or is_grads_batched or materialize_grads:
            return ask()
        members = engine_call(recorder, outputs, grad_outputs, as_list(inputs))
        if members is None or "inputs" not in members:
            return ask()
        results = []
        with recorder.attempting():
            recorder.journal.about("autograd.grad", recorder.line())
            try:
                with recorder.paused():
                    answer = ask()
                results = [recorder.slots.nothing() if one is None else recorder.slots.bind(one) for one in as_list(answer)]
                return answer
            finally:
                recorder.write({"do": "get_gradients", **members, "results": results,
                                **graph_members(retain_graph, create_graph), **({"allow_unused": True} if allow_unused else {})})
    return run


def manual_seed(recorder, original):
    @functools.wraps(original)
    def run(seed):
        with recorder.paused():
            answer = original(seed)
        if recorder.recording():
            recorder.write({"do": "manual_seed", "seed": int(seed)})
        return answer
    return run


def mode(recorder, original, field):
    """`torch.is_grad_enabled()`, in a line that asserts or prints it."""
    @functools.wraps(original)
    def run():
        value = original()
        if recorder.recording() and recorder.bodies[-1] == 0 and recorder.faithful and shown(recorder):
            recorder.expect_mode(field, value)
        return value
    return run


def parameter(recorder, original):
    """What `nn.Parameter` calls: a detached tensor that requires grad."""
    @functools.wraps(original)
    def run(cls, data, require_grad=False, **kwargs):
        if not recorder.recording():
            return original(cls, data, require_grad, **kwargs)
        source = known(recorder, data)
        with recorder.paused():
            tensor = original(cls, data, require_grad, **kwargs)
        if source is not None:
            slot = recorder.slots.bind(tensor)
            recorder.write({"do": "call", "op": "detach", "arguments": [{"slot": source}], "results": [slot]})
            if require_grad:
                recorder.write({"do": "set_requires_grad", "tensor": slot, "value": True})
        return tensor
    return staticmethod(run)


def noted(recorder, original, name):
    """Something that changes what the script's ops do, and that no program can say."""
    @functools.wraps(original)
    def run(*args, **kwargs):
        if recorder.recording():
            recorder.note(f"{name} is not part of a program")
        return original(*args, **kwargs)
    return run


def kept(recorder, original):
    """A function whose own calls are no part of the program, like `torch.load`."""
    @functools.wraps(original)
    def run(*args, **kwargs):
        with recorder.paused():
            return original(*args, **kwargs)
    return run


CONSTRUCTORS = {torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy, torch.frombuffer, T.new_tensor}
CONVERTERS = {torch.as_tensor, torch.asarray}  # of a tensor they are `to`
HANDLERS = {
    T.grad.__get__: getter("get_grad", T.grad.__get__),
    T.data.__get__: getter("get_data", T.data.__get__),
    T.grad.__set__: set_grad,
    T.grad.__delete__: delete_grad,
    T.data.__set__: simple(lambda: {"do": "set_data"}, T.data.__set__, ("tensor", "data")),
    T.requires_grad.__set__: simple(lambda value: {"do": "set_requires_grad", "value": bool(value)}, T.requires_grad.__set__),
    T.requires_grad_: simple(lambda requires_grad=True: {"do": "set_requires_grad", "value": bool(requires_grad), "method": True}, T.requires_grad_),
    T.register_hook: hooks.register,
    T.register_post_accumulate_grad_hook: hooks.register_after,
    T.retain_grad: simple(lambda: {"do": "retain_grad"}, T.retain_grad),
}
READS = {
    T._version.__get__: "version", T.is_inference: "is_inference", T.requires_grad.__get__: "requires_grad", T.is_leaf.__get__: "is_leaf",
    T.grad_fn.__get__: "grad_fn", T._is_view: "is_view", T._base.__get__: "base", T.shape.__get__: "sizes", T.size: "sizes",
    T.stride: "strides", T.storage_offset: "offset", T.__repr__: "values", T.tolist: "values",
}
SILENT = {torch.equal, torch.allclose, T.allclose, T.equal, T.item, T.numpy, T.__bool__, T.__float__, T.__int__, T.__index__, T.__len__,
          T.__contains__, T.__array__, T.__format__, T.__hash__, T.__deepcopy__, T.__reduce_ex__, T.data_ptr, T.untyped_storage, T.cpu}
NODE_HOOK = re.compile(r"\bregister_prehook\b|\b(grad_fn|node|fn|next_functions\S*)\.register_hook\b")
UNKNOWN = {torch.autograd.grad, T.share_memory_, T.storage}


def install(recorder):
    """Puts the recorder's versions in place of PyTorch's functions that no mode sees."""
    torch.autograd.backward = backward(recorder, torch.autograd.backward)
    torch.autograd.grad = gradients(recorder, torch.autograd.grad)
    torch.manual_seed = manual_seed(recorder, torch.manual_seed)
    torch.is_inference_mode_enabled = mode(recorder, torch.is_inference_mode_enabled, "inference_mode")
    torch.is_grad_enabled = mode(recorder, torch.is_grad_enabled, "grad_mode")
    torch.Tensor._make_subclass = parameter(recorder, torch.Tensor._make_subclass)
    torch.load = kept(recorder, torch.load)
    torch.jit.load = kept(recorder, torch.jit.load)
    if recorder.mentions("torch.export"):
        export = importlib.import_module("torch.export")
        export.load = kept(recorder, export.load)
        export.ExportedProgram.module = kept(recorder, export.ExportedProgram.module)
    recorder.hooks_nodes = recorder.mentions(NODE_HOOK)
    saved = torch.autograd.graph.saved_tensors_hooks
    saved.__init__ = noted(recorder, saved.__init__, "torch.autograd.graph.saved_tensors_hooks")
    torch.testing.assert_close = kept(recorder, torch.testing.assert_close)
