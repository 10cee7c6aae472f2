"""Custom autograd Functions, functionalized bodies, and the transforms that are no part of a program."""
import functools
import sys

import torch
from recorder import tensors_of
from torch.autograd import function as autograd_function


class Functions:
    """Follows each apply of a torch.autograd.Function, and its backward."""

    def __init__(self, recorder):
        self.recorder, self.applies = recorder, []

    def install(self):
        follow, recorder = self, self.recorder
        original = torch.autograd.Function.apply.__func__

        def apply(cls, *args, **kwargs):
            if not recorder.recording():
                return original(cls, *args, **kwargs)
            return follow.apply(original, cls, args, kwargs)

        torch.autograd.Function.apply = classmethod(apply)
        for kind in ("save_for_backward", "mark_dirty", "mark_non_differentiable"):
            self.follow_context(kind)
        self.follow_backward()

    def apply(self, original, cls, args, kwargs):
        recorder = self.recorder
        recorder.meet_variables()
        apply = {"body": recorder.journal.new_body(cls.__name__), "places": [isinstance(one, torch.Tensor) for one in args], "closed": False}
        self.applies.append(apply)
        try:
            with recorder.attempting(), recorder.whole(f"the custom function {cls.__name__}"):
                inputs = [recorder.slot_in_whole(one) for one in args if isinstance(one, torch.Tensor)]
                recorder.write({"do": "enter_forward", "function": apply["body"] - 1, "inputs": inputs})
                try:
                    answer, returned = self.forward(original, cls, args, kwargs)
                except Exception:
                    leave_early(recorder, "leave_forward", inputs)
                    recorder.journal.close_body(apply["body"], [recorder.slots.nothing()], [None] * len(inputs))
                    raise
                self.leave(apply, answer, returned)
        finally:
            self.applies.pop()
        return answer

    def forward(self, original, cls, args, kwargs):
        """Runs the forward's body in a scope of its own, which `setup_context` belongs to. Returns what the caller gets, and the slots
        that the body returns."""
        recorder = self.recorder
        forward, returned = cls.forward, []

        def followed(*given, **named):
            recorder.guards[-1].begin()
            answer = forward(*given, **named)
            returned.extend(recorder.slot_in_whole(one) for one in tensors_of(answer))
            recorder.guards[-1].leave()
            return answer

        own = "forward" in vars(cls)
        cls.forward = staticmethod(followed)
        try:
            with recorder.scope():
                answer = original(cls, *args, **kwargs)
            return answer, returned
        finally:
            if own:
                cls.forward = staticmethod(forward)
            else:
                del cls.forward

    def leave(self, apply, answer, returned):
        recorder, many = self.recorder, tensors_of(answer)
        if recorder.doomed is not None:
            return
        node = next((one.grad_fn for one in many if one.grad_fn is not None), None)
        if node is not None:
            node.metadata["plumbline"] = apply
        recorder.add({"do": "leave_forward", "returned": returned, "results": [recorder.slots.bind(one) for one in many]})
        recorder.journal.close_body(apply["body"], [recorder.slots.nothing() for _ in many], [None] * sum(apply["places"]))

    def follow_context(self, kind):
        follow, recorder = self, self.recorder
        original = getattr(autograd_function.FunctionCtx, kind)

        def followed(context, *tensors):
            if recorder.recording() and follow.applies:
                recorder.write({"do": kind, "tensors": [recorder.slot_in_whole(one) for one in tensors if one is not None]})
            return original(context, *tensors)

        setattr(autograd_function.FunctionCtx, kind, followed)

    def follow_backward(self):
        """A backward runs inside PyTorch's engine, while recording is paused."""
        follow, recorder = self, self.recorder
        node = autograd_function.BackwardCFunction
        original, saved_tensors = node.apply, torch._C._FunctionBase.saved_tensors

        def apply(context, *args):
            apply = context.metadata.get("plumbline") if hasattr(context, "metadata") else None
            if apply is None or apply["closed"]:
                return original(context, *args)
            apply["closed"] = True
            return follow.backward(original, context, args, apply)

        def saved(context):
            tensors = saved_tensors.__get__(context)
            if recorder.recording() and recorder.bodies[-1] != 0:
                if any(recorder.slots.find(one) is None for one in tensors):
                    recorder.add({"do": "load_saved", "results": [recorder.slots.bind(one) for one in tensors]})
            return tensors

        node.apply = apply
        node.saved_tensors = property(saved)

    def backward(self, original, context, args, apply):
        recorder, body = self.recorder, apply["body"]
        with recorder.paused(recording=True), recorder.scope(body), recorder.whole("a backward"):
            gradients = [recorder.slots.bind(one) if isinstance(one, torch.Tensor) else recorder.slots.nothing() for one in args]
            try:
                answer = original(context, *args)
            except Exception:
                recorder.journal.close_body(body, gradients, [None] * sum(apply["places"]))
                raise
            many = answer if isinstance(answer, tuple) else (answer,)
            returned = [None if one is None else recorder.slot_in_whole(one) for one, given in zip(many, apply["places"]) if given]
            if len(many) < len(apply["places"]):
                recorder.note("a backward returns too few gradients; the program's returns one for each tensor")
            recorder.guards[-1].leave()
            if recorder.doomed is None:
                recorder.journal.close_body(body, gradients, returned)
        return answer


