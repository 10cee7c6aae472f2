"""Modes and tensor subclasses with `__torch_dispatch__`, which the recorder leaves alone.

Under such a mode, or with such a tensor, PyTorch refuses every fallback that is written in Python (an internal assertion of
torch/csrc/utils/python_dispatch.cpp), and the recorder's kernel is one.
"""
import torch


def install(recorder):
    from torch.utils._python_dispatch import TorchDispatchMode
    enter, leave, wrap = TorchDispatchMode.__enter__, TorchDispatchMode.__exit__, torch.Tensor._make_wrapper_subclass

    def entered(mode):
        if recorder.recording():
            recorder.note(f"what runs under {type(mode).__name__}, a TorchDispatchMode, is not recorded")
        pause = recorder.paused()
        pause.__enter__()
        recorder.pauses().append(pause)
        return enter(mode)

    def left(mode, *error):
        try:
            return leave(mode, *error)
        finally:
            if recorder.pauses():
                recorder.pauses().pop().__exit__(None, None, None)

    def wrapped(cls, *args, **kwargs):
        if recorder.recording():
            recorder.note(f"here the recording ends: {cls.__name__} is a tensor subclass with __torch_dispatch__")
            recorder.halt()
        return wrap(cls, *args, **kwargs)

    TorchDispatchMode.__enter__, TorchDispatchMode.__exit__ = entered, left
    torch.Tensor._make_wrapper_subclass = staticmethod(wrapped)
