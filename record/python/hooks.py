"""Hooks of tensors: what a hook does when backward first calls it is its body in the program."""
import torch

T = torch.Tensor


def register(recorder, tensor, hook):
    """`x.register_hook(hook)`."""
    return registered(recorder, tensor, hook, T.register_hook, {})


def register_after(recorder, tensor, hook):
    """`x.register_post_accumulate_grad_hook(hook)`: it gets x itself, and returns nothing."""
    return registered(recorder, tensor, hook, T.register_post_accumulate_grad_hook, {"after": True})


def registered(recorder, tensor, hook, method, kind):
    slot = recorder.slots.find(tensor)
    if slot is None or recorder.bodies[-1] != 0 or len(recorder.bodies) > 1 or not callable(hook):
        recorder.note("a hook on a tensor that is not part of a program")
        with recorder.paused():
            return method(tensor, hook)
    recorder.meet_variables()
    name = getattr(hook, "__name__", "hook")
    number = recorder.journal.new_body(name)
    recorder.journal.close_body(number, [recorder.slots.nothing()], [None])
    followed = follow(recorder, number, hook, "after" in kind)
    followed.__name__ = name  # an error about what it returns names it
    with recorder.attempting():
        try:
            with recorder.paused():
                handle = method(tensor, followed)
        finally:
            recorder.write({"do": "register_hook", "tensor": slot, "function": number - 1, **kind})
    follow_remove(recorder, handle, number)
    return handle


def follow(recorder, number, hook, after):
    called = []

    def followed(gradient):
        if called or not isinstance(gradient, torch.Tensor):
            return hook(gradient)  # the program does again what it did at first
        called.append(True)
        outside = recorder.slots.known.get(id(gradient))  # backward may have been given this very tensor
        try:
            return first_call(recorder, number, hook, gradient, after)
        finally:
            if outside is not None:
                recorder.slots.known[id(gradient)] = outside

    return followed


def first_call(recorder, number, hook, gradient, after):
    """It runs inside PyTorch's engine, while recording is paused. There no mode sees what becomes of a leaf's `.grad`: of a hook
    after accumulation, it is looked at before and after."""
    with recorder.paused(recording=True), recorder.scope(number, apart=False), recorder.whole("a hook"):
        given, returned = recorder.slots.bind(gradient), None
        try:
            before = grad_of(recorder, gradient, given) if after else None
            answer = hook(gradient)
            if after:
                follow_grad(recorder, gradient, given, before)
            returned = recorder.slot_in_whole(answer) if isinstance(answer, torch.Tensor) else None
            recorder.guards[-1].leave()
        finally:
            if recorder.doomed is None:
                recorder.journal.close_body(number, [given], [returned])
        return answer


def grad_of(recorder, leaf, slot):
    with recorder.paused():
        grad = leaf.grad
    if grad is not None and recorder.slots.find(grad) is None:
        recorder.write({"do": "get_grad", "tensor": slot, "result": recorder.slots.bind(grad)})
    return grad


def follow_grad(recorder, leaf, slot, before):
    with recorder.paused():
        grad = leaf.grad
    if grad is not before:
        recorder.write({"do": "set_grad", "tensor": slot, **({} if grad is None else {"grad": recorder.slot_in_whole(grad)})})


def follow_remove(recorder, handle, number):
    original = handle.remove

    def remove():
        original()
        if recorder.recording():
            recorder.write({"do": "remove_hook", "function": number - 1})

    handle.remove = remove
