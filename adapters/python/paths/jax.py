"""Eager PyTorch on JAX, through torchax: tensors on the device "jax", inside torchax's modes."""
import importlib.metadata

import torch
from device import Device
from paths.devices import DeviceWalk, hide_keys_of_modes
from paths.eager import Eager, not_kept
from readings import READERS, UNSUPPORTED, hide, number

IS_WRAPPER = "a torchax tensor is a wrapper on the meta device around a jax array, which has no strides, storage or offset (torchax/tensor.py:71)"


class JaxWalk(DeviceWalk):
    """A walk inside `with torchax.default_env():`, which every thread of the script enters: modes are a thread's."""

    def go(self, body, first, last):
        import torchax
        if torch._C._len_torch_dispatch_stack():
            return super().go(body, first, last)
        with torchax.default_env():
            return super().go(body, first, last)


class JaxDevice(Device):
    def is_broken(self):
        import torchax
        with torchax.default_env():
            return super().is_broken()


def elements(tensor):
    """The elements of the jax array itself; no op of PyTorch runs."""
    array = tensor.jax()
    listed = array.reshape(-1).tolist()
    if array.dtype.kind == "f":
        return {"floats": [number(value) for value in listed]}
    return {"integers": [int(value) for value in listed]} if array.dtype.kind in "ib" else UNSUPPORTED


class Torchax(Eager):
    """What is not compared belongs to the wrapper, which has no storage of its own; dtypes, sizes, values and gradients are."""

    name = "torchax"
    relaxed = {field: not_kept(IS_WRAPPER) for field in ("strides", "offset", "storage", "keys")}
    errors = "kind"  # torchax and JAX have their own messages

    def start(self):
        import jax
        import torchax
        jax.config.update("jax_enable_x64", True)  # without it, JAX makes 32-bit arrays of 64-bit dtypes (JAX's "Sharp bits")
        hide("strides", "offset", "storage")
        READERS["values"] = lambda tensor, slots: elements(tensor)
        READERS["grad"] = lambda tensor, slots: None if tensor.grad is None else elements(tensor.grad)
        hide_keys_of_modes()
        with torchax.default_env():
            self.device = JaxDevice("jax")

    def around(self):
        import torchax
        return torchax.default_env()

    def versions(self):
        return {name: importlib.metadata.version(name) for name in ("torchax", "jax")}

    def walk(self, script):
        return JaxWalk(script, self.device)