def leave_early(recorder, do, slots):
    """An error left a body; its `return`, which is never reached, names a slot that is known there."""
    if not slots:
        recorder.doomed = "it has no tensor, and raises"
    elif recorder.doomed is None:
        recorder.add({"do": do, "returned": slots[:1], "results": [recorder.slots.nothing()]})


def functionalize(recorder, original):
    """`torch.func.functionalize(body)(x)`, whose body is part of the program."""
    @functools.wraps(original)
    def run(func, *, remove="mutations"):
        @functools.wraps(func)
        def called(*args):
            if not recorder.recording() or not all(isinstance(one, torch.Tensor) for one in args):
                if recorder.recording():
                    recorder.note("functionalize of anything but tensors is not part of a program")
                with recorder.paused():
                    return original(func, remove=remove)(*args)
            return follow_body(recorder, original, func, remove, args)
        return called
    return run


def follow_body(recorder, original, func, remove, args):
    parameters, returned = [], []

    def body(*given):
        with recorder.paused(recording=True):
            parameters.extend(recorder.slots.bind(one) for one in given)
            recorder.write({"do": "enter_functionalize", "remove": remove, "inputs": inputs, "parameters": parameters})
            with recorder.scope():
                answer = func(*given)
                returned.extend(recorder.slot_in_whole(one) for one in tensors_of(answer))
        return answer

    recorder.meet_variables()
    with recorder.attempting(), recorder.whole("a functionalized body"):
        inputs = [recorder.slot_in_whole(one) for one in args]
        try:
            with recorder.paused():
                answer = original(body, remove=remove)(*args)
        except Exception:
            leave_early(recorder, "leave_functionalize", parameters)
            raise
        if recorder.doomed is None:
            recorder.add({"do": "leave_functionalize", "returned": returned, "results": [recorder.slots.bind(one) for one in tensors_of(answer)]})
    return answer


def eagerly(recorder, original, name):
    """A transform that programs lack: the function that it gives runs unrecorded, and its results are values."""
    @functools.wraps(original)
    def run(*args, **kwargs):
        made = original(*args, **kwargs)
        if not callable(made):
            return made

        def called(*given, **named):
            if recorder.recording():
                recorder.note(f"{name} is not part of a program: what it returns is written as values")
            with recorder.paused():
                return made(*given, **named)
        return called
    return run


def compile_nothing(recorder):
    """`torch.compile(f)` is f: the program says what f does eagerly."""
    def run(model=None, **kwargs):
        recorder.note("torch.compile is left out: the program runs the function itself", same=True)
        return (lambda function: function) if model is None else model
    return run


def overridden(recorder, original):
    """`Library.impl`: a call of an op of ATen with a kernel of the script's own is not what the program's call would be."""
    @functools.wraps(original)
    def impl(library, op, *args, **kwargs):
        name = op if isinstance(op, str) else op._schema.name
        namespace, _, bare = name.rpartition("::")
        if (namespace or library.ns) == "aten":
            recorder.ops = {one for one in recorder.ops if one != bare and one.partition(".")[0] != bare}
        return original(library, op, *args, **kwargs)
    return impl


def replace(original, made):
    """Puts `made` in place of a function, wherever PyTorch offers it."""
    for module in [torch, torch.func, *(sys.modules[name] for name in PLACES if name in sys.modules)]:
        for name, value in list(vars(module).items()):
            if value is original:
                setattr(module, name, made)


PLACES = ("torch._functorch.eager_transforms", "torch._functorch.apis", "torch.fx.experimental.proxy_tensor")
TRANSFORMS = ("vmap", "grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd", "hessian", "linearize")


def install(recorder):
    Functions(recorder).install()
    replace(torch.func.functionalize, functionalize(recorder, torch.func.functionalize))
    replace(torch.compile, compile_nothing(recorder))
    for name in TRANSFORMS:
        if hasattr(torch.func, name):
            original = getattr(torch.func, name)
            replace(original, eagerly(recorder, original, f"torch.func.{name}"))
    if recorder.mentions("make_fx"):  # its module is slow to import
        from torch.fx.experimental import proxy_tensor
        replace(proxy_tensor.make_fx, eagerly(recorder, proxy_tensor.make_fx, "make_fx"))
    torch.library.Library.impl = overridden(recorder, torch.library.Library.impl)
